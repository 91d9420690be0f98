/// Handles that a block has defined so far, in order of first use. A handle's number in a block is its position.
struct BlockTable<Definition>: Sendable {
    /// By handle: its number in the block plus 1; 0 when the block has not defined it.
    private var numbers: [UInt32] = []
    private(set) var handles: [TraceHandle<Definition>] = []

    /// The number of this handle, and whether it is new.
    mutating func number(of handle: TraceHandle<Definition>) -> (number: UInt32, isNew: Bool) {
        let index = Int(handle.rawValue)
        if index >= numbers.count {
            numbers.append(contentsOf: repeatElement(0, count: max(index + 1, numbers.count * 2) - numbers.count))
        }
        if numbers[index] != 0 { return (numbers[index] - 1, false) }
        let number = UInt32(truncatingIfNeeded: handles.count)
        numbers[index] = number + 1
        handles.append(handle)
        return (number, true)
    }

    /// Removes the definitions made since there were `count` of them.
    mutating func truncate(to count: Int) {
        while handles.count > count, let last = handles.popLast() { numbers[Int(last.rawValue)] = 0 }
    }

    mutating func removeAll() { truncate(to: 0) }
}
