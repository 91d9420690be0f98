import KeyModel

/// Finds responders that have another name in the second of two traces.
///
/// A name is taken for another's successor where it is in every place in which the other was, and neither occurs
/// in the other trace at all: a responder that was there before is no renamed one.
struct ResponderRenames {
    private(set) var renames: [TraceDiff.Rename] = []
    private var newName: [ByteName: String] = [:]

    init(_ pairs: some Sequence<(PressResult, PressResult)>, base: Set<ByteName>, head: Set<ByteName>) {
        let gone = base.subtracting(head)
        let come = head.subtracting(base)
        guard !gone.isEmpty, !come.isEmpty else { return }
        // For each missing name, the names in its place, with their numbers of presses.
        var votes: [ByteName: [ByteName: Int]] = [:]
        for (old, new) in pairs {
            var seen: Set<[ByteName]> = []
            for (before, after) in ResponderRenames.places(old, new) where gone.contains(before) {
                if seen.insert([before, after]).inserted { votes[before, default: [:]][after, default: 0] += 1 }
            }
        }
        var claims: [ByteName: [ByteName]] = [:]
        for before in votes.keys.sorted() {
            guard let found = votes[before], found.count == 1, let (after, presses) = found.first, come.contains(after)
            else { continue }
            claims[after, default: []].append(before)
            renames.append(TraceDiff.Rename(base: before.text, head: after.text, presses: presses))
        }
        // Two that became one were merged, not renamed.
        renames.removeAll { (claims[ByteName($0.head)]?.count ?? 0) > 1 }
        for rename in renames { newName[ByteName(rename.base)] = rename.head }
    }

    /// Names in corresponding places of two presses.
    private static func places(_ old: PressResult, _ new: PressResult) -> [(ByteName, ByteName)] {
        var places: [(ByteName, ByteName)] = []
        func add(_ before: String?, _ after: String?) {
            if let before, let after { places.append((ByteName(before), ByteName(after))) }
        }
        let (a, b) = (old.decision, new.decision)
        if a.action.byteNames == b.action.byteNames {
            add(a.supplier, b.supplier)
            add(a.target, b.target)
        }
        if a.receivers.count == b.receivers.count { zip(a.receivers, b.receivers).forEach(add) }
        if a.effects.count == b.effects.count {
            for (before, after) in zip(a.effects, b.effects) where before.kind.byteNames == after.kind.byteNames {
                add(before.responder, after.responder)
            }
        }
        if old.candidates.map(\.action.byteNames) == new.candidates.map(\.action.byteNames) {
            for (before, after) in zip(old.candidates, new.candidates) { add(before.supplier, after.supplier) }
        }
        return places
    }

    func applied(to result: PressResult) -> PressResult {
        guard !newName.isEmpty else { return result }
        func renamed(_ name: String) -> String { newName[ByteName(name)] ?? name }
        var result = result
        result.decision.supplier = result.decision.supplier.map(renamed)
        result.decision.target = result.decision.target.map(renamed)
        result.decision.receivers = result.decision.receivers.map(renamed)
        for place in result.decision.effects.indices {
            let effect = result.decision.effects[place]
            result.decision.effects[place].responder = effect.responder.map(renamed)
            // Where the value is a responder's name, as that of `firstResponder` is.
            if let value = effect.value, value.hasPrefix("\""), value.hasSuffix("\"") {
                let name = String(value.dropFirst().dropLast())
                if let other = newName[ByteName(name)] { result.decision.effects[place].value = "\"\(other)\"" }
            }
        }
        for place in result.candidates.indices {
            result.candidates[place].supplier = renamed(result.candidates[place].supplier)
        }
        result.counts.keyCommands = Dictionary(
            result.counts.keyCommands.map { (ByteName(renamed($0.key.text)), $0.value) }, uniquingKeysWith: +)
        return result
    }
}
