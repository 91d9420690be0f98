/// Takes the records of a trace, with what their handles mean, as `TraceReader.feed` decodes them. Those that come
/// most often come as runs of one kind, which are valid during the call.
public protocol RunVisitor {
    mutating func visit(keys: PlacedKeys, _ definitions: TraceDefinitions)
    mutating func visit(calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions)
    mutating func visit(stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions)
    /// Any record; calls, stages and keys as well where they stand alone.
    mutating func visit(_ record: TraceRecord, _ definitions: TraceDefinitions)
}

extension TraceReader {
    /// Reads the records that are still to come, in order, with all checks and reports of `next`.
    public mutating func feed(_ visitor: inout some RunVisitor) {
        let room = PlainKeyRoom()
        let runs = RunRoom()
        defer {
            room.deallocate()
            runs.deallocate()
        }
        withUnsafeMutablePointer(to: &visitor) { visitor in
            let shower = RunShower(visitor)
            while true {
                var count: Int
                repeat {
                    count = plainKeys(room)
                    if count > 0 { visitor.pointee.visit(keys: placed(room, count), definitions) }
                    count += feedRuns(shower, runs)
                } while count > 0
                guard let record = next() else { return }
                visitor.pointee.visit(record, definitions)
            }
        }
    }

    /// Shows calls and stages that follow each other. The result is how many.
    private mutating func feedRuns(_ shower: any RunShowing, _ room: RunRoom) -> Int {
        guard decoder.mayBeAtRun else { return 0 }
        // No plain record defines anything, so what handles mean stays the same meanwhile.
        var relay = RunRelay(shower: shower, room: room, definitions: definitions)
        let calls = plainCalls { relay.add(PlacedCall(call: $0, time: $1, sequence: $2)) }
        relay.showCalls()
        let stages = plainStages { relay.add(PlacedStage(stage: $0, time: $1, sequence: $2)) }
        relay.showStages()
        return calls + stages
    }
}

extension RecordDecoder {
    /// False where neither a plain call nor a plain stage is next.
    @inline(__always) fileprivate var mayBeAtRun: Bool {
        if run.left > 0 { return true }
        guard let tag = cursor.place(of: 1)?.load(as: UInt8.self) else { return false }
        return tag & 0xE1 == 0x40 || tag & 0xF8 == PackedDecisions.stagesInTurn
    }
}

/// Shows runs to a visitor of any type: what gathers them is the same for all, and compiled once.
private protocol RunShowing: AnyObject {
    func show(_ calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions)
    func show(_ stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions)
}

private final class RunShower<Visitor: RunVisitor>: RunShowing {
    private let visitor: UnsafeMutablePointer<Visitor>

    init(_ visitor: UnsafeMutablePointer<Visitor>) { self.visitor = visitor }

    func show(_ calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions) {
        visitor.pointee.visit(calls: calls, definitions)
    }

    func show(_ stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions) {
        visitor.pointee.visit(stages: stages, definitions)
    }
}

/// Room for runs.
private struct RunRoom {
    static let limit = 128
    let calls = UnsafeMutablePointer<PlacedCall>.allocate(capacity: RunRoom.limit)
    let stages = UnsafeMutablePointer<PlacedStage>.allocate(capacity: RunRoom.limit)

    func deallocate() {
        calls.deallocate()
        stages.deallocate()
    }
}

/// Gathers records that are decoded one by one.
private struct RunRelay {
    let shower: any RunShowing
    let room: RunRoom
    let definitions: TraceDefinitions
    private var calls = 0
    private var stages = 0

    init(shower: any RunShowing, room: RunRoom, definitions: TraceDefinitions) {
        (self.shower, self.room, self.definitions) = (shower, room, definitions)
    }

    @inline(__always) mutating func add(_ call: PlacedCall) {
        (room.calls + calls).initialize(to: call)
        calls &+= 1
        if calls == RunRoom.limit { showCalls() }
    }

    @inline(__always) mutating func add(_ stage: PlacedStage) {
        (room.stages + stages).initialize(to: stage)
        stages &+= 1
        if stages == RunRoom.limit { showStages() }
    }

    mutating func showCalls() {
        guard calls > 0 else { return }
        shower.show(UnsafeBufferPointer(start: room.calls, count: calls), definitions)
        calls = 0
    }

    mutating func showStages() {
        guard stages > 0 else { return }
        shower.show(UnsafeBufferPointer(start: room.stages, count: stages), definitions)
        stages = 0
    }
}
