import KeyModel
package import TraceFormat

/// Facts of a trace that an export needs before it writes the first byte. Memory grows with the presses that were
/// decided, by their comments.
package struct ExportSurvey: Sendable {
    /// Keyboards with keys, ascending.
    package private(set) var devices: [UInt16] = []
    private(set) var known: [UInt16: DeviceRecord] = [:]
    /// Nanoseconds since 1970 at time 0; `nil` where the trace does not contain it.
    private(set) var unixTime: Int64?
    private(set) var keyboards: [UInt16: Keyboard] = [:]
    private(set) var first: TraceTime?
    /// The one it begins with; `nil` where no table is stored.
    private(set) var layout: Layout?
    /// Downs of keys that are no modifiers.
    private(set) var pressCount = 0
    private var comments: [UInt32: String] = [:]
    private var changes: KeyChanges
    private let wantsComments: Bool

    /// Number of keys that the reports of a keyboard must have slots for.
    struct Keyboard: Sendable {
        private var held: Set<KeyUsage> = []
        /// Keys in `held` of the keyboard page, modifier keys apart, and of other pages.
        private var keyCount = 0
        private var otherCount = 0
        /// At the same time, of the keyboard page, modifier keys apart.
        private(set) var mostKeys = 0
        /// At the same time, of other pages.
        private(set) var mostOthers = 0

        mutating func apply(_ change: KeyChange) {
            let usage = change.usage
            let step: Int
            if change.phase == .up {
                guard held.remove(usage) != nil else { return }
                step = -1
            } else {
                guard held.insert(usage).inserted else { return }
                step = 1
            }
            if !usage.isKeyboardPage {
                otherCount += step
            } else if !usage.isModifier {
                keyCount += step
            }
            mostKeys = max(mostKeys, keyCount)
            mostOthers = max(mostOthers, otherCount)
        }
    }

    /// `device`: the keyboard to export; all unless given. `wantsComments`: a comment for each press.
    package init(device: UInt16? = nil, wantsComments: Bool = false) {
        changes = KeyChanges(device: device)
        self.wantsComments = wantsComments
    }

    /// Throws `ExportRefusal` for a masked key.
    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) throws {
        switch record.body {
        case .key(let key):
            guard let change = try changes.change(key, at: record.time) else { return }
            if first == nil { first = record.time }
            if keyboards[change.device] == nil {
                devices.append(change.device)
                devices.sort()
            }
            keyboards[change.device, default: Keyboard()].apply(change)
            if change.phase == .down, !change.usage.isModifier { pressCount += 1 }
        case .device(let device): known[device.device] = device
        case .layout(let record) where layout == nil:
            layout = record.table.flatMap { definitions[$0] }.flatMap { try? Layout(text: $0) }
        case .clock(let clock): unixTime = unixTime ?? clock.unixTime
        case .resolution(let resolution) where wantsComments && resolution.at.tick == 0:
            guard comments[resolution.at.press] == nil else { return }
            comments[resolution.at.press] = ExportSurvey.words(resolution, definitions)
        default: break
        }
    }

    private static func words(_ resolution: ResolutionRecord, _ definitions: TraceDefinitions) -> String {
        var words = resolution.outcome.name
        if let action = ExportText.text(resolution.action, definitions) { words += " " + action }
        if let target = resolution.target { words += " by " + ExportText.id(target, definitions) }
        return words
    }

    /// `press 12: cmd+w, performed closeTab: by tabs`
    func comment(_ change: KeyChange) -> String? {
        guard wantsComments, change.phase == .down, let press = change.press else { return nil }
        let chord = Chord(modifiers: change.modifiers, usage: change.usage).text
        return "press \(press): \(chord)" + (comments[press].map { ", " + $0 } ?? "")
    }

    func name(of device: UInt16) -> String {
        // Names come from devices and files: nothing of them may end a line or a quoted word.
        let name = known[device]?.name ?? "keyflight keyboard"
        let plain = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\"" && $0 != "\\" }
        return String(String.UnicodeScalarView(plain.prefix(64)))
    }

    /// Nanoseconds since 1970, or since time 0 where the date is not known.
    func stamp(_ time: TraceTime) -> Int64 {
        let (sum, isOverflow) = (unixTime ?? 0).addingReportingOverflow(max(0, time.nanoseconds))
        return isOverflow ? time.nanoseconds : sum
    }
}
