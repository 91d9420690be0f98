import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// A window with two text fields and a plain view; every notification is kept.
private final class KeyboardBench {
    let engine: KeyboardEngine
    let controller = AccessoryController(id: "vc")
    let field = TextField(id: "field")
    let other = TextField(id: "other")
    let plain = FirstView(id: "plain")
    private(set) var posted: [KeyboardNotification] = []

    /// Without a hardware keyboard unless said otherwise.
    init(profile: Profile = Profile(), hardware: Bool = false) throws {
        engine = KeyboardEngine(
            rootViewController: controller, profile: profile, layout: try #require(ShippedLayouts.named("us")))
        let view = View(id: "view")
        controller.view = view
        for inner in [field, other, plain] { view.addSubview(inner) }
        engine.isKeyboardAttached = hardware
        engine.observeKeyboard { [weak self] in self?.posted.append($0) }
    }

    var frame: SoftwareKeyboard.Frame { engine.softwareKeyboard.frame }
    var state: SoftwareKeyboard.State { engine.softwareKeyboard.state }

    /// The names posted since this was asked last.
    func names() -> [String] {
        defer { posted = [] }
        return posted.map(\.name.rawValue)
    }

    func advance(_ milliseconds: Int64) {
        engine.advance(to: TraceTime(nanoseconds: milliseconds * 1_000_000))
    }
}

private final class FirstView: View {
    override var canBecomeFirstResponder: Bool { true }
}

private final class AccessoryController: ViewController {
    var accessory: InputView?
    var input: InputView?
    override var inputView: InputView? { input }
    override var inputAccessoryView: InputView? { accessory }
}

@Suite("The software keyboard")
struct SoftwareKeyboardTests {
    private static let shows = ["willChangeFrame", "willShow"]
    private static let hides = ["willChangeFrame", "willHide"]

    @Test("TX-1 pairs of notifications, with frames, duration and cause; the did ones when the animation is over")
    func pairs() throws {
        let bench = try KeyboardBench()
        bench.advance(100)
        bench.field.becomeFirstResponder()
        let first = try #require(bench.posted.first)
        #expect(first.frameBegin == SoftwareKeyboard.Frame(x: 0, y: 1024, width: 768, height: 0))
        #expect(first.frameEnd == SoftwareKeyboard.Frame(x: 0, y: 760, width: 768, height: 264))
        #expect(first.animationDuration == TraceDuration(nanoseconds: 250_000_000) && first.isLocal)
        #expect(first.cause == .bringUp && first.state == .docked && first.time.nanoseconds == 100_000_000)
        #expect(bench.names() == Self.shows)
        bench.advance(349)
        #expect(bench.names().isEmpty)
        bench.advance(400)
        #expect(bench.posted.map(\.time.nanoseconds) == [350_000_000, 350_000_000])
        #expect(bench.names() == ["didChangeFrame", "didShow"])
        bench.field.resignFirstResponder()
        #expect(bench.names() == Self.hides && bench.state == .hidden)
        bench.advance(1_000)
        #expect(bench.names() == ["didChangeFrame", "didHide"])
        #expect(KeyboardNotification.Name.willChangeFrame.symbol == "UIKeyboardWillChangeFrameNotification")
        #expect(KeyboardNotification.userInfoKeys.contains("UIKeyboardAnimationCurveUserInfoKey"))
        #expect(KeyboardNotification.userInfoKeys.contains("UIKeyboardAnimationDurationUserInfoKey"))
    }

    @Test("TX-1 the order is a parameter of the profile")
    func order() throws {
        var profile = Profile()
        profile.notificationOrder = "willShowHide willChangeFrame didShowHide didChangeFrame"
        let bench = try KeyboardBench(profile: profile)
        bench.field.becomeFirstResponder()
        bench.advance(250)
        #expect(bench.names() == ["willShow", "willChangeFrame", "didShow", "didChangeFrame"])
    }

    @Test("TX-2 the candidate bar changes frames only; split and undock hide, while undocked frames change; dock shows")
    func causes() throws {
        let bench = try KeyboardBench()
        bench.field.becomeFirstResponder()
        bench.advance(1_000)
        _ = bench.names()
        bench.engine.setCandidateBar(height: 55)
        #expect(bench.names() == ["willChangeFrame"] && bench.frame.height == 319)
        bench.engine.placeKeyboard(.undocked)
        #expect(bench.posted.last?.cause == .undock && bench.posted.last?.state == .undocked)
        #expect(bench.names() == Self.hides && bench.frame.y == 1024 - 200 - 319)
        bench.engine.setCandidateBar(height: 0)
        #expect(bench.names() == ["willChangeFrame"])
        bench.engine.placeKeyboard(.split)
        #expect(bench.state == .split && bench.frame.height < 264, "a split keyboard is shorter")
        #expect(bench.names() == ["willChangeFrame"])
        bench.engine.placeKeyboard(.undocked)
        #expect(bench.posted.last?.cause == .join && bench.names() == ["willChangeFrame"])
        bench.field.resignFirstResponder()
        bench.other.becomeFirstResponder()
        #expect(bench.names() == ["willChangeFrame", "willChangeFrame"] && bench.state == .undocked)
        bench.engine.placeKeyboard(.docked)
        #expect(bench.names() == Self.shows && bench.frame.height == 264)
        // Nothing changes, nothing is told.
        bench.engine.placeKeyboard(.docked)
        bench.advance(5_000)
        let rest = bench.posted.filter { !$0.name.isDid }
        #expect(rest.isEmpty)
    }

