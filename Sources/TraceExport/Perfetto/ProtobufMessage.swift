import TraceFormat

/// A message in protobuf's wire format, written field by field in ascending order of their numbers.
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// A field of type uint64, uint32, enum or bool, or int64 and int32 as their bit pattern.
    mutating func append(_ field: Int, _ value: UInt64) {
        bytes.append(varint: UInt64(field) << 3)
        bytes.append(varint: value)
    }

    /// A field of type fixed64.
    mutating func append(_ field: Int, fixed value: UInt64) {
        bytes.append(varint: UInt64(field) << 3 | 1)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ field: Int, _ text: String) { append(field, Array(text.utf8)) }

    mutating func append(_ field: Int, _ message: ProtobufMessage) { append(field, message.bytes) }

    /// Appends all fields of a message, as if they were this one's.
    mutating func append(fieldsOf message: ProtobufMessage) { bytes += message.bytes }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func append(_ field: Int, _ content: [UInt8]) {
        bytes.append(varint: UInt64(field) << 3 | 2)
        bytes.append(varint: UInt64(content.count))
        bytes += content
    }
}
