public import FlightReplay
public import Testing

/// Expects that a golden still gives the text that was accepted. Its folder holds `input.keys` or `input.keyflight`,
/// `scene.yaml` unless `plan` brings responders written in Swift or `launch.txt` names a live app, and `expected.txt`.
///
/// A difference is reported at its first press, with a count of the rest; a pending text is written beside the accepted
/// one if the mode allows it, and attached to the test.
public func expectGolden(
    _ name: String, _ plan: (any ReplayPlan)? = nil, _ test: GoldenTest = GoldenTest(), fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    guard let failure = test.run(name, plan: plan, file: filePath) else { return }
    // The macro that makes one fails as a default argument in a helper of a user's target on Linux.
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    for attachment in failure.attachments {
        Attachment.record(attachment.text, named: attachment.name, sourceLocation: location)
    }
    Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
}

/// Expects that every golden of the folder is named in quotes in a Swift file of the tests: those of which the test was
/// deleted, alone or with its file, are reported. `tests` is the folder of them; by default the nearest `Tests` above
/// the test's file.
public func expectNoOrphanGoldens(
    _ test: GoldenTest = GoldenTest(), tests: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
) {
    guard let message = test.orphans(tests: tests, file: filePath) else { return }
    Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Runs the test, then expects the golden of this name.
public struct GoldenTrait: TestTrait, TestScoping {
    var name: String
    var test: GoldenTest
    var location: (fileID: String, filePath: String, line: Int, column: Int)

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        expectGolden(
            name, nil, self.test, fileID: location.fileID, filePath: location.filePath, line: location.line,
            column: location.column)
    }
}

extension Trait where Self == GoldenTrait {
    /// `@Test(.golden("close-tab"))`
    public static func golden(
        _ name: String, _ test: GoldenTest = GoldenTest(), fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) -> GoldenTrait {
        GoldenTrait(name: name, test: test, location: (fileID, filePath, line, column))
    }
}
