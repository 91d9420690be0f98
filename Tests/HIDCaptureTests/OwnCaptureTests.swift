import HIDCapture
import KeyModel
import Testing

/// The captures of Traces/captures give the keys that their `.keys.txt` says were pressed.
struct OwnCaptureTests {
    @Test(
        "known keys come out of the captures of an emulated keyboard",
        arguments: [
            ("usb-keyboard-viewer.pcap", "usb-keyboard-viewer.keys.txt"),
            ("usb-keyboard-known-keys.pcap", "usb-keyboard-known-keys.keys.txt"),
            ("usb-keyboard-known-keys-189.pcap", "usb-keyboard-known-keys.keys.txt"),
            ("usb-keyboard-typed-secret.pcap", "usb-keyboard-typed-secret.keys.txt"),
        ])
    func keys(capture name: String, truth: String) throws {
        let capture = try RepositoryFiles.capture(name)
        let text = String(
            decoding: try RepositoryFiles.bytes(of: RepositoryFiles.root + "/Traces/captures/" + truth), as: UTF8.self)
        let expected = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        var found: [String] = []
        capture.forEachBatch { events in
            found += events.map { "\($0.phase.name) \($0.key.usage?.name ?? "?")" }
        }
        #expect(found == expected)
        #expect(capture.devices.map(\.name) == ["QEMU USB Keyboard"])
        #expect(capture.devices.map(\.layout) == [.reportDescriptor])
    }
}
