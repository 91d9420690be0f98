import Libc
import TraceExport
import TraceFormat

/// SQL over a lake of many traces: the package for Python asks DuckDB, and prints a line of JSON for the columns and
/// one for each row.
extension Query {
    /// Bytes of a statement, which is an argument of a process.
    private static let lakeStatementLimit = 100_000

    /// True for a folder that `fleet ingest` made.
    static func isLake(_ path: String) -> Bool { Files.mayRead(path + "/keyflight.lake") }

    /// - Parameter sql: `nil` for the tables with their number of rows.
    func askLake(_ lake: String, _ sql: String?, _ console: Console) throws -> ExitStatus {
        if replay.scene != nil { throw Failure(.usage, "--scene: expected a trace to replay, found the lake \(lake)") }
        if let sql, sql.utf8.count > Query.lakeStatementLimit || sql.utf8.contains(0) {
            throw Failure(.usage, "SQL: expected at most \(Query.lakeStatementLimit) bytes without a zero byte")
        }
        let work = try FleetWork(["query", "--", lake] + (sql.map { [$0] } ?? []), console)
        let lines = work.output.split(separator: "\n")
        guard let first = lines.first else { return work.status }
        let columns = try [String](json: JSONTree(Array(first.utf8)))
        var printer = RowPrinter(format, columns: columns, console: console)
        try printer.begin()
        for line in lines.dropFirst() {
            try printer.print([LakeValue](json: JSONTree(Array(line.utf8))).map(\.value))
        }
        try printer.end()
        return printer.count == 0 ? work.status.joined(with: .nothingMatched) : work.status
    }
}

/// A value of DuckDB: null, a number, a text; a real number is alone in an array, so that 2.0 is none of the integers.
private struct LakeValue: JSONReadable {
    let value: TraceQuery.Value

    init(json: JSONTree) throws {
        switch json {
        case .null: value = .null
        case .text(let text): value = .text(text)
        case .array(let elements) where elements.count == 1: value = .real(try Double(json: elements[0]))
        default: value = .integer(try Int64(json: json))
        }
    }
}
