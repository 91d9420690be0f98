import ArgumentParser
import KeyModel
import ResponderEngine
import TraceTools

/// Options that environment variables give. An option of the command line is stronger.
struct Settings: Sendable {
    var profile: String?
    var layout: String?
    var scene: String?
    var cache: CachePolicy?
    var goldens: String?
    var color: ColorPolicy?
    var ascii = false
    var pager = true
    var progress = true
    var gateMargin: Double?
    var gateRuns: Int?
    var gateTime: TimePolicy?
    var gateStrict = false
    var redactRemove: Set<Redaction.Option>?

    /// Nothing is set.
    init() {}

    /// An empty variable has no effect.
    ///
    /// - Throws: `Failure` for a value that its variable cannot have.
    init(_ environment: ProcessEnvironment) throws {
        func value<Value>(_ variable: Variable, _ expected: String, _ parse: (String) -> Value?) throws -> Value? {
            guard let text = environment.variable(variable.rawValue), !text.isEmpty else { return nil }
            if let value = parse(text) { return value }
            throw Failure(
                .wrongSetting, "\(variable.rawValue): expected \(expected), found \(VisibleText.escaped(text))")
        }
        func word<Value: ExpressibleByArgument & CaseIterable & RawRepresentable<String>>(
            _ variable: Variable
        ) throws -> Value? {
            try value(variable, Value.allCases.map(\.rawValue).joined(separator: ", ")) { Value(rawValue: $0) }
        }
        func flag(_ variable: Variable) throws -> Bool? {
            try value(variable, "1 or 0") { text in
                switch text {
                case "1", "true", "yes", "on": true
                case "0", "false", "no", "off": false
                default: nil
                }
            }
        }
        func text(_ variable: Variable) throws -> String? { try value(variable, "a name") { $0 } }
        (profile, layout, scene, goldens) = try (text(.profile), text(.layout), text(.scene), text(.goldens))
        cache = try word(.cache)
        color = try word(.color)
        ascii = try flag(.ascii) ?? false
        pager = try flag(.pager) ?? true
        progress = try flag(.progress) ?? true
        gateMargin = try value(.gateMargin, "a number from 0 to 999") { text in
            Double(text).flatMap { (0...999).contains($0) ? $0 : nil }
        }
        gateRuns = try value(.gateRuns, "a whole number from 12 to 10000") { text in
            Int(text).flatMap { (12...10_000).contains($0) ? $0 : nil }
        }
        gateTime = try word(.gateTime)
        gateStrict = try flag(.gateStrict) ?? false
        redactRemove = try value(.redactRemove, "text, and of runs, timing and titles what else goes") { text in
            let words = text.split(separator: ",")
            let options = Set(words.compactMap { Redaction.Option(rawValue: String($0)) })
            // Only the command line can leave typed text in a trace.
            return options.count == words.count && options.contains(.text) ? options : nil
        }
    }

    /// A profile that there is.
    func checkedProfile() throws -> String? {
        try checked(profile, .profile) { _ = try ProfileChoice.named($0) }
    }

    /// A layout that there is.
    func checkedLayout() throws -> String? {
        try checked(layout, .layout) { _ = try LayoutChoice.named($0) }
    }

    private func checked(_ name: String?, _ variable: Variable, _ check: (String) throws -> Void) throws -> String? {
        guard let name else { return nil }
        do { try check(name) } catch let failure as Failure {
            throw Failure(failure.id, "\(variable.rawValue): \(failure.line)")
        }
        return name
    }

    /// An environment variable that stands for an option, as `Topics.md` describes it.
    enum Variable: String, CaseIterable {
        case profile = "KEYFLIGHT_PROFILE"
        case layout = "KEYFLIGHT_LAYOUT"
        case scene = "KEYFLIGHT_SCENE"
        case cache = "KEYFLIGHT_CACHE"
        case goldens = "KEYFLIGHT_GOLDENS"
        case color = "KEYFLIGHT_COLOR"
        case ascii = "KEYFLIGHT_ASCII"
        case pager = "KEYFLIGHT_PAGER"
        case progress = "KEYFLIGHT_PROGRESS"
        case gateMargin = "KEYFLIGHT_GATE_MARGIN"
        case gateRuns = "KEYFLIGHT_GATE_RUNS"
        case gateTime = "KEYFLIGHT_GATE_TIME"
        case gateStrict = "KEYFLIGHT_GATE_STRICT"
        case redactRemove = "KEYFLIGHT_REDACT_REMOVE"
    }
}
