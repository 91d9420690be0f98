import KeyModel
import TraceFormat

/// evemu text, version 1.3, as evemu-record writes and evemu-play reads it: the description of one device, then its
/// events in microseconds.
struct EvemuWriter: KeyWriter {
    let takesRepeats = true
    private let sink: KeyExport.Sink
    private var events = EvdevEvents()
    private var text = ""

    init(_ survey: ExportSurvey, to sink: @escaping KeyExport.Sink) throws(ExportRefusal) {
        guard survey.devices.count <= 1 else {
            let list = survey.devices.map(String.init).joined(separator: ", ")
            throw ExportRefusal(
                description: "keyboards: expected one, which is all that evemu describes, found \(list); "
                    + "choose with --device, or export libinput or pcapng")
        }
        self.sink = sink
        text = EvemuWriter.description(survey.devices.first ?? 1, survey)
    }

    static func description(_ device: UInt16, _ survey: ExportSurvey) -> String {
        let record = survey.known[device]
        let identity = [record?.vendor ?? 0, record?.product ?? 0].map { ($0 & 0xFFFF).hexadecimal(4) }
        var text = "# EVEMU 1.3\n# keys of a keyflight trace\n"
        text += "N: \(survey.name(of: device))\nI: 0003 \(identity[0]) \(identity[1]) 0111\n"
        text += "P: 00 00 00 00 00 00 00 00\nB: 00 13 00 00 00 00 00 00 00\n"
        // Synchronisation, keys, scan codes; every key code below 256, and those that consumer keys have above.
        for group in 0..<96 {
            let bits = group < 32 ? (group == 0 ? "fe" : "ff") : (44...59).contains(group) ? "ff" : "00"
            if group % 8 == 0 { text += "B: 01" }
            text += " " + bits
            if group % 8 == 7 { text += "\n" }
        }
        return text + "B: 04 10 00 00 00 00 00 00 00\n"
    }

    /// An event's line without its end.
    static func line(_ event: EvdevEvent, _ time: TraceTime) -> String {
        // Like the kernel's own programs: at least four digits, and the sign takes one of them.
        let magnitude = String(event.value.magnitude)
        let value = event.value < 0
            ? "-" + TextNumbers.padded(magnitude, 3, "0") : TextNumbers.padded(magnitude, 4, "0")
        return "E: \(TextNumbers.seconds(time)) \(event.type.hexadecimal(4)) "
            + "\(event.code.hexadecimal(4)) \(value)"
    }

    mutating func write(_ change: KeyChange) throws -> Bool {
        guard let events = events.events(change) else { return false }
        for event in events { text += EvemuWriter.line(event, change.time) + "\n" }
        if text.utf8.count > 1 << 16 { try flush() }
        return true
    }

    private mutating func flush() throws {
        try sink(Array(text.utf8))
        text = ""
    }

    mutating func finish(leavingOut _: KeyExport.Omissions) throws { try flush() }
}
