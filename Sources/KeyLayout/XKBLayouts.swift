import CXKBCommon
public import KeyModel
import Libc

/// Paths of keyboard files: fixed, never the user's own or those that the environment names.
enum XKBFiles {
    static let directories = ["/usr/share/X11/xkb", "/usr/local/share/X11/xkb", "/opt/homebrew/share/X11/xkb"]
    /// The compose sequences of the locale en_US.UTF-8, which most UTF-8 locales share.
    static let composeFiles = [
        "/usr/share/X11/locale/en_US.UTF-8/Compose", "/usr/local/share/X11/locale/en_US.UTF-8/Compose",
        "/opt/homebrew/share/X11/locale/en_US.UTF-8/Compose",
    ]

    static func first(_ paths: [String]) -> String? { paths.first { access($0, R_OK) == 0 } }
}

/// Layouts derived from the machine's XKB files. Neither locale, home, environment nor the user's own XKB or
/// compose files take part: the same files always give the same layout.
public enum XKBLayouts {
    /// The layout `LAYOUT` or `LAYOUT:VARIANT`, derived at its first use in this process.
    public static func named(_ name: String) throws(LayoutError) -> Layout {
        try cache.layout(name)
    }

    /// True when the machine has keyboard files.
    public static var areInstalled: Bool { XKBFiles.first(XKBFiles.directories) != nil }

    private static let cache = LayoutCache()
}

/// Derives each layout once. Everything of libxkbcommon stays behind its lock.
private final class LayoutCache: @unchecked Sendable {
    private let lock = Lock()
    private var layouts: [String: Layout] = [:]
    private var source: XKBSource?

    func layout(_ name: String) throws(LayoutError) -> Layout {
        try lock.with { () throws(LayoutError) in try locked(name) }
    }

    private func locked(_ name: String) throws(LayoutError) -> Layout {
        if let layout = layouts[name] { return layout }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, parts.allSatisfy(LayoutCache.isPlain) else { throw .malformed(name) }
        if source == nil { source = XKBSource() }
        guard let source else { throw .noKeyboardFiles(name) }
        guard let layout = source.layout(name, parts[0], variant: parts.count == 2 ? parts[1] : "") else {
            throw .unknown(name, directory: source.directory)
        }
        layouts[name] = layout
        return layout
    }

    /// The names become part of file paths, so nothing but letters, digits, `_` and `-`.
    private static func isPlain(_ part: String) -> Bool {
        !part.isEmpty && part.utf8.count <= 64
            && part.utf8.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A)
                    || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
    }
}

/// An XKB context with a fixed include path.
private final class XKBSource {
    let directory: String
    private let context: OpaquePointer
    private lazy var compose = ComposeTable(context: context)

    init?() {
        guard let directory = XKBFiles.first(XKBFiles.directories),
            let context = xkb_context_new(
                xkb_context_flags(
                    rawValue: XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue))
        else { return nil }
        // Errors are ours to word; the library would print its own.
        xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        xkb_context_set_log_verbosity(context, 0)
        guard xkb_context_include_path_append(context, directory) == 1 else {
            xkb_context_unref(context)
            return nil
        }
        self.directory = directory
        self.context = context
    }

    deinit { xkb_context_unref(context) }

    func layout(_ name: String, _ layout: String, variant: String) -> Layout? {
        guard let keymap = compile(layout, variant) else { return nil }
        defer { xkb_keymap_unref(keymap) }
        guard var reader = KeymapReader(keymap: keymap) else { return nil }
        defer { reader.close() }
        let keys = reader.keys()
        var made = Layout(name: name, keys: keys, compose: compose?.sequences(reader.symbols) ?? [:])
        // A layout without Latin letters has the shortcuts of the US one (spec MT-5).
        if !made.typesLatinLetters, let latin = ShippedLayouts.named("us") {
            made.commandLevel = made.commandLevel(from: latin)
        }
        return made
    }

    private func compile(_ layout: String, _ variant: String) -> OpaquePointer? {
        "evdev".withCString { rules in
            "pc105".withCString { model in
                layout.withCString { layout in
                    variant.withCString { variant in
                        "".withCString { options in
                            var names = xkb_rule_names(
                                rules: rules, model: model, layout: layout, variant: variant, options: options)
                            return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
                        }
                    }
                }
            }
        }
    }
}

/// Reads what each key gives at each level, Num Lock on, Caps Lock off.
private struct KeymapReader {
    private let state: OpaquePointer
    private let shift: UInt32
    private let lock: UInt32
    private let numLock: UInt32
    private let level3: UInt32
    /// Each symbol that some key has, with a keysym for it, in the order in which they were met.
    private(set) var symbols: [(symbol: Layout.Symbol, keysym: UInt32)] = []
    private var isKnown: Set<Layout.Symbol> = []

    init?(keymap: OpaquePointer) {
        guard let state = xkb_state_new(keymap) else { return nil }
        self.state = state
        func mask(_ name: String) -> UInt32 {
            let index = xkb_keymap_mod_get_index(keymap, name)
            return index < 32 ? 1 << index : 0
        }
        shift = mask("Shift")
        lock = mask("Lock")
        // xkeyboard-config binds NumLock to Mod2 and LevelThree to Mod5 in all its layouts.
        numLock = mask("Mod2")
        level3 = mask("Mod5")
    }

