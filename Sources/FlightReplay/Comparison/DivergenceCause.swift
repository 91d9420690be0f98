import TraceFormat

/// Cause of a different outcome of a press: the first difference on its way that concerns it.
///
/// Compared in this order: the start and route, the key commands that concern it, the responder that swallows
/// it, the answers about actions, the results of the candidates, its receivers, and last the other commands.
struct DivergenceCause {
    let expected: NamedPress
    let found: NamedPress
    /// A replay made the recording: it has receivers and candidates of every press.
    let isOfReplay: Bool

    /// `nil` when both are equal.
    var text: String? {
        let (near, first) = listDifferences
        // Lists and links do not reveal the character of a masked key; answers and receivers may.
        if expected.press.isMasked {
            return route ?? near ?? first ?? "the key is masked: which of its class it was is not known"
        }
        return route ?? near ?? swallowing ?? answer ?? candidate ?? receiver ?? first
    }

    // MARK: Where it goes

    private var route: String? {
        // The recording of an app may lack the start of the chain: then it is the first responder.
        if isOfReplay || expected.press.resolution.start != nil, expected.start != found.start {
            return "the chain starts at \(Self.shown(found.start, "no responder")), not at "
                + Self.shown(expected.start, "no responder")
        }
        let (ours, theirs) = (expected.members, found.members)
        if let place = DivergenceCause.firstDifference(ours, theirs) {
            let before = place == 0 ? "the beginning" : Self.shown(ours[place - 1])
            return "after \(before) the chain goes to \(Self.shown(theirs[safe: place], "its end")),"
                + " not to \(Self.shown(ours[safe: place], "its end"))"
        }
        guard isOfReplay else { return nil }
        if expected.keyWindow != found.keyWindow {
            return "the key window is \(Self.shown(found.keyWindow)), not \(Self.shown(expected.keyWindow))"
        }
        if expected.textInput != found.textInput {
            return "\(Self.shown(found.textInput, "no responder")) takes text, not "
                + Self.shown(expected.textInput, "no responder")
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

    /// Commands of the candidates on both sides.
    private var candidates: Set<String> {
        var commands = Set(expected.candidates.lazy.map(\.command))
        commands.formUnion(found.candidates.lazy.map(\.command))
        return commands
    }

    /// The actions that were performed.
    private var performed: Set<String> { Set([expected.action, found.action].compactMap(\.self)) }

    /// The first difference in lists that concerns the press: one about a command that took it, else one about
    /// a candidate, else one about an action that was performed; and the first of all.
    private var listDifferences: (near: String?, first: String?) {
        let (takers, performed) = (takers, performed)
        var candidates: Set<String>?
        var nearest: (rank: Int, text: String)?
        var first: String?
        forEachListDifference { difference in
            first = first ?? difference.text
            let known = candidates ?? self.candidates
            candidates = known
            let rank =
                difference.names(takers) ? 0 : difference.names(known) ? 1 : difference.mentions(performed) ? 2 : 3
            if rank < nearest?.rank ?? 3 { nearest = (rank, difference.text) }
            return rank > 0
        }
        return (nearest?.text, first)
    }

    /// Passes the differences to `body` one by one until it returns false: there may be as many as a list has commands.
    private func forEachListDifference(_ body: (ListDifference) -> Bool) {
        let (wanted, got) = (expected.lists, found.lists)
        for member in expected.members {
            // Under a cache a responder may not have been asked again.
            guard let wanted = expected.commands(of: wanted[member]), let got = found.commands(of: got[member])
            else { continue }
            guard DivergenceCause.compare(wanted, got, "key command", of: member, body) else { return }
        }
        guard isOfReplay, expected.menu != nil || found.menu != nil else { return }
        let (menu, other) = (expected.commands(of: expected.menu), found.commands(of: found.menu))
        _ = DivergenceCause.compare(menu ?? .none, other ?? .none, "command", of: "the main menu", body)
    }

    /// False when `body` wanted no more.
    private static func compare(
        _ wanted: NamedCommands, _ got: NamedCommands, _ what: String, of owner: String,
        _ body: (ListDifference) -> Bool
    ) -> Bool {
        guard let first = firstDifference(wanted, got) else { return true }
        func command(_ place: Int) -> String { "\(what) \(place + 1) of \(shown(owner))" }
        if wanted.count == got.count {
            // One in the place of another, or the same ones in another order.
            for place in first..<wanted.count {
                let (was, now) = (wanted[place], got[place])
                let text = "\(command(place)) is \(now), not \(was)"
                if was != now, !body(ListDifference(text: text, commands: [was, now])) { return false }
            }
            return true
        }
        let (new, gone) = (surplus(of: got, over: wanted), surplus(of: wanted, over: got))
        for place in new {
            let text = "\(command(place)) is new: \(got[place])"
            guard body(ListDifference(text: text, commands: [got[place]])) else { return false }
        }
        for place in gone {
            let text = "\(command(place)) is gone: \(wanted[place])"
            guard body(ListDifference(text: text, commands: [wanted[place]])) else { return false }
        }
        return true
    }

    /// Indices of the commands that one list has and the other has not, or not as often.
    private static func surplus(of list: NamedCommands, over other: NamedCommands) -> [Int] {
        var counts: [String: Int] = [:]
        for text in other { counts[text, default: 0] += 1 }
        return list.indices.filter { place in
            let text = list[place]
            counts[text, default: 0] -= 1
            return counts[text, default: 0] < 0
        }
    }

    // MARK: What was decided on the way

    private var swallowing: String? {
        guard isOfReplay else { return nil }
        let former = Set(expected.receivers)
        for receiver in found.receivers where former.contains(receiver) {
            let (was, now) = (expected.swallowers.contains(receiver), found.swallowers.contains(receiver))
            let what = now ? "keeps the press to itself" : "passes the press on"
            if was != now { return "\(Self.shown(receiver)) \(what)" }
        }
        return nil
    }

    private var answer: String? {
        // An app records the answers of its own classes: what others answer is no difference.
        guard isOfReplay else { return nil }
        for (wanted, got) in zip(expected.answers, found.answers) where wanted != got {
            let action = got.action ?? "an action"
            if wanted.responder == got.responder, wanted.action == got.action {
                return Self.shown(got.responder) + " answers \(got.isYes ? "yes" : "no") to"
                    + " canPerformAction(\(action)), not \(wanted.isYes ? "yes" : "no")"
            }
            return "\(Self.shown(got.responder)) is asked about \(action), not \(Self.shown(wanted.responder))"
                + " about \(wanted.action ?? "an action")"
        }
        return nil
    }

    /// Difference in the result of a candidate, or an additional one.
    private var candidate: String? {
        guard isOfReplay, expected.press.hasCandidates, found.press.hasCandidates else { return nil }
        var formers = Dictionary(expected.candidates.lazy.map { ($0.name, $0.reason) }) { first, _ in first }
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
        return "the press comes to \(Self.shown(found.receivers[safe: place], "no responder")) as number \(place + 1),"
            + " not to \(Self.shown(expected.receivers[safe: place], "no responder"))"
    }

    /// An empty name is quoted: without the quotes it could not be seen.
    static func shown(_ name: String?, _ none: String = "none") -> String {
        name.map { $0.isEmpty ? "\"\"" : $0 } ?? none
    }

    private static func firstDifference(
        _ a: some Collection<String>, _ b: some Collection<String>
    ) -> Int? {
        if let place = zip(a, b).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset { return place }
        return a.count == b.count ? nil : min(a.count, b.count)
    }
}

extension Array {
    fileprivate subscript(safe place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
