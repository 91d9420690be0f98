/// A responder between another one and what comes after that by itself (spec KK-1). It belongs to its owner, which
/// keeps it.
open class InjectedResponder: Responder {
    weak final var ownerLink: Responder?

    public override init(id: String? = nil) { super.init(id: id) }

    /// After the last one the owner's own rules decide.
    open override var defaultNext: Responder? { ownerLink?.defaultNext }

    override var container: Responder? { ownerLink }
}

extension Responder {
    /// The responders that `inject` put behind this one, in order.
    public final var injectedResponders: [InjectedResponder] {
        guard injectionTail != nil else { return [] }
        var injected: [InjectedResponder] = []
        var here = nextByRule
        while let responder = here as? InjectedResponder, responder.ownerLink === self {
            injected.append(responder)
            here = responder.nextByRule
        }
        return injected
    }
}
