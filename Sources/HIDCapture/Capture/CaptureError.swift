/// The reason why nothing could be read at all.
package enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are no capture of a known container, or its header is damaged.
    case malformed(offset: UInt64, what: String, expected: String, found: String)
    /// The system refused a read; `code` is its errno.
    case system(code: Int32, operation: String)

    package var description: String {
        switch self {
        case .malformed(let offset, let what, let expected, let found):
            "byte \(offset): \(what): expected \(expected), found \(found)"
        case .system(let code, let operation):
            "\(operation): error \(code) of the system"
        }
    }
}
