/// pcapng files (IETF draft "PCAP Now Generic"), read here and not by libpcap, which refuses a file whose interfaces
/// differ in link type.
///
/// Blocks of unknown kinds are passed over by their length. Damage inside a packet block loses that packet; damage of a
/// block's frame ends the reading, since the place of the next block is then unknown.
struct PcapNG {
    static let sectionMagic: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]

    private enum Block {
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        static let obsoletePacket: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6

        /// Bytes of an enhanced packet block without its packet and options.
        static let packetFields = 32
    }

    private struct Interface {
        var reader: LinkType.Reader
        var snapshotLength: UInt32
        var clock: StampUnit
    }

    private let input: CaptureInput
    private let traffic: CaptureTraffic
    private var isBigEndian = false
    private var interfaces: [Interface] = []
    private var linkTypes: Set<UInt16> = []

    init(_ input: CaptureInput, into traffic: CaptureTraffic) {
        self.input = input
        self.traffic = traffic
    }

    mutating func read() throws(CaptureError) {
        repeat { try readPackets() } while try readBlock()
        traffic.facts.linkTypes = linkTypes.sorted()
    }

    /// Enhanced packet blocks that follow each other in the window. It stops before any other block, and before what is
    /// wrong in one, which `readBlock` reports.
    private func readPackets() throws(CaptureError) {
        while true {
            let window = try input.window(Block.packetFields)
            guard let start = window.baseAddress else { return }
            // The byte order is not asked again for each field.
            let taken = interfaces.withUnsafeBufferPointer { interfaces in
                isBigEndian
                    ? readPackets(start, window.count, of: interfaces, isBigEndian: true)
                    : readPackets(start, window.count, of: interfaces, isBigEndian: false)
            }
            input.consume(taken)
            if taken == 0 { return }
        }
    }

    /// Reads the packets that are next and returns how many bytes they take.
    @inline(__always) private func readPackets(
        _ start: UnsafeRawPointer, _ count: Int, of interfaces: UnsafeBufferPointer<Interface>, isBigEndian: Bool
    ) -> Int {
        var (at, packets) = (0, UInt64(0))
        while let length = readPacket(start + at, among: count - at, of: interfaces, isBigEndian: isBigEndian) {
            at += length
            packets += 1
        }
        traffic.facts.packets += packets
        return at
    }

    /// Reads an enhanced packet block that begins here and is whole among so many bytes; its length, or `nil`, and
    /// nothing was done.
    @inline(__always) private func readPacket(
        _ block: UnsafeRawPointer, among count: Int, of interfaces: UnsafeBufferPointer<Interface>, isBigEndian: Bool
    ) -> Int? {
        guard count >= Block.packetFields else { return nil }
        let length = Int(block.integer(4, as: UInt32.self, isBigEndian: isBigEndian))
        guard block.integer(0, as: UInt32.self, isBigEndian: isBigEndian) == Block.enhancedPacket,
            length >= Block.packetFields, length <= min(count, CaptureLimits.blockBytes), length & 3 == 0,
            block.integer(length - 4, as: UInt32.self, isBigEndian: isBigEndian) == UInt32(truncatingIfNeeded: length)
        else { return nil }
        let number = Int(block.integer(8, as: UInt32.self, isBigEndian: isBigEndian))
        let captured = Int(block.integer(20, as: UInt32.self, isBigEndian: isBigEndian))
        guard number < interfaces.count, captured <= length - Block.packetFields else { return nil }
        let high = UInt64(block.integer(12, as: UInt32.self, isBigEndian: isBigEndian))
        let low = UInt64(block.integer(16, as: UInt32.self, isBigEndian: isBigEndian))
        traffic.select(interface: number)
        let time = traffic.time(of: interfaces[number].clock.nanoseconds(high << 32 | low))
        let packet = UnsafeRawBufferPointer(start: block + 28, count: captured)
        let isCut = captured < Int(block.integer(24, as: UInt32.self, isBigEndian: isBigEndian))
        if case .usbmon(let header) = interfaces[number].reader {
            // Most packets of keyboards.
            USBMonRecord.read(
                packet, header: header, isBigEndian: isBigEndian, isCut: isCut, time: time, into: traffic)
        } else {
            interfaces[number].reader.read(packet, isBigEndian: isBigEndian, isCut: isCut, time: time, into: traffic)
        }
        return length
    }

    /// False at the end, or where the next block cannot be found.
    private mutating func readBlock() throws(CaptureError) -> Bool {
        guard let head = try input.peek(12), let address = head.baseAddress else {
            if input.remaining > 0 { damage("block header", "12 bytes", "\(input.remaining)") }
            return false
        }
        // The section magic reads the same in both byte orders.
        if address.integer(0, as: UInt32.self) == Block.section, !beginSection(address) { return false }
        let kind = address.integer(0, as: UInt32.self, isBigEndian: isBigEndian)
        let length = address.integer(4, as: UInt32.self, isBigEndian: isBigEndian)
        guard length >= 12, length % 4 == 0 else {
            damage("block length", "a multiple of 4 from 12 on", "\(length)")
            return false
        }
        switch kind {
        case Block.section, Block.interface, Block.obsoletePacket, Block.simplePacket, Block.enhancedPacket:
            if length <= CaptureLimits.blockBytes { break }
            damage("block length", "at most \(CaptureLimits.blockBytes)", "\(length)", lost: 1)
            return try skipBlock(length)
        default: return try skipBlock(length)
        }
        guard let block = try input.peek(Int(length)), let start = block.baseAddress else {
            damage("block of \(length) bytes", "all of them", "\(input.remaining)")
            return false
        }
        let repeated = start.integer(block.count - 4, as: UInt32.self, isBigEndian: isBigEndian)
        guard repeated == length else {
            damage("block length at its end", "\(length)", "\(repeated)")
            return false
        }
        if kind == Block.section, block.count >= 20 {
            let major = start.integer(12, as: UInt16.self, isBigEndian: isBigEndian)
            let minor = start.integer(14, as: UInt16.self, isBigEndian: isBigEndian)
            guard major == 1 else {
                damage("pcapng version", "1.0 or 1.2", "\(major).\(minor)")
                return false
            }
        }
        read(kind, UnsafeRawBufferPointer(rebasing: block[8..<(block.count - 4)]))
        input.consume(block.count)
        return true
    }

    /// A new section: it brings its byte order and forgets all interfaces.
    private mutating func beginSection(_ head: UnsafeRawPointer) -> Bool {
        switch head.integer(8, as: UInt32.self) {
        case 0x1A2B_3C4D: isBigEndian = false
        case 0x4D3C_2B1A: isBigEndian = true
        case let found:
            damage("byte-order magic", "1a2b3c4d", String(found, radix: 16))
            return false
        }
        interfaces.removeAll(keepingCapacity: true)
        traffic.beginSection()
        return true
    }

    private func skipBlock(_ length: UInt32) throws(CaptureError) -> Bool {
        let start = input.offset
        guard try input.skip(UInt64(length)) else {
            damage("block of \(length) bytes", "all of them", "\(input.offset - start)", at: start)
            return false
        }
        return true
    }

    private mutating func read(_ kind: UInt32, _ body: UnsafeRawBufferPointer) {
        switch kind {
        case Block.interface: readInterface(body)
        case Block.enhancedPacket: readPacket(body, interfaceIs16Bit: false)
        case Block.obsoletePacket: readPacket(body, interfaceIs16Bit: true)
        case Block.simplePacket: readSimplePacket(body)
        default: break
        }
    }

    private mutating func readInterface(_ body: UnsafeRawBufferPointer) {
        guard body.count >= 8, let fields = body.baseAddress else {
            return damage("interface block", "8 bytes", "\(body.count)", lost: 0)
        }
        guard interfaces.count < CaptureLimits.interfaces else {
            return damage("interfaces", "at most \(CaptureLimits.interfaces)", "one more", lost: 0)
        }
        let linkType = fields.integer(0, as: UInt16.self, isBigEndian: isBigEndian)
        linkTypes.insert(linkType)
        interfaces.append(
            Interface(
                reader: LinkType.Reader(linkType),
                snapshotLength: fields.integer(4, as: UInt32.self, isBigEndian: isBigEndian),
                clock: StampUnit(options: UnsafeRawBufferPointer(rebasing: body[8...]), isBigEndian: isBigEndian)))
    }

    /// Enhanced packet blocks, and the obsolete ones, whose interface is 16 bits with a drop count behind it.
    private func readPacket(_ body: UnsafeRawBufferPointer, interfaceIs16Bit: Bool) {
        guard body.count >= 20, let fields = body.baseAddress else {
            return damage("packet block", "20 bytes", "\(body.count)", lost: 1)
        }
        let number =
            interfaceIs16Bit
            ? UInt32(fields.integer(0, as: UInt16.self, isBigEndian: isBigEndian))
            : fields.integer(0, as: UInt32.self, isBigEndian: isBigEndian)
        guard Int(number) < interfaces.count else {
            return damage("interface of a packet", "below \(interfaces.count)", "\(number)", lost: 1)
        }
        let interface = interfaces[Int(number)]
        let high = fields.integer(4, as: UInt32.self, isBigEndian: isBigEndian)
        let low = fields.integer(8, as: UInt32.self, isBigEndian: isBigEndian)
        let captured = fields.integer(12, as: UInt32.self, isBigEndian: isBigEndian)
        let original = fields.integer(16, as: UInt32.self, isBigEndian: isBigEndian)
        guard Int(captured) <= body.count - 20 else {
            return damage("captured length", "at most \(body.count - 20)", "\(captured)", lost: 1)
        }
        traffic.select(interface: Int(number))
        let time = traffic.time(of: interface.clock.nanoseconds(UInt64(high) << 32 | UInt64(low)))
        deliver(interface, body, from: 20, Int(captured), isCut: captured < original, time)
    }

    /// A simple packet block has neither a stamp nor an interface: it is of the first one.
    private func readSimplePacket(_ body: UnsafeRawBufferPointer) {
        guard body.count >= 4, let fields = body.baseAddress, let interface = interfaces.first else {
            return damage(
                "simple packet block", "4 bytes and an interface",
                "\(body.count) bytes, \(interfaces.count) interfaces", lost: 1)
        }
        let original = fields.integer(0, as: UInt32.self, isBigEndian: isBigEndian)
        let limit = interface.snapshotLength == 0 ? UInt32.max : interface.snapshotLength
        let captured = min(original, limit)
        guard Int(captured) <= body.count - 4 else {
            return damage("packet length", "at most \(body.count - 4)", "\(captured)", lost: 1)
        }
        traffic.select(interface: 0)
        deliver(interface, body, from: 4, Int(captured), isCut: captured < original, traffic.timeOfUnstamped())
    }

    private func deliver(
        _ interface: Interface, _ body: UnsafeRawBufferPointer, from start: Int, _ length: Int, isCut: Bool,
        _ time: Int64
    ) {
        traffic.facts.packets += 1
        let packet = UnsafeRawBufferPointer(rebasing: body[start..<(start + length)])
        interface.reader.read(packet, isBigEndian: isBigEndian, isCut: isCut, time: time, into: traffic)
    }

    /// Notes damage of the block at `offset`, the current one by default. `lost`: packets lost, unknown if `nil`.
    private func damage(
        _ what: String, _ expected: String, _ found: String, at offset: UInt64? = nil, lost: UInt64? = nil
    ) {
        guard var first = traffic.facts.damage else {
            return traffic.noteDamage(at: offset ?? input.offset, what, expected, found, lost: lost)
        }
        if let known = first.lostPackets, let lost { first.lostPackets = known + lost } else { first.lostPackets = nil }
        traffic.facts.damage = first
    }
}

