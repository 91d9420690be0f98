import KeyLayout
import KeyModel
import Libc
import ResponderEngine
import Scenes
import Testing

/// Files of the repository.
enum RepositoryFiles {
    static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen("\(root)/\(path)", "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir("\(root)/\(folder)") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Every scene of the repository.
    static let scenes: [String] =
        names(in: "Traces/scenes").filter { $0.hasSuffix(".scene.yaml") }.map { "Traces/scenes/\($0)" }
        + ["Traces/scenes/gallery", "Traces/golden"].flatMap { folder in
            names(in: folder).map { "\(folder)/\($0)/scene.yaml" }.filter { !bytes($0).isEmpty }
        }
}

@Suite("The scenes of the repository")
struct BundledScenesTests {
    @Test("come alive, with their scripts", arguments: RepositoryFiles.scenes)
    func comeAlive(path: String) throws {
        let scene = try Scene(RepositoryFiles.bytes(path), file: path)
        let instance = try scene.instantiate(resources: SceneInstanceTests.resources)
        #expect(instance.engine.firstResponder?.id == scene.firstResponder)
        let keys = path.replacing("scene.yaml", with: "input.keys")
        let bytes = RepositoryFiles.bytes(keys)
        guard path.hasPrefix("Traces/golden"), !bytes.isEmpty else { return }
        let script = try KeyScript(bytes, file: keys)
        try scene.check(script)
        #expect(try !script.timeline(layout: Layout.named(scene.layout)) { try Layout.named($0) }.inputs.isEmpty)
    }

    @Test("the seed stories are there")
    func seeds() {
        #expect(RepositoryFiles.scenes.count > 60)
        let names = RepositoryFiles.names(in: "Traces/golden")
        for name in [
            "dialog-loses-first-responder", "dialog-first-responder-restored", "command-w-two-windows",
            "command-left-tab-or-back", "three-passes-uncached", "pdf-viewer",
        ] { #expect(names.contains(name)) }
    }

    @Test("the viewer's golden is the bundled viewer")
    func viewer() {
        #expect(
            RepositoryFiles.bytes("Traces/golden/pdf-viewer/scene.yaml")
                == RepositoryFiles.bytes("Traces/scenes/pdf-viewer.scene.yaml"))
    }
}
