import KeyModel

/// Reading key commands in passes (spec §3), under each cache policy.
extension KeyboardEngine {
    /// Makes the candidates of this press known to its resolution. A tick makes one pass, if it reads at all.
    func collect(for held: HeldPress, isTick: Bool, into resolution: inout Resolution) {
        prepareMainMenu()
        held.didCollect = true
        probe?.engine(self, reports: .stageBegan(.collect))
        if cachePolicy == .chain {
            let index = lookUpIndex()
            probe?.engine(self, reports: .stageEnded(.collect))
            if probe != nil { collected = index.commands }
            resolution.candidates = index.candidates(held.stroke)
            if held.stroke.maskedClass != nil { notePossible(index.commands, held.stroke, &resolution) }
            return
        }
        let commands = lookUpLists(held, isTick: isTick)
        held.commands = commands
        if probe != nil { collected = commands }
        probe?.engine(self, reports: .stageEnded(.collect))
        probe?.engine(self, reports: .stageBegan(.match))
        resolution.candidates = CandidateList(matching.candidates(commands, held.stroke))
        probe?.engine(self, reports: .stageEnded(.match))
        notePossible(commands, held.stroke, &resolution)
    }

    private func lookUpLists(_ held: HeldPress, isTick: Bool) -> [CollectedCommand] {
        if isTick, let commands = held.commands, cachePolicy == .press || !profile.queryOnRepeatTick {
            if cachePolicy == .press { countHit(isStale: shadowCheck && !freshChain().isSame(as: chainPart(commands))) }
            return commands
        }
        let passes = isTick || cachePolicy == .press ? 1 : profile.passesPerKeyDown
        if cachePolicy == .press { countMiss() }
        // Later passes ask again, as the platform does; the first one's answers decide, so that policies agree.
        var commands: [CollectedCommand] = []
        for pass in 0..<max(passes, 0) {
            let found = readChain(pass: pass, onRelease: false)
            if pass == 0 { commands = found }
        }
        return withMainMenu(commands)
    }

    /// One pass: every responder from the start to the end of the chain, once, match or not (spec KC-1).
    @discardableResult
    private func readChain(pass: Int, onRelease: Bool) -> [CollectedCommand] {
        probe?.engine(self, reports: .passBegan(index: pass, onRelease: onRelease))
        var parts: [[CollectedCommand]] = []
        forEachSupplier(of: chain.members) { parts.append(read($0, pass: pass)) }
        probe?.engine(self, reports: .passEnded(index: pass))
        if profile.precedence == .farthestFirst { parts.reverse() }
        return parts.flatMap { $0 }
    }

    /// The responders whose commands count, in chain order.
    private func forEachSupplier(of members: [Responder], _ body: (Responder) -> Void) {
        for member in members {
            if !(profile.modalFilterAffectsCollection && member.skipsActions) { body(member) }
            guard profile.splitViewQueriesPrimary else { continue }
            for other in member.offChainSuppliers where !members.contains(where: { $0 === other }) { body(other) }
        }
    }

    private func read(_ responder: Responder, pass: Int) -> [CollectedCommand] {
        if cachePolicy == .responder, let cached = lists[ObjectIdentifier(responder)] {
            probe?.engine(
                self, reports: .keyCommands(of: responder, pass: pass, commands: cached.commands, source: .cached))
            countHit(isStale: shadowCheck && !readShadow(responder).isSame(as: cached.collected))
            return cached.collected
        }
        let commands = responder.keyCommands ?? []
        calls.keyCommands += 1
        probe?.engine(self, reports: .keyCommands(of: responder, pass: pass, commands: commands, source: .called))
        if cachePolicy == .none || cachePolicy == .responder { countMiss() }
        let collected = expand(commands, of: responder)
        if cachePolicy == .responder {
            lists[ObjectIdentifier(responder)] = CachedList(
                responder: responder, commands: commands, collected: collected)
        }
        return collected
    }

    private func expand(_ commands: [KeyCommand], of responder: Responder?) -> [CollectedCommand] {
        var collected: [CollectedCommand] = []
        collected.reserveCapacity(commands.count)
        collected.append(commands, supplier: responder, engine: self)
        return collected
    }

    private func readShadow(_ responder: Responder) -> [CollectedCommand] {
        let commands = responder.keyCommands ?? []
        shadowReads += 1
        probe?.engine(self, reports: .keyCommands(of: responder, pass: -1, commands: commands, source: .shadow))
        return expand(commands, of: responder)
    }

    /// What the chain answers now, read apart from all counts.
    private func freshChain() -> [CollectedCommand] {
        let fresh = ResponderChain(from: startResponder(), tree: tree, reusing: chain)
        var parts: [[CollectedCommand]] = []
        forEachSupplier(of: fresh.members) { parts.append(readShadow($0)) }
        if profile.precedence == .farthestFirst { parts.reverse() }
        return parts.flatMap { $0 }
    }

    private func chainPart(_ commands: [CollectedCommand]) -> [CollectedCommand] {
        commands.filter { $0.supplier != nil }
    }

