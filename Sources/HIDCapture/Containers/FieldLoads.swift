import KeyModel

/// Integers of a capture at any alignment. The caller has checked that the bytes are there.
extension UnsafeRawPointer {
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { load(fromByteOffset: offset, as: UInt8.self) }

    /// Little-endian unless `isBigEndian`.
    @inline(__always)
    func integer<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: T.Type, isBigEndian: Bool = false) -> T {
        let raw = loadUnaligned(fromByteOffset: offset, as: T.self)
        return isBigEndian ? T(bigEndian: raw) : T(littleEndian: raw)
    }
}

/// Bytes as error messages show them, such as `0a 0d`.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { $0.hexadecimal(2) }.joined(separator: " ")
}
