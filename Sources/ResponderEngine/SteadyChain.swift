import KeyModel

/// A chain under policy `chain` with what is known of its members without asking them. It lasts as long as no link,
/// first responder or filter changes; its plans, as long as no command list does either.
///
/// It exists for chains of which no member has code of its own for presses: nobody needs to be told of one then, and
/// a press is a look at its chord's plan. What a member's own code answers is still asked on every press.
final class SteadyChain {
    let members: [Responder]
    let methods: [OverriddenMethods]
    /// The tree's link version that this was made at.
    let linkVersion: UInt64

    @exclusivity(unchecked) private var plans = ChordTable()
    /// Of modifier keys, which meet no command.
    @exclusivity(unchecked) private var modifierPlans = ChordTable()

    /// `nil` where a member has code of its own for presses.
    init?(_ members: [Responder], linkVersion: UInt64, sendsPresses: Bool) {
        let methods = members.map { OverriddenMethods(of: $0) }
        if sendsPresses {
            guard methods.allSatisfy({ $0.isDisjoint(with: [.pressesBegan, .pressesEnded]) }) else { return nil }
        }
        self.members = members
        self.methods = methods
        self.linkVersion = linkVersion
    }

    deinit {
        for plan in plans.owned { plan.retire() }
        for plan in modifierPlans.owned { plan.retire() }
    }

    var startMethods: OverriddenMethods { methods.first ?? .all }

    @inline(__always)
    static func chord(_ usage: KeyUsage, _ flags: KeyModifiers) -> UInt64 {
        UInt64(usage.rawValue) << 8 | UInt64(flags.packed) | 1 << 63
    }

    @inline(__always)
    func plan(_ chord: UInt64) -> Unmanaged<ChordPlan>? { plans.plan(chord) }

    @inline(__always)
    func modifierPlan(_ chord: UInt64) -> Unmanaged<ChordPlan>? { modifierPlans.plan(chord) }

    func remember(_ plan: ChordPlan, for chord: UInt64) {
        if plan.isOfModifier { modifierPlans.remember(plan, chord) } else { plans.remember(plan, chord) }
    }

    /// Other commands: members and what is known of their classes are as before. Press objects that plans had are
    /// free for others.
    func forgetPlans(_ spare: (HeldPress) -> Void) {
        for plan in plans.owned { if let press = plan.retire() { spare(press) } }
        plans.removeAll()
    }
}

/// Plans by chord: open addressing, 0 where free; half of the places are free at least.
struct ChordTable {
    private var chords: [UInt64] = Array(repeating: 0, count: 64)
    private var plans: [Unmanaged<ChordPlan>?] = Array(repeating: nil, count: 64)
    private(set) var owned: [ChordPlan] = []

    @inline(__always)
    func plan(_ chord: UInt64) -> Unmanaged<ChordPlan>? {
        let mask = chords.count - 1
        var place = ChordTable.place(chord, mask)
        while chords[place] != chord {
            if chords[place] == 0 { return nil }
            place = (place &+ 1) & mask
        }
        return plans[place]
    }

    mutating func remember(_ plan: ChordPlan, _ chord: UInt64) {
        owned.append(plan)
        if owned.count * 2 > chords.count {
            let old = zip(chords, plans)
            chords = Array(repeating: 0, count: chords.count * 2)
            plans = Array(repeating: nil, count: chords.count)
            for (chord, plan) in old where chord != 0 { put(plan, chord) }
        }
        put(.passUnretained(plan), chord)
    }

    mutating func removeAll() {
        guard !owned.isEmpty else { return }
        for place in chords.indices {
            chords[place] = 0
            plans[place] = nil
        }
        owned.removeAll(keepingCapacity: true)
    }

    private mutating func put(_ plan: Unmanaged<ChordPlan>?, _ chord: UInt64) {
        let mask = chords.count - 1
        var place = ChordTable.place(chord, mask)
        while chords[place] != 0 { place = (place + 1) & mask }
        chords[place] = chord
        plans[place] = plan
    }

    /// Neighbouring keys and modifiers come to places apart.
    @inline(__always)
    private static func place(_ chord: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: (chord &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
    }
}

/// What a press of one chord comes to on a steady chain, as far as that is known without asking anybody.
final class ChordPlan {
    let stroke: Stroke
    /// False for a chord that another stage than the commands' may take: it goes the long way.
    let isSteady: Bool
    let candidates: CandidateList
    /// Which of the candidates are tried, in order.
    let order: [Int]
    /// Members that get the press.
    let receivers: [Responder]
    let start: Unmanaged<Responder>?
    /// Where asking begins: the place in `order`, the member, and how many answers were known before.
    let firstTry: Int
    let firstAsked: Int
    let known: Int
    /// What the chord comes to when nobody has to be asked, else what it came to last.
    @exclusivity(unchecked) var settled: Decision?
    let asks: Bool
    @inline(__always) var fixed: Unmanaged<Decision>? { asks ? nil : settled.map(Unmanaged.passUnretained) }
    /// A modifier key, which comes to nothing.
    let isOfModifier: Bool

    /// The object of this chord's presses while its key is up.
    @exclusivity(unchecked) private var spare: HeldPress?
    /// False once the commands, or the chain, may be others.
    @exclusivity(unchecked) private var isCurrent = true

    /// A chord that goes the long way.
    init(unsteady stroke: Stroke) {
        self.stroke = stroke
        isSteady = false
        candidates = .empty
        order = []
        receivers = []
        start = nil
        (firstTry, firstAsked, known) = (0, 0, 0)
        asks = false
        isOfModifier = false
    }

    /// A modifier key's.
    init(modifier stroke: Stroke, receivers: [Responder]) {
        self.stroke = stroke
        isSteady = true
        candidates = .empty
        order = []
        self.receivers = receivers
        start = receivers.first.map(Unmanaged.passUnretained)
        (firstTry, firstAsked, known) = (0, 0, 0)
        asks = false
        isOfModifier = true
    }

    init(
        _ stroke: Stroke, _ candidates: CandidateList, order: [Int], receivers: [Responder], beginning: ChainSearch?,
        at position: Int, known: Int
    ) {
        self.stroke = stroke
        self.candidates = candidates
        self.order = order
        self.receivers = receivers
        start = receivers.first.map(Unmanaged.passUnretained)
        isSteady = true
        isOfModifier = false
        firstTry = position
        self.known = known
        if case .mustAsk(let member)? = beginning {
            firstAsked = member
            asks = true
        } else {
            firstAsked = 0
            asks = false
        }
    }

    @inline(__always)
    func takeSpare() -> HeldPress? {
        var taken: HeldPress?
        swap(&taken, &spare)
        return taken
    }

    /// False where the press object is not wanted back.
    @inline(__always)
    func giveBack(_ press: HeldPress) -> Bool {
        guard isCurrent, spare == nil else { return false }
        spare = press
        return true
    }

    /// Is not used any more; a press object that nobody holds is given away.
    @discardableResult
    func retire() -> HeldPress? {
        isCurrent = false
        let press = takeSpare()
        press?.disown()
        press?.receivers = []
        return press
    }
}

/// What a look along the chain for who performs an action came to.
enum ChainSearch {
    case found(Responder)
    case nobody
    /// From this member on the answer is its own.
    case mustAsk(Int)
}
