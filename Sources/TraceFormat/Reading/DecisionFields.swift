import KeyModel

/// The fields of the records of the levels `resolutions`, `stages` and `calls`.
extension ReceiverRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("responder", &responder)
        try w.choice("phase", &phase)
        try w.flag("swallowed", &isSwallowed)
    }
}

extension GestureRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("responder", &responder)
        try w.string("recognizer", &recognizer)
        try w.choice("phase", &phase)
        try w.flag("taken", &isTaken)
    }
}

extension CandidateRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("supplier", &supplier)
        try w.command("command", &command)
        try w.choice("verdict", &verdict)
        try w.string("reason", &reason)
    }
}

extension EffectRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("responder", &responder)
        try w.string("effect", &kind)
        try w.string("value", &value)
    }
}

extension ResolutionRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("outcome", &outcome)
        try w.optionalChoice("taken_by", &takenBy)
        try w.string("character", &character)
        try w.responder("start", &start)
        try w.responder("key_window", &keyWindow)
        try w.command("command", &command)
        try w.responder("supplier", &supplier)
        try w.responder("target", &target)
        try w.string("action", &action)
        try w.string("text", &text)
        try w.optionalHash("state", &state)
    }
}

extension StageRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("stage", &stage)
        try w.duration("duration_ns", &duration)
        try w.flag("rounded", &isRounded)
    }
}

extension CallRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("call", &kind)
        try w.choice("occasion", &occasion)
        try w.responder("responder", &responder)
        try w.number("pass", &pass, 0...UInt16.max)
        try w.number("depth", &depth, 0...UInt16.max)
        try w.optionalDuration("duration_ns", &duration)
        try w.flag("rounded", &isRounded)
        try w.string("action", &action)
        try walkAnswer(&w)
    }

    /// `list` is present only where the answer is a list of commands.
    mutating func walkAnswer<W: FieldWalker>(_ w: inout W) throws(TraceError) {
        var code = AnswerCode(answer)
        try w.choice("answer", &code)
        var list = CommandListRef(rawValue: 0)
        if case .commands(let known) = answer { list = known }
        if code == .commands || W.describes { try w.list("list", &list) }
        switch code {
        case .none: answer = .none
        case .no: answer = .no
        case .yes: answer = .yes
        case .commands: answer = .commands(list)
        }
    }
}

/// `CallRecord.Answer` without its list.
enum AnswerCode: UInt8, NamedCase, NamedCode {
    case none, no, yes, commands

    init(_ answer: CallRecord.Answer) {
        switch answer {
        case .none: self = .none
        case .no: self = .no
        case .yes: self = .yes
        case .commands: self = .commands
        }
    }

    static let names = ["none", "no", "yes", "commands"]
}

extension CacheRecord {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.number("hits", &hits, 0...UInt32.max)
        try w.number("misses", &misses, 0...UInt32.max)
        try w.number("stale", &stale, 0...UInt32.max)
        try w.number("invalidations", &invalidations, 0...UInt32.max)
        try w.number("shadow_reads", &shadowReads, 0...UInt32.max)
        try w.number("calls_saved", &callsSaved, 0...UInt32.max)
        try w.duration("time_saved_ns", &timeSaved)
    }
}

extension TraceRecord.Body {
    /// Walks the fields of whichever record this is. An unknown record has no fields.
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        switch self {
        case .key(var r): try r.walk(&w); self = .key(r)
        case .text(var r): try r.walk(&w); self = .text(r)
        case .idle(var r): try r.walk(&w); self = .idle(r)
        case .device(var r): try r.walk(&w); self = .device(r)
        case .clock(var r): try r.walk(&w); self = .clock(r)
        case .environment(var r): try r.walk(&w); self = .environment(r)
        case .layout(var r): try r.walk(&w); self = .layout(r)
        case .level(var r): try r.walk(&w); self = .level(r)
        case .step(var r): try r.walk(&w); self = .step(r)
        case .firstResponder(var r): try r.walk(&w); self = .firstResponder(r)
        case .keyWindow(var r): try r.walk(&w); self = .keyWindow(r)
        case .link(var r): try r.walk(&w); self = .link(r)
        case .presentation(var r): try r.walk(&w); self = .presentation(r)
        case .textInput(var r): try r.walk(&w); self = .textInput(r)
        case .markedText(var r): try r.walk(&w); self = .markedText(r)
        case .hardware(var r): try r.walk(&w); self = .hardware(r)
        case .invalidation(var r): try r.walk(&w); self = .invalidation(r)
        case .mark(var r): try r.walk(&w); self = .mark(r)
        case .loss(var r): try r.walk(&w); self = .loss(r)
        case .clockRelation(var r): try r.walk(&w); self = .clockRelation(r)
        case .keyboardFrame(var r): try r.walk(&w); self = .keyboardFrame(r)
        case .gesture(var r): try r.walk(&w); self = .gesture(r)
        case .receiver(var r): try r.walk(&w); self = .receiver(r)
        case .candidate(var r): try r.walk(&w); self = .candidate(r)
        case .effect(var r): try r.walk(&w); self = .effect(r)
        case .resolution(var r): try r.walk(&w); self = .resolution(r)
        case .stage(var r): try r.walk(&w); self = .stage(r)
        case .call(var r): try r.walk(&w); self = .call(r)
        case .cache(var r): try r.walk(&w); self = .cache(r)
        case .mainWindow(var r): try r.walk(&w); self = .mainWindow(r)
        case .invocation(var r): try r.walk(&w); self = .invocation(r)
        case .unknown: break
        }
    }
}
