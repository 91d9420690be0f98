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

/// Destination of cells, in the order of a table's columns.
package protocol FleetRowSink {
    /// NULL for `nil`, as in the others.
    mutating func number(_ value: Int64?)
    mutating func text(_ value: String?)
    mutating func flag(_ value: Bool?)
    mutating func numbers(_ values: [Int64])
    mutating func endRow() throws
    /// After the last row.
    mutating func finish() throws
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
        if table == .sessions { return try writeSession(session) }
        guard session.status == .ok else { return }
        let id = session.hash?.hexadecimal
        switch session.rows {
        case .facts: break
        case .histograms(let histograms): for histogram in histograms { try write(histogram, id) }
        case .chords(let chords): for chord in chords { try write(chord, id) }
        case .findings(let findings): for finding in findings { try write(finding, id) }
        }
    }

    package mutating func finish() throws { try sink.finish() }

    private mutating func writeSession(_ session: FleetSession) throws {
        let info = session.info
        sink.text(session.hash?.hexadecimal)
        sink.text(privacy.sessionKey(info?.environment(ProvenanceFact.session.rawValue)))
        sink.number(privacy.sampleID(info?.environment(ProvenanceFact.installation.rawValue)))
        for fact in ProvenanceFact.columns { sink.text(privacy.fact(info?.environment(fact.rawValue))) }
        sink.text(privacy.fact(info?.environment("profile")))
        sink.text(privacy.fact(info?.layouts.first?.name))
        sink.text(info?.layouts.first?.hash.hexadecimal(16))
        sink.text(privacy.fact(info?.environment("scene")))
        sink.text(info?.level.name)
        sink.flag(session.isMasked)
        sink.number(info.map { Int64(clamping: $0.numberedPresses) })
        sink.number(session.bytes.map { Int64(clamping: $0) })
        sink.flag(info?.file.isComplete)
        sink.number(recordsLost(info))
        sink.text(session.status.rawValue)
        sink.text(session.errorID)
        sink.text(session.reason.map { VisibleText.escaped($0) })
        sink.text(version)
        sink.number(inputs)
        try sink.endRow()
    }

    private func recordsLost(_ info: TraceInfo?) -> Int64? {
        guard let info else { return nil }
        guard let damage = info.file.damage else { return 0 }
        return damage.recordsLost.map { Int64(clamping: $0) }
    }

    private mutating func write(_ histogram: SessionHistogram, _ id: String?) throws {
        sink.text(id)
        sink.text(histogram.metric.name)
        sink.text(histogram.responder)
        sink.text(histogram.stage)
        sink.text(histogram.occasion.name)
        sink.number(histogram.durations.count)
        sink.number(histogram.durations.sum)
        sink.number(histogram.durations.longest)
        sink.numbers(histogram.durations.codes)
        sink.numbers(histogram.durations.counts)
        try sink.endRow()
    }

    private mutating func write(_ chord: SessionChord, _ id: String?) throws {
        for text in [id, chord.chord, chord.outcome, chord.firstResponder, chord.action] { sink.text(text) }
        sink.number(chord.presses)
        sink.number(chord.stale)
        try sink.endRow()
    }

    private mutating func write(_ finding: Finding, _ id: String?) throws {
        for text in [id, finding.rule.rawValue, finding.chord?.text] { sink.text(text) }
        sink.number(Int64(clamping: finding.presses))
        try sink.endRow()
    }
}
