/// A setting of a settings file or the environment, by its name in the file.
enum Setting: String, CaseIterable, Sendable {
    case profile, layout, scene, cache, goldens
    case color, ascii, pager, progress
    case gateMargin = "gate.margin"
    case gateRuns = "gate.runs"
    case gateTime = "gate.time"
    case gateStrict = "gate.strict"
    case redactRemove = "redact.remove"

    /// The form of a value.
    enum Form: Hashable, Sendable {
        case text
        /// Relative to the folder of the file that contains it.
        case path
        case flag
        case word([String])
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case list([String])
    }

    /// The default value is `nil` for none; the meaning is the effect, in a line.
    private var row: (form: Form, preset: SettingsText.Value?, meaning: String) {
        switch self {
        case .profile: (.text, nil, "whose rules key scripts, captures and scenes are resolved by")
        case .layout: (.text, nil, "the layout of key scripts, captures and scenes")
        case .scene: (.path, nil, "the responders for inputs that have none of their own")
        case .cache:
            (
                .word(["none", "press", "responder", "chain"]), nil,
                "what is remembered of key commands in a replay of such inputs"
            )
        case .goldens: (.path, .text("Traces/golden"), "the folder that gate, review and accept look into")
        case .color: (.word(["auto", "always", "never"]), .text("auto"), "colour in reports")
        case .ascii: (.flag, .flag(false), "reports without glyphs: Cmd+W for ⌘W")
        case .pager: (.flag, .flag(true), "long output goes through PAGER at a terminal")
        case .progress: (.flag, .flag(true), "long work says at a terminal how far it is")
        case .gateMargin: (.number(0...999), .number(2), "percent that a build may be slower")
        case .gateRuns: (.integer(12...10_000), .integer(48), "most runs of each build")
        case .gateTime: (.word(["report", "fail"]), .text("report"), "what a slower build does")
        case .gateStrict: (.flag, .flag(false), "an undecided time ends with status 6")
        case .redactRemove:
            (
                .list(Setting.redactions), .list(Setting.redactions),
                "what redact takes out where no option says it"
            )
        }
    }

    var form: Form { row.form }
    var preset: SettingsText.Value? { row.preset }
    var meaning: String { row.meaning }

    static let redactions = ["text", "runs", "timing", "titles"]

    /// The environment variable with the same meaning.
    var environmentName: String {
        "KEYFLIGHT_" + rawValue.map { $0 == "." ? "_" : String($0).uppercased() }.joined()
    }

    /// Checks a value, and gives it in the form of this setting.
    func checked(_ value: SettingsText.Value) throws(Refusal) -> SettingsText.Value {
        switch (form, value) {
        case (.text, .text(let text)), (.path, .text(let text)):
            guard !text.isEmpty, !text.utf8.contains(0) else { throw Refusal(expected: "a name", found: "\"\(text)\"") }
        case (.flag, .flag): break
        case (.word(let words), .text(let text)):
            guard words.contains(text) else { throw Refusal(expected: Setting.alternatives(words), found: text) }
        case (.integer(let range), .integer(let number)):
            guard range.contains(number) else { throw outOfRange("\(number)") }
        case (.number(let range), .number(let number)):
            guard range.contains(number) else { throw outOfRange("\(number)") }
        case (.number(let range), .integer(let number)):
            guard range.contains(Double(number)) else { throw outOfRange("\(number)") }
            return .number(Double(number))
        case (.list(let words), .list(let items)):
            for item in items where !words.contains(item) {
                throw Refusal(expected: "a list of " + Setting.alternatives(words), found: item)
            }
            guard self != .redactRemove || items.contains("text") else {
                throw Refusal(
                    expected: "text among them", found: "a list without it",
                    remedy: "only the command line can leave typed text in a trace")
            }
        default: throw Refusal(expected: expectation, found: value.words)
        }
        return value
    }

    /// The reason why a value is refused.
    struct Refusal: Error, Hashable {
        var expected: String
        var found: String
        var remedy: String?
    }

    private func outOfRange(_ found: String) -> Refusal { Refusal(expected: expectation, found: found) }

    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The expected values, in words.
    var expectation: String {
        switch form {
        case .text: "a name in quotes"
        case .path: "a path in quotes"
        case .flag: "true or false"
        case .word(let words): Setting.alternatives(words)
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .list(let words): "a list of " + Setting.alternatives(words)
        }
    }
}

extension SettingsText.Value {
    /// The value as a person reads it.
    var words: String {
        switch self {
        case .text(let text): text
        case .flag(let isSet): isSet ? "true" : "false"
        case .integer(let number): "\(number)"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .list(let items): items.joined(separator: ", ")
        }
    }
}
