import Foundation
import Testing

@testable import keyflight

/// What tests of tables of many traces share: traces, archives, and rows read back.
enum FleetTesting {
    /// A trace of a scene with facts, masked.
    static func trace(_ script: String, facts: [String] = [], more: [String] = []) throws -> [UInt8] {
        try Files.withFolder { folder in
            try Files.write(Array(script.utf8), to: folder + "/input.keys")
            let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
            let arguments = ["replay", folder + "/input.keys", "--scene", scene, "-o", "-"] + more
            let run = CommandRun(arguments + facts.flatMap { ["--fact", $0] })
            #expect(run.status == 0, "\(run.notes)")
            return run.output
        }
    }

    /// The rows of a CSV, by the names of their columns. An empty cell is absent; `""` is not.
    static func rows(_ run: CommandRun) throws -> [[String: String]] {
        let cells = Self.cells(run.text)
        let names = try #require(cells.first).map { $0 ?? "" }
        return cells.dropFirst().map { row in
            #expect(row.count == names.count)
            let known = zip(names, row).compactMap { name, cell in cell.map { (name, $0) } }
            return Dictionary(uniqueKeysWithValues: known)
        }
    }

    private static func cells(_ text: String) -> [[String?]] {
        var (rows, row, cell): ([[String?]], [String?], String?) = ([], [], nil)
        var isQuoted = false
        var before: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { before = scalar }
            switch scalar {
            case "\"":
                if !isQuoted, before == "\"" { cell?.unicodeScalars.append(scalar) }
                if cell == nil { cell = "" }
                isQuoted.toggle()
            case "," where !isQuoted, "\r" where !isQuoted:
                row.append(cell)
                cell = nil
                if scalar == "\r" { (rows, row) = (rows + [row], []) }
            case "\n" where !isQuoted: break
            default: cell = (cell ?? "") + String(scalar)
            }
        }
        return rows
    }

    /// Numbers of a list `[1,2]`.
    static func numbers(_ cell: String?) -> [Int64] {
        (cell ?? "").dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
    }

    // MARK: Archives

    /// A tar of files: ustar, and before a name beyond its 100 bytes a pax header or GNU's record.
    static func tar(_ files: [(name: String, bytes: [UInt8])], isGNU: Bool = false) -> [UInt8] {
        var archive: [UInt8] = []
        for file in files {
            if file.name.utf8.count > 100 {
                let name = Array(file.name.utf8)
                if isGNU {
                    archive += entry("././@LongLink", name + [0], kind: "L")
                } else {
                    let field = " path=\(file.name)\n"
                    var length = field.utf8.count
                    while "\(length)".utf8.count + field.utf8.count != length {
                        length = "\(length)".utf8.count + field.utf8.count
                    }
                    archive += entry("pax", Array("\(length)\(field)".utf8), kind: "x")
                }
            }
            archive += entry(String(file.name.prefix(100)), file.bytes, kind: "0")
        }
        return archive + Array(repeating: 0, count: 1024)
    }

    static func entry(_ name: String, _ bytes: [UInt8], kind: Character, size: Int? = nil) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, _ place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: digits - text.count) + text
        }
        put(name, 0)
        put("0000644", 100)
        put(octal(size ?? bytes.count, 11), 124)
        put("        ", 148)
        put(String(kind), 156)
        put("ustar", 257)
        put("00", 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", 148)
        return header + bytes + Array(repeating: 0, count: (512 - bytes.count % 512) % 512)
    }
}

extension CommandRun {
    /// The records of a CSV without line ends in its cells; the first has the names.
    var records: [String] { text.components(separatedBy: "\r\n").dropLast() }
}
