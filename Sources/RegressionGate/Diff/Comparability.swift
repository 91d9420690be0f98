import FlightReplay
import KeyModel
package import TraceFormat

/// Comparability of two traces: they were masked alike and made under the same rules.
package struct Comparability: Hashable, Sendable {
    /// A property that the two do not share, as a line shows it.
    package struct Mismatch: Hashable, Sendable {
        package var what: String
        package var base: String
        package var head: String
    }

    /// The first of masking, profile, layout, direction, focus system and parameters that differs. A value that one of
    /// the two lacks cannot differ.
    package var mismatch: Mismatch?
    /// Both hold the same calls of presses that were decided, so that counts mean the same.
    package var comparesCounts: Bool
    /// The part that one of the two records and the other does not, so that it cannot be compared; `nil` where both
    /// record as much.
    package var inequality: Mismatch?
    /// Both were recorded to hold what presses came to.
    package var expectsResolutions: Bool

    package init(
        base: (header: TraceHeader, results: PressResults), head: (header: TraceHeader, results: PressResults)
    ) {
        // An app records the calls of its own responders, a replay those of all.
        comparesCounts = [base, head].allSatisfy { $0.header.level == .calls || $0.results.hasCalls }
            && base.results.facts.isOfReplay == head.results.facts.isOfReplay
            && base.results.isDecided && head.results.isDecided
        inequality = Comparability.inequality(base, head)
        expectsResolutions = min(base.header.level, head.header.level) > .keys
        if base.header.isMasked != head.header.isMasked {
            func name(_ header: TraceHeader) -> String { header.isMasked ? "masked" : "in clear" }
            mismatch = Mismatch(what: "typed text", base: name(base.header), head: name(head.header))
            return
        }
        mismatch = base.results.facts.mismatch(with: head.results.facts, anyScene: true).map {
            Mismatch(what: $0.fact, base: $0.expected, head: $0.found)
        }
    }

    private static func inequality(
        _ base: (header: TraceHeader, results: PressResults), _ head: (header: TraceHeader, results: PressResults)
    ) -> Mismatch? {
        func mismatch(_ what: String, _ value: (TraceHeader, PressResults) -> String) -> Mismatch? {
            let (old, new) = (value(base.header, base.results), value(head.header, head.results))
            return old == new ? nil : Mismatch(what: what, base: old, head: new)
        }
        return mismatch("level") { header, _ in header.level.name }
            ?? mismatch("resolutions") { $1.isDecided ? "some" : "none" }
            ?? mismatch("calls") { $0.level == .calls && $1.facts.isOfReplay ? "those of a replay" : "those of an app" }
            // An app need not know by which rules it is to be replayed.
            ?? (base.results.facts.isOfReplay && head.results.facts.isOfReplay
                ? mismatch("profile") { $1.facts.profile ?? "none" }
                    ?? mismatch("layout") { $1.facts.layout == nil ? "none" : "one" }
                : nil)
    }
}
