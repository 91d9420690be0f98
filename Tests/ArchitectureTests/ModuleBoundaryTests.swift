import Foundation
import Testing

/// The design's module table, the manifest and the `import` lines must say the same. SwiftPM alone does not see
/// to that: it builds undeclared imports of anything in the transitive closure.
@Suite struct ModuleBoundaryTests {
    static let manifest = PackageManifest(Repository.text("Package.swift") ?? "")
    static let modules = ModuleTable.allowed.map(\.module)

    @Test func everyModuleStandsInTheTableAndInTheManifest() {
        #expect(ModuleImports.modules.subtracting(Self.modules).sorted() == [])
        let declared = Self.manifest.targets.filter { $0.kind == "target" || $0.kind == "executableTarget" }
            .map(\.name).filter { ModuleImports.modules.contains($0) }
        #expect(declared == Self.modules, "the manifest's order is the data's way through the modules")
    }

    @Test(arguments: ModuleTable.allowed.map(\.module))
    func importsStayWithinTheTable(_ module: String) {
        let allowed = ModuleTable.allowed.first { $0.module == module }.map(\.imports) ?? []
        let legal = allowed.union(ModuleTable.platform).union(ModuleTable.everywhere).union(["KeyModel", "Libc"])
        for line in ModuleImports.lines[module, default: []] where !legal.contains(line.module) {
            Issue.record("\(line.file): line \(line.number): \(module) may not import \(line.module)")
        }
    }

    @Test(arguments: ModuleTable.allowed.map(\.module))
    func theManifestDeclaresWhatIsImportedAndNoMore(_ module: String) {
        let imported = ModuleImports.of(module).subtracting(ModuleTable.platform)
            .subtracting(ModuleTable.testLibraries)
        let declared = Set(Self.manifest[module]?.dependencies ?? [])
        #expect(imported.subtracting(declared).sorted() == [], "\(module) imports what it does not declare")
        #expect(declared.subtracting(imported).sorted() == [], "\(module) declares what it does not import")
    }

    /// Foundation is a third of a program and of its start, and brings locales. `Scripts/install` links the parser of
    /// arguments without it.
    @Test(arguments: modules.filter { $0 != "KeyflightTesting" })
    func noFoundation(_ module: String) {
        let found = ModuleImports.lines[module, default: []].filter { $0.module.hasPrefix("Foundation") }
        #expect(found.map { "\($0.file):\($0.number)" } == [])
    }

    @Test func dependenciesHaveNoCycle() {
        var done: Set<String> = []
        var left = Self.modules
        while !left.isEmpty {
            let ready = left.filter { ModuleImports.of($0).intersection(Self.modules).isSubset(of: done) }
            guard !ready.isEmpty else {
                Issue.record("these modules import each other in a circle: \(left.joined(separator: " "))")
                return
            }
            done.formUnion(ready)
            left.removeAll { done.contains($0) }
        }
    }

    @Test func analysisNeverReachesTheEngine() {
        for module in ["LatencyAnalysis", "TraceReports"] {
            #expect(Self.closure(of: module).intersection(ModuleTable.engine).sorted() == [])
        }
        #expect(Self.closure(of: "ResponderEngine").contains("TraceFormat") == false)
    }

    @Test func everyModuleHasItsCommentLine() {
        for target in Self.manifest.targets where target.kind != "testTarget" {
            #expect(target.hasComment, "\(target.name) has no comment line above it in Package.swift")
        }
    }

    @Test func testTargetsDeclareOnlyWhatTheyImport() {
        for target in Self.manifest.targets where target.kind == "testTarget" {
            let imported = Set(Repository.files(under: "Tests/\(target.name)", ext: "swift").flatMap { file in
                Repository.lines(file).compactMap { $0.split(separator: " ").last.map(String.init) }
            })
            let unused = target.dependencies.filter { !imported.contains($0) }
            #expect(unused == [], "\(target.name) declares what it does not import")
        }
    }

    /// The graph of who imports whom is reviewed like any golden: `Scripts/accept-goldens` takes a changed one.
    @Test func theModuleGraphIsTheGolden() throws {
        let lines = Self.modules.map { module in
            let imports = ModuleImports.of(module).subtracting(ModuleTable.platform).sorted()
            return imports.isEmpty ? module : "\(module) -> \(imports.joined(separator: " "))"
        }
        let graph = lines.joined(separator: "\n") + "\n"
        print(graph)
        let path = "Traces/golden/module-graph.txt"
        let golden = Repository.text(path) ?? ""
        if graph != golden, ProcessInfo.processInfo.environment["CI"] == nil {
            try? graph.write(to: Repository.root.appending(path: path + ".new"), atomically: true, encoding: .utf8)
        }
        #expect(graph == golden, "the module graph changed; look at \(path).new, then run Scripts/accept-goldens")
    }

    private static func closure(of module: String) -> Set<String> {
        var found: Set<String> = []
        var left = [module]
        while let next = left.popLast() {
            for name in ModuleImports.of(next) where found.insert(name).inserted { left.append(name) }
        }
        return found
    }
}
