import ArgumentParser
import KeyModel
import TraceFormat

/// What a shell can offer of the trace that a command line names.
enum TraceCompletion {
    /// More than a person looks through, and read in a moment.
    private static let recordLimit = 50_000
    private static let offerLimit = 500

    static let chords = CompletionKind.custom { (words: [String], _: Int, _: String) -> [String] in
        offers(words) { key in
            guard case .clear(let usage) = key.key, !usage.isModifier else { return nil }
            return Chord(modifiers: key.modifiers, usage: usage).text
        }
    }

    static let presses = CompletionKind.custom { (words: [String], _: Int, _: String) -> [String] in
        offers(words) { $0.press.map { String($0) } }
    }

    /// Each once, in the order of the trace. A line without a trace offers nothing.
    private static func offers(_ words: [String], _ offer: (KeyRecord) -> String?) -> [String] {
        for word in words where !word.hasPrefix("-") {
            guard let bytes = try? TraceFile.bytes(of: word), var reader = try? TraceReader(bytes) else { continue }
            reader.definitionLifetime = .block
            var found: [String] = []
            var known: Set<String> = []
            for _ in 0..<recordLimit {
                guard found.count < offerLimit, let record = reader.next() else { break }
                guard case .key(let key) = record.body, key.phase == .down, let text = offer(key) else { continue }
                if known.insert(text).inserted { found.append(text) }
            }
            return found
        }
        return []
    }
}
