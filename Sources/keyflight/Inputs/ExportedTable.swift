import ArgumentParser
import TraceExport

/// A table that `export` writes: of one trace, or of many.
enum ExportedTable: ExpressibleByArgument, Equatable {
    case trace(TraceTable)
    case fleet(FleetTable)

    /// `findings` is the one of many traces: query has the other.
    init?(argument: String) {
        if let table = FleetTable(rawValue: argument) {
            self = .fleet(table)
        } else if let table = TraceTable(rawValue: argument) {
            self = .trace(table)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .trace(let table): table.name
        case .fleet(let table): table.name
        }
    }

    static var allValueStrings: [String] {
        FleetTable.allCases.map(\.name) + TraceTable.allCases.map(\.name).filter { FleetTable(rawValue: $0) == nil }
    }
}
