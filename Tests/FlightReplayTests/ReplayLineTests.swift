import KeyModel
import ResponderEngine
import Testing
import TraceFormat

@testable import FlightReplay

@Suite struct ReplayLineTests {
    /// The line that the contract for `replay --format jsonl` shows.
    private var closeTab: ReplayLine {
        var line = ReplayLine(
            press: 1, time: .zero, chord: Chord(modifiers: .command, usage: .keyboard(0x1A)), isRepeat: false,
            outcome: .performed, takenBy: .keyCommands, state: 0x9F3C)
        line.character = "w"
        line.action = "closeTab:"
        line.supplier = "tabs"
        line.target = "tabs"
        line.receivers = ["view", "vc"]
        line.calls.keyCommands = 12
        line.calls.canPerformAction = 1
        line.cache.misses = 12
        line.shadowed = [.init(supplier: "app", action: "closeWindow:")]
        line.effects = [.init(id: "table", kind: "selection", value: "[2]")]
        return line
    }

    @Test func fieldsStandInTheOrderOfTheContract() {
        #expect(
            closeTab.json == """
                {"press":1,"t_ns":0,"chord":"cmd+w","character":"w","repeat":false,"outcome":"performed",\
                "takenBy":"keyCommands","action":"closeTab:","supplier":"tabs","target":"tabs","text":null,\
                "receivers":["view","vc"],"calls":{"keyCommands":12,"canPerformAction":1,"validate":0,"buildMenu":0},\
                "callsOnRelease":{"keyCommands":0},"shadowReads":0,\
                "cache":{"lookups":12,"hits":0,"misses":12,"stale":0,"invalidations":0},\
                "shadowed":[{"supplier":"app","action":"closeWindow:"}],\
                "effects":[{"id":"table","kind":"selection","value":[2]}],"state":"0000000000009f3c"}
                """)
    }

    /// Nobody's name ends a column of a golden, or begins a quoted text.
    @Test func namesStayInTheirColumnsOfAGolden() {
        var line = closeTab
        let columns = GoldenText.row(line).components(" | ")
        line.action = "a | b:"
        line.supplier = "x | \"y"
        line.receivers = ["view", "v|c"]
        line.shadowed = [.init(supplier: "app", action: "close | window:")]
        line.effects = [.init(id: "ta | ble", kind: "selection", value: "[2]")]
        let found = GoldenText.row(line).components(" | ")
        #expect(found.count == columns.count, "\(found)")
        #expect(found[4] == "a \\u{7c} b:" && found[5] == "x \\u{7c} \\u{22}y > tabs", "\(found)")
        #expect(found[8] == "receivers view v\\u{7c}c", "\(found)")
        #expect(GoldenText.row(closeTab) == columns.joined(separator: " | "))
    }

    @Test func aMaskedLineNamesItsClassAndAnUndeterminedOneItsCandidates() {
        var line = ReplayLine(
            press: 2, time: .zero, chord: nil, isRepeat: false, outcome: .undetermined, takenBy: nil, state: 0)
        line.maskedClass = .letter
        line.possible = [.init(supplier: "vc", action: "flag:")]
        #expect(
            line.json.hasSuffix(
                #""state":"0000000000000000","class":"letter","possible":[{"supplier":"vc","action":"flag:"}]}"#))
        #expect(line.json.contains(#""chord":null,"character":null"#))
    }

    @Test func textIsEscaped() {
        var line = closeTab
        line.text = "a\"\\\n\u{1}é👩‍👩‍👧"
        #expect(line.json.contains(#""text":"a\"\\\n\u0001é👩‍👩‍👧""#))
    }

    @Test func goldenTextCarriesTheDigestOfTheLines() {
        let heading = GoldenText.Heading(profile: "ios15", layout: "us", level: .calls, cache: "none")
        var golden = GoldenText(heading)
        golden.append(closeTab)
        let rows = golden.text.split(separator: "\n")
        #expect(rows.count == 2)
        #expect(rows.first?.hasPrefix("# profile ios15 · layout us · level calls · cache none · stream ") == true)
        #expect(
            rows.last == """
                1 | cmd+w | performed | keyCommands | closeTab: | tabs > tabs | calls 12/1/0/0+0 | cache 0/12/0/0 \
                | receivers view vc | shadowed app:closeWindow: | effects table.selection=[2]
                """)
        var later = closeTab
        later.time = TraceTime(nanoseconds: 1)
        var other = GoldenText(heading)
        other.append(later)
        #expect(other.streamDigest != golden.streamDigest)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] { split(separator: separator).map(String.init) }
}
