package import KeyModel

/// Numbers for people: groups of digits, durations in the unit that suits them. JSON has the exact ones.
package enum HumanNumbers {
    /// Placeholder for a value that is absent, which is not zero.
    package static let absent = "–"

    /// `1,204`
    package static func count(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, digits[index - 1] != "-", (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    package static func count(_ number: (some BinaryInteger)?) -> String { number.map { count($0) } ?? absent }

    /// `1 press`, `2 presses`
    package static func counted(_ number: some BinaryInteger, _ one: String, _ many: String) -> String {
        "\(count(number)) \(number == 1 ? one : many)"
    }

    /// The first of them in words, and `12 more` for those besides.
    package static func first<Element>(_ limit: Int, of all: [Element], _ words: (Element) -> String) -> [String] {
        let rest = all.count - limit
        return all.prefix(limit).map(words) + (rest > 0 ? ["\(count(rest)) more"] : [])
    }

    /// The line behind a table that has the first of so many rows; empty where it has all.
    static func rest(_ count: Int, beyond limit: Int, format: String = "json") -> String {
        count > limit ? "  and \(count - limit) more (--format \(format) lists all).\n" : ""
    }

    /// Three digits and a unit: `0 ns`, `950 ns`, `120 µs`, `4.10 ms`, `1.20 s`, `2:05 min`.
    package static func duration(_ duration: TraceDuration) -> String {
        let parts = self.parts(of: duration)
        return parts.number + " " + parts.unit
    }

    package static func duration(_ duration: TraceDuration?) -> String { duration.map { self.duration($0) } ?? absent }

    /// The same with the unit padded to two cells, so that numbers align in a column.
    static func column(_ duration: TraceDuration?) -> String {
        guard let duration else { return absent + "   " }
        let parts = self.parts(of: duration)
        return parts.number + " " + parts.unit + (parts.unit.count < 2 ? " " : "")
    }

    private static func parts(of duration: TraceDuration) -> (number: String, unit: String) {
        let nanoseconds = max(0, duration.nanoseconds)
        guard nanoseconds >= 1000 else { return (String(nanoseconds), "ns") }
        var size: Int64 = 1000
        for unit in ["µs", "ms", "s"] {
            // The next unit takes over where three digits no longer do, after rounding.
            if unit == "s" || nanoseconds < size * 1000 - size / 2 {
                return unit == "s" && nanoseconds >= 99_950_000_000
                    ? minutes(nanoseconds) : (threeDigits(nanoseconds, size), unit)
            }
            size *= 1000
        }
        return (String(nanoseconds), "ns")
    }

    private static func minutes(_ nanoseconds: Int64) -> (String, String) {
        let seconds = nanoseconds / 1_000_000_000
        guard seconds >= 60 else { return (String(seconds), "s") }
        guard seconds >= 3600 else { return ("\(seconds / 60):\(padded(seconds % 60, 2))", "min") }
        return ("\(count(seconds / 3600)):\(padded(seconds / 60 % 60, 2))", "h")
    }

    private static func threeDigits(_ nanoseconds: Int64, _ size: Int64) -> String {
        for (decimals, scale) in [(2, Int64(100)), (1, 10)] {
            let step = size / scale
            let rounded = nanoseconds / step + (nanoseconds % step >= (step + 1) / 2 ? 1 : 0)
            if rounded < 1000 {
                return "\(rounded / scale).\(padded(rounded % scale, decimals))"
            }
        }
        return String(nanoseconds / size + (nanoseconds % size >= size / 2 ? 1 : 0))
    }

    /// `+00:41.206`: minutes, seconds and milliseconds since the recording's time 0.
    package static func time(_ time: TraceTime) -> String {
        let milliseconds = max(0, time.nanoseconds) / 1_000_000
        let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000)
        let tail = "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(rest, 3))"
        return seconds >= 3600 ? "+\(seconds / 3600):\(tail)" : "+\(tail)"
    }

    /// Bytes with a decimal unit: `412 B`, `96.0 KB`.
    static func bytes(_ bytes: UInt64) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var size: UInt64 = 1000
        for unit in ["KB", "MB", "GB"] {
            if unit == "GB" || bytes / size < 1000 {
                return "\(count(bytes / size)).\(bytes % size * 10 / size) \(unit)"
            }
            size *= 1000
        }
        return "\(bytes) B"
    }

    /// `33.1 %` of a whole; `–` of nothing.
    static func share(_ part: UInt64, of whole: UInt64) -> String {
        guard whole > 0 else { return absent }
        let perMille = UInt64(min((Double(part) / Double(whole) * 1000).rounded(), 1e18))
        return "\(perMille / 10).\(perMille % 10) %"
    }

    /// `12.0`: how many per one.
    static func ratio(_ part: UInt64, per whole: UInt64) -> String {
        guard whole > 0 else { return absent }
        let tenths = UInt64(min((Double(part) / Double(whole) * 10).rounded(), 1e18))
        return "\(count(tenths / 10)).\(tenths % 10)"
    }

    static func padded(_ number: some BinaryInteger, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// `2026-11-21 10:12:04 UTC`, from nanoseconds since 1970.
    static func date(unixTime nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
        let second = ((seconds % 86_400) + 86_400) % 86_400
        // Days since 0000-03-01, in the calendar whose year begins in March, so that leap days end a year.
        let days = (seconds - second) / 86_400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9, 2))-\(padded(day, 2)) "
            + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2)) UTC"
    }
}
