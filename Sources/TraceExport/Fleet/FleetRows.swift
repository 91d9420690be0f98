import KeyModel
package import LatencyAnalysis
import TraceFormat

/// One input of a table of many traces, read.
package struct FleetSession: Sendable {
    /// `ok`, or why the input has a row of `sessions` alone.
    package enum Status: String, CaseIterable, Sendable {
        case ok
        /// Damaged, or without its end.
        case damaged
        case empty
        /// No trace.
        case foreign
        case otherVersion = "other_version"
        /// Text is in clear.
        case unmasked
        /// The same bytes as an input before it.
        case duplicate
        /// It cannot be opened or read.
        case unreadable
        case tooLarge = "too_large"
    }

    package var status: Status
    package var errorID: String?
    package var reason: String?
    /// SHA-256 of the bytes; `nil` where they could not be read.
    package var hash: [UInt8]?
    package var bytes: UInt64?
    package var isMasked: Bool?
    /// `nil` where nothing was read of the trace.
    package var info: TraceInfo?
    package var rows = SessionRows.facts

    package init(_ status: Status, errorID: String? = nil, reason: String? = nil) {
        (self.status, self.errorID, self.reason) = (status, errorID, reason)
    }
}

/// Destination of the rows of one table.
package protocol FleetRowSink: RowSink {
    mutating func flag(_ value: Bool?)
    mutating func numbers(_ values: [Int64])
    /// After the last row.
    mutating func finish() throws
}

extension FleetRowSink {
    mutating func flag(_ name: String, _ meaning: String, _ value: Bool?) {
        column(name, .flag, meaning)
        flag(value)
    }

    mutating func numbers(_ name: String, _ meaning: String, _ values: [Int64]) {
        column(name, .integers, meaning)
        numbers(values)
    }
}

/// Writes sessions as rows of one table.
package struct FleetRows<Sink: FleetRowSink> {
    package private(set) var sink: Sink
    private let table: FleetTable
    private let privacy: FleetPrivacy
    private let version: String
    private var inputs: Int64 = 0

    /// `version`: of the program.
    package init(_ table: FleetTable, privacy: FleetPrivacy, version: String, sink: Sink) {
        (self.table, self.privacy, self.version, self.sink) = (table, privacy, version, sink)
    }

    /// Sessions in the order of the inputs. Those that are not ok have rows of `sessions` alone.
    package mutating func write(_ session: FleetSession) throws {
        inputs += 1
        if table == .sessions {
            let (privacy, version, inputs) = (privacy, version, inputs)
            return try write { $0.row(session, privacy, version: version, input: inputs) }
        }
        guard session.status == .ok else { return }
        switch session.rows {
        case .facts: break
        case .histograms(let rows): for row in rows { try write { $0.row(row, of: session.hash) } }
        case .chords(let rows): for row in rows { try write { $0.row(row, of: session.hash) } }
        case .findings(let rows): for row in rows { try write { $0.row(row, of: session.hash) } }
        }
    }

    private mutating func write(_ row: (inout Sink) -> Void) throws {
        row(&sink)
        try sink.end()
    }

    package mutating func finish() throws { try sink.finish() }
}
