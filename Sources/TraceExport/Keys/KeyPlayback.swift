import KeyModel
package import TraceFormat

/// The keys of one keyboard as lines for another program's input, each to be written when its time has come: evemu
/// text, or HID reports as hid-recorder writes them.
package struct KeyPlayback {
    package enum Form: String, CaseIterable, Sendable {
        case evemu, hidreports
    }

    /// Lines to be written before the first event.
    package let head: String
    package private(set) var omissions = KeyExport.Omissions()

    private let form: Form
    private var changes: KeyChanges
    private var events = EvdevEvents()
    private var reports: USBReports
    private var interface: UInt8 = 0

    /// `survey`: of the same records. Throws `ExportRefusal` for more than one keyboard.
    package init(_ form: Form, _ survey: ExportSurvey, device: UInt16? = nil) throws {
        self.form = form
        changes = KeyChanges(device: device)
        guard survey.devices.count <= 1 else {
            let list = survey.devices.map(String.init).joined(separator: ", ")
            throw ExportRefusal(description: "keyboards: expected one, found \(list); choose with --device")
        }
        let known = survey.devices.first ?? 1
        reports = USBReports(survey.keyboards[known] ?? .init())
        switch form {
        case .evemu: head = EvemuWriter.description(known, survey)
        case .hidreports: head = KeyPlayback.description(known, survey, reports)
        }
    }

    private static func description(_ device: UInt16, _ survey: ExportSurvey, _ reports: USBReports) -> String {
        let record = survey.known[device]
        let identity = [record?.vendor ?? 0, record?.product ?? 0].map { ($0 & 0xFFFF).hexadecimal(4) }
        var text = ""
        for (number, descriptor) in reports.reportDescriptors.enumerated() {
            if reports.hasOthers { text += "D: \(number)\n" }
            text += "R: \(descriptor.count) \(list(descriptor))\nN: \(survey.name(of: device))\nP: keyflight\n"
            text += "I: 3 \(identity[0]) \(identity[1])\n"
        }
        return text + (reports.hasOthers ? "D: 0\n" : "")
    }

    private static func list(_ bytes: [UInt8]) -> String {
        bytes.map { $0.hexadecimal(2) }.joined(separator: " ")
    }

    /// The lines of a record, with line ends; `nil` for a record that is no change of a key, or of an unknown key.
    package mutating func lines(_ record: TraceRecord) throws -> String? {
        guard case .key(let key) = record.body, let change = try changes.change(key, at: record.time) else {
            return nil
        }
        switch form {
        case .evemu:
            guard let events = events.events(change) else { break }
            return events.map { EvemuWriter.line($0, change.time) + "\n" }.joined()
        case .hidreports:
            if change.phase == .repeat {
                omissions.repeats += 1
                return nil
            }
            guard let report = reports.report(change) else { break }
            var text = report.interface == interface ? "" : "D: \(report.interface)\n"
            interface = report.interface
            text += "E: \(TextNumbers.seconds(change.time)) \(report.bytes.count) \(KeyPlayback.list(report.bytes))\n"
            return text
        }
        omissions.unnamed += 1
        return nil
    }
}
