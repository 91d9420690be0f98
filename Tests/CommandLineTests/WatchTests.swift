import Foundation
import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

@testable import keyflight

/// The screens of `watch` without a terminal.
@Suite struct WatchTests {
    static let textedit = Files.path("Traces/apps/textedit.keyflight")
    static let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")

    /// A session over the trace in a file, read to its end.
    static func session(
        _ path: String, style: ReportStyle = .plain, isFollowing: Bool = false, name: String? = nil
    ) throws -> WatchSession {
        let name = name ?? URL(filePath: path).lastPathComponent
        let trace = WatchedTrace(try TraceReader(ByteFile.open(path)), name: name, path: path)
        var session = WatchSession(trace, name: name, arguments: [name], style: style, isFollowing: isFollowing)
        read(&session)
        return session
    }

    static func read(_ session: inout WatchSession) {
        repeat { _ = session.advance(for: .seconds(5)) } while session.isBehind
    }

    static func type(_ text: String, into session: inout WatchSession) {
        for character in text { _ = session.handle(character == "\n" ? .enter : .character(character)) }
    }

    static func screen(_ session: inout WatchSession, _ columns: Int, _ rows: Int) -> String {
        session.lines(columns: columns, rows: rows).map { $0 + "\n" }.joined()
    }

    /// Each screen at both sizes.
    private static func expectScreens(_ name: String, _ session: WatchSession) {
        for (columns, rows) in [(80, 24), (200, 60)] {
            var session = session
            let text = screen(&session, columns, rows)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(lines.count == rows && lines.allSatisfy { DisplayWidth.of(String($0)) <= columns })
            let trimmed = lines.map { String($0.reversed().drop { $0 == " " }.reversed()) + "\n" }.joined()
            GoldenFile.expect(trimmed, "reports/watch-\(name)-\(columns)x\(rows).txt")
        }
    }

    // MARK: Screens

    /// The session in TextEdit while it is recorded: 60 % of it are there.
    @Test func aSessionThatIsStillRecorded() throws {
        try Files.withFolder { folder in
            let path = folder + "/textedit.keyflight"
            let recording = try Recording.read(Files.bytes(Self.textedit)).recording
            var header = TraceHeader(form: .live, level: .calls, isMasked: true)
            header.version = recording.version
            let output = try LiveOutput(path: path, header: header)
            func write(_ records: ArraySlice<TraceRecord>) throws {
                for record in records {
                    try output.append(record.body, at: record.time, definitions: recording.definitions)
                }
                try output.flush()
            }
            let part = recording.records.count * 6 / 10
            for start in stride(from: 0, to: part, by: 50) {
                try write(recording.records[start..<min(start + 50, part)])
            }
            var session = try Self.session(path, isFollowing: true)
            Self.expectScreens("textedit", session)
            let before = session.count
            try write(recording.records[part...])
            Self.read(&session)
            #expect(session.count == 74 && session.trace?.isEnded == false)
            try output.finish()
            Self.read(&session)
            #expect(before > 10 && session.count == 74)
            #expect(session.trace?.isEnded == true && session.trace?.isSound == true)
        }
    }

    @Test func aCaptureThroughAScene() throws {
        let console = Console(stdin: [])
        var rules = ReplayRules()
        rules.scene = Self.scene
        let source = try Input(Self.capture, console, rules: rules).resolutions(takesKeys: true)
        guard case .replay(let job) = source.origin else { throw Failure(.defect, "no replay") }
        var bytes: [UInt8] = []
        try job.write(showsKeys: true) { bytes += $0 }
        let trace = WatchedTrace(try TraceReader(bytes), name: "viewer.pcap", finished: source)
        var session = WatchSession(
            trace, name: "viewer.pcap", arguments: ["viewer.pcap", "--scene", "pdf viewer.yaml"], style: .plain,
            isFollowing: false)
        Self.read(&session)
        Self.type("/cmd+w\nm", into: &session)
        Self.expectScreens("capture", session)
        #expect(session.command(for: 3) == "keyflight explain viewer.pcap --scene 'pdf viewer.yaml' --press 3")
        let copied = session.handle(.character("y"))
        #expect(copied.map { if case .copy = $0 { true } else { false } } == true)
    }

