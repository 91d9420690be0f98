public import ArgumentParser
public import CaptureImport
public import KeyModel
public import LatencyAnalysis
public import ResponderEngine
public import TraceExport
public import TraceFormat

// Values of other modules, as they are written on the command line.

/// How long a recording may become: `90s`, `10min`, `2h`.
struct RecordingLength: ExpressibleByArgument {
    var duration: TraceDuration

    static let tenMinutes = RecordingLength(duration: TraceDuration(nanoseconds: 600_000_000_000))
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    init(duration: TraceDuration) { self.duration = duration }

    init?(argument: String) {
        if let duration = TraceDuration(text: argument) {
            guard duration > .zero else { return nil }
            self.duration = duration
            return
        }
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count > 0,
            let unit = RecordingLength.units.first(where: { $0.name == argument.dropFirst(digits.count) }),
            case let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds), !overflow
        else { return nil }
        duration = TraceDuration(nanoseconds: product)
    }

    var defaultValueDescription: String {
        let seconds = duration.nanoseconds / 1_000_000_000
        return seconds % 60 == 0 && seconds > 60 ? "\(seconds / 60)min" : "\(seconds)s"
    }
}

/// How much a file may hold: a length, or a size such as `16MiB`.
struct RecordingBound: ExpressibleByArgument {
    var bounds: RecordingBounds

    private static let units: [(name: String, bytes: Int)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]

    init?(argument: String) {
        if let length = RecordingLength(argument: argument) {
            bounds = .length(length.duration)
            return
        }
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count > 0,
            let unit = RecordingBound.units.first(where: { $0.name == argument.dropFirst(digits.count) }),
            case let (product, overflow) = count.multipliedReportingOverflow(by: unit.bytes), !overflow
        else { return nil }
        bounds = .bytes(product)
    }
}

extension CachePolicy: ExpressibleByArgument {}

extension TopAnalysis.Order: ExpressibleByArgument {}

extension PressGroups.Key: ExpressibleByArgument {}

extension StageRange: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension DeviceSelector: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension RecordKind: ExpressibleByArgument {
    public init?(argument: String) {
        guard let kind = RecordKind(name: argument), !kind.isContextOnly else { return nil }
        self = kind
    }

    public static var allValueStrings: [String] { allCases.filter { !$0.isContextOnly }.map(\.name) }
}

extension TraceDuration: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }
}

extension StimulusLog.Unit: ExpressibleByArgument {}
extension KeyExport.Format: ExpressibleByArgument {}
extension TraceTable: ExpressibleByArgument {}
