import KeyModel

/// Reports to the probe why each command that concerns a press won or did not, after the decision.
extension KeyboardEngine {
    func reportCandidates(_ held: HeldPress, _ resolution: Resolution) {
        guard resolution.candidates != nil || !resolution.possible.isEmpty, let probe else { return }
        if held.stroke.maskedClass != nil {
            for reference in resolution.possible { probe.engine(self, reports: .candidate(reference, .possible)) }
            return
        }
        let entries = resolution.candidates?.entries ?? []
        // The fates of one stage are in the order of the entries; two stages may have some.
        var fates = progress.fates
        if zip(fates, fates.dropFirst()).contains(where: { $0.entry > $1.entry }) {
            fates.sort { $0.entry < $1.entry }
        }
        var next = 0
        for (index, entry) in entries.enumerated() {
            let fate = next < fates.count && fates[next].entry == index ? fates[next].verdict : nil
            while next < fates.count, fates[next].entry <= index { next += 1 }
            probe.engine(self, reports: .candidate(entry.reference, fate ?? verdict(of: entry, resolution)))
        }
        for miss in nearMisses(held.stroke, resolution.candidates) {
            probe.engine(self, reports: .candidate(miss.command, miss.verdict))
        }
    }

    /// Looked for once for each list: under policy `chain` a chord keeps its list as long as the index lives.
    private func nearMisses(
        _ stroke: Stroke, _ candidates: CandidateList?
    ) -> [(command: CommandReference, verdict: CandidateVerdict)] {
        if let known = candidates?.nearMisses { return known }
        var misses: [(command: CommandReference, verdict: CandidateVerdict)] = []
        for command in progress.collected {
            switch rules.matching.match(command, stroke) {
            case .wrongModifiers: misses.append((command.reference, .wrongModifiers))
            case .wantsKeypad: misses.append((command.reference, .wantsKeypad))
            case .unrelated:
                if let key = movedKey(command, stroke) { misses.append((command.reference, .movedTo(key))) }
            case .match: break
            }
        }
        candidates?.nearMisses = misses
        return misses
    }

    /// The key of a command that matches the stroke only by its original input; `nil` for all others.
    private func movedKey(_ command: CollectedCommand, _ stroke: Stroke) -> String? {
        let written = command.command.commandInput
        guard written != command.input, stroke.characters.gives(written),
            command.modifiers.intersection(.matchMask) == stroke.matchFlags
        else { return nil }
        return command.input.text
    }

    /// The verdict of a command that no stage came to.
    private func verdict(of entry: CollectedCommand, _ resolution: Resolution) -> CandidateVerdict {
        if entry.isDisabled { return .disabled }
        if resolution.decidedIndex >= 0, let entries = resolution.candidates?.entries,
            resolution.decidedIndex < entries.count
        {
            return .shadowed(by: entries[resolution.decidedIndex].reference)
        }
        return resolution.takenBy.map(CandidateVerdict.takenBefore) ?? .notReached
    }
}
