import Atomics
import CRecorderSupport
import KeyModel
import TraceFormat

/// The one place that moves the switch. Everything here is under a lock and seldom.
final class RecorderControl: @unchecked Sendable {
    static let shared = RecorderControl()

    private let lock = ProcessLock()
    private var flight: Flight?
    private var isPaused = false
    private var secureEntries = 0
    /// The text input that has the keyboard is secure, which is a secure entry of its own.
    private var isInputSecure = false
    /// The same, for readers that do not hold the lock.
    private let hasSecureInput = UnsafeAtomic<Bool>.create(false)
    private var level = TraceLevel.keys
    private var roles = ModifierRoles.physical
    private var generation: UInt32 = 0
    private var followsGap = false

    private var isSecure: Bool { secureEntries > 0 || isInputSecure }
    private var isSilent: Bool { isPaused || isSecure }

    private init() {
        lock.holdAtFork(.control) { [unowned self] in
            // The recording is the parent's, whose background thread is not here; the switch is off already. Not freed,
            // since its end may be anything. A secure entry that is open is one here too.
            if let flight { _ = Unmanaged.passRetained(flight) }
            flight = nil
            isPaused = false
        }
    }

    // MARK: Beginning and end

    func start(_ options: RecorderOptions) throws(RecorderError) -> Flight {
        guard !StoreReceipt.isThere else { throw .storeBuild }
        keyflight_choose_ticks()
        let overhead = RecorderOverhead.measured
        let flight = try lock.withLock { () throws(RecorderError) in try begin(options, overhead) }
        writeRoles(options.modifierRoles, after: .physical)
        options.indicator?(state)
        return flight
    }

    /// The roles of the modifier keys from here on.
    func setRoles(_ roles: ModifierRoles) {
        guard let before = lock.withLock({ () -> ModifierRoles? in
            guard flight != nil else { return nil }
            defer { self.roles = roles }
            HeldKeyCells.setRoles(roles)
            return self.roles
        }) else { return }
        writeRoles(roles, after: before)
    }

    private func writeRoles(_ roles: ModifierRoles, after before: ModifierRoles) {
        for usage in ModifierKeys(rawValue: .max).usages where roles[usage] != before[usage] {
            let fact = ModifierRoles.fact(usage, roles[usage])
            Keyflight.fact(fact.name, fact.value)
        }
    }

    private func begin(_ options: RecorderOptions, _ overhead: RecorderStatistics) throws(RecorderError) -> Flight {
        guard flight == nil else { throw .alreadyRecording }
        let (writer, now) = try RecorderControl.writer(options, overhead)
        HeldKeyCells.setRoles(options.modifierRoles)
        HeldKeyCells.setLocks(areModifiers: options.locksAreModifiers)
        roles = options.modifierRoles
        let new = Flight(options, writer)
        flight = new
        level = options.level
        isPaused = false
        followsGap = isSecure
        if isSecure { writer.post(RecorderEvent(time: now, kind: .beginSecureEntry)) }
        move(newGeneration: true)
        return new
    }

    private static func writer(
        _ options: RecorderOptions, _ overhead: RecorderStatistics
    ) throws(RecorderError) -> (writer: any RecordingWriter, start: UInt64) {
        if let memory = SharedMemory.ofProcess {
            let start = keyflight_ticks()
            memory.begin(start, overhead)
            return (SharedWriter(memory), start)
        }
        let output = try output(options)
        let start = keyflight_ticks()
        let flusher = Flusher(
            options, start: start, output: output, overhead: overhead,
            detach: { RecorderControl.shared.detach($0) })
        try flusher.launch()
        return (flusher, start)
    }

    static func output(_ options: RecorderOptions) throws(RecorderError) -> any TraceOutput {
        var header = TraceHeader(form: .live, level: options.level, isMasked: !options.showsKeys)
        if options.recordsInvocations { header.version = TraceLimits.invocationVersion }
        do {
            switch options.destination {
            case .file(let path): return try LiveOutput(path: path, header: header, durations: options.durations)
            case .memoryRing(let bounds):
                return try MemoryRing(bounds.recording, header: header, durations: options.durations)
            case .fileRing(let path, let bounds):
                return try LiveOutput(
                    path: path, storage: .ring(bounds.recording), header: header, durations: options.durations,
                    isDurable: true)
            }
        } catch {
            throw .destination((error as? TraceError) ?? TraceError(.file, expected: "a new file", found: "\(error)"))
        }
    }

