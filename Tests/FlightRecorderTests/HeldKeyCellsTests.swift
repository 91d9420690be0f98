import GeneratedTraces
import KeyModel
import Testing

@testable import FlightRecorder

extension RecorderTests {
    /// The recorder follows held keys in cells of its own, which a signal handler may use. They must agree with
    /// `KeyboardState` on each event and on what is held.
    @Suite struct HeldKeyCellsTests {
        private struct Event {
            let usage: KeyUsage
            let phase: KeyPhase
            let device: UInt16
        }

        /// Text keys of all classes, keys that stay in clear, Caps Lock, keypad, modifiers, and keys of other pages, of
        /// which the cells follow eight.
        private static let usages =
            [0x04, 0x05, 0x1E, 0x2C, 0x2D, 0x90, 0x59, 0x85, 0x28, 0x39, 0x3A, 0x4F, 0x58, 0xFF].map {
                KeyUsage.keyboard($0)
            } + [KeyUsage(page: 0x0C, usage: 0xE9), KeyUsage(page: 0x0C, usage: 0xEA)]
        private static let modifiers = (0xE0...0xE7).map { KeyUsage.keyboard($0) }
        /// Different modulo the number of keyboards that the cells follow.
        private static let devices: [UInt16] = [1, 6, 300]

        /// Any phases in any order: double downs, strays, repeats before and after, cancels.
        private static func event(_ random: inout SeededGenerator) -> Event {
            let usage = random.chance(35) ? random.pick(modifiers) : random.pick(usages)
            let phase = random.pick([KeyPhase.down, .down, .up, .up, .repeat, .cancel])
            return Event(usage: usage, phase: phase, device: random.pick(devices))
        }

        @Test func cellsAndKeyboardStateAgree() {
            for seed in 1...400 as ClosedRange<UInt64> {
                var random = SeededGenerator(seed: seed)
                var cells = HeldKeyCells()
                // What it holds counts for all threads.
                defer { cells.removeAll() }
                var state = KeyboardState()
                cells.showsKeys = random.chance(25)
                for step in 0..<120 {
                    let event = Self.event(&random)
                    let key = KeyIdentity.clear(event.usage)
                    if event.phase == .down { state.endEarlier(key, device: event.device) }
                    let held = state.apply(key, event.phase, device: event.device)
                    let stored = cells.stored(event.usage.rawValue, event.phase, event.device)
                    let identity = cells.showsKeys ? key : key.masked(held)
                    guard let stored, Self.identity(stored.key, stored.form) == identity,
                        stored.ordinal == held?.press ?? 0
                    else {
                        Issue.record("seed \(seed), step \(step): \(event), cells: \(String(describing: stored))")
                        return
                    }
                }
                #expect(Self.held(cells) == Self.held(state, showsKeys: cells.showsKeys), "seed \(seed)")
                #expect(cells.ordinal == state.pressCount, "seed \(seed)")
            }
        }

        private static func identity(_ key: UInt32, _ form: HeldKeyCells.Form) -> KeyIdentity {
            switch form {
            case .clear: .clear(.keyboard(UInt16(key)))
            case .masked: .masked(TextKeyClass(rawValue: UInt8(key)) ?? .letter)
            case .otherPage: .clear(KeyUsage(rawValue: key))
            }
        }

        /// The cells that are not 0, by their place; keys of other pages by their usage, without their keyboard.
        private static func held(_ cells: HeldKeyCells) -> [[UInt64]] {
            let count = 256 * HeldKeyCells.keyboards
            let image = cells.image
            let own = (0..<count).filter { image[$0] != 0 }.map { [UInt64($0), image[$0]] }
            return own + image[count...].filter { $0 != 0 }.sorted().map { [$0] }
        }

        private static func held(_ state: KeyboardState, showsKeys: Bool) -> [[UInt64]] {
            var own: [[UInt64]] = []
            var others: [UInt64] = []
            for held in state.held {
                guard let usage = held.key.usage else { continue }
                guard usage.isKeyboardPage else {
                    others.append(UInt64(usage.rawValue))
                    continue
                }
                let place = UInt64(held.device) % UInt64(HeldKeyCells.keyboards) * 256 + UInt64(usage.usage)
                let isClear = showsKeys || held.isClear || TextKeyClass(usage) == nil
                own.append([place, held.press.map { UInt64($0) << 1 | (isClear ? 1 : 0) } ?? 1])
            }
            return own.sorted { $0[0] < $1[0] } + others.sorted().map { [$0] }
        }
    }
}
