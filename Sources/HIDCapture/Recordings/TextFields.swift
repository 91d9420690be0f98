/// Reads the fields of a line of text, one after the other.
struct TextFields {
    private let bytes: UnsafeRawBufferPointer
    private(set) var at = 0

    /// A carriage return at the end is no part of the line.
    init(_ line: UnsafeRawBufferPointer) {
        bytes = line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    }
    var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func skipBlanks() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
    }

    /// Passes one character.
    mutating func skip() { at = min(at + 1, bytes.count) }

    /// Passes these characters; false, and nothing moved, when others are next.
    mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count - at >= length else { return false }
        for index in 0..<length where bytes[at + index] != text.utf8Start[index] { return false }
        at += length
        return true
    }

    /// Passes everything up to these characters and them; false, and nothing moved, where they are not ahead.
    mutating func pass(_ text: StaticString) -> Bool {
        let before = at
        while at < bytes.count {
            if take(text) { return true }
            at += 1
        }
        at = before
        return false
    }

    /// A decimal number after blanks; `nil` when there is none or it has more than 19 digits.
    mutating func decimal() -> UInt64? {
        skipBlanks()
        var value: UInt64 = 0
        let first = at
        while at < bytes.count, bytes[at] >= 0x30, bytes[at] <= 0x39 {
            value = value &* 10 &+ UInt64(bytes[at] - 0x30)
            at += 1
        }
        return at > first && at - first <= 19 ? value : nil
    }

    /// A decimal number that may be negative.
    mutating func signed() -> Int64? {
        skipBlanks()
        let isNegative = take("-")
        guard let magnitude = decimal(), let value = Int64(exactly: magnitude) else { return nil }
        return isNegative ? -value : value
    }

    /// A hexadecimal number of at most `digits` digits after blanks.
    mutating func hexadecimal(digits: Int = 16) -> UInt64? {
        skipBlanks()
        var value: UInt64 = 0
        let first = at
        while at < bytes.count, at - first < digits, let digit = TextFields.digit(bytes[at]) {
            value = value << 4 | UInt64(digit)
            at += 1
        }
        return at > first ? value : nil
    }

    /// Seconds with up to nine digits behind the point, as nanoseconds.
    mutating func seconds() -> Int64? {
        guard let whole = decimal() else { return nil }
        var fraction: UInt64 = 0
        if take(".") {
            let first = at
            guard let digits = decimal(), at - first <= 9 else { return nil }
            fraction = digits
            for _ in (at - first)..<9 { fraction *= 10 }
        }
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, isBeyond) = nanoseconds.addingReportingOverflow(fraction)
        return isBeyond ? nil : Int64(exactly: sum)
    }

    /// Everything up to the end, blanks at both ends left out.
    mutating func rest() -> String {
        skipBlanks()
        var end = bytes.count
        while end > at, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        let text = String(decoding: bytes[at..<end], as: UTF8.self)
        at = bytes.count
        return text
    }

    /// The same without the quotation marks around it.
    mutating func quoted() -> String {
        let text = rest()
        let isQuoted = text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return isQuoted ? String(text.dropFirst().dropLast()) : text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// The whole lines at the beginning of a text, to recognise its kind. A last line without its end is left out unless
/// the text is shorter than what was asked for.
func firstLines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = head.split(separator: 0x0A)
    if head.count >= CaptureKind.headBytes { lines = lines.dropLast() }
    return lines
}

extension CaptureTraffic {
    /// Hands over each line of a text; those beyond the limit are skipped and counted, and so are those for which
    /// `body` returns false. The damage contains the place of the first of them.
    func forEachLine(
        of input: CaptureInput, _ body: (UnsafeRawBufferPointer) -> Bool
    ) throws(CaptureError) {
        var number: UInt64 = 0
        while true {
            let offset = input.offset
            guard let (line, isTooLong) = try input.line(limit: CaptureLimits.lineBytes) else { return }
            number += 1
            if !isTooLong, body(line) { continue }
            facts.skippedLines += 1
            noteDamage(
                at: offset, "line \(number)", "a line of the recording",
                isTooLong ? "one of more than \(CaptureLimits.lineBytes) bytes" : "something else")
        }
    }

    /// Takes a name (`N:`), or bus, vendor and product (`I:`), as evemu and hid-recorder write them. False for other
    /// lines.
    func identify(_ device: Int, by fields: inout TextFields) -> Bool {
        if fields.take("N:") {
            let name = fields.rest()
            change(device: device) { $0.givenName = name }
            return true
        }
        guard fields.take("I:") else { return false }
        _ = fields.hexadecimal(digits: 4)
        let (vendor, product) = (fields.hexadecimal(digits: 4), fields.hexadecimal(digits: 4))
        change(device: device) {
            $0.vendor = vendor.flatMap(UInt16.init(exactly:))
            $0.product = product.flatMap(UInt16.init(exactly:))
        }
        return true
    }
}
