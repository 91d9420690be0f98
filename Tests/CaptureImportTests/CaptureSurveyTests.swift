import Foundation
import Testing

@testable import CaptureImport

/// Synthetic machines: folders that hold their /sys, /proc and /dev.
@Suite struct CaptureSurveyTests {
    final class Machine {
        let root = FileManager.default.temporaryDirectory.appending(path: "keyflight-machine-\(UUID().uuidString)").path

        init() { try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: root) }

        var survey: CaptureSurvey { CaptureSurvey(root: root) }

        func put(_ path: String, _ text: String = "") {
            let folder = (root + path as NSString).deletingLastPathComponent
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? Data(text.utf8).write(to: URL(filePath: root + path))
        }

        func link(_ path: String, to target: String) {
            let folder = (root + path as NSString).deletingLastPathComponent
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: root + target)
        }

        /// A USB keyboard as event4 on bus 1, address 5, asked every millisecond.
        func plugKeyboard() {
            let device = "/sys/devices/pci0000:00/usb1/1-2"
            let input = device + "/1-2:1.0/0003:05AC:024F.0001/input/input9"
            put(device + "/busnum", "1\n")
            put(device + "/devnum", "5\n")
            put(device + "/1-2:1.0/ep_81/interval", "1ms\n")
            put(device + "/1-2:1.0/0003:05AC:024F.0001/hidraw/hidraw2/dev", "1\n")
            put(input + "/name", "Keychron K3\n")
            put(input + "/id/vendor", "05ac\n")
            put(input + "/id/product", "024f\n")
            put(input + "/id/bustype", "0003\n")
            put(input + "/capabilities/key", "10000 7 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe\n")
            link("/sys/class/input/event4/device", to: input)
            link("/sys/bus/usb/devices/usb1", to: "/sys/devices/pci0000:00/usb1")
            put("/dev/input/event4")
        }
    }

    @Test("a USB keyboard is listed with all its places, and a mouse or a button is none")
    func keyboards() {
        let machine = Machine()
        machine.plugKeyboard()
        machine.put("/sys/class/input/event0/device/name", "Power Button\n")
        machine.put("/sys/class/input/event0/device/capabilities/key", "10000000000000 0\n")
        machine.put("/sys/class/input/event1/device/capabilities/key", "1f0000 0 0 0 0\n")
        machine.put("/sys/class/input/event2/device/name", "No capabilities\n")
        machine.put("/sys/class/input/event3/device/capabilities/key", "what is this\n")
        machine.put("/sys/class/input/mouse0/device/name", "Mouse\n")
        machine.put("/dev/usbmon1")
        let found = machine.survey.keyboards
        #expect(found.map(\.name) == ["Keychron K3"])
        guard let keyboard = found.first else { return }
        #expect(keyboard.vendor == 0x05AC && keyboard.product == 0x024F && keyboard.connection == 3)
        #expect(keyboard.inputDevice == .init(path: "/dev/input/event4", isReadable: true, remedy: nil))
        #expect(keyboard.hidraw == "/dev/hidraw2")
        #expect(keyboard.usb?.bus == 1 && keyboard.usb?.address == 5)
        #expect(keyboard.usb?.monitor?.path == "/dev/usbmon1")
        #expect(keyboard.pollInterval == 1_000_000)
    }

    @Test("event10 comes behind event9")
    func order() {
        let machine = Machine()
        for number in [10, 9, 2] {
            machine.put("/sys/class/input/event\(number)/device/name", "K\(number)\n")
            machine.put("/sys/class/input/event\(number)/device/capabilities/key", "fffffffffffffffe\n")
        }
        #expect(machine.survey.keyboards.map(\.name) == ["K2", "K9", "K10"])
    }

    @Test("a machine of which nothing can be read has nothing, and says so")
    func nothing() {
        let machine = Machine()
        #expect(machine.survey.keyboards == [])
        let findings = machine.survey.findings(terminal: .none)
        #expect(findings.allSatisfy { $0.state == .absent && $0.remedy == nil })
        #expect(findings.map(\.subject) == ["usbmon", "evdev", "bluetooth", "terminal"])
    }

    @Test("a module that is not loaded has its command; a kernel without it has another one")
    func modules() {
        let machine = Machine()
        machine.plugKeyboard()
        machine.put("/proc/sys/kernel/osrelease", "6.1.0-9-amd64\n")
        machine.put("/lib/modules/6.1.0-9-amd64/kernel/drivers/usb/mon/usbmon.ko")
        #expect(machine.survey.findings(terminal: .none).first?.remedy == "sudo modprobe usbmon")
        machine.put("/proc/sys/kernel/osrelease", "6.1.0-9-cloud-amd64\n")
        let cloud = machine.survey.findings(terminal: .none).first
        #expect(cloud?.state == .repairable)
        #expect(cloud?.remedy?.contains("linux-image-amd64") == true)
    }

    @Test("what works says so, and packets need CAP_NET_RAW")
    func works() {
        let machine = Machine()
        machine.plugKeyboard()
        machine.put("/dev/usbmon1")
        machine.put("/sys/class/bluetooth/hci0/type", "1\n")
        machine.put("/sys/class/bluetooth/hci0:64/type", "1\n")
        machine.put("/proc/self/status", "Name:\tx\nCapEff:\t0000000000002000\n")
        let findings = machine.survey.findings(terminal: .keys)
        #expect(findings.map(\.subject) == ["/dev/usbmon1", "evdev", "bluetooth", "terminal"])
        #expect(findings.allSatisfy { $0.state == .works })
        #expect(findings[0].detail.hasSuffix("has a keyboard"))
        machine.put("/proc/self/status", "CapEff:\t0000000000000000\n")
        let without = machine.survey.findings(terminal: .presses)
        #expect(without.filter { $0.state == .repairable }.map(\.subject) == ["bluetooth"])
        #expect(without.contains { $0.remedy?.hasPrefix("sudo setcap cap_net_raw+ep ") == true })
    }

    @Test("what may not be read has its command, whoever runs the test")
    func forbidden() {
        let machine = Machine()
        machine.plugKeyboard()
        try? FileManager.default.removeItem(atPath: machine.root + "/dev/input/event4")
        let evdev = machine.survey.findings(terminal: .none).first { $0.subject == "evdev" }
        #expect(evdev?.remedy == "sudo modprobe evdev")
        #expect(machine.survey.keyboards.first?.inputDevice.remedy?.contains("usermod -aG input") == true)
    }
}
