import KeyModel
import ResponderEngine
import Testing

@Suite("Collecting key commands, and what caches save and break")
struct CollectionTests {
    private func bench(_ profile: String, _ cache: CachePolicy, shadow: Bool = false) throws -> Bench {
        let bench = try Bench(profile, cache: cache)
        bench.engine.shadowCheck = shadow
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act", "other"]
        // A chain of five under every profile: from iOS 13 the scene is one of them.
        if !bench.engine.profile.windowScenes { bench.window.explicitNext = bench.scene }
        return bench
    }

    @Test("KC-1 a pass reads every responder to the end of the chain, match or not")
    func kc1() throws {
        let bench = try bench("ios15", .none)
        #expect(try bench.press("cmd+k").calls.keyCommands == 5)
        #expect(try bench.press("j").calls.keyCommands == 5)
    }

    @Test("KC-2 the supplier need not implement the action")
    func kc2() throws {
        let bench = try bench("ios15", .none)
        let near = ProbeController(id: "near")
        near.nextOverride = bench.vc
        near.commands = [command("j", .command, "other")]
        bench.engine.focus(near)
        let resolution = try bench.press("cmd+j")
        #expect(resolution.supplierID == "near" && resolution.target === bench.vc)
    }

    @Test("KC-3 added key commands come in the order they were added")
    func kc3() {
        let controller = ViewController()
        #expect(controller.keyCommands == nil)
        let commands = ["b", "a"].map { command($0, [], "act") }
        commands.forEach(controller.addKeyCommand)
        #expect(controller.keyCommands?.map(\.input) == ["b", "a"])
        controller.removeKeyCommand(commands[0])
        #expect(controller.keyCommands?.map(\.input) == ["a"])
    }

    @Test("KC-4 iOS 7 asks a chain of five fifteen times for a press, iOS 15 five times")
    func kc4() throws {
        let seven = try bench("ios7", .none).press("cmd+k")
        #expect(seven.calls.keyCommands == 15 && seven.cache.lookups == 15 && seven.cache.misses == 15)
        let fifteen = try bench("ios15", .none).press("cmd+k")
        #expect(fifteen.calls.keyCommands == 5 && fifteen.cache.lookups == 5)
    }

    @Test("KC-4 nothing is remembered between presses")
    func kc4fresh() throws {
        let bench = try bench("ios15", .none)
        try bench.press("cmd+k")
        bench.vc.commands = []
        #expect(try bench.press("cmd+k").outcome == .unhandled)
    }

    @Test("KC-4 a repeat asks again, where the parameter says so")
    func kc4tick() throws {
        let bench = try bench("ios15", .none)
        try bench.down("cmd+k")
        let key = KeyIdentity.clear(.keyboard(0x0E))
        #expect(bench.engine.repeatTick(key, at: .zero)?.calls.keyCommands == 5)
        try bench.engine.profile.set("queryOnRepeatTick", to: "false")
        #expect(bench.engine.repeatTick(key, at: .zero)?.calls.keyCommands == 5)
        #expect(bench.engine.repeatTick(key, at: .zero)?.calls.keyCommands == 0)
    }

    @Test("KC-5 answers that differ within one press are seen by the probe; the first one decides")
    func kc5() throws {
        final class Changing: ViewController {
            var count = 0
            override var keyCommands: [KeyCommand]? {
                count += 1
                return count == 1 ? [command("k", .command, "act")] : []
            }
            override func responds(to action: Selector) -> Bool { true }
        }
        let bench = try bench("ios7", .none)
        let changing = Changing()
        changing.explicitNext = bench.window
        bench.engine.focus(changing)
        let probe = ProbeLog()
        bench.engine.probe = probe
        #expect(try bench.press("cmd+k").outcome == .performed)
        #expect(probe.lists(of: "Changing") == [1, 0, 0])
    }

    @Test("KC-6 no first responder: the deepest responder starts from iOS 13, the window on iOS 9")
    func kc6() throws {
        for (profile, start) in [("ios9", "win"), ("ios13", "vc"), ("ios134", "vc"), ("ios15", "vc")] {
            let bench = try bench(profile, .none)
            let probe = ProbeLog()
            bench.engine.probe = probe
            bench.engine.focus(nil)
            let resolution = try bench.press("cmd+k")
            #expect(probe.starts == [start])
            #expect(resolution.outcome == (profile == "ios9" ? .unhandled : .performed))
        }
    }

