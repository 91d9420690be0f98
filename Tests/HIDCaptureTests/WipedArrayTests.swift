import Foundation
import Libc
import Testing

@testable import HIDCapture

/// Memory for keys in clear: nothing of them is left behind in it, and core dumps are made without it.
@Suite struct WipedArrayTests {
    @Test("what is removed is overwritten, and the rest keeps its order")
    func removal() throws {
        let array = WipedArray<UInt32>()
        for value in 1...10 { array.append(UInt32(value)) }
        array.insert(99, at: 3)
        #expect(Array(array) == [1, 2, 3, 99, 4, 5, 6, 7, 8, 9, 10])
        let memory = try #require(array.elements.baseAddress)
        array.remove(at: 0)
        array.removeSubrange(1..<3)
        array.removeFirst(2)
        array[0] = 55
        #expect(Array(array) == [55, 6, 7, 8, 9, 10])
        #expect((6..<11).allSatisfy { memory[$0] == 0 })
        array.removeAll()
        #expect(array.isEmpty && (0..<11).allSatisfy { memory[$0] == 0 })
    }

    @Test("it grows, also by what is read at once")
    func growth() {
        let array = WipedArray<UInt8>()
        for _ in 0..<30 {
            array.append(upTo: 1000) { room in
                for place in 0..<700 { room[place] = UInt8(place % 251) }
                return 700
            }
        }
        array.append(upTo: 1000) { _ in -1 }
        #expect(array.count == 21_000 && array.indices.allSatisfy { array[$0] == UInt8($0 % 700 % 251) })
    }

    @Test("elements of any type are released when they are removed")
    func references() {
        final class Element {}
        let array = WipedArray<(key: Int, value: Element)>()
        var element: Element? = Element()
        weak let watched = element
        array.set(element, of: 1)
        array.set(Element(), of: 2)
        element = nil
        #expect(array.value(of: 1) === watched && watched != nil)
        array.set(Element(), of: 1)
        #expect(watched == nil && array.count == 2)
        array.set(nil, of: 1)
        #expect(array.value(of: 1) == nil && array.count == 1)
    }

    #if os(Linux)
        @Test("core dumps are made without it")
        func dumps() throws {
            let array = WipedArray<UInt64>()
            for value in 0..<10_000 { array.append(UInt64(value)) }
            let memory = try #require(array.elements.baseAddress)
            #expect(try Self.flags(UInt(bitPattern: memory)).contains("dd"))
            let other = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
            #expect(try !Self.flags(UInt(bitPattern: other)).contains("dd"))
            other.deallocate()
        }

        /// The kernel's flags of the mapping that an address is in.
        static func flags(_ address: UInt) throws -> [Substring] {
            var isInside = false
            let file = try #require(fopen("/proc/self/smaps", "r"))
            defer { fclose(file) }
            var room = [CChar](repeating: 0, count: 4096)
            while fgets(&room, Int32(room.count), file) != nil {
                let line = String(decoding: room.prefix { $0 != 0x0A }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ") }
                let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                if ends.count == 2 { isInside = ends[0] <= address && address < ends[1] }
            }
            return []
        }
    #endif
}
