/// The actions of a responder by their selector; of several with one name, the last declared.
struct ActionTable: ~Copyable {
    private var actions: [Action]
    /// The hash of each action's selector, compared before a name is read.
    private var hashes: [UInt64]
    /// Open addressing: places in `actions`, −1 where free. Empty while a walk is as fast.
    private var places: [Int32] = []

    private static let walked = 4

    init(_ actions: [Action]) {
        self.actions = actions
        hashes = actions.map(\.selector.hash)
        if actions.count > ActionTable.walked { spread() }
    }

    subscript(selector: Selector) -> Action? {
        let number = number(of: selector)
        return number < 0 ? nil : actions[number]
    }

    func contains(_ selector: Selector) -> Bool { number(of: selector) >= 0 }

    /// Its place in `actions`, −1 where it is not there.
    private func number(of selector: Selector) -> Int {
        if !places.isEmpty { return Int(places[place(of: selector)]) }
        var number = actions.count - 1
        while number >= 0, !isPlace(number, of: selector) { number -= 1 }
        return number
    }

    mutating func add(_ action: Action) {
        actions.append(action)
        hashes.append(action.selector.hash)
        if actions.count > ActionTable.walked, actions.count * 2 > places.count {
            spread()
        } else if !places.isEmpty {
            places[place(of: action.selector)] = Int32(truncatingIfNeeded: actions.count - 1)
        }
    }

    private mutating func spread() {
        var capacity = 16
        while capacity < actions.count * 4 { capacity *= 2 }
        places = Array(repeating: -1, count: capacity)
        for (number, action) in actions.enumerated() {
            places[place(of: action.selector)] = Int32(truncatingIfNeeded: number)
        }
    }

    /// The place of the selector, or the free place where it belongs.
    private func place(of selector: Selector) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: selector.hash ^ selector.hash >> 32) & mask
        while places[place] >= 0, !isPlace(Int(places[place]), of: selector) { place = (place + 1) & mask }
        return place
    }

    private func isPlace(_ number: Int, of selector: Selector) -> Bool {
        hashes[number] == selector.hash && actions[number].selector == selector
    }
}
