import KeyModel

extension EvdevCodes {
    /// The key of an event, with the scan code that preceded it: of a code without a usage the code itself.
    static func usage(of code: UInt16, scan: UInt32?) -> KeyUsage? {
        if let scan, let scanned = ReportDescriptor.key(scan) {
            if self.code(of: scanned) == code { return scanned }
            if code == unknown || usage(of: code) == nil { return scanned }
        }
        return usage(of: code) ?? (code == 0 ? nil : KeyUsage(page: KeyUsage.codePage, usage: code))
    }
}
