public import KeyModel

/// What was counted while the key events of a capture were made, per device in the order of `Capture.devices`.
public struct CaptureTotals: Hashable, Sendable {
    public struct Device: Hashable, Sendable {
        public var id: UInt16
        /// Downs of any key.
        public var presses: UInt64 = 0
        /// Downs and ups as captured, synthetic releases and repeats apart.
        public var keyEvents: UInt64 = 0
        /// Repeats of a held key that the source made.
        public var repeats: UInt64 = 0
        /// Reports that say "more keys than I can tell".
        public var rolloverReports: UInt64 = 0
        /// Keys still down at the end of the capture, by report and usage.
        public var heldAtEnd: [KeyUsage] = []
        /// Releases that no source sent: of `heldAtEnd`, and of keys down when a transfer was cancelled.
        public var syntheticReleases: UInt64 = 0
    }

    public var devices: [Device] = []
}