    private func withMainMenu(_ commands: [CollectedCommand]) -> [CollectedCommand] {
        guard profile.mainMenu, !menu.commands.isEmpty else { return commands }
        let own = expand(menu.commands, of: nil)
        return profile.mainMenuPosition == .afterChain ? commands + own : own + commands
    }

    // MARK: Policy chain

    private func lookUpIndex() -> CommandIndex {
        if indexNeedsCheck || index?.start !== chainStart { checkIndex() }
        if let index {
            countHit(isStale: shadowCheck && !index.isSame(as: freshChain()))
            return index
        }
        countMiss()
        let made = readIndex()
        index = made
        return made
    }

    /// One pass along the chain, as facts.
    private func readIndex() -> CommandIndex {
        probe?.engine(self, reports: .passBegan(index: 0, onRelease: false))
        var lists: [SuppliedCommands] = []
        lists.reserveCapacity(chain.members.count + 1)
        forEachSupplier(of: chain.members) { responder in
            let commands = responder.keyCommands ?? []
            calls.keyCommands += 1
            if let probe {
                probe.engine(
                    self, reports: .keyCommands(of: responder, pass: 0, commands: commands, source: .called))
            }
            lists.append(SuppliedCommands(supplier: responder, commands: commands))
        }
        probe?.engine(self, reports: .passEnded(index: 0))
        if profile.precedence == .farthestFirst { lists.reverse() }
        var count = 0
        for place in lists.indices { count += lists[place].commands.count }
        let own = profile.mainMenu && !menu.commands.isEmpty ? menu.commands : []
        var facts: [CommandFacts] = []
        facts.reserveCapacity(count + own.count)
        let isMenuFirst = profile.mainMenuPosition != .afterChain
        if isMenuFirst { collectFacts(own, list: lists.count, into: &facts) }
        let begin = facts.count
        for place in lists.indices { collectFacts(lists[place].commands, list: place, into: &facts) }
        let chainPart = begin..<facts.count
        if !isMenuFirst { collectFacts(own, list: lists.count, into: &facts) }
        lists.append(SuppliedCommands(supplier: nil, commands: own))
        return CommandIndex(
            start: chain.members.first ?? application, members: chain.members, lists: lists, facts: facts,
            chainPart: chainPart, matching: matching)
    }

    /// Adds a list with alternates beside their parents (spec MT-12).
    private func collectFacts(_ commands: [KeyCommand], list: Int, into facts: inout [CommandFacts]) {
        let movesInputs = (profile.localises && !localisation.isEmpty) || (profile.mirrors && layoutDirection == .rtl)
        let precedence = profile.alternatePrecedence
        commands.withUnsafeBufferPointer { commands in
            for place in commands.indices {
                Unmanaged.passUnretained(commands[place])._withUnsafeGuaranteedRef { command in
                    let input = movesInputs ? effectiveInput(of: command) : command.commandInput
                    if command.alternates.isEmpty {
                        facts.append(CommandFacts(command, input: input, list: list, place: place))
                        return
                    }
                    let alternates = command.alternates.indices.map {
                        CommandFacts(command, alternate: $0, input: input, list: list, place: place)
                    }
                    if precedence == .beforeParent { facts += alternates }
                    facts.append(CommandFacts(command, input: input, list: list, place: place))
                    if precedence == .afterParent { facts += alternates }
                }
            }
        }
    }

    /// After a change of links, the index is good only for the chain it was made of.
    private func checkIndex() {
        indexNeedsCheck = false
        guard let index else { return }
        let isSame = index.members.isSame(as: chain.members)
        if !isSame { dropIndex() }
    }

    func dropIndex() {
        guard let index else { return }
        formerSteady = index.steady
        steady = nil
        self.index = nil
        countDropped(1)
    }

    /// The pass that some profiles make at key-up (spec EV-12). Nothing uses its answer.
    func readOnRelease() {
        switch cachePolicy {
        case .none, .responder: readChain(pass: 0, onRelease: true)
        case .press, .chain: break
        }
    }

    // MARK: Accounts

    func countHit(isStale: Bool) {
        account.hits += 1
        if isStale { account.stale += 1 }
        probe?.engine(self, reports: .cacheLookup(hit: true, stale: isStale))
    }

    func countMiss() {
        account.misses += 1
        probe?.engine(self, reports: .cacheLookup(hit: false, stale: false))
    }

    func countDropped(_ entries: Int) {
        guard entries > 0 else { return }
        account.invalidations += entries
        probe?.engine(self, reports: .cacheDropped(entries: entries))
    }

    func takeAccount() -> CacheCounts {
        let counts = account
        account = CacheCounts()
        return counts
    }

    /// Forgets everything, because the layout, the profile or the policy changed.
    func dropCaches() {
        dropIndex()
        countDropped(lists.count)
        lists = [:]
        dropPressLists()
    }

    func dropPressLists() {
        var dropped = 0
        for held in held where held.commands != nil {
            held.commands = nil
            dropped += 1
        }
        if cachePolicy == .press { countDropped(dropped) }
    }
}
