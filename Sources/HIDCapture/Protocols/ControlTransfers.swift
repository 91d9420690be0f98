/// Pairs control requests with their answers by the transfer's id, for the descriptors in the answers.
///
/// An id is reused as soon as its transfer is complete, so a new request of an id replaces the one before it.
struct ControlTransfers {
    struct Request {
        var device: Int
        /// Descriptor type and index (wValue), then wIndex.
        var type: UInt8
        var index: UInt8
        var wIndex: UInt16
    }

    private var pending: [UInt64: Request] = [:]

    /// The eight setup bytes of a request. Only requests for descriptors are kept (USB 2.0, section 9.4.3).
    mutating func submit(id: UInt64, device: Int, setup: UnsafeRawPointer) {
        let isGetDescriptor = setup.byte(0) & 0xE0 == 0x80 && setup.byte(1) == 6
        guard isGetDescriptor, [1, 2, 3, 0x22].contains(setup.byte(3)) else {
            if !pending.isEmpty { pending[id] = nil }
            return
        }
        // Answers that never come would fill the table; forgetting all costs at most one descriptor each.
        if pending.count >= CaptureLimits.pendingRequests { pending.removeAll(keepingCapacity: true) }
        pending[id] = Request(
            device: device, type: setup.byte(3), index: setup.byte(2),
            wIndex: setup.integer(4, as: UInt16.self))
    }

    mutating func complete(id: UInt64) -> Request? {
        pending.isEmpty ? nil : pending.removeValue(forKey: id)
    }

    mutating func removeAll() { pending.removeAll() }
}
