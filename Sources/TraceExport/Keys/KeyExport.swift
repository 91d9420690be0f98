import KeyModel
package import TraceFormat
package import TracePresses

/// The keys of a trace in a form that other programs read: evemu text, libinput YAML, a pcapng of USB reports, or the
/// source of a test that types them.
///
/// A trace is shown to it twice: first to `survey`, then to the export itself, since a capture begins with the
/// descriptors of its keyboards and has its comments before what they describe. Only downs and ups of keys in clear can
/// be exported: a masked key throws `ExportRefusal`.
package struct KeyExport {
    package enum Format: String, CaseIterable, Sendable {
        case evemu, libinput, pcapng, xcuitest
    }

    /// Bytes of the result, in pieces.
    package typealias Sink = ([UInt8]) throws -> Void

    /// Counts of what could not be exported, for a note.
    package struct Omissions: Hashable, Sendable {
        /// Events of keys that the format has no name for.
        package var unnamed: UInt64 = 0
        /// Repeats, which keyboards do not send: the system makes them.
        package var repeats: UInt64 = 0
        /// Texts that came without a key.
        package var texts: UInt64 = 0
        /// Context steps of a script.
        package var steps: UInt64 = 0
        package var secureEntries = SecureEntryCount()

        package init() {}

        /// Counts a record that is no key.
        mutating func note(_ record: TraceRecord) {
            switch record.body {
            case .text: texts += 1
            case .step: steps += 1
            default: secureEntries.consume(record)
            }
        }
    }

    private var writer: any KeyWriter
    private var changes: KeyChanges
    package private(set) var omissions = Omissions()

    /// `survey`: of the same records. `device`: the keyboard to export; all unless given.
    package init(
        _ format: Format, _ survey: ExportSurvey, device: UInt16? = nil, to sink: @escaping Sink
    ) throws {
        changes = KeyChanges(device: device)
        switch format {
        case .evemu: writer = try EvemuWriter(survey, to: sink)
        case .libinput: writer = LibinputWriter(survey, to: sink)
        case .pcapng: writer = try USBCaptureWriter(survey, to: sink)
        case .xcuitest: writer = XCUITestWriter(survey, to: sink)
        }
    }

    package mutating func consume(_ record: TraceRecord) throws {
        guard case .key(let key) = record.body else { return omissions.note(record) }
        guard let change = try changes.change(key, at: record.time) else { return }
        if change.phase == .repeat, !writer.takesRepeats {
            omissions.repeats += 1
        } else if try !writer.write(change) {
            omissions.unnamed += 1
        }
    }

    package mutating func finish() throws { try writer.finish(leavingOut: omissions) }
}

/// The reason why a trace cannot be exported.
package struct ExportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place, the expected and the found value, and the remedy.
    package var description: String
}

/// One key going down or up, in clear.
struct KeyChange: Equatable {
    var time: TraceTime
    var device: UInt16
    var usage: KeyUsage
    /// Never `cancel`, which for others is an up.
    var phase: KeyPhase
    var modifiers: KeyModifiers
    var press: UInt32?
}

/// Key records as changes that other formats can hold: without those that change nothing.
struct KeyChanges {
    /// The keyboard wanted; `nil` for all.
    let device: UInt16?
    private var held: Set<Held> = []

    private struct Held: Hashable {
        var device: UInt16
        var usage: KeyUsage
    }

    init(device: UInt16?) { self.device = device }

    mutating func change(_ key: KeyRecord, at time: TraceTime) throws(ExportRefusal) -> KeyChange? {
        if let device, key.device != device { return nil }
        guard let usage = key.key.usage else {
            let what = key.key.maskedClass?.name ?? "a class"
            let place = key.press.map { "press \($0)" } ?? "time \(time.nanoseconds) ns"
            throw ExportRefusal(
                description: "\(place): key: expected keys in clear, found only the class \(what) of a masked one; "
                    + "record or import with --show-keys, or export a form that needs no keys")
        }
        let own = Held(device: key.device, usage: usage)
        switch key.phase {
        case .down: guard held.insert(own).inserted else { return nil }
        case .up, .cancel: guard held.remove(own) != nil else { return nil }
        case .repeat: guard held.contains(own) else { return nil }
        }
        return KeyChange(
            time: time, device: key.device, usage: usage, phase: key.phase == .cancel ? .up : key.phase,
            modifiers: key.modifiers, press: key.press)
    }
}

/// Writes key changes in the order of time.
protocol KeyWriter {
    var takesRepeats: Bool { get }
    /// False for a key that the format cannot hold.
    mutating func write(_ change: KeyChange) throws -> Bool
    mutating func finish(leavingOut omissions: KeyExport.Omissions) throws
}
