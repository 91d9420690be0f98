import Foundation
import Libc

extension Error {
    /// The reason for which an operation of Foundation on files failed, in the system's words. The description of such
    /// an error has its values in another order each time.
    package var fileReason: String {
        let cause = self as? POSIXError ?? (self as? CocoaError)?.underlying as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? localizedDescription
    }
}