    @Test("KC-7 the primary column's commands count off the chain, where the parameter says so")
    func kc7() throws {
        final class Split: ViewController {
            override var offChainSuppliers: [Responder] { children.prefix(1).map { $0 } }
        }
        let bench = try bench("ios134", .none)
        let split = Split(id: "split")
        let (primary, secondary) = (ProbeController(id: "primary"), ProbeController(id: "secondary"))
        primary.commands = [command("p", .command, "other")]
        split.addChild(primary)
        split.addChild(secondary)
        split.explicitNext = bench.vc
        bench.engine.focus(secondary)
        #expect(try bench.press("cmd+p").outcome == .unhandled)
        try bench.engine.profile.set("splitViewQueriesPrimary", to: "true")
        let resolution = try bench.press("cmd+p")
        #expect(resolution.supplierID == "primary" && resolution.target === bench.vc)
    }

    @Test("KC-8 one command on every responder is harmless: the first wins")
    func kc8() throws {
        let bench = try bench("ios15", .none)
        let shared = command("k", .command, "act")
        let near = ProbeController(id: "near")
        near.nextOverride = bench.vc
        near.commands = [shared]
        bench.vc.commands = [shared]
        bench.engine.focus(near)
        let resolution = try bench.press("cmd+k")
        #expect(resolution.supplierID == "near" && bench.vc.performed == ["act"])
        #expect(resolution.shadowed.map(\.supplierID) == ["vc"])
    }

    @Test("policy press reads once, and repeats use that")
    func policyPress() throws {
        let bench = try bench("ios7", .press)
        try bench.engine.profile.set("repeats", to: "true")
        let first = try bench.down("cmd+k")
        #expect(first.calls.keyCommands == 5 && first.cache.lookups == 1 && first.cache.misses == 1)
        let tick = try #require(bench.engine.repeatTick(.clear(.keyboard(0x0E)), at: .zero))
        #expect(tick.calls.keyCommands == 0 && tick.cache.hits == 1)
        try bench.up("cmd+k")
        #expect(try bench.press("cmd+k").calls.keyCommands == 5)
    }

    @Test("policy press reads again for a repeat when the action of the press itself changed the commands")
    func policyPressOwnAction() throws {
        let bench = try Bench("ios15", cache: .press)
        bench.vc.commands = [command("k", [], "once")]
        bench.vc.implemented = ["once"]
        bench.vc.onAction = { [vc = bench.vc, engine = bench.engine] _ in
            vc.commands = []
            engine.invalidate(vc)
        }
        let resolution = try bench.down("k")
        #expect(resolution.outcome == .performed && resolution.cache.invalidations == 1)
        let tick = try #require(bench.engine.repeatTick(.clear(.keyboard(0x0E)), at: .zero))
        #expect(tick.outcome == .unhandled && tick.cache.misses == 1)
    }

    @Test("policy press keeps the lists of a held key while links change that are not on its chain")
    func policyPressElsewhere() throws {
        let bench = try Bench("ios15", cache: .press)
        bench.vc.commands = [command("k", [], "once")]
        bench.vc.implemented = ["once"]
        let view = View(id: "elsewhere")
        bench.vc.onAction = { [bench] _ in bench.view.addSubview(view) }
        let resolution = try bench.down("k")
        #expect(resolution.outcome == .performed && resolution.cache.invalidations == 0)
        bench.vc.onAction = { [bench] _ in bench.engine.focus(bench.vc) }
        let tick = try #require(bench.engine.repeatTick(.clear(.keyboard(0x0E)), at: .zero))
        #expect(tick.cache.hits == 1 && tick.cache.invalidations == 1, "its chain begins elsewhere now")
        let next = try #require(bench.engine.repeatTick(.clear(.keyboard(0x0E)), at: .zero))
        #expect(next.cache.misses == 1 && next.cache.invalidations == 0)
    }

    @Test("policy responder reads a list until its responder says that it changed")
    func policyResponder() throws {
        let bench = try bench("ios7", .responder)
        let first = try bench.press("cmd+k")
        #expect(first.calls.keyCommands == 5 && first.cache.lookups == 15 && first.cache.misses == 5)
        let second = try bench.press("cmd+k")
        #expect(second.calls.keyCommands == 0 && second.cache.hits == 15)
        bench.vc.setNeedsKeyCommandsUpdate()
        let third = try bench.press("cmd+k")
        #expect(third.calls.keyCommands == 1 && third.cache.hits == 14 && third.cache.invalidations == 1)
        bench.engine.focus(bench.vc)
        #expect(try bench.press("cmd+k").cache.misses == 0)
    }

