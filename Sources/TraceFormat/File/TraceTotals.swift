public import KeyModel

/// Counts of a trace's key events and records by kind, as its index stores them.
public struct TraceTotals: Hashable, Sendable {
    /// Key events as captured, synthetic releases apart, by phase: downs, ups, repeats, cancels.
    public private(set) var downs: UInt64 = 0
    public private(set) var ups: UInt64 = 0
    public private(set) var repeats: UInt64 = 0
    public private(set) var cancels: UInt64 = 0
    /// Key records of releases that no source sent.
    public private(set) var synthetic: UInt64 = 0
    /// Key records that hold only the class of the key.
    public private(set) var masked: UInt64 = 0
    /// Reports that only repeated the one before them, up to 2^64 − 1.
    public private(set) var idleReports: UInt64 = 0
    /// By the number of the kind; that of `key` follows from the phases while counting.
    private var others = [UInt64](repeating: 0, count: TraceTotals.kinds)

    /// Numbers of kinds are below.
    private static let kinds = 128

    /// The other counts, in the order of the index.
    private static var counts: [(name: StaticString, count: WritableKeyPath<TraceTotals, UInt64>)] {
        [
            ("downs", \.downs), ("ups", \.ups), ("repeats", \.repeats), ("cancels", \.cancels),
            ("synthetic", \.synthetic), ("masked", \.masked), ("idle_reports", \.idleReports),
        ]
    }

    package init() {}

    /// Records of one kind; 0 for numbers that no kind can have.
    public func count(ofKind number: UInt8) -> UInt64 {
        if number == RecordKind.key.rawValue { return keys }
        return Int(number) < others.count ? others[Int(number)] : 0
    }

    public func count(of kind: RecordKind) -> UInt64 { count(ofKind: kind.rawValue) }

    /// Records of all kinds.
    public var records: UInt64 { others.reduce(keys) { $0 &+ $1 } }

    /// Records of kinds that are unknown in this version.
    public var unknownRecords: UInt64 {
        var sum: UInt64 = 0
        for number in 0..<UInt8(TraceTotals.kinds) where RecordKind(rawValue: number) == nil {
            sum &+= count(ofKind: number)
        }
        return sum
    }

    private var keys: UInt64 { downs &+ ups &+ repeats &+ cancels &+ synthetic }

    @inline(__always) mutating func note(_ key: KeyRecord) {
        if key.key.usage == nil { masked &+= 1 }
        if key.isSynthetic {
            synthetic &+= 1
            return
        }
        switch key.phase {
        case .down: downs &+= 1
        case .up: ups &+= 1
        case .repeat: repeats &+= 1
        case .cancel: cancels &+= 1
        }
    }

    /// A record of a kind other than `key`.
    @inline(__always) mutating func note(_ kind: RecordKind) { others[Int(kind.rawValue)] &+= 1 }

    package mutating func note(_ body: TraceRecord.Body) {
        switch body {
        case .key(let key): note(key)
        case .unknown(let record): noteKind(record.kind)
        default:
            if case .idle(let idle) = body { idleReports = idleReports.addingSaturated(idle.reports) }
            if let kind = body.kind { noteKind(kind.rawValue) }
        }
    }

    @inline(__always) private mutating func noteKind(_ number: UInt8) {
        if Int(number) < others.count { others[Int(number)] &+= 1 }
    }
}

extension TraceTotals {
    /// The kinds that occur, each with its count, in the order of their numbers; then the other counts.
    func append(to out: inout ByteBuffer) {
        let present = (0..<UInt8(TraceTotals.kinds)).filter { count(ofKind: $0) > 0 }
        out.append(varint: UInt64(present.count))
        for number in present {
            out.append(byte: number)
            out.append(varint: count(ofKind: number))
        }
        for (_, count) in TraceTotals.counts { out.append(varint: self[keyPath: count]) }
    }

    init(_ cursor: inout ByteCursor) throws(TraceError) {
        let present = try cursor.varint("kinds")
        var last: UInt8 = 0
        var saidKeys: UInt64 = 0
        for _ in 0..<present {
            let number = try cursor.byte("kind")
            guard number > last, Int(number) < TraceTotals.kinds else {
                throw TraceError(.field, field: "kind", expected: "\(last + 1)…127", found: "\(number)")
            }
            let count = try cursor.varint("records")
            guard count > 0 else { throw TraceError(.field, field: "records", expected: "at least 1", found: "0") }
            if number == RecordKind.key.rawValue { saidKeys = count } else { others[Int(number)] = count }
            last = number
        }
        for (name, count) in TraceTotals.counts { self[keyPath: count] = try cursor.varint(name) }
        guard keys == saidKeys else {
            throw TraceError(.field, field: "records", expected: "\(keys) of key", found: "\(saidKeys)")
        }
    }

    /// True if the kinds that are counted are those of an index's header. A kind that the trace's version does not name
    /// is `unknown` there, and those of the private range are not counted.
    func agree(with header: RecordKinds) -> Bool {
        var counted = RecordKinds()
        for number in 0..<UInt8(TraceTotals.kinds) where count(ofKind: number) > 0 {
            counted.formUnion(RecordKind(rawValue: number)?.kinds ?? .unknown)
        }
        return header.contains(.unknown) ? counted.isSuperset(of: header.subtracting(.unknown)) : counted == header
    }

    /// The first count that is another one; `nil` when all are the same.
    func difference(from found: TraceTotals) -> TraceError? {
        let records = (0..<UInt8(TraceTotals.kinds)).map { number in
            let name = RecordKind(rawValue: number)?.name ?? "kind \(number)"
            return (name: "records of \(name)", expected: count(ofKind: number), found: found.count(ofKind: number))
        }
        let others = TraceTotals.counts.map { ("\($0.name)", self[keyPath: $0.count], found[keyPath: $0.count]) }
        guard let first = (records + others).first(where: { $0.expected != $0.found }) else { return nil }
        return TraceError(.field, field: first.name, expected: "\(first.expected)", found: "\(first.found)")
    }
}

/// Totals and time range of a trace, from its index.
public struct TraceSummary: Sendable {
    public var totals: TraceTotals
    /// Of the first record; `nil` when there is none.
    public var first: (time: TraceTime, sequence: UInt64)?
    public var lastTime: TraceTime
}
