import KeyflightTesting
import Testing

@Suite struct CloseTabTests {
    @Test(.golden("close-tab")) func closeTab() {}
    @Test func noGoldenIsForgotten() { expectNoOrphanGoldens() }
}
