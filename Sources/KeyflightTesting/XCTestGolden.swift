public import FlightReplay
import XCTest

/// The same as `expectGolden` for a test of XCTest.
public func XCTAssertGolden(
    _ name: String, _ plan: (any ReplayPlan)? = nil, _ test: GoldenTest = GoldenTest(),
    file: StaticString = #filePath, line: UInt = #line
) {
    guard let failure = test.run(name, plan: plan, file: "\(file)") else { return }
    XCTFail(failure.message, file: file, line: line)
}

/// The same as `expectNoOrphanGoldens` for a test of XCTest.
public func XCTAssertNoOrphanGoldens(
    _ test: GoldenTest = GoldenTest(), tests: String? = nil, file: StaticString = #filePath, line: UInt = #line
) {
    guard let message = test.orphans(tests: tests, file: "\(file)") else { return }
    XCTFail(message, file: file, line: line)
}
