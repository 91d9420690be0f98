import Foundation
import ResponderEngine
import Testing

/// The pages of the specification that state rules, and the parameters that turn them.
@Suite struct ParameterTableTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        .standardizedFileURL

    private static func page(_ path: String) throws -> String {
        try String(contentsOf: sources.appending(path: path), encoding: .utf8)
    }

    private static let pages: [String] = ["ResponderEngine", "ResponderKit", "AppAdapter"].flatMap { module in
        let folder = "\(module)/\(module).docc/Rules"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.path + "/" + folder)) ?? []
        return names.filter { $0.hasSuffix(".md") }.compactMap { try? page(folder + "/" + $0) }
    }

    private static let names = Profile.parameterNames
        + (Profile.named("gnustep")?.parameters.map(\.name) ?? []).filter { !Profile.parameterNames.contains($0) }

    @Test func theTableOfParametersIsThatOfTheProfiles() throws {
        let page = try Self.page("ResponderEngine/ResponderEngine.docc/Rules/ProfileRules.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.map(String.init) == Self.names.map { "| `\($0)` | \(Profile.values(of: $0)) |" })
    }

    @Test(arguments: names) func everyParameterTurnsARule(_ name: String) {
        let lines = Self.pages.flatMap { $0.split(separator: "\n") }
        let isNamed = lines.contains { line in
            line.contains("`\(name)`") && (line.hasPrefix("- Turned by: ") || line.lowercased().contains("parameter"))
        }
        #expect(isNamed, "no rule is turned by \(name)")
    }

    @Test func everyRuleIsTurnedByParametersThatThereAre() {
        for line in Self.pages.flatMap({ $0.split(separator: "\n") }) where line.hasPrefix("- Turned by: ") {
            for name in line.dropFirst("- Turned by: ".count).split(separator: ", ") {
                #expect(Self.names.contains(name.filter { $0 != "`" }), "\(line)")
            }
        }
    }
}
