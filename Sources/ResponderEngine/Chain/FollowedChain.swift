/// The chain that key events follow, kept as long as nothing on it changes.
final class FollowedChain {
    private(set) var chain = ResponderChain()
    private(set) var start: Responder?
    /// A change of it shows in the link version.
    private var isAnnounced = false
    /// The last press or repeat got a start responder.
    var hadStart = false

    /// The first responder of the key window, as of a link version.
    private(set) var first: Responder?
    private var firstVersion: UInt64?

    var members: ResponderList { chain.members }

    func isFirstCurrent(_ linkVersion: UInt64) -> Bool { firstVersion == linkVersion }

    func noteFirst(_ responder: Responder?, linkVersion: UInt64) {
        first = responder
        firstVersion = linkVersion
    }

    /// False where the chain from this responder has to be followed anew.
    func isCurrent(from responder: Responder, linkVersion: UInt64) -> Bool {
        isAnnounced && start === responder && chain.linkVersion == linkVersion
    }

    func replace(_ followed: ResponderChain, from responder: Responder, isAnnounced: Bool) {
        chain = followed
        start = responder
        self.isAnnounced = isAnnounced
    }
}
