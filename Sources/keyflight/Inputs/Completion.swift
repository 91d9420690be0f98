import ArgumentParser
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceFormat

/// Words that a shell offers: those of the program, and those from the trace, or the scene, that a command line names.
///
/// A person waits for it, so that it takes a moment whatever the line contains: only regular files are opened, and only
/// the beginning of a long one is read.
enum Completion {
    private static let profileNames = Profile.shippedNames
    private static let layoutNames = ShippedLayouts.names

    /// One of them, or with replay several behind commas.
    static let profiles = list(profileNames)
    static let layouts = list(layoutNames)

    static let thresholds = CompletionKind.list(["p50", "p90", "p99", "p99.9"])
    static let stageSpans = CompletionKind.list(LatencyStage.allCases.map(\.name) + ["hid..app", "app..settle"])

    /// The subjects of help.
    static let subjects = CompletionKind.custom { _, _, _ in Help.subjects + FailureID.allCases.map(\.rawValue) }

    private static func list(_ names: [String]) -> CompletionKind {
        .custom { _, _, prefix in
            let before = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
            return names.map { before + $0 }
        }
    }

    // MARK: From a trace or a scene

    /// More than a person looks through.
    private static let offerLimit = 500
    private static let recordLimit = 50_000
    /// The most bytes read of a file.
    private static let byteLimit = 8 << 20

    static let chords = CompletionKind.custom { words, _, _ in chords(in: words) }

    static let presses = CompletionKind.custom { words, _, _ in
        offers(words) { record, _ in
            guard case .key(let key) = record.body, key.phase == .down else { return nil }
            return key.press.map { String($0) }
        }
    }

    /// `cache=nav`, `cost=nav.keyCommands:`, and the other changes.
    static let whatIfs = CompletionKind.custom { words, _, _ in
        let responders = responders(in: words)
        let rules = profileNames.map { "profile=" + $0 } + layoutNames.map { "layout=" + $0 }
        return ["cache=press", "cache=responder", "cache=chain"] + responders.map { "cache=" + $0 }
            + responders.map { "cost=\($0).keyCommands:" } + rules + ["repeat=250ms/33ms"]
    }

    /// Whole conditions, of what the trace holds.
    static let filters = CompletionKind.custom { words, _, _ in
        let chords = chords(in: words).map { "chord == \"\($0)\"" }
        let conditions = chords + responders(in: words).map { "responder == \"\($0)\"" }
            + ["total > 8ms", "not repeat", "outcome == \"unhandled\""]
        // bash takes off what quotes a word that is offered.
        guard CompletionShell.requesting == .bash else { return conditions }
        return conditions.map { $0.replacing("\"", with: "\\\"") }
    }

    private static func chords(in words: [String]) -> [String] {
        offers(words) { record, _ in
            guard case .key(let key) = record.body, key.phase == .down, case .clear(let usage) = key.key,
                !usage.isModifier
            else { return nil }
            return Chord(modifiers: key.modifiers, usage: usage).text
        }
    }

    /// Responders that were asked, or that have a part in a press's outcome; else those of the scene.
    private static func responders(in words: [String]) -> [String] {
        let asked = offers(words) { record, definitions in
            switch record.body {
            case .call(let call): definitions[call.responder]?.id
            case .receiver(let receiver): definitions[receiver.responder]?.id
            default: nil
            }
        }
        guard asked.isEmpty else { return asked }
        for word in words.map(plain) {
            guard let bytes = beginning(of: word), let scene = try? Scene(bytes, file: word) else { continue }
            return scene.responders.map(\.id).filter(isHarmless).prefix(offerLimit).map(\.self)
        }
        return []
    }

    /// bash expands the words that it is offered, and would run a command that a trace has for a name.
    private static func isHarmless(_ word: String) -> Bool {
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "._-+:/#".contains($0) }
    }

    /// Each once, in the order of the trace. A line without a trace offers nothing.
    private static func offers(
        _ words: [String], _ offer: (TraceRecord, TraceDefinitions) -> String?
    ) -> [String] {
        for word in words.map(plain) {
            guard let bytes = beginning(of: word).map({ TraceBytes($0) }), bytes.isTrace,
                var reader = try? TraceReader(bytes)
            else { continue }
            reader.definitionLifetime = .block
            var found: [String] = []
            var known: Set<String> = []
            for _ in 0..<recordLimit {
                guard found.count < offerLimit, let record = reader.next() else { break }
                guard let text = offer(record, reader.definitions), isHarmless(text) else { continue }
                if known.insert(text).inserted { found.append(text) }
            }
            return found
        }
        return []
    }

    /// A shell hands words over as they were typed.
    private static func plain(_ word: String) -> String { word.filter { $0 != "'" && $0 != "\"" && $0 != "\\" } }

    /// The first bytes of a regular file.
    private static func beginning(of path: String) -> [UInt8]? {
        path.hasPrefix("-") ? nil : (try? ByteFile.beginning(of: path, atMost: byteLimit)) ?? nil
    }
}
