import CPrivileges
import Libc

/// Rights that a program has and its user has not, and those of others over its memory.
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

    /// Makes no core dump of this process from now on; see `keyflight_refuse_dumps`.
    package static func refuseDumps() { keyflight_refuse_dumps() }

    /// Overwrites what calls that have returned left on the stack.
    package static func wipeStack() { keyflight_wipe_stack() }
}
