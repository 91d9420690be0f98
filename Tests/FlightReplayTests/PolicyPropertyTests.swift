import FlightReplay
import KeyModel
import ResponderEngine
import Testing
import TraceFormat

/// Generated scenes and scripts: whatever changes, as long as it is announced, no cache policy changes what a press
/// resolves to, and a recording replays to the same lines.
@Suite struct PolicyPropertyTests {
    @Test(arguments: 1...24) func everyPolicyResolvesAlike(_ seed: UInt64) throws {
        var generator = SceneGenerator(seed: seed)
        let scene = generator.scene()
        let script = generator.script(steps: 80)
        let expected = try TestReplay(scene, script).lines().map(Resolved.init)
        for policy in ["press", "responder", "chain"] {
            let options = try #require(SceneReplay.Options.named(policy))
            let lines = try TestReplay(scene, script, options).lines()
            let found = lines.map(Resolved.init)
            let place = zip(expected, found).enumerated().first { $1.0 != $1.1 }
            #expect(
                found == expected,
                "seed \(seed), policy \(policy), line \(place.map { "\($0.offset): \($0.element)" } ?? "count")")
            #expect(lines.allSatisfy { $0.cache.stale == 0 }, "seed \(seed), policy \(policy)")
        }
    }

    /// A change that is not announced may be served from a cache, but then the shadow check counts it.
    @Test(arguments: 1...12) func everyDifferenceWithoutAnnouncementIsACountedStaleHit(_ seed: UInt64) throws {
        var generator = SceneGenerator(seed: seed)
        generator.announces = false
        let scene = generator.scene()
        let script = generator.script(steps: 60)
        let fresh = try TestReplay(scene, script).lines()
        for policy in ["responder", "chain"] {
            let options = try #require(SceneReplay.Options.named(policy))
            let cached = try TestReplay(scene, script, options).lines()
            // From the first stale answer on the two may be in different states, and repeat differently.
            let trusted = cached.firstIndex { $0.cache.stale > 0 }
            let found = cached.prefix(trusted ?? cached.count).map(Resolved.init)
            #expect(found == fresh.prefix(trusted ?? fresh.count).map(Resolved.init), "seed \(seed), policy \(policy)")
        }
    }

    @Test(arguments: 1...12) func recordingsReplayToTheSameLines(_ seed: UInt64) throws {
        var generator = SceneGenerator(seed: seed)
        let scene = generator.scene()
        let test = try TestReplay(scene, generator.script(steps: 60))
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        var replay = test.replay
        replay.adopt(RecordedEnvironment(recording))
        #expect(try replay.lines(of: try ReplayTimeline(recording)) == test.lines(), "seed \(seed)")
    }
}

/// SplitMix64: the same scenes on every machine.
struct SceneGenerator {
    private var state: UInt64
    private var count = 0
    /// Whether changed answers are followed by `invalidate`.
    var announces = true

    init(seed: UInt64) { state = seed }

    private mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(max(bound, 1)))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

    private mutating func command() -> String {
        let input = pick(["a", "b", "c", "w", "\"[\"", "left", "escape"])
        let modifiers = pick(["command", "command", "shift, command", "option, command", ""])
        let priority = next(5) == 0 ? ", wantsPriority: true" : ""
        return "{input: \(input), modifiers: [\(modifiers)], action: \"act\(next(5)):\"\(priority)}"
    }

    private mutating func commands() -> String {
        let list = (0..<next(5)).map { _ in command() }
        return "[" + list.joined(separator: ", ") + "]"
    }

    mutating func scene() -> String {
        count = 3 + next(5)
        var text = "scene: 1\nname: generated\n"
        text += "profile: \(pick(["ios7", "ios9", "ios13", "ios134", "ios15", "ios26"]))\nresponders:\n"
        for at in 0..<count {
            text += "  - id: r\(at)\n    kind: \(pick(["view", "viewController", "responder"]))\n"
            text += "    next: \(at + 1 < count ? "r\(at + 1)" : "win")\n    canBecomeFirstResponder: true\n"
            text += "    keyCommands: \(commands())\n    variants: {busy: \(commands()), idle: []}\n"
            let actions = (0..<5).filter { _ in next(3) == 0 }.map { "\"act\($0):\"" }
            text += "    actions: [\(actions.joined(separator: ", "))]\n"
        }
        text += "  - {id: field, kind: textField, next: r0}\n"
        text += "  - {id: win, kind: window, next: app, keyWindow: true}\n"
        text += "  - {id: app, kind: application, keyCommands: \(commands()), actions: [\"act0:\", \"act1:\"]}\n"
        return text + "firstResponder: \(pick(["field", "r0"]))\n"
    }

    mutating func script(steps: Int) -> String {
        (0..<steps).map { _ in step() }.joined(separator: "\n")
    }

    private mutating func step() -> String {
        let id = "r\(next(count))"
        let announcement = announces ? "\ndo invalidate \(id)" : ""
        switch next(12) {
        case 0: return "do set \(id) keyCommands \(pick(["busy", "idle", "keyCommands"]))" + announcement
        case 1: return "do set \(id) canPerform act\(next(5)): \(pick(["true", "false"]))"
        case 2: return "do focus \(pick(["field", id]))"
        case 3: return next(3) == 0 ? "do resign" : "do focus field"
        case 4: return "do set \(id) next \(pick(["win", "app"]))" + announcement
        case 5: return "hold \(chord()) 550ms"
        case 6: return "do set \(id) swallowsPresses \(pick(["true", "false", "false"]))"
        default: return "press \(chord())"
        }
    }

    private mutating func chord() -> String {
        pick(["", "cmd+", "cmd+", "shift+cmd+", "opt+cmd+"]) + pick(["a", "b", "c", "w", "[", "left", "esc"])
    }
}
