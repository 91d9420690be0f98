import KeyModel

/// A key that is down: who got its press, and what to do again when it repeats.
final class HeldPress {
    let press = Press()
    let presses: Set<Press>
    let event = PressesEvent()
    @exclusivity(unchecked) var key = KeyIdentity.masked(.letter)
    @exclusivity(unchecked) var device: UInt16 = 1
    /// Key and device as one number.
    @exclusivity(unchecked) private(set) var code: UInt64 = 0
    /// Who got `pressesBegan`, and gets ended or cancelled (spec EV-6).
    @exclusivity(unchecked) var receivers: [Responder] = []
    /// The gesture recognisers that got its began, and get its end (spec EV-3).
    @exclusivity(unchecked) var recognizers: [GestureRecognizer] = []
    /// None of the receivers has code of its own for presses.
    @exclusivity(unchecked) var isQuiet = false
    @exclusivity(unchecked) var stroke = Stroke()
    /// The stage that took the press, to be run again (spec §2.2).
    @exclusivity(unchecked) var stage: DeliveryStage?
    @exclusivity(unchecked) var repeats = false
    /// Its key-down read the key commands, so its ticks do.
    @exclusivity(unchecked) var didCollect = false
    /// Its key-up is one of those at which some profiles read key commands again (spec EV-12).
    @exclusivity(unchecked) var queriesOnUp = false
    /// The lists of its key-down, for the policies that keep them.
    @exclusivity(unchecked) var commands: [CollectedCommand]?

    @inline(__always)
    static func code(_ key: KeyIdentity, _ device: UInt16) -> UInt64 {
        switch key {
        case .clear(let usage): UInt64(usage.rawValue) << 16 | UInt64(device)
        case .masked(let maskedClass): 1 << 63 | UInt64(maskedClass.rawValue) << 16 | UInt64(device)
        }
    }

    /// Whose object this is, kept as long as it is that.
    private var owner: ChordPlan?
    /// The same, to be looked at without counting a reference.
    @exclusivity(unchecked) private(set) var plan: Unmanaged<ChordPlan>?

    /// Becomes the object of a chord's presses: what is the same in all of them is set once.
    func bind(to plan: ChordPlan, _ key: KeyIdentity, device: UInt16, table: KeyTable, number: Int) {
        begin(key, device: device, stroke: plan.stroke, at: .zero)
        press.table = table
        press.tableNumber = number
        receivers = plan.receivers
        isQuiet = true
        didCollect = !plan.isOfModifier
        queriesOnUp = !plan.isOfModifier
        owner = plan
        self.plan = .passUnretained(plan)
    }

    /// Is no chord's any more; who got the press stays.
    func disown() {
        guard plan != nil else { return }
        plan = nil
        owner = nil
    }

    /// A press of the chord that this belongs to.
    @inline(__always)
    func begin(_ plan: ChordPlan, code: UInt64, device: UInt16, at time: TraceTime) {
        self.device = device
        self.code = code
        repeats = false
        press.phase = .began
        press.timestamp = time
        press.begin(with: plan.start)
        event.timestamp = time
        event.modifierFlags = plan.stroke.flags
    }

    /// Gives the press to these, none of whom has to be told.
    func hold(_ responders: [Responder]) {
        receivers = responders
        isQuiet = true
        press.begin(with: responders.first.map(Unmanaged.passUnretained))
    }

    init() {
        presses = [press]
        event.allPresses = presses
    }

    @inline(__always)
    func begin(_ key: KeyIdentity, device: UInt16, stroke: Stroke, at time: TraceTime) {
        self.key = key
        self.device = device
        code = HeldPress.code(key, device)
        self.stroke = stroke
        stage = nil
        repeats = false
        didCollect = false
        queriesOnUp = false
        isQuiet = false
        if commands != nil { commands = nil }
        press.phase = .began
        press.timestamp = time
        press.identity = stroke.usage.map(KeyIdentity.clear) ?? key
        press.flags = stroke.flags
        event.timestamp = time
        event.modifierFlags = stroke.flags
    }
}

/// A key event after system translation (spec EV-2): what the app sees.
struct Stroke {
    /// `nil` for a masked key.
    var usage: KeyUsage?
    var maskedClass: TextKeyClass?
    /// All flags, Caps Lock and numericPad included.
    var flags: KeyModifiers = []
    var characters = KeyCharacters.empty

    /// The four modifiers that commands match.
    var matchFlags: KeyModifiers { flags.intersection(.matchMask) }
}

/// The stages of spec §2.2, step 6.
enum DeliveryStage {
    case priorityKeyCommands, inputMethod, standardEdit, builtinText, text, focus, scroll, keyCommands
    /// Key bindings of keys that text takes, and of keys that no key equivalent took (spec KB-1).
    case keyBinding, lateKeyBinding
    /// Keys of the system that nobody else took.
    case systemKeys

    static func order(of profile: Profile) -> [DeliveryStage] {
        switch profile.stageOrder {
        case .commandsFirst:
            let early: [DeliveryStage] = profile.builtinTextBeforeCommands ? [.builtinText] : []
            let late: [DeliveryStage] = profile.builtinTextBeforeCommands ? [] : [.builtinText]
            let commands: [DeliveryStage] =
                profile.imeBeforeCommandsLegacy ? [.inputMethod, .keyCommands] : [.keyCommands, .inputMethod]
            let text: [DeliveryStage] = [.keyBinding, .text, .focus, .scroll, .systemKeys, .lateKeyBinding]
            return [.standardEdit] + early + commands + late + text
        case .textFirst:
            let first: [DeliveryStage] =
                profile.priorityBeforeIME
                ? [.priorityKeyCommands, .inputMethod] : [.inputMethod, .priorityKeyCommands]
            let rest: [DeliveryStage] = [.standardEdit, .builtinText, .keyBinding, .text, .focus, .scroll, .keyCommands]
            let all = profile.menuBeforeText ? first + [.systemKeys] + rest : first + rest + [.systemKeys]
            return all + [.lateKeyBinding]
        }
    }
}
