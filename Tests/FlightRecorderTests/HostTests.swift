import FlightRecorder
import Foundation
import TestRequirements
import Testing

/// Programs with the recorder in them, run as processes of their own.
@Suite struct HostTests {
    /// The folder of built programs, which is that of the running tests.
    static let products: URL? = {
        var folder = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        for _ in 0..<4 {
            if FileManager.default.isExecutableFile(atPath: folder.appending(path: "InstrumentedHost").path) {
                return folder
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// `nil` when the program cannot be run at all.
    private static func run(
        _ program: String, _ arguments: [String], input: String? = nil
    ) throws -> (status: Int32, output: String)? {
        let process = Process()
        if let input { process.standardInput = FileHandle(forReadingAtPath: input) }
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test func theHostsRecordingShowsItsStagesCallsAndCache() throws {
        let host = try #require(Self.products).appending(path: "InstrumentedHost").path
        try withFolder { folder in
            let path = folder + "/host.keyflight"
            let (status, output) = try #require(try Self.run(host, ["stages", path, "1"]))
            #expect(status == 0)
            let (recording, report) = try Recording.read(try TraceFile.read(path))
            #expect(report.complete)
            let stages = recording.stages.filter { $0.stage != .inputDelay }
            let own = output.split(separator: "\n").map { $0.split(separator: "\t") }
            #expect(stages.map { "\($0.at.press) \($0.stage.name)" } == own.map { "\($0[0]) \($0[1])" })
            for (stage, line) in zip(stages, own) {
                // The host's own readings stand around the recorder's, which counts cycles and knows their length well.
                #expect(stage.duration.nanoseconds <= (Int64(line[2]) ?? 0) + 1_000)
                #expect(stage.duration.nanoseconds >= 999_000)
            }
            let lists = recording.calls.filter { $0.kind == .keyCommands }
            func calls(_ id: String) -> Int { lists.count { recording.definitions[$0.responder]?.id == id } }
            #expect(calls("tabs") == 12, "three passes for each of four presses")
            #expect(calls("editor") == 1, "it keeps its list")
            #expect(recording.stages.count { $0.stage == .inputDelay && $0.at.press > 0 } == 4)
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            #expect(!text.contains("Secret"), "titles are private")
        }
    }

    /// What is typed into the programs of this test, a usage each.
    private static let canary: [UInt8] = [
        0x1D, 0x04, 0x17, 0x09, 0x12, 0x0B, 0x1A, 0x05, 0x0F, 0x15, 0x08, 0x11, 0x06, 0x19, 0x0D, 0x14,
    ]

    #if os(Linux)
    @Test(arguments: [("masked", 0), ("secure", 0), ("clear", 1)] as [(String, Int32)])
    func theMemoryOfAProgramHoldsNothingOfWhatWasMasked(_ mode: String, _ isFound: Int32) throws {
        let host = try #require(Self.products).appending(path: "InstrumentedHost").path
        try withFolder { folder in
            let input = folder + "/canary"
            try Data(Self.canary).write(to: URL(filePath: input))
            let (trace, image) = (folder + "/trace", folder + "/image")
            let typed = try #require(try Self.run(host, ["canary", trace, mode, image], input: input))
            #expect(typed.status == 0, "\(typed.output)")
            // The third program shows keys, so that the search is known to find what is there.
            for file in [image, trace] {
                let searched = try #require(try Self.run(host, ["search", file], input: input))
                #expect(searched.status == isFound, "\(file): \(searched.output)")
            }
        }
    }
    #endif

    @Test func aProcessThatIsForkedWhileItRecordsBeginsWithoutARecording() throws {
        let host = try #require(Self.products).appending(path: "InstrumentedHost").path
        try withFolder { folder in
            let path = folder + "/fork.keyflight"
            let (status, output) = try #require(try Self.run(host, ["fork", path]))
            #expect(status == 0)
            let rounds = try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)))
            let (recording, report) = try Recording.read(try TraceFile.read(path))
            #expect(report.complete)
            #expect(recording.losses.isEmpty)
            #expect(recording.keys.count == 2 * rounds, "what the parent recorded, and nothing of the others")
        }
    }

    @Test func whatDoesNotFitIsCutBackToWholeBlocks() throws {
        let host = try #require(Self.products).appending(path: "InstrumentedHost").path
        try withFolder { folder in
            let path = folder + "/full.keyflight"
            // A limit of 64 KiB on files stands in for a full disk: the last write that begins below it is short.
            let shell = "trap '' XFSZ; ulimit -f 64; exec \"$0\" fill \"$1\""
            let (status, output) = try #require(try Self.run("/bin/bash", ["-c", shell, host, path]))
            #expect(status == 0)
            #expect(output.contains("room for"))
            let bytes = try TraceFile.read(path)
            let (recording, report) = try Recording.read(bytes)
            #expect(report.damages.map(\.reason) == [ReadingReport.noEndMarker])
            #expect(report.damages.first?.offset == UInt64(bytes.count), "nothing is torn")
            #expect(bytes.count <= 65_536 && recording.keys.count > 1_000)
        }
    }

    @Test func aProgramWithoutASpareDescriptorIsRecordedAndNotKeptBusy() throws {
        let host = try #require(Self.products).appending(path: "InstrumentedHost").path
        let (status, output) = try #require(try Self.run(host, ["pipeless", "600"]))
        #expect(status == 0)
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(numbers.first == 10)
        #expect(numbers.last.map { $0 < 50 } == true, "percent of the time: \(output)")
    }

    @Sendable private static func hasLibrary() -> Bool {
        let library = products?.appending(path: "libKeyflightRecorderC.so").path
        return library.map { FileManager.default.fileExists(atPath: $0) } ?? false
    }

    /// A program in C with the recorder in it, built into the folder.
    private static func cProgram(_ name: String, in folder: String) throws -> String {
        let products = try #require(Self.products)
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let program = folder + "/" + name
        let built = try #require(try Self.run("/usr/bin/env", [
            "cc", "-Wall", "-Werror", root.appending(path: "Tests/Fixtures/RecorderFromC/\(name).c").path,
            "-I", root.appending(path: "Sources/CKeyflightRecorder/include").path, "-o", program,
            "-L", products.path, "-lKeyflightRecorderC", "-Wl,-rpath,\(products.path)",
        ]))
        try #require(built.status == 0)
        return program
    }

    @Test(.needs("cc"), .needs("libKeyflightRecorderC.so beside the tests", hasLibrary))
    func aCProgramIsToldWhatWentWrong() throws {
        try withFolder { folder in
            let program = try Self.cProgram("edges", in: folder)
            #expect(try Self.run(program, [folder])?.status == 0, "it says above what it expected")
            func recording(_ name: String) throws -> Recording {
                try Recording.read(try TraceFile.read("\(folder)/\(name).keyflight")).recording
            }
            let missing = try recording("missing")
            #expect(missing.keys.map(\.isSynthetic) == [false, false, true])
            #expect(missing.marks.isEmpty && missing.resolutions.isEmpty)
            let counts = missing.calls.map { call -> Int? in
                if case .commands(let list) = call.answer { missing.definitions[list]?.count } else { nil }
            }
            #expect(counts == [0, nil, nil, 0, 1])
            #expect(try recording("unbounded").keys.count == 6)
            #expect(try recording("up").keys.count == 2)
            #expect(try recording("full").keys.count > 1_000)
            #expect(try recording("parent").keys.count == 4 && recording("child").keys.count == 4)
            let masked = try recording("masked")
            #expect(masked.resolutions.map(\.text) == [nil])
            let bytes = try Data(contentsOf: URL(filePath: folder + "/masked.keyflight"))
            #expect(bytes.range(of: Data("canary".utf8)) == nil)
            let clear = try recording("clear")
            #expect(clear.resolutions.first?.text.flatMap { clear.definitions[$0] } == "canary")
            let tables = clear.records.compactMap { record -> String? in
                guard case .layout(let layout) = record.body else { return nil }
                return layout.table.flatMap { clear.definitions[$0] }
            }
            #expect(tables == ["layout de\nkey 04 caps U+0061 U+0041 - -\n"])
        }
    }

    @Test(.needs("cc"), .needs("libKeyflightRecorderC.so beside the tests", hasLibrary))
    func aCProgramRecordsWithTheSameCalls() throws {
        try withFolder { folder in
            let program = try Self.cProgram("host", in: folder)
            let path = folder + "/c.keyflight"
            #expect(try Self.run(program, [path])?.status == 0)
            let (recording, report) = try Recording.read(try TraceFile.read(path))
            #expect(report.complete)
            #expect(recording.keys.map(\.press) == [nil, 1, 1, nil])
            #expect(recording.stages.map(\.stage) == [.collect, .validate, .settle])
            #expect(recording.calls.map(\.pass) == [1, 2, 3, 0])
            #expect(recording.marks == ["done"])
            let gaps = recording.losses.filter { $0.record.duration != nil }
            #expect(gaps.map(\.record.cause) == [.paused, .secureEntry])
            #expect(recording.definitions.commands.map(\.title) == [nil, "New Tab"])
            let states = try String(contentsOf: URL(filePath: path + ".states"), encoding: .utf8)
            #expect(states == "recording\npaused\nrecording\nsecure entry\nrecording\nstopped\n")
            #expect(recording.records.compactMap(\.body.kind).contains(.layout))
            #expect(recording.records.count { $0.body.kind == .candidate } == 1)
            #expect(recording.records.count { $0.body.kind == .cache } == 1)
            #expect(recording.records.count { $0.body.kind == .gesture } == 1)
            #expect(recording.records.count { $0.body.kind == .keyboardFrame } == 1)
            #expect(recording.records.count { $0.body.kind == .effect } == 1)
            #expect(recording.records.count { $0.body.kind == .receiver } == 1)
            let resolution = try #require(recording.resolutions.first)
            #expect(resolution.target.flatMap { recording.definitions[$0] }?.id == "tabs")
            #expect(resolution.state == 7)
            #expect(resolution.start.flatMap { recording.definitions[$0] }?.id == "editor")
            #expect(resolution.command.flatMap { recording.definitions[$0] }?.action == "closeTab:")
        }
    }
}
