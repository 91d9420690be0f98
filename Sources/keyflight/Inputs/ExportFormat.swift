import ArgumentParser
import TraceExport

/// Formats that `export` writes.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case evemu, libinput, pcapng, xcuitest
    case perfetto, chrome, speedscope, folded
    case jsonl, csv, arrow, openmetrics, sqlite
    case scene
    /// Refused, with what to use instead.
    case hdr

    static var allValueStrings: [String] { allCases.filter { $0 != .hdr }.map(\.rawValue) }

    /// The keys, for programs that play or show them.
    var keys: KeyExport.Format? { KeyExport.Format(rawValue: rawValue) }

    /// The form of flights, for programs that show time.
    var flights: TimelineExport.Format? { TimelineExport.Format(rawValue: rawValue) }

    /// Text may be shown in a terminal.
    var isText: Bool { ![.pcapng, .sqlite, .arrow].contains(self) && flights?.isText ?? true }
}

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
