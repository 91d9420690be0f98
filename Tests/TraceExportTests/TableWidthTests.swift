import GeneratedTraces
import LatencyAnalysis
import Testing
import TraceFormat

@testable import TraceExport

/// Rows of generated traces.
@Suite struct TableWidthTests {
    @Test func `generated traces, whole and torn, give each press once, and rows of the width of their table`() throws {
        for seed in 0..<40 as Range<UInt64> {
            let recording = RecordingGenerator.recording(seed: seed, records: 400)
            for end in [recording.records.count, recording.records.count / 2] {
                var tables = TraceTables(Set(TraceTable.allCases), level: .keys, sink: WidthCheck())
                for record in recording.records.prefix(end) {
                    tables.consume(record, definitions: recording.definitions)
                }
                try tables.finish(of: TraceFileFacts(), definitions: recording.definitions)
                #expect(tables.sink.wrong == [], "seed \(seed)")
            }
        }
    }
}

/// Counts cells.
struct WidthCheck: TraceRowSink {
    var table = TraceTable.trace
    var cells: [Bool?] = []
    var wrong: Set<String> = []

    mutating func begin(_ table: TraceTable) {
        self.table = table
        cells = []
    }
    mutating func number(_ value: Int64?) { cells.append(value == nil ? nil : true) }
    mutating func text(_ value: String?) { cells.append(value == nil ? nil : false) }
    mutating func end() {
        let columns = table.columns
        if cells.count != columns.count { wrong.insert("\(table): \(cells.count) cells of \(columns.count)") }
        for (cell, column) in zip(cells, columns) where cell != nil && cell != (column.kind == .integer) {
            wrong.insert("\(table).\(column.name): not \(column.kind)")
        }
    }
}
