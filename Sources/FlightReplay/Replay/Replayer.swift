import KeyModel
import ResponderEngine
public import Scenes
import TraceFormat
import TracePresses

/// The keys that are down in a replay: the replayer follows them, and its recorder reads them.
final class ReplayKeyboard {
    @exclusivity(unchecked) var state = KeyboardState()
}

/// Drives an engine with a timeline on a virtual clock.
///
/// Arrival times are the timeline's; repeats of held keys are generated from the profile's parameters; service
/// times are those declared. What arrives while something earlier is in service waits: its input delay is the time
/// it queued. Nothing here reads a clock, so the same timeline, subject and policies give the same decisions.
///
/// One thread uses a replayer. What it keeps is not checked for overlapping access at run time, which every key event
/// would pay for: none of it is under access while the engine, a visitor or a recorder runs.
public final class Replayer {
    public let subject: any ReplaySubject
    private let engine: KeyboardEngine
    /// The subject, where a recording is its responders.
    private let recorded: RecordedApp?
    private let recorder: TraceRecorder?
    private let costs: ServiceCosts
    private let probe: ReplayProbe
    private let keyboard: ReplayKeyboard
    @exclusivity(unchecked) private var schedule = RepeatSchedule()
    @exclusivity(unchecked) private var queue = ServiceQueue()
    /// Number of resolved texts without a key, and of modifiers that a command matched.
    @exclusivity(unchecked) private var texts: UInt32 = 0
    private let isTimed: Bool
    private let noStages = StageSplit()
    private let cadence: ReplayCadence
    private let maximumRepeats: UInt32
    private let isSaturated: Bool
    /// Timeline time of the event that is handled; with cadence `saturated` the engine gets it earlier.
    @exclusivity(unchecked) private var sourceTime = TraceTime.zero
    @exclusivity(unchecked) private var pacer: (any ReplayPacer)?
    @exclusivity(unchecked) private var origin = TraceTime.zero
    /// The arrivals that are left.
    @exclusivity(unchecked) private var coming = ReplayTimeline(arrivals: [], end: .zero).makeIterator()
    @exclusivity(unchecked) private var end = TraceTime.zero

    /// With a recorder, decisions are recorded at its level. `costs` are the service times, by default those that the
    /// subject declares.
    public init(
        _ subject: any ReplaySubject, costs: ServiceCosts? = nil, recorder: TraceRecorder? = nil,
        cadence: ReplayCadence = .virtual, maximumRepeats: UInt32? = nil
    ) {
        self.subject = subject
        self.cadence = cadence
        self.maximumRepeats = maximumRepeats ?? RepeatSchedule.maximumRepeats
        isSaturated = if case .saturated = cadence { true } else { false }
        engine = subject.engine
        recorded = subject as? RecordedApp
        self.recorder = recorder
        keyboard = recorder?.keyboard ?? ReplayKeyboard()
        self.costs = costs ?? subject.costs
        probe = ReplayProbe(costs: self.costs, recorder: recorder?.needsEveryDecision == true ? recorder : nil)
        isTimed = !self.costs.isEmpty
    }

    /// A context step that cannot be carried out, which stops the replay.
    public struct StepError: Error, CustomStringConvertible {
        /// The script's line or the trace's sequence number.
        public var position: UInt64
        public var step: ContextStep
        public var cause: any Error

        public var description: String {
            // Of a scene's own reason the step is a part.
            cause is ContextStepError ? "\(cause)" : "step \(step.text): \(cause)"
        }
    }

    /// Replays the whole timeline from its time 0 and press 1. The engine keeps the state it ends with.
    public func run<Visitor: ReplayVisitor>(
        _ timeline: ReplayTimeline, _ visitor: inout Visitor
    ) throws(StepError) {
        begin(timeline)
        try resume(&visitor)
    }

    /// Puts the replayer at the beginning of a timeline; `advance` and `resume` go on from there.
    func begin(_ timeline: ReplayTimeline) {
        // The engine goes on with the keys that an earlier run left down.
        keyboard.state.countAnew()
        schedule = RepeatSchedule(maximum: maximumRepeats)
        queue = ServiceQueue()
        texts = 0
        recorder?.begin(subject, costs: costs, arrivals: timeline.underestimatedCount)
        var first = timeline.makeIterator()
        origin = .zero
        while let arrival = first.next() {
            guard !arrival.isRecord else { continue }
            origin = arrival.time
            break
        }
        coming = timeline.makeIterator()
        end = timeline.end
    }