    /// Ends this flight if it runs, and waits for its destination either way.
    func stop(_ ended: Flight) throws(RecorderError) {
        let wasRunning = lock.withLock {
            guard flight === ended else { return false }
            flight = nil
            move(newGeneration: true)
            return true
        }
        try ended.writer.stop(keyflight_ticks())
        if wasRunning { ended.options.indicator?(.stopped) }
    }

    /// The time of this background thread's recording is up, or its destination has failed. False when it is not the
    /// one that runs: it was stopped before, and another may run by now.
    func detach(_ flusher: Flusher) -> Bool {
        lock.withLock {
            guard flight?.writer === flusher else { return false }
            flight = nil
            move(newGeneration: true)
            return true
        }
    }

    var current: Flight? { lock.withLock { flight } }

    // MARK: Pauses, secure entries, levels

    func setPaused(_ paused: Bool, of target: Flight) {
        let isChanged = lock.withLock {
            guard flight === target, isPaused != paused else { return false }
            let wasSilent = isSilent
            isPaused = paused
            changeSuppression(from: wasSilent, paused ? .pause : .resume)
            return true
        }
        if isChanged { target.options.indicator?(state) }
    }

    func changeSecureEntries(by step: Int) {
        changeSecrecy { secureEntries = max(0, secureEntries + step) }
    }

    func setInputSecure(_ secure: Bool) {
        guard secure || hasSecureInput.load(ordering: .acquiring) else { return }
        changeSecrecy {
            isInputSecure = secure
            hasSecureInput.store(secure, ordering: .releasing)
        }
    }

    private func changeSecrecy(_ change: () -> Void) {
        let indicator = lock.withLock { () -> (@Sendable (RecorderState) -> Void)? in
            let before = isSecure
            change()
            guard before != isSecure else { return nil }
            changeSuppression(from: before || isPaused, isSecure ? .beginSecureEntry : .endSecureEntry)
            if !isSecure, isPaused { flight?.writer.post(RecorderEvent(time: keyflight_ticks(), kind: .pause)) }
            return flight?.options.indicator
        }
        indicator?(state)
    }

    private func changeSuppression(from wasSilent: Bool, _ kind: RecorderEvent.Kind) {
        guard let flight else { return }
        followsGap = true
        // At the beginning of a gap the switch is off before its time is taken; at the end it is on after the flusher
        // has the event: no entry from outside of the gap has a time inside it.
        if isSilent, !wasSilent { move(newGeneration: true) }
        flight.writer.post(RecorderEvent(time: keyflight_ticks(), kind: kind))
        if !isSilent { move(newGeneration: true) }
    }

    func setLevel(_ new: TraceLevel, of target: Flight) {
        lock.withLock {
            guard flight === target, level != new else { return }
            level = new
            flight?.writer.post(RecorderEvent(time: keyflight_ticks(), kind: .level(new)))
            move(newGeneration: false)
        }
    }

    func level(of target: Flight) -> TraceLevel {
        lock.withLock { flight === target ? level : target.options.level }
    }

    var state: RecorderState {
        lock.withLock {
            guard let flight else { return .stopped }
            if isSecure { return .secureEntry }
            return isPaused ? .paused : .recording(isMasked: !flight.options.showsKeys)
        }
    }

    /// Sets the switch to what is so. A thread forgets what it held before a new generation at its next entry, which
    /// may be never: what it held of ⌘ and ⌃ must not keep other threads' keys in clear in their buffers until then.
    private func move(newGeneration: Bool) {
        if newGeneration { generation &+= RecorderSwitch.generationStep }
        keyflight_set_switch(word)
        // In this order: a key that goes down in between is masked, not another one unmasked.
        if newGeneration { keyflight_forget_chord_keys() }
    }

    private var word: UInt32 {
        guard let flight, !isSilent else { return generation }
        var word = generation | RecorderSwitch.on | UInt32(level.rawValue) << RecorderSwitch.levelShift
        if flight.options.showsKeys { word |= RecorderSwitch.showsKeys }
        if followsGap { word |= RecorderSwitch.followsGap }
        return word
    }
}

extension Keyflight {
    /// Begins a recording. Throws in a build that does not record, in an app from the App Store, when one runs already,
    /// and when the destination cannot be made.
    public static func start(_ options: RecorderOptions) throws(RecorderError) -> Flight {
        #if KEYFLIGHT_RECORDING
        return try RecorderControl.shared.start(options)
        #else
        throw .compiledOut
        #endif
    }

    /// The recording that runs.
    public static var current: Flight? {
        #if KEYFLIGHT_RECORDING
        return RecorderControl.shared.current
        #else
        return nil
        #endif
    }
}
