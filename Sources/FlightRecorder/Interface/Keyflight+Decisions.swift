/// Use of an app's cache during one press, or one repeat of it.
public struct RecordedCacheAccount: Hashable, Sendable {
    public var hits: UInt32 = 0
    public var misses: UInt32 = 0
    /// Hits whose answer was no longer right.
    public var stale: UInt32 = 0
    public var invalidations: UInt32 = 0
    /// Fresh answers read only to compare cached ones with them.
    public var shadowReads: UInt32 = 0
    public var callsSaved: UInt32 = 0
    public var timeSaved = TraceDuration.zero

    public init() {}
}

/// Decisions of an app about the press that its thread handles, beyond its resolution.
extension Keyflight {
    /// A key command had to do with this press, and what became of it. `supplier`: its giver, `nil` for the main menu.
    /// `reason`: in words that may be stored, such as `"shadowed by tabs"`.
    public static func candidate(
        _ command: some RecordedCommand, of supplier: AnyObject?, _ verdict: CandidateVerdict,
        because reason: @autoclosure () -> String
    ) {
        entry(1) { buffer in
            let numbers = (command: buffer.command(command), supplier: buffer.responder(supplier))
            buffer.candidate(numbers.command, numbers.supplier, verdict, buffer.text(reason()))
        }
    }

    package static func candidate(
        _ command: CommandStrings, of supplier: RecordedResponder, _ verdict: CandidateVerdict,
        cReason: UnsafePointer<CChar>?
    ) {
        entry(1) { buffer in
            buffer.candidate(buffer.command(command), supplier.number, verdict, buffer.text(cReason))
        }
    }

    /// Something changed because of this press: `"selection"`, `"offset"`, … `responder`: its owner, `nil` for
    /// the system. `publicValue`: the new value as JSON, only where it reveals nothing that a person wrote.
    public static func effect(
        _ kind: @autoclosure () -> String, on responder: AnyObject?, publicValue: @autoclosure () -> String? = nil
    ) {
        entry(1) { buffer in
            let kind = halves(buffer.text(kind()), buffer.text(publicValue()))
            buffer.record(.effect, more: 2, kind, UInt64(buffer.responder(responder)))
        }
    }

    package static func effect(
        cKind: UnsafePointer<CChar>, on responder: RecordedResponder, cPublicValue: UnsafePointer<CChar>?
    ) {
        entry(1) { buffer in
            let kind = halves(buffer.text(cKind), buffer.text(cPublicValue))
            buffer.record(.effect, more: 2, kind, UInt64(responder.number))
        }
    }

    /// Use of a cache of key commands for this press.
    public static func cache(_ account: RecordedCacheAccount) {
        entry(3) { buffer in
            buffer.record(
                .cache, wide: account.callsSaved, more: 4, halves(account.hits, account.misses),
                halves(account.stale, account.invalidations), UInt64(account.shadowReads),
                UInt64(max(0, account.timeSaved.nanoseconds)))
        }
    }

    /// An entry of this level (0…3). Names are looked up before it begins: the host's own code may take its time there,
    /// or record something itself.
    @inline(__always) static func entry(_ level: UInt32, _ write: (UnsafeMutablePointer<ThreadBuffer>) -> Void) {
        if let buffer = buffer(level) { write(buffer) }
    }

    /// The calling thread's buffer, where entries of this level (0…3) are recorded now.
    @inline(__always) static func buffer(_ level: UInt32) -> UnsafeMutablePointer<ThreadBuffer>? {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, level) else { return nil }
        return threadBuffer(word)
    }
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    fileprivate func candidate(
        _ command: UInt32, _ supplier: UInt32, _ verdict: CandidateVerdict, _ reason: UInt32
    ) {
        record(.candidate, small: UInt16(verdict.rawValue), more: 2, halves(command, supplier), UInt64(reason))
    }
}
