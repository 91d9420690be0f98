import FlightRecorder
import Libc

// An app with a recorder in it, for the proofs.
//
// InstrumentedHost stages TRACE MILLISECONDS
//     types ⌘W and a letter through three responders, spends so long in each stage, prints what its own clock says
// InstrumentedHost sizes TRACE LEVEL exact|percent
//     the same at this level, three hundred times over and without waiting, to see what a call takes
// InstrumentedHost work TRACE PRESSES [ROUNDS [SLOW]]
//     presses whose handlers compute, for as long as it takes; SLOW: the rounds of the tab bar at every third press
// InstrumentedHost flood TRACE PROGRESS
//     two threads record until the process is killed, and say in PROGRESS how far they are
// InstrumentedHost check TRACE PROGRESS
//     after that: is no more missing than may be?
// InstrumentedHost follow TRACE
//     reads the trace again and again while it grows, until it has not grown for a second: is each reading whole, and
//     does it begin with the one before?
// InstrumentedHost fill TRACE
//     records until the destination takes no more; prints the error
// InstrumentedHost events COUNT THREADS PAUSE
//     so many events into a ring in memory, with a pause of so many microseconds after each thousand; prints what
//     became of them, and checks snapshots taken meanwhile
// InstrumentedHost canary TRACE masked|secure|clear IMAGE
//     types the usages that come on standard input, a byte each, and writes its own memory into IMAGE, or aborts where
//     that is `abort`
// InstrumentedHost fork TRACE
//     is forked while it records, again and again; prints how often, and fails when that changes anything
// InstrumentedHost pipeless MILLISECONDS
//     records a few keys with so long a pause between them, where no more files or pipes can be opened; prints how many
//     entries there were, and how much of its pause the recorder's thread was busy, in percent
// InstrumentedHost death aborts|exits|faults|killed|forks|ends
//     ends inside of a press, or forks there; the process that started it has its recording
// InstrumentedHost notes TRACE
//     types 200 presses into an app of a dozen responders that was instrumented by hand
// InstrumentedHost search FILE
//     looks for the usages that come on standard input in an image or a trace

func fail(_ message: String) -> Never {
    let line = message + "\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
    exit(2)
}

func stages(_ path: String, _ milliseconds: UInt64) throws {
    let wait = HandlerWork.waiting(milliseconds * 1_000_000)
    let flight = try Keyflight.start(RecorderOptions(.file(path), level: .calls))
    let app = Responder("app", next: nil, cost: wait)
    let tabs = TabBar("tabs", next: app, cost: wait)
    let editor = Editor("editor", next: tabs, cost: wait)
    let dispatcher = KeyDispatcher(first: editor, wait: wait)
    for _ in 0..<3 { dispatcher.type(0x1A, "w", command: true) }
    dispatcher.type(0x04, "a", command: false)
    Keyflight.mark("typed")
    try flight.stop()
    for entry in dispatcher.own { print("\(entry.press)\t\(entry.stage.name)\t\(entry.nanoseconds)") }
    guard tabs.closedTabs == 3 else { fail("closed \(tabs.closedTabs) tabs, not 3") }
}

/// Presses whose handlers take what they take, as many as make the beginning of a trace small beside them.
func sizes(_ path: String, _ level: TraceLevel, _ durations: TraceWriter.DurationPrecision) throws {
    var options = RecorderOptions(.memoryRing(.bytes(64 << 20)), level: level)
    options.durations = durations
    let flight = try Keyflight.start(options)
    let cost = HandlerWork.waiting(20_000)
    let app = Responder("app", next: nil, cost: cost)
    let tabs = TabBar("tabs", next: app, cost: cost)
    let dispatcher = KeyDispatcher(first: Editor("editor", next: tabs, cost: cost), wait: cost)
    for _ in 0..<300 {
        for _ in 0..<3 { dispatcher.type(0x1A, "w", command: true) }
        dispatcher.type(0x04, "a", command: false)
        usleep(2_000)
    }
    try flight.snapshot(to: path)
    try flight.stop()
}

