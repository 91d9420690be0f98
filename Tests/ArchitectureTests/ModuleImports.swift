/// The `import` lines of each module under `Sources/`.
enum ModuleImports {
    struct Line {
        var file: String
        var number: Int
        var module: String
    }

    static let lines: [String: [Line]] = {
        var found: [String: [Line]] = [:]
        for file in Repository.files(under: "Sources", ext: "swift") {
            let owner = String(file.split(separator: "/")[1])
            for (index, text) in Repository.lines(file).enumerated() {
                guard let module = imported(text) else { continue }
                found[owner, default: []].append(Line(file: file, number: index + 1, module: module))
            }
        }
        return found
    }()

    /// The modules of the package that have Swift files, in no particular order.
    static let modules = Set(
        Repository.files(under: "Sources", ext: "swift").map { String($0.split(separator: "/")[1]) })

    static func of(_ module: String) -> Set<String> { Set(lines[module, default: []].map(\.module)) }

    /// The module that a line imports: `import A`, `public import struct A.B`, `@testable import A`.
    private static func imported(_ line: Substring) -> String? {
        var words = line.split(separator: " ").map(String.init)
        let access = ["public", "package", "internal", "private", "fileprivate"]
        while let word = words.first, word.hasPrefix("@") || access.contains(word) {
            words.removeFirst()
        }
        guard words.first == "import", words.count >= 2 else { return nil }
        let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
        return name.split(separator: ".").first.map(String.init)
    }
}
