import Foundation
import Testing

@testable import keyflight

/// `keyflight help SCHEMA`: its rows are the fields that the program writes, with their types.
@Suite struct SchemaTests {
    private enum JSON: Decodable {
        case null, bool, int, number, text
        case list([JSON])
        case object([String: JSON])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() { self = .null
            } else if (try? value.decode(Bool.self)) != nil { self = .bool
            } else if (try? value.decode(Int64.self)) != nil || (try? value.decode(UInt64.self)) != nil { self = .int
            } else if (try? value.decode(Double.self)) != nil { self = .number
            } else if (try? value.decode(String.self)) != nil { self = .text
            } else if let list = try? value.decode([JSON].self) { self = .list(list)
            } else { self = .object(try value.decode([String: JSON].self)) }
        }

        var type: String {
            switch self {
            case .null: "null"
            case .bool: "bool"
            case .int: "int"
            case .number: "number"
            case .text: "text"
            case .list: "list"
            case .object: "object"
            }
        }
    }

    private struct Schema {
        /// Types by path.
        var rows: [String: Set<String>] = [:]
        var optional: Set<String> = []
        var seen: Set<String> = []
        var problems: [String] = []

        init(_ name: String) {
            let page = String(decoding: PackageResources.Schemas_md, as: UTF8.self)
            let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix(name + ": ") } ?? ""
            for line in section.split(separator: "\n") where line.hasPrefix("| ") && !line.hasPrefix("| |") {
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 3, cells[0] != "---" else { continue }
                let path = cells[0].replacing("?", with: "")
                rows[path] = Set(cells[1].components(separatedBy: ", "))
                if cells[0].contains("?") { optional.insert(path) }
            }
        }

        /// The row of a field: by its name, or by one in capitals.
        private func row(_ parent: String, _ name: String) -> String {
            let prefix = parent.isEmpty ? "" : parent + "."
            let isKnown = { (path: String) in
                rows.keys.contains { $0 == path || $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }
            }
            if isKnown(prefix + name) { return prefix + name }
            // Of several such rows the one whose fields are values, unless the value is none.
            let others = rows.keys.filter { $0.hasPrefix(prefix) }
                .map { $0.dropFirst(prefix.count).prefix { $0 != "." && $0 != "[" } }
                .filter { $0.count > 1 && $0 == $0.uppercased() }
            let fits = name.hasSuffix("_since") ? others.filter { $0 == "SINCE" } : others.filter { $0 != "SINCE" }
            return fits.min().map { prefix + $0 } ?? prefix + name
        }

        mutating func check(_ value: JSON, _ path: String) {
            seen.insert(path)
            let types = rows[path] ?? []
            let hasParts = rows.keys.contains { $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }
            if case .object(let members) = value, path.isEmpty || hasParts {
                for (name, member) in members { check(member, row(path, name)) }
            } else if case .list(let values) = value, hasParts {
                for value in values { check(value, path + "[]") }
            } else if !types.contains("any"), !types.contains(value.type),
                !(value.type == "int" && types.contains("number")), !(path.hasSuffix("[]") && hasParts)
            {
                problems.append("\(path): \(value.type), documented: \(types.sorted().joined(separator: ", "))")
            }
        }
    }

    private static let traces = [
        "compatibility/v1/calls.keyflight", "compatibility/v1/keys.keyflight", "apps/textedit.keyflight",
        "captures/usb-keyboard-viewer.pcap",
    ].map { Files.path("Traces/" + $0) }
    private static let steal = ["input.keys", "scene.yaml"].map {
        Files.path("Traces/golden/text-stolen-by-bare-letter/" + $0)
    }

    private static func lines(of schema: String, _ folder: String) throws -> [String] {
        let scene = ["--scene", steal[1]]
        let json = ["--format", "json"]
        switch schema {
        case "keyflight.info/1": return traces.map { CommandRun(["info", $0] + json).text }
        case "keyflight.stats/1":
            return [[traces[0]], [traces[2]], [steal[0]] + scene].map { CommandRun(["stats"] + $0 + json).text }
        case "keyflight.lint/1":
            let inputs = [[traces[0]], [traces[2]], [steal[0]] + scene, [steal[1]]]
            return inputs.map { CommandRun(["lint"] + $0 + json).text }
        case "keyflight.explain/1":
            let goldens = [
                "text-stolen-by-bare-letter", "command-left-tab-or-back", "g15-held-command-repeats-on-ios9",
            ]
            let scripts = goldens.map { name in
                let golden = Files.path("Traces/golden/" + name)
                return [golden + "/input.keys", "--scene", golden + "/scene.yaml", "--press", "1"]
            }
            let reader = Files.path("Traces/apps/reader.keyflight")
            let recorded = [[traces[0], "--press", "1"], [traces[2], "⌘W", "--last"], [reader, "--press", "5"]]
            return (recorded + scripts).map { CommandRun(["explain"] + $0 + json).text }
        case "keyflight.pick/1":
            let script = folder + "/pick.keys"
            try TabsApp.put("keys 1\ndo pick Settings…\n", script)
            let scenes = ["golden/swiftui-shortcuts", "scenes/lint/menu-pick-lost"].map {
                Files.path("Traces/" + $0 + "/scene.yaml")
            }
            return scenes.map {
                CommandRun(["explain", script, "--pick", "Settings…", "--scene", $0, "--profile", "ios26"] + json).text
            }
        case "keyflight.diff/1":
            let other = folder + "/other.yaml"
            try TabsApp.put(TabsApp.scene(), folder + "/scene.yaml")
            try TabsApp.put(TabsApp.scene().replacing("input: w", with: "input: e"), other)
            try TabsApp.put("keys 1\npress cmd+w\npress cmd+t\n", folder + "/a.keys")
            for (name, scene) in [("base", folder + "/scene.yaml"), ("head", other)] {
                let output = "\(folder)/\(name).keyflight"
                let run = CommandRun("replay", folder + "/a.keys", "--scene", scene, "-o", output)
                #expect(run.status == 0, "\(run.notes)")
            }
            return [CommandRun(["diff", folder + "/base.keyflight", folder + "/head.keyflight"] + json).text]
        default:
            _ = try lines(of: "keyflight.diff/1", folder)
            let history = folder + "/history.jsonl"
            func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
            let builds = ["--base", copy("base"), "--head", copy("head"), "--runs", "12", "--history", history]
            let gates = try [["gate"] + builds, ["gate", Files.path("Traces/golden/pdf-viewer")]].map { words in
                try #require(CommandRun(words + json).lines.first)
            }
            return schema == "keyflight.gate/1" ? gates : Files.text(history).split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: HelpTopic.schemas.map(\.name))
    func rowsAreTheFields(_ name: String) throws {
        var schema = Schema(name)
        #expect(schema.rows.count > 8)
        try Files.withFolder { folder in
            let lines = try Self.lines(of: name, folder)
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(line.contains("\"schema\":\"\(name)\""), "\(line.prefix(200))")
                schema.check(try JSONDecoder().decode(JSON.self, from: Data(line.utf8)), "")
            }
        }
        #expect(Set(schema.problems).sorted() == [])
        let idle = schema.rows.keys.filter { !schema.seen.contains($0) && !schema.optional.contains($0) }
        // Fields that need losses, damage or a rare input.
        let rare = idle.filter { path in
            ![
                "loss.", "levels", "clock", "history.", "instructions.", "ignored", "undecided.", "incomparable",
                "renames", "resolution.", "otherProfiles.", "not_asked", "not_compared", "evidence", "misplaced",
                "presentations", "checked", "layouts", "environment", "adapter", "numbered",
                "invalidated", "same_key",
            ].contains { path.contains($0) }
        }
        #expect(rare.sorted() == [], "documented and never written")
        let help = CommandRun("help", name)
        #expect(help.status == 0 && help.text.contains("  schema "), "\(help.notes)")
    }
}
