import KeyLayout
import KeyModel
import Testing

@testable import ResponderEngine

/// The parts of an engine's state, each by itself.
@Suite("Engine state") struct EngineStateTests {
    private func press(_ key: KeyIdentity, device: UInt16 = 1) throws -> PressesEvent {
        let table = KeyTable(try #require(ShippedLayouts.named("us")))
        return PressesEvent(key, device: device, stroke: Stroke(usage: nil, flags: [], on: table), at: .zero)
    }

    @Test("held keys are taken one by one, the oldest of a masked class first")
    func heldKeys() throws {
        let held = HeldKeys()
        let masked = KeyIdentity.masked(.letter)
        let presses = [try press(masked), try press(masked), try press(.clear(.escape), device: 2)]
        for press in presses { held.append(press) }
        held.apply(.leftShift, .down, device: 1)
        #expect(held.flags == .shift && held.presses.count == 3)
        #expect(held.take(.clear(.escape), 1) == nil)
        #expect(held.take(masked, 1) === presses[0] && held.take(masked, 1) === presses[1])
        #expect(held.take(masked, 1) == nil && held.presses.count == 1)
        #expect(held.press(.clear(.escape), 2) === presses[2])
        #expect(held.takeAll().first === presses[2])
        #expect(held.presses.isEmpty && held.flags.isEmpty)
    }

    @Test("the oldest of too many held presses is forgotten, and no modifier")
    func tooManyHeldKeys() throws {
        let held = HeldKeys()
        held.append(try press(.clear(.leftShift)))
        let letters = try (0..<KeyboardState.usualLimit).map { _ in try press(.masked(.letter)) }
        for letter in letters { held.append(letter) }
        #expect(held.presses.count == KeyboardState.usualLimit)
        #expect(held.press(.clear(.leftShift), 1) != nil && held.press(.masked(.letter), 1) === letters[1])
    }

    @Test("a later key ends the repeats of those before it")
    func repeats() throws {
        let held = HeldKeys()
        let first = try press(.clear(.escape))
        first.repeats = true
        held.append(first)
        #expect(held.repeating(.clear(.escape), 1) === first && held.repeating(.clear(.escape), 2) == nil)
        held.endRepeats()
        #expect(held.repeating(.clear(.escape), 1) == nil)
    }

    @Test("rules follow the profile and the layout")
    func rules() throws {
        let us = try #require(ShippedLayouts.named("us"))
        let rules = KeyRules(try #require(Profile.named("ios15")), us)
        let period = KeyUsage.keyboard(0x37)
        #expect(rules.stroke(.clear(period), flags: .command).usage == .escape)
        #expect(rules.stroke(.clear(period), flags: [.command, .shift]).usage == period)
        #expect(rules.stroke(.masked(.digit), flags: .shift).maskedClass == .digit)
        #expect(rules.isReserved(rules.stroke(.clear(.keyboard(0x0B)), flags: .command)))
        #expect(!rules.isReserved(rules.stroke(.clear(.keyboard(0x0B)), flags: .control)))
        rules.profile = try #require(Profile.named("ios9"))
        #expect(rules.matching.mask.contains(.capsLock) && rules.stages.first == .standardEdit)
        rules.layout = try #require(ShippedLayouts.named("fr"))
        #expect(rules.stroke(.clear(.keyboard(0x04)), flags: []).characters.plain == "q")
    }

    @Test("a cache drops what a change concerns, and counts it once")
    func cache() {
        let (view, other, window) = (View(id: "view"), View(id: "other"), Window(id: "window"))
        let rules = Matching(Profile())
        let cache = CommandCache(.chain)
        let members = ResponderList([view, window])
        cache.keep(
            CommandIndex(start: view, members: members, suppliers: [view, window], commands: [], matching: rules))
        cache.commandsChanged(of: other)
        _ = cache.linksChanged()
        cache.check(view, ResponderList([view, window]), hosts: [])
        cache.check(view, members, hosts: [])
        #expect(cache.index != nil && cache.counts.invalidations == 0)
        _ = cache.linksChanged()
        cache.check(view, ResponderList([view]), hosts: [])
        #expect(cache.index == nil && cache.counts.invalidations == 1)
        cache.dropIndex()
        cache.countLookup(isHit: true, isStale: true)
        cache.countLookup(isHit: false)
        let counts = cache.takeCounts()
        #expect(counts.hits == 1 && counts.stale == 1 && counts.misses == 1 && counts.invalidations == 1)
        #expect(cache.takeCounts() == CacheCounts())
    }

    @Test("a responder beside the chain whose commands were read belongs to the index")
    func besideTheChain() {
        let (view, beside) = (View(id: "view"), View(id: "beside"))
        let index = CommandIndex(
            start: view, members: ResponderList([view]), suppliers: [view, beside], commands: [],
            matching: Matching(Profile()))
        #expect(index.concerns(view) && index.concerns(beside) && !index.concerns(View(id: "other")))
    }

    @Test("lists that follow the structure are dropped when it changes")
    func lists() {
        let (view, follower) = (View(id: "view"), View(id: "follower"))
        follower.followsStructure = true
        let cache = CommandCache(.responder)
        for responder in [view, follower] {
            cache.keep(CachedList(responder: responder, commands: [], collected: []))
        }
        _ = cache.linksChanged()
        #expect(cache.list(of: follower) == nil && cache.list(of: view) != nil && cache.counts.invalidations == 1)
        cache.commandsChanged(of: view)
        cache.dropAll()
        #expect(cache.counts.invalidations == 2)
    }

    @Test("what leaves its window while a press climbs is known at its end, once")
    func climb() {
        let progress = PressProgress()
        let view = View(id: "view")
        progress.leftWindow(view)
        progress.beginClimb()
        #expect(progress.endClimb().isEmpty)
        progress.beginClimb()
        progress.leftWindow(view)
        #expect(progress.endClimb().first === view && progress.endClimb().isEmpty)
    }

    @Test("effects count while something is resolved")
    func effects() {
        let progress = PressProgress()
        progress.report(Effect(id: "a", kind: .offset, value: .flag(true)))
        #expect(progress.effects.isEmpty)
        progress.begin()
        progress.report(Effect(id: "a", kind: .offset, value: .flag(true)))
        #expect(progress.effects.count == 1)
        progress.begin()
        #expect(progress.effects.isEmpty)
    }

    @Test("a followed chain is current until a link changes, where its links are announced")
    func followed() {
        let view = View(id: "view")
        let followed = FollowedChain()
        #expect(!followed.isCurrent(from: view, linkVersion: 0))
        followed.replace(ResponderChain(), from: view, isAnnounced: false)
        #expect(!followed.isCurrent(from: view, linkVersion: 0))
        followed.replace(ResponderChain(), from: view, isAnnounced: true)
        #expect(followed.isCurrent(from: view, linkVersion: 0) && !followed.isCurrent(from: view, linkVersion: 1))
    }

    @Test("a list asks its responders in order until one answers, and lets them go")
    func firstAnswer() {
        weak var gone: View?
        do {
            let views = ["a", "b", "c"].map { View(id: $0) }
            gone = views[2]
            var seen: [String] = []
            let answer = ResponderList(views).first { responder in
                seen.append(responder.id)
                return responder.id == "b" ? seen.count : nil
            }
            #expect(answer == 2 && seen == ["a", "b"])
            #expect(ResponderList(views).first { $0.id == "d" ? 1 : nil } == nil)
        }
        #expect(gone == nil)
    }
}