    @Test func aTraceWithLosses() throws {
        try Files.withFolder { folder in
            #expect(CommandRun("import", Self.capture, "-o", folder + "/k.keyflight").status == 0)
            var recording = try Recording.read(Files.bytes(folder + "/k.keyflight")).recording
            let end = try #require(recording.records.last?.time)
            for loss in [
                LossRecord(cause: .dropped, count: 12, duration: nil, detail: ""),
                LossRecord(
                    cause: .secureEntry, count: nil, duration: TraceDuration(nanoseconds: 2_000_000_000), detail: ""),
            ] { recording.append(.loss(loss), at: end) }
            let path = folder + "/losses.keyflight"
            try Files.write(recording.bytes(header: TraceHeader(level: .keys, isMasked: true)), to: path)
            Self.expectScreens("losses", try Self.session(path))
        }
    }

    /// At any size there are as many lines, none of them too long.
    @Test func everySizeIsFilled() throws {
        var session = try Self.session(Self.textedit)
        for mode in ["", "e", "?"] {
            Self.type(mode, into: &session)
            for (columns, rows) in [(1, 1), (10, 3), (20, 5), (40, 10), (63, 24), (64, 24), (120, 30), (400, 200)] {
                let lines = session.lines(columns: columns, rows: rows)
                #expect(lines.count == rows, "\(columns)×\(rows)")
                #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(columns)×\(rows)")
            }
            _ = session.handle(.escape)
        }
    }

    // MARK: One explanation

    /// The lines of `explain` below its header.
    private static func explained(_ path: String, _ press: UInt32) -> String {
        let text = CommandRun(
            ["explain", path, "--press", "\(press)"], environment: ProcessEnvironment(["COLUMNS": "100"])
        ).text
        return text.range(of: "\n\n").map { String(text[$0.upperBound...]) } ?? text
    }

    @Test func theExplanationIsThatOfExplain() throws {
        for path in [Self.textedit, Files.path("Traces/apps/reader.keyflight")] {
            var trace = try #require(try Self.session(path).trace)
            for press in trace.rows(0..<trace.count).map(\.press) {
                let found = trace.report(of: press)
                let report = try #require(found)
                #expect(report.pressText(ReportStyle(width: 100)) == Self.explained(path, press), "\(press)")
            }
        }
    }

    /// While the trace is written, the explanation comes from a checkpoint: it is the same.
    @Test func theExplanationOfALiveTraceIsTheSame() throws {
        try Files.withFolder { folder in
            let path = folder + "/live.keyflight"
            try Files.write(Array(Files.bytes(Self.textedit).dropLast(40)), to: path)
            var trace = try #require(try Self.session(path).trace)
            #expect(!trace.isEnded)
            let presses = trace.rows(0..<trace.count).map(\.press)
            #expect(presses == Array(1...74))
            for press in presses.reversed() {
                let found = trace.report(of: press)
                let report = try #require(found)
                #expect(report.pressText(ReportStyle(width: 100)) == Self.explained(path, press), "\(press)")
            }
        }
    }

    // MARK: Long traces

