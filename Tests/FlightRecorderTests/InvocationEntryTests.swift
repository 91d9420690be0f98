import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    /// What an adapter records.
    @Suite struct Invocations {
        private static let view = RecordedResponder(id: "NSTextView", kind: "NSTextView")
        private static let window = RecordedResponder(id: "NSWindow", kind: "NSWindow")

        private func invocations(_ recording: Recording) -> [InvocationRecord] {
            recording.records.compactMap { if case .invocation(let record) = $0.body { record } else { nil } }
        }

        @Test func messagesBelongToTheirPress() throws {
            let recording = try recorded({ $0.recordsInvocations = true }) { _ in
                Keyflight.mainWindow(Self.window)
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                let outer = Keyflight.now()
                let inner = Keyflight.now()
                Keyflight.invocation(
                    .sendAction, of: Self.view, selector: RecordedName("performClose:"), sender: Self.window,
                    answer: .responder(Self.window), began: inner, depth: 1)
                Keyflight.invocation(
                    .keyEquivalent, of: RecordedResponder(id: "mainMenu", kind: "NSMenu"),
                    selector: RecordedName("performKeyEquivalent:"), answer: .yes, began: outer, count: 24,
                    path: RecordedName("File ▸ Close"))
                Keyflight.key(.keyboard(0x1A), .up)
                Keyflight.invocation(
                    .keyUp, of: Self.view, selector: RecordedName("keyUp:"), answer: .list(3),
                    began: Keyflight.now())
            }
            let found = invocations(recording)
            #expect(found.map(\.kind) == [.sendAction, .keyEquivalent, .keyUp])
            #expect(found.map(\.at) == Array(repeating: PressTick(press: 1, tick: 0), count: 3))
            #expect(found.map(\.occasion) == [.down, .down, .release])
            #expect(found.map(\.depth) == [1, 0, 0])
            #expect(found.map(\.count) == [1, 24, 1])
            let sender = try #require(found[0].sender)
            #expect(found[0].answer == .responder(sender))
            #expect(found[1].path.flatMap { recording.definitions[$0] } == "File ▸ Close")
            #expect(found[1].duration >= found[0].duration)
            #expect(found[2].answer == .list(3))
            #expect(found[2].selector.flatMap { recording.definitions[$0] } == "keyUp:")
            #expect(recording.records.contains { if case .mainWindow = $0.body { true } else { false } })
        }

        @Test func theTextOfASelectorIsReadOnce() throws {
            let selector = try #require(strdup("copy:"))
            defer { free(selector) }
            var readings = 0
            let recording = try recorded({ $0.recordsInvocations = true }) { _ in
                for _ in 0..<2 {
                    let name = RecordedName(at: selector) {
                        readings += 1
                        return UnsafePointer(selector)
                    }
                    #expect(name == RecordedName("copy:"))
                    Keyflight.invocation(.targetForAction, of: Self.window, selector: name, began: Keyflight.now())
                }
            }
            #expect(readings == 1)
            let names = invocations(recording).map { $0.selector.flatMap { recording.definitions[$0] } }
            #expect(names == ["copy:", "copy:"])
        }

        @Test func aMaskedPressKeepsNoSelectorSenderOrPath() throws {
            let recording = try recorded({ $0.recordsInvocations = true }) { _ in
                Keyflight.key(.keyboard(0x04), .down)
                Keyflight.invocation(
                    .doCommand, of: Self.view, selector: RecordedName("secretAction:"), sender: Self.window,
                    began: Keyflight.now(), path: RecordedName("Secret"))
                Keyflight.invocation(
                    .insertText, of: Self.view, selector: RecordedName("insertText:"), began: Keyflight.now())
            }
            let found = invocations(recording)
            #expect(found[0].selector == nil && found[0].sender == nil && found[0].path == nil)
            #expect(found[1].selector.flatMap { recording.definitions[$0] } == "insertText:")
        }

        @Test func withoutTheOptionNothingOfVersion2IsStored() throws {
            let recording = try recorded { _ in
                Keyflight.mainWindow(Self.window)
                Keyflight.key(.keyboard(0x1A), .down)
                Keyflight.invocation(.keyDown, of: Self.view, selector: nil, began: Keyflight.now())
            }
            #expect(recording.version == 1)
        }

        @Test func modifiersGoByTheirRoles() throws {
            var roles = ModifierRoles.physical
            roles.set(.leftAlt, to: .command)
            roles.set(.leftGUI, to: [])
            let recording = try recorded({ $0.modifierRoles = roles }) { _ in
                press(0x1A, with: [0xE2])
                press(0x1A, with: [0xE3])
            }
            let keys = recording.keys
            #expect(keys[1].key == .clear(.keyboard(0x1A)))
            #expect(keys[1].modifiers == .command)
            #expect(keys[3].modifiers == [])
            #expect(keys[5].key == .masked(.letter))
            let facts = recording.records.compactMap { record -> EnvironmentRecord? in
                if case .environment(let fact) = record.body { fact } else { nil }
            }
            #expect(facts.contains(EnvironmentRecord(name: "modifierRole.e2", value: "command")))
            #expect(facts.contains(EnvironmentRecord(name: "modifierRole.e3", value: "none")))
            // Another recording has the roles of the keys' names again.
            let other = try recorded { _ in press(0x1A, with: [0xE2]) }
            #expect(other.keys[1].key == .masked(.letter))
        }

        @Test func locksBeginNoPressesWhereTheyAreModifiers() throws {
            let typed = { (_: Flight) in for usage in [0x04, 0x39, 0x53, 0x05] as [UInt16] { press(usage) } }
            let keys = try recorded({ $0.locksAreModifiers = true }, typed).keys
            #expect(keys.map(\.press) == [1, 1, nil, nil, nil, nil, 2, 2])
            #expect(keys.map { $0.modifiers.contains(.capsLock) } == [false, false] + Array(repeating: true, count: 6))
            #expect(keys[3].key == .clear(.capsLock) && keys[5].key == .clear(.keypadNumLock))
            #expect(!keys.contains { $0.isSynthetic })
            #expect(try recorded({ _ in }, typed).keys.map(\.press) == [1, 1, 2, 2, 3, 3, 4, 4])
        }

        @Test func rolesAreKnownLaterThanTheRecordingBegins() throws {
            var roles = ModifierRoles.physical
            roles.set(.leftAlt, to: .command)
            let recording = try recorded { _ in
                Keyflight.modifierRoles(roles)
                press(0x1A, with: [0xE2])
                // Back again: the trace says so, too.
                Keyflight.modifierRoles(.physical)
                press(0x1A, with: [0xE2])
            }
            let keys = recording.keys
            #expect(keys[1].key == .clear(.keyboard(0x1A)))
            #expect(keys[1].modifiers == .command)
            #expect(keys[5].key == .masked(.letter))
            #expect(keys[5].modifiers == .option)
            let facts = recording.records.compactMap { record -> String? in
                if case .environment(let fact) = record.body, fact.name == "modifierRole.e2" { fact.value } else { nil }
            }
            #expect(facts == ["command", "option"])
        }

        @Test func timeInsideNestedPressesIsCountedOnce() throws {
            let recording = try recorded { _ in
                Keyflight.handle(.keyboard(0x28), .down) {
                    Keyflight.measure(.action) {
                        usleep(2_000)
                        for _ in 0..<3 {
                            Keyflight.handle(.keyboard(0x29), .down) {
                                Keyflight.measure(.collect) { usleep(5_000) }
                                Keyflight.measure(.action) { usleep(5_000) }
                                return RecordedResolution(.performed)
                            }
                        }
                    }
                    return RecordedResolution(.performed)
                }
            }
            let outer = recording.stages.filter { $0.at.press == 1 }
            #expect(outer.map(\.stage) == [.action])
            #expect(outer[0].duration.nanoseconds >= 2_000_000)
            #expect(outer[0].duration.nanoseconds < 25_000_000, "30 ms are those of the presses inside")
            let inner = recording.stages.filter { $0.at.press > 1 }
            #expect(inner.count == 6)
            #expect(inner.allSatisfy { $0.duration.nanoseconds >= 5_000_000 })
        }
    }
}
