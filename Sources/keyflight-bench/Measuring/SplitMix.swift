import RegressionGate

/// The inputs of all workloads come from seeds.
extension SplitMix {
    /// 0 ..< `limit`.
    mutating func below(_ limit: Int) -> Int {
        Int((next() >> 32).multipliedReportingOverflow(by: UInt64(limit)).partialValue >> 32)
    }
}
