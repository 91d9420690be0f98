/// The targets of `Package.swift`, read from its text: what a person reviewing it sees is what is checked.
struct PackageManifest {
    struct Target {
        var kind: String
        var name: String
        /// Names as written: `"KeyModel"`, or the name of a constant such as `yaml`.
        var dependencies: [String]
        /// A comment line right above the target, or above the system library and C targets it stands with.
        var hasComment: Bool
    }

    var targets: [Target] = []
    /// Packages by the last part of their URL, and system libraries by the name that pkg-config has for them,
    /// without a version.
    var dependencies: [String] = []

    /// The module behind a constant of the manifest, such as `yaml` for `CYAML`.
    static let products = [
        "arguments": "ArgumentParser", "yaml": "CYAML", "system": "SystemPackage", "atomics": "Atomics",
    ]

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
        dependencies = lines.compactMap { line in
            PackageManifest.between(line, ".package(url: \"", "\"")?.split(separator: "/").last.map(String.init)
                ?? PackageManifest.between(line, "pkgConfig: \"", "\"")?.split(separator: "-").first.map(String.init)
        }
        guard let start = lines.lastIndex(of: "targets: [") else { return }
        var isCommented = false
        var index = start + 1
        while index < lines.count {
            let line = lines[index]
            if line.isEmpty { isCommented = false }
            if line.hasPrefix("//") { isCommented = true }
            if let kind = PackageManifest.kind(line) {
                // A target is its lines up to the one that closes its parentheses.
                var call = line
                while PackageManifest.depth(call) > 0, index + 1 < lines.count {
                    index += 1
                    call += " " + lines[index]
                }
                targets.append(PackageManifest.target(kind, call, isCommented))
            }
            index += 1
        }
    }

    subscript(_ name: String) -> Target? { targets.first { $0.name == name } }

    private static func kind(_ line: String) -> String? {
        let kinds = ["systemLibrary", "target", "executableTarget", "testTarget"]
        return kinds.first { line.hasPrefix(".\($0)(") }
    }

    private static func depth(_ text: String) -> Int {
        text.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    }

    private static func target(_ kind: String, _ call: String, _ hasComment: Bool) -> Target {
        let name = between(call, "name: \"", "\"") ?? ""
        let list = between(call, "dependencies: [", "]") ?? ""
        let dependencies = list.split(separator: ",").map(trimmed).filter { !$0.isEmpty }.map { word in
            products[word] ?? word.filter { $0 != "\"" }
        }
        return Target(kind: kind, name: name, dependencies: dependencies, hasComment: hasComment)
    }

    private static func between(_ text: String, _ start: String, _ end: String) -> String? {
        guard let from = text.firstRange(of: start)?.upperBound,
            let to = text[from...].firstRange(of: end)?.lowerBound
        else { return nil }
        return String(text[from..<to])
    }
}

func trimmed(_ text: some StringProtocol) -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = text.firstIndex(where: { !blank($0) }), let last = text.lastIndex(where: { !blank($0) }) else {
        return ""
    }
    return String(text[first...last])
}
