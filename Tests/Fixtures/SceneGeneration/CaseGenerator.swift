/// Makes up cases: the same seed gives the same case on every machine (SplitMix64).
package struct CaseGenerator {
    private var state: UInt64
    private let limits: Limits

    /// How large a case may be.
    package struct Limits: Sendable {
        package var responders: Int
        package var commands: Int
        package var keys: Int

        package init(responders: Int, commands: Int, keys: Int) {
            self.responders = responders
            self.commands = commands
            self.keys = keys
        }
    }

    package init(seed: UInt64, limits: Limits) {
        state = seed
        self.limits = limits
    }

    private mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(max(bound, 1)))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }
    private mutating func isOneOf(_ many: Int) -> Bool { next(many) == 0 }

    package mutating func make() -> GeneratedCase {
        var made = GeneratedCase()
        let count = 1 + next(limits.responders - 3)
        for at in 0..<count {
            made.members.append(
                GeneratedCase.Member(
                    id: "r\(at)", kind: pick(["view", "viewController", "responder"]),
                    commands: commands(), busy: commands(),
                    actions: (0..<6).filter { _ in next(4) == 0 }.map { "act\($0):" }))
        }
        made.first = pick(["field", "r0", "r\(next(count))"])
        made.applicationCommands = commands()
        made.applicationActions = (0..<6).filter { _ in next(2) == 0 }.map { "act\($0):" }
        // A menu takes each key and each action once.
        var keys: Set<String> = []
        var actions: Set<String> = []
        func unique(_ list: [GeneratedCase.Command]) -> [GeneratedCase.Command] {
            list.prefix(6).filter {
                keys.insert($0.modifiers + $0.input).inserted && actions.insert($0.action).inserted
            }
        }
        made.menu = unique(commands())
        (keys, actions) = ([], [])
        made.otherMenu = unique(commands())
        var presses = 0
        while presses < limits.keys {
            let step = self.step(count, hasOtherMenu: !made.menu.isEmpty && !made.otherMenu.isEmpty)
            if step.line.hasPrefix("press") || step.line.hasPrefix("hold") { presses += 1 }
            made.steps.append(step)
        }
        return made
    }

    private mutating func commands() -> [GeneratedCase.Command] {
        (0..<next(limits.commands + 1)).map { _ in command() }
    }

    private mutating func command() -> GeneratedCase.Command {
        var command = GeneratedCase.Command(
            input: pick(["a", "b", "c", "w", "x", "z", "\"[\"", "\"?\"", "left", "escape", "return", "\"5\""]),
            modifiers: pick(["command", "command", "shift, command", "option, command", "control", ""]),
            action: "act\(next(6)):")
        command.isPriority = isOneOf(5)
        command.isDisabled = isOneOf(9)
        if isOneOf(7) { command.alternate = "act\(next(6)):" }
        return command
    }

    private mutating func step(_ count: Int, hasOtherMenu: Bool) -> GeneratedCase.Step {
        typealias Step = GeneratedCase.Step
        let id = "r\(next(count))"
        switch next(20) {
        case 0:
            let list = pick(["busy", "idle", "keyCommands"])
            return Step(line: "do set \(id) keyCommands \(list)", announcement: "do invalidate \(id)", mentions: [id])
        case 1: return Step(line: "do set \(id) canPerform act\(next(6)): \(pick(["true", "false"]))", mentions: [id])
        case 2: return Step(line: "do focus \(id)", mentions: [id])
        case 3: return isOneOf(3) ? Step(line: "do resign") : Step(line: "do focus field", mentions: ["field"])
        case 4:
            let next = pick(["win", "app"])
            return Step(line: "do set \(id) next \(next)", announcement: "do invalidate \(id)", mentions: [id])
        case 5: return Step(line: "hold \(chord()) 550ms")
        case 6:
            return Step(line: "do set \(id) swallowsPresses \(pick(["true", "false", "false"]))", mentions: [id])
        case 7 where hasOtherMenu && isOneOf(2):
            let menu = pick(["other", "mainMenu"])
            return Step(line: "do menu set \(menu)", announcement: "do setNeedsRebuild", mentions: ["menu"])
        case 8 where isOneOf(3): return Step(line: pick(["do layout fr", "do layout us", "do setNeedsRevalidate"]))
        case 9 where isOneOf(4): return Step(line: pick(["do deactivate", "do activate win", "do activate win"]))
        case 10 where isOneOf(4): return Step(line: pick(["do detach", "do attach", "do attach"]))
        default: return Step(line: "press \(chord())")
        }
    }

    private mutating func chord() -> String {
        pick(["", "cmd+", "cmd+", "cmd+", "shift+cmd+", "opt+cmd+", "ctrl+", "shift+"])
            + pick(["a", "b", "c", "w", "x", "z", "[", "slash", "left", "esc", "return", "5"])
    }
}
