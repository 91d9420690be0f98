import Foundation
import Testing

@testable import keyflight

/// `export` of what became of each press.
@Suite struct ExportTimelinesTests {
    static let viewer = [
        Files.path("Traces/golden/pdf-viewer/input.keys"), "--scene", Files.path("Traces/golden/pdf-viewer/scene.yaml"),
    ]

    static func story(_ name: String) -> [String] {
        let folder = Files.path("Traces/golden/\(name)")
        return [folder + "/input.keys", "--scene", folder + "/scene.yaml"]
    }

    @Test(arguments: ["chrome", "speedscope", "folded"])
    func `text forms of a replay are the golden`(_ format: String) {
        let run = CommandRun(["export", "--format", format, "-o", "-"] + Self.story("three-passes-uncached"))
        #expect(run.status == 0, "\(run.notes)")
        let name = format == "folded" ? format : format + ".json"
        GoldenFile.expect(run.withoutFolders, "reports/export-three-passes.\(name)")
    }

    @Test func `Perfetto's form goes to a file, and replaces none`() throws {
        try Files.withFolder { folder in
            let file = "\(folder)/trace.perfetto"
            let run = CommandRun(["export", "--format", "perfetto", "-o", file] + Self.viewer)
            #expect(run.status == 0 && run.text == "", "\(run.notes)")
            // The first packet is a field of 1 with a length.
            #expect(Files.bytes(file).first == 0x0A)
            #expect(CommandRun(["export", "--format", "perfetto", "-o", file] + Self.viewer).status != 0)
            #expect(CommandRun(["export", "--force", "--format", "perfetto", "-o", file] + Self.viewer).status == 0)
        }
    }

    @Test func `a trace with resolutions needs no scene, one with keys alone does`() throws {
        try Files.withFolder { folder in
            let (trace, keys) = ("\(folder)/t.keyflight", "\(folder)/k.keyflight")
            #expect(CommandRun(["replay", "--show-keys", "-o", trace] + Self.viewer).status == 0)
            let replayed = CommandRun(["export", "--format", "chrome", "-o", "-"] + Self.viewer)
            let read = CommandRun("export", "--format", "chrome", "-o", "-", trace)
            #expect(read.status == 0, "\(read.notes)")
            // But for the name of the input.
            #expect(read.lines.dropFirst(2) == replayed.lines.dropFirst(2))
            let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
            #expect(CommandRun("import", capture, "-o", keys).status == 0)
            let run = CommandRun("export", "--format", "folded", "-o", "-", keys)
            #expect(run.status == 64 && run.notes.contains("--scene"), "\(run.notes)")
        }
    }
}
