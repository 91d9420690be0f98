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
        members.forEachBorrowed { member in
            if !(profile.modalFilterAffectsCollection && member.skipsActions) { body(member) }
            guard profile.splitViewQueriesPrimary else { return true }
            for other in member.offChainSuppliers where !members.contains(where: { $0 === other }) { body(other) }
            return true
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

    /// One pass along the chain, as facts. What the last index kept them in is used again.
    private func readIndex() -> CommandIndex {
        probe?.engine(self, reports: .passBegan(index: 0, onRelease: false))
        let chainMembers = chain.members
        // Taken: what is asked may ask for an index of its own.
        let index = formerIndex ?? CommandIndex(matching)
        formerIndex = nil
        index.begin(
            start: chainMembers.first ?? application, members: chainMembers, matching: matching, order: commandOrder)
        let areOnChain = !profile.splitViewQueriesPrimary
        forEachSupplier(of: chainMembers) { responder in
            let commands = responder.keyCommands ?? []
            calls.keyCommands += 1
            if let probe {
                probe.engine(
                    self, reports: .keyCommands(of: responder, pass: 0, commands: commands, source: .called))
            }
            index.add(commands, of: responder, isOnChain: areOnChain)
        }
        probe?.engine(self, reports: .passEnded(index: 0))
        let own = profile.mainMenu && !menu.commands.isEmpty ? menu.commands : []
        index.finish(menu: own)
        return index
    }

    private var commandOrder: CommandIndex.Order {
        let movesInputs = (profile.localises && !localisation.isEmpty) || (profile.mirrors && layoutDirection == .rtl)
        return CommandIndex.Order(
            isMenuFirst: profile.mainMenuPosition != .afterChain, isFarthestFirst: profile.precedence == .farthestFirst,
            alternates: profile.alternatePrecedence, movedInput: movesInputs ? { self.effectiveInput(of: $0) } : nil)
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
        formerIndex = index
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
        formerIndex = nil
        forgetSteadyChain()
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
