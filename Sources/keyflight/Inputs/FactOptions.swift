import ArgumentParser
import FlightReplay
import TraceFormat

/// Facts that go into a trace that is written.
struct FactOptions: ParsableArguments {
    @Option(
        name: .customLong("fact"),
        help: """
            A fact about where the trace comes from, such as service.version=4.2; keyflight help tables lists those \
            that tables of many traces have. May be repeated.
            """,
        transform: FactOptions.fact)
    var facts: [EnvironmentRecord] = []

    /// The last one of each name.
    var records: [EnvironmentRecord] {
        var records: [EnvironmentRecord] = []
        for fact in facts {
            records.removeAll { $0.name == fact.name }
            records.append(fact)
        }
        return records
    }

    /// Facts that recorders of keyflight write, beside those of a replay.
    private static let ownPrefixes = ["poll.", "modifierRole.", "adapter."]

    /// The fact of `NAME=VALUE`.
    ///
    /// - Throws: `ValidationError` for a text of another form, and for a name that keyflight itself writes.
    private static func fact(_ argument: String) throws -> EnvironmentRecord {
        guard let sign = argument.firstIndex(of: "=") else { throw ValidationError("expected NAME=VALUE") }
        let (name, value) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
        let isName = (1...64).contains(name.utf8.count)
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }
        guard isName else { throw ValidationError("expected a name of up to 64 letters, digits, . and _") }
        guard !isOwn(name) else { throw ValidationError("expected a name that keyflight does not write") }
        guard !value.isEmpty, value.utf8.count <= 256, !value.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw ValidationError("expected a value of 1 to 256 bytes in one line")
        }
        return EnvironmentRecord(name: name, value: value)
    }

    private static func isOwn(_ name: String) -> Bool {
        // `device1.bInterval`, `source2.profile`.
        let isNumbered = ["device", "source"].contains {
            name.hasPrefix($0) && name.dropFirst($0.count).first?.isNumber == true
        }
        return isNumbered || TraceRecorder.isOwnFact(name) || name == "terminal"
            || ownPrefixes.contains(where: name.hasPrefix)
    }
}
