import Foundation
import Testing

@testable import KeyflightTesting

/// The golden of a live app as a test sees it. Scripts/real-apps has the app, and says what must come of it.
@Suite struct LiveAppGoldenTests {
    static let folder = ProcessInfo.processInfo.environment["KEYFLIGHT_LIVE_GOLDENS"]

    @Test(.enabled(if: folder != nil, "needs KEYFLIGHT_LIVE_GOLDENS, a folder of goldens"))
    func theAppDoesWhatItDid() {
        expectGolden("fixture", nil, GoldenTest(folder: Self.folder))
    }
}
