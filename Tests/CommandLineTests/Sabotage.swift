import Foundation
import GeneratedTraces

/// Something that is done to the files of a world between two gates.
enum Sabotage {
    /// Does one of many things to one file or folder, and returns it in words.
    static func apply(to world: SabotageWorld, in folder: String, _ random: inout SeededGenerator) throws -> String {
        if random.chance(25) { return try applyToFolder(world, folder, &random) }
        let file = random.pick(world.files.keys.sorted())
        let path = "\(folder)/\(file)"
        if random.chance(40) { return try applyToPath(path, file, folder, &random) }
        if file.hasSuffix(".keyflight"), random.chance(75) {
            return "\(try editRecords(of: path, &random)) \(file)"
        }
        let (name, bytes) = edited(Files.bytes(path), &random)
        try Files.write(bytes, to: path)
        return "\(name) \(file)"
    }

    // MARK: Paths

    private static func applyToPath(
        _ path: String, _ file: String, _ folder: String, _ random: inout SeededGenerator
    ) throws -> String {
        let manager = FileManager.default
        switch random.below(6) {
        case 0:
            try manager.removeItem(atPath: path)
            return "delete \(file)"
        case 1, 2:
            let other = renamed(file.split(separator: "/").last.map(String.init) ?? file, &random)
            let target = path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + other
            guard !manager.fileExists(atPath: target) else { return "nothing" }
            if random.chance(20) {
                try manager.copyItem(atPath: path, toPath: target)
                return "copy \(file) to \(other)"
            }
            try manager.moveItem(atPath: path, toPath: target)
            return "rename \(file) to \(other)"
        case 3:
            let mode = random.pick([0, 0o200, 0o444, 0o111])
            chmod(path, mode_t(mode))
            return "chmod \(String(mode, radix: 8)) \(file)"
        case 4:
            let target = random.pick([
                "gone", path, "/dev/null", "/dev/zero", folder, folder + "/Goldens/other/input.keys",
            ])
            try manager.removeItem(atPath: path)
            try Files.link(path, to: target)
            return "link \(file) to \(target)"
        default:
            try manager.removeItem(atPath: path)
            try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
            return "folder in place of \(file)"
        }
    }

