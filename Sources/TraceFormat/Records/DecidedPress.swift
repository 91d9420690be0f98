extension TraceRecord.Body {
    /// The press and tick of a decision; `nil` for records that are no decisions.
    public var decided: PressTick? {
        switch self {
        case .receiver(let record): record.at
        case .gesture(let record): record.at
        case .candidate(let record): record.at
        case .effect(let record): record.at
        case .resolution(let record): record.at
        case .stage(let record): record.at
        case .call(let record): record.at
        case .cache(let record): record.at
        case .invocation(let record): record.at
        default: nil
        }
    }

    /// The same decision of another press; other records stay as they are.
    public func decided(at: PressTick) -> TraceRecord.Body {
        switch self {
        case .receiver(var record):
            record.at = at
            return .receiver(record)
        case .gesture(var record):
            record.at = at
            return .gesture(record)
        case .candidate(var record):
            record.at = at
            return .candidate(record)
        case .effect(var record):
            record.at = at
            return .effect(record)
        case .resolution(var record):
            record.at = at
            return .resolution(record)
        case .stage(var record):
            record.at = at
            return .stage(record)
        case .call(var record):
            record.at = at
            return .call(record)
        case .cache(var record):
            record.at = at
            return .cache(record)
        case .invocation(var record):
            record.at = at
            return .invocation(record)
        default: return self
        }
    }
}
