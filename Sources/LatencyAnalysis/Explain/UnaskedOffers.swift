package import TraceFormat
package import TracePresses
import KeyModel

/// A responder off the chain that offers the pressed chord, by its scene or by another press of the recording.
package struct UnaskedOffer: Hashable, Sendable {
    package var id: String
    package var command: CommandDefinition
    /// The change of first responder that took it off the chain; `nil` where none did, or it is not in what was read.
    package var departure: Departure?

    package struct Departure: Hashable, Sendable {
        package var firstResponder: String
        package var change: ContextChange
    }

    package init(id: String, command: CommandDefinition, departure: Departure?) {
        (self.id, self.command, self.departure) = (id, command, departure)
    }
}

/// Responders that a change of first responder took off the chain.
struct ChainDepartures: Sendable {
    private var chain: [ResponderRef] = []
    private var first: ResponderRef?
    private var version: UInt64?
    private(set) var departed: [ResponderRef: (first: ResponderRef, change: ContextChange)] = [:]

    /// `context`: the state before the record.
    mutating func consume(_ record: TraceRecord, _ context: PressContext) {
        switch record.body {
        case .key(let key): if key.phase == .down, key.press != nil { note(context, from: nil) }
        case .firstResponder: note(context, from: nil)
        // Without a first responder a press begins elsewhere.
        case .resolution(let resolution): note(context, from: resolution.start)
        default: break
        }
    }

    private mutating func note(_ context: PressContext, from other: ResponderRef?) {
        let now = context.firstResponder?.responder
        guard let start = now ?? other, version != context.chainVersion || chain.first != start else { return }
        let next = context.chain(from: start)
        let members = Set(next)
        for responder in chain where !members.contains(responder) {
            departed[responder] = nil
            if now != first, let now, let change = context.firstResponder?.change, !change.isInitial {
                departed[responder] = (now, change)
            }
        }
        for responder in next { departed[responder] = nil }
        (chain, first, version) = (next, now, context.chainVersion)
    }
}

/// The rules of a press as far as they are recorded: the profile with its parameters, and the layout.
package struct PressRules: Hashable, Sendable {
    /// The facts of the environment, by name.
    package var environment: [String: String]
    package var layoutName: String?
    /// Handle of the layout's table; `nil` where the recording does not have it.
    package var layoutTable: StringRef?

    init(_ context: PressContext) {
        (environment, layoutName) = (context.environment, context.layoutName)
        layoutTable = context.layoutTable
    }
}
