import KeyModel
import TraceFormat

extension TraceRecord.Body {
    /// What a decision belongs to; `nil` for records that are no decisions.
    var decided: PressTick? {
        switch self {
        case .receiver(let record): record.at
        case .gesture(let record): record.at
        case .candidate(let record): record.at
        case .effect(let record): record.at
        case .resolution(let record): record.at
        case .stage(let record): record.at
        case .call(let record): record.at
        case .cache(let record): record.at
        default: nil
        }
    }

    /// The same decision of another press; other records stay as they are.
    func decided(at: PressTick) -> TraceRecord.Body {
        switch self {
        case .receiver(var record):
            record.at = at
            return .receiver(record)
        case .gesture(var record):
            record.at = at
            return .gesture(record)
        case .candidate(var record):
            record.at = at
            return .candidate(record)
        case .effect(var record):
            record.at = at
            return .effect(record)
        case .resolution(var record):
            record.at = at
            return .resolution(record)
        case .stage(var record):
            record.at = at
            return .stage(record)
        case .call(var record):
            record.at = at
            return .call(record)
        case .cache(var record):
            record.at = at
            return .cache(record)
        default: return self
        }
    }

    /// The press that the record is of, as a key or as a decision; `nil` for records of none, and for text without
    /// a key, whose press is 0.
    var ordinal: UInt32? {
        guard let press, press > 0 else { return nil }
        return press
    }
}

/// A key of one keyboard, as far as a trace tells keys apart.
struct KeyOfDevice: Hashable {
    var device: UInt16
    var key: KeyIdentity

    init(_ device: UInt16, _ key: KeyIdentity) {
        self.device = device
        self.key = key
    }

    init(_ record: KeyRecord) { self.init(record.device, record.key) }
}
