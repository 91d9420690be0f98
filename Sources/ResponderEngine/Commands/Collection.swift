import KeyModel

/// One responder's answer.
private typealias SuppliedCommands = (supplier: Responder, commands: [CollectedCommand])

/// Reading key commands in passes (spec §3), under each cache policy.
extension KeyboardEngine {
    /// Makes the candidates of this press known to its resolution. A repeat makes one pass, if it reads at all.
    func collect(for held: PressesEvent, isTick: Bool, into resolution: inout Resolution) {
        prepareMainMenu()
        held.didCollect = true
        if cachePolicy == .chain {
            let index = index()
            if probe != nil { progress.collected = index.commands }
            resolution.candidates = index.candidates(of: held)
            if let masked = held.stroke.maskedClass {
                notePossible(index.commands, masked, held.stroke.flags, &resolution)
            }
            return
        }
        let commands = lookUpLists(held, isTick: isTick)
        held.commands = commands
        // Held, it keeps the next press from using the chain's memory again.
        if keepsPressLists { held.source = (followed.members, hostControllers()) }
        if probe != nil { progress.collected = commands }
        resolution.candidates = CandidateList(rules.matching.candidates(commands, held.stroke))
        if let masked = held.stroke.maskedClass { notePossible(commands, masked, held.stroke.flags, &resolution) }
    }

    /// Names the commands that match a press which was over before any list was read: the system or a responder kept
    /// it, or a stage in front of key commands took it. They are read apart from all counts, and as they are after the
    /// press. The menu is the one of the last key that needed it, or of the launch.
    func readUnmetCommands(of held: PressesEvent, into resolution: inout Resolution) {
        guard resolution.takenBy != nil, !resolution.isRepeat, followed.hadStart, held.stroke.maskedClass == nil,
            held.stroke.usage != .capsLock
        else { return }
        // A recording may have the menu at a later press.
        if recordedAnswers?.mainMenuCommands().isEmpty != true { buildMenuOfLaunch() }
        let chain = readSuppliers(of: followed.members.array) { member in
            self.readShadow(member) { member.declaredAnswers?.apart($0) ?? $0() }
        }
        let commands = withMainMenu(withHostedShortcuts(KeyboardEngine.joined(chain)))
        if probe != nil { progress.collected = commands }
        resolution.candidates = CandidateList(rules.matching.candidates(commands, held.stroke))
    }

    /// A repeat may take the lists of its key-down.
    private var keepsPressLists: Bool { cachePolicy == .press || !profile.queryOnRepeatTick }

    private func lookUpLists(_ held: PressesEvent, isTick: Bool) -> [CollectedCommand] {
        if isTick { checkPressLists() }
        if isTick, let commands = held.commands, keepsPressLists {
            if cachePolicy == .press { cache.countLookup(isHit: true, isStale: isStale(commands)) }
            return commands
        }
        let passes = isTick || cachePolicy == .press ? 1 : profile.passesPerKeyDown
        if cachePolicy == .press { cache.countLookup(isHit: false) }
        // Later passes ask again, as the platform does; the first one's answers decide, so that policies agree.
        var commands: [CollectedCommand] = []
        for pass in 0..<max(passes, 0) {
            let answers = readChain(pass: pass)
            if pass == 0 { commands = KeyboardEngine.joined(answers) }
        }
        return withMainMenu(withHostedShortcuts(commands))
    }

    /// A recording of few bytes may have lists of 65,536 commands: those that nothing is added to are not copied.
    private static let longList = 1_024

    private static func joined(_ answers: [SuppliedCommands]) -> [CollectedCommand] {
        if let long = answers.first(where: { $0.commands.count > longList }),
            answers.count(where: { !$0.commands.isEmpty }) == 1
        {
            return long.commands
        }
        return answers.flatMap(\.commands)
    }

    /// One pass: every responder from the start to the end of the chain, once, match or not (spec KC-1). Answers in
    /// order of precedence.
    @discardableResult
    private func readChain(pass: Int) -> [SuppliedCommands] {
        readSuppliers(of: followed.members.array) { read($0, pass: pass) }
    }

    /// Reads the responders whose commands count, in chain order.
    private func readSuppliers(
        of members: [Responder], _ read: (Responder) -> [CollectedCommand]
    ) -> [SuppliedCommands] {
        var answers: [SuppliedCommands] = []
        answers.reserveCapacity(members.count)
        for member in members where !(profile.observesApplicationCommands && member === application) {
            if !(profile.modalFilterAffectsCollection && member.skipsActions) {
                answers.append((member, read(member)))
            }
            guard profile.splitViewQueriesPrimary else { continue }
            for other in member.offChainSuppliers where !members.contains(where: { $0 === other }) {
                answers.append((other, read(other)))
            }
        }
        if profile.precedence == .farthestFirst { answers.reverse() }
        return answers
    }

