public import KeyModel
public import ResponderEngine

/// Some of what was dictated (`UIDictationPhrase`; spec TX-12).
public struct DictationPhrase: Hashable, Sendable {
    /// The most likely interpretation.
    public let text: String
    /// Other interpretations, most likely first.
    public let alternativeInterpretations: [String]

    public init(text: String, alternativeInterpretations: [String] = []) {
        self.text = text
        self.alternativeInterpretations = alternativeInterpretations
    }
}

extension KeyboardEngine {
    /// Dictation: one insertion of the likeliest text, whatever alternatives came along, so that a replay is the same
    /// with and without them. `nil` when nothing takes text.
    public func insertDictationResult(_ phrases: [DictationPhrase], at time: TraceTime) -> Resolution? {
        insertText(phrases.map(\.text).joined(), at: time)
    }
}

/// A place for dictated text to come (spec TX-12): a text may contain several at once.
public struct DictationPlaceholder: Hashable, Sendable {
    let number: Int
}

/// The placeholders of a text responder. They take no room in the text.
struct DictationPlaceholders {
    private var places: [(placeholder: DictationPlaceholder, offset: Int)] = []
    private var made = 0

    mutating func insert(at offset: Int) -> DictationPlaceholder {
        made += 1
        let placeholder = DictationPlaceholder(number: made)
        places.append((placeholder, offset))
        return placeholder
    }

    func offset(of placeholder: DictationPlaceholder) -> Int? {
        places.first { $0.placeholder == placeholder }?.offset
    }

    mutating func remove(_ placeholder: DictationPlaceholder) -> Int? {
        guard let index = places.firstIndex(where: { $0.placeholder == placeholder }) else { return nil }
        return places.remove(at: index).offset
    }

    /// Keeps them where they are in a text that changes before them.
    mutating func shift(_ start: Int, _ oldCount: Int, _ newCount: Int) {
        for index in places.indices { places[index].offset.shift(start, oldCount, newCount) }
    }
}

extension Int {
    /// Keeps an offset where it is in a text of which `oldCount` characters from `start` become `newCount`.
    mutating func shift(_ start: Int, _ oldCount: Int, _ newCount: Int) {
        if self >= start + oldCount {
            self += newCount - oldCount
        } else if self > start {
            self = Swift.min(self, start + newCount)
        }
    }
}
