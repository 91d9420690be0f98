import KeyModel

/// Tells the probe why each command that concerns a press won or did not, after the decision.
extension KeyboardEngine {
    func reportCandidates(_ held: HeldPress, _ resolution: Resolution) {
        guard held.didCollect, let probe else { return }
        let commands = collected
        if held.stroke.maskedClass != nil {
            for reference in resolution.possible { probe.engine(self, reports: .candidate(reference, .possible)) }
            return
        }
        let entries = resolution.candidates?.entries ?? []
        for (index, entry) in entries.enumerated() {
            probe.engine(self, reports: .candidate(entry.reference, verdict(index, entry, resolution)))
        }
        for command in commands {
            switch matching.match(command, held.stroke) {
            case .wrongModifiers: probe.engine(self, reports: .candidate(command.reference, .wrongModifiers))
            case .wantsKeypad: probe.engine(self, reports: .candidate(command.reference, .wantsKeypad))
            case .match, .unrelated: break
            }
        }
    }

    private func verdict(_ index: Int, _ entry: CollectedCommand, _ resolution: Resolution) -> CandidateVerdict {
        if let fate = fates.first(where: { $0.entry == index }) { return fate.verdict }
        if entry.isDisabled { return .disabled }
        if resolution.decidedIndex >= 0, let entries = resolution.candidates?.entries,
            resolution.decidedIndex < entries.count
        {
            return .shadowed(by: entries[resolution.decidedIndex].reference)
        }
        return resolution.takenBy.map(CandidateVerdict.takenBefore) ?? .notReached
    }
}