    private func read(_ responder: Responder, pass: Int) -> [CollectedCommand] {
        if cachePolicy == .responder, let cached = cache.list(of: responder) {
            probe?.engine(
                self, reports: .keyCommands(of: responder, pass: pass, commands: cached.commands, source: .cached))
            cache.countLookup(isHit: true, isStale: shadowCheck && !readShadow(responder).isSame(as: cached.collected))
            return cached.collected
        }
        let commands = responder.keyCommands ?? []
        progress.calls.keyCommands += 1
        probe?.engine(self, reports: .keyCommands(of: responder, pass: pass, commands: commands, source: .called))
        if cachePolicy == .none || cachePolicy == .responder { cache.countLookup(isHit: false) }
        // Later passes only ask: the first one's answers decide.
        let collected = pass == 0 || cachePolicy == .responder ? expand(commands, of: responder) : []
        if cachePolicy == .responder {
            cache.keep(CachedList(responder: responder, commands: commands, collected: collected))
        }
        return collected
    }

    private func expand(_ commands: [KeyCommand], of responder: Responder?) -> [CollectedCommand] {
        var collected: [CollectedCommand] = []
        collected.reserveCapacity(commands.count)
        collected.append(commands, supplier: responder, engine: self)
        return collected
    }

    private func readShadow(_ responder: Responder) -> [CollectedCommand] { readShadow(responder) { $0() } }

    private func readShadow(
        _ responder: Responder, _ ask: (() -> [KeyCommand]) -> [KeyCommand]
    ) -> [CollectedCommand] {
        let commands = ask { responder.keyCommands ?? [] }
        progress.shadowReads += 1
        probe?.engine(self, reports: .keyCommands(of: responder, pass: -1, commands: commands, source: .shadow))
        return expand(commands, of: responder)
    }

    /// The chain's commands as it answers now, read apart from all counts.
    private func freshChain() -> [CollectedCommand] {
        let fresh = ResponderChain(from: startResponder(), tree: tree, reusing: followed.chain)
        return readSuppliers(of: fresh.members.array, readShadow).flatMap(\.commands)
    }

    /// The shadow check of cached commands: the chain would answer otherwise now.
    private func isStale(_ commands: [CollectedCommand]) -> Bool {
        shadowCheck && !freshChain().isSame(as: commands.filter { $0.supplier != nil && !$0.isHosted })
    }

    private func withMainMenu(_ commands: [CollectedCommand]) -> [CollectedCommand] {
        guard profile.mainMenu, !menu.commands.isEmpty else { return commands }
        let own = expand(menu.commands, of: nil)
        if commands.isEmpty, own.count > KeyboardEngine.longList { return own }
        return profile.mainMenuPosition == .afterChain ? commands + own : own + commands
    }

    // MARK: Policy chain

    /// The index of policy `chain`, made anew where it is no longer valid.
    private func index() -> CommandIndex {
        if let index = cache.index(from: followed.start) { return hit(index) }
        let hosts = hostControllers()
        cache.check(followed.start, followed.members, hosts: hosts)
        if let index = cache.index { return hit(index) }
        cache.countLookup(isHit: false)
        let answers = readChain(pass: 0)
        let made = CommandIndex(
            start: followed.start ?? application, members: followed.members, suppliers: answers.map(\.supplier),
            commands: withMainMenu(withHostedShortcuts(KeyboardEngine.joined(answers))),
            hosts: hosts, matching: rules.matching)
        cache.keep(made)
        return made
    }

    private func hit(_ index: CommandIndex) -> CommandIndex {
        cache.countLookup(isHit: true, isStale: isStale(index.commands))
        return index
    }

    /// The pass that some profiles make at key-up (spec EV-12). Nothing uses its answer.
    func readOnRelease() {
        switch cachePolicy {
        case .none, .responder: readChain(pass: 0)
        case .press, .chain: break
        }
    }

    /// Forgets everything, because the layout, the profile or the policy changed.
    func dropCaches() {
        cache.dropAll()
        dropPressLists()
    }

    func dropPressLists() { dropPressLists { _ in true } }

    /// After a change of links, the lists of a held key are good only for the chain that they were read of. Links
    /// elsewhere do not concern them, and are in no recording.
    func checkPressLists() {
        guard cache.pressListsNeedCheck else { return }
        guard heldKeys.presses.contains(where: { $0.commands != nil }) else {
            // Lists that are read later are of the links of then.
            cache.pressListsNeedCheck = false
            return
        }
        guard let start = startResponder() else { return }
        cache.pressListsNeedCheck = false
        let members = ResponderChain(from: start, tree: tree, reusing: followed.chain).members
        let hosts = hostControllers()
        dropPressLists { held in
            guard let source = held.source else { return true }
            return !source.chain.isSame(as: members) || !source.hosts.elementsEqual(hosts, by: ===)
        }
    }

    private func dropPressLists(where isDropped: (PressesEvent) -> Bool) {
        var dropped = 0
        for held in heldKeys.presses where held.commands != nil && isDropped(held) {
            held.commands = nil
            dropped += 1
        }
        cache.countPressLists(dropped)
    }
}
