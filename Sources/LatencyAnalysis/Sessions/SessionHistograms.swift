import KeyModel
package import TraceFormat
import TracePresses

/// One histogram of a session: of a stage of its presses, or of the calls of one kind that one responder got.
package struct SessionHistogram: Hashable, Sendable {
    package enum Metric: Hashable, Sendable {
        case stage
        /// The time inside a call without the calls made in there.
        case call(CallKind)

        package var name: String {
            switch self {
            case .stage: "stage"
            case .call(let kind): kind.name
            }
        }
    }

    package var metric: Metric
    /// Responder of the calls; `nil` for stages.
    package var responder: String?
    /// Name of the stage; `total` for their sum; `nil` for calls.
    package var stage: String?
    /// `down` or `repeatTick`.
    package var occasion: CallOccasion
    package var durations: DurationBuckets
}

/// Collects `SessionHistogram`s. Counts and sums are those of `TraceStatistics`.
struct SessionHistograms: Sendable {
    private var assembler = PressAssembler([.keys, .texts], .decided)
    private var nested = NestedTimes()
    private var table = BucketTable()
    private var places = HandleTable<ResponderDefinition, Int>()
    /// By place; the first is of all responders beyond the limit.
    private var responders: [ResponderRef?] = [nil]

    /// Responders that have histograms of their own. No real app comes near it.
    private static let responderLimit = 4_096
    private static let totalStage = LatencyStage.allCases.count
    /// Histograms of stages come first: each stage and the total, of presses and of repeats.
    private static let stageCount = (totalStage + 1) * 2
    private static let kindCount = CallKind.allCases.count

    /// Something had no room.
    var isFull: Bool { table.isFull }

    mutating func consume(_ record: TraceRecord) {
        assembler.consume(record)
        countDecided()
        guard case .call(let call) = record.body, call.occasion == .down || call.occasion == .repeatTick else { return }
        let place = places[call.responder] ?? open(call.responder)
        let kind = Int(call.kind.rawValue)
        let number = (place * SessionHistograms.kindCount + kind) * 2 + (call.occasion == .down ? 0 : 1)
        table.add(nested.selfTime(of: call)?.nanoseconds, to: SessionHistograms.stageCount + number)
    }

    private mutating func open(_ responder: ResponderRef) -> Int {
        guard responders.count <= SessionHistograms.responderLimit else { return 0 }
        places[responder] = responders.count
        responders.append(responder)
        return responders.count - 1
    }

    private mutating func countDecided() {
        while let press = assembler.next() {
            guard !press.isText else { continue }
            let occasion = press.isRepeat ? 1 : 0
            press.stages.forEach { table.add($1.nanoseconds, to: $0 * 2 + occasion) }
            if !press.isRemainder, let total = press.stages.total {
                table.add(total.nanoseconds, to: SessionHistograms.totalStage * 2 + occasion)
            }
        }
    }

    /// All histograms, stages first, then calls by kind. `name` gives the id that a responder has in the result;
    /// those with the same one are merged.
    mutating func finish(_ definitions: TraceDefinitions, name: (String?) -> String) -> [SessionHistogram] {
        assembler.finish()
        countDecided()
        let names = responders.map { name($0.flatMap { definitions[$0]?.id }) }
        // The first place that has a name.
        var firsts: [ByteName: Int] = [:]
        let places = names.enumerated().map { place, name in
            if let first = firsts[ByteName(name)] { return first }
            firsts[ByteName(name)] = place
            return place
        }
        let merged = table.merged { number -> Int in
            guard number >= SessionHistograms.stageCount else { return number }
            let rest = number - SessionHistograms.stageCount
            let perPlace = SessionHistograms.kindCount * 2
            // By kind, then by responder, then presses before repeats.
            let (place, kind) = (places[rest / perPlace], rest % perPlace / 2)
            return SessionHistograms.stageCount + (kind * responders.count + place) * 2 + rest % 2
        }
        return merged.sorted { $0.key < $1.key }.map { histogram($0.key, $0.value, names) }
    }

    private func histogram(_ number: Int, _ durations: DurationBuckets, _ names: [String]) -> SessionHistogram {
        let occasion: CallOccasion = number % 2 == 0 ? .down : .repeatTick
        guard number >= SessionHistograms.stageCount else {
            let stage = number / 2 < SessionHistograms.totalStage ? LatencyStage.allCases[number / 2].name : "total"
            return SessionHistogram(metric: .stage, stage: stage, occasion: occasion, durations: durations)
        }
        let rest = (number - SessionHistograms.stageCount) / 2
        return SessionHistogram(
            metric: .call(CallKind.allCases[rest / names.count]), responder: names[rest % names.count],
            occasion: occasion, durations: durations)
    }
}
