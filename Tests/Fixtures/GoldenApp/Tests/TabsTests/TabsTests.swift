import KeyflightTesting
import Testing
import XCTest

private var app: AppReplay {
    AppReplay("tabs") { profile, layout in
        let tabs = TabsController(id: "tabs")
        let engine = KeyboardEngine(
            rootViewController: tabs, profile: profile ?? Profile(), layout: try layout ?? Layout.named("us"))
        tabs.becomeFirstResponder()
        return AppReplay.App(engine, responders: [tabs])
    }
}

@Suite struct TabsTests {
    @Test func tabsInSwift() { expectGolden("tabs-in-swift", app) }
}

final class TabsXCTests: XCTestCase {
    func testTabsInSwift() { XCTAssertGolden("tabs-in-swift", app) }
}
