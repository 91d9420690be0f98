import Testing

@testable import RegressionGate

/// Which goldens a Swift file of tests names.
@Suite struct SwiftTokensTests {
    private func references(_ source: String) throws -> GoldenReferences {
        try GoldenTesting.withFolder { folder in
            try GoldenTesting.write(source, folder + "/A.swift")
            return try GoldenReferences(tests: folder)
        }
    }

    @Test(arguments: [
        "@Test(.golden(\"x\")) func a() {}", "@Test(.tags(.a), .golden(\"x\", GoldenTest(mode: .never))) func a() {}",
        "func a() { expectGolden(\"x\") }", "func testA() { XCTAssertGolden(\"x\", app) }",
        "@Test func b() { a() }; private func a() { expectGolden(\"x\") }",
        "@Test(arguments: [\"w\", \"x\"]) func a(name: String) { expectGolden(name) }",
        "let a = #\"a \"quote\" \"#; let b = \"x\"", "let a = \"\\(b + \"x\")\"", "/* a /* b */ c */ let b = \"x\"",
        "let a = /\"/\nlet b = \"x\"", "let a = \"\\\"\"; let b = \"x\"", "#if false\n#else\nlet a = \"x\"\n#endif",
        "@Test(.disabled(if: isSlow)) func a() { expectGolden(\"x\") }",
        "@Test(.disabled()) func a() { expectGolden(\"w\") }\n@Test func b() { expectGolden(\"x\") }",
        "func testA() throws { if b { throw XCTSkip() }; XCTAssertGolden(\"x\") }",
        "func testA() throws { XCTAssertGolden(\"x\"); throw XCTSkip() }",
        "func testA() { if false { } else { a(\"x\") } }",
        "@Test func a() { #expect(b.contains(/[^\"]+/)); expectGolden(\"x\") }", "let a = b / c; let d = \"x\" / e",
        "#if true\nlet a = \"x\"\n#else\n#endif", "#if A || true\nlet a = \"x\"\n#elseif B\n#endif",
        "@MainActor @Test(.golden(\"x\")) static func a() {}", "override func setUp() { XCTAssertGolden(\"x\") }",
    ])
    func codeThatRunsNamesIt(_ source: String) throws {
        #expect(try references(source).mention("x"))
    }

    @Test(arguments: [
        "// expectGolden(\"x\")", "let a = 1 // \"x\"", "/* expectGolden(\"x\") */", "/* a /* b */ \"x\" */",
        "#if false\nexpectGolden(\"x\")\n#endif", "#if false\n#if os(Linux)\n#endif\nexpectGolden(\"x\")\n#endif",
        "@Test(.disabled(\"later\"), .golden(\"x\")) func a() {}", "@Test(.golden(\"x\"), .disabled()) func a() {}",
        "@Test(.disabled()) func a() { if b { c() }; expectGolden(\"x\") }",
        "@Test(.enabled(if: false)) func a() { expectGolden(\"x\") }",
        "@Suite(.disabled(\"later\")) struct A { @Test func a() { expectGolden(\"x\") } }",
        "func testA() throws { throw XCTSkip(\"later\"); XCTAssertGolden(\"x\") }",
        "func testA() throws { try XCTSkipIf(true); XCTAssertGolden(\"x\") }",
        "#if !true\nlet a = \"x\"\n#endif", "#if true\n#else\nlet a = \"x\"\n#endif",
        "#if false && A\nlet a = \"x\"\n#endif", "#if A\n#elseif false\nlet a = \"x\"\n#endif",
        "@Test(.golden(\"x\"), .disabled(if: true)) func a() {}",
        "@Test(.golden(\"x\"), .enabled(if: !true)) func a() {}",
        "@Suite(.disabled()) struct A {}\nextension A { @Test(.golden(\"x\")) func a() {} }",
        "@available(*, unavailable) @Test(.golden(\"x\")) func a() {}",
        "@Test func a() { if false { expectGolden(\"x\") } }",
        "func testA() throws { let b = 1; throw XCTSkip(\"later\"); XCTAssertGolden(\"x\") }",
        "class A: XCTestCase { func disabled_testA() { XCTAssertGolden(\"x\") } }",
        "class A: XCTestCase { private func testA() { XCTAssertGolden(\"x\") } }",
        "class A { func setUpWithError() throws { throw XCTSkip() }\nfunc testA() { XCTAssertGolden(\"x\") } }",
        "@Test func b() {}; func a() { expectGolden(\"x\") }", "@Test func a() { return; expectGolden(\"x\") }",
        "@Test func a() { guard false else { return }; expectGolden(\"x\") }",
        "@Test(.golden(\"x\"), arguments: []) func a(b: Int) {}",
        "@Test func a() { print(\"x\") }", "@Test(\"x\") func a() {}", "@Test(.bug(\"x\")) func a() {}",
        "@Test func a() { withKnownIssue { expectGolden(\"x\") } }", "#if (false)\nexpectGolden(\"x\")\n#endif",
        "@Test func a() { withKnownIssue(\"later\") { expectGolden(\"x\") } }", "if (false) { expectGolden(\"x\") }",
        "func testA() { XCTExpectFailure(\"later\"); XCTAssertGolden(\"x\") }",
        "@Test func a() throws { try Test.cancel(); expectGolden(\"x\") }",
        "@Suite struct A { @Test func b() {}; func testA() { expectGolden(\"x\") } }",
        "class A: XCTestCase { static func testA() { XCTAssertGolden(\"x\") } }",
        "class A: XCTestCase { func testA(_ b: Int) { XCTAssertGolden(\"x\") } }",
        "let a = \"\"\"\n    expectGolden(\"x\")\n    \"\"\"", "let a = \"say \\\"x\\\" twice\"",
    ])
    func codeThatNeverRunsDoesNot(_ source: String) throws {
        #expect(try !references(source).mention("x"))
    }

