import KeyModel
import TraceFormat

/// The keys and times of a trace's presses, which other traces of the same typing have too.
struct PressTimes {
    struct Press: Equatable {
        var key: KeyIdentity
        /// Nanoseconds on the trace's own time line.
        var down: Int64
        var up: Int64?
        /// The press's ordinal; `nil` for modifier keys.
        var ordinal: UInt32?
    }

    /// The point between the switch and the app at which a press was recorded.
    enum Place: Int, Comparable {
        case `switch`, bus, system, app

        init(source: String) {
            // The second capture of a joined trace is usbmon#2.
            switch source.prefix(while: { $0 != "#" }) {
            case PressTimes.stimulus: self = .switch
            case "usbmon", "usbpcap", "darwin", "usbip", "bluetooth", "hidraw": self = .bus
            case "evdev", "x11", "terminal": self = .system
            default: self = .app
            }
        }

        static func < (a: Place, b: Place) -> Bool { a.rawValue < b.rawValue }
    }

    /// The source of traces that contain the closing of switches.
    static let stimulus = "stimulus"

    private(set) var presses: [Press] = []
    /// Stages from an earlier alignment, by press ordinal.
    private(set) var stages: [UInt32: [StageRecord]] = [:]
    private(set) var clock: ClockRecord?
    private(set) var facts: [String: String] = [:]
    private(set) var secureGaps = SecureGaps([])
    private var devices: [(id: UInt16, source: String)] = []
    /// Devices that have presses. In a trace that was aligned before, the devices that recorded them earlier are gone:
    /// they are stages of the presses that stayed.
    private var pressed: Set<UInt16> = []
    private var open: [KeyOfDevice: Int] = [:]

    /// Reads text unmasked: none of it is written, and a clear key identifies a match better than its class.
    init(_ bytes: TraceBytes) throws {
        var source = try TraceSource(bytes, text: .shown)
        secureGaps = SecureGaps(try SourceSurvey(source, line: TimeLine()).gaps)
        for entry in source.initialContext { if case .record(let body) = entry { note(body) } }
        while let record = source.next() {
            switch record.body {
            case .key(let key): note(key, record.time.nanoseconds)
            case .stage(let stage) where stage.at.tick == 0: stages[stage.at.press, default: []].append(stage)
            default: note(record.body)
            }
        }
    }

    var place: Place {
        let own = devices.filter { pressed.contains($0.id) }
        return (own.isEmpty ? devices : own).map { Place(source: $0.source) }.min() ?? .app
    }

    /// The source of its clock, or of its first keyboard.
    var clockName: String { clock?.source ?? devices.first?.source ?? "trace" }

    /// `bInterval` of the first keyboard that has one.
    var pollInterval: UInt8? {
        facts.filter { $0.key.hasPrefix("device") && $0.key.hasSuffix(".bInterval") }.min { $0.key < $1.key }
            .flatMap { UInt8($0.value) }
    }

    private mutating func note(_ body: TraceRecord.Body) {
        switch body {
        case .device(let device): devices.append((device.device, device.source))
        case .clock(let record): if clock == nil { clock = record }
        case .environment(let fact): facts[fact.name] = fact.value
        default: break
        }
    }

    private mutating func note(_ key: KeyRecord, _ time: Int64) {
        switch key.phase {
        case .down:
            pressed.insert(key.device)
            open[KeyOfDevice(key)] = presses.count
            presses.append(Press(key: key.key, down: time, up: nil, ordinal: key.press))
        case .up:
            guard let place = open.removeValue(forKey: KeyOfDevice(key)), !key.isSynthetic else { return }
            presses[place].up = time
        case .cancel: open[KeyOfDevice(key)] = nil
        case .repeat: break
        }
    }
}

extension PressTimes.Press {
    /// True where both may be the same press of the same key. A key known by its class only may be any of that class, a
    /// switch any key.
    static func isSame(_ a: PressTimes.Press, _ b: PressTimes.Press) -> Bool {
        switch (a.key, b.key) {
        case (.clear(let first), .clear(let second)):
            first == second || first.page == KeyUsage.buttonPage || second.page == KeyUsage.buttonPage
        case (.masked(let first), .masked(let second)): first == second
        case (.clear(let usage), .masked(let textClass)), (.masked(let textClass), .clear(let usage)):
            TextKeyClass(usage) == textClass || usage.page == KeyUsage.buttonPage
        }
    }
}

/// A linear map from the times of one source to the common time line.
struct TimeLine: Sendable {
    /// Offset at the source's time 0.
    var offset = TraceDuration.zero
    /// Nanoseconds to add per nanosecond.
    var drift = 0.0

    func time(_ time: TraceTime) -> TraceTime {
        guard drift != 0 else { return time.advanced(by: offset) }
        let more = TraceDuration(nanoseconds: Int64(nearest: drift * Double(time.nanoseconds)))
        return time.advanced(by: offset).advanced(by: more)
    }
}

extension Int64 {
    /// The nearest integer; the ends of the range for what lies beyond, 0 for what is no number.
    init(nearest value: Double) {
        guard let exact = Int64(exactly: value.rounded()) else {
            self = value.isNaN ? 0 : (value < 0 ? .min : .max)
            return
        }
        self = exact
    }
}
