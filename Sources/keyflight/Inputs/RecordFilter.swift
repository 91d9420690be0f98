import ArgumentParser
import KeyModel
import TraceFormat

/// Which records of a trace a verb is about: those that match all that is asked for.
struct RecordFilter: ParsableArguments {
    @Option(help: "Records of this kind, such as key, resolution or call. May be repeated.")
    var kind: [RecordKind] = []

    @Option(help: "From this time on: an integer and ns, us, ms or s.")
    var from: TraceDuration?

    @Option(help: "Up to this time, itself included.")
    var to: TraceDuration?

    @Option(help: "What belongs to the press with this ordinal. May be repeated.")
    var press: [UInt32] = []

    var isSet: Bool { !kind.isEmpty || from != nil || to != nil || !press.isEmpty }

    func admits(_ record: TraceRecord) -> Bool {
        if let from, record.time.nanoseconds < from.nanoseconds { return false }
        if let to, record.time.nanoseconds > to.nanoseconds { return false }
        if !kind.isEmpty {
            guard let found = record.body.kind, kind.contains(found) else { return false }
        }
        if !press.isEmpty {
            guard let found = record.body.press, press.contains(found) else { return false }
        }
        return true
    }
}
