package import LatencyAnalysis
import KeyModel
package import TraceFormat
import TracePresses

/// Two traces compared: resolutions first, then exact counts, then time. Presses are paired by their input, so
/// that a press more is one press more, and responders that only changed their name are reported as that.
package struct TraceDiff: Sendable {
    package var base: Side
    package var head: Side
    package var renames: [Rename]
    /// In the order of the traces.
    package var changes: [Change]
    package var unchanged: Int
    /// Presses of which neither records what became of them.
    package private(set) var unrecorded = 0
    /// Presses that one of the two leaves open, since a key is masked or an answer is not recorded.
    package private(set) var undecided = 0
    /// Those of them that both leave open alike.
    package private(set) var undecidedInBoth = 0
    /// Every press and repeat of both, in order.
    package var pairs: [AlignedPress]
    /// `nil` where one of the traces does not contain every call.
    package var counts: [Count]?
    /// Sums of the paired presses of head by the name of the count; empty where counts were not compared.
    package private(set) var sums: [String: UInt64] = [:]
    /// The part that only one of the two records.
    package var inequality: Comparability.Mismatch?
    /// Both were recorded to hold what presses came to, and not their keys alone.
    package var expectsResolutions = false
    /// `nil` where one of the traces contains no time.
    package var time: TimeComparison?
    /// Allocations of the same presses by stage, where they differ: an app's may, and decide nothing.
    package private(set) var allocations: [Count] = []
    /// Fields that one of the traces never records, and that are not compared.
    package var missing: [MissingField]

    package struct MissingField: Hashable, Sendable {
        package var field: String
        /// The base lacks it; the head does otherwise.
        package var isOfBase: Bool
    }

    package struct Side: Hashable, Sendable {
        package var name: String
        package var presses: Int
        /// Records that it says are lost.
        package var lost: UInt64 = 0
        /// The first press of which not every record is compared.
        package var shortened: PressTick?
        /// It holds more of presses than their keys.
        package var isDecided = false
    }

    /// A responder with another name now, in every press in which it has a part.
    package struct Rename: Hashable, Sendable {
        package var base: String
        package var head: String
        /// Presses in which it has a part.
        package var presses: Int
    }

    package enum Change: Hashable, Sendable {
        /// `why` is the reason from the candidates of the new side for which the old winner lost; `nil` where they have
        /// none.
        case changed(base: PressResult, head: PressResult, fields: [FieldChange], why: String?)
        case removed(PressResult)
        case added(PressResult)

        /// The press of the base that it is about, or the one of head that is new.
        var press: PressTick {
            switch self {
            case .changed(let press, _, _, _), .removed(let press), .added(let press): press.at
            }
        }
    }

    /// A sum over all paired presses that differs.
    package struct Count: Hashable, Sendable {
        /// Such as `calls.keyCommands`, `keyCommands of tabs`, `cache.hits`.
        package var name: String
        package var base: UInt64
        package var head: UInt64
        /// Presses in which it differs.
        package var affected: Int
        /// The first of them, in the second trace.
        package var presses: [UInt32]
    }

    /// Expected and found values as in `replay --format jsonl`.
    package struct FieldChange: Hashable, Sendable {
        package var field: String
        package var base: String
        package var head: String
    }

    package var changed: Int { changes.count { if case .changed = $0 { true } else { false } } }
    package var removed: Int { changes.count { if case .removed = $0 { true } else { false } } }
    package var added: Int { changes.count { if case .added = $0 { true } else { false } } }

    /// Resolutions and counts are the same. Names and time are no part of it.
    package var isIdentical: Bool { changes.isEmpty && counts?.isEmpty ?? true }

    /// Two traces, of which one may record what the other does not.
    package init(
        base: PressResults, named baseName: String, head: PressResults, named headName: String,
        comparability: Comparability
    ) {
        self.init(
            base: base, named: baseName, head: head, named: headName, comparesCounts: comparability.comparesCounts)
        (inequality, expectsResolutions) = (comparability.inequality, comparability.expectsResolutions)
    }

    package init(
        base: PressResults, named baseName: String, head: PressResults, named headName: String, comparesCounts: Bool
    ) {
        self.base = Side(baseName, base)
        self.head = Side(headName, head)
        let steps = SequenceAlignment(base.results.lazy.map(\.input), head.results.lazy.map(\.input)).steps
        // By place: there may be millions of presses, and each of them is large.
        let places = steps.lazy.compactMap { step -> (base: Int, head: Int)? in
            if case .both(let old, let new) = step { (old, new) } else { nil }
        }
        let pairs = places.map { (base.results[$0.base], head.results[$0.head]) }
        let names = ResponderRenames(pairs, base: base.responders, head: head.responders)
        renames = names.renames
        missing = PressResult.fields.compactMap { field in
            if !base.records(field), head.hasValues(of: field) { return MissingField(field: field, isOfBase: true) }
            if !head.records(field), base.hasValues(of: field) { return MissingField(field: field, isOfBase: false) }
            return nil
        }
        let leftOut = Set(missing.map(\.field))
        changes = []
        unchanged = 0
        self.pairs = []
        for step in steps {
            let known = changes.count
            var pressed: (base: PressTick?, head: PressTick?)
            switch step {
            case .onlyFirst(let old):
                changes.append(.removed(base.results[old]))
                pressed.base = base.results[old].at
            case .onlySecond(let new):
                changes.append(.added(head.results[new]))
                pressed.head = head.results[new].at
            case .both(let old, let new):
                pressed = (base.results[old].at, head.results[new].at)
                compare(names.applied(to: base.results[old]), head.results[new], leftOut)
            }
            self.pairs.append(
                AlignedPress(base: pressed.base, head: pressed.head, isChanged: changes.count > known))
        }
        if comparesCounts {
            let accumulator = CountAccumulator(pairs.map { (names.applied(to: $0.0), $0.1) })
            (counts, sums) = (accumulator.changes, accumulator.sumsOfHead)
            if let lack = pairs.first(where: { ($0.0.counts.cache == nil) != ($0.1.counts.cache == nil) }) {
                let isOfBase = lack.0.counts.cache == nil
                missing.append(MissingField(field: "cache of press \(lack.1.at.press)", isOfBase: isOfBase))
            }
        }
        let made = places.map { (base.costs[base.results[$0.base].at], head.costs[head.results[$0.head].at]) }
        allocations = LatencyStage.allCases.compactMap { stage in
            var count = Count(name: stage.name, base: 0, head: 0, affected: 0, presses: [])
            for (place, costs) in zip(places, made) {
                let (before, after) = (costs.0?.stages[stage], costs.1?.stages[stage])
                guard let old = before?.count, let new = after?.count, old != new else { continue }
                (count.base, count.head) = (count.base.addingSaturated(old), count.head.addingSaturated(new))
                count.affected += 1
                if count.affected <= 8 { count.presses.append(head.results[place.head].at.press) }
            }
            return count.affected > 0 ? count : nil
        }
        // Only the values that are needed of each press are copied.
        let presses = places.filter { base.results[$0.base].at.tick == 0 && head.results[$0.head].at.tick == 0 }
        time = TimeComparison(
            base: presses.map { base.stages($0.base, beside: $0.head, of: head) },
            head: presses.map { head.stages($0.head, beside: $0.base, of: base) })
    }

    /// Compares two presses that are the same, but for fields that are `leftOut`.
    private mutating func compare(_ before: PressResult, _ after: PressResult, _ leftOut: Set<String>) {
        let isOneSided = before.isDecided != after.isDecided && base.isDecided && head.isDecided
        if !before.isDecided, !after.isDecided, base.isDecided || head.isDecided {
            unrecorded += 1
            return
        }
        guard !isOneSided, before.isComparable(to: after) else {
            undecided += 1
            if !isOneSided, before.decision == after.decision,
                before.candidates == after.candidates
            {
                undecidedInBoth += 1
            }
            return
        }
        var fields = before.decision.differences(from: after.decision).filter { !leftOut.contains($0.field) }
        let isSameShadow = leftOut.contains("shadowed") || before.candidates == after.candidates
            || before.shadowedCommands == after.shadowedCommands
        if !isSameShadow {
            let (old, new) = (TraceDiff.list(before.shadowed), TraceDiff.list(after.shadowed))
            fields.append(FieldChange(field: "shadowed", base: old, head: new))
        }
        if fields.isEmpty {
            unchanged += 1
        } else {
            changes.append(.changed(base: before, head: after, fields: fields, why: before.reason(of: after)))
        }
    }

    /// Fields that differ in some press.
    var fields: [GoldenField] {
        var names = Set((counts ?? []).map(\.name))
        for case .changed(_, _, let fields, _) in changes { names.formUnion(fields.map(\.field)) }
        return GoldenField.allCases.filter { names.contains($0.rawValue) }
    }

    static func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }
}