/// Presses whose handlers take as long as this machine takes for them: what a time gate compares.
func work(_ path: String, presses: Int, rounds: Int, slow: Int) throws {
    let flight = try Keyflight.start(RecorderOptions(.file(path), level: .stages))
    let work = HandlerWork.hashing(rounds)
    let app = Responder("app", next: nil, cost: work)
    let tabs = TabBar("tabs", next: app, cost: work)
    let dispatcher = KeyDispatcher(first: Editor("editor", next: tabs, cost: work), wait: work)
    for press in 0..<presses {
        tabs.cost = press % 3 == 1 ? .hashing(slow) : work
        dispatcher.type(0x1A, "w", command: true)
    }
    try flight.stop()
}

func fill(_ path: String) throws {
    let flight = try Keyflight.start(RecorderOptions(.file(path), level: .calls))
    for round in 0..<60_000 where Keyflight.isRecording {
        for _ in 0..<500 { Keyflight.key(.rightArrow, .repeat) }
        if round % 100 == 0 { Keyflight.mark("round \(round)") }
        usleep(1_000)
    }
    do {
        try flight.stop()
    } catch {
        print(error)
        return
    }
    fail("the destination took everything")
}

func pipeless(milliseconds: UInt64) throws {
    var limit = rlimit(rlim_cur: 3, rlim_max: 3)
    #if canImport(Darwin)
    let isSet = setrlimit(RLIMIT_NOFILE, &limit)
    #else
    let isSet = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
    guard isSet == 0, dup(0) < 0 else { fail("descriptors are still to be had") }
    let flight = try Keyflight.start(RecorderOptions(.memoryRing(RingBounds())))
    for _ in 0..<2 {
        for _ in 0..<5 { Keyflight.key(.rightArrow, .repeat) }
        usleep(UInt32(milliseconds * 500))
    }
    try flight.stop()
    let statistics = flight.statistics
    print(statistics.entries, statistics.flusherNanoseconds / (milliseconds * 10_000))
}

let arguments = CommandLine.arguments
do {
    switch arguments.dropFirst().first {
    case "stages" where arguments.count == 4: try stages(arguments[2], UInt64(arguments[3]) ?? 5)
    case "sizes" where arguments.count == 5:
        guard let level = TraceLevel(name: arguments[3]) else { fail("sizes: expected a level, found \(arguments[3])") }
        try sizes(arguments[2], level, arguments[4] == "percent" ? .percent : .exact)
    case "work" where (4...6).contains(arguments.count):
        let numbers = arguments.dropFirst(3).map { Int($0) ?? 0 }
        let rounds = numbers.count > 1 ? numbers[1] : 1_000
        try work(arguments[2], presses: numbers[0], rounds: rounds, slow: numbers.count > 2 ? numbers[2] : rounds)
    case "flood" where arguments.count == 4: try Flood.run(arguments[2], arguments[3])
    case "check" where arguments.count == 4: try Flood.check(arguments[2], arguments[3])
    case "fill" where arguments.count == 3: try fill(arguments[2])
    case "events" where arguments.count == 5:
        try Events.run(Int(arguments[2]) ?? 0, max(1, Int(arguments[3]) ?? 1), UInt32(arguments[4]) ?? 1_000)
    case "follow" where arguments.count == 3: try Flood.follow(arguments[2])
    case "canary" where arguments.count == 5:
        guard let mode = Canary.Mode(rawValue: arguments[3]) else { fail("canary: expected masked, secure or clear") }
        try Canary.run(arguments[2], mode, image: arguments[4])
    case "death" where arguments.count == 3: try Death.run(arguments[2])
    case "fork" where arguments.count == 3: try Fork.run(arguments[2])
    case "notes" where arguments.count == 3: try NotesApp.run(arguments[2])
    case "pipeless" where arguments.count == 3: try pipeless(milliseconds: UInt64(arguments[2]) ?? 500)
    case "search" where arguments.count == 3: Canary.search(arguments[2])
    default:
        fail(
            "expected stages, sizes, work, flood, check, follow, fill, events, canary, death, fork, pipeless, notes "
                + "or search, with arguments")
    }
} catch {
    fail("\(error)")
}
