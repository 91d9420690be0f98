import KeyModel

/// A key that is down: the event of its press, its receivers, and the work of its repeats.
final class HeldPress: PressesEvent {
    let key: KeyIdentity
    let device: UInt16
    let press: Press
    var stroke: Stroke { press.stroke }
    /// The receivers of `pressesBegan`, which get ended or cancelled (spec EV-6); `nil` for none.
    var receivers: ResponderList?
    /// The gesture recognisers that got its began, and get its end (spec EV-3).
    var recognizers: [GestureRecognizer] = []
    /// The stage that took the press, to be run again (spec §2.2).
    var stage: DeliveryStage?
    var repeats = false
    /// A recording does not answer what took the press.
    var isUndecided = false
    /// Its key-down read the key commands, so its ticks do.
    var didCollect = false
    /// Its key-up is one of those at which some profiles read key commands again (spec EV-12).
    var queriesOnUp = false
    /// The lists of its key-down, for the policies that keep them.
    var commands: [CollectedCommand]?

    init(_ key: KeyIdentity, device: UInt16, stroke: Stroke, at time: TraceTime) {
        self.key = key
        self.device = device
        press = Press(stroke, at: time)
        super.init(press, modifierFlags: stroke.flags, at: time)
    }
}

/// A key event after system translation (spec EV-2): what the app sees.
final class Stroke {
    /// `nil` for a masked key.
    let usage: KeyUsage?
    let maskedClass: TextKeyClass?
    /// All flags, Caps Lock and numericPad included.
    let flags: KeyModifiers
    let characters: KeyCharacters
    let table: KeyTable
    /// Counts the strokes that `KeyRules` keeps; `nil` for all others.
    var number: Int?
    /// The system keeps the key for itself (spec §2.3).
    var isReserved = false

    init(usage: KeyUsage?, maskedClass: TextKeyClass? = nil, flags: KeyModifiers, on table: KeyTable) {
        self.usage = usage
        self.maskedClass = maskedClass
        self.flags = flags
        self.table = table
        characters = usage.map(table.characters) ?? .empty
    }

    /// The four modifiers that commands match.
    var matchFlags: KeyModifiers { flags.intersection(.matchMask) }
}

/// The stages of spec §2.2, step 6.
enum DeliveryStage {
    case priorityKeyCommands, inputMethod, standardEdit, builtinText, text, focus, scroll, keyCommands
    /// Key bindings of keys that text takes, and of keys that no key equivalent took (spec KB-1).
    case keyBinding, lateKeyBinding
    /// Keys of the system that nothing else took.
    case systemKeys
    /// A text command of a web page: what text does with a key besides typing.
    case textCommand
    /// A responder that swallowed the press hears its repeats; never asked for a key that goes down.
    case swallower

    /// It takes nothing where the first responder takes no text.
    var isOfText: Bool {
        switch self {
        case .inputMethod, .builtinText, .text, .textCommand, .keyBinding, .lateKeyBinding: true
        default: false
        }
    }

    /// While a web page has the keyboard: the stages that WebKit's source names, in its order (spec EV-9).
    static func orderInPage(of profile: Profile) -> [DeliveryStage] {
        let first: [DeliveryStage] = profile.stageOrder == .textFirst ? [.priorityKeyCommands] : []
        let rest: [DeliveryStage] = [
            .inputMethod, .standardEdit, .builtinText, .textCommand, .keyCommands, .text, .focus, .systemKeys,
        ]
        return first + rest
    }

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
