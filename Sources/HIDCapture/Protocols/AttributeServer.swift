/// The attributes that one side of a low-energy connection reports, and the reports that it notifies (Bluetooth Core
/// 5.4, volume 3, part F; HID over GATT profile 1.0).
///
/// A capture that begins before the first connection has the whole discovery. Bonded devices skip it: then only the
/// handles and values of notifications are known.
final class AttributeServer {
    enum Meaning: Hashable {
        /// An input, output or feature report. `id` is `nil` where its report reference was not read.
        case report(id: UInt8?, isInput: Bool)
        case bootKeyboard
        case other
    }

    private enum Kind {
        static let characteristic: UInt16 = 0x2803
        static let deviceName: UInt16 = 0x2A00
        static let bootKeyboardInput: UInt16 = 0x2A22
        static let reportMap: UInt16 = 0x2A4B
        static let report: UInt16 = 0x2A4D
        static let identity: UInt16 = 0x2A50
        static let reportReference: UInt16 = 0x2908
    }

    /// Attributes of one server that are followed.
    private static let limit = 4096
    /// The longest value of an attribute.
    private static let valueBytes = 512

    private enum Pending {
        case read(handle: UInt16, offset: Int)
        case readByType(UInt16)
        case findInformation
    }

    private var pending: Pending?
    /// The type of each attribute by its handle: values of characteristics, and descriptors.
    private var types: [UInt16: UInt16] = [:]
    /// Handles of the values of characteristics, for finding what a descriptor belongs to.
    private var valueHandles: Set<UInt16> = []
    private var references: [UInt16: (id: UInt8, type: UInt8)] = [:]
    private var maps: [UInt16: [UInt8]] = [:]
    private(set) var name: String?
    private(set) var identity: (vendor: UInt16, product: UInt16)?

    /// Requests have even numbers with the exception of commands and confirmations, which are not needed here.
    static func isRequest(_ operation: UInt8) -> Bool {
        operation & 1 == 0 && operation < 0x1B || operation & 0x40 != 0
    }

    func request(_ packet: UnsafeRawBufferPointer) {
        guard let fields = packet.baseAddress, let operation = packet.first else { return }
        switch operation {
        case 0x04: pending = .findInformation
        case 0x08 where packet.count == 7: pending = .readByType(fields.integer(5, as: UInt16.self))
        case 0x0A where packet.count >= 3: pending = .read(handle: fields.integer(1, as: UInt16.self), offset: 0)
        case 0x0C where packet.count >= 5:
            pending = .read(
                handle: fields.integer(1, as: UInt16.self), offset: Int(fields.integer(3, as: UInt16.self)))
        case 0x52, 0xD2: break  // commands have no answer and leave a request pending
        default: pending = nil
        }
    }

    /// An answer or a notification; `report` gets what was notified. False for a notification that is not whole.
    func answer(_ packet: UnsafeRawBufferPointer, _ report: (UInt16, UnsafeRawBufferPointer) -> Void) -> Bool {
        guard let fields = packet.baseAddress, let operation = packet.first else { return true }
        let body = UnsafeRawBufferPointer(rebasing: packet.dropFirst())
        switch operation {
        case 0x1B, 0x1D:
            guard body.count >= 2 else { return false }
            report(fields.integer(1, as: UInt16.self), UnsafeRawBufferPointer(rebasing: body[2...]))
            return true
        case 0x23: return several(body, report)
        case 0x05: if case .findInformation = pending { information(body) }
        case 0x09: if case .readByType(let type) = pending { values(type, body) }
        case 0x0B, 0x0D:
            if case .read(let handle, let offset) = pending, let type = types[handle] {
                value(handle, type, offset, Array(body))
            }
        default: break
        }
        pending = nil
        return true
    }

    /// Several notifications in one packet: handle, length, value. False where the last of them is not whole.
    private func several(_ body: UnsafeRawBufferPointer, _ report: (UInt16, UnsafeRawBufferPointer) -> Void) -> Bool {
        var at = 0
        while body.count - at >= 4, let base = body.baseAddress {
            let length = Int(base.integer(at + 2, as: UInt16.self))
            guard length <= body.count - at - 4 else { return false }
            report(
                base.integer(at, as: UInt16.self),
                UnsafeRawBufferPointer(rebasing: body[(at + 4)..<(at + 4 + length)]))
            at += 4 + length
        }
        return at == body.count
    }

    /// Handles with their types, of 16 bits (format 1).
    private func information(_ body: UnsafeRawBufferPointer) {
        guard body.first == 1, let base = body.baseAddress else { return }
        for at in stride(from: 1, to: body.count - 3, by: 4) {
            let handle = base.integer(at, as: UInt16.self)
            if types[handle] == nil { note(handle, base.integer(at + 2, as: UInt16.self)) }
        }
    }

    private func note(_ handle: UInt16, _ type: UInt16) {
        if types.count < AttributeServer.limit { types[handle] = type }
    }

    /// Handles with values, all of one length, of one type.
    private func values(_ type: UInt16, _ body: UnsafeRawBufferPointer) {
        guard let length = body.first.map(Int.init), length >= 2, let base = body.baseAddress else { return }
        for at in stride(from: 1, through: body.count - length, by: length) {
            let handle = base.integer(at, as: UInt16.self)
            if type == Kind.characteristic {
                // Properties, the handle of the value, its type.
                guard length >= 7 else { continue }
                let value = base.integer(at + 3, as: UInt16.self)
                note(value, length == 7 ? base.integer(at + 5, as: UInt16.self) : 0)
                if valueHandles.count < AttributeServer.limit { valueHandles.insert(value) }
            } else {
                note(handle, type)
                value(handle, type, 0, Array(body[(at + 2)..<(at + length)]))
            }
        }
    }

    private func value(_ handle: UInt16, _ type: UInt16, _ offset: Int, _ bytes: [UInt8]) {
        switch type {
        case Kind.reportMap:
            let known = maps[handle] ?? []
            // A piece that does not continue what is there leaves a gap, and the map is of no use.
            guard offset <= known.count, offset + bytes.count <= AttributeServer.valueBytes, maps.count < 16 else {
                return
            }
            maps[handle] = known.prefix(offset) + bytes
        case Kind.reportReference where offset == 0 && bytes.count >= 2:
            if references.count < AttributeServer.limit { references[handle] = (bytes[0], bytes[1]) }
        case Kind.deviceName where offset == 0: name = String(decoding: bytes, as: UTF8.self)
        case Kind.identity where offset == 0 && bytes.count >= 5:
            identity = (UInt16(bytes[1]) | UInt16(bytes[2]) << 8, UInt16(bytes[3]) | UInt16(bytes[4]) << 8)
        default: break
        }
    }

    // MARK: What was learned

    /// The meaning of the value with this handle; `nil` where the capture does not contain it.
    func meaning(of handle: UInt16) -> Meaning? {
        guard let type = types[handle] else { return nil }
        switch type {
        case Kind.report:
            // A descriptor belongs to the characteristic whose value is the last one before it.
            let next = valueHandles.filter { $0 > handle }.min() ?? .max
            let own = references.filter { $0.key > handle && $0.key < next }.min { $0.key < $1.key }
            return .report(id: own?.value.id, isInput: own.map { $0.value.type == 1 } ?? true)
        case Kind.bootKeyboardInput: return .bootKeyboard
        default: return .other
        }
    }

    /// Report maps by the handle of their attribute, in order.
    var reportMaps: [(UInt16, [UInt8])] { maps.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}
