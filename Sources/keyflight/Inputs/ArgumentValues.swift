public import ArgumentParser
public import CaptureImport
public import KeyModel
public import LatencyAnalysis
public import ResponderEngine
public import TraceExport
public import TraceFormat

// Values of other modules, as they are written on the command line.

/// The longest duration of a recording: `90s`, `10min`, `2h`.
struct RecordingLength: CustomStringConvertible {
    var duration: TraceDuration

    static let oneMinute = RecordingLength(duration: TraceDuration(nanoseconds: 60_000_000_000))
    static let tenMinutes = RecordingLength(duration: TraceDuration(nanoseconds: 600_000_000_000))
    private static let units: [(name: String, count: Int64)] = [("min", 60_000_000_000), ("h", 3_600_000_000_000)]

    init(duration: TraceDuration) { self.duration = duration }

    /// - Throws: `ValidationError` for a text that is no time above 0.
    init(argument: String) throws {
        let long = RecordingLength.units.product(argument).map { TraceDuration(nanoseconds: $0) }
        guard let time = TraceDuration(text: argument) ?? long, time > .zero else {
            throw ValidationError("expected a time above 0 with its unit, such as 90s, 10min or 2h")
        }
        duration = time
    }

    var description: String {
        let seconds = duration.nanoseconds / 1_000_000_000
        return seconds % 60 == 0 && seconds > 60 ? "\(seconds / 60)min" : "\(seconds)s"
    }
}

extension RecordingBounds {
    private static let units: [(name: String, count: Int64)] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]

    /// The most that a file may hold: a length, or a size such as `16MiB`.
    ///
    /// - Throws: `ValidationError` for a text that is neither a time nor a size above 0.
    init(argument: String) throws {
        if let length = try? RecordingLength(argument: argument) {
            self = .length(length.duration)
        } else if let bytes = RecordingBounds.units.product(argument) {
            self = .bytes(Int(bytes))
        } else {
            throw ValidationError("expected a time or a size with its unit, such as 10min or 16MiB")
        }
    }
}

extension [(name: String, count: Int64)] {
    /// The product of a whole number above 0 and one of these units; `nil` for other texts and where it is too large.
    fileprivate func product(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number > 0,
            let unit = first(where: { $0.name == text.dropFirst(digits.count) }),
            case let (product, overflow) = number.multipliedReportingOverflow(by: unit.count), !overflow
        else { return nil }
        return product
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