extension TraceDiff.Side {
    fileprivate init(_ name: String, _ results: PressResults) {
        self.init(
            name: name, presses: results.results.count, lost: results.lost, shortened: results.shortened,
            isDecided: results.isDecided)
    }
}

extension PressResult.Decision {
    /// Fields that differ, in the order of the report.
    func differences(from other: PressResult.Decision) -> [TraceDiff.FieldChange] {
        if self == other { return [] }
        var changes: [TraceDiff.FieldChange] = []
        // By values: the texts of two that differ may be the same.
        func compare<Value: Equatable>(_ field: String, _ value: (Self) -> Value, _ text: (Value) -> String) {
            let (old, new) = (value(self), value(other))
            guard old != new else { return }
            let (base, head) = DiffFormatter.distinct(text(old), text(new))
            changes.append(TraceDiff.FieldChange(field: field, base: base, head: head))
        }
        func compareNames(_ field: String, _ value: (Self) -> String?) {
            compare(field, { value($0).byteNames }, { $0?.text ?? "null" })
        }
        compare("outcome", \.outcome, \.name)
        compare("takenBy", \.takenBy) { $0?.name ?? "null" }
        compareNames("action", \.action)
        compareNames("supplier", \.supplier)
        compareNames("target", \.target)
        compareNames("text", \.text)
        compare("receivers", \.receivers.byteNames) { TraceDiff.list($0.map(\.text)) }
        compare("effects", \.effects) { TraceDiff.list($0.map(\.name)) }
        return changes
    }
}

