import ArgumentParser
import KeyModel
import TraceFormat

/// A choice of records of a trace: those that match all that is asked for.
struct RecordFilter: ParsableArguments {
    @Option(help: "Records of this kind, such as key, resolution or call. May be repeated.") var kind: [RecordKind] = []

    @Option(help: "From this time on: an integer and ns, us, ms or s.") var from: TraceDuration?

    @Option(help: "Up to this time, itself included.") var to: TraceDuration?

    @Option(
        help: "What belongs to the press with this ordinal, or to those from N to M: N-M. May be repeated.",
        completion: Completion.presses)
    var press: [PressRange] = []

    var isSet: Bool { !kind.isEmpty || from != nil || to != nil || !press.isEmpty }

    func admits(_ record: TraceRecord) -> Bool {
        if let from, record.time.nanoseconds < from.nanoseconds { return false }
        if let to, record.time.nanoseconds > to.nanoseconds { return false }
        if !kind.isEmpty {
            guard let found = record.body.kind, kind.contains(found) else { return false }
        }
        if !press.isEmpty {
            guard let found = record.body.press, press.contains(where: { $0.ordinals.contains(found) }) else {
                return false
            }
        }
        return true
    }

    /// The blocks of a trace that may hold a record that is admitted.
    func selection(of trace: TraceReader) -> BlockSelection {
        var selection = BlockSelection()
        if !kind.isEmpty { selection.kinds = kind.reduce(into: []) { $0.formUnion($1.kinds) } }
        if let to { selection.to = TraceTime(nanoseconds: to.nanoseconds) }
        guard from != nil || !press.isEmpty, let index = TraceIndex(stored: trace.bytes) else { return selection }
        if let from, let number = index.number(ofTime: TraceTime(nanoseconds: from.nanoseconds)) {
            selection.from = index.blocks[number].offset
        }
        if let first = press.map(\.ordinals.lowerBound).min(), let number = index.number(ofPress: first),
            trace.goesDown(first, in: index.blocks[number])
        {
            // Whatever belongs to a press comes after its key went down.
            selection.from = max(selection.from, index.blocks[number].offset)
        }
        return selection
    }
}

/// Ordinals of presses: `N` or `N-M`.
struct PressRange: ExpressibleByArgument, Hashable {
    var ordinals: ClosedRange<UInt32>

    init?(argument: String) {
        let bounds = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
        guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2, first <= last else {
            return nil
        }
        ordinals = first...last
    }
}

extension TraceReader {
    /// True when this press goes down in this block.
    fileprivate func goesDown(_ press: UInt32, in block: TraceIndex.Block) -> Bool {
        var reader = self
        guard reader.seek(to: block) else { return false }
        let number = reader.blocks
        while let record = reader.next(), reader.blocks == number {
            if case .key(let key) = record.body, key.phase == .down, key.press == press { return true }
        }
        return false
    }
}