    /// Goes on until the next input is the down of this press, or one after it, or the input is over. Repeats of
    /// earlier keys that fall before it come afterwards.
    func advance<Visitor: ReplayVisitor>(toPress press: UInt32, _ visitor: inout Visitor) throws(StepError) {
        try listening(true) { () throws(StepError) in
            while let arrival = coming.next() {
                guard !isDown(arrival, ofPress: press) else { return coming.putBack(arrival) }
                try take(arrival, &visitor)
            }
        }
    }

    /// Goes on for one input, or one repeat; false when that was the end.
    func advance<Visitor: ReplayVisitor>(_ visitor: inout Visitor) throws(StepError) -> Bool {
        var isOver = false
        try listening(visitor.watchesCancellations) { () throws(StepError) in
            let arrival = coming.next()
            if repeatHeldKey(until: arrival?.time ?? end, &visitor) {
                if let arrival { coming.putBack(arrival) }
            } else if let arrival {
                try take(arrival, &visitor)
            } else {
                isOver = true
            }
        }
        if isOver { try resume(&visitor) }
        return !isOver
    }

    /// Goes on to the end.
    func resume<Visitor: ReplayVisitor>(_ visitor: inout Visitor) throws(StepError) {
        pacer = if case .recorded(let make) = cadence { make() } else { nil }
        defer { pacer = nil }
        try listening(visitor.watchesCancellations) { () throws(StepError) in
            while let arrival = coming.next() { try take(arrival, &visitor) }
            repeatHeldKeys(until: end, &visitor)
            let end = isSaturated ? queue.idleFrom : self.end
            engine.advance(to: end)
            recorder?.finished(at: end)
            visitor.finished(at: end)
        }
    }

    private func listening(
        _ watchesCancellations: Bool, _ body: () throws(StepError) -> Void
    ) throws(StepError) {
        let former = engine.probe
        if isTimed || recorder?.needsEveryDecision == true { engine.probe = probe }
        engine.keepsCancelled = recorder != nil || watchesCancellations
        defer {
            engine.keepsCancelled = false
            engine.probe = former
        }
        try body()
    }

    private func isDown(_ arrival: ReplayTimeline.Arrival, ofPress press: UInt32) -> Bool {
        guard case .key(let event, let recorded) = arrival.input, event.phase == .down,
            event.key.usage?.isModifier != true
        else { return false }
        return (recorded ?? keyboard.state.nextPress) >= press
    }

    private func take<Visitor: ReplayVisitor>(
        _ arrival: ReplayTimeline.Arrival, _ visitor: inout Visitor
    ) throws(StepError) {
        repeatHeldKeys(until: arrival.time, &visitor)
        if pacer != nil, !arrival.isRecord { pace(arrival.time, &visitor) }
        recorded?.arrives(arrival.position)
        let time = delivery(of: arrival.time)
        switch arrival.input {
        case .key(var event, let press):
            if isSaturated { event.time = time }
            key(event, recorded: press, &visitor)
        case .text(let text): insert(text, at: time, &visitor)
        case .record(let body): pass(body, at: time)
        case .step(let step):
            do {
                try perform(step, at: time, &visitor)
            } catch {
                coming.putBack(arrival)
                throw StepError(position: arrival.position, step: step, cause: error)
            }
        }
    }

    /// Where the engine has a software keyboard of its own, that one's frames are recorded.
    private func pass(_ body: TraceRecord.Body, at time: TraceTime) {
        if recorded == nil, case .keyboardFrame = body { return }
        if case .environment(let fact) = body, keyboard.state.modifiers.roles.apply(fact: fact.name, fact.value) {
            engine.modifierRoles = keyboard.state.modifiers.roles
        }
        recorder?.recordArrives(body, at: time)
    }

    /// Time at which the engine gets an event at `time` of the timeline.
    private func delivery(of time: TraceTime) -> TraceTime {
        sourceTime = time
        return isSaturated ? queue.idleFrom : time
    }

