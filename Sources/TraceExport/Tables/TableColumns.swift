private typealias T = TableColumn

extension TraceTable {
    /// The columns, in order. A name that ends in `_ns` is nanoseconds; NULL is what is not known.
    package var columns: [TableColumn] {
        switch self {
        case .trace, .environment, .devices, .clocks, .layouts: aboutTheTrace
        case .presses, .repeats: T.press
        case .runs, .texts, .keys, .receivers, .candidates, .calls, .invocations, .stages, .effects: aboutAPress
        default: aboutTheContext
        }
    }

    private var aboutTheTrace: [TableColumn] {
        switch self {
        case .trace:
            return [
                T.text("schema", "keyflight.tables/1"), T.int("version", "of the file format"),
                T.text("form", "live or canonical"), T.text("level", "keys, resolutions, stages or calls"),
                T.int("masked", "1: keys that type text are known by their class alone"),
                T.int("complete", "0: the end is missing or something was unreadable"), T.int("bytes", "of the file"),
                T.int("records", "in it"), T.int("presses", "downs of keys that are no modifiers"),
                T.int("key_downs", "downs of all keys"),
                T.int("repeats", "of held keys"), T.int("duration_ns", "from the first record to the last"),
            ]
        case .environment: return T.moment + [T.text("name", "of the fact"), T.text("value", "from here on")]
        case .devices:
            return [
                T.int("device", "as in keys"), T.text("name", "what it calls itself"),
                T.text("source", "usbmon, evdev, …"),
                T.int("bus", "of USB"), T.int("address", "of USB"), T.int("endpoint", "with its direction bit"),
                T.int("adapter", "of Bluetooth"), T.text("transport", "classic or le"), T.int("handle", "of Bluetooth"),
                T.int("attribute", "of Bluetooth"), T.int("vendor", "id"), T.int("product", "id"),
            ]
        case .clocks:
            return [
                T.text("source", "as in devices"), T.int("unix_ns", "since 1970 at time 0"),
                T.int("granularity_ns", "smallest step seen"), T.int("backward_steps", "stamps before the one before"),
            ]
        default:
            return T.moment + [
                T.text("name", "such as us or fr"), T.text("hash", "of its table"),
                T.int("stored", "1: the trace has its table"),
            ]
        }
    }

    private var aboutAPress: [TableColumn] {
        switch self {
        case .runs:
            return T.at + [
                T.int("run", "from 2 on"), T.text("outcome", "as in presses"), T.text("taken_by", "as in presses"),
                T.text("action", "selector"), T.text("supplier", "as in presses"), T.text("target", "as in presses"),
            ]
        case .texts:
            return [
                T.int("text_number", "from 1 on"), T.int("t_ns", "time since time 0"),
                T.text("outcome", "as in presses"),
                T.text("taken_by", "as in presses"), T.text("target", "who took it"),
                T.text("text", "NULL when masked"),
            ]
        case .keys:
            return T.moment + [
                T.int("device", "as in devices"), T.int("press", "NULL for modifier keys"),
                T.text("phase", "down, up, repeat or cancel"), T.int("page", "HID usage page"),
                T.int("usage", "HID usage; NULL when masked"), T.text("key", "its name"),
                T.text("class", "when masked"),
                T.text("modifiers", "held after it, joined by +"), T.int("synthetic", "1: no source sent it"),
            ]
        case .receivers:
            return T.at + [
                T.text("responder", "who got it"), T.text("phase", "down, up or cancel"),
                T.int("swallowed", "1: it was not passed on"),
            ]
        case .candidates:
            return T.at + [
                T.text("supplier", "mainMenu for the menu"), T.text("verdict", "won, shadowed, disabled, …"),
                T.text("reason", "in words"), T.int("command", "as in commands"),
            ] + T.command + [T.int("derived", "1: a replay of recorded lists found it, and no record")]
        case .calls:
            return T.at + [
                T.text("kind", "keyCommands, canPerformAction, …"),
                T.text("occasion", "down, repeatTick, release, shadow"),
                T.text("responder", "who was asked"), T.int("pass", "over the chain, from 1; 0: none"),
                T.int("depth", "calls it was made inside of"), T.text("action", "that was asked about"),
                T.text("answer", "yes, no or commands"), T.int("list", "answer of keyCommands; see lists"),
                T.int("duration_ns", "calls inside it included"), T.int("self_ns", "without calls inside it"),
            ]
        case .invocations:
            return T.at + [
                T.text("kind", "keyEquivalent, keyDown, sendAction, …"),
                T.text("occasion", "down, repeatTick, release"),
                T.text("responder", "who got it; mainMenu for the menu"),
                T.text("selector", "the message, or the action"),
                T.text("sender", "who sent it"), T.text("answer", "yes, no, responder or list"),
                T.text("target", "the responder that was the answer"), T.int("items", "of a list"),
                T.text("path", "of the menu item that answered"), T.int("depth", "recorded messages it was inside of"),
                T.int("count", "messages that the row stands for"),
                T.int("duration_ns", "messages inside it included"), T.int("self_ns", "without messages inside it"),
            ]
        case .stages:
            return T.at + [
                T.text("stage", "hid, transport, inputDelay, …"), T.int("duration_ns", "spent in it"),
                T.int("rounded", "1: kept to 1 %"),
            ]
        default:
            return T.at + [
                T.text("responder", "whose state; NULL for the system"), T.text("kind", "selection, text, push, …"),
                T.text("value", "the new one, as JSON"),
            ]
        }
    }

