import TraceFormat

/// Trace events as JSON, as chrome://tracing and Perfetto read them: complete events where they nest, asynchronous
/// ones for presses, one event a line. Times are microseconds with three decimals, which is exact.
struct ChromeTrace: TimelineWriter {
    private var output: PieceWriter
    private var json = JSONText()
    private var isFirst = true

    init(name: String, to sink: @escaping TimelineExport.Sink) throws {
        output = PieceWriter(sink)
        try output.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
        try event("M", "process_name", facts: [SliceFact("name", "keyflight: " + name)])
    }

    mutating func declare(_ track: TimelineTrack) throws {
        try event("M", "thread_name", on: track.number, facts: [SliceFact("name", track.name)])
        try event("M", "thread_sort_index", on: track.number, facts: [SliceFact("sort_index", track.rank)])
    }

    mutating func open(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ begin: Int64, _ end: Int64,
        _ facts: [SliceFact], _ arrow: SliceArrow
    ) throws {
        try event("X", name, category, on: track.number, at: begin, facts: facts) { json in
            json.key("dur")
            json.raw(ChromeTrace.microseconds(end - begin))
        }
        switch arrow {
        case .none: break
        case .leaves(let id): try flow("s", id, track, begin)
        case .arrives(let id): try flow("f", id, track, begin)
        }
    }

    mutating func close(_ track: TimelineTrack, _ end: Int64) throws {}

    private mutating func flow(_ phase: String, _ id: UInt64, _ track: TimelineTrack, _ time: Int64) throws {
        try event(phase, "to the action", "press", on: track.number, at: time) { json in
            json.member("id", "0x" + String(id, radix: 16))
            if phase == "f" { json.member("bp", "e") }
        }
    }

    mutating func press(
        _ name: String, _ at: PressTick, on track: TimelineTrack, _ begin: Int64, _ end: Int64, _ facts: [SliceFact],
        _ arrow: SliceArrow
    ) throws {
        let id = "0x" + String(UInt64(at.press) << 32 | UInt64(at.tick), radix: 16)
        try event("b", name, "press", on: track.number, at: begin, facts: facts) { $0.member("id", id) }
        try event("e", name, "press", on: track.number, at: end) { $0.member("id", id) }
    }

    mutating func moment(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ time: Int64, _ facts: [SliceFact]
    ) throws {
        try event("i", name, category, on: track.number, at: time, facts: facts) { $0.member("s", "t") }
    }

    mutating func count(_ counter: TimelineCounter, _ time: Int64, _ value: Int64) throws {
        try event("C", counter.name, at: time, facts: [SliceFact("count", value)])
    }

    mutating func clock(unixTime: Int64) throws {
        try event("M", "unix_time_at_0", facts: [SliceFact("nanoseconds", String(unixTime))])
    }

    mutating func finish() throws {
        try output.write("\n]}\n")
        try output.flush()
    }

    private mutating func event(
        _ phase: String, _ name: String, _ category: StaticString? = nil, on thread: Int? = nil, at time: Int64? = nil,
        facts: [SliceFact] = [], _ more: (inout JSONText) -> Void = { _ in }
    ) throws {
        json.removeAll()
        json.beginObject()
        json.member("name", name)
        if let category { json.member("cat", "\(category)") }
        json.member("ph", phase)
        if let time {
            json.key("ts")
            json.raw(ChromeTrace.microseconds(time))
        }
        json.member("pid", 1)
        if let thread { json.member("tid", thread) }
        more(&json)
        if !facts.isEmpty { json.member("args", object: { ChromeTrace.write(facts, &$0) }) }
        json.endObject()
        try output.write(isFirst ? "" : ",\n")
        try output.write(json.bytes)
        isFirst = false
    }

    private static func write(_ facts: [SliceFact], _ json: inout JSONText) {
        for fact in facts {
            switch fact.value {
            case .text(let text): json.member("\(fact.name)", text)
            case .number(let number): json.member("\(fact.name)", number)
            case .flag(let flag): json.member("\(fact.name)", flag)
            }
        }
    }

    /// `12.345` of 12345 ns.
    static func microseconds(_ nanoseconds: Int64) -> String {
        "\(nanoseconds / 1000)." + TextNumbers.padded(String(nanoseconds % 1000), 3, "0")
    }
}
