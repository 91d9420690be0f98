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
        "@Test func a() { print(\"x\") }", "@Test(\"x\") func a() {}", "@Test(.bug(\"x\")) func a() {}",
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
            #expect(report.refusals.map(\.golden) == ["gone", "last", "other", "under ios26"])
            #expect(report.refusals[3].line.hasSuffix("found expected.ios26.txt alone"))
            // One golden that is named by itself answers for no other.
            #expect(tests.missing(in: [GoldenStore(folder + "/Goldens/here")]).map(\.name.name) == ["there"])
        }
    }
}