/// The unit and origin of an interface's time stamps: if_tsresol and if_tsoffset.
struct StampUnit {
    /// The exponent of the unit: 10 or 2 to the power of minus this many seconds.
    private(set) var exponent = 6
    private(set) var isBinary = false
    /// Seconds to add.
    private(set) var offset: Int64 = 0
    /// Nanoseconds of a unit, where they are a whole number and nothing is to be added; else 0.
    private var nanosecondsPerUnit: UInt64 = 1000

    private enum Option {
        static let end: UInt16 = 0
        static let resolution: UInt16 = 9
        static let offset: UInt16 = 14
    }

    init() {}

    init(options: UnsafeRawBufferPointer, isBigEndian: Bool) {
        var at = 0
        while at + 4 <= options.count, let address = options.baseAddress {
            let code = address.integer(at, as: UInt16.self, isBigEndian: isBigEndian)
            let length = Int(address.integer(at + 2, as: UInt16.self, isBigEndian: isBigEndian))
            guard code != Option.end, at + 4 + length <= options.count else { return }
            if code == Option.resolution, length >= 1 {
                isBinary = options[at + 4] & 0x80 != 0
                exponent = Int(options[at + 4] & 0x7F)
            } else if code == Option.offset, length >= 8 {
                offset = address.integer(at + 4, as: Int64.self, isBigEndian: isBigEndian)
            }
            at += 4 + (length + 3) / 4 * 4
            let isWhole = !isBinary && exponent <= 9 && offset == 0
            nanosecondsPerUnit = isWhole ? StampUnit.powerOfTen(9 - exponent) : 0
        }
    }

