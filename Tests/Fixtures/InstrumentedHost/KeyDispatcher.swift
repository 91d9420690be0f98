import FlightRecorder

/// Sends typed keys through the responders: raw press, three passes of collecting, matching, validating, the action,
/// and what follows it. Each stage is measured twice: by the recorder, and by the host's own clock around it.
final class KeyDispatcher {
    let first: Responder
    private let wait: HandlerWork
    private var presses = 0
    /// What the host's own clock says: press, stage, nanoseconds.
    private(set) var own: [(press: Int, stage: LatencyStage, nanoseconds: UInt64)] = []

    init(first: Responder, wait: HandlerWork) {
        self.first = first
        self.wait = wait
        Keyflight.firstResponder(first, cause: .start)
    }

    private var chain: UnfoldFirstSequence<Responder> { sequence(first: first, next: \.next) }

    private func stage<R>(_ stage: LatencyStage, _ body: () -> R) -> R {
        let begin = hostClock()
        let result = Keyflight.measure(stage, body)
        own.append((presses, stage, hostClock() - begin))
        return result
    }

    /// A key goes down with ⌘ held or not, is handled, and goes up.
    func type(_ usage: UInt16, _ character: Character, command: Bool) {
        if command { Keyflight.key(.leftGUI, .down) }
        presses += 1
        Keyflight.handle(.keyboard(usage), .down, systemTime: hostClock()) {
            handle(character, command ? .command : [])
        }
        Keyflight.key(.keyboard(usage), .up)
        if command { Keyflight.key(.leftGUI, .up) }
    }

    private func handle(_ character: Character, _ modifiers: KeyModifiers) -> RecordedResolution {
        stage(.presses) {
            wait.run()
            _ = chain.first { !$0.pressBegan() }
        }
        let collected = stage(.collect) {
            var collected: [(supplier: Responder, command: Shortcut)] = []
            for _ in 1...3 {
                collected = chain.flatMap { responder in responder.keyCommands.map { (responder, $0) } }
            }
            return collected
        }
        let found = stage(.match) {
            wait.run()
            return collected.first { $0.command.input == character && $0.command.modifiers == modifiers }
        }
        guard let found else { return RecordedResolution(.unhandled) }
        let target = stage(.validate) {
            wait.run()
            let target = chain.first { $0.canPerform(found.command.action) }
            return target.flatMap { $0.validate(found.command.action) ? $0 : nil }
        }
        guard let target else { return RecordedResolution(.blockedUnperformable, by: .keyCommands) }
        stage(.action) { target.perform(found.command.action) }
        stage(.settle) { wait.run() }
        var resolution = RecordedResolution(
            .performed, by: .keyCommands, action: found.command.action, supplier: found.supplier, target: target)
        resolution.start = first
        return resolution
    }
}
