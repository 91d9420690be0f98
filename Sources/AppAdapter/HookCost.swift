/// Time that the app spends in the handlers of hooks, by samples: two clock reads for each call would be a tenth of it.
/// On the observed thread alone.
enum HookCost {
    /// Handlers called: one before a method and one after it.
    @exclusivity(unchecked) nonisolated(unsafe) private(set) static var calls: UInt64 = 0
    /// Nanoseconds in all.
    @exclusivity(unchecked) nonisolated(unsafe) private(set) static var total: UInt64 = 0
    /// Every so many calls one is timed. A prime, since an app sends the same messages for key after key: some ten
    /// calls of a key's.
    private static let interval: UInt64 = 61
    /// Nanoseconds from which on a call counts once: it happens now and then, as the first look at an app's classes.
    private static let rare: UInt64 = 50_000

    /// 0 for a call that is not timed.
    static func begin() -> UInt64 {
        calls &+= 1
        return calls % interval == 0 ? Adapter.clock() : 0
    }

    static func end(_ began: UInt64) {
        guard began != 0 else { return }
        let length = Adapter.clock() &- began
        total &+= length < rare ? length &* interval : length
    }
}
