import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Values of events")
struct EventValueTests {
    /// Keeps what the keys of its presses were.
    private final class KeyController: ViewController {
        var keys: [Key] = []
        override var canBecomeFirstResponder: Bool { true }
        override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
            keys += presses.compactMap(\.key)
        }
    }

    private func keys(_ usages: [UInt16], layout: String = "us") throws -> [Key] {
        let bench = try Bench("ios15", layout: layout)
        let controller = KeyController(id: "keys")
        bench.window.rootViewController = controller
        bench.engine.focus(controller)
        for usage in usages {
            _ = bench.engine.keyDown(.clear(.keyboard(usage)), at: .zero)
            _ = bench.engine.keyUp(.clear(.keyboard(usage)), at: .zero)
        }
        return controller.keys
    }

    @Test("DT-1 left and right share a bit and differ by key code; no bit is for Globe")
    func dt1() throws {
        let shifts = try keys([0xE1, 0xE5])
        #expect(shifts.map(\.modifierFlags) == [.shift, .shift])
        #expect(shifts.map(\.keyCode) == [.leftShift, .rightShift])
        #expect(shifts.allSatisfy { $0.charactersIgnoringModifiers.isEmpty })
        let all: KeyModifiers = [.capsLock, .shift, .control, .option, .command, .numericPad]
        #expect(all.rawValue == 0x3F_0000)
    }

    @Test("DT-3 DT-4 the key code is the HID usage, a position; text comes from the layout")
    func dt4() throws {
        let german = try keys([0x1C, 0x1D], layout: "de")
        #expect(german.map(\.keyCode) == [.keyboard(0x1C), .keyboard(0x1D)])
        #expect(german.map(\.charactersIgnoringModifiers) == ["z", "y"])
        #expect(KeyUsage.keyboard(0x1C).name == "Y" && KeyUsage.upArrow.usage == 0x52)
    }

    @Test("§1.3 phases and menu flags have the platform's raw values")
    func rawValues() {
        let phases: [Press.Phase] = [.began, .changed, .stationary, .ended, .cancelled]
        #expect(phases.map(\.rawValue) == [0, 1, 2, 3, 4])
        let attributes: [MenuElement.Attributes] = [.disabled, .destructive, .hidden, .keepsMenuPresented]
        #expect(attributes.map(\.rawValue) == [1, 2, 4, 8])
        #expect(GestureRecognizer.State.failed.rawValue == 5)
    }
}
