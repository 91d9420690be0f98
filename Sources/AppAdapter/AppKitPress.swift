import CObjCHooks
import FlightRecorder
import KeyModel

/// A key event that `sendEvent:` handles.
struct AppKitPress {
    /// The press around it, whose handling goes on after this one.
    let outer: RecordedPress
    let phase: KeyPhase
    let event: keyflight_object
    /// Of a modifier key, which resolves to nothing.
    let isModifier: Bool
    var outcome: Outcome?
    var takenBy: TakenBy?
    var action: UnsafePointer<CChar>?
    var supplier: RecordedResponder?
    var target: RecordedResponder?
    var path: String?
    var hasMenuAnswer = false
    var hasViewAnswer = false
    var isServices = false
    var keyDownReceiver: RecordedResponder?
    var isWithoutResponder = false

    /// The first to take the press decides.
    mutating func take(
        _ outcome: Outcome, _ takenBy: TakenBy, _ action: UnsafePointer<CChar>? = nil,
        target: RecordedResponder? = nil
    ) {
        guard self.outcome == nil else { return }
        (self.outcome, self.takenBy, self.action, self.target) = (outcome, takenBy, action, target)
    }

    /// What is left when nothing took it.
    mutating func conclude() {
        guard outcome == nil else { return }
        if hasMenuAnswer {
            // A disabled item keeps its key.
            take(.blockedUnperformable, isServices ? .services : .mainMenu)
        } else if hasViewAnswer {
            take(.performed, .keyEquivalent)
        } else if let keyDownReceiver, !isWithoutResponder {
            take(.performed, .keyDown, target: keyDownReceiver)
        } else {
            outcome = .unhandled
        }
    }
}

/// The modifier keys that are held, compared with the flags of every event: a modal loop swallows releases.
struct HeldModifiers {
    let roles: ModifierRoles
    private var held: UInt8 = 0
    private var isCapsLockDown = false

    init(_ roles: ModifierRoles) { self.roles = roles }

    /// The phase of a modifier's own event.
    mutating func phase(_ usage: KeyUsage) -> KeyPhase {
        if usage == .keyboard(0x39) {
            isCapsLockDown.toggle()
            return isCapsLockDown ? .down : .up
        }
        let bit = UInt8(1) << UInt8(usage.usage & 7)
        held ^= bit
        return held & bit != 0 ? .down : .up
    }

    /// The keys that the flags say are up, which are held no more.
    mutating func lost(_ flags: UInt, except own: KeyUsage?) -> [KeyUsage] {
        var lost: [KeyUsage] = []
        for place in UInt16(0)..<8 where held >> UInt8(place) & 1 != 0 {
            let usage = KeyUsage.keyboard(0xE0 + place)
            guard usage != own, flags & UInt(roles[usage].rawValue) == 0 else { continue }
            held &= ~(1 << UInt8(place))
            lost.append(usage)
        }
        return lost
    }
}
