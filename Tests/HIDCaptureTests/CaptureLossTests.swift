import HIDCapture
import KeyModel
import Testing

/// What a capture lacks is counted, and what it has behind the hole is read.
struct CaptureLossTests {
    private typealias Bluetooth = BluetoothBytes

    @Test(
        "Bluetooth: a packet whose pieces are not all there, or are more than it announced, is counted",
        arguments: ["no continuation", "no start", "too long", "never complete"])
    func pieces(_ form: String) throws {
        let whole = Bluetooth.data([0xA1, 1, 0, 0, 4, 0, 0, 0, 0, 0], channel: 0x41, pieces: 2)
        let end = Bluetooth.report([6]) + Bluetooth.report([])
        let packets: [[UInt8]] =
            switch form {
            case "no continuation": [whole[0]] + end
            case "no start": [whole[1]] + end
            case "too long": Bluetooth.data([0xA1, 1, 0, 0, 5, 0, 0, 0, 0, 0], channel: 0x41, announced: 3) + end
            default: end + Bluetooth.data([0xA1, 1, 0, 0, 5, 0, 0, 0, 0, 0], channel: 0x41, announced: 300)
            }
        let capture = try Capture(bytes: Bluetooth.btsnoop(packets))
        #expect(capture.facts.sourceDrops.times == 1 && capture.facts.sourceDrops.count == 1)
        #expect(try Capture(bytes: Bluetooth.btsnoop(whole + end)).facts.sourceDrops.times == 0)
    }

    @Test("usbmon: a report whose data length is 0 although its data follows is read by its actual length (HC-6)")
    func lyingLength() throws {
        var lying = CaptureBytes.report([4])
        for at in 36..<40 { lying[at] = 0 }
        let lines = try CaptureBytes.lines(CaptureBytes.pcap([lying, CaptureBytes.report([])]))
        #expect(lines.count == 2)
    }
}
