import Foundation
import Testing

@testable import FlightRecorder

@Suite struct StoreReceiptTests {
    @Test func theReceiptOfAMacAppStandsInItsBundle() throws {
        let path = StoreReceipt.ofMacApp(executable: "/Applications/A B.app/Contents/MacOS/A B")
        #expect(path == "/Applications/A B.app/Contents/_MASReceipt/receipt")
        #expect(StoreReceipt.ofMacApp(executable: "/usr/local/bin/tool") == nil, "a program without a bundle")
        #expect(StoreReceipt.ofMacApp(executable: "tool") == nil)
    }

    @Test func theReceiptOfTheStoreIsToldFromThatOfTestFlight() throws {
        try withFolder { home in
            let folder = home + "/StoreKit"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: folder + "/sandboxReceipt"))
            #expect(!StoreReceipt.exists(StoreReceipt.ofContainer(home: home)))
            try Data().write(to: URL(filePath: folder + "/receipt"))
            #expect(StoreReceipt.exists(StoreReceipt.ofContainer(home: home)))
        }
    }

    @Test func programsOutsideTheStoreRecord() { #expect(!StoreReceipt.isThere) }

    @Test func thePrivacyManifestSaysThatNothingIsCollected() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/FlightRecorder/PrivacyInfo.xcprivacy")
        let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        let manifest = try #require(plist as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        let types = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String } == [
            "NSPrivacyAccessedAPICategoryFileTimestamp", "NSPrivacyAccessedAPICategorySystemBootTime",
        ])
    }
}
