/// A place where a capture is not what it should be. Everything whole around it was read.
package struct CaptureDamage: Hashable, Sendable {
    /// The place, in bytes from the start of the capture.
    package var offset: UInt64
    /// The expected and the found value.
    package var reason: String
    /// Packets that are known to be missing because of it; `nil` where the number is unknown.
    package var lostPackets: UInt64?
}

/// The clock that made the stamps of a capture, as far as they show it.
package struct CaptureClock: Hashable, Sendable {
    /// Nanoseconds of the first stamped packet, which is time 0; `nil` when no packet has a stamp.
    package var start: Int64?
    /// False when the stamps count from some other moment than 1970: a boot, or the start of the recording.
    package var isWallClock = true
    /// Time of the latest packet.
    package var end: Int64 = 0
    /// The smallest gap between two different successive stamps, in nanoseconds; `nil` below two stamps. Old
    /// USBPcap drivers tick every 15.6 ms, so shorter gaps between keys mean nothing there.
    package var smallestStep: UInt64?
    /// Stamps equal to the stamp before them.
    package var repeatedStamps: UInt64 = 0
    /// Stamps earlier than the stamp before them.
    package var backwardSteps: UInt64 = 0
    /// Packets without a stamp (simple packet blocks), which take the time of the packet before them.
    package var unstamped: UInt64 = 0
}

/// Facts about a capture as a whole.
package struct CaptureFacts: Hashable, Sendable {
    /// Packets of any kind that were whole; events of a recording of the kernel's.
    package var packets: UInt64 = 0
    package var hasEvents = false
    /// Link types of the capture, ascending, each once.
    package var linkTypes: [UInt16] = []
    package var clock = CaptureClock()
    /// The first damage; later ones are counted in its `lostPackets` where they can be.
    package var damage: CaptureDamage?
    /// Input reports, and packets that may have some, of which the capture has a part at most: the snapshot length cut
    /// them, or their lengths contradict each other. What the snapshot length cut is not decoded.
    package var cutReports: UInt64 = 0
    /// Reports of streams beyond `CaptureLimits.streams`, not decoded.
    package var reportsOfExcessStreams: UInt64 = 0
    /// Report descriptors that could not be used, and why; the first few.
    package var refusedDescriptors: [String] = []
    /// Streams of interrupt reports that are no keyboard, or a keyboard on which no key changed.
    package var otherStreams = 0
    /// True when a descriptor announces a keyboard, whether or not a key of it changed.
    package var announcesKeyboard = false
    /// True when a keyboard sends reports that nothing says how to read.
    package var hasUnknownLayout = false
    /// True when a descriptor was given with the capture, and no stream has reports of its lengths.
    package var isGivenDescriptorUnfit = false
    /// Caps Lock and Num Lock at time 0; `nil` where they are not known.
    package var initialLocks: InitialLocks?
    /// Further notes about the keys, a sentence each; the first few.
    package private(set) var notes: [String] = []
    /// Input that the source itself lost, by its own count or, with no count, at least once.
    package var sourceDrops = SourceDrops()
    /// Lines or records of a recording that are not what they should be and were passed over.
    package var skippedLines: UInt64 = 0

    mutating func note(_ sentence: String) {
        let isNew = notes.count < CaptureLimits.notes && !notes.contains(sentence)
        if isNew { notes.append(sentence) }
    }
}

/// Losses of a source before the capture could keep the data.
package struct SourceDrops: Hashable, Sendable {
    /// The number of reports of a loss.
    package var times: UInt64 = 0
    /// Packets or events lost; `nil` where the source does not count.
    package var count: UInt64? = 0

    mutating func add(_ more: UInt64?) {
        times += 1
        if let known = count, let more { count = known.addingReportingOverflow(more).partialValue } else { count = nil }
    }
}
