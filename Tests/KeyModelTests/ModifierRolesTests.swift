import KeyModel
import Testing

@Suite struct ModifierRolesTests {
    @Test func keysHaveTheRolesOfTheirNames() {
        for usage in ModifierKeys(rawValue: .max).usages {
            #expect(ModifierRoles.physical[usage] == usage.modifierKey?.modifiers)
        }
        for bits in UInt8.min...UInt8.max {
            let keys = ModifierKeys(rawValue: bits)
            var roles = ModifierRoles.physical
            roles.set(.leftGUI, to: .option)
            roles.set(.leftGUI, to: .command)
            #expect(roles.flags(keys) == keys.modifiers)
        }
    }

    @Test func factsComeBack() {
        var roles = ModifierRoles.physical
        roles.set(.leftAlt, to: .command)
        roles.set(.rightGUI, to: [])
        var read = ModifierRoles.physical
        for usage in ModifierKeys(rawValue: .max).usages {
            let fact = ModifierRoles.fact(usage, roles[usage])
            let isRole = read.apply(fact: fact.name, fact.value)
            #expect(isRole)
        }
        #expect(read == roles)
        for (name, value) in [("modifierRole.04", "command"), ("modifierRole.e0", "hyper"), ("profile", "command")] {
            let isRole = read.apply(fact: name, value)
            #expect(!isRole, "\(name)")
        }
        #expect(read == roles)
    }

    @Test func heldKeysGiveTheirRoles() {
        var state = ModifierState()
        state.roles.set(.leftAlt, to: .command)
        state.apply(.leftAlt, .down)
        #expect(state.heldFlags == .command)
        state.roles.set(.leftAlt, to: .option)
        #expect(state.heldFlags == .option)
        state.apply(.leftAlt, .up)
        #expect(state.heldFlags == [])
    }

    @Test func hooksAreDescribedByFacts() throws {
        let hooks = [
            AdapterHook("keyEquivalent", .on, methods: 8), AdapterHook("settle", .off, methods: 0),
            AdapterHook("text", .missing, methods: 2, reason: "no class NSTextView: odd"),
        ]
        let facts = hooks.map { AdapterFact.fact($0) } + [(AdapterFact.toolkit, "gnustep"), ("other", "x")]
        let adapter = try #require(AdapterDescription(facts))
        #expect(adapter.hooks == hooks)
        #expect(adapter.toolkit == "gnustep")
        #expect(adapter.blindHooks.map(\.name) == ["settle", "text"])
        #expect(AdapterDescription([("profile", "ios15")]) == nil)
        #expect(AdapterFact.hook("adapter.hook.x", "on many") == nil)
    }
}
