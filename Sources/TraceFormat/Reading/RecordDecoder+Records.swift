extension RecordDecoder {
    /// A record's length and fields. Unknown kinds are skipped by their length.
    mutating func body(_ tag: UInt8, _ unknown: inout UInt64) throws(TraceError) -> TraceRecord.Body {
        let length = try cursor.varint("record_bytes")
        guard tag > 0, tag < 0x40 || TraceLimits.privateKinds.contains(tag) else {
            throw TraceError(.outOfRange, field: "kind", expected: "a kind of record", found: "\(tag)")
        }
        guard var body = RecordKind(tag, version: version)?.blank else {
            unknown &+= 1
            let raw = try cursor.bytes(length, limit: TraceLimits.recordBytes, "record_bytes")
            return .unknown(UnknownRecord(kind: tag, payload: Array(raw)))
        }
        guard length <= UInt64(TraceLimits.recordBytes) else {
            throw TraceError(
                .limitExceeded, field: "record_bytes", expected: "at most \(TraceLimits.recordBytes) bytes",
                found: "\(length)")
        }
        let outer = try cursor.enter(length, "record_bytes")
        try body.walk(&self)
        try cursor.leave(outer)
        return body
    }

    /// `nil` for an entry of a kind that is unknown in this version.
    mutating func contextEntry() throws(TraceError) -> ContextEntry? {
        let tag = try cursor.byte("kind")
        let outer = try cursor.enter(try cursor.varint("entry_bytes"), "entry_bytes")
        guard let kind = RecordKind(tag, version: version), var entry = ContextEntry.blank(kind) else {
            cursor.skip(outer)
            return nil
        }
        try entry.walk(&self)
        try cursor.leave(outer)
        return entry
    }
}
