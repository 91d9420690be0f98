#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif
import FlightRecorder

// An app with a recorder in it, for the proofs.
//
// InstrumentedHost stages TRACE MILLISECONDS
//     types ⌘W and a letter through three responders, spends so long in each stage, prints what its own clock says
// InstrumentedHost flood TRACE PROGRESS
//     two threads record until the process is killed, and say in PROGRESS how far they are
// InstrumentedHost check TRACE PROGRESS
//     after that: is no more missing than may be?
// InstrumentedHost fill TRACE
//     records until the destination takes no more; prints the error
// InstrumentedHost events COUNT THREADS PAUSE
//     so many events into a ring in memory, with a pause of so many microseconds after each thousand; prints what
//     became of them

func fail(_ message: String) -> Never {
    let line = message + "\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
    exit(2)
}

func stages(_ path: String, _ milliseconds: UInt64) throws {
    let wait = BusyWait(nanoseconds: milliseconds * 1_000_000)
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

func events(_ count: Int, _ threads: Int, _ pause: UInt32) throws {
    var options = RecorderOptions(.memoryRing(.bytes(1 << 20)), level: .keys)
    options.autoStop = nil
    let flight = try Keyflight.start(options)
    let crew = (0..<threads).map { _ in
        RecordingThread.launch {
            for place in 0..<count / threads {
                Keyflight.key(.keyboard(UInt16(4 + place / 2 % 26)), place & 1 == 0 ? .down : .up)
                if place % 1_000 == 999 { usleep(pause) }
            }
        }
    }
    for thread in crew { thread.join() }
    let bytes = try flight.snapshot()
    try flight.stop()
    let statistics = flight.statistics
    let (recording, report) = try Recording.read(bytes)
    let isOrdered = zip(recording.records, recording.records.dropFirst()).allSatisfy {
        $0.time <= $1.time && $0.sequence + 1 == $1.sequence
    }
    let sum = statistics.entries + statistics.dropped
    print("events \(count / threads * threads) recorded \(statistics.entries) dropped \(statistics.dropped)")
    guard sum == UInt64(count / threads * threads) else { fail("\(sum) accounted for") }
    guard isOrdered, report.complete else { fail("the snapshot is not in order") }
}

let arguments = CommandLine.arguments
do {
    switch arguments.dropFirst().first {
    case "stages" where arguments.count == 4: try stages(arguments[2], UInt64(arguments[3]) ?? 5)
    case "flood" where arguments.count == 4: try Flood.run(arguments[2], arguments[3])
    case "check" where arguments.count == 4: try Flood.check(arguments[2], arguments[3])
    case "fill" where arguments.count == 3: try fill(arguments[2])
    case "events" where arguments.count == 5:
        try events(Int(arguments[2]) ?? 0, max(1, Int(arguments[3]) ?? 1), UInt32(arguments[4]) ?? 1_000)
    default: fail("InstrumentedHost: expected stages, flood, check, fill or events with its arguments")
    }
} catch {
    fail("\(error)")
}
