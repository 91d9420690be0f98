import KeyModel
public import TraceFormat

/// Sound traces in which one thing is as large, or as many, as a file of few megabytes allows. What reads them takes
/// memory and time for the bytes present, not for what they stand for.
public enum OutsizedTrace: String, CaseIterable, Sendable {
    /// 24 answers of 65,536 commands, of which few are different.
    case lists
    /// The same, 200 times.
    case manyLists
    /// Commands for one chord, each with another action, in answers of as many as a list has; the last answer comes
    /// once more in the opposite order.
    case actions
    /// Responders linked one behind the other, and presses that climb them.
    case chain
    /// Presses without a release, in three bytes each. Half of them are masked: another key of its class may be held.
    case presses
    case losses
    /// Responders and actions with names of kilobytes, of characters that are written in more bytes elsewhere.
    case names

    /// How many of it the file has.
    public var size: Int {
        switch self {
        case .lists: 24
        case .manyLists: 200
        case .actions: 262_144
        case .chain: 300_000
        case .presses: 800_000
        case .losses: 300_000
        case .names: 400
        }
    }

    /// Hands the trace to `sink`, piece by piece; `size`: another number of the same.
    public func write(size: Int? = nil, to sink: @escaping TraceWriter.Sink) throws {
        var writer = try OutsizedWriter(sink)
        let size = size ?? self.size
        switch self {
        case .lists, .manyLists: try writer.lists(size)
        case .actions: try writer.actions(size)
        case .chain: try writer.chain(size)
        case .presses: try writer.presses(size)
        case .losses: try writer.losses(size)
        case .names: try writer.names(size)
        }
        try writer.finish()
    }
}

private struct OutsizedWriter {
    private var writer: TraceWriter
    private var definitions = TraceDefinitions()
    private var time: Int64 = 0

    init(_ sink: @escaping TraceWriter.Sink) throws {
        writer = try TraceWriter(header: TraceHeader(form: .live, level: .calls, isMasked: false), sink: sink)
    }

    mutating func finish() throws { try writer.finish() }

    private mutating func append(_ body: TraceRecord.Body, after nanoseconds: Int64 = 0) throws {
        time += nanoseconds
        try writer.append(body, at: TraceTime(nanoseconds: time), definitions: definitions)
    }

    private mutating func press(
        _ ordinal: Int, _ key: KeyIdentity = .clear(.keyboard(0x04)), _ modifiers: KeyModifiers = [],
        after nanoseconds: Int64
    ) throws {
        let key = KeyRecord(
            device: 1, key: key, phase: .down, modifiers: modifiers, press: UInt32(ordinal), isSynthetic: false)
        try append(.key(key), after: nanoseconds)
    }

    /// Presses, each with one answer of 65,536 commands.
    mutating func lists(_ count: Int) throws {
        let commands = commands(100)
        let responder = try first()
        for ordinal in 1...max(1, count) {
            var list = [CommandRef](repeating: commands[0], count: TraceLimits.listCommands)
            // Each list is another one.
            list[ordinal % list.count] = commands[1 + ordinal % (commands.count - 1)]
            try press(ordinal, after: 50_000_000)
            try answer(list, to: ordinal, by: responder)
        }
    }

    mutating func actions(_ count: Int) throws {
        let commands = commands(count)
        let responder = try first()
        var lists = stride(from: 0, to: count, by: TraceLimits.listCommands).map {
            Array(commands[$0..<min(count, $0 + TraceLimits.listCommands)])
        }
        lists.append(lists.last?.reversed() ?? [])
        for (place, list) in lists.enumerated() {
            try press(place + 1, .clear(.keyboard(0x1A)), .command, after: 50_000_000)
            try answer(list, to: place + 1, by: responder)
        }
    }

    private mutating func commands(_ count: Int) -> [CommandRef] {
        (0..<count).map { number in
            definitions.intern(CommandDefinition(input: "w", modifiers: .command, action: "close\(number):"))
        }
    }

    mutating func names(_ count: Int) throws {
        let long = String(repeating: "<", count: 3_000)
        for number in 1...max(1, count) {
            let responder = try first("\(number)" + long, kind: "\(number)" + long)
            let commands = (0..<4).map { place in
                definitions.intern(
                    CommandDefinition(input: "w\(place)", modifiers: .command, action: "a\(number)_\(place)\(long)"))
            }
            try press(number, .clear(.keyboard(0x1A)), .command, after: 50_000_000)
            try answer(commands, to: number, by: responder)
        }
    }

    private mutating func first(_ id: String = "page", kind: String = "view") throws -> ResponderRef {
        let responder = definitions.intern(ResponderDefinition(id: id, kind: kind))
        try append(.firstResponder(FirstResponderRecord(responder: responder, cause: .start)))
        return responder
    }

    private mutating func answer(_ list: [CommandRef], to ordinal: Int, by responder: ResponderRef) throws {
        let at = PressTick(press: UInt32(ordinal), tick: 0)
        try append(
            .call(
                CallRecord(
                    at: at, kind: .keyCommands, occasion: .down, responder: responder, pass: 1, depth: 0,
                    duration: TraceDuration(nanoseconds: 1000), action: nil,
                    answer: .commands(definitions.intern(list)))),
            after: 2000)
        try append(.resolution(ResolutionRecord(at: at, outcome: .unhandled, takenBy: nil, state: nil)))
    }

    mutating func chain(_ count: Int) throws {
        let responders = (0..<max(2, count)).map {
            definitions.intern(ResponderDefinition(id: "r\($0)", kind: "view"))
        }
        for (responder, next) in zip(responders, responders.dropFirst()) {
            try append(.link(LinkRecord(responder: responder, next: next, window: nil)))
        }
        try append(.firstResponder(FirstResponderRecord(responder: responders[0], cause: .start)))
        for ordinal in 1...20 { try press(ordinal, after: 50_000_000) }
    }

    mutating func presses(_ count: Int) throws {
        for ordinal in 1...max(1, count) {
            try press(ordinal, ordinal % 2 == 0 ? .masked(.letter) : .clear(.keyboard(0x04)), after: 100)
        }
    }

    mutating func losses(_ count: Int) throws {
        for number in 0..<count {
            try append(
                .loss(LossRecord(cause: .paused, count: nil, duration: nil, detail: "n\(number)")), after: 100)
        }
        try press(1, after: 1)
    }
}
