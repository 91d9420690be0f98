import HIDCapture
import KeyModel

/// The keyboards that can be recorded on this machine, those that cannot, and the remedies.
package struct CaptureSurvey: Sendable {
    /// One way to record, or one device of it.
    package struct Finding: Hashable, Sendable {
        package enum State: String, Hashable, Sendable {
            case works
            /// It is there, and something is missing that can be had.
            case repairable
            /// This machine has nothing of the kind.
            case absent
        }

        package var subject: String
        package var state: State
        package var detail: String
        /// Commands to type as they are; a sentence where no command does it.
        package var remedy: String?
    }

    private let files: SystemFiles

    /// `root`: a folder that holds another machine's /sys, /proc and /dev; empty for this one.
    package init(root: String = "") { files = SystemFiles(root: root) }

    package var keyboards: [AttachedKeyboard] { AttachedKeyboard.all(files) }

    /// A rule for udev that lets members of the group input record from USB buses.
    package static let udevRule = """
        # Members of the group input may record from USB buses. For /etc/udev/rules.d/70-keyflight.rules
        SUBSYSTEM=="usbmon", GROUP="input", MODE="0640"
        """

    /// Everything that is to be known, USB first. `terminal`: whether the program runs in one, and what it can.
    package func findings(terminal: TerminalAbility) -> [Finding] {
        let keyboards = keyboards
        return usbmon(keyboards) + inputDevices(keyboards) + bluetooth() + [CaptureSurvey.finding(terminal)]
    }

    // MARK: USB

    private func usbmon(_ keyboards: [AttachedKeyboard]) -> [Finding] {
        let buses = files.names("/sys/bus/usb/devices").filter { $0.hasPrefix("usb") }
        let nodes = files.names("/dev").filter { $0.hasPrefix("usbmon") }
        guard !buses.isEmpty else {
            return [Finding(subject: "usbmon", state: .absent, detail: "this machine has no USB bus")]
        }
        guard !nodes.isEmpty else {
            let release = files.line("/proc/sys/kernel/osrelease") ?? ""
            let modules = files.names("/lib/modules/\(release)/kernel/drivers/usb/mon")
            if modules.contains(where: { $0.hasPrefix("usbmon.ko") }) || release.isEmpty {
                return [
                    Finding(
                        subject: "usbmon", state: .repairable, detail: "module not loaded",
                        remedy: "sudo modprobe usbmon")
                ]
            }
            return [
                Finding(
                    subject: "usbmon", state: .repairable, detail: "kernel \(release) has no such module",
                    remedy: "sudo apt-get install linux-image-amd64, which has it, and boot that kernel")
            ]
        }
        let withKeyboard = Set(keyboards.compactMap { $0.usb.map { "usbmon\($0.bus)" } })
        return nodes.map { node in
            let path = "/dev/" + node
            let permissions = files.permissions(path) ?? ""
            let keyboard = withKeyboard.contains(node) ? ", has a keyboard" : ""
            let isReadable = files.isReadable(path)
            return Finding(
                subject: path, state: isReadable ? .works : .repairable, detail: permissions + keyboard,
                remedy: isReadable ? nil : LiveRemedy.permission(interface: node))
        }
    }

    // MARK: Input devices

    private func inputDevices(_ keyboards: [AttachedKeyboard]) -> [Finding] {
        guard !keyboards.isEmpty else {
            return [Finding(subject: "evdev", state: .absent, detail: "no keyboard is plugged in")]
        }
        let hidden = keyboards.filter { !$0.inputDevice.isReadable }
        guard let first = hidden.first else {
            let count = keyboards.count == 1 ? "1 keyboard" : "\(keyboards.count) keyboards"
            return [Finding(subject: "evdev", state: .works, detail: count)]
        }
        let list = hidden.map(\.inputDevice.path).joined(separator: ", ")
        guard files.exists(first.inputDevice.path) else {
            return [
                Finding(
                    subject: "evdev", state: .repairable, detail: "\(list): no such device",
                    remedy: "sudo modprobe evdev")
            ]
        }
        let permissions = files.permissions(first.inputDevice.path) ?? ""
        return [
            Finding(
                subject: "evdev", state: .repairable, detail: "\(list): \(permissions)",
                remedy: LiveRemedy.permission(input: first.inputDevice.path))
        ]
    }

    // MARK: Packets

    /// CAP_NET_RAW of this process.
    private var mayCapture: Bool {
        let status = files.bytes("/proc/self/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let word = line?.split(whereSeparator: { $0 == "\t" || $0 == " " }).last
        let bits = word.flatMap { UInt64($0, radix: 16) } ?? 0
        return bits >> 13 & 1 == 1
    }

    private func bluetooth() -> [Finding] {
        // Connections are listed beside the adapters, as hci0:64.
        let adapters = files.names("/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        guard !adapters.isEmpty else {
            return [Finding(subject: "bluetooth", state: .absent, detail: "this machine has no adapter")]
        }
        return [
            Finding(
                subject: "bluetooth", state: mayCapture ? .works : .repairable,
                detail: adapters.joined(separator: ", "),
                remedy: mayCapture ? nil : LiveRemedy.permission(interface: "bluetooth-monitor"))
        ]
    }

    // MARK: The terminal

    private static func finding(_ terminal: TerminalAbility) -> Finding {
        switch terminal {
        case .none:
            Finding(subject: "terminal", state: .absent, detail: "this program does not run in one")
        case .presses:
            Finding(
                subject: "terminal", state: .works, detail: "presses alone: it has no kitty keyboard protocol")
        case .keys:
            Finding(
                subject: "terminal", state: .works, detail: "presses, repeats and releases (kitty keyboard protocol)")
        }
    }
}

/// The events that the terminal of this program reports of its keyboard.
package enum TerminalAbility: Hashable, Sendable {
    /// There is no terminal.
    case none
    case presses
    /// Releases and modifiers too.
    case keys

    /// Asks the terminal, which takes half a second where it does not answer. What is typed meanwhile is lost.
    package static func ask() -> TerminalAbility {
        guard let terminal = try? TerminalSource(layout: Layout(name: "none")) else { return .none }
        defer { terminal.close() }
        return terminal.hasKittyProtocol ? .keys : .presses
    }
}
