public import LatencyAnalysis
public import TraceFormat

/// A trace as tables of a database, in one reading.
///
/// `TraceTables` for this one sink: of a type that is known here the compiler makes code of its own, which is several
/// times as fast as code for any sink.
public struct DatabaseTables: TraceConsumer {
    private var tables: TraceTables<DatabaseRows>

    /// As `TraceTables` begins.
    public init(
        _ wanted: Set<TraceTable>, level: TraceLevel, context: [ContextEntry], definitions: TraceDefinitions,
        rows: DatabaseRows
    ) {
        tables = TraceTables(wanted, level: level, context: context, definitions: definitions, sink: rows)
    }

    public var keepsHandles: Bool { tables.keepsHandles }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        tables.consume(record, definitions: definitions)
    }

    /// As `TraceTables` ends.
    public mutating func finish(of file: TraceFileFacts, definitions: TraceDefinitions) throws {
        try tables.finish(of: file, definitions: definitions)
    }
}
