public import KeyModel

/// A set of record kinds, in the headers of blocks and in the index: filters use it to skip blocks.
///
/// The bit of a kind never changes; kinds that the specification of the trace's version does not name are `unknown`,
/// also in builds that have them.
public struct RecordKinds: NamedFlags, Hashable, Sendable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Key events.
    @inlinable public static var key: RecordKinds { RecordKinds(rawValue: 1 << 0) }
    /// `text` and `idle`: other input.
    @inlinable public static var input: RecordKinds { RecordKinds(rawValue: 1 << 1) }
    /// `device`, `clock`, `clock_relation`, `environment`, `layout`, `level`, `hardware`.
    @inlinable public static var facts: RecordKinds { RecordKinds(rawValue: 1 << 2) }
    /// `first_responder`, `key_window`, `link`, `presentation`, `text_input`, `marked_text`, `keyboard_frame`,
    /// `main_window`.
    @inlinable public static var focus: RecordKinds { RecordKinds(rawValue: 1 << 3) }
    /// `step`, `invalidation` and `mark`.
    @inlinable public static var moments: RecordKinds { RecordKinds(rawValue: 1 << 4) }
    @inlinable public static var loss: RecordKinds { RecordKinds(rawValue: 1 << 5) }
    /// `receiver` and `gesture`.
    @inlinable public static var receiver: RecordKinds { RecordKinds(rawValue: 1 << 6) }
    @inlinable public static var candidate: RecordKinds { RecordKinds(rawValue: 1 << 7) }
    @inlinable public static var effect: RecordKinds { RecordKinds(rawValue: 1 << 8) }
    @inlinable public static var resolution: RecordKinds { RecordKinds(rawValue: 1 << 9) }
    @inlinable public static var stage: RecordKinds { RecordKinds(rawValue: 1 << 10) }
    /// `call` and `invocation`.
    @inlinable public static var call: RecordKinds { RecordKinds(rawValue: 1 << 11) }
    @inlinable public static var cache: RecordKinds { RecordKinds(rawValue: 1 << 12) }
    /// `samples`, `cost`, kinds of later versions and of the private range.
    @inlinable public static var unknown: RecordKinds { RecordKinds(rawValue: 1 << 15) }

    /// All that have a meaning; bits 13 and 14 are 0.
    @inlinable public static var all: RecordKinds { RecordKinds(rawValue: 0x9FFF) }

    /// Names and bits, in the order of the bits.
    public static let named: [(flag: RecordKinds, name: String)] = [
        (.key, "key"), (.input, "input"), (.facts, "facts"), (.focus, "focus"), (.moments, "moments"),
        (.loss, "loss"), (.receiver, "receiver"), (.candidate, "candidate"), (.effect, "effect"),
        (.resolution, "resolution"), (.stage, "stage"), (.call, "call"), (.cache, "cache"), (.unknown, "unknown"),
    ]

    /// The names, joined by `+`; `none` when empty.
    public var text: String { isEmpty ? "none" : exactText }
}

extension RecordKind {
    /// The bit of this kind in `RecordKinds`; none for kinds that are in contexts only.
    public var kinds: RecordKinds {
        switch self {
        case .key: .key
        case .text, .idle: .input
        case .device, .clock, .clockRelation, .environment, .layout, .level, .hardware: .facts
        case .firstResponder, .keyWindow, .link, .presentation, .textInput, .markedText, .keyboardFrame,
            .mainWindow:
            .focus
        case .step, .invalidation, .mark: .moments
        case .loss: .loss
        case .receiver, .gesture: .receiver
        case .candidate: .candidate
        case .effect: .effect
        case .resolution: .resolution
        case .stage: .stage
        case .call, .invocation: .call
        case .cache: .cache
        // Readers of version 2 that do not have these kinds expect their bit there.
        case .samples, .cost: .unknown
        case .keyState, .heldKey, .heldModifiers, .lastList: []
        }
    }
}

extension TraceRecord.Body {
    /// The bit that this record has in `RecordKinds`.
    public var kinds: RecordKinds { kind?.kinds ?? .unknown }
}
