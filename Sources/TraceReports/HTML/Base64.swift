/// RFC 4648, with padding.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    package static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < part.count ? UInt32(part[start + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= part.count ? digits[Int(bits >> UInt32(18 - 6 * place) & 63)] : "=")
            }
        }
        return text
    }
}
