import KeyModel

/// The settings of one run, each with where it came from. A file is weaker than the environment, and both are weaker
/// than a flag.
struct Settings: Sendable {
    enum Origin: Hashable, Sendable {
        case preset
        case file(String, line: Int)
        case environment(String)
        case flag(String)

        var words: String {
            switch self {
            case .preset: "default"
            case .file(let path, let line): "\(path):\(line)"
            case .environment(let name): name
            case .flag(let name): name
            }
        }
    }

    struct Choice: Hashable, Sendable {
        /// `nil`: nothing is set.
        var value: SettingsText.Value?
        var origin: Origin
    }

    private var choices: [Setting: Choice] = [:]

    /// The defaults.
    init() {}

    subscript(_ setting: Setting) -> Choice {
        choices[setting] ?? Choice(value: setting.preset, origin: .preset)
    }

    // MARK: Where they come from

    /// Takes the entries of a file over. `folder` is put before relative paths; empty for the working folder.
    mutating func read(_ bytes: [UInt8], file: String, folder: String) throws(SettingsError) {
        let text = try SettingsText(bytes, file: file)
        let tables = Set(Setting.allCases.compactMap(\.table))
        for table in text.tables where !tables.contains(table.name) {
            throw SettingsError(
                file, line: table.line, column: table.column, "[\(table.name)]",
                expected: Setting.alternatives(tables.sorted().map { "[\($0)]" }), found: "a table that is not known")
        }
        for entry in text.entries {
            guard let setting = Setting(rawValue: entry.name) else { throw Settings.unknown(entry, file) }
            do {
                let value = try setting.checked(entry.value)
                choices[setting] = Choice(
                    value: setting.form == .path ? value.below(folder) : value,
                    origin: .file(file, line: entry.line))
            } catch {
                throw SettingsError(
                    file, line: entry.line, column: entry.column, entry.name, expected: error.expected,
                    found: error.found, remedy: error.remedy)
            }
        }
    }

    /// Takes over the environment's variables. An empty variable has no effect.
    mutating func read(environment: (String) -> String?) throws(SettingsError) {
        for setting in Setting.allCases {
            let name = setting.environmentName
            guard let text = environment(name), !text.isEmpty else { continue }
            try set(setting, Settings.value(of: text, as: setting.form), .environment(name), source: name)
        }
    }

    /// Takes over a flag of the command line.
    mutating func override(_ setting: Setting, by text: String, flag: String) throws(SettingsError) {
        try set(setting, Settings.value(of: text, as: setting.form), .flag(flag), source: flag)
    }

    private mutating func set(
        _ setting: Setting, _ value: SettingsText.Value, _ origin: Origin, source: String
    ) throws(SettingsError) {
        do {
            choices[setting] = Choice(value: try setting.checked(value), origin: origin)
        } catch {
            throw SettingsError(
                source, setting.rawValue, expected: error.expected, found: error.found, remedy: error.remedy)
        }
    }

    /// A value as it is written where there are no quotes.
    private static func value(of text: String, as form: Setting.Form) -> SettingsText.Value {
        switch form {
        case .flag where ["1", "true", "yes", "on"].contains(text): .flag(true)
        case .flag where ["0", "false", "no", "off"].contains(text): .flag(false)
        case .integer: Int(text).map { .integer($0) } ?? .text(text)
        case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
        case .list: .list(text.split(separator: ",").map { String($0) })
        case .text, .path, .flag, .word: .text(text)
        }
    }

    private static func unknown(_ entry: SettingsText.Entry, _ file: String) -> SettingsError {
        let plain = entry.key.filter { $0 != "-" && $0 != "_" }.lowercased()
        if plain == "showkeys" {
            return SettingsError(
                file, line: entry.line, column: entry.column, entry.name, expected: "no such key",
                found: "it: a file cannot turn masking off", remedy: "give --show-keys on the command line")
        }
        let names = Setting.allCases.map(\.rawValue)
        let near = EditDistance.nearest(to: entry.name, among: names)
        return SettingsError(
            file, line: entry.line, column: entry.column, entry.name,
            expected: near.map { "a known key such as \($0)" } ?? "one of \(names.joined(separator: ", "))",
            found: "one that is not known", remedy: "keyflight config --explain lists them")
    }

    // MARK: Reading them

    func text(_ setting: Setting) -> String? {
        if case .text(let text) = self[setting].value { text } else { nil }
    }

    func flag(_ setting: Setting) -> Bool {
        if case .flag(let isSet) = self[setting].value { isSet } else { false }
    }

    func integer(_ setting: Setting) -> Int? {
        if case .integer(let number) = self[setting].value { number } else { nil }
    }

    func number(_ setting: Setting) -> Double? {
        if case .number(let number) = self[setting].value { number } else { nil }
    }

    func list(_ setting: Setting) -> [String] {
        if case .list(let items) = self[setting].value { items } else { [] }
    }
}

extension Setting {
    /// The header of its table.
    var table: String? {
        let parts = rawValue.split(separator: ".")
        return parts.count == 2 ? String(parts[0]) : nil
    }
}

extension SettingsText.Value {
    /// A relative path below a folder.
    fileprivate func below(_ folder: String) -> SettingsText.Value {
        guard case .text(let path) = self, !folder.isEmpty, !path.hasPrefix("/") else { return self }
        return .text(folder + "/" + path)
    }
}
