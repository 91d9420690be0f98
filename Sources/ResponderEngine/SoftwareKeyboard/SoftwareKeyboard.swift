public import KeyModel

/// The keyboard on the screen as a hardware keyboard changes it: where it is and how high, without its pixels
/// (spec §9.1, "Headless model").
///
/// It is up while the first responder takes text or has an input view or an accessory; a hardware keyboard takes its
/// keys away and leaves the accessory.
public struct SoftwareKeyboard: Hashable, Sendable {
    /// Visibility and form on the screen.
    public enum State: String, CaseIterable, Hashable, Sendable { case hidden, docked, undocked, split }

    /// The placement that the person has chosen; it stays while the keyboard is hidden.
    public enum Placement: String, CaseIterable, Hashable, Sendable { case docked, undocked, split }

    /// The cause of a change of its frame (spec TX-2, TX-3).
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        case bringUp, dismissal, candidateBar, dock, undock, split, join, hardwareAttach, hardwareDetach, accessory
    }

    /// A frame in points; of the keyboard, in the coordinates of the screen.
    public struct Frame: Hashable, Sendable {
        public var x: Int
        public var y: Int
        public var width: Int
        public var height: Int

        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Sizes of a screen and its keyboard, in points. The defaults are an iPad's of 768 by 1024 points, upright.
    public struct Geometry: Hashable, Sendable {
        public var screenWidth = 768
        public var screenHeight = 1024
        /// The keys, without candidates.
        public var keysHeight = 264
        /// The keys of a split keyboard, which is shorter (spec TX-2).
        public var splitKeysHeight = 216
        /// The space below a keyboard that is not docked.
        public var undockedOffset = 200
        /// The time from the *will* notifications to the *did* ones.
        public var animationDuration = TraceDuration(nanoseconds: 250_000_000)

        public init() {}
    }

    public var geometry = Geometry()
    public internal(set) var placement = Placement.docked
    public internal(set) var isHardwareAttached = true
    public internal(set) var candidateHeight = 0
    /// The accessory of the chain, 0 without one (spec TX-4).
    public internal(set) var accessoryHeight = 0
    /// The input view of the chain in place of the keys; `nil` for the system's own.
    public internal(set) var inputViewHeight: Int?
    /// The first responder wants keys: it takes text, or some responder of its chain has an input view.
    public internal(set) var wantsKeys = false

    public init() {}

    /// The keys themselves, as the first responder wants them and the person has put them.
    public var keysHeight: Int {
        inputViewHeight ?? (placement == .split ? geometry.splitKeysHeight : geometry.keysHeight)
    }

    private var showsKeys: Bool { wantsKeys && !isHardwareAttached }

    /// accessory + (hardware ? 0 : keys + candidates), of what the first responder wants.
    public var height: Int { accessoryHeight + (showsKeys ? keysHeight + candidateHeight : 0) }

    /// An accessory without keys is docked, wherever the keys would be.
    public var state: State {
        if height == 0 { return .hidden }
        if !showsKeys { return .docked }
        switch placement {
        case .docked: return .docked
        case .undocked: return .undocked
        case .split: return .split
        }
    }

    /// Hidden, it lies below the screen's edge without a height.
    public var frame: Frame {
        let offset = state == .undocked || state == .split ? geometry.undockedOffset : 0
        return Frame(
            x: 0, y: max(0, geometry.screenHeight - offset - height), width: geometry.screenWidth, height: height)
    }
}

/// A notification to observers of the keyboard (spec TX-1).
public struct KeyboardNotification: Hashable, Sendable {
    public enum Name: String, CaseIterable, Hashable, Sendable {
        case willShow, didShow, willHide, didHide, willChangeFrame, didChangeFrame

        /// UIKit's name of it, such as `UIKeyboardWillChangeFrameNotification`.
        public var symbol: String {
            "UIKeyboard" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() + "Notification"
        }

        /// The *did* notifications come when the animation is over.
        public var isDid: Bool { rawValue.hasPrefix("did") }
    }

    public var name: Name
    /// The time at which it is posted.
    public var time: TraceTime
    public var frameBegin: SoftwareKeyboard.Frame
    public var frameEnd: SoftwareKeyboard.Frame
    /// Meaningful on *will* notifications.
    public var animationDuration: TraceDuration
    /// The keyboard belongs to this app.
    public var isLocal = true
    public var state: SoftwareKeyboard.State
    public var cause: SoftwareKeyboard.Cause

    /// The keys under which UIKit gives the frames, the duration, the curve and whether the keyboard is the app's own.
    /// Nothing is drawn here, so there is no curve.
    public static let userInfoKeys = [
        "UIKeyboardFrameBeginUserInfoKey", "UIKeyboardFrameEndUserInfoKey", "UIKeyboardAnimationDurationUserInfoKey",
        "UIKeyboardAnimationCurveUserInfoKey", "UIKeyboardIsLocalUserInfoKey",
    ]
}

extension View {
    final var heightAsInput: Int { (self as? InputView)?.height ?? 0 }
}

/// A view in place of the keys, or on top of them: only its height counts.
open class InputView: View {
    /// The height in points.
    public final var height: Int

    public init(id: String? = nil, height: Int) {
        self.height = max(0, min(height, InputView.maximumHeight))
        super.init(id: id)
    }

    /// Higher than any screen.
    public static let maximumHeight = 1_000_000
}
