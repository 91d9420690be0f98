/// The fields of the records of level `keys`: the names and ranges of the schema.
extension KeyRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.optionalNumber("press", &press, 0...UInt32.max)
        try w.choice("phase", &phase)
        try w.identity("key", &key)
        try w.modifiers("modifiers", &modifiers)
        try w.flag("synthetic", &isSynthetic)
    }
}

extension TextRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.string("text", &text) }
}

extension IdleRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.number("reports", &reports, 1...UInt64.max)
    }
}

extension DeviceRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.text("name", &name)
        try w.text("source", &source)
        try w.optionalNumber("bus", &bus, 0...UInt32.max)
        try w.optionalNumber("address", &address, 0...UInt32.max)
        try w.optionalNumber("endpoint", &endpoint, 0...UInt32.max)
        try w.optionalNumber("adapter", &adapter, 0...UInt32.max)
        try w.optionalText("transport", &transport)
        try w.optionalNumber("handle", &handle, 0...UInt32.max)
        try w.optionalNumber("attribute", &attribute, 0...UInt32.max)
        try w.optionalNumber("vid", &vendor, 0...UInt32.max)
        try w.optionalNumber("pid", &product, 0...UInt32.max)
    }
}

extension ClockRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("source", &source)
        try w.optionalSigned("unix_time_ns", &unixTime)
        try w.optionalNumber("granularity_ns", &granularity, 0...UInt64.max - 1)
        try w.number("backward_steps", &backwardSteps, 0...UInt64.max)
    }
}

extension EnvironmentRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("name", &name)
        try w.text("value", &value)
    }
}

extension LayoutRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("name", &name)
        try w.hash("hash", &hash)
        try w.string("table", &table)
    }
}

extension LevelRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.choice("level", &level) }
}

extension StepRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.string("step", &step) }
}

extension FirstResponderRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.choice("cause", &cause)
    }
}

extension KeyWindowRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("window", &window)
        try w.choice("cause", &cause)
    }
}

extension LinkRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.responder("next", &next)
        try w.responder("window", &window)
    }
}

extension PresentationRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("presenter", &presenter)
        try w.responder("presented", &presented)
    }
}

extension TextInputRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.flag("secure", &isSecure)
    }
}

extension MarkedTextRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.flag("marked", &isMarked) }
}

extension HardwareRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.optionalNumber("device", &device, 0...UInt16.max)
        try w.flag("attached", &isAttached)
    }
}

extension InvalidationRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.choice("scope", &scope)
        try w.responder("responder", &responder)
    }
}

extension MarkRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.text("name", &name) }
}

extension LossRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.choice("cause", &cause)
        try w.optionalNumber("count", &count, 0...UInt64.max - 1)
        try w.optionalDuration("duration_ns", &duration)
        try w.text("detail", &detail)
    }
}