    private func pace<Visitor: ReplayVisitor>(_ time: TraceTime, _ visitor: inout Visitor) {
        guard let pacer else { return }
        visitor.paced(error: pacer.wait(until: time.since(origin)))
    }

    private func key<Visitor: ReplayVisitor>(_ event: KeyEvent, recorded: UInt32?, _ visitor: inout Visitor) {
        switch event.phase {
        case .down: keyDown(event, recorded: recorded, &visitor)
        case .up, .cancel: keyUp(event, recorded: recorded, &visitor)
        case .repeat: keyRepeats(event, recorded: recorded, &visitor)
        }
    }

    /// A repeat of a recorded app, which has its own.
    private func keyRepeats<Visitor: ReplayVisitor>(_ event: KeyEvent, recorded: UInt32?, _ visitor: inout Visitor) {
        guard !engine.generatesRepeats, let entry = keyboard.state.apply(event, press: recorded),
            let press = entry.press
        else { return }
        let tick = PressTick(press: press, tick: entry.repeats)
        arrive(event, of: entry, tick)
        let resolution = engine.repeatTick(event.key, device: event.device, at: event.time)
        settle(at: event.time)
        if let resolution { resolved(resolution, at: tick, &visitor) }
    }

    private func keyDown<Visitor: ReplayVisitor>(_ event: KeyEvent, recorded: UInt32?, _ visitor: inout Visitor) {
        if let press = keyboard.state.endEarlier(event.key, device: event.device)?.press {
            schedule.end(press: press)
            released(nil, of: event, press: press, &visitor)
        }
        let entry = keyboard.state.apply(event, press: recorded)
        let press = entry?.press
        if press != nil, engine.laterDownEndsRepeat { schedule.endAll() }
        let tick = press.map { PressTick(press: $0, tick: 0) }
        arrive(event, of: entry, tick)
        var resolution = Resolution(time: event.time, key: event.key, device: event.device)
        let isResolved = engine.keyDown(&resolution)
        settle(at: event.time)
        if isResolved { settled(resolution, at: tick, &visitor) }
        reportCancelled(at: event.time, &visitor)
    }

    /// `tick` is `nil` for a modifier that a command matched.
    private func settled<Visitor: ReplayVisitor>(
        _ resolution: Resolution, at tick: PressTick?, _ visitor: inout Visitor
    ) {
        guard let tick else { return resolvedWithoutPress(resolution, &visitor) }
        resolved(resolution, at: tick, &visitor)
        guard resolution.repeatsWhileHeld else { return }
        schedule.begin(
            press: tick.press, at: sourceTime, delay: engine.repeatDelay, interval: engine.repeatInterval)
    }

    private func keyUp<Visitor: ReplayVisitor>(_ event: KeyEvent, recorded: UInt32?, _ visitor: inout Visitor) {
        let entry = keyboard.state.apply(event, press: recorded)
        // A trace also contains keys that the system cancelled; the step that made it do so comes before.
        if entry == nil, event.phase == .cancel { return }
        let press = entry?.press
        if let press { schedule.end(press: press) }
        arrive(event, of: entry, press.map { PressTick(press: $0, tick: 0) })
        let release = engine.keyUp(
            event.key, device: event.device, at: event.time, cancelled: event.phase == .cancel)
        settle(at: event.time)
        if let press { released(release, of: event, press: press, &visitor) }
        reportCancelled(at: event.time, &visitor)
    }

    /// Repeats up to and including `time`: at equal times repeats come first.
    private func repeatHeldKeys<Visitor: ReplayVisitor>(until time: TraceTime, _ visitor: inout Visitor) {
        while repeatHeldKey(until: time, &visitor) {}
    }

