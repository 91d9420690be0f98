import KeyModel

/// The names that files of a golden's folder have. A name that only resembles one of them is refused: the file would be
/// passed over, and with it what it asks for.
enum GoldenFileNames {
    private static let fixed = [
        "input.keys", "input.keyflight", "scene.yaml", "launch.txt", "budgets.txt", "findings.txt", "expected.txt",
    ]

    /// A folder with a file of this name is a golden, or was meant to be one. Scenes alone may be there to be shared.
    static func makesGolden(_ name: String) -> Bool {
        guard let meant = isKnown(name) ? name : resembled(by: name) else { return false }
        return meant != "scene.yaml" && !meant.hasSuffix(".profile")
    }

    static func isKnown(_ name: String) -> Bool {
        if name.hasSuffix(".new") { return isText(String(name.dropLast(4))) }
        if name.hasSuffix(".new.html") { return isText(String(name.dropLast(9))) }
        return fixed.contains(name) || isText(name) || name.hasSuffix(".profile")
    }

    /// `expected.txt` and `findings.txt`, or those of a profile, such as `expected.ios26.txt`.
    private static func isText(_ name: String) -> Bool {
        ["expected", "findings"].contains { stem in
            name == stem + ".txt" || profile(of: name, stem).map { !$0.isEmpty } == true
        }
    }

    /// The profile in the name of a text, such as `ios26` in `expected.ios26.txt`; `nil` where it has none.
    static func profile(of name: String, _ stem: String) -> String? {
        guard name.hasPrefix(stem + "."), name.hasSuffix(".txt"), name.count > stem.count + 5 else { return nil }
        return String(name.dropFirst(stem.count + 1).dropLast(4))
    }

    /// The known name that an unknown one was meant to be; `nil` for a file that has nothing to do with the golden.
    static func resembled(by name: String) -> String? {
        // What editors leave.
        guard !isKnown(name), !name.hasPrefix("."), !name.hasSuffix("~") else { return nil }
        if let near = EditDistance.nearest(to: name, among: fixed) { return near }
        let lower = name.lowercased()
        if lower.hasSuffix(".profile") { return String(name.dropLast(8)) + ".profile" }
        let end = lower.lastIndex(of: ".").map { String(lower[$0...]) } ?? ""
        guard ["", ".txt", ".text", ".yaml", ".yml", ".json", ".toml"].contains(end) else { return nil }
        let stems = ["expected": "expected.PROFILE.txt", "findings": "findings.PROFILE.txt", "budget": "budgets.txt"]
        return stems.first { lower.hasPrefix($0.key) || lower.contains("." + $0.key) }?.value
    }

    /// The known name that a file lost to an ending, as in `budgets.txt.bak`; `nil` where a file of that name is there.
    static func renamed(_ name: String, in names: [String]) -> String? {
        guard let end = name.lastIndex(where: { $0 == "." || $0 == "~" }) else { return nil }
        let known = String(name[..<end])
        return isKnown(known) && !known.contains(".new") && !names.contains(known) ? known : nil
    }
}

extension GoldenCase {
    /// The path is of a file as goldens have them.
    package static func isFile(_ path: String) -> Bool {
        path.split(separator: "/").last.map { GoldenFileNames.isKnown(String($0)) } ?? false
    }

    /// Refuses a folder in which something would be passed over.
    ///
    /// - Throws: where it, or a file of a known name in it, cannot be read; for a name that resembles a known one, for
    ///   findings and a profile without their text, and for two inputs.
    func checkFiles() throws(VerdictError) {
        let names = try TextFile.names(in: folder)
        if TextFile.isLink(folder), !names.contains(where: GoldenFileNames.makesGolden) {
            throw VerdictError(
                .notComparable, folder,
                reason: "is a link to a folder of goldens, which is not followed; name that one")
        }
        for name in names {
            if GoldenFileNames.isKnown(name) {
                try TextFile.check("\(folder)/\(name)")
            } else if let meant = GoldenFileNames.resembled(by: name) ?? GoldenFileNames.renamed(name, in: names) {
                throw VerdictError(.notComparable, "\(folder)/\(name)", "name", expected: meant, found: name)
            }
            let own = name.hasSuffix(".profile") ? String(name.dropLast(8)) : nil
            guard let profile = GoldenFileNames.profile(of: name, "findings") ?? own else { continue }
            // The scene may name it, and so may a Swift test that makes the responders.
            if own != nil {
                let scene = try TextFile.read("\(folder)/scene.yaml")
                if scene?.contains(name) ?? names.contains("input.keys") { continue }
            }
            let text = "expected.\(profile).txt"
            guard names.contains(text) || names.contains(text + ".new") else {
                throw VerdictError(
                    .notComparable, "\(folder)/\(name)", "text", expected: "\(text) beside it", found: "none")
            }
        }
        guard !names.contains("input.keys") || !names.contains("input.keyflight") else {
            throw VerdictError(
                .notComparable, folder, "input", expected: "input.keys or input.keyflight", found: "both")
        }
    }
}
