import KeyModel
import TraceFormat

/// Facts of a trace about its recording. Those that this program writes and that identify no person or machine stay,
/// unless their value is a path; the value of others is removed, and of those that an app named itself the name as
/// well.
final class RenamedFacts {
    private var names: [String: String] = [:]

    /// Facts of which the value stays.
    private static let general: Set<String> = [
        "scene", "profile", "cache", "shadowCheck", "direction", "focusSystem", "poll.bInterval", "poll.grid",
        "poll.phase", "recorder.overhead.key", "recorder.overhead.clock", "recorder.overhead.total",
        "recorder.entries", "recorder.flusher.cpu", "layout.tables", AdapterFact.end, EnvironmentFact.bareKeys,
    ]
    /// Facts of which the name stays.
    private static let named: Set<String> = [
        "host", "hostname", "host.name", "user", "username", "user.name", "login", "account", "machine", "model",
        "device", "keyboard", "serial", "uuid", "path", "file", "folder", "locale", "recorded_at", "os", "os.version",
        "app", "app.version", "app.build", "version", "build",
    ]

    /// The redacted fact, and the kind of identifying data that was removed.
    func redacted(_ record: EnvironmentRecord) -> (record: EnvironmentRecord, removed: IdentifyingData?) {
        let (prefix, bare) = RenamedFacts.parts(of: record.name)
        let isPath = NameRedaction.looksLikePath(record.value)
        if RenamedFacts.isGeneral(bare) {
            guard isPath, record.value != "redacted" else { return (record, nil) }
            return (EnvironmentRecord(name: record.name, value: "redacted"), .paths)
        }
        if let kept = RenamedFacts.adapterFact(record) {
            return (kept, kept == record ? nil : .classNames)
        }
        var name = record.name
        var isIdentifying = record.value != "redacted"
        if !RenamedFacts.named.contains(bare) {
            let new = names[bare] ?? "fact-\(names.count + 1)"
            names[bare] = new
            name = prefix + new
            isIdentifying = isIdentifying || !RenamedFacts.isNumber(bare, after: "fact-")
        }
        let sort = isPath ? .paths : RenamedFacts.sort(of: bare.lowercased())
        return (EnvironmentRecord(name: name, value: "redacted"), isIdentifying ? sort : nil)
    }

    /// A fact of an adapter, or of a modifier's role, without the names of an app's classes that a reason may have.
    private static func adapterFact(_ record: EnvironmentRecord) -> EnvironmentRecord? {
        var roles = ModifierRoles.physical
        if roles.apply(fact: record.name, record.value) { return record }
        if record.name == AdapterFact.attached, record.value == "1" { return record }
        if record.name == AdapterFact.installTime, UInt64(record.value) != nil { return record }
        if record.name == AdapterFact.toolkit, ["gnustep", "appkit", "uikit"].contains(record.value) { return record }
        guard var hook = AdapterFact.hook(record.name, record.value),
            hook.name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), hook.name.utf8.count <= 32
        else { return nil }
        hook.reason = nil
        let fact = AdapterFact.fact(hook)
        return EnvironmentRecord(name: fact.name, value: fact.value)
    }

    /// A name without the `source2.` that a merged trace puts before it.
    static func parts(of name: String) -> (prefix: String, bare: String) {
        guard let dot = name.firstIndex(of: "."), isNumber(name[..<dot], after: "source") else { return ("", name) }
        let start = name.index(after: dot)
        return (String(name[..<start]), String(name[start...]))
    }

    /// True for a fact that contains or implies the total number of entries or presses.
    static func countsPresses(_ name: String) -> Bool {
        let bare = parts(of: name).bare
        let own = [
            "recorder.entries", "recorder.overhead.total", "recorder.flusher.cpu", AdapterFact.hookTime,
            AdapterFact.hookCalls,
        ]
        return own.contains(bare) || isOfAlignment(bare) && bare.hasSuffix(".n")
    }

    private static func isGeneral(_ name: String) -> Bool {
        if general.contains(name) || EnvironmentRecord.isProfileParameter(name) || isOfAlignment(name) { return true }
        // `device2.bInterval`
        return name.hasSuffix(".bInterval") && isNumber(name.dropLast(10), after: "device")
    }

    /// True for a fact of `merge --align` about the times of presses, such as `transport.down.p50`.
    private static func isOfAlignment(_ name: String) -> Bool {
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let stage = words.first, stage == "hid" || stage == "transport" else { return false }
        if words.count == 2 { return words[1] == "from" }
        return words.count == 3 && (words[1] == "down" || words[1] == "up")
            && ["n", "p50", "p99", "max"].contains(words[2])
    }

    private static func isNumber(_ text: some StringProtocol, after prefix: String) -> Bool {
        guard text.hasPrefix(prefix) else { return false }
        let digits = text.utf8.dropFirst(prefix.utf8.count)
        return !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func sort(of name: String) -> IdentifyingData {
        if name.contains("user") || name.contains("login") || name.contains("account") { return .user }
        if name.contains("path") || name.contains("file") || name.contains("folder") { return .paths }
        if name.contains("serial") || name.contains("uuid") || name.hasSuffix("id") { return .serialsAndIDs }
        if name.contains("device") || name.contains("keyboard") { return .deviceNames }
        return .host
    }
}
