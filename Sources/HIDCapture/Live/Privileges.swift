import CPrivileges
import Libc

/// Rights that a program has and its user has not.
package enum Privileges {
    /// Gives up for good what was only needed to open devices: see `keyflight_drop_privileges`. True when there was
    /// something to give up.
    package static func drop() throws(LiveFailure) -> Bool {
        let result = keyflight_drop_privileges()
        guard result >= 0 else {
            let words = String(cString: strerror(errno))
            throw LiveFailure(source: "privileges", reason: .unusable("that they cannot be given up: \(words)"))
        }
        return result > 0
    }
}
