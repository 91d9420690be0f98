import KeyModel
import Testing

@testable import keyflight

@Suite struct SettingsTests {
    private func settings(
        _ text: String, _ environment: [String: String] = [:], folder: String = ""
    ) throws(SettingsError) -> Settings {
        var settings = Settings()
        try settings.read(Array(text.utf8), file: "x/.keyflight.toml", folder: folder)
        try settings.read { environment[$0] }
        return settings
    }

    @Test func aFileIsWeakerThanTheEnvironmentAndThatThanAFlag() throws {
        var settings = try settings(
            "color = 'never'\nprofile = 'ios13'\n[gate]\nmargin = 3\n", ["KEYFLIGHT_COLOR": "always"])
        #expect(settings[.color] == .init(value: .text("always"), origin: .environment("KEYFLIGHT_COLOR")))
        #expect(settings[.profile] == .init(value: .text("ios13"), origin: .file("x/.keyflight.toml", line: 2)))
        #expect(settings.number(.gateMargin) == 3)
        #expect(settings[.gateRuns] == .init(value: .integer(48), origin: .preset))
        try settings.set(.color, to: "auto", from: .flag("--color"))
        #expect(settings[.color] == .init(value: .text("auto"), origin: .flag("--color")))
    }

    @Test func everySettingCanBeSaidInTheFileAndInTheEnvironment() throws {
        for setting in Setting.allCases {
            let (literal, plain) = Self.sample(setting.form)
            let parts = setting.rawValue.split(separator: ".")
            let line = parts.count == 2 ? "[\(parts[0])]\n\(parts[1]) = \(literal)" : "\(setting.rawValue) = \(literal)"
            let file = try settings(line)
            #expect(file[setting].origin == .file("x/.keyflight.toml", line: parts.count))
            let environment = try settings("", [setting.environmentName: plain])
            #expect(environment[setting].origin == .environment(setting.environmentName))
            #expect(environment[setting].value == file[setting].value)
            #expect(!setting.meaning.isEmpty && !setting.expectation.isEmpty)
        }
    }

    private static func sample(_ form: Setting.Form) -> (literal: String, plain: String) {
        switch form {
        case .text, .path: ("\"x\"", "x")
        case .flag: ("true", "1")
        case .word(let words): ("\"\(words[0])\"", words[0])
        case .integer(let range): ("\(range.lowerBound)", "\(range.lowerBound)")
        case .number: ("1.5", "1.5")
        case .list(let words): ("[\"\(words[0])\"]", words[0])
        }
    }

    @Test func pathsAreRelativeToTheFile() throws {
        #expect(try settings("scene = 'a/b.yaml'", folder: "..").text(.scene) == "../a/b.yaml")
        #expect(try settings("scene = '/a/b.yaml'", folder: "..").text(.scene) == "/a/b.yaml")
        #expect(try settings("scene = 'b.yaml'").text(.scene) == "b.yaml")
        #expect(try settings("", ["KEYFLIGHT_SCENE": "b.yaml"], folder: "..").text(.scene) == "b.yaml")
    }

    @Test(arguments: [
        ("profil = 'ios13'", "column 1: profil: expected a known key such as profile, found one that is not known"),
        ("[gate]\nmargn = 1", "line 2, column 1: gate.margn: expected a known key such as gate.margin"),
        ("bogus = 1", "bogus: expected one of profile, layout"), ("[bogus]", "[bogus]: expected [gate] or [redact]"),
        ("color = 'pink'", "color: expected auto, always or never, found pink"),
        ("color = true", "color: expected auto, always or never, found true"),
        ("ascii = 'yes'", "expected true or false"),
        ("pager = 'rm -rf x'", "pager: expected true or false, found rm -rf x"),
        ("[gate]\nruns = 11", "gate.runs: expected a whole number from 12 to 10000, found 11"),
        ("[gate]\nruns = 12.5", "gate.runs: expected a whole number"),
        ("[gate]\nmargin = -1", "from 0 to 999, found -1"),
        ("profile = ''", "profile: expected a name"), ("profile = 3", "expected a name in quotes, found 3"),
        ("[redact]\nremove = ['words']", "expected a list of text, runs, timing or titles, found words"),
        ("[redact]\nremove = ['titles']", "expected text among them, found a list without it; only the command line"),
        ("[redact]\nremove = []", "expected text among them"),
        ("show-keys = true", "found it: a file cannot turn masking off; give --show-keys on the command line"),
        ("[redact]\nshow_keys = true", "a file cannot turn masking off"), ("showKeys = true", "masking off"),
    ])
    func wrongSettingsAreRefusedWithFileLineAndKey(_ text: String, _ part: String) {
        let error = #expect(throws: SettingsError.self) { try settings(text) }
        let line = error?.description ?? ""
        #expect(line.hasPrefix("x/.keyflight.toml: line ") && line.contains(part), "\(line)")
    }

    @Test func aWrongVariableIsNamed() {
        let error = #expect(throws: SettingsError.self) { try settings("", ["KEYFLIGHT_GATE_RUNS": "many"]) }
        let expected = "KEYFLIGHT_GATE_RUNS: gate.runs: expected a whole number from 12 to 10000, found many"
        #expect(error?.description == expected)
    }

    @Test func anEmptyVariableSaysNothing() throws {
        #expect(try settings("color = 'never'", ["KEYFLIGHT_COLOR": ""]).text(.color) == "never")
    }

    @Test func nearWordsAreFound() {
        #expect(EditDistance.nearest(to: "proflie", among: ["profile", "pager"]) == "profile")
        #expect(EditDistance.nearest(to: "PAGER", among: ["profile", "pager"]) == "pager")
        #expect(EditDistance.nearest(to: "xyz", among: ["profile", "pager"]) == nil)
        #expect(EditDistance.nearest(to: String(repeating: "p", count: 1000), among: ["pager"]) == nil)
    }
}
