/// Sources of clocks and keyboards. Words that this program writes stay; any other names get numbers, the same for
/// devices, clocks and clock relations.
final class RenamedSources {
    private var names: [String: String] = [:]

    private static let general: Set<String> = [
        "usbmon", "usbpcap", "darwin", "usbip", "bluetooth", "evdev", "hidraw", "x11", "terminal", "script", "recorder",
        "stimulus", "clock", "reference", "",
    ]
    static let transports: Set<String> = ["classic", "le"]

    /// The new name, and whether the old one was identifying.
    func renamed(_ source: String) -> (name: String, isIdentifying: Bool) {
        var base = source[...]
        // A merged trace counts sources of the same name.
        if let mark = source.lastIndex(of: "#") {
            let number = source[source.index(after: mark)...]
            if !number.isEmpty, number.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { base = source[..<mark] }
        }
        if RenamedSources.general.contains(String(base)) { return (source, false) }
        let new = names[source] ?? (names.isEmpty ? "source" : "source#\(names.count + 1)")
        names[source] = new
        return (new, base != "source")
    }
}
