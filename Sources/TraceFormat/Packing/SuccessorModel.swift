import KeyModel

/// Order of symbols of one kind within a block: the expected next symbol is the one that followed the same symbol last
/// time. Writer and reader update the model with the same records, so that an expected symbol takes no bytes.
struct SuccessorModel<Symbol: Hashable & Sendable>: Sendable {
    /// In the order in which the block met them, at most `TraceLimits.blockSymbols`.
    private(set) var symbols: [Symbol] = []
    private var numbers: [Symbol: Int32] = [:]
    /// The last successor of each place, −1 where there is none yet. The first places are the phases of a key event,
    /// which begin a new order; then the symbols.
    private var successors: [Int32]
    private var place = 0

    private static var starts: Int { 4 }

    init() { successors = Array(repeating: -1, count: SuccessorModel.starts) }

    mutating func removeAll() {
        symbols.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        successors.removeAll(keepingCapacity: true)
        successors.append(contentsOf: repeatElement(-1, count: SuccessorModel.starts))
        place = 0
    }

    /// A key event: the expected successor is that of the last event of this phase.
    @inline(__always) mutating func begin(_ phase: KeyPhase) { place = Int(phase.rawValue) }

    /// The number of the expected next symbol; −1 for none.
    @inline(__always) var expected: Int32 { successors[place] }

    func number(of symbol: Symbol) -> Int32? { numbers[symbol] }

    /// Stores a symbol as the successor, and advances to it.
    @inline(__always) mutating func record(_ number: Int32) {
        successors[place] = number
        place = SuccessorModel.starts + Int(number)
    }

    /// The number of a symbol that may be new, and whether it is; `nil` when the block has met too many.
    mutating func intern(_ symbol: Symbol) -> (number: Int32, isNew: Bool)? {
        if let known = numbers[symbol] { return (known, false) }
        guard symbols.count < TraceLimits.blockSymbols else { return nil }
        let number = Int32(symbols.count)
        symbols.append(symbol)
        numbers[symbol] = number
        successors.append(-1)
        return (number, true)
    }

    /// Removes the symbols met since there were `count` of them, none of which was followed.
    mutating func rollback(downTo count: Int) {
        while symbols.count > count, let last = symbols.popLast() {
            numbers[last] = nil
            successors.removeLast()
        }
    }
}
