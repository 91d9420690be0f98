import XCTest

/// Types the keys of typed.keys.
final class TypedKeys: XCTestCase {
    @MainActor
    func testKeys() {
        let app = XCUIApplication()
        app.launch()
        app.typeKey("n", modifierFlags: .command)
        app.typeKey("h", modifierFlags: [])
        app.typeKey("i", modifierFlags: [])
        app.typeKey(.return, modifierFlags: [])
        app.typeKey("w", modifierFlags: .command)
    }
}
