import ArgumentParser
import KeyModel
import ResponderEngine
import TraceFormat
import TraceReports

struct Config: Verb {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The settings, and where each of them comes from.",
        discussion: """
            Nothing needs to be set. A file .keyflight.toml in the working folder, or above it up to the root of the \
            repository, gives defaults; a variable such as KEYFLIGHT_GATE_MARGIN is stronger, a flag the strongest. \
            KEYFLIGHT_CONFIG names another file, or none if it is empty. A file cannot turn masking off, and cannot \
            name a program to run. keyflight help settings explains the keys.
            """)

    @Argument(
        help: "Only these settings, such as gate.margin.",
        completion: .list(Setting.allCases.map(\.rawValue))) var names: [String] = []
    @Flag(help: "What each setting does, too, and the variable that says the same.") var explain = false
    @Option(help: "The form of the list.") var format = ReportFormat.text
    @Option(help: "As a verb would be given it.") var profile: String?
    @Option(help: "As a verb would be given it.") var layout: String?
    @Option(help: "As a verb would be given it.") var scene: String?
    @Option(help: "As a verb would be given it.") var cache: CachePolicy?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        for name in names where Setting(rawValue: name) == nil {
            let near = EditDistance.nearest(to: name, among: Setting.allCases.map(\.rawValue))
            throw ValidationError("\(name): expected the name of a setting\(near.map { " such as \($0)" } ?? "").")
        }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let flags: [(Setting, String?)] = [
            (.profile, profile), (.layout, layout), (.scene, scene), (.cache, cache?.rawValue),
        ]
        for case (let setting, let text?) in flags {
            try console.settings.set(setting, to: text, from: .flag("--\(setting.rawValue)"))
        }
        let report = SettingsReport(settings: console.settings, only: names.compactMap { Setting(rawValue: $0) })
        try console.print(format, text: { report.text($0, explain: explain) }, json: report.json)
        return .fine
    }
}

/// The settings as a table and as `keyflight.config/1`.
struct SettingsReport {
    let settings: Settings
    /// The settings to list, in the order of all of them.
    private let listed: [Setting]

    /// `only`: these; all where none is named.
    init(settings: Settings, only chosen: [Setting] = []) {
        self.settings = settings
        listed = chosen.isEmpty ? Setting.allCases : Setting.allCases.filter(chosen.contains)
    }

    func text(_ style: ReportStyle, explain: Bool) -> String {
        var columns: [TextTable.Column] = [
            .init(title: "setting"), .init(title: "value", fit: .wrap), .init(title: "from"),
        ]
        if explain {
            columns += [
                .init(title: "may be", fit: .wrap), .init(title: "does", fit: .wrap),
                .init(title: "variable", fit: .drop),
            ]
        }
        var table = TextTable(columns)
        table.indent = 0
        for setting in listed {
            let choice = settings[setting]
            var cells: [TextTable.Cell] = [
                .init(setting.rawValue), .init(choice.value.map { SafeText.escaped($0.words) } ?? HumanNumbers.absent),
                .init(SafeText.escaped(choice.origin.words), choice.origin == .preset ? .faint : .plain),
            ]
            if explain {
                cells += [.init(setting.expectation), .init(setting.meaning), .init(setting.environmentName, .faint)]
            }
            table.add(cells)
        }
        return table.rendered(style)
    }

    /// One line.
    var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.config/1")
            json.member("settings", array: listed) { json, setting in
                let choice = settings[setting]
                json.object { json in
                    json.member("name", setting.rawValue)
                    SettingsReport.member(choice.value, &json)
                    json.member("from", SettingsReport.kind(choice.origin))
                    switch choice.origin {
                    case .preset: break
                    case .file(let path, let line):
                        json.member("file", path)
                        json.member("line", line)
                    case .environment(let name): json.member("variable", name)
                    case .flag(let name): json.member("flag", name)
                    }
                    json.member("expected", setting.expectation)
                    json.member("environment", setting.environmentName)
                }
            }
        } + "\n"
    }

    private static func member(_ value: SettingsText.Value?, _ json: inout JSONText) {
        switch value {
        case .text(let text): json.member("value", text)
        case .flag(let isSet): json.member("value", isSet)
        case .integer(let number): json.member("value", number)
        case .number:
            json.key("value")
            json.raw(value?.words ?? "null")
        case .list(let items): json.member("value", items)
        case nil: json.null("value")
        }
    }

    private static func kind(_ origin: Settings.Origin) -> String {
        switch origin {
        case .preset: "default"
        case .file: "file"
        case .environment: "environment"
        case .flag: "flag"
        }
    }
}
