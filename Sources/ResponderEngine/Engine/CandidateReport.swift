import KeyModel

/// Reports to the probe why each command that concerns a press won or did not, after the decision.
extension KeyboardEngine {
    func reportCandidates(_ held: PressesEvent, _ resolution: Resolution) {
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
        let keys = rules.matching.keys(held.stroke)
        for place in nearMisses(held.stroke, keys, resolution.candidates) {
            let command = progress.collected[place]
            guard let verdict = nearMiss(command, held.stroke, keys) else { continue }
            probe.engine(self, reports: .candidate(command.reference, verdict))
        }
    }

    /// Looked for once for each list: under policy `chain` a chord keeps its list as long as the index lives.
    private func nearMisses(
        _ stroke: Stroke, _ keys: Matching.StrokeKeys, _ candidates: CandidateList?
    ) -> [Int] {
        if let known = candidates?.nearMisses { return known }
        let collected = progress.collected
        let found = collected.indices.filter { nearMiss(collected[$0], stroke, keys) != nil }
        candidates?.nearMisses = found
        return found
    }

    /// Why a command for the key of the press does not match it; `nil` for one that matches, and one for another key.
    private func nearMiss(
        _ command: CollectedCommand, _ stroke: Stroke, _ keys: Matching.StrokeKeys
    ) -> CandidateVerdict? {
        switch rules.matching.match(command, stroke, keys) {
        case .wrongModifiers: .wrongModifiers
        case .wantsKeypad: .wantsKeypad
        case .unrelated: movedKey(command, stroke).map(CandidateVerdict.movedTo)
        case .match: nil
        }
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
