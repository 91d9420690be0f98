import KeyModel

/// One event of Linux's input layer.
struct EvdevEvent: Equatable {
    var type: UInt16
    var code: UInt16
    var value: Int32

    static let report = EvdevEvent(type: 0, code: 0, value: 0)
}

/// Key changes of one keyboard as the kernel would report them: the scan code, which is the usage, then the key's code.
struct EvdevEvents {
    private var codes: [KeyUsage: UInt16] = [:]
    private var held: Set<UInt16> = []

    /// Codes that no key has, for keys whose own code another held key has.
    private static let free = (UInt16(1)..<256).filter { EvdevCodes.usage(of: $0) == nil && $0 != EvdevCodes.unknown }

    /// `nil` when every code is taken.
    mutating func events(_ change: KeyChange) -> [EvdevEvent]? {
        let code: UInt16
        switch change.phase {
        case .down:
            let own = EvdevCodes.code(of: change.usage) ?? EvdevCodes.unknown
            guard let found = held.contains(own) ? EvdevEvents.free.first(where: { !held.contains($0) }) : own else {
                return nil
            }
            code = found
            codes[change.usage] = code
            held.insert(code)
        case .up, .cancel:
            guard let known = codes.removeValue(forKey: change.usage) else { return nil }
            held.remove(known)
            code = known
        case .repeat:
            guard let known = codes[change.usage] else { return nil }
            return [EvdevEvent(type: 1, code: known, value: 2), EvdevEvent(type: 0, code: 0, value: 1)]
        }
        return [
            EvdevEvent(type: 4, code: 4, value: Int32(bitPattern: change.usage.rawValue)),
            EvdevEvent(type: 1, code: code, value: change.phase == .down ? 1 : 0), .report,
        ]
    }
}

enum TextNumbers {
    static func padded(_ text: String, _ width: Int, _ fill: String = " ") -> String {
        String(repeating: fill, count: max(0, width - text.utf8.count)) + text
    }

    /// `seconds.micros`, of a time that is not before 0.
    static func seconds(_ time: TraceTime) -> String {
        let micros = max(0, time.nanoseconds) / 1000
        return "\(micros / 1_000_000)." + padded(String(micros % 1_000_000), 6, "0")
    }
}
