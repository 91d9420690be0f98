/// The evdev key code of each usage of the keyboard page, by the Linux kernel's `hid_keyboard` table
/// (drivers/hid/hid-input.c); 0 where the kernel has none. An XKB keycode is the evdev code + 8.
enum EvdevKeycodes {
    /// The XKB keycode of a usage of page 7; `nil` where the kernel maps none.
    static func xkbKeycode(usage: UInt16) -> UInt32? {
        guard usage < codes.count, codes[Int(usage)] != 0 else { return nil }
        return UInt32(codes[Int(usage)]) + 8
    }

    /// Usages 00–A4; the modifier keys E0–E7 type nothing.
    private static let codes: [UInt8] = [
        0, 0, 0, 0, 30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38,  // 00
        50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21, 44, 2, 3,  // 10
        4, 5, 6, 7, 8, 9, 10, 11, 28, 1, 14, 15, 57, 12, 13, 26,  // 20
        27, 43, 43, 39, 40, 41, 51, 52, 53, 58, 59, 60, 61, 62, 63, 64,  // 30
        65, 66, 67, 68, 87, 88, 99, 70, 119, 110, 102, 104, 111, 107, 109, 106,  // 40
        105, 108, 103, 69, 98, 55, 74, 78, 96, 79, 80, 81, 75, 76, 77, 71,  // 50
        72, 73, 82, 83, 86, 127, 116, 117, 183, 184, 185, 186, 187, 188, 189, 190,  // 60
        191, 192, 193, 194, 134, 138, 130, 132, 128, 129, 131, 137, 133, 135, 136, 113,  // 70
        115, 114, 0, 0, 0, 121, 0, 89, 93, 124, 92, 94, 95, 0, 0, 0,  // 80
        122, 123, 90, 91, 85, 0, 0, 0, 0, 0, 0, 0, 111, 0, 0, 0,  // 90
        0, 0, 0, 0, 0,  // A0
    ]
}