    @Test func aNameOfAGoldenThatIsNotThereIsMissingAndOtherWordsAreNot() throws {
        try GoldenTesting.withFolder { folder in
            try GoldenTesting.write("press cmd+w\n", folder + "/Goldens/here/input.keys")
            try GoldenTesting.write("press cmd+w\n", folder + "/Tests/B/Goldens/there/input.keys")
            let source = """
                let word = "word"
                let last = "last"
                expectGolden("here"); XCTAssertGolden("gone"); expectGolden("gone", app); expectGolden(last)
                expectGolden("own", nil, GoldenTest(folder: "elsewhere")); expectGolden("a" + "b")
                @Test(arguments: ["here", "other"]) func each(_ golden: String) { expectGolden(golden) }
                expectGolden("under ios26")

                """
            try GoldenTesting.write(source, folder + "/Tests/A/A.swift")
            try GoldenTesting.write("@Test(.golden(\"there\")) func b() {}\n", folder + "/Tests/B/B.swift")
            try GoldenTesting.write("press cmd+w\n", folder + "/Goldens/under ios26/input.keys")
            try GoldenTesting.write("", folder + "/Goldens/under ios26/expected.ios26.txt")
            let tests = try GoldenReferences(tests: folder + "/Tests")
            let missing = tests.missing(in: [GoldenStore(folder + "/Goldens")])
            #expect(missing.map(\.name.name) == ["gone", "last", "other", "under ios26", "there"])
            #expect(missing.map(\.found?.folder) == [nil, nil, nil, nil, folder + "/Tests/B/Goldens/there"])
            var report = GateReport(comparisons: [])
            try report.compareNames([tests], ["/Goldens", "/Tests/B/Goldens"].map { GoldenStore(folder + $0) })
            let file = folder + "/Tests/A/A.swift"
            #expect(report.refusals.map(\.golden) == [file, "gone", "last", "other", "under ios26"])
            #expect(report.refusals[0].line.hasPrefix("expectGolden(…): expected the name of a golden in quotes"))
            #expect(report.refusals[4].line.hasSuffix("found expected.ios26.txt alone"))
            // One golden that is named by itself answers for no other.
            #expect(tests.missing(in: [GoldenStore(folder + "/Goldens/here")]).map(\.name.name) == ["there"])
        }
    }

    /// A golden that such a call compares may be gone, and no name says so.
    @Test(arguments: [
        "for name in names { expectGolden(name) }", "func check(_ name: String) { XCTAssertGolden(name, app) }",
        "expectGolden(Name.a.rawValue)", "@Test(.golden(\"a\\(b)\")) func a() {}",
        "@Test(arguments: Name.allCases) func a(name: Name) { expectGolden(name.rawValue) }",
        "@Test(arguments: [1, 2], [\"a\", \"b\"]) func a(i: Int, name: String) { expectGolden(name) }",
        "static let name = \"a\"; func a() { expectGolden(Self.name) }", "let a = make(); expectGolden(a)",
    ])
    func aNameThatIsNoTextIsNamed(_ source: String) throws {
        var report = GateReport(comparisons: [])
        try report.compareNames([try references(source)], [])
        #expect(report.refusals.map(\.line).allSatisfy { $0.contains("(…): expected the name of a golden in quotes") })
        #expect(report.refusals.count == 1, "\(source)")
        var counted = GateReport(comparisons: [])
        try counted.compareNames([try references(source)], [], allowsUnnamed: true)
        #expect(counted.refusals.isEmpty)
    }

