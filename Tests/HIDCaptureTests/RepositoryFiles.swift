import Foundation
import HIDCapture
import SystemPackage

/// Files of this repository, found from where this source file stands.
enum RepositoryFiles {
    static let root = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))

    static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    static func bytes(of path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func capture(_ name: String) throws -> Capture {
        try Capture(bytes: bytes(of: root + "/Traces/captures/" + name))
    }

    static func outcome(ofFile path: String) -> String {
        do {
            let descriptor = try FileDescriptor.open(FilePath(path), .readOnly)
            defer { try? descriptor.close() }
            return HostileCaptureTests.outcome(try Capture(reading: descriptor))
        } catch {
            return HostileCaptureTests.withoutLibpcapWords("error: \(error)")
        }
    }
}