    func close() { xkb_state_unref(state) }

    mutating func keys() -> [UInt16: Layout.Key] {
        var keys: [UInt16: Layout.Key] = [:]
        let order = (UInt16(0x04)...0xA4).sorted {
            (KeyUsage.keyboard($0).isKeypad ? 1 : 0, $0) < (KeyUsage.keyboard($1).isKeypad ? 1 : 0, $1)
        }
        for usage in order {
            guard let keycode = EvdevKeycodes.xkbKeycode(usage: usage), let key = key(keycode) else { continue }
            keys[usage] = key
        }
        return keys
    }

    private mutating func key(_ keycode: UInt32) -> Layout.Key? {
        var levels: [UInt32] = []
        var keyLevels: [Layout.Symbol] = []
        for modifiers in [0, shift, level3, level3 | shift] {
            select(modifiers, locked: numLock)
            let level = xkb_state_key_get_level(state, keycode, 0)
            // A level that these modifiers do not reach is absent, not a copy: on `us` Option gives no level 3.
            let isAbsent = levels.contains(level)
            levels.append(level)
            keyLevels.append(isAbsent ? .none : add(keycode))
        }
        guard keyLevels.contains(where: { $0 != .none }) else { return nil }
        select(0, locked: numLock | lock)
        let withCapsLock = symbol(keycode)
        // XKB also capitalises keys without capitals at the Shift level (é and 2 on `fr`); those keep their
        // plain character here, as on an iPad.
        let followsCapsLock = keyLevels[1] != .none && withCapsLock == keyLevels[1] && withCapsLock != keyLevels[0]
        return Layout.Key(symbols: keyLevels, capsLock: followsCapsLock ? .swaps : .none)
    }

    private func select(_ modifiers: UInt32, locked: UInt32) {
        xkb_state_update_mask(state, modifiers, 0, locked, 0, 0, 0)
    }

    private func symbol(_ keycode: UInt32) -> Layout.Symbol {
        Keysym.symbol(xkb_state_key_get_one_sym(state, keycode))
    }

    /// The symbol at the selected level, which the layout can type from now on.
    private mutating func add(_ keycode: UInt32) -> Layout.Symbol {
        let keysym = xkb_state_key_get_one_sym(state, keycode)
        let symbol = Keysym.symbol(keysym)
        if symbol != .none, isKnown.insert(symbol).inserted { symbols.append((symbol, keysym)) }
        return symbol
    }
}

private enum Keysym {
    /// Dead keys keep their X11 name; other keysyms are their text, unless that is a control character.
    static func symbol(_ keysym: UInt32) -> Layout.Symbol {
        guard keysym != 0 else { return .none }
        let name = text { xkb_keysym_get_name(keysym, $0, $1) }
        if name.hasPrefix("dead_") { return .dead(name) }
        let typed = text { xkb_keysym_to_utf8(keysym, $0, $1) }
        guard !typed.isEmpty, typed.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            return .none
        }
        return .text(typed)
    }

    /// The text that a C function writes into a buffer, up to its NUL.
    static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            start.pointee = 0
            return write(start, buffer.count) > 0 ? String(cString: start) : ""
        }
    }
}

/// The compose sequences of one fixed locale.
private final class ComposeTable {
    private let table: OpaquePointer
    private let state: OpaquePointer

    init?(context: OpaquePointer) {
        guard let path = XKBFiles.first(XKBFiles.composeFiles), let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        guard
            let table = xkb_compose_table_new_from_file(
                context, file, "en_US.UTF-8", XKB_COMPOSE_FORMAT_TEXT_V1, XKB_COMPOSE_COMPILE_NO_FLAGS)
        else { return nil }
        guard let state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS) else {
            xkb_compose_table_unref(table)
            return nil
        }
        self.table = table
        self.state = state
    }

    deinit {
        xkb_compose_state_unref(state)
        xkb_compose_table_unref(table)
    }

    /// All sequences of these symbols that begin with a dead key.
    func sequences(_ symbols: [(symbol: Layout.Symbol, keysym: UInt32)]) -> [[Layout.Symbol]: String] {
        var found: [[Layout.Symbol]: String] = [:]
        /// Sequences that begin some longer one.
        var open: [[Int]] = symbols.indices.filter { if case .dead = symbols[$0].symbol { true } else { false } }
            .map { [$0] }
        // No sequence of the table is longer than a handful of keys; the bound is for a table that is broken.
        for _ in 0..<6 where !open.isEmpty {
            var longer: [[Int]] = []
            for prefix in open {
                for next in symbols.indices {
                    let sequence = prefix + [next]
                    switch feed(sequence.map { symbols[$0].keysym }) {
                    case XKB_COMPOSE_COMPOSING: longer.append(sequence)
                    case XKB_COMPOSE_COMPOSED:
                        let text = Keysym.text { xkb_compose_state_get_utf8(state, $0, $1) }
                        if !text.isEmpty { found[sequence.map { symbols[$0].symbol }] = text }
                    default: break
                    }
                }
            }
            open = longer
        }
        return found
    }

    private func feed(_ keysyms: [UInt32]) -> xkb_compose_status {
        xkb_compose_state_reset(state)
        for keysym in keysyms { xkb_compose_state_feed(state, keysym) }
        return xkb_compose_state_get_status(state)
    }
}