    /// No call with a name, and a use by which any golden can be compared.
    @Test(arguments: [
        "[\"a\"].forEach(expectGolden)", "let eg = expectGolden; eg(\"a\", plan)", "`expectGolden`(name, plan)",
        "(expectGolden)(\"a\", plan)", "let check = expectGolden(_:_:_:fileID:filePath:line:column:)",
        "let eg = KeyflightTesting.XCTAssertGolden\neg(\"a\", plan)", "use(expectGolden as (String) -> Void)",
    ])
    func aUseThatIsNoCallIsNamed(_ source: String) throws {
        let file = try references(source)
        let name = source.contains("XCT") ? "XCTAssertGolden" : "expectGolden"
        #expect(file.unnamed.map(\.call) == [name], "\(source)")
    }

    /// The folder of `GoldenTest` is that of the golden, and a word is none.
    @Test(arguments: [
        ("replay(in: folder)", true), ("plan(folder: folder)", true), ("folder", true),
        ("plan(GoldenTest(folder: other))", true), ("nil, GoldenTest(folder: nil)", true),
        ("nil, GoldenTest(folder: folder, mode: .never)", false), ("nil, .init(folder: folder)", false),
        ("nil, KeyflightTesting.GoldenTest(folder: Self.folder)", false),
    ])
    func onlyTheFolderOfTheCallIsAnother(_ arguments: String, _ isMissing: Bool) throws {
        try GoldenTesting.withFolder { folder in
            try GoldenTesting.write("press cmd+w\n", folder + "/Goldens/here/input.keys")
            try GoldenTesting.write("expectGolden(\"gone\", \(arguments))\n", folder + "/Tests/A.swift")
            let missing = try GoldenReferences(tests: folder + "/Tests").missing(in: [GoldenStore(folder + "/Goldens")])
            #expect(missing.map(\.name.name) == (isMissing ? ["gone"] : []))
        }
    }

    @Test(arguments: [
        "for name in [\"x\", \"y\"] { expectGolden(name, app) }", "let text = try plan.golden(of: timeline)",
        "func expectGolden(_ name: String) {}", "let name = \"x\"; expectGolden(name)",
        "import func KeyflightTesting.expectGolden", "/// expectGolden\nlet a = \"expectGolden\"",
        "`expectGolden`(\"x\", app)", "@Test func `expectGolden is called`() { expectGolden(\"x\") }",
    ])
    func aNameWithOneMeaningIsKnown(_ source: String) throws {
        #expect(try references(source).unnamed.isEmpty)
    }

    /// A word is no comparison, and neither is one of a golden in another folder.
    @Test(arguments: [
        ("expectGolden(\"x\", app)", true), ("for name in [\"x\"] { XCTAssertGolden(name, app) }", true),
        ("func check(_ name: String) { expectGolden(name, app) }; @Test func a() { check(\"x\") }", true),
        ("expectGolden(\"x\", app, GoldenTest(folder: \"elsewhere\"))", true), ("let label = \"x\"", false),
        ("let words = [\"x\"]; expectGolden(\"y\", app)", false),
    ])
    func aSwiftGoldenIsComparedByATestThatCallsForIt(_ source: String, _ isCompared: Bool) throws {
        try GoldenTesting.withFolder { folder in
            try GoldenTesting.write("press cmd+w\n", folder + "/Goldens/x/input.keys")
            try GoldenTesting.write(source, folder + "/Tests/A.swift")
            let golden = GoldenCase(folder: folder + "/Goldens/x", store: folder + "/Goldens")
            #expect(try GoldenReferences(tests: folder + "/Tests").compare(golden) == isCompared)
            // One of another package's goldens is not meant.
            let other = GoldenCase(folder: folder + "/Other/x", store: folder + "/Other")
            try GoldenTesting.write("press cmd+w\n", folder + "/Other/x/input.keys")
            let isAnyones = source.contains("check") || source.contains("elsewhere")
            #expect(try GoldenReferences(tests: folder + "/Tests").compare(other) == isAnyones)
        }
    }
}
