import HIDCapture
public import KeyModel

/// What a live recording reads.
public enum LiveInput: Hashable, Sendable {
    /// An interface of libpcap: `usbmon1`, `bluetooth-monitor`, `lo`.
    case interface(String)
    /// `/dev/input/event4`, or `event4`.
    case inputDevice(String)
    /// The terminal that the program runs in.
    case terminal
}

/// Inputs that are open. What was only needed to open them has been given up.
public struct LiveInputs {
    let sources: [any LiveSource]
    /// The terminal is one of them, so that nothing typed there reaches a shell.
    public let includesTerminal: Bool
    /// What was given up after opening: the rights of root or capabilities.
    public let hasDroppedPrivileges: Bool

    init(_ sources: [any LiveSource]) {
        self.sources = sources
        includesTerminal = sources.contains { $0.kind == .terminal }
        hasDroppedPrivileges = false
    }

    /// Opens all of them or none. `layout`: of the terminal's keyboard.
    public init(opening inputs: [LiveInput], layout: Layout) throws(LiveInputError) {
        var opened: [any LiveSource] = []
        do throws(LiveFailure) {
            // The terminal last: whatever fails before it is told on a terminal that is as it was.
            for input in inputs where input != .terminal {
                switch input {
                case .interface(let name): opened.append(try PcapSource(interface: name))
                case .inputDevice(let path): opened.append(try EvdevSource(path))
                case .terminal: break
                }
            }
            hasDroppedPrivileges = try Privileges.drop()
            if inputs.contains(.terminal) { opened.append(try TerminalSource(layout: layout)) }
        } catch {
            for source in opened { source.close() }
            throw LiveInputError(reason: error.description)
        }
        sources = opened
        includesTerminal = inputs.contains(.terminal)
    }

    /// As they stand in messages.
    public var names: [String] { sources.map(\.name) }

    /// Gives everything back; the terminal is as it was.
    public func close() { for source in sources { source.close() } }
}

/// Why an input cannot be opened, in one line with its remedy.
public struct LiveInputError: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    public var description: String { reason }
}