    /// Nanoseconds since 1970 of a count of units, saturating.
    @inline(__always) func nanoseconds(_ count: UInt64) -> Int64 {
        let (product, isBeyond) = count.multipliedReportingOverflow(by: nanosecondsPerUnit)
        guard nanosecondsPerUnit > 0, !isBeyond, product <= UInt64(Int64.max) else { return exactNanoseconds(count) }
        return Int64(product)
    }

    private func exactNanoseconds(_ count: UInt64) -> Int64 {
        let magnitude = isBinary ? binary(count) : decimal(count)
        let whole = Int64(clamping: magnitude)
        guard offset != 0 else { return whole }
        let (shift, isBeyond) = offset.multipliedReportingOverflow(by: 1_000_000_000)
        if isBeyond { return offset < 0 ? .min : .max }
        let (sum, overflow) = whole.addingReportingOverflow(shift)
        return overflow ? (shift < 0 ? .min : .max) : sum
    }

    private func decimal(_ count: UInt64) -> UInt64 {
        if exponent <= 9 {
            let (product, overflow) = count.multipliedReportingOverflow(by: StampUnit.powerOfTen(9 - exponent))
            return overflow ? .max : product
        }
        return exponent - 9 > 19 ? 0 : count / StampUnit.powerOfTen(exponent - 9)
    }

    private func binary(_ count: UInt64) -> UInt64 {
        let (high, low) = count.multipliedFullWidth(by: 1_000_000_000)
        if exponent == 0 { return high == 0 ? low : .max }
        if exponent < 64 {
            let shift = UInt64(exponent)
            return high >> shift == 0 ? high << (64 - shift) | low >> shift : .max
        }
        return exponent == 64 ? high : high >> UInt64(exponent - 64)
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
