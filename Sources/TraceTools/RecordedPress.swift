import KeyModel
package import TraceFormat

extension TraceRecord.Body {
    /// The press that the record is of, as a key or as a decision; `nil` for records of none, and for text without
    /// a key, whose press is 0.
    var ordinal: UInt32? {
        guard let press, press > 0 else { return nil }
        return press
    }

    /// The keyboard that a record is about.
    package var device: UInt16? {
        switch self {
        case .key(let record): record.device
        case .idle(let record): record.device
        case .device(let record): record.device
        case .hardware(let record): record.device
        default: nil
        }
    }
}

extension KeyOfDevice {
    init(_ record: KeyRecord) { self.init(record.device, record.key) }
}
