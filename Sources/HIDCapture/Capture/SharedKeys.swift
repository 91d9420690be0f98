package import KeyModel

/// The keys of one keyboard that several sources report: endpoints of a device, or captures of one endpoint. A key is
/// that of the source that reported it first, until that one releases it; what the others report of it is left out.
package struct SharedKeys {
    /// The sources in which a key is down, in the order of its downs.
    private var sources: [KeyUsage: [Int]] = [:]

    package init() {}

    /// Follows an event of a source; false for one that is left out. `isSynthetic`: the source ended, and the key is
    /// still that of the next one that has it.
    package mutating func isNew(
        _ usage: KeyUsage, _ phase: KeyPhase, isSynthetic: Bool, of source: Int
    ) -> Bool {
        var holders = sources[usage] ?? []
        let isOwner = holders.first ?? source == source
        switch phase {
        case .down: if !holders.contains(source) { holders.append(source) }
        case .repeat: break
        case .up, .cancel: holders = isOwner && !isSynthetic ? [] : holders.filter { $0 != source }
        }
        // A key that was released by its owner is up, whatever the others hold, and their releases come to nothing.
        let isKnown = sources[usage] != nil
        sources[usage] = holders.isEmpty ? nil : holders
        return phase == .down || phase == .repeat ? isOwner : isKnown && isOwner && holders.isEmpty
    }
}