    /// 20,000 presses: the first ones are read again, and are what they were.
    @Test func longTracesAreReadAgain() throws {
        try Files.withFolder { folder in
            let (script, path) = (folder + "/s.keys", folder + "/long.keyflight")
            let keys = (0..<20_000).map { $0 % 10 == 9 ? "press cmd+w\n" : "press a\n" }.joined()
            try Files.write(Array(keys.utf8), to: script)
            let replay = CommandRun("replay", script, "--scene", Self.scene, "--format", "jsonl", "-o", path)
            #expect(replay.status == 0, "\(replay.notes)")
            var session = try Self.session(path)
            #expect(session.count == 20_000)
            for start in [0, 7, 500, 9_990, 11_000, 19_990, 3] {
                let rows = session.rows(start..<start + 20)
                #expect(rows.map(\.press) == (start..<min(20_000, start + 20)).map { UInt32($0 + 1) })
                #expect(rows.allSatisfy { $0.outcome != nil })
                #expect(rows.allSatisfy { ($0.chord.text == "cmd+w") == ($0.press % 10 == 0) })
            }
            Self.type("/#7770\n", into: &session)
            #expect(session.selection?.press == 7770)
            Self.type("f" + #"chord == "cmd+w""# + "\n", into: &session)
            Self.read(&session)
            #expect(session.count == 2_000 && session.selection?.press == 10)
            Self.type("f", into: &session)
            _ = session.handle(.eraseLine)
            Self.type("chord = 3\n", into: &session)
            #expect(session.prompt != nil && !session.message.isEmpty)
        }
    }

    // MARK: What reaches the terminal

    @Test func namesOfATraceDoNotActOnTheTerminal() throws {
        let evil = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}5n\u{202E}x\r\n"
        var recording = Recording()
        let field = recording.definitions.intern(ResponderDefinition(id: evil, kind: evil))
        let words = recording.definitions.intern(evil)
        recording.append(.firstResponder(FirstResponderRecord(responder: field, cause: .start)), at: .zero)
        recording.append(.keyWindow(KeyWindowRecord(window: field, cause: .start)), at: .zero)
        let key = KeyRecord(device: 1, key: .clear(.tab), phase: .down, modifiers: .command, press: 1)
        recording.append(.key(key), at: .zero)
        var resolution = ResolutionRecord(
            at: PressTick(press: 1, tick: 0), outcome: .performed, takenBy: .keyCommands, state: 1)
        (resolution.target, resolution.start, resolution.action) = (field, field, words)
        (resolution.character, resolution.text) = (words, words)
        recording.append(.resolution(resolution), at: .zero)
        try Files.withFolder { folder in
            let path = folder + "/evil.keyflight"
            try Files.write(recording.bytes(header: TraceHeader(level: .calls, isMasked: false)), to: path)
            for style in [ReportStyle.plain, ReportStyle(usesColour: true), ReportStyle(isASCII: true)] {
                var session = try Self.session(path, style: style, name: evil)
                for keys in ["", "e", "q", "/\u{1B}[2J", "\nf" + evil + "x\n"] {
                    Self.type(keys, into: &session)
                    for line in session.lines(columns: 100, rows: 30) {
                        let text = line.replacing(/\u{1B}\[[0-9]{0,2}m/, with: "")
                        let isSafe = text.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) }
                        #expect(isSafe && (style.usesColour || text == line), "\(line.debugDescription)")
                        #expect(!style.isASCII || line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
                    }
                }
            }
        }
    }

    @Test func withoutUTF8TheScreenIsPlain() throws {
        var session = try Self.session(Self.textedit, style: ReportStyle(isASCII: true))
        for keys in ["", "e", "q", "?", "q", "s"] {
            Self.type(keys, into: &session)
            #expect(Self.screen(&session, 80, 24).utf8.allSatisfy { $0 < 0x80 }, "\(keys)")
        }
        for (locale, isPlain) in [
            (["LANG": "en_US.UTF-8"], false), (["LC_ALL": "C", "LANG": "en_US.UTF-8"], true), ([:], true),
            (["LC_CTYPE": "C.utf8"], false),
        ] as [([String: String], Bool)] { #expect(ProcessEnvironment(locale).hasUTF8 != isPlain, "\(locale)") }
    }

    // MARK: Keys

    @Test func keysAreDecodedWhateverTheirPieces() {
        let bytes = Array("a\u{1B}[A\u{1B}OB\u{1B}[5~é\u{1B}[200~q\u{1B}[201~\u{3}\u{1B}[1;5Cx".utf8)
        let keys: [ScreenKey] = [
            .character("a"), .up, .down, .pageUp, .character("é"), .character("q"), .interrupt, .character("x"),
        ]
        for size in 1...bytes.count {
            var decoder = ScreenKeyDecoder()
            var found: [(key: ScreenKey, isPasted: Bool)] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += decoder.decode(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(found.map(\.key) == keys, "\(size)")
            #expect(found.filter(\.isPasted).map(\.key) == [.character("q")])
        }
        var decoder = ScreenKeyDecoder()
        #expect(decoder.decode([0x1B]).isEmpty && decoder.decode([]).map(\.key) == [.escape])
    }

    @Test func whatIsPastedIsNoCommand() throws {
        var session = try Self.session(Self.textedit)
        for character in String(repeating: "q s m f ", count: 1_250) {
            #expect(session.handle(.character(character), isPasted: true) == nil)
        }
        #expect(session.marks.isEmpty && session.prompt == nil && session.handle(.character("q")) == .quit)
    }
}
