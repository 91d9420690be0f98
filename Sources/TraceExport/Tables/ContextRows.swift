import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// Rows of the tables about the trace and its context; `nil` for their columns alone.
extension RowSink {
    mutating func row(_ info: TraceInfo?) {
        text("schema", "keyflight.tables/1", "keyflight.tables/1")
        int("version", "of the file format", info?.file.version)
        text("form", "live or canonical", info?.file.form)
        text("level", "keys, resolutions, stages or calls", info?.level.name)
        int("masked", "1: keys that type text are known by their class alone", info?.isMasked)
        int("complete", "0: the end is missing or something was unreadable", info?.file.isComplete)
        int("bytes", "of the file", info?.file.bytes)
        int("records", "in it", info?.records)
        int("presses", "keys with a down or a resolution, modifiers left out", info?.numberedPresses)
        int("key_downs", "downs of all keys", info?.presses)
        int("repeats", "of held keys", info?.repeats)
        int("duration_ns", "from the first record to the last", info?.duration.nanoseconds)
    }

    mutating func row(_ fact: EnvironmentRecord?, _ record: TraceRecord?) {
        moment(record)
        text("name", "of the fact", fact?.name)
        text("value", "from here on", fact?.value)
    }

    mutating func row(_ device: DeviceRecord?) {
        int("device", "as in keys", device?.device)
        text("name", "what it calls itself", device?.name)
        text("source", "usbmon, evdev, …", device?.source)
        int("bus", "of USB", device?.bus)
        int("address", "of USB", device?.address)
        int("endpoint", "with its direction bit", device?.endpoint)
        int("adapter", "of Bluetooth", device?.adapter)
        text("transport", "classic or le", device?.transport)
        int("handle", "of Bluetooth", device?.handle)
        int("attribute", "of Bluetooth", device?.attribute)
        int("vendor", "id", device?.vendor)
        int("product", "id", device?.product)
    }

    mutating func row(_ clock: ClockRecord?) {
        text("source", "as in devices", clock?.source)
        int("unix_ns", "since 1970 at time 0", clock?.unixTime)
        int("granularity_ns", "smallest step seen", clock?.granularity)
        int("backward_steps", "stamps before the one before", clock?.backwardSteps)
    }

    mutating func row(_ layout: LayoutRecord?, _ record: TraceRecord?) {
        moment(record)
        text("name", "such as us or fr", layout?.name)
        text("hash", "of its table", layout?.hash.hexadecimal(16))
        int("stored", "1: the trace has its table", layout.map { $0.table != nil })
    }

    mutating func focusRow(
        _ what: String?, _ responder: String?, _ cause: FocusCause?, isSecure: Bool?, _ record: TraceRecord?
    ) {
        moment(record)
        text("what", "firstResponder, keyWindow, mainWindow or textInput", what)
        text("responder", "NULL: none", responder)
        text("cause", "become, resign, present, …", cause?.name)
        int("secure", "1: a secure text input", isSecure)
    }

    mutating func row(_ link: LinkRecord?, _ record: TraceRecord?, _ names: TraceDefinitions) {
        moment(record)
        text("responder", "whose link", names.id(of: link?.responder))
        text("next", "NULL: the end", names.id(of: link?.next))
        text("window", "the window it is in", names.id(of: link?.window))
    }

    mutating func row(_ mark: MarkRecord?, _ record: TraceRecord?) {
        moment(record)
        text("name", "of the moment", mark?.name)
    }

    mutating func contextRow(_ kind: String?, fields: String?, _ record: TraceRecord?) {
        moment(record)
        text("kind", "of the record", kind)
        text("fields", "as JSON", fields)
    }

    mutating func row(_ loss: LossRecord?, _ record: TraceRecord?) {
        moment(record)
        text("cause", "dropped, secureEntry, truncated, …", loss?.cause.name)
        int("count", "NULL: unknown", loss?.count)
        int("duration_ns", "without recording", loss?.duration?.nanoseconds)
        text("detail", "where, in words", loss?.detail)
    }

    mutating func row(_ finding: Finding?, number: Int) {
        int("finding", "the gravest first", number)
        text("rule", "id that never changes", finding?.rule.rawValue)
        text("severity", "error, warning or note", finding?.rule.severity.name)
        text("chord", "by position", finding?.chord?.text)
        text("message", "what happened", finding?.message)
        int("presses", "affected", finding?.presses)
        text("hint", "what to do", finding?.hint)
    }

    mutating func row(_ evidence: Finding.Evidence?, finding: Int) {
        int("finding", "as in findings", finding)
        int("press", "ordinal", evidence?.press)
        int("tick", "0 for the down", evidence?.tick)
        int("t_ns", "time since time 0", evidence?.time.nanoseconds)
    }
}

extension TraceTable {
    /// The columns, in order. A name that ends in `_ns` is nanoseconds; NULL is what is not known.
    package var columns: [TableColumn] {
        var list = ColumnList()
        var texts = RowTexts()
        let names = TraceDefinitions()
        switch self {
        case .trace: list.row(nil as TraceInfo?)
        case .environment: list.row(nil as EnvironmentRecord?, nil)
        case .devices: list.row(nil as DeviceRecord?)
        case .clocks: list.row(nil as ClockRecord?)
        case .layouts: list.row(nil as LayoutRecord?, nil)
        case .presses, .repeats: list.row(nil as TracePress?, names, &texts)
        case .runs: list.row(nil as ResolutionRecord?, number: 2, of: nil, names)
        case .texts: list.textRow(nil, names)
        case .keys: list.row(nil as KeyRecord?, nil, &texts)
        case .receivers: list.row(nil as ReceiverRecord?, names)
        case .candidates: list.row(nil as CandidateRecord?, names, &texts)
        case .calls: list.row(nil as CallRecord?, selfTime: nil, names)
        case .invocations: list.row(nil as InvocationRecord?, selfTime: nil, names)
        case .stages: list.row(nil as StageRecord?)
        case .costs: list.row(nil as CostRecord?)
        case .effects: list.row(nil as EffectRecord?, names)
        case .responders: list.row(nil as ResponderDefinition?)
        case .commands: list.row(nil as CommandDefinition?, number: 0, &texts)
        case .lists: list.row(nil as CommandRef?, list: 0, position: 0)
        case .focus: list.focusRow(nil, nil, nil, isSecure: nil, nil)
        case .links: list.row(nil as LinkRecord?, nil, names)
        case .marks: list.row(nil as MarkRecord?, nil)
        case .context: list.contextRow(nil, fields: nil, nil)
        case .loss: list.row(nil as LossRecord?, nil)
        case .findings: list.row(nil as Finding?, number: 0)
        case .evidence: list.row(nil as Finding.Evidence?, finding: 0)
        }
        return list.columns
    }
}
