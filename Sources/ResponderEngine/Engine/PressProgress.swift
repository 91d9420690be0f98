import KeyModel

/// State gathered while one key event is resolved.
struct PressProgress {
    /// Code of responders runs: a key event that comes meanwhile is not resolved.
    var isResolving = false
    var calls = CallCounts()
    /// Kinds of AppKit's messages; `nil` in UIKit.
    var messages: [InvocationKind]?
    var shadowReads = 0
    var effects: [Effect] = []
    /// All commands of the press, kept for a probe.
    var collected: [CollectedCommand] = []
    /// Commands that were considered and did not take the press, by their place among the candidates.
    var fates: [(entry: Int, verdict: CandidateVerdict)] = []
    /// A press is on its way up the chain.
    private(set) var isClimbing = false
    /// Responders that left their window meanwhile: the receivers are known only at the press's end (spec EV-6).
    private var left: [Responder] = []

    mutating func begin() {
        isResolving = true
        calls = CallCounts()
        if messages != nil { messages = nil }
        shadowReads = 0
        if !effects.isEmpty { effects = [] }
        if !fates.isEmpty { fates = [] }
    }

    mutating func report(_ effect: Effect) { if isResolving { effects.append(effect) } }

    mutating func beginClimb() {
        isClimbing = true
        if !left.isEmpty { left = [] }
    }

    mutating func leftWindow(_ responder: Responder) { if isClimbing { left.append(responder) } }

    /// The responders that left their window while the press climbed.
    mutating func endClimb() -> [Responder] {
        isClimbing = false
        defer { if !left.isEmpty { left = [] } }
        return left
    }
}
