import Libc

/// Remedies that make a device readable: commands to type as they are, each the narrowest grant that does it.
package enum LiveRemedy {
    /// This program as a shell finds it; capabilities stick to the file itself.
    package static var program: String {
        #if os(Linux)
            guard let path = realpath("/proc/self/exe", nil) else { return "\"$(command -v keyflight)\"" }
            defer { free(path) }
            let text = String(cString: path)
            return text.contains(" ") ? "'\(text)'" : text
        #else
            return "\"$(command -v keyflight)\""
        #endif
    }

    /// The name of this user, as the password file has it.
    package static var user: String {
        getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    }

    /// For an interface that may not be opened.
    package static func permission(interface name: String) -> String {
        if name.hasPrefix("usbmon") { return "sudo setfacl -m u:\(user):r /dev/\(name)" }
        return "sudo setcap cap_net_raw+ep \(program)"
    }

    /// For an interface that is not there.
    package static func missing(interface name: String) -> String? {
        if name.hasPrefix("usbmon") { return "sudo modprobe usbmon, then keyflight devices lists the buses" }
        if name.hasPrefix("bluetooth") { return "a Bluetooth adapter has to be there: sudo modprobe btusb" }
        return "keyflight devices lists the keyboards with their usbmonN and input device"
    }

    /// For an input device that may not be opened.
    package static func permission(input path: String) -> String {
        "sudo usermod -aG input \(user), then log out and in again; or once: sudo setfacl -m u:\(user):r \(path)"
    }
}
