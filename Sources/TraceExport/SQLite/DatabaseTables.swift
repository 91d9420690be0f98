package import LatencyAnalysis
package import TraceFormat

/// A trace as tables of a database, in one reading.
///
/// `TraceTables` for this one sink: of a type that is known here the compiler makes code of its own, which is several
/// times as fast as code for any sink.
package struct DatabaseTables: TraceConsumer {
    private var tables: TraceTables<DatabaseRows>

    /// As `TraceTables.init`.
    package init(
        _ wanted: Set<TraceTable>, level: TraceLevel, context: [ContextEntry], definitions: TraceDefinitions,
        rows: DatabaseRows
    ) {
        tables = TraceTables(wanted, level: level, context: context, definitions: definitions, sink: rows)
    }

    package var keepsHandles: Bool { tables.keepsHandles }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        tables.consume(record, definitions: definitions)
    }

    /// As `TraceTables.finish`.
    package mutating func finish(of file: TraceFileFacts, definitions: TraceDefinitions) throws {
        try tables.finish(of: file, definitions: definitions)
    }
}
