public import KeyModel

/// A key event, when it was, and where it stands.
@frozen public struct PlacedKey: Hashable, Sendable {
    public let key: KeyRecord
    public let time: TraceTime
    public let sequence: UInt64

    @inlinable init(key: KeyRecord, time: TraceTime, sequence: UInt64) {
        self.key = key
        self.time = time
        self.sequence = sequence
    }
}

/// A call, when it was told, and where it stands.
@frozen public struct PlacedCall: Hashable, Sendable {
    public let call: CallRecord
    public let time: TraceTime
    public let sequence: UInt64

    @inlinable public init(call: CallRecord, time: TraceTime, sequence: UInt64) {
        (self.call, self.time, self.sequence) = (call, time, sequence)
    }
}

/// A stage, when it was told, and where it stands.
@frozen public struct PlacedStage: Hashable, Sendable {
    public let stage: StageRecord
    public let time: TraceTime
    public let sequence: UInt64

    @inlinable public init(stage: StageRecord, time: TraceTime, sequence: UInt64) {
        (self.stage, self.time, self.sequence) = (stage, time, sequence)
    }
}

/// Key events of one keyboard that follow each other in a trace, checked and each made into a record when it is asked
/// for. Valid during the call that shows them.
@frozen public struct PlacedKeys: RandomAccessCollection {
    @usableFromInline let places: UnsafeBufferPointer<PlainPlace>
    @usableFromInline let codes: UnsafePointer<PlainKeyCode>
    @usableFromInline let device: UInt16
    @usableFromInline let sequence: UInt64

    init(_ room: PlainKeyRoom, count: Int, device: UInt16, sequence: UInt64) {
        places = UnsafeBufferPointer(start: room.places, count: count)
        codes = UnsafePointer(room.codes)
        self.device = device
        self.sequence = sequence
    }

    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { places.count }

    @inlinable public subscript(position: Int) -> PlacedKey {
        let place = places[position]
        let code = codes + Int(place.code)
        return PlacedKey(
            key: KeyRecord(
                device: device, key: code.pointee.key, phase: place.phase,
                modifiers: KeyModifiers(rawValue: place.modifiers | code.pointee.flags),
                press: place.press != 0 && code.pointee.isPressed ? place.press : nil),
            time: TraceTime(rawValue: place.time), sequence: sequence &+ UInt64(position))
    }
}

/// A packed key, decoded as far as those behind it need it.
@frozen @usableFromInline struct PlainPlace {
    @usableFromInline var time: Int64
    /// 0 for none; of a modifier key it means nothing.
    @usableFromInline var press: UInt32
    /// Without `numericPad`, which belongs to the key.
    @usableFromInline var modifiers: UInt32
    /// Where its code stands among those of the room.
    @usableFromInline var code: UInt16
    /// That of the packed key.
    @usableFromInline var tag: UInt8

    @inlinable var phase: KeyPhase { KeyPhase(rawValue: tag >> 3 & 3) ?? .down }

    /// Asked of the tag: comparing phases makes branches of its own.
    @inline(__always) var isRepeat: Bool { tag & 0x18 == 0x10 }
}
