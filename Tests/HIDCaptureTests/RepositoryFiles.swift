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
            return HostileCaptureTests.outcome(try Capture(FilePath(path)))
        } catch {
            return HostileCaptureTests.withoutLibpcapWords("error: \(error)")
        }
    }
}
