import KeyModel
import TraceFormat

/// YAML of the shape that `libinput record --show-keycodes` writes, one node a keyboard, times in microseconds. A node
/// holds its events, so all are kept until the end.
struct LibinputWriter: KeyWriter {
    let takesRepeats = true
    private let sink: KeyExport.Sink
    private let survey: ExportSurvey
    private var nodes: [UInt16: Node] = [:]

    private struct Node {
        var events = EvdevEvents()
        var text = ""
    }

    init(_ survey: ExportSurvey, to sink: @escaping KeyExport.Sink) {
        self.survey = survey
        self.sink = sink
    }

    mutating func write(_ change: KeyChange) throws -> Bool {
        guard let events = nodes[change.device, default: Node()].events.events(change) else { return false }
        let micros = max(0, change.time.nanoseconds) / 1000
        let stamp = TextNumbers.padded("\(micros / 1_000_000)", 3) + ", "
            + TextNumbers.padded("\(micros % 1_000_000)", 6)
        var text = "  - evdev:\n"
        for event in events {
            let numbers = [
                TextNumbers.padded("\(event.type)", 3), TextNumbers.padded("\(event.code)", 3),
                TextNumbers.padded("\(event.value)", 7),
            ]
            text += "    - [\(stamp), \(numbers.joined(separator: ", "))]\n"
        }
        nodes[change.device]?.text += text
        return true
    }

    mutating func finish(leavingOut _: KeyExport.Omissions) throws {
        let devices = survey.devices
        var head = "# libinput record\nversion: 1\nndevices: \(devices.count)\nlibinput:\n  version: \"1.22.1\"\n"
        head += "  git: \"unknown\"\nsystem:\n  os: \"keyflight\"\ndevices:\n"
        try sink(Array(head.utf8))
        for (index, device) in devices.enumerated() {
            try sink(Array(description(device, index).utf8))
            try sink(Array((nodes[device]?.text ?? "").utf8))
        }
    }

    private func description(_ device: UInt16, _ index: Int) -> String {
        let record = survey.known[device]
        let (vendor, product) = ((record?.vendor ?? 0) & 0xFFFF, (record?.product ?? 0) & 0xFFFF)
        let name = survey.name(of: device)
        let codes = (1..<256).map(String.init).joined(separator: ", ")
        var text = "- node: /dev/input/event\(index)\n  evdev:\n    # Name: \(name)\n"
        text += "    # ID: bus 0x3 vendor 0x\(String(vendor, radix: 16)) product 0x\(String(product, radix: 16)) "
        text += "version 0x111\n    name: \"\(name)\"\n    id: [3, \(vendor), \(product), 273]\n    codes:\n"
        text += "      0: [0, 1, 2, 3]\n      1: [\(codes)]\n      4: [4]\n    properties: []\n  udev:\n"
        return text + "    properties:\n    - ID_INPUT=1\n    - ID_INPUT_KEYBOARD=1\n  quirks:\n  events:\n"
    }
}
