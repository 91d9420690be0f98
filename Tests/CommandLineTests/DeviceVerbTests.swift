import CaptureImport
import Foundation
import KeyModel
import Testing
import TraceReports

@testable import keyflight

/// What can be recorded on the machine that runs the tests: whatever it is, the verbs answer.
@Suite struct DeviceVerbTests {
    private static func object(_ run: CommandRun) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    }

    @Test("devices lists keyboards, or says what can be recorded without one")
    func devices() throws {
        let run = CommandRun("devices")
        #expect(run.status == 0)
        #expect(run.text.contains("EVDEV") || run.text.contains("--tty"))
        let json = try Self.object(CommandRun("devices", "--format", "json"))
        #expect(json["schema"] as? String == "keyflight.devices/1")
        #expect(json["keyboards"] is [Any] && json["interfaces"] is [Any])
    }

    @Test("doctor ends with 1 exactly when something can be repaired, and gives a remedy for each such thing")
    func doctor() throws {
        let run = CommandRun("doctor", "--format", "json")
        let json = try Self.object(run)
        #expect(json["schema"] as? String == "keyflight.doctor/1")
        let findings = try #require(json["findings"] as? [[String: Any]])
        let broken = findings.filter { $0["state"] as? String == "repairable" }
        #expect(json["repairable"] as? Int == broken.count)
        #expect(run.status == (broken.isEmpty ? 0 : 1))
        #expect(broken.allSatisfy { $0["remedy"] is String })
        let text = CommandRun("doctor")
        #expect(text.status == run.status)
        #expect(text.lines.count == findings.count)
        #expect(CommandRun("doctor", "--fix-hints").lines.count <= broken.count)
    }

    @Test("the rule for udev is printed alone")
    func udev() {
        let run = CommandRun("doctor", "--udev")
        #expect(run.status == 0)
        #expect(run.text.contains("SUBSYSTEM==\"usbmon\""))
        #expect(CommandRun("doctor", "--udev", "--fix-hints").status == 64)
    }

    @Test("rows are aligned, and a device's name cannot write escapes")
    func columns() {
        let keyboards: [CaptureSurvey.Finding] = []
        #expect(DoctorReport.text(keyboards) == "")
        for format in ["text", "json"] {
            #expect(!CommandRun("doctor", "--format", format).text.contains("\u{1B}"))
        }
        var table = TextTable([.init(title: "NAME"), .init(title: "ACCESS")])
        for row in [["a", "bb"], ["ccc", "d"]] { table.add(row.map { TextTable.Cell(VisibleText.escaped($0)) }) }
        #expect(table.rendered(.plain) == "  NAME  ACCESS\n  a     bb\n  ccc   d\n")
    }
}