extension PressResult {
    /// Compared fields of a press, in the order of the report.
    static let fields = [
        "outcome", "takenBy", "action", "supplier", "target", "text", "receivers", "effects", "shadowed",
    ]

    /// The `fields` that have a value here.
    var fieldsWithValue: [String] {
        let values = [
            isDecided, decision.takenBy != nil, decision.action != nil, decision.supplier != nil,
            decision.target != nil, decision.text != nil, !decision.receivers.isEmpty, !decision.effects.isEmpty,
            !candidates.isEmpty,
        ]
        return zip(PressResult.fields, values).filter(\.1).map(\.0)
    }
}

extension PressResult {
    /// An outcome that is open cannot be compared, on both sides neither: what the key is may differ.
    fileprivate func isComparable(to other: PressResult) -> Bool {
        decision.outcome.isDecided && other.decision.outcome.isDecided
    }
}

extension PressResult.Effect {
    var name: String { [responder, kind, value].compactMap(\.self).joined(separator: " ") }
}

extension PressResult {
    /// Reason for which the winner of this press did not win in `other`, as far as that one's candidates show.
    func reason(of other: PressResult) -> String? {
        guard decision.action != other.decision.action || decision.supplier != other.decision.supplier,
            let action = decision.action, let supplier = decision.supplier
        else { return nil }
        let name = "\(action) of \(supplier)"
        if let candidate = other.candidates.first(where: { $0.supplier == supplier && $0.action == action }) {
            switch candidate.verdict {
            case .shadowed:
                let winner = other.decision.supplier.map { " by \($0)" } ?? ""
                return "\(name) is now shadowed\(winner)"
            default:
                let reason = candidate.reason.isEmpty ? candidate.verdict.name : candidate.reason
                return "\(name): \(reason)"
            }
        }
        guard !other.candidates.isEmpty || other.counts.calls[0] > 0 else { return nil }
        if let elsewhere = other.candidates.first(where: { $0.action == action && $0.verdict == .won }) {
            return "\(action) comes from \(elsewhere.supplier) now, not from \(supplier)"
        }
        if supplier == "mainMenu" { return "\(name) is no longer in the menu, or no longer matches" }
        // An unhandled press went along the whole chain.
        let receivers = other.decision.receivers
        if other.decision.outcome == .unhandled, !receivers.isEmpty,
            !receivers.byteNames.contains(ByteName(supplier))
        {
            return "\(supplier) is no longer on the chain, which begins at \(receivers[0])"
        }
        return "\(name) is no longer returned by keyCommands, or no longer matches"
    }
}
