import ResponderEngine

/// A rule of the specification, as the page of the documentation that states it has it. A page states a rule below the
/// heading `### EV-8 title`, its sources and parameters as list items, or in a row of a table that begins with `Id`.
struct SpecificationRule: Sendable {
    let id: String
    let title: String
    /// Paragraphs and list items in order; a label is empty where the text before goes on.
    private(set) var parts: [(label: String, text: String)] = []

    /// Every rule, page by page.
    static let all = pages.flatMap { rules(in: String(decoding: $0, as: UTF8.self)) }

    static func named(_ id: String) -> SpecificationRule? {
        let id = id.uppercased()
        return all.first { $0.id == id }
    }

    private static var pages: [[UInt8]] {
        [
            PackageResources.DataRules_md, PackageResources.DeliveryRules_md, PackageResources.CommandRules_md,
            PackageResources.MatchingRules_md, PackageResources.DispatchRules_md, PackageResources.ChainRules_md,
            PackageResources.OverlayRules_md, PackageResources.ComponentRules_md, PackageResources.TextRules_md,
            PackageResources.KeyBindingRules_md, PackageResources.TrapRules_md, PackageResources.VectorRules_md,
            PackageResources.RecentSystemRules_md, PackageResources.CaptureRules_md, PackageResources.LiveAppRules_md,
        ]
    }

    /// The parts as rows of a table: parameters one a row, each with its values.
    var rows: [(String, String)] {
        parts.flatMap { label, text -> [(String, String)] in
            guard label == "turned by" else { return [(label, text)] }
            return text.split(separator: ", ").enumerated().map { index, name in
                (index == 0 ? label : "", "\(name) = \(Profile.values(of: String(name)))")
            }
        }
    }

    private static func rules(in page: String) -> [SpecificationRule] {
        var rules: [SpecificationRule] = []
        var (isOpen, isContinued) = (false, false)
        var columns: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = line.hasPrefix("| ") ? SpecificationRule.cells(of: line) : []
            if line.hasPrefix("#") {
                let words = line.split(separator: " ", maxSplits: 2)
                isOpen = words.count == 3 && isID(words[1])
                if isOpen { rules.append(SpecificationRule(id: String(words[1]), title: plain(words[2]))) }
            } else if cells.first == "Id" {
                columns = cells
            } else if cells.count > 2, isID(cells[0]) {
                var rule = SpecificationRule(id: String(cells[0]), title: plain(cells[1]))
                for (column, cell) in zip(columns, cells).dropFirst(2) where !cell.isEmpty {
                    rule.parts.append((column.lowercased(), plain(cell)))
                }
                rules.append(rule)
            } else if isOpen {
                rules[rules.count - 1].add(line, cells, isContinued: isContinued)
            }
            isContinued = isOpen && !line.isEmpty && !line.hasPrefix("#") && cells.isEmpty
        }
        return rules
    }

    /// What the list items of a rule begin with.
    private static let labels = [
        "Documented", "Observed", "Measured", "Known", "Inferred", "Turned by", "Profiles", "Not yet modelled",
    ]

    private mutating func add(_ line: Substring, _ cells: [Substring], isContinued: Bool) {
        let (text, label) = (SpecificationRule.plain(line), parts.isEmpty ? "rule" : "")
        if line.isEmpty || line.hasPrefix("|-") { return }
        if !cells.isEmpty {
            parts.append((label, SpecificationRule.plain(cells.filter { !$0.isEmpty }.joined(separator: " · "))))
        } else if let label = SpecificationRule.labels.first(where: { line.hasPrefix("- \($0): ") }) {
            parts.append((label.lowercased(), String(text.dropFirst(label.count + 4))))
        } else if isContinued, !line.hasPrefix("- "), !parts.isEmpty {
            parts[parts.count - 1].text += " " + text
        } else {
            parts.append((label, text))
        }
    }

    /// Such as `EV-8`, `I26-2` or `G15`.
    private static func isID(_ word: Substring) -> Bool {
        let head = word.prefix { $0.isUppercase }
        let tail = word.split(separator: "-", omittingEmptySubsequences: false).last ?? ""
        return !head.isEmpty && (word.contains("-") || head == "G") && tail.drop { $0 == "G" }.allSatisfy(\.isNumber)
            && word.last?.isNumber == true
    }

    private static func cells(of row: Substring) -> [Substring] {
        row.split(separator: "|").map { cell in
            let cell = cell.drop { $0 == " " }
            return cell.prefix(cell.count - cell.reversed().prefix { $0 == " " }.count)
        }
    }

    /// Without the marks of Markdown.
    private static func plain(_ text: some StringProtocol) -> String {
        String(text).replacing("`", with: "").replacing("**", with: "")
    }
}
