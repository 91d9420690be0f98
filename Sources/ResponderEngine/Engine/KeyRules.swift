import KeyModel

/// The meaning of keys under one profile and one layout.
final class KeyRules {
    var profile: Profile {
        didSet {
            stages = DeliveryStage.order(of: profile)
            stagesInPage = DeliveryStage.orderInPage(of: profile)
            matching = Matching(profile)
            earlyStandardKeys = StandardKey.early(profile)
            lateStandardKeys = StandardKey.late(profile)
            localisation = CommandLocalisation(table: profile.localisationTable, layout: layout)
            (reserved, windowMenu, blocking, unrepeated) = KeyRules.reserved(profile)
            forgetStrokes()
        }
    }
    var layout: Layout {
        didSet {
            keyTable = KeyTable(layout)
            localisation = CommandLocalisation(table: profile.localisationTable, layout: layout)
            forgetStrokes()
        }
    }
    private(set) var stages: [DeliveryStage]
    private(set) var stagesInPage: [DeliveryStage]
    private(set) var matching: Matching
    /// The system's keys (spec §1.6).
    private(set) var earlyStandardKeys: [StandardKey]
    private(set) var lateStandardKeys: [StandardKey]
    private(set) var localisation: CommandLocalisation
    private(set) var keyTable: KeyTable
    private var reserved: [ReservedKey]
    private var windowMenu: [ReservedKey]
    private var blocking: [ReservedKey]
    private var unrepeated: [ReservedKey]
    /// The strokes that were asked for, by key and by flags, and how many there are.
    private var strokes: [[Stroke?]] = KeyRules.noStrokes()
    private var strokeCount = 0

    private static func noStrokes() -> [[Stroke?]] { Array(repeating: [], count: 256) }

    init(_ profile: Profile, _ layout: Layout) {
        self.profile = profile
        self.layout = layout
        stages = DeliveryStage.order(of: profile)
        stagesInPage = DeliveryStage.orderInPage(of: profile)
        matching = Matching(profile)
        earlyStandardKeys = StandardKey.early(profile)
        lateStandardKeys = StandardKey.late(profile)
        localisation = CommandLocalisation(table: profile.localisationTable, layout: layout)
        keyTable = KeyTable(layout)
        (reserved, windowMenu, blocking, unrepeated) = KeyRules.reserved(profile)
    }

    /// The event of a key as the app sees it: ⌘. is Escape (spec EV-2).
    func stroke(_ key: KeyIdentity, flags held: KeyModifiers) -> Stroke {
        guard case .clear(let usage) = key else {
            return Stroke(usage: nil, maskedClass: key.maskedClass, flags: held, on: keyTable)
        }
        guard usage.isKeyboardPage, usage.usage < 256, held == KeyModifiers(packed: held.packed) else {
            return translated(usage, held)
        }
        let (key, flags) = (Int(usage.usage), Int(held.packed))
        if flags < strokes[key].count, let known = strokes[key][flags] { return known }
        let stroke = translated(usage, held)
        stroke.number = strokeCount
        strokeCount += 1
        // Moved out, changed and put back: a change in place would be checked for overlaps at every read.
        var table = strokes
        strokes = []
        if table[key].isEmpty { table[key] = Array(repeating: nil, count: 64) }
        table[key][flags] = stroke
        strokes = table
        return stroke
    }

    /// The strokes of the keys of a masked class with these flags.
    func strokes(of maskedClass: TextKeyClass, flags: KeyModifiers) -> [Stroke] {
        maskedClass.usages.joined().map { usage in
            let usage = KeyUsage.keyboard(usage)
            return Stroke(usage: usage, flags: usage.isKeypad ? flags.union(.numericPad) : flags, on: keyTable)
        }
    }

    private func forgetStrokes() {
        strokes = KeyRules.noStrokes()
        strokeCount = 0
    }

    private func translated(_ usage: KeyUsage, _ held: KeyModifiers) -> Stroke {
        let isOfPad = usage.isKeypad || profile.arrowsCarryNumericPad && usage.isArrow
        let flags = isOfPad ? held.union(.numericPad) : held
        let stroke = Stroke(usage: usage, flags: flags, on: keyTable)
        if profile.commandDotIsEscape, stroke.matchFlags == .command, stroke.characters.shortcut == .period {
            return Stroke(usage: .escape, flags: flags.subtracting([.command, .numericPad]), on: keyTable)
        }
        stroke.isReserved = isReserved(stroke)
        return stroke
    }

    /// True for keys that the system keeps for itself (spec §2.3).
    func isReserved(_ stroke: Stroke) -> Bool { KeyRules.contains(stroke, reserved) }

    /// True for keys of the menu that the system has for windows (spec I26-6).
    func isOfWindowMenu(_ stroke: Stroke) -> Bool { KeyRules.contains(stroke, windowMenu) }

    /// True for keys of the system's menu that go no further where no responder performs their action (spec I26-3).
    func blocksWithoutTarget(_ stroke: Stroke) -> Bool { KeyRules.contains(stroke, blocking) }

    /// True for keys of which a command repeats only where it says so (spec I26-12).
    func isExceptedFromRepeats(_ stroke: Stroke) -> Bool { KeyRules.contains(stroke, unrepeated) }

    private static func contains(_ stroke: Stroke, _ keys: [ReservedKey]) -> Bool {
        let flags = stroke.matchFlags
        return keys.contains { chord in
            guard chord.modifiers == flags else { return false }
            if chord.usage == stroke.usage, stroke.characters.isSpecial { return true }
            guard chord.input != .none else { return false }
            // Digits need Shift on some layouts.
            return chord.input == stroke.characters.shortcut
                || flags.contains(.shift) && chord.input == stroke.characters.shiftedShortcut
        }
    }

    private typealias ReservedKey = (modifiers: KeyModifiers, usage: KeyUsage, input: CommandInput)

    private static func reserved(
        _ profile: Profile
    ) -> ([ReservedKey], [ReservedKey], [ReservedKey], [ReservedKey]) {
        func keys(_ chords: ReservedChords) -> [ReservedKey] {
            chords.chords.map { ($0.modifiers, $0.usage, $0.usage.usInput.map { CommandInput($0) } ?? .none) }
        }
        return (
            keys(profile.reservedChords), keys(profile.windowMenuKeys), keys(profile.systemMenuKeysBlock),
            keys(profile.automaticRepeatExceptions)
        )
    }
}
