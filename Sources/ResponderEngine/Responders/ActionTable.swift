/// The actions of a responder by their selector; of several with one name, the last declared.
final class ActionTable {
    private let actions: [Action]
    /// The hash of each action's selector, compared before a name is read.
    private let hashes: [UInt64]
    /// Open addressing: places in `actions`, −1 where free. Half of them are free at least.
    private let places: [Int32]
    let bits: UInt64

    init(_ actions: [Action]) {
        self.actions = actions
        hashes = actions.map(\.selector.hash)
        var capacity = 2
        while capacity < actions.count * 2 { capacity *= 2 }
        var places = [Int32](repeating: -1, count: capacity)
        for (number, action) in actions.enumerated() {
            var place = ActionTable.first(action.selector, capacity)
            while places[place] >= 0, actions[Int(places[place])].selector != action.selector {
                place = (place + 1) & (capacity - 1)
            }
            places[place] = Int32(truncatingIfNeeded: number)
        }
        self.places = places
        bits = actions.reduce(0) { $0 | ActionTable.bit(of: $1.selector) }
    }

    static func bit(of selector: Selector) -> UInt64 { 1 << (selector.hash >> 58) }

    subscript(selector: Selector) -> Action? { number(of: selector).map { actions[$0] } }

    func contains(_ selector: Selector) -> Bool { number(of: selector) != nil }

    private func number(of selector: Selector) -> Int? {
        var place = ActionTable.first(selector, places.count)
        while true {
            let number = Int(places[place])
            if number < 0 { return nil }
            if hashes[number] == selector.hash, actions[number].selector == selector { return number }
            place = (place + 1) & (places.count - 1)
        }
    }

    /// The low bits of an FNV hash depend on the low bits of each character only; the high ones on all.
    private static func first(_ selector: Selector, _ capacity: Int) -> Int {
        Int(truncatingIfNeeded: selector.hash ^ selector.hash >> 32) & (capacity - 1)
    }
}
