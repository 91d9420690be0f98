import KeyModel

/// State gathered while one key event is resolved.
final class PressProgress {
    /// Code of responders runs: a key event that comes meanwhile is not resolved.
    var isResolving = false
    var calls = CallCounts()
    var shadowReads = 0
    /// Some of the lists below were changed. Most presses change none, and reading a list that is changed in place is
    /// checked at run time.
    private(set) var hasLists = false
    /// Kinds of AppKit's messages; `nil` in UIKit.
    var messages: [InvocationKind]? { didSet { hasLists = true } }
    private(set) var effects: [Effect] = [] { didSet { hasLists = true } }
    /// Commands that were considered and did not take the press, by their place among the candidates.
    var fates: [(entry: Int, verdict: CandidateVerdict)] = [] { didSet { hasLists = true } }
    /// Responders that left their window meanwhile: the receivers are known only at the press's end (spec EV-6).
    private var left: [Responder] = [] { didSet { hasLists = true } }
    /// All commands of the press, kept for a probe.
    var collected: [CollectedCommand] = []
    /// A press is on its way up the chain.
    private var isClimbing = false

    func begin() {
        isResolving = true
        calls = CallCounts()
        shadowReads = 0
        guard hasLists else { return }
        (messages, effects, fates) = (nil, [], [])
        hasLists = false
    }

    func report(_ effect: Effect) { if isResolving { effects.append(effect) } }

    func beginClimb() { isClimbing = true }

    func leftWindow(_ responder: Responder) { if isClimbing { left.append(responder) } }

    /// The responders that left their window while the press climbed.
    func endClimb() -> [Responder] {
        isClimbing = false
        guard hasLists else { return [] }
        defer { left = [] }
        return left
    }
}