    @Test("TX-3 a hardware keyboard is bring-up and dismissal; an accessory stays at the bottom, at its own height")
    func hardware() throws {
        let bench = try KeyboardBench(hardware: true)
        bench.field.becomeFirstResponder()
        #expect(bench.names().isEmpty && bench.state == .hidden)
        bench.engine.detachKeyboard()
        #expect(bench.posted.last?.cause == .hardwareDetach && bench.names() == Self.shows)
        bench.engine.attachKeyboard()
        #expect(bench.posted.last?.cause == .hardwareAttach && bench.names() == Self.hides)
        bench.controller.accessory = InputView(height: 44)
        bench.field.reloadInputViews()
        #expect(bench.names() == Self.shows && bench.frame.height == 44)
        bench.engine.detachKeyboard()
        #expect(bench.names() == ["willChangeFrame"] && bench.frame.height == 264 + 44)
        bench.engine.attachKeyboard()
        #expect(bench.posted.last?.frameEnd == SoftwareKeyboard.Frame(x: 0, y: 980, width: 768, height: 44))
        #expect(bench.names() == ["willChangeFrame"] && bench.state == .docked)
    }

    @Test("TX-3 a lifted keyboard leaves its accessory docked, and is lifted again when the hardware goes")
    func hardwareWhileUndocked() throws {
        let bench = try KeyboardBench()
        bench.controller.accessory = InputView(height: 44)
        bench.field.becomeFirstResponder()
        bench.engine.placeKeyboard(.undocked)
        _ = bench.names()
        bench.engine.attachKeyboard()
        #expect(bench.state == .docked && bench.names() == Self.shows)
        bench.engine.detachKeyboard()
        #expect(bench.state == .undocked && bench.names() == Self.hides)
    }

    @Test("TX-4 input views are the nearest on the chain; only the first responder reloads them")
    func inputViews() throws {
        let bench = try KeyboardBench()
        bench.controller.accessory = InputView(height: 44)
        bench.plain.becomeFirstResponder()
        #expect(bench.frame.height == 44, "an accessory needs no text")
        _ = bench.names()
        bench.field.becomeFirstResponder()
        #expect(bench.posted.first?.cause == .accessory && bench.frame.height == 308)
        #expect(bench.names() == ["willChangeFrame"], "handed over without hiding")
        bench.controller.input = InputView(height: 100)
        bench.controller.accessory = nil
        #expect(bench.frame.height == 308, "nobody looked")
        bench.other.reloadInputViews()
        bench.plain.reloadInputViews()
        #expect(bench.frame.height == 308 && bench.names().isEmpty)
        bench.field.reloadInputViews()
        #expect(bench.frame.height == 100 && bench.names() == ["willChangeFrame"])
        bench.plain.becomeFirstResponder()
        #expect(bench.frame.height == 100 && bench.names().isEmpty, "an input view needs no text either")
        bench.controller.input = nil
        bench.plain.reloadInputViews()
        #expect(bench.state == .hidden && bench.names() == Self.hides)
    }

    @Test("text that cannot be edited brings no keyboard; moving between fields leaves it where it is")
    func whoBringsIt() throws {
        let bench = try KeyboardBench()
        bench.field.becomeFirstResponder()
        _ = bench.names()
        #expect(bench.other.becomeFirstResponder() && bench.names().isEmpty)
        bench.engine.focus(bench.field)
        #expect(bench.names().isEmpty && bench.state == .docked)
        let text = TextView(id: "text")
        text.isEditable = false
        bench.field.superview?.addSubview(text)
        text.becomeFirstResponder()
        #expect(bench.names() == Self.hides)
    }

    @Test("what a press does to the keyboard is among its effects")
    func effects() throws {
        let bench = try KeyboardBench(hardware: true)
        let (controller, other) = (bench.controller, bench.other)
        controller.addKeyCommand(KeyCommand(input: "f", modifierFlags: .command, action: "find:"))
        controller.addAction(
            Action("find:") { _, _ in
                controller.accessory = InputView(height: 44)
                other.becomeFirstResponder()
            })
        bench.plain.becomeFirstResponder()
        let resolution = try #require(try bench.engine.press("cmd+f"))
        let keyboard = resolution.effects.filter { $0.kind == .keyboard }
        #expect(keyboard.map(\.value) == [.text("willChangeFrame"), .text("willShow")])
        #expect(keyboard.map(\.id) == ["other", "other"])
    }

    @Test("heights that no screen has are clamped")
    func limits() throws {
        let bench = try KeyboardBench()
        bench.controller.accessory = InputView(height: .max)
        bench.field.becomeFirstResponder()
        bench.engine.setCandidateBar(height: .max)
        #expect(bench.frame.y == 0 && bench.frame.height <= 2 * InputView.maximumHeight + 264)
        bench.engine.setCandidateBar(height: -5)
        #expect(bench.engine.softwareKeyboard.candidateHeight == 0)
    }
}
