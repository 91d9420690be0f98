import ArgumentParser
import TraceReports

/// A section of a page of help texts, which is Markdown: a heading `## NAME: SUMMARY`, and lines that are printed as
/// they stand, but for code, which is indented, and tables.
struct HelpSection: Sendable {
    let name: String
    let summary: String
    private let lines: [ArraySlice<UInt8>]

    /// The sections of a page, without what stands before the first heading.
    static func all(of page: [UInt8]) -> [HelpSection] {
        let lines = page.split(separator: 0x0A, omittingEmptySubsequences: false)
        let headings = lines.indices.filter { lines[$0].starts(with: "## ".utf8) }
        return zip(headings, headings.dropFirst() + [lines.count]).map { heading, end in
            HelpSection(heading: lines[heading].dropFirst(3), lines[(heading + 1)..<end])
        }
    }

    private init(heading: ArraySlice<UInt8>, _ lines: ArraySlice<ArraySlice<UInt8>>) {
        let words = String(decoding: heading, as: UTF8.self).split(separator: ": ", maxSplits: 1)
        name = String(words[0])
        summary = words.count > 1 ? String(words[1]) : ""
        let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? lines.startIndex
        self.lines = Array(lines[..<end].drop(while: \.isEmpty))
    }

    /// The text below the heading. `computed`: the table for a line that is a name in braces.
    func text(_ style: ReportStyle = .plain, computed: (String) -> String = { "{\($0)}\n" }) -> String {
        var text = ""
        var rows: [(String, String)] = []
        var isCode = false
        for bytes in lines {
            let line = String(decoding: bytes, as: UTF8.self)
            if line.hasPrefix("|"), !isCode {
                let cells = line.split(separator: "|").map { $0.drop { $0 == " " }.dropLast() }
                // The first row has no titles, the second is the line below them.
                if cells[0] != "", cells[0] != "---" {
                    rows.append((String(cells[0]), cells.dropFirst().joined(separator: " · ")))
                }
                continue
            }
            text += HelpSection.table(rows, style)
            rows = []
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                text += line.isEmpty ? "\n" : "  \(line)\n"
            } else if line.hasPrefix("{"), line.hasSuffix("}") {
                text += computed(String(line.dropFirst().dropLast()))
            } else {
                text += line + "\n"
            }
        }
        return text + HelpSection.table(rows, style)
    }

    /// Names and what they mean, without titles.
    static func table(_ rows: [(String, String)], _ style: ReportStyle) -> String {
        guard !rows.isEmpty else { return "" }
        var table = TextTable([.init(title: ""), .init(title: "", fit: .wrap)])
        for row in rows { table.add([.init(row.0), .init(row.1)]) }
        return table.rendered(style)
    }
}

extension CommandConfiguration {
    private static let texts = Dictionary(
        uniqueKeysWithValues: HelpSection.all(of: PackageResources.Verbs_md).map { ($0.name, $0) })

    /// The program or a verb of it, with its texts from `Verbs.md`.
    init(verb name: String, version: String = "", subcommands: [any ParsableCommand.Type] = []) {
        let section = CommandConfiguration.texts[name]
        var text = section?.text().dropLast() ?? ""
        // Every start makes all verbs: to look for the name in each text took a fifth of it.
        if ["keyflight", "help"].contains(name) { text = text.replacing("{topics}", with: HelpTopic.list) }
        self.init(
            commandName: name, abstract: section?.summary ?? "", discussion: String(text), version: version,
            subcommands: subcommands)
    }
}
