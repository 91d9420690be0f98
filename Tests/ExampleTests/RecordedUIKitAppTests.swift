import KeyflightRecorder
import KeyflightUIKit
import Testing

/// What can be tested where there is no UIKit; `Scripts/real-apps uikit` records an app.
@Suite struct RecordedUIKitAppTests {
    @Test @MainActor func aProcessWithoutUIKitIsNotRecorded() throws {
        let recording = KeyRecording()
        recording.start()
        #expect(recording.flight == nil)
        #expect(recording.notice == "\(KeyflightUIKitError.noUIKit)")
        let path = "/nonexistent/never.keyflight"
        let error = #expect(throws: KeyflightUIKitError.self) {
            try KeyflightUIKit.start(RecorderOptions(.file(path)))
        }
        // Before the destination is touched.
        #expect(error == .noUIKit)
        #expect("\(try #require(error))".contains("no class UIApplication"))
    }

    @Test func tracesAreInTheFolderThatFilesShows() {
        let path = KeyflightUIKit.newTracePath()
        let name = path.split(separator: "/").last ?? ""
        #expect(path.contains("/Documents/"))
        #expect(name.hasPrefix("keyflight-") && name.hasSuffix(".keyflight"))
        #expect(name.dropFirst("keyflight-".count).prefix(15).allSatisfy { $0.isNumber || $0 == "-" })
    }
}
