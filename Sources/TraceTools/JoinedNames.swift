import KeyModel
import TraceFormat

/// The devices, clocks and facts of a trace before it is joined with others, and its intervals of secure entry.
struct SourceSurvey {
    private(set) var devices: Set<UInt16> = []
    private(set) var clocks: Set<String> = []
    private(set) var facts: Set<String> = []
    /// Secure entries on the common time line.
    private(set) var gaps: [(begin: Int64, end: Int64)] = []

    init(_ source: TraceSource, line: TimeLine) throws {
        var source = source
        for entry in source.initialContext {
            switch entry {
            case .record(let body): note(body)
            case .heldKey(let held): devices.insert(held.device)
            case .heldModifiers(let held): devices.insert(held.device)
            case .keyState, .lastList: break
            }
        }
        var open: Int?
        while let record = source.next() {
            let time = line.time(record.time).nanoseconds
            if let index = open, gaps.indices.contains(index), !SourceSurvey.isOtherLoss(record.body) {
                gaps[index].end = time
                open = nil
            }
            note(record.body)
            guard case .loss(let loss) = record.body, loss.cause == .secureEntry else { continue }
            // A gap of unknown length lasts until the source's next record.
            if loss.duration == nil { open = gaps.count }
            gaps.append((time, loss.duration.map { time.saturatingAdding($0.nanoseconds) } ?? .max))
        }
    }

    /// Something is missing for another reason, which does not end a secure entry.
    private static func isOtherLoss(_ body: TraceRecord.Body) -> Bool {
        if case .loss(let loss) = body { loss.cause != .secureEntry } else { false }
    }

    private mutating func note(_ body: TraceRecord.Body) {
        if let device = body.device { devices.insert(device) }
        switch body {
        case .clock(let record): clocks.insert(record.source)
        case .environment(let record): facts.insert(record.name)
        default: break
        }
    }
}

/// Names that sources before have.
struct NamesInUse {
    var devices: Set<UInt16> = []
    var clocks: Set<String> = []
    var facts: Set<String> = []
    /// Numbers that already distinguish names of any source, assigned here or by an earlier join of the source.
    private var numbers: Set<Int>

    init(_ surveys: [SourceSurvey]) {
        numbers = Set(
            surveys.flatMap { survey in
                survey.clocks.compactMap(JoinedNames.number(ofClock:))
                    + survey.facts.compactMap(JoinedNames.number(ofFact:))
            })
    }

    /// The first number from this one on that distinguishes no names yet.
    mutating func takeNumber(from first: Int) -> Int {
        var number = first
        while !numbers.insert(number).inserted { number += 1 }
        return number
    }
}

/// The names of a source's devices, clocks and facts in the joined trace.
struct JoinedNames {
    private let number: Int
    private var devices: [UInt16: UInt16] = [:]
    private var clocks: Set<String> = []
    private var facts: Set<String> = []

    /// `number`: 1-based, of the source. Its names are distinguished by this number, or by the next one that is free.
    init(_ survey: SourceSurvey, number: Int, _ used: inout NamesInUse) throws(TraceError) {
        clocks = survey.clocks.intersection(used.clocks)
        facts = survey.facts.intersection(used.facts)
        self.number = clocks.isEmpty && facts.isEmpty ? number : used.takeNumber(from: number)
        // New names have a number that no name has, so that they are free as well.
        used.clocks.formUnion(survey.clocks)
        used.facts.formUnion(survey.facts)
        var taken = used.devices.union(survey.devices)
        var candidate: UInt16 = 1
        for device in survey.devices.sorted() {
            guard used.devices.contains(device) else {
                devices[device] = device
                continue
            }
            while taken.contains(candidate), candidate < UInt16.max { candidate += 1 }
            guard !taken.contains(candidate) else {
                throw TraceError(
                    .limitExceeded, field: "device", expected: "at most 65535 devices", found: "more in all sources")
            }
            taken.insert(candidate)
            devices[device] = candidate
        }
        used.devices.formUnion(devices.values)
    }

    func device(_ id: UInt16) -> UInt16 { devices[id] ?? id }

    func joined(_ body: TraceRecord.Body) -> TraceRecord.Body {
        switch body {
        case .idle(var record):
            record.device = device(record.device)
            return .idle(record)
        case .device(var record):
            record.device = device(record.device)
            record.source = clock(record.source)
            return .device(record)
        case .hardware(var record):
            record.device = record.device.map { device($0) }
            return .hardware(record)
        case .clock(var record):
            record.source = clock(record.source)
            return .clock(record)
        case .clockRelation(var record):
            record.source = clock(record.source)
            record.reference = clock(record.reference)
            return .clockRelation(record)
        case .environment(var record):
            if facts.contains(record.name) { record.name = JoinedNames.factPrefix + "\(number).\(record.name)" }
            return .environment(record)
        default: return body
        }
    }

    func clock(_ name: String) -> String {
        clocks.contains(name) ? name + JoinedNames.clockMark + String(number) : name
    }

    private static let factPrefix = "source"
    private static let clockMark = "#"

    /// The number that distinguishes a fact: 2 for `source2.profile`.
    static func number(ofFact name: String) -> Int? {
        guard name.hasPrefix(factPrefix), let dot = name.firstIndex(of: ".") else { return nil }
        return Int(name[..<dot].dropFirst(factPrefix.count))
    }

    /// The number that distinguishes a clock: 2 for `usbmon#2`.
    static func number(ofClock name: String) -> Int? {
        name.lastIndex(of: "#").flatMap { Int(name[$0...].dropFirst(clockMark.count)) }
    }
}
