import CaptureImport
import Foundation
import KeyModel
import SystemPackage
import TestRequirements
import Testing
import TraceFormat

/// The whole way from captures of the folder that KEYFLIGHT_CORPUS names to records.
@Suite(.needsCorpus) struct CorpusImportTests {
    struct Expected: Decodable, CustomTestStringConvertible, Sendable {
        struct Stream: Decodable, Sendable { var usages: [UInt16] }
        var file: String
        var linktype: String
        var presses: Int?
        var key_events: Int?
        var streams: [Stream]?
        var testDescription: String { file }
    }

    static let folder = ProcessInfo.processInfo.environment["KEYFLIGHT_CORPUS"]

    static let expected: [Expected] = {
        guard let folder, let text = try? String(contentsOfFile: folder + "/expected.jsonl", encoding: .utf8) else {
            return []
        }
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Expected.self, from: Data($0.utf8)) }
            .filter { !["1", "220, 249"].contains($0.linktype) }
    }()

    private static func run(_ file: String, showsKeys: Bool) throws -> (ImportResult, [UInt8]) {
        var intake = CaptureImporter()
        intake.showsKeys = showsKeys
        var trace: [UInt8] = []
        let path = FilePath((folder ?? "") + "/" + file)
        return (try intake.run([.init(name: file, .file(path))]) { trace += $0 }, trace)
    }

    @Test("the list of captures is there, and most of them hold keys")
    func listed() {
        #expect(Self.expected.count { $0.presses ?? 0 > 0 } >= 20)
    }

    @Test("keys in clear are the known ones", arguments: expected)
    func shown(_ known: Expected) throws {
        let (result, trace) = try Self.run(known.file, showsKeys: true)
        guard known.presses ?? 0 > 0 else {
            guard case .noKeyboard(let nothing) = result else { return #expect(Bool(false)) }
            #expect(trace.isEmpty && !nothing.reason.isEmpty)
            return
        }
        var downs: [UInt16: [UInt16]] = [:]
        var (presses, keyEvents) = (0, 0)
        for (_, key) in try CaptureImporterTests.keys(trace) where !key.isSynthetic {
            keyEvents += 1
            guard key.phase == .down, let usage = key.key.usage else { continue }
            presses += 1
            if usage.isKeyboardPage { downs[key.device, default: []].append(usage.usage) }
        }
        #expect(presses == known.presses && keyEvents == known.key_events)
        let streams = (known.streams ?? []).map(\.usages).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(downs.values.sorted { $0.lexicographicallyPrecedes($1) } == streams)
    }

    @Test(
        "masked, the same events are there, and text keys only as classes",
        arguments: expected.filter { $0.presses ?? 0 > 0 })
    func masked(_ known: Expected) throws {
        let (_, trace) = try Self.run(known.file, showsKeys: false)
        let keys = try CaptureImporterTests.keys(trace)
        #expect(keys.count { !$0.key.isSynthetic } == known.key_events)
        for (_, key) in keys where key.phase == .down {
            guard let usage = key.key.usage, TextKeyClass(usage) != nil else { continue }
            #expect(!key.modifiers.isDisjoint(with: [.command, .control]), "\(usage.name) stands in clear")
        }
    }
}
