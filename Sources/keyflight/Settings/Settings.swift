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
            let expected = Setting.alternatives(tables.sorted().map { "[\($0)]" })
            throw SettingsError(
                file, at: table.place, "[\(table.name)]",
                Setting.Refusal(expected: expected, found: "a table that is not known"))
        }
        for entry in text.entries {
            guard let setting = Setting(rawValue: entry.name) else { throw Settings.unknown(entry, file) }
            do {
                let value = try setting.checked(entry.value)
                choices[setting] = Choice(
                    value: setting.form == .path ? value.below(folder) : value,
                    origin: .file(file, line: entry.place.line))
            } catch {
                throw SettingsError(file, at: entry.place, entry.name, error)
            }
        }
    }

    /// Takes over the environment's variables. An empty variable has no effect.
    mutating func read(environment: (String) -> String?) throws(SettingsError) {
        for setting in Setting.allCases {
            let name = setting.environmentName
            guard let text = environment(name), !text.isEmpty else { continue }
            try set(setting, to: text, from: .environment(name))
        }
    }

    /// Takes over a value of the environment or of the command line.
    mutating func set(_ setting: Setting, to text: String, from origin: Origin) throws(SettingsError) {
        let value = Settings.value(of: text, as: setting.form)
        do { choices[setting] = Choice(value: try setting.checked(value), origin: origin) } catch {
            throw SettingsError(origin.words, setting.rawValue, error)
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
                file, at: entry.place, entry.name,
                Setting.Refusal(
                    expected: "no such key", found: "it: a file cannot turn masking off",
                    remedy: "give --show-keys on the command line"))
        }
        let names = Setting.allCases.map(\.rawValue)
        let near = EditDistance.nearest(to: entry.name, among: names)
        return SettingsError(
            file, at: entry.place, entry.name,
            Setting.Refusal(
                expected: near.map { "a known key such as \($0)" } ?? "one of \(names.joined(separator: ", "))",
                found: "one that is not known", remedy: "keyflight config --explain lists them"))
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
