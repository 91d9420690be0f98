import KeyModel
public import ResponderEngine
public import TraceFormat

/// A verification: two replays of one input compared with each other, and with the resolutions that the input holds.
public struct Verification: Hashable, Sendable {
    public enum Against: String, Hashable, Sendable {
        case recording, secondReplay
    }

    /// Presses and repeats that were compared with the recording, or of the two replays where none is recorded.
    public var lines: Int
    /// The input holds resolutions.
    public var isRecorded: Bool
    /// What the first replay differs from; `nil` when nothing differs.
    public var against: Against?
    public var divergence: ReplayDivergence?

    public var isIdentical: Bool { divergence == nil }

    /// `recorded` is `nil` for an input without resolutions. The counts of a recording are compared only where both
    /// ran under one cache policy.
    public init(recorded: Recording?, first: Recording, second: Recording) {
        isRecorded = recorded != nil
        let repeated = ReplayVerifier(first, comparesCounts: true).compare(with: second)
        lines = repeated.lines
        divergence = repeated.divergence
        against = divergence == nil ? nil : .secondReplay
        guard divergence == nil, let recorded else { return }
        let facts = (ReplayFacts(recorded), ReplayFacts(first))
        let verdict = ReplayVerifier(recorded, comparesCounts: facts.0.sharesCache(with: facts.1)).compare(with: first)
        lines = verdict.lines
        divergence = verdict.divergence
        against = divergence == nil ? nil : .recording
    }

    /// One object.
    public var json: String {
        var json = JSONText()
        json.object { json in
            json.key("schema")
            json.value("keyflight.verify/1")
            json.key("identical")
            json.value(isIdentical)
            json.key("lines")
            json.value(lines)
            json.key("recorded")
            json.value(isRecorded)
            json.key("against")
            json.value(against?.rawValue)
            json.key("divergence")
            if let divergence { divergence.write(to: &json) } else { json.null() }
        }
        return json.text
    }

    /// The same for people; `name` is what the input is called. Ends with a line break.
    public func text(name: String) -> String {
        guard let divergence else {
            let count = lines == 1 ? "1 press or repeat" : "\(lines) presses and repeats"
            let rest = isRecorded ? ", twice as recorded" : ", twice the same; no resolutions are recorded"
            return "\(name): \(count)\(rest)\n"
        }
        let what = against == .secondReplay ? "a second replay differs from the first" : "differs from the recording"
        return "\(name): \(what), first at \(divergence.text)"
    }
}

/// What a recording says it was made under.
public struct ReplayFacts: Sendable {
    private var facts: [String: String] = [:]

    public init(_ recording: Recording) {
        var bodies = recording.initialContext.compactMap { entry -> TraceRecord.Body? in
            if case .record(let body) = entry { body } else { nil }
        }
        bodies += recording.records.lazy.prefix { $0.time == .zero }.map(\.body)
        for body in bodies {
            switch body {
            case .environment(let fact) where facts[fact.name] == nil: facts[fact.name] = fact.value
            case .layout(let layout) where facts["layout"] == nil:
                facts["layout"] = "\(layout.name) (table \(ReplayLine.hexadecimal(layout.hash)))"
            default: break
            }
        }
    }

    /// A fact that two recordings do not share, so that they cannot be compared.
    public struct Mismatch: Hashable, Sendable {
        public var fact: String
        public var expected: String
        public var found: String
    }

    /// The first of scene, profile, parameters, layout, direction and focus system that differs, by name. What one of
    /// the two does not say cannot differ.
    public func mismatch(with other: ReplayFacts) -> Mismatch? {
        let names = ["scene", "profile", "layout", "direction", "focusSystem"]
        let parameters = facts.keys.filter { $0.hasPrefix("parameter.") }.sorted()
        for name in names + parameters {
            guard let ours = facts[name], let theirs = other.facts[name], ours != theirs else { continue }
            return Mismatch(fact: name, expected: ours, found: theirs)
        }
        return nil
    }

    func sharesCache(with other: ReplayFacts) -> Bool {
        facts["cache"] == other.facts["cache"] && facts["shadowCheck"] == other.facts["shadowCheck"]
    }

    /// A replay made the recording, and not an app.
    var isOfReplay: Bool { facts["profile"] != nil }

    /// `nil` where none is recorded.
    public var cachePolicy: CachePolicy? { facts["cache"].flatMap(CachePolicy.init(rawValue:)) }
    public var shadowCheck: Bool { facts["shadowCheck"] == "true" }

    /// True when some press has a resolution.
    public static func hasResolutions(_ recording: Recording) -> Bool {
        recording.records.contains { if case .resolution = $0.body { true } else { false } }
    }
}