    @Test("policy chain asks nothing after the first press until something changes")
    func policyChain() throws {
        let bench = try bench("ios7", .chain)
        let first = try bench.press("cmd+k")
        #expect(first.calls.keyCommands == 5 && first.cache.lookups == 1 && first.cache.misses == 1)
        let second = try bench.press("cmd+k")
        #expect(second.calls.keyCommands == 0 && second.cache.hits == 1 && second.outcome == .performed)
        bench.vc.setNeedsKeyCommandsUpdate()
        let third = try bench.press("cmd+k")
        #expect(third.calls.keyCommands == 5 && third.cache.invalidations == 1 && third.cache.misses == 1)
        bench.engine.focus(bench.vc)
        let fourth = try bench.press("cmd+k")
        #expect(fourth.calls.keyCommands == 4 && fourth.cache.invalidations == 1)
        bench.engine.layout = bench.engine.layout
        #expect(try bench.press("cmd+k").cache.hits == 1)
        bench.engine.layout.name = "another"
        #expect(try bench.press("cmd+k").cache.invalidations == 1)
    }

    @Test("policy chain is not dropped by what does not concern its chain")
    func policyChainElsewhere() throws {
        let bench = try bench("ios15", .chain)
        try bench.press("cmd+k")
        bench.view.addSubview(View(id: "elsewhere"))
        let other = ProbeController(id: "other")
        bench.engine.invalidate(other)
        let resolution = try bench.press("cmd+k")
        #expect(resolution.cache.hits == 1 && resolution.cache.invalidations == 0)
    }

    @Test(
        "an answer that changed silently is a stale hit under the shadow check",
        arguments: [CachePolicy.responder, .chain])
    func stale(policy: CachePolicy) throws {
        let bench = try bench("ios15", policy, shadow: true)
        #expect(try bench.press("cmd+k").cache.stale == 0)
        #expect(try bench.press("cmd+k").cache.stale == 0)
        bench.vc.commands = [command("k", .command, "other")]
        let stale = try bench.press("cmd+k")
        #expect(stale.cache.stale == 1 && stale.action == "act" && stale.calls.keyCommands == 0)
        #expect(stale.shadowReads == 5)
        bench.engine.invalidate(bench.vc)
        let fresh = try bench.press("cmd+k")
        #expect(fresh.cache.stale == 0 && fresh.action == "other")
    }

    @Test("a next that changed silently is a stale hit; an announced one is not")
    func staleNext() throws {
        let bench = try bench("ios15", .chain, shadow: true)
        let near = ProbeController(id: "near")
        near.commands = [command("k", .command, "other")]
        near.nextOverride = bench.vc
        try bench.press("cmd+k")
        bench.view.setExplicitNextSilently(near)
        let stale = try bench.press("cmd+k")
        #expect(stale.cache.stale == 1 && stale.action == "act" && stale.receivers.map(\.id).contains("near"))
        bench.view.explicitNext = near
        #expect(try bench.press("cmd+k").action == "other")
    }
}

/// Keeps what the engine reports.
final class ProbeLog: EngineProbe {
    var reports: [EngineReport] = []
    func engine(_ engine: KeyboardEngine, reports report: EngineReport) { reports.append(report) }

    var starts: [String] {
        reports.compactMap { if case .pressBegan(_, let start) = $0 { start?.id ?? "-" } else { nil } }
    }

    func lists(of id: String) -> [Int] {
        reports.compactMap {
            if case .keyCommands(let responder, _, let list, _) = $0, responder.id == id { list.count } else { nil }
        }
    }

    /// `supplier action verdict` of every candidate.
    var verdicts: [String] {
        reports.compactMap { report in
            guard case .candidate(let reference, let verdict) = report else { return nil }
            let text =
                switch verdict {
                case .performed: "performed"
                case .notPerformable: "not performable"
                case .blocked: "blocked"
                case .shadowed(let by): "shadowed by \(by.supplierID) \(by.action)"
                case .takenBefore(let stage): "taken before by \(stage.name)"
                case .disabled: "disabled"
                case .wrongModifiers: "wrong modifiers"
                case .wantsKeypad: "wants keypad"
                case .movedTo(let key): "moved to \(key)"
                case .possible: "possible"
                case .notReached: "not reached"
                }
            return "\(reference.supplierID) \(reference.action) \(text)"
        }
    }
}
