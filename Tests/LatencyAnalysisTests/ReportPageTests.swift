import Foundation
import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@testable import TraceReports

/// The page of `report`, as bytes. How it behaves in a browser is for `Scripts/report-in-browser`.
@Suite struct ReportPageTests {
    static func page(_ recording: Recording, name: String = "flight.keyflight", limit: Int = 10_000) -> [UInt8] {
        var survey = TimelineSurvey()
        survey.consume(recording)
        let facts = survey.facts(above: nil, of: TraceFileFacts(), definitions: recording.definitions)
        var side = ReportSideBuilder(
            facts, showing: PressChoice(facts, limit: limit), name: name, room: ReportPage.Room(presses: limit))
        side.consume(recording)
        side.finish(recording.definitions)
        return ReportPage(side, generator: "keyflight test").bytes ?? []
    }

    /// Many presses, no two of which took the same time.
    static func longFlight(_ presses: Int) -> Recording {
        var flight = RecordingBuilder()
        var random = UInt64(7)
        func next(_ limit: Int64) -> Int64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(random >> 33) % limit
        }
        flight.add(.level(LevelRecord(level: .calls)))
        let chain = ["field", "editor", "document", "split", "nav", "tabs", "window", "app"]
        for (place, id) in chain.enumerated() {
            flight.link(id, "Kind\(place)", next: place + 1 < chain.count ? chain[place + 1] : nil, window: "window")
        }
        let list = ["w", "n", "t"].map { (input: String) in flight.command(input, .command, "do\(input):") }
        for number in 0..<presses {
            flight.wait(20_000_000 + next(400_000_000))
            let at = flight.down(.keyboard(UInt16(4 + number % 26)), .command)
            flight.received(at, by: chain)
            for id in chain { flight.keyCommands(at, of: id, answers: list, cost: next(900_000)) }
            flight.canPerform(at, "tabs", "dow:", true, cost: next(9000))
            flight.candidate(at, "tabs", list[number % 3], .won)
            flight.candidate(at, "app", list[number % 3], .shadowed, "shadowed by tabs")
            for stage in [LatencyStage.inputDelay, .presses, .collect, .match, .validate, .action, .settle] {
                flight.stage(at, stage, next(3_000_000))
            }
            flight.resolve(at, .performed, takenBy: .keyCommands) { record, flight in
                record.character = flight.string(String(UnicodeScalar(UInt8(97 + number % 26))))
                record.start = flight.responder("field")
                record.supplier = flight.responder("tabs")
                record.target = flight.responder("tabs")
                record.action = flight.string("dow:")
            }
            flight.wait(next(90_000_000))
            flight.up(.keyboard(UInt16(4 + number % 26)), .command, of: at)
        }
        return flight.recording
    }

    /// The text between two marks, the first time they occur.
    static func part(_ page: [UInt8], from start: String, to end: String) throws -> String {
        let text = String(decoding: page, as: UTF8.self)
        let from = try #require(text.range(of: start)).upperBound
        return String(text[from..<(try #require(text.range(of: end, range: from..<text.endIndex)).lowerBound)])
    }

    static func data(_ page: [UInt8]) throws -> [String: Any] {
        let json = try part(page, from: "<script type=\"application/json\" id=\"data\">", to: "</script>")
        return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    static func side(_ page: [UInt8]) throws -> [String: Any] {
        try #require((try data(page)["sides"] as? [[String: Any]])?.first)
    }

    @Test("SHA-256 gives the hashes of FIPS 180-4")
    func hashes() {
        func hash(_ text: String) -> String {
            SHA256.hash(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
        }
        #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        for count in 0...10 {
            let bytes = (0..<count).map { UInt8($0 * 37 & 255) }
            #expect(Base64.text(bytes) == Data(bytes).base64EncodedString())
        }
    }

    @Test func thePolicyNamesTheScriptAndTheStyleThatAreThereAndNothingElse() throws {
        let page = Self.page(CloseTabFlight.recording())
        let policy = try Self.part(page, from: "Content-Security-Policy\" content=\"", to: "\"")
        let style = try Self.part(page, from: "<style>", to: "</style>")
        let script = try Self.part(page, from: "<script>", to: "</script>")
        func source(_ text: String) -> String { "'sha256-\(Base64.text(SHA256.hash(Array(text.utf8))))'" }
        #expect(
            policy == "default-src 'none'; script-src \(source(script)); style-src \(source(style)); "
                + "base-uri 'none'; form-action 'none'")
    }

    @Test func nothingLeadsToANetwork() throws {
        let text = String(decoding: Self.page(CloseTabFlight.recording()), as: UTF8.self)
        #expect(text.components(separatedBy: "://").count == 2, "the name of SVG is the only address")
        #expect(text.contains("\"http://www.w3.org/2000/svg\""))
        for word in [
            " src=", "url(\"", "@import", "fetch(", "XMLHttpRequest", "WebSocket", "innerHTML", "eval(", "onclick",
        ] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test func theSameTraceGivesTheSameBytes() {
        #expect(Self.page(Self.longFlight(50)) == Self.page(Self.longFlight(50)))
    }

    @Test func itSaysWhatExplainSays() throws {
        let side = try Self.side(Self.page(CloseTabFlight.recording()))
        let strings = try #require(side["strings"] as? [String])
        let explain = try #require(ReportGoldenTests.explain(.press(2)))
        #expect(strings.contains("tabs.closeTab:  (window win1)"))
        #expect(strings.contains("skipped: canPerformAction = no at doc"))
        for (_, value, _) in explain.allFacts { #expect(strings.contains(value), "\(value)") }
        let findings = try #require(side["findings"] as? [String: Any])
        #expect((findings["count"] as? Int) == (findings["rows"] as? [Any])?.count)
    }

    @Test func whatATraceSaysCannotLeaveItsElement() throws {
        var flight = RecordingBuilder()
        let name = "</script><!--<script>\u{202E}\u{2028}&amp;" + HostileTextTests.name
        flight.add(.environment(EnvironmentRecord(name: name, value: name)))
        flight.link(name, name, next: nil, window: name)
        let at = flight.down(.tab)
        let command = flight.command(name, .command, name, title: name)
        flight.keyCommands(at, of: name, answers: [command], cost: .max)
        flight.candidate(at, name, command, .won, name)
        flight.stage(at, .collect, .max)
        flight.resolve(at, Outcome(rawValue: 250), takenBy: TakenBy(rawValue: 251)) { record, flight in
            (record.start, record.supplier, record.target) = (
                flight.responder(name), flight.responder(name), flight.responder(name)
            )
            (record.action, record.character) = (flight.string(name), flight.string(name))
        }
        let page = Self.page(flight.recording, name: name)
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.components(separatedBy: "</script>").count == 3)
        #expect(text.components(separatedBy: "<!--").count == 1)
        #expect(text.unicodeScalars.allSatisfy(HostileTextTests.isPrintable))
        #expect(try Self.data(page)["generator"] as? String == "keyflight test")
        #expect(page.count < 300_000)
    }

    @Test(.enabled(if: isOptimisedBuild, "large inputs")) func tenThousandPressesFitIntoTwoMegabytes() throws {
        let page = Self.page(Self.longFlight(10_000))
        #expect(page.count < ReportPage.byteLimit, "\(page.count) bytes")
        let side = try Self.side(page)
        let presses = try #require(side["presses"] as? [String: Any])
        #expect(presses["shown"] as? Int == 10_000)
        #expect(presses["leftOut"] as? Int == 0)
        let explained = try #require((side["explanations"] as? [String: Any])?["of"] as? [[Int]])
        #expect(explained.count + (side["unexplained"] as? Int ?? 0) == 10_000)
        print("10,000 presses: \(page.count) bytes, \(explained.count) explained")
    }

    @Test func ofMorePressesSomeAreShownAndTheSlowestAmongThem() throws {
        let recording = Self.longFlight(900)
        let presses = try #require(try Self.side(Self.page(recording, limit: 300))["presses"] as? [String: Any])
        #expect(presses["count"] as? Int == 900)
        #expect(presses["shown"] as? Int == 300)
        #expect(presses["leftOut"] as? Int == 600)
        var survey = TimelineSurvey()
        survey.consume(recording)
        let facts = survey.facts(above: nil, of: TraceFileFacts(), definitions: recording.definitions)
        let choice = PressChoice(facts, limit: 300)
        let slowest = facts.ticks.sorted { ($0.total ?? .zero) > ($1.total ?? .zero) }.prefix(75).map(\.at)
        #expect(choice.chosen.isSuperset(of: slowest))
        #expect(choice.chosen.isSuperset(of: choice.notable))
        // The rest is spread evenly: no stretch of a tenth is empty.
        for tenth in 0..<10 {
            let count = choice.chosen.count { Int($0.press - 1) / 90 == tenth }
            #expect((15...60).contains(count), "\(count) of the presses from \(tenth * 90) on")
        }
    }

    @Test func aTraceWithoutAnythingIsAPageToo() throws {
        let side = try Self.side(Self.page(Recording()))
        #expect((side["presses"] as? [String: Any])?["count"] as? Int == 0)
    }

    @Test func theMapKeepsEveryPressAndItsSizeHowLongEverItGets() {
        let recording = Self.longFlight(400)
        var survey = TimelineSurvey()
        survey.consume(recording)
        let facts = survey.facts(above: nil, of: TraceFileFacts(), definitions: recording.definitions)
        let cells = facts.map.cells
        #expect(cells.reduce(0) { $0 + UInt64($1.presses) } == 400)
        #expect(cells.allSatisfy { $0.column < LatencyMap.columnCount })
        #expect(LatencyMap.lowest(ofRow: 61).nanoseconds == 1_000_000)
        for row in 1..<180 { #expect(LatencyMap.lowest(ofRow: row) <= LatencyMap.lowest(ofRow: row + 1)) }
    }
}
