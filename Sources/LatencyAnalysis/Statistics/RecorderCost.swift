package import KeyModel

/// Cost of recording to the app, as the recorder measured it on the machine and wrote it into the trace.
package struct RecorderCost: Hashable, Sendable {
    /// Cost of one key event, in tenths of a nanosecond.
    package var keyTenths: Int64
    /// Cost of the whole recording, with the hooks of an adapter where they were timed; `nil` where the recording never
    /// came to its end.
    package var total: TraceDuration?
    package var hooks: TraceDuration?
    package var entries: UInt64?
}

extension TraceInfo {
    /// `nil` for a trace that no recorder in an app wrote.
    package var recorderCost: RecorderCost? {
        guard let key = environment("recorder.overhead.key").flatMap(TraceInfo.tenths) else { return nil }
        // What is recorded is recorded inside of them.
        let hooks = environment(AdapterFact.hookTime).flatMap { Int64($0) }.map { TraceDuration(nanoseconds: $0) }
        let total = environment("recorder.overhead.total").flatMap { TraceDuration(text: $0) }
        return RecorderCost(
            keyTenths: key, total: total.map { max($0, hooks ?? .zero) }, hooks: hooks,
            entries: environment("recorder.entries").flatMap { UInt64($0) })
    }

    /// `10.2ns` as 102.
    private static func tenths(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("ns"), parts[1].utf8.count == 3,
            let tenth = parts[1].first?.wholeNumberValue, let whole = Int64(parts[0]), whole >= 0,
            case let (product, isTooLong) = whole.multipliedReportingOverflow(by: 10), !isTooLong, product <= .max - 9
        else { return nil }
        return product + Int64(tenth)
    }
}
