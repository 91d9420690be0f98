/// A message in the wire format of Protocol Buffers, written field by field.
///
/// https://protobuf.dev/programming-guides/encoding: a field is a varint of its number and its wire type, then its
/// value; a message in another is a field with a length.
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    /// Of an enumeration, a `bool`, or an unsigned integer.
    mutating func add(_ field: UInt64, _ value: UInt64) {
        append(varint: field << 3)
        append(varint: value)
    }

    /// Of an `int32` or `int64`.
    mutating func add(_ field: UInt64, signed value: Int64) { add(field, UInt64(bitPattern: value)) }

    /// Of a `fixed64`.
    mutating func add(_ field: UInt64, fixed value: UInt64) {
        append(varint: field << 3 | 1)
        bytes.append(littleEndian: value)
    }

    mutating func add(_ field: UInt64, _ text: String) { add(field, Array(text.utf8)) }

    mutating func add(_ field: UInt64, _ message: ProtobufMessage) { add(field, message.bytes) }

    /// A message that `write` fills in.
    mutating func add(_ field: UInt64, _ write: (inout ProtobufMessage) -> Void) {
        var message = ProtobufMessage()
        write(&message)
        add(field, message)
    }

    private mutating func add(_ field: UInt64, _ content: [UInt8]) {
        append(varint: field << 3 | 2)
        append(varint: UInt64(content.count))
        bytes += content
    }

    /// Appends the fields of another message to these.
    mutating func append(_ other: ProtobufMessage) { bytes += other.bytes }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
