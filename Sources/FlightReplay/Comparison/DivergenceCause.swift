import KeyModel
import TraceFormat

/// What explains that a press came to something else than before: the first difference on its way that concerns it.
///
/// Looked at, in this order: where it starts and what it goes by, the key commands that have to do with it, who keeps
/// it, what was answered about actions, what became of the candidates, who received it, and last the other commands.
struct DivergenceCause {
    let expected: NamedPress
    let found: NamedPress
    /// A replay made the recording: it has receivers and candidates of every press.
    let isOfReplay: Bool

    /// `nil` when both say the same.
    var text: String? {
        let lists = listDifferences
        let near =
            lists.first { $0.names(takers) } ?? lists.first { $0.names(candidates) }
            ?? lists.first { $0.mentions(performed) }
        // Lists and links do not tell the character of a masked key; answers and receivers may.
        if expected.press.isMasked {
            return route ?? (near ?? lists.first)?.text ?? "the key is masked: which of its class it was is not known"
        }
        return route ?? near?.text ?? swallowing ?? answer ?? candidate ?? receiver ?? lists.first?.text
    }

    // MARK: Where it goes

    private var route: String? {
        // The recording of an app need not say where the chain starts: then it is the first responder.
        if isOfReplay || expected.press.resolution.start != nil, expected.start != found.start {
            return "the chain starts at \(found.start ?? "nobody"), not at \(expected.start ?? "nobody")"
        }
        let (ours, theirs) = (expected.members, found.members)
        if let place = DivergenceCause.firstDifference(ours, theirs) {
            let before = place == 0 ? "the beginning" : ours[place - 1]
            return "after \(before) the chain goes to \(theirs[safe: place] ?? "its end"),"
                + " not to \(ours[safe: place] ?? "its end")"
        }
        guard isOfReplay else { return nil }
        if expected.keyWindow != found.keyWindow {
            return "the key window is \(found.keyWindow ?? "none"), not \(expected.keyWindow ?? "none")"
        }
        if expected.textInput != found.textInput {
            return "\(found.textInput ?? "nobody") takes text, not \(expected.textInput ?? "nobody")"
        }
        return nil
    }

    // MARK: Lists

    /// A command that one of the two has and the other has not, or has at another place.
    private struct ListDifference {
        var text: String
        /// The commands it is about.
        var commands: [String]
        var actions: [String] { commands.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) } }

        func names(_ relevant: Set<String>) -> Bool { commands.contains { relevant.contains($0) } }
        func mentions(_ relevant: Set<String>) -> Bool { actions.contains { relevant.contains($0) } }
    }

    /// The commands that took the press.
    private var takers: Set<String> { Set([expected.command, found.command].compactMap(\.self)) }

    /// Those that were looked at.
    private var candidates: Set<String> { Set((expected.candidates + found.candidates).map(\.command)) }

    /// The actions that were performed.
    private var performed: Set<String> { Set([expected.action, found.action].compactMap(\.self)) }

    private var listDifferences: [ListDifference] {
        var differences: [ListDifference] = []
        let (wanted, got) = (expected.lists, found.lists)
        for member in expected.members {
            // Under a cache a responder may not have been asked again.
            guard let wanted = expected.commands(of: wanted[member]), let got = found.commands(of: got[member])
            else { continue }
            differences += DivergenceCause.differences(wanted, got, "key command", of: member)
        }
        if isOfReplay, expected.menu != nil || found.menu != nil {
            let wanted = expected.commands(of: expected.menu) ?? []
            let got = found.commands(of: found.menu) ?? []
            differences += DivergenceCause.differences(wanted, got, "command", of: "the main menu")
        }
        return differences
    }

    private static func differences(
        _ wanted: [String], _ got: [String], _ what: String, of owner: String
    ) -> [ListDifference] {
        guard let first = firstDifference(wanted, got) else { return [] }
        if wanted.count == got.count {
            // One in the place of another, or the same ones in another order.
            return zip(wanted, got).enumerated().compactMap { place, pair in
                guard pair.0 != pair.1 else { return nil }
                return ListDifference(
                    text: "\(what) \(place + 1) of \(owner) is \(pair.1), not \(pair.0)", commands: [pair.0, pair.1])
            }
        }
        let differences =
            surplus(of: got, over: wanted).map { place in
                ListDifference(text: "\(what) \(place + 1) of \(owner) is new: \(got[place])", commands: [got[place]])
            }
            + surplus(of: wanted, over: got).map { place in
                ListDifference(
                    text: "\(what) \(place + 1) of \(owner) is gone: \(wanted[place])", commands: [wanted[place]])
            }
        return differences.isEmpty
            ? [ListDifference(text: "\(what) \(first + 1) of \(owner) differs", commands: [])] : differences
    }

    /// Where the one has what the other has not, or not as often.
    private static func surplus(of list: [String], over other: [String]) -> [Int] {
        var counts: [String: Int] = [:]
        for text in other { counts[text, default: 0] += 1 }
        return list.indices.filter { place in
            counts[list[place], default: 0] -= 1
            return counts[list[place], default: 0] < 0
        }
    }

    // MARK: What was decided on the way

    private var swallowing: String? {
        guard isOfReplay else { return nil }
        let former = Set(expected.receivers)
        for receiver in found.receivers where former.contains(receiver) {
            let (was, now) = (expected.swallowers.contains(receiver), found.swallowers.contains(receiver))
            if was != now { return now ? "\(receiver) keeps the press to itself" : "\(receiver) passes the press on" }
        }
        return nil
    }

    private var answer: String? {
        // An app records the answers of its own classes: what others answer is no difference.
        guard isOfReplay else { return nil }
        for (wanted, got) in zip(expected.answers, found.answers) where wanted != got {
            let action = got.action ?? "an action"
            if wanted.responder == got.responder, wanted.action == got.action {
                return "\(got.responder) answers \(got.isYes ? "yes" : "no") to canPerformAction(\(action)),"
                    + " not \(wanted.isYes ? "yes" : "no")"
            }
            return "\(got.responder) is asked about \(action), not \(wanted.responder)"
                + " about \(wanted.action ?? "an action")"
        }
        return nil
    }

    /// What became of a candidate, or that there is another one.
    private var candidate: String? {
        guard isOfReplay, expected.press.hasCandidates, found.press.hasCandidates else { return nil }
        var formers = Dictionary(expected.candidates.map { ($0.name, $0.reason) }) { first, _ in first }
        for candidate in found.candidates {
            guard let former = formers.removeValue(forKey: candidate.name) else {
                return "\(candidate.name) is a candidate now: \(candidate.reason)"
            }
            if former != candidate.reason { return "\(candidate.name): \(candidate.reason), not \(former)" }
        }
        let gone = expected.candidates.first { formers[$0.name] != nil }
        return gone.map { "\($0.name) is no candidate any more, before: \($0.reason)" }
    }

    private var receiver: String? {
        guard isOfReplay || !expected.receivers.isEmpty else { return nil }
        guard let place = DivergenceCause.firstDifference(expected.receivers, found.receivers) else { return nil }
        return "the press comes to \(found.receivers[safe: place] ?? "nobody") as number \(place + 1),"
            + " not to \(expected.receivers[safe: place] ?? "nobody")"
    }

    private static func firstDifference(_ a: [String], _ b: [String]) -> Int? {
        if let place = zip(a, b).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset { return place }
        return a.count == b.count ? nil : min(a.count, b.count)
    }
}

extension Array {
    fileprivate subscript(safe place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
