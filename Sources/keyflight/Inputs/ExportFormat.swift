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
    var flights: FlightExport.Format? { FlightExport.Format(rawValue: rawValue) }

    /// Text may be shown in a terminal.
    var isText: Bool { ![.pcapng, .sqlite, .arrow].contains(self) && flights?.isText ?? true }
}
