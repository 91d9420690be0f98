/// Recordings of `libinput record`: YAML of one shape, of which only the lines that matter are read, so that no
/// nesting, alias or anchor can cost anything. Several devices may be in one file (spec §5).
enum LibinputRecording {
    /// KEY_A, which replaces every key that types when the recording was made without `--show-keycodes`.
    private static let obfuscated: UInt16 = 30

    static func isOne(_ head: [UInt8]) -> Bool {
        let text = head.prefix(4096)
        let hasVersion = text.starts(with: "version:".utf8) || text.holds("\nversion:")
        return hasVersion && (text.holds("\ndevices:") || text.holds("\nlibinput:"))
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        var reading = Reading(traffic: traffic)
        try traffic.forEachLine(of: input) { reading.read($0) }
        reading.finish()
    }

    private struct Reading {
        let traffic: CaptureTraffic
        private var nodes: [(keys: EvdevKeys, device: Int)] = []
        private var isInDevices = false
        private var isInEvents = false
        /// True in the list of kernel events of one frame, not among what libinput made of it.
        private var isInFrame = false
        private var typed: Set<UInt16> = []

        init(traffic: CaptureTraffic) { self.traffic = traffic }

        /// False for an event that cannot be read.
        mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
            var fields = TextFields(line)
            if line.first != 0x20, line.first != 0x2D, line.first != 0x23 {  // a key of the top level
                isInDevices = fields.take("devices:")
                guard fields.take("version:") else { return true }
                for index in nodes.indices { nodes[index].keys.restart(traffic) }
                return true
            }
            guard isInDevices || line.first == 0x2D else { return true }
            fields.skipBlanks()
            if isInEvents, isInFrame, fields.take("- [") { return event(&fields) }
            let indent = fields.at
            if fields.take("- node:") {
                beginDevice()
            } else if fields.take("events:") {
                (isInEvents, isInFrame) = (true, false)
            } else if isInEvents, fields.take("- ") {
                isInFrame = fields.take("evdev:")
            } else if !isInEvents, let device = nodes.last?.device {
                describe(device, &fields, indent)
            }
            return true
        }

        private mutating func beginDevice() {
            (isInEvents, isInFrame) = (false, false)
            guard nodes.count < 256 else { return isInDevices = false }
            let place = StreamPlace(source: .evdev, address: UInt16(nodes.count + 1))
            guard let device = traffic.device(at: place) else { return isInDevices = false }
            nodes.append((EvdevKeys(place), device))
        }

        /// `name: "…"`, `id: [3, 1575, 1, 273]`.
        private func describe(_ device: Int, _ fields: inout TextFields, _ indent: Int) {
            if fields.take("name: ") {
                let name = fields.quoted()
                traffic.change(device: device) { $0.givenName = $0.givenName ?? name }
            } else if fields.take("id: [") {
                guard fields.decimal() != nil, fields.take(","), let vendor = fields.decimal(), fields.take(","),
                    let product = fields.decimal()
                else { return }
                traffic.change(device: device) {
                    ($0.vendor, $0.product) = (UInt16(exactly: vendor), UInt16(exactly: product))
                }
            } else if fields.take("#   Event code 30 (KEY_A)") {
                traffic.change(device: device) { $0.hasLetterKeys = true }
            }
        }

        /// `sec, usec, type, code, value]`
        private mutating func event(_ fields: inout TextFields) -> Bool {
            guard let seconds = fields.decimal(), fields.take(","), let micros = fields.decimal(), micros < 1_000_000,
                fields.take(","), let type = fields.decimal(), fields.take(","), let code = fields.decimal(),
                fields.take(","), let value = fields.signed(), seconds < 1 << 33, !nodes.isEmpty
            else { return false }
            let event = EvdevEvent(
                stamp: Int64(seconds * 1_000_000_000 + micros * 1000), type: UInt16(clamping: type),
                code: UInt16(clamping: code), value: Int32(clamping: value))
            let isTypingKey = event.type == 1 && event.value == 1 && event.code < 84
            if isTypingKey, typed.count < 2 { typed.insert(event.code) }
            nodes[nodes.count - 1].keys.add(event, to: traffic)
            return true
        }

        mutating func finish() {
            for index in nodes.indices { nodes[index].keys.finish(traffic) }
            if typed == [LibinputRecording.obfuscated] {
                traffic.facts.note(
                    "every key that types is KEY_A: the recording hides which keys were pressed "
                        + "(libinput record --show-keycodes keeps them)")
            }
        }
    }
}
