/// The specification's rules and sections, as the pages of the documentation state them, and who cites them.
enum Specification {
    struct Rule: Sendable {
        var id: String
        var title: String
        /// The heading's lines below; empty for a rule in a table.
        var lines: [Substring] = []
        var page: String

        var family: String {
            Specification.families.first { id.hasPrefix($0) && Int(id.dropFirst($0.count)) != nil } ?? ""
        }
        var number: Int { Int(id.dropFirst(family.count)) ?? 0 }
    }

    /// In the order of the table in `Tests/README.md`. Detectors (T-…) have tables of their own, which the traps test.
    static let families = [
        "DT-", "EV-", "KC-", "MM-", "MT-", "DS-", "FR-", "KK-", "HUD-", "TX-", "KB-", "G", "I18-", "I26-", "I27-",
        "HC-", "LA-", "T-",
    ]

    static let pages = Repository.files.filter { $0.contains(".docc/Rules/") && $0.hasSuffix(".md") }

    static let rules: [Rule] = pages.flatMap { page -> [Rule] in
        var rules: [Rule] = []
        var isOpen = false
        for line in Repository.lines(page) {
            if line.hasPrefix("#") {
                let words = line.split(separator: " ", maxSplits: 2)
                isOpen = words.count == 3 && isID(words[1])
                if isOpen { rules.append(Rule(id: String(words[1]), title: String(words[2]), page: page)) }
            } else if line.hasPrefix("| "), isID(line.dropFirst(2).prefix { $0 != " " }) {
                let cells = line.dropFirst(2).split(separator: " | ", maxSplits: 2)
                rules.append(Rule(id: String(cells[0]), title: String(cells[1]), page: page))
            } else if isOpen {
                rules[rules.count - 1].lines.append(line)
            }
        }
        return rules
    }

    static let ids = Set(rules.map(\.id))

    /// Document → the numbers of its sections.
    static let sections: [String: Set<Substring>] = pages.reduce(into: [:]) { sections, page in
        for line in Repository.lines(page) where line.hasPrefix("#") {
            guard let word = line.split(separator: " ").dropFirst().first, word.hasPrefix("§") else { continue }
            sections[document(of: page), default: []].insert(word.dropFirst())
        }
    }

    /// The document whose sections a file cites: captures and live applications have their own.
    static func document(of file: String) -> String {
        if file.contains("HIDCapture") || file.contains("CaptureImport") { return "captures" }
        return file.contains("AppAdapter") ? "live applications" : "behaviour"
    }

    static func isID(_ word: Substring) -> Bool {
        families.contains { family in
            let number = word.dropFirst(family.count)
            return word.hasPrefix(family) && !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    /// What one file cites: ids wherever they are, and sections behind the word `spec`.
    static func citations(in file: String) -> (ids: Set<String>, sections: Set<Substring>) {
        let bytes = Repository.bytes(file)
        var found: (ids: Set<String>, sections: Set<Substring>) = ([], [])
        for index in bytes.indices.dropFirst().dropLast() {
            if bytes[index] == UInt8(ascii: "-"), bytes[index + 1] &- 48 < 10, isWord(bytes[index - 1]) {
                let start = bytes[..<index].lastIndex { !isWord($0) }.map { $0 + 1 } ?? 0
                let end = bytes[(index + 1)...].firstIndex { $0 &- 48 > 9 } ?? bytes.endIndex
                let word = Substring(decoding: bytes[start..<end], as: UTF8.self)
                if start > 0, bytes[start - 1] != UInt8(ascii: "-"), isID(word) { found.ids.insert(String(word)) }
            } else if bytes[index] == 0xC2, bytes[index + 1] == 0xA7, isBehindSpec(bytes[..<index]) {
                let rest = bytes[(index + 2)...].prefix { $0 &- 48 < 10 || $0 == UInt8(ascii: ".") }
                let number = Substring(decoding: rest, as: UTF8.self)
                if !number.isEmpty { found.sections.insert(number.hasSuffix(".") ? number.dropLast() : number) }
            }
        }
        return found
    }

    private static func isWord(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 32) &- 97 < 26 }

    /// Only other citations are between the word and the place.
    private static func isBehindSpec(_ before: ArraySlice<UInt8>) -> Bool {
        let other = before.lastIndex { ($0 | 32) &- 97 < 26 && $0 >= 97 }
        guard let other, other >= 3 else { return false }
        return ["spec", "Spec"].contains(String(decoding: before[(other - 3)...other], as: UTF8.self))
    }
}