    private var aboutTheContext: [TableColumn] {
        switch self {
        case .responders: return [T.text("responder", "its id"), T.text("kind", "kind or class name")]
        case .commands: return [T.int("command", "a number of this database")] + T.command + [
            T.text("attributes", "hidden, wantsPriority, …, joined by +")]
        case .lists:
            return [
                T.int("list", "a number of this database"), T.int("position", "from 0 on"),
                T.int("command", "as in commands"),
            ]
        case .focus:
            return T.moment + [
                T.text("what", "firstResponder, keyWindow, mainWindow or textInput"),
                T.text("responder", "NULL: nobody"),
                T.text("cause", "become, resign, present, …"), T.int("secure", "1: a secure text input"),
            ]
        case .links:
            return T.moment + [
                T.text("responder", "whose link"), T.text("next", "NULL: the end"),
                T.text("window", "the window it is in"),
            ]
        case .marks: return T.moment + [T.text("name", "of the moment")]
        case .context: return T.moment + [T.text("kind", "of the record"), T.text("fields", "as JSON")]
        case .loss:
            return T.moment + [
                T.text("cause", "dropped, secureEntry, truncated, …"), T.int("count", "NULL: unknown"),
                T.int("duration_ns", "without recording"), T.text("detail", "where, in words"),
            ]
        case .findings:
            return [
                T.int("finding", "the gravest first"), T.text("rule", "id that never changes"),
                T.text("severity", "error, warning or note"), T.text("chord", "by position"),
                T.text("message", "what happened"), T.int("presses", "affected"), T.text("hint", "what to do"),
            ]
        default:
            return [
                T.int("finding", "as in findings"), T.int("press", "ordinal"), T.int("tick", "0 for the down"),
                T.int("t_ns", "time since time 0"),
            ]
        }
    }
}

extension TableColumn {
    fileprivate static let at = [
        int("press", "ordinal of the press; 0 for text without a key"),
        int("tick", "0 for the down, n for its n-th repeat"),
    ]
    fileprivate static let moment = [
        int("seq", "place in the recording; NULL for what was so before it"), int("t_ns", "time since time 0"),
    ]
    fileprivate static let command = [
        text("input", "the character or special key"), text("modifiers", "joined by +"), text("action", "selector"),
        text("title", "NULL where there is none or it is masked"),
    ]

    fileprivate static let press: [TableColumn] =
        at + [
            int("t_ns", "time since time 0"), int("device", "as in devices"),
            text("chord", "by position, such as shift+cmd+w; NULL when masked"), text("key", "name of the key"),
            text("class", "of a masked key"), text("modifiers", "held with it, joined by +"),
            text("character", "charactersIgnoringModifiers"),
            text("outcome", "performed, consumedByText, unhandled, …"),
            text("taken_by", "keyCommands, mainMenu, text, …"), text("action", "selector"),
            text("supplier", "whose key command matched; mainMenu for the menu"), text("target", "who performed it"),
            text("first_responder", "where the chain began"), text("key_window", "the window that was key"),
            text("text", "what was inserted"), int("runs", "actions; see the table runs"),
            int("swallowed", "1: a responder did not pass the press on"), int("held_ns", "from the down to the up"),
            int("cancelled", "1: it ended by a cancel"),
        ]
        + [
            ("hid", "switch to host"), ("transport", "bus to the system's stamp"),
            ("input_delay", "system's stamp to the app"), ("presses", "the climb of the raw press"),
            ("chord_wait", "whether a longer sequence follows"), ("collect", "keyCommands and menus"),
            ("match", "which command"), ("validate", "canPerformAction and validate"), ("action", "the action"),
            ("settle", "to idle or the committed frame"), ("total", "sum of the stages known"),
        ].map { int($0.0 + "_ns", $0.1) }
        + [
            int("key_commands_calls", "at the down or repeat"), int("can_perform_calls", "canPerformAction"),
            int("validate_calls", "validate"), int("build_menu_calls", "buildMenu"),
            int("key_commands_on_release", "at its release"), int("shadow_reads", "made to check a cache"),
            int("cache_hits", "lookups that were served"), int("cache_misses", "lookups that were not"),
            int("cache_stale", "hits that were wrong"), int("cache_invalidations", "entries dropped"),
            int("cache_calls_saved", "against policy none"), int("cache_time_saved_ns", "their cost"),
            text("state", "hash of the state after it"),
        ]
}