    /// The next repeat; false where there is none up to then.
    private func repeatHeldKey<Visitor: ReplayVisitor>(until time: TraceTime, _ visitor: inout Visitor) -> Bool {
        guard let next = schedule.nextTick(notAfter: time) else { return false }
        guard let entry = keyboard.state.key(ofPress: next.press) else {
            schedule.end(press: next.press)
            return true
        }
        pace(next.time, &visitor)
        let time = delivery(of: next.time)
        let event = KeyEvent(time: time, device: entry.device, key: entry.key, phase: .repeat)
        let tick = PressTick(press: next.press, tick: next.number)
        recorder?.repeatArrives(event, of: entry, at: tick, in: engine)
        begin(at: time)
        recorded?.begin(event, tick)
        let resolution = engine.repeatTick(entry.key, device: entry.device, at: time)
        if let resolution {
            settle(at: time)
            if next.isLast { visitor.repeatsEnd(at: tick) }
            resolved(resolution, at: tick, &visitor)
            if next.isLast { recorder?.repeatsEnd(at: tick, time) }
        } else {
            recorder?.repeatIsRefused()
            schedule.end(press: next.press)
        }
        reportCancelled(at: time, &visitor)
        return true
    }

    private func insert<Visitor: ReplayVisitor>(_ text: String?, at time: TraceTime, _ visitor: inout Visitor) {
        recorder?.textArrives(text, at: time, in: engine)
        begin(at: time)
        recorded?.beginText()
        let resolution = engine.insertText(text ?? "\u{FFFD}", at: time)
        settle(at: time)
        if var resolution {
            if text == nil { resolution.text = nil }
            resolvedWithoutPress(resolution, &visitor)
        }
        reportCancelled(at: time, &visitor)
    }

    private func perform<Visitor: ReplayVisitor>(
        _ step: ContextStep, at time: TraceTime, _ visitor: inout Visitor
    ) throws {
        recorder?.stepBegins(step, at: time)
        try subject.perform(step, at: time)
        reportCancelled(at: time, &visitor)
        // The system forgets them: a modifier whose release goes elsewhere unmasks nothing.
        if step == .deactivate || step == .detach { keyboard.state.forgetModifiers() }
        recorder?.stepEnded(step, at: time, in: engine)
        if let picked = engine.takePicked() {
            visitor.resolved(picked, at: PressTick(press: 0, tick: texts), stages: noStages)
        }
    }

    // MARK: Clock and reports

    private func arrive(_ event: KeyEvent, of held: KeyboardState.HeldKey?, _ tick: PressTick?) {
        recorder?.keyArrives(event, of: held, at: tick, in: engine)
        begin(at: event.time)
        recorded?.begin(event, tick)
    }

    private func begin(at time: TraceTime) {
        if isTimed { probe.begin(delay: queue.delay(at: time)) }
    }

    private func settle(at time: TraceTime) {
        if isTimed { queue.serve(arrival: time, service: probe.service) }
    }

    private func resolved<Visitor: ReplayVisitor>(
        _ resolution: Resolution, at tick: PressTick, _ visitor: inout Visitor
    ) {
        recorded?.provider.delivered(resolution)
        var stages = isTimed ? probe.stages : noStages
        if let wait = resolution.chordWait { stages.add(wait, to: .chordWait) }
        recorder?.resolved(resolution, stages: stages, in: engine)
        visitor.resolved(resolution, at: tick, stages: stages)
    }

    /// A text without a key, or a modifier that a command matched (spec EV-11).
    private func resolvedWithoutPress<Visitor: ReplayVisitor>(_ resolution: Resolution, _ visitor: inout Visitor) {
        resolved(resolution, at: PressTick(press: 0, tick: texts), &visitor)
        texts &+= 1
    }

    /// `release` is `nil` for a key that the engine did not hold.
    private func released<Visitor: ReplayVisitor>(
        _ release: Release?, of event: KeyEvent, press: UInt32, _ visitor: inout Visitor
    ) {
        recorder?.released(release, of: event, press: press, in: engine)
        visitor.released(release, of: event, press: press)
    }

    /// Presses that the system cancelled meanwhile: the app deactivated, or their responder left its window.
    private func reportCancelled<Visitor: ReplayVisitor>(at time: TraceTime, _ visitor: inout Visitor) {
        guard engine.hasCancelled else { return }
        for (key, release) in engine.takeCancelled() {
            guard let entry = keyboard.state.cancel(key) else { continue }
            let event = KeyEvent(time: time, device: entry.device, key: key, phase: .cancel)
            let tick = entry.press.map { PressTick(press: $0, tick: 0) }
            recorder?.keyArrives(event, of: entry, at: tick, in: engine)
            guard let press = entry.press else { continue }
            schedule.end(press: press)
            released(release, of: event, press: press, &visitor)
        }
    }
}
