import Libc

/// Scales between which content is zoomed, in thousandths, and the steps of keys between them (spec KK-13).
public struct ZoomLimits: Hashable, Sendable {
    public let minimum: Int
    public let maximum: Int

    /// `nil` unless `0 < minimum ≤ maximum ≤ 1000000`.
    public init?(minimum: Int, maximum: Int) {
        guard minimum > 0, minimum <= maximum, maximum <= 1_000_000 else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// There is something to zoom.
    public var isOpen: Bool { minimum < maximum }

    /// The next scale up or down, which divides the range into equal steps on a logarithmic scale; `nil` at the end.
    ///
    /// A range with 1 inside is divided in two there, so that no way through it leaves the actual size out.
    public func step(from scale: Int, zoomingIn: Bool) -> Int? {
        guard isOpen, zoomingIn ? scale < maximum : scale > minimum else { return nil }
        var (low, high) = (minimum, maximum)
        if low < 1000, high > 1000 {
            let isBelow = zoomingIn ? scale < 1000 : scale <= 1000
            if isBelow { high = 1000 } else { low = 1000 }
        }
        let whole = log(Double(high) / Double(low))
        let steps = max(1, (whole / log(1.618)).rounded())
        let power = log(Double(scale) / Double(low)) / whole * steps
        let target = max(0, min(steps, (power + (zoomingIn ? 0.75 : -0.75)).rounded()))
        let result = Int((Double(low) * exp(whole * target / steps)).rounded())
        let bounded = max(low, min(high, result))
        return bounded == scale ? nil : bounded
    }
}
