package import KeyModel

/// Counts made while the key events of a capture were made, per device in the order of `Capture.devices`.
package struct CaptureTotals: Hashable, Sendable {
    package struct Device: Hashable, Sendable {
        package var id: UInt16
        /// Downs of any key.
        package var presses: UInt64 = 0
        /// Downs and ups as captured, synthetic releases and repeats apart.
        package var keyEvents: UInt64 = 0
        /// Repeats of a held key that the source made.
        package var repeats: UInt64 = 0
        /// Rollover reports: more keys are down than one can hold.
        package var rolloverReports: UInt64 = 0
        /// Keys still down at the end of the capture, by report and usage.
        package var heldAtEnd: [KeyUsage] = []
        /// Releases that no source sent: of `heldAtEnd`, and of keys down when a transfer was cancelled.
        package var syntheticReleases: UInt64 = 0

        package init(id: UInt16) { self.id = id }

        package mutating func note(_ event: KeyEvent) {
            if event.isSynthetic {
                // A down that no report showed is of a modifier that was held from the start.
                if event.phase != .down { syntheticReleases += 1 }
            } else if event.phase == .repeat {
                repeats += 1
            } else {
                keyEvents += 1
                if event.phase == .down { presses += 1 }
            }
        }
    }

    package var devices: [Device] = []
}
