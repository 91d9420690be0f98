import ArgumentParser
import CaptureImport
import KeyModel
import TraceFormat
import TraceReports

struct Devices: Verb {
    static let configuration = CommandConfiguration(verb: "devices")

    @Option(help: "The form of the list.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func perform(on console: Console) throws -> ExitStatus {
        let survey = CaptureSurvey()
        try console.print(
            format, text: { DeviceList.text(survey.keyboards, $0) }, json: DeviceList.json(survey.keyboards))
        return .fine
    }
}

/// The forms of the list.
enum DeviceList {
    static func text(_ keyboards: [AttachedKeyboard], _ style: ReportStyle = .plain) -> String {
        guard !keyboards.isEmpty else {
            return "No keyboard is plugged in. record --tty records this terminal.\n"
        }
        let titles = ["EVDEV", "HIDRAW", "USBMON", "POLL", "ACCESS"].map { TextTable.Column(title: $0) }
        var table = TextTable([.init(title: "NAME", fit: .cut)] + titles)
        for keyboard in keyboards {
            let cells = [
                name(keyboard), keyboard.inputDevice.path.replacingPrefix("/dev/input/"),
                keyboard.hidraw?.replacingPrefix("/dev/") ?? "–",
                keyboard.usb.map { "usbmon\($0.bus):\($0.address)" } ?? "–", interval(keyboard.pollInterval),
                access(keyboard),
            ]
            table.add(cells.map { TextTable.Cell(VisibleText.escaped($0)) })
        }
        var text = table.rendered(style)
        let remedies = remedies(keyboards)
        for remedy in remedies { text += "\n  \(remedy)" }
        return text + (remedies.isEmpty ? "" : "\n")
    }

    private static func name(_ keyboard: AttachedKeyboard) -> String {
        guard let vendor = keyboard.vendor, let product = keyboard.product else { return keyboard.name }
        return "\(keyboard.name) (\((vendor & 0xFFFF).hexadecimal(4)):\((product & 0xFFFF).hexadecimal(4)))"
    }

    private static func interval(_ nanoseconds: Int64?) -> String {
        guard let nanoseconds else { return "–" }
        return nanoseconds % 1_000_000 == 0 ? "\(nanoseconds / 1_000_000) ms" : "\(nanoseconds / 1000) µs"
    }

    private static func access(_ keyboard: AttachedKeyboard) -> String {
        var parts = ["evdev \(keyboard.inputDevice.isReadable ? "✔" : "✘")"]
        if let usb = keyboard.usb { parts.append("usbmon \(usb.monitor?.isReadable ?? false ? "✔" : "✘")") }
        return parts.joined(separator: "  ")
    }

    private static func remedies(_ keyboards: [AttachedKeyboard]) -> [String] {
        keyboards.flatMap { keyboard -> [String] in
            let monitor = keyboard.usb.flatMap { $0.monitor == nil ? "sudo modprobe usbmon" : $0.monitor?.remedy }
            return [keyboard.inputDevice.remedy, monitor].compactMap(\.self)
        }.withoutRepeats
    }

    /// Schema `keyflight.devices/1`, one line.
    static func json(_ keyboards: [AttachedKeyboard]) -> String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.devices/1")
            json.member("keyboards", array: keyboards) { json, keyboard in
                json.object { members(of: keyboard, &$0) }
            }
            // Those of networks, of which no keys are recorded any more.
            json.member("interfaces", [String]())
        } + "\n"
    }

    private static func members(of keyboard: AttachedKeyboard, _ json: inout JSONText) {
        json.member("name", keyboard.name)
        json.member("vid", keyboard.vendor)
        json.member("pid", keyboard.product)
        json.member("connection", keyboard.connection)
        json.member("evdev", object: { write(keyboard.inputDevice, &$0) })
        json.member("hidraw", keyboard.hidraw)
        json.member("poll_ns", keyboard.pollInterval)
        json.member("usb", about: keyboard.usb) { json, usb in
            json.member("bus", usb.bus)
            json.member("address", usb.address)
            json.member("usbmon", about: usb.monitor) { write($1, &$0) }
        }
    }

    private static func write(_ node: AttachedKeyboard.Node, _ json: inout JSONText) {
        json.member("path", node.path)
        json.member("readable", node.isReadable)
        json.member("remedy", node.remedy)
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}

extension [String] {
    /// Each once, in their order.
    var withoutRepeats: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
