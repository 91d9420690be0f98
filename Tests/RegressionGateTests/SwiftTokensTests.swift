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
        "@Test(arguments: [\"w\", \"x\"]) func a(name: String) { expectGolden(name) }",
        "let a = #\"a \"quote\" \"#; let b = \"x\"", "let a = \"\\(b + \"x\")\"", "/* a /* b */ c */ let b = \"x\"",
        "let a = /\"/\nlet b = \"x\"", "let a = \"\\\"\"; let b = \"x\"", "#if false\n#else\nlet a = \"x\"\n#endif",
        "@Test(.disabled(if: isSlow)) func a() { expectGolden(\"x\") }",
        "@Test(.disabled()) func a() { expectGolden(\"w\") }\n@Test func b() { expectGolden(\"x\") }",
        "func a() throws { if b { throw XCTSkip() }; XCTAssertGolden(\"x\") }",
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
                expectGolden("here"); XCTAssertGolden("gone"); expectGolden("gone", app)
                expectGolden("own", nil, GoldenTest(folder: "elsewhere")); expectGolden("a" + "b")

                """
            try GoldenTesting.write(source, folder + "/Tests/A/A.swift")
            try GoldenTesting.write("@Test(.golden(\"there\")) func b() {}\n", folder + "/Tests/B/B.swift")
            let missing = try GoldenReferences(tests: folder + "/Tests").missing(in: [GoldenStore(folder + "/Goldens")])
            #expect(missing == [.init(name: "gone", file: folder + "/Tests/A/A.swift")])
        }
    }
}