    private static func renamed(_ name: String, _ random: inout SeededGenerator) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let (stem, end) = (String(name[..<dot]), String(name[dot...]))
        switch random.below(12) {
        case 0: return name.uppercased()
        case 1: return stem.prefix(1).uppercased() + stem.dropFirst() + end
        case 2: return stem + end.uppercased()
        case 3: return String(stem.dropLast()) + end
        case 4: return stem + "s" + end
        case 5: return stem + random.pick([".text", ".yml", ".md", ".json", ""])
        case 6: return name + random.pick([".bak", ".orig", "~", ".new", ".swp", " ", ".old"])
        case 7: return "." + name
        case 8: return stem + random.pick(["-2", " copy", "_old", ".ios15"]) + end
        case 9: return String(stem.reversed()) + end
        case 10: return "x" + name
        default:
            return random.pick([
                "input.keys", "input.keyflight", "scene.yaml", "budgets.txt", "findings.txt", "expected.txt",
                "launch.txt", "expected.ios26.txt",
            ])
        }
    }

    private static func applyToFolder(
        _ world: SabotageWorld, _ folder: String, _ random: inout SeededGenerator
    ) throws -> String {
        let manager = FileManager.default
        let folders = Set(world.files.keys.flatMap { file in
            let parts = file.split(separator: "/").dropLast()
            return (1...parts.count).map { parts.prefix($0).joined(separator: "/") }
        }).sorted()
        let name = random.pick(folders)
        let path = "\(folder)/\(name)"
        switch random.below(8) {
        case 0:
            try manager.removeItem(atPath: path)
            return "delete \(name)"
        case 1:
            let other = path + random.pick(["2", "-old", ".bak", " "])
            try manager.moveItem(atPath: path, toPath: other)
            return "rename \(name) to \(other)"
        case 2:
            let last = name.split(separator: "/").last.map(String.init) ?? name
            let other = path.dropLast(last.count) + random.pick([last.uppercased(), last.capitalized, "." + last])
            guard !manager.fileExists(atPath: String(other)) else { return "nothing" }
            try manager.moveItem(atPath: path, toPath: String(other))
            return "rename \(name) to \(other)"
        case 3:
            try manager.moveItem(atPath: path, toPath: folder + "/away")
            try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
            if random.chance(50) { try manager.moveItem(atPath: folder + "/away", toPath: path + "/deeper") }
            return "move what is in \(name)"
        case 4:
            try manager.removeItem(atPath: path)
            try Files.link(path, to: random.pick(["gone", ".", "/dev/null"]))
            return "link in place of \(name)"
        case 5:
            chmod(path, mode_t(random.pick([0, 0o200, 0o600])))
            return "chmod of \(name)"
        case 6:
            guard !name.contains("/subject") || !manager.fileExists(atPath: path + "-copy") else { return "nothing" }
            try manager.copyItem(atPath: path, toPath: path + "-copy")
            return "copy of \(name)"
        default:
            try manager.removeItem(atPath: path)
            try Files.write([], to: path)
            return "file in place of \(name)"
        }
    }

    // MARK: Records

    /// Edits the text form of a trace, so that no checksum finds it; a few times, since most edits leave no trace.
    private static func editRecords(of path: String, _ random: inout SeededGenerator) throws -> String {
        let lines = CommandRun("show", path).lines
        guard lines.count > 1 else { return "nothing in" }
        for _ in 0..<8 {
            var edited = lines
            let what = editLines(&edited, &random)
            let numbered = edited.enumerated().map { place, line in
                place == 0 ? line : "\(place - 1) " + line.drop { $0 != " " }.dropFirst()
            }
            let text = numbered.joined(separator: "\n") + "\n"
            let run = CommandRun(["assemble", "-", "-o", "-"], stdin: Array(text.utf8))
            guard run.status == 0 else { continue }
            try Files.write(run.output, to: path)
            return what
        }
        return "nothing in"
    }

    private static func editLines(_ lines: inout [String], _ random: inout SeededGenerator) -> String {
        // Most records are facts about the environment.
        let others = lines.indices.filter { $0 > 0 && !lines[$0].contains(" environment ") }
        let one = random.chance(80) && !others.isEmpty ? random.pick(others) : 1 + random.below(lines.count - 1)
        let (two, record) = (1 + random.below(lines.count - 1), lines[one])
        switch random.below(8) {
        case 0:
            lines.remove(at: one)
            return "delete “\(record)” of"
        case 1:
            lines.swapAt(one, two)
            return "exchange “\(record)” and “\(lines[one])” of"
        case 2:
            lines.insert(record, at: two)
            return "duplicate “\(record)” at \(two) of"
        case 3:
            lines.removeLast(lines.count - one)
            return "cut at “\(record)” of"
        case 4:
            let kinds = ["stage", "cache", "call", "receiver", "candidate", "resolution", "link", "stage stage=action"]
            let kind = random.pick(kinds)
            let words = kind.split(separator: " ")
            lines.removeAll { line in words.allSatisfy { line.contains(" \($0) ") } }
            return "delete each \(kind) of"
        case 5:
            let level = random.pick(["keys", "resolutions", "stages"])
            lines[0] = lines[0].replacing("level=calls", with: "level=\(level)")
            return "another level in"
        default:
            let isNumber = random.chance(60)
            let parts = isNumber
                ? record.matches(of: /[0-9]+/).dropFirst().map(\.range)
                : record.matches(of: /\ [a-z_]+=("[^"]*"|\{[^ ]*\}|[^ "{]+)/).map(\.range)
            guard !parts.isEmpty else { return "nothing in" }
            let part = random.pick(Array(parts))
            let new = isNumber ? random.pick(["0", "1", "\(record[part])0", "\(record[part])1"]) : ""
            lines[one].replaceSubrange(part, with: new)
            return "“\(new)” for “\(record[part])” in “\(record)” of"
        }
    }

    // MARK: Bytes

    private static func edited(_ bytes: [UInt8], _ random: inout SeededGenerator) -> (String, [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let (one, two) = (random.below(lines.count), random.below(lines.count))
        func joined() -> [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }
        switch random.below(14) {
        case 0: return ("empty", [])
        case 1: return ("cut", Array(bytes.prefix(random.below(bytes.count))))
        case 2:
            lines.removeLast(lines.count - one)
            return ("cut to line \(one) of", joined() + (random.chance(50) ? [UInt8(ascii: "\n")] : []))
        case 3:
            lines.insert(lines[one], at: two)
            return ("duplicate line \(one + 1) at \(two + 1) of", joined())
        case 4:
            lines.remove(at: one)
            return ("delete line \(one + 1) of", joined())
        case 5, 6:
            lines.swapAt(one, two)
            return ("exchange lines \(one + 1) and \(two + 1) of", joined())
        case 7:
            lines.reverse()
            return ("reverse", joined())
        case 8: return ("CR LF in", bytes.flatMap { $0 == UInt8(ascii: "\n") ? [13, 10] : [$0] })
        case 9: return ("byte order mark in", [0xEF, 0xBB, 0xBF] + bytes)
        case 10: return ("UTF-16 in", [0xFF, 0xFE] + bytes.flatMap { [$0, 0] })
        case 11:
            lines[one].insert(random.pick([0, 0xE9, 13, 32, 9, 0xC2]), at: random.below(lines[one].count + 1))
            return ("another byte in line \(one + 1) of", joined())
        case 12:
            lines[one].insert(contentsOf: random.pick([Array("#".utf8), Array("// ".utf8), Array("\"".utf8)]), at: 0)
            return ("comment out line \(one + 1) of", joined())
        default:
            var changed = bytes
            guard !changed.isEmpty else { return ("nothing in", bytes) }
            changed[random.below(changed.count)] ^= UInt8(1 << random.below(8))
            return ("flip a bit of", changed)
        }
    }
}
