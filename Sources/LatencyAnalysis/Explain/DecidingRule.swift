import KeyModel
import TraceFormat

extension PressExplanation {
    /// The id of the rule of the specification by which the press came to its outcome; `nil` where nothing was decided.
    package var decidingRule: String? {
        guard let resolution else { return nil }
        if let rule = appKitRule(resolution) ?? recentRule(resolution) { return rule }
        switch resolution.outcome {
        case .blockedUnperformable: return "MT-10"
        case .noStart: return "KC-6"
        case .cancelled: return "EV-6"
        case .unhandled where resolution.takenBy == nil: return unhandledRule
        case .undetermined, .unrecorded: return nil
        default: return resolution.takenBy.flatMap { stageRule($0, resolution) }
        }
    }

    /// The rule of the part of the system that took the key.
    private func stageRule(_ takenBy: TakenBy, _ resolution: ResolutionFacts) -> String? {
        if isCommandPeriod, resolution.character == "UIKeyInputEscape" { return "EV-2" }
        return switch takenBy {
        case .presses: "EV-5"
        case .priorityKeyCommands, .standardEdit, .builtinText, .text: "EV-8"
        case .keyCommands where isModifier: "EV-11"
        case .keyCommands: "MT-9"
        case .mainMenu: "MM-9"
        case .inputMethod: "EV-10"
        case .focus: "EV-14"
        case .scroll: "EV-15"
        case .keyBinding: "KB-1"
        case .system: "MT-13"
        case .keyEquivalent, .keyDown, .services: "LA-9"
        case .eventLoop: "LA-16"
        default: nil
        }
    }

    /// The rule that kept the last candidate from a press that nothing took; without one, no responder offered the key.
    private var unhandledRule: String {
        if isModifier { return "EV-11" }
        let verdicts = Set(ladder.flatMap(\.candidates).map(\.verdict))
        if verdicts.contains(.unperformable) { return "MT-10" }
        if verdicts.contains(.disabled) { return "MT-11" }
        return verdicts.contains(.otherModifiers) ? "MT-1" : "KC-1"
    }

    /// On iOS 26 and 27, what the order before them would not have brought about.
    private func recentRule(_ resolution: ResolutionFacts) -> String? {
        guard context.commandsMayGoFirst, !isModifier else { return nil }
        let isSeen = ladder.contains(where: \.isReceiver)
        switch (resolution.outcome, resolution.takenBy) {
        case (.blockedUnperformable, .standardEdit): return "I26-3"
        case (.performed, .standardEdit):
            let isByScene = ladder.contains { $0.isTarget && $0.kind.hasSuffix("indowScene") }
            return isByScene ? "I26-4" : isSeen ? nil : "I26-2"
        case (.performed, .priorityKeyCommands), (.performed, .keyCommands), (.performed, .mainMenu):
            return isSeen ? nil : "I26-1"
        default: return nil
        }
    }

    /// On AppKit's path the order of its stages decides, but for what GNUstep does otherwise.
    private func appKitRule(_ resolution: ResolutionFacts) -> String? {
        guard let profile = context.profile,
            ["appkit", "gnustep"].contains(where: { profile.hasPrefix($0) })
        else { return nil }
        switch resolution.outcome {
        case _ where resolution.takenBy == .eventLoop: return "LA-16"
        case .blockedUnperformable: return profile.hasPrefix("gnustep") ? "LA-10" : "LA-9"
        case .consumedByText where key?.modifiers.contains(.command) == true: return "LA-11"
        case .performed, .consumedByText, .consumedByFocus, .swallowedByPresses: return "LA-9"
        default: return nil
        }
    }

    private var isModifier: Bool { key?.key.usage.map { $0.isModifier || $0 == .capsLock } ?? false }

    private var isCommandPeriod: Bool { key?.key.usage == .period && key?.modifiers.contains(.command) == true }
}
