import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// Notes what it gets, and whether it calls `super` first.
private final class KeyRecognizer: GestureRecognizer {
    var log: [String] = []
    var callsSuper = false
    var onBegan: () -> Void = {}

    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent) {
        if callsSuper { super.pressesBegan(presses, with: event) }
        if state == .possible { state = .began }
        log.append("began \(presses.first?.key?.charactersIgnoringModifiers ?? "") \(modifierFlags.rawValue >> 16)")
        onBegan()
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent) { log.append("ended") }
    override func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent) { log.append("cancelled") }
}

@Suite("Gesture recognisers and presses")
struct GestureRecognizerTests {
    @Test("EV-3 recognisers of the chain's views get a press before any responder, the nearest view's first")
    func order() throws {
        let bench = try Bench("ios26")
        let (near, far) = (KeyRecognizer(), KeyRecognizer())
        bench.window.addGestureRecognizer(far)
        bench.view.addGestureRecognizer(near)
        var asked: [String] = []
        near.onBegan = { asked.append("near \(bench.vc.presses.count)") }
        far.onBegan = { asked.append("far \(bench.vc.presses.count)") }
        try bench.press("k")
        #expect(asked == ["near 0", "far 0"])
        #expect(near.log == ["began k 0", "ended"] && bench.vc.presses == ["began k", "ended"])
    }

    @Test("EV-3 their modifierFlags are those held when the press or its end came")
    func modifiers() throws {
        let bench = try Bench("ios26")
        let recognizer = KeyRecognizer()
        bench.view.addGestureRecognizer(recognizer)
        try bench.down("shift+k")
        #expect(recognizer.log == ["began  2", "began k 2"] && recognizer.modifierFlags == .shift)
        try bench.up("shift+k")
        #expect(recognizer.modifierFlags.isEmpty && recognizer.state == .possible)
    }

    @Test("EV-3 up to iOS 16 the default implementation fails the recogniser", arguments: ["ios134", "ios15", "ios26"])
    func fails(profile: String) throws {
        let bench = try Bench(profile)
        let recognizer = KeyRecognizer()
        recognizer.callsSuper = true
        bench.view.addGestureRecognizer(recognizer)
        try bench.down("k")
        #expect(recognizer.state == (profile == "ios26" ? .began : .failed))
        try bench.up("k")
        #expect(recognizer.state == .possible)
    }

    @Test("EV-3 before iOS 13.4 keys are no presses; a disabled or removed recogniser gets nothing")
    func none() throws {
        let old = try Bench("ios13")
        let recognizer = KeyRecognizer()
        old.view.addGestureRecognizer(recognizer)
        try old.press("k")
        let bench = try Bench("ios15")
        bench.view.addGestureRecognizer(recognizer)
        #expect(old.view.gestureRecognizers.isEmpty, "one view at a time")
        recognizer.isEnabled = false
        try bench.press("k")
        recognizer.isEnabled = true
        bench.view.removeGestureRecognizer(recognizer)
        try bench.press("k")
        #expect(recognizer.log.isEmpty)
    }

    @Test("EV-3 EV-6 a swallowed press still ends at its recognisers; a view that leaves has them cancelled")
    func ends() throws {
        let bench = try Bench("ios15")
        let recognizer = KeyRecognizer()
        let inner = View(id: "inner")
        bench.view.addSubview(inner)
        inner.addGestureRecognizer(recognizer)
        bench.engine.focus(inner)
        bench.vc.swallows = true
        try bench.press("k")
        try bench.down("j")
        inner.removeFromSuperview()
        try bench.up("j")
        #expect(recognizer.log == ["began k 0", "ended", "began j 0", "cancelled"])
    }

    @Test("EV-6 a press that takes its own receiver out of the window on the way up is cancelled there, once")
    func leavesWhileClimbing() throws {
        let bench = try Bench("ios15")
        let child = LeavingController(id: "child")
        bench.vc.present(child)
        bench.engine.focus(child)
        #expect(try bench.down("k").outcome == .swallowedByPresses)
        #expect(child.log == ["began", "cancelled"])
        #expect(try bench.up("k").receivers.isEmpty)
        #expect(child.log == ["began", "cancelled"])
    }
}

/// Dismisses itself from `pressesBegan` and passes nothing on.
private final class LeavingController: ViewController {
    var log: [String] = []
    override var canBecomeFirstResponder: Bool { true }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        log.append("began")
        dismiss()
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) { log.append("ended") }
    override func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) { log.append("cancelled") }
}
