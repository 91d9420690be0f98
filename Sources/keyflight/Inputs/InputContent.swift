import CaptureImport
import KeyModel
import Scenes
import SystemPackage
import TraceFormat

extension Input.Content {
    /// Bytes of a key script or a scene.
    private static let longestText = 1 << 24

    /// A trace and a capture have their magic; text that is neither is a key script. Traces and captures are read piece
    /// by piece, text in memory. `standardInput`: what is read without a path, as a capture.
    init(_ bytes: TraceBytes, path: String?, _ standardInput: CaptureImporter.Input) throws {
        let name = bytes.file ?? ""
        do {
            self = .trace(try TraceReader(bytes))
            return
        } catch where error.code == .unsupportedVersion {
            throw Failure(reading: error)
        } catch {
            // No trace: something else then.
        }
        if bytes.isTextFormat { throw Failure(textFormat: name) }
        let head = bytes.prefix(CaptureImporter.headBytes)
        if CaptureImporter.isCapture(head) {
            self = .capture(Self.capture(bytes, path, standardInput))
            return
        }
        let isScript = KeyScript.isDeclared(Array(head))
        if !isScript, let found = CaptureImporter.foreignWords(Array(head)) { throw Self.unknown(found, name) }
        guard !head.isEmpty, !Self.hasControls(head) else { throw Self.unknown(head, name) }
        guard bytes.count <= Self.longestText else {
            throw Failure(
                .unknownContent,
                "\(name): content: expected at most \(Self.longestText) bytes of a key script or a scene, "
                    + "found \(bytes.count)")
        }
        let text = bytes.withBytes { Array($0) }
        if KeyScript.isDeclared(text) {
            self = .script(text)
        } else if !Self.hasControls(text), String(validating: text, as: UTF8.self) != nil {
            let isScene = Self.beginsAsScene(text)
            guard isScene || KeyScript.mayBeOne(text) else {
                throw Self.unknown("text in which no line is a step of a script", name)
            }
            self = isScene ? .scene(text) : .script(text)
        } else {
            throw Self.unknown(text, name)
        }
    }

    /// A file is opened anew, from its start; what is in memory is taken from there.
    private static func capture(
        _ bytes: TraceBytes, _ path: String?, _ standardInput: CaptureImporter.Input
    ) -> CaptureImporter.Input {
        let name = bytes.file ?? ""
        var input = path.map { CaptureImporter.Input(name: name, .file(FilePath($0))) } ?? standardInput
        if !bytes.isInFile { input = CaptureImporter.Input(name: name, .bytes(bytes.withBytes { Array($0) })) }
        input.size = bytes.count
        return input
    }

    private static func unknown(_ head: [UInt8], _ name: String) -> Failure {
        let first = head.prefix(8).map { $0.hexadecimal(2) }.joined(separator: " ")
        return unknown(head.isEmpty ? "an empty file" : "bytes " + first, name)
    }

    private static func unknown(_ found: String, _ name: String) -> Failure {
        Failure(
            .unknownContent,
            "\(name): byte 0: content: expected a trace, a capture or a key script, found \(found)")
    }

    /// True for a scene: its first line that is no comment declares it.
    private static func beginsAsScene(_ bytes: [UInt8]) -> Bool {
        for line in bytes.split(separator: 0x0A) {
            let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            if words.isEmpty || words.first == UInt8(ascii: "#") || words.starts(with: Array("---".utf8)) { continue }
            return words.starts(with: Array("scene:".utf8))
        }
        return false
    }

    /// Control characters other than tabs and line ends.
    private static func hasControls(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
    }
}
