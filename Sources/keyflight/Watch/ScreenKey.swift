/// A key of the terminal that a view is shown in.
enum ScreenKey: Hashable {
    case character(Character)
    case enter, escape, backspace, eraseLine
    case up, down, pageUp, pageDown, home, end
    /// Ctrl-Z and Ctrl-C, which raw mode does not turn into signals.
    case suspend, interrupt
}

/// Decodes the bytes of a terminal: UTF-8, the sequences of xterm for keys, and pasted text, which is no command.
struct ScreenKeyDecoder {
    private var bytes: [UInt8] = []
    private var isPasting = false
    /// A sequence that is longer is none.
    private static let longest = 32
    private static let sequences: [String: ScreenKey] = [
        "A": .up, "B": .down, "H": .home, "F": .end, "5~": .pageUp, "6~": .pageDown, "1~": .home, "4~": .end,
        "7~": .home, "8~": .end,
    ]

    /// Keys of a batch of bytes, and whether they were pasted. Without bytes, what waits is as complete as it gets: an
    /// ESC is the key.
    mutating func decode(_ new: [UInt8]) -> [(key: ScreenKey, isPasted: Bool)] {
        bytes += new
        var keys: [(ScreenKey, Bool)] = []
        var place = 0
        while place < bytes.count {
            guard let (key, length) = next(at: place, isLast: new.isEmpty) else { break }
            place += length
            if let key { keys.append((key, isPasting)) }
        }
        bytes.removeFirst(place)
        return keys
    }

    /// The key at a place and the number of its bytes; `nil` where more must come.
    private mutating func next(at place: Int, isLast: Bool) -> (ScreenKey?, Int)? {
        switch bytes[place] {
        case 0x1B:
            guard place + 1 < bytes.count else { return isLast ? (.escape, 1) : nil }
            guard bytes[place + 1] == UInt8(ascii: "[") || bytes[place + 1] == UInt8(ascii: "O") else {
                return (.escape, 1)
            }
            let rest = bytes[(place + 2)...].prefix(ScreenKeyDecoder.longest)
            guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                return isLast || rest.count == ScreenKeyDecoder.longest ? (nil, rest.count + 2) : nil
            }
            let text = String(decoding: rest[...end], as: UTF8.self)
            if text == "200~" || text == "201~" { isPasting = text == "200~" }
            return (ScreenKeyDecoder.sequences[text], end - place + 1)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x15: return (.eraseLine, 1)
        case 0x03: return (.interrupt, 1)
        case 0x1A: return (.suspend, 1)
        case 0..<0x20: return (nil, 1)
        case 0x80...:
            let first = bytes[place]
            let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
            guard place + length <= bytes.count else { return isLast ? (nil, 1) : nil }
            guard let text = String(validating: bytes[place..<place + length], as: UTF8.self) else { return (nil, 1) }
            return (text.first.map { .character($0) }, length)
        default: return (.character(Character(Unicode.Scalar(bytes[place]))), 1)
        }
    }
}
