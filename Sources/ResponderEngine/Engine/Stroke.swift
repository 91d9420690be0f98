import KeyModel

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

    /// The key, also of a masked class that has no other.
    var knownUsage: KeyUsage? { usage ?? maskedClass?.onlyUsage }

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
