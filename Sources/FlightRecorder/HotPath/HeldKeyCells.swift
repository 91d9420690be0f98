import CRecorderSupport
import KeyModel
import Libc

/// The keys that are down by the events of one thread: they decide what is masked, and which press a release belongs
/// to. Which ⌘ and ⌃ keys are down is known of all threads together: a key held on one of them unmasks another one's
/// keys, and an up on one of them releases the key for all.
///
/// A cell belongs to a key while it is down and is zeroed at its release, so that memory contains no more than the keys
/// that are held, and core dumps not even those.
struct HeldKeyCells {
    /// Keyboards followed at once by one thread; another one takes the place of the keyboard that has the same number
    /// modulo this.
    static let keyboards = 8
    /// Class of a usage of the keyboard page: 0 a key that stays in clear, 1…6 a class of text keys plus 1.
    static let modifier: UInt8 = 0x80
    static let chordModifier: UInt8 = 0xC0

    /// One table for all threads, made once. Only `setRoles` changes it, byte by byte.
    private nonisolated(unsafe) static let allClasses: UnsafeMutablePointer<UInt8> = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        for usage in 0..<UInt16(256) {
            let key = KeyUsage.keyboard(usage)
            var code = TextKeyClass(key).map { $0.rawValue + 1 } ?? 0
            if key.isModifier { code = modifierClass(ModifierRoles.physical[key]) }
            (table + Int(usage)).initialize(to: code)
        }
        return table
    }()

    private static func modifierClass(_ role: KeyModifiers) -> UInt8 {
        role.isDisjoint(with: [.command, .control]) ? modifier : chordModifier
    }

    /// Caps Lock and Num Lock that are modifiers begin no presses.
    static func setLocks(areModifiers: Bool) {
        for lock in [KeyUsage.capsLock, .keypadNumLock] { allClasses[Int(lock.usage)] = areModifiers ? modifier : 0 }
    }

    /// The keys that let text keys through are those with the roles ⌘ and ⌃.
    static func setRoles(_ roles: ModifierRoles) {
        for place in 0..<8 { allClasses[0xE0 + place] = modifierClass(roles[place]) }
    }

    let classes: UnsafeMutablePointer<UInt8>
    /// The cells of the keyboard that sent the last event, by usage: 0 for keys that are up, 1 for modifier keys, else
    /// twice the press's ordinal, plus 1 where it stays in clear.
    var cells: UnsafeMutablePointer<UInt32>
    var device: UInt16 = 1
    /// Presses of this thread so far.
    var ordinal: UInt32 = 0
    /// The press of the last event that was stored; 0 for none, as of modifier keys; `adopted` for one of another
    /// thread.
    var current: UInt32 = 0
    static let adopted = UInt32.max
    /// Text keys are recorded in clear.
    var showsKeys = false
    /// Events were left out on purpose before: a release whose down is not known is left out as well, for it would
    /// disclose a press that was not to be recorded.
    var followsGap = false
    private let allCells: UnsafeMutablePointer<UInt32>
    private let devices: UnsafeMutablePointer<UInt16>
    /// Keys of other pages that are down.
    private let others: UnsafeMutablePointer<(device: UInt16, usage: UInt32, ordinal: UInt32)>
    private static let otherKeys = 8

    init() {
        classes = HeldKeyCells.allClasses
        allCells = SecretMemory.allocate(256 * HeldKeyCells.keyboards, of: UInt32.self)
        devices = .allocate(capacity: HeldKeyCells.keyboards)
        devices.initialize(repeating: 0, count: HeldKeyCells.keyboards)
        typealias Other = (device: UInt16, usage: UInt32, ordinal: UInt32)
        others = SecretMemory.allocate(HeldKeyCells.otherKeys, of: Other.self)
        devices[1] = 1
        cells = allCells + 256
    }

    /// Memory image of all held keys.
    var image: [UInt64] {
        (0..<256 * HeldKeyCells.keyboards).map { UInt64(allCells[$0]) }
            + (0..<HeldKeyCells.otherKeys).map { UInt64(others[$0].usage) }
    }

    /// Forgets all keys that are down.
    mutating func removeAll() {
        for place in 0..<HeldKeyCells.keyboards { releaseChords(place) }
        allCells.update(repeating: 0, count: 256 * HeldKeyCells.keyboards)
        others.update(repeating: (0, 0, 0), count: HeldKeyCells.otherKeys)
        current = 0
    }

    /// The held keys, in the words of `HeldKeysSnapshot`.
    @inline(never) var statement: (modifiers: UInt64, devices: (UInt64, UInt64), presses: UInt64) {
        var (modifiers, presses) = (UInt64(0), UInt64(0))
        var numbers: (UInt64, UInt64) = (0, 0)
        func hold(_ press: UInt32) {
            let age = ordinal &- press
            if press != 0, age < 64 { presses |= 1 << UInt64(age) }
        }
        for place in 0..<256 * HeldKeyCells.keyboards where allCells[place] != 0 {
            let usage = place & 0xFF
            if usage >= 0xE0, classes[usage] >= HeldKeyCells.modifier {
                modifiers |= 1 << UInt64(place / 256 * 8 + (usage & 7))
            } else {
                hold(allCells[place] >> 1)
            }
        }
        for place in 0..<HeldKeyCells.otherKeys { hold(others[place].ordinal) }
        for place in 0..<HeldKeyCells.keyboards {
            let number = UInt64(devices[place]) << UInt64(place % 4 * 16)
            if place < 4 { numbers.0 |= number } else { numbers.1 |= number }
        }
        return (modifiers, numbers, presses)
    }

    /// Makes the cells of this keyboard the current ones.
    mutating func select(_ device: UInt16) {
        let place = Int(device) % HeldKeyCells.keyboards
        cells = allCells + 256 * place
        self.device = device
        guard devices[place] != device else { return }
        devices[place] = device
        releaseChords(place)
        cells.update(repeating: 0, count: 256)
    }

    /// The keys that this thread saw go down on a keyboard do not count as held any more.
    private func releaseChords(_ place: Int) {
        for usage in 0xE0...0xE7 as ClosedRange<UInt32>
        where allCells[256 * place + Int(usage)] != 0 && classes[Int(usage)] == HeldKeyCells.chordModifier {
            keyflight_chord_keys_go_up(HeldKeyCells.chordKey(usage, place))
        }
    }

    /// The bit of a modifier key (E0–E7) of a keyboard.
    @inline(__always) private static func chordKey(_ usage: UInt32, _ place: Int) -> UInt64 {
        1 << (UInt64(truncatingIfNeeded: place) * 8 + UInt64(usage & 7))
    }

    private var place: Int { Int(device) % HeldKeyCells.keyboards }

    /// Storage form of a key.
    enum Form: UInt8 {
        /// By its usage, on the keyboard page below 256.
        case clear
        /// By its class.
        case masked
        /// By page and usage.
        case otherPage
    }

    /// The stored form of an event: the key, as far as it may be known, and the press's ordinal, 0 for none. `nil` when
    /// nothing may be stored.
    @inline(__always) mutating func stored(
        _ usage: UInt32, _ phase: KeyPhase, _ device: UInt16
    ) -> (key: UInt32, ordinal: UInt32, form: Form)? {
        if device != self.device { select(device) }
        guard usage &- 0x7_0000 < 256 else { return storedOther(usage, phase, device) }
        let index = Int(truncatingIfNeeded: usage & 0xFF)
        let code = classes[index]
        let cell = cells[index]
        if phase == .down {
            if code >= HeldKeyCells.modifier {
                if code == HeldKeyCells.chordModifier {
                    keyflight_chord_keys_go_down(HeldKeyCells.chordKey(usage, place))
                }
                cells[index] = 1
                return (usage & 0xFF, 0, .clear)
            }
            ordinal &+= 1
            let isClear = code == 0 || showsKeys || keyflight_chord_keys_held() != 0
            cells[index] = ordinal << 1 | (isClear ? 1 : 0)
            return isClear ? (usage & 0xFF, ordinal, .clear) : (UInt32(code) &- 1, ordinal, .masked)
        }
        if code == HeldKeyCells.chordModifier, phase != .repeat {
            keyflight_chord_keys_go_up(HeldKeyCells.chordKey(usage, place))
        }
        if cell == 0, followsGap { return nil }
        if phase != .repeat { cells[index] = 0 }
        if code >= HeldKeyCells.modifier { return (usage & 0xFF, 0, .clear) }
        let isClear = code == 0 || cell & 1 != 0 || showsKeys
        return isClear ? (usage & 0xFF, cell >> 1, .clear) : (UInt32(code) &- 1, cell >> 1, .masked)
    }

    /// Page of keys without a usage that type text: their class, and a number by which their releases are found.
    private static let unnamedPage: UInt32 = 0xFFFE

    /// A key without a usage, of which nothing but its class is stored.
    static func unnamed(_ kind: TextKeyClass, _ number: UInt8) -> KeyUsage {
        KeyUsage(rawValue: unnamedPage << 16 | UInt32(kind.rawValue) << 8 | UInt32(number))
    }

    /// Keys of other pages, such as volume and brightness, which type no text, and keys without a usage.
    @inline(never) private mutating func storedOther(
        _ usage: UInt32, _ phase: KeyPhase, _ device: UInt16
    ) -> (key: UInt32, ordinal: UInt32, form: Form)? {
        guard usage >> 16 == HeldKeyCells.unnamedPage else { return heldOther(usage, phase, device) }
        return heldOther(usage, phase, device).map { (usage >> 8 & 0xFF, $0.ordinal, .masked) }
    }

    private mutating func heldOther(
        _ usage: UInt32, _ phase: KeyPhase, _ device: UInt16
    ) -> (key: UInt32, ordinal: UInt32, form: Form)? {
        var free = 0
        for place in 0..<HeldKeyCells.otherKeys {
            guard others[place].usage == usage, others[place].device == device else {
                if others[place].usage == 0 { free = place }
                continue
            }
            let known = others[place].ordinal
            if phase == .repeat { return (usage, known, .otherPage) }
            others[place] = (0, 0, 0)
            free = place
            if phase != .down { return (usage, known, .otherPage) }
        }
        guard phase == .down else { return followsGap ? nil : (usage, 0, .otherPage) }
        ordinal &+= 1
        others[free] = (device, usage, ordinal)
        return (usage, ordinal, .otherPage)
    }
}
