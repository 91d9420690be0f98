import KeyModel
public import TraceFormat

extension Recording {
    /// The same without some of its records; those that stay keep their times, and are numbered anew.
    private func keeping(_ kept: some Sequence<TraceRecord>) -> Recording {
        var part = Recording()
        part.definitions = definitions
        part.initialContext = initialContext
        for record in kept { part.append(record.body, at: record.time) }
        return part
    }

    /// The smallest recording that still fails: records are left out, first halves, at last one by one, as long as
    /// `fails` says so of what is left.
    public func shrunk(while fails: (Recording) -> Bool) -> Recording {
        var smallest = self
        var size = max(1, records.count / 2)
        while true {
            var place = 0
            var isSmaller = false
            while place < smallest.records.count {
                let end = min(place + size, smallest.records.count)
                let rest = smallest.records[..<place] + smallest.records[end...]
                let smaller = keeping(rest)
                if !rest.isEmpty || size == 1, fails(smaller) {
                    smallest = smaller
                    isSmaller = true
                } else {
                    place = end
                }
            }
            if size > 1 { size /= 2 } else if !isSmaller { return smallest }
        }
    }
}

/// Something that must be so of every recording, and how a case is told for which it is not.
public struct RecordingProperty: Sendable {
    private let failure: @Sendable (Recording) throws -> String?

    /// `failure`: what is wrong, `nil` for a recording that is as it must be. What it throws is wrong as well.
    public init(_ failure: @escaping @Sendable (Recording) throws -> String?) { self.failure = failure }

    private func whatIsWrong(_ recording: Recording) -> String? {
        do { return try failure(recording) } catch { return "\(error)" }
    }

    /// What is wrong with the smallest recording that can be made out of this one and still fails, and its records.
    /// `nil` where nothing is.
    public func counterexample(_ recording: Recording) -> String? {
        guard whatIsWrong(recording) != nil else { return nil }
        let smallest = recording.shrunk { whatIsWrong($0) != nil }
        let records = smallest.records.map { "  \($0.time.nanoseconds) ns: \($0.body)" }
        let place = "\(smallest.records.count) of \(recording.records.count) records are left:"
        return ([whatIsWrong(smallest) ?? "", place] + records.prefix(40)).joined(separator: "\n")
    }
}
