import KeyModel

/// One thread that serves events in the order of their arrival, on a virtual clock: events that arrive while it is busy
/// wait. Without any declared or recorded cost it is never busy.
struct ServiceQueue {
    /// Time at which everything accepted so far is done.
    private(set) var idleFrom = TraceTime.zero

    /// Wait of an event that arrives now, before it is served.
    func delay(at arrival: TraceTime) -> TraceDuration {
        arrival < idleFrom ? idleFrom.since(arrival) : .zero
    }

    /// Serves an event that arrived at `arrival` and takes `service`.
    mutating func serve(arrival: TraceTime, service: TraceDuration) {
        idleFrom = max(arrival, idleFrom).advanced(by: max(service, .zero))
    }
}
