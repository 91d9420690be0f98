import HIDCapture
package import KeyModel

/// The input of a live recording.
package enum LiveInput: Hashable, Sendable {
    /// An interface of libpcap: `usbmon1`, `bluetooth-monitor`, `lo`.
    case interface(String)
    /// `/dev/input/event4`, or `event4`.
    case inputDevice(String)
    /// The terminal that the program runs in.
    case terminal
}

/// Inputs that are open. What was only needed to open them has been given up.
package struct LiveInputs {
    let sources: [any LiveSource]
    /// True when the rights of root or capabilities were given up after opening.
    package let hasDroppedPrivileges: Bool

    init(_ sources: [any LiveSource]) {
        self.sources = sources
        hasDroppedPrivileges = false
    }

    /// Opens all of them or none. The process makes no core dumps afterwards. `layout`: of the terminal's keyboard.
    package init(opening inputs: [LiveInput], layout: Layout) throws(LiveInputError) {
        var opened: [any LiveSource] = []
        do throws(LiveFailure) {
            // The terminal last: whatever fails before it is reported on a terminal that is as it was.
            for input in inputs where input != .terminal {
                switch input {
                case .interface(let name): opened.append(try PcapSource(interface: name))
                case .inputDevice(let path): opened.append(try EvdevSource(path))
                case .terminal: break
                }
            }
            hasDroppedPrivileges = try Privileges.drop()
            // After a change of the user, which would make it dumpable again.
            Privileges.refuseDumps()
            if inputs.contains(.terminal) { opened.append(try TerminalSource(layout: layout)) }
        } catch {
            for source in opened { source.close() }
            throw LiveInputError(reason: error.description)
        }
        sources = opened
    }

    /// The names of the sources, as messages have them.
    package var names: [String] { sources.map(\.name) }

    /// Gives everything back; the terminal is as it was.
    package func close() { for source in sources { source.close() } }
}

/// The reason why an input cannot be opened, in one line with its remedy.
package struct LiveInputError: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String
    package var description: String { reason }
}
