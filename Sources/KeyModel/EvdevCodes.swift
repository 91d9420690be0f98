/// The key codes of Linux's input layer and the usages that the kernel's HID driver gives them to, as data.
///
/// The keyboard page was compared with the codes of Linux 6.1 for every usage of it; the consumer and Generic Desktop
/// pages are the kernel's mapping (hid-input.c) as far as it has keys.
public enum EvdevCodes {
    /// The kernel's code for a usage that it does not know.
    public static let unknown: UInt16 = 240

    /// By usage of the keyboard page; 0 for none.
    private static let ofKeyboardPage: [UInt16] = [
        0, 0, 0, 0, 30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38,
        50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21, 44, 2, 3,
        4, 5, 6, 7, 8, 9, 10, 11, 28, 1, 14, 15, 57, 12, 13, 26,
        27, 43, 43, 39, 40, 41, 51, 52, 53, 58, 59, 60, 61, 62, 63, 64,
        65, 66, 67, 68, 87, 88, 99, 70, 119, 110, 102, 104, 111, 107, 109, 106,
        105, 108, 103, 69, 98, 55, 74, 78, 96, 79, 80, 81, 75, 76, 77, 71,
        72, 73, 82, 83, 86, 127, 116, 117, 183, 184, 185, 186, 187, 188, 189, 190,
        191, 192, 193, 194, 134, 138, 130, 132, 128, 129, 131, 137, 133, 135, 136, 113,
        115, 114, 240, 240, 240, 121, 240, 89, 93, 124, 92, 94, 95, 240, 240, 240,
        122, 123, 90, 91, 85, 240, 240, 240, 240, 240, 240, 240, 111, 240, 240, 240,
        240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240,
        240, 240, 240, 240, 240, 240, 179, 180, 240, 240, 240, 240, 240, 240, 240, 240,
        240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240, 240,
        240, 240, 240, 240, 240, 240, 240, 240, 111, 240, 240, 240, 240, 240, 240, 240,
        29, 42, 56, 125, 97, 54, 100, 126, 164, 166, 165, 163, 161, 115, 114, 113,
        150, 158, 159, 128, 136, 177, 178, 176, 142, 152, 173, 140, 240, 240, 240, 240,
    ]

    /// Usage of the consumer page, code.
    private static let ofConsumerPage: [(usage: UInt16, code: UInt16)] = [
        (0x030, 116), (0x031, 408), (0x032, 142), (0x034, 142), (0x035, 228), (0x040, 139), (0x041, 353),
        (0x042, 103), (0x043, 108), (0x044, 105), (0x045, 106), (0x046, 1), (0x047, 78), (0x048, 74), (0x060, 358),
        (0x061, 370), (0x063, 379), (0x065, 212), (0x069, 398), (0x06A, 399), (0x06B, 401), (0x06C, 400),
        (0x06F, 225), (0x070, 224), (0x072, 431), (0x075, 244), (0x079, 230), (0x07A, 229), (0x07C, 228),
        (0x082, 241), (0x083, 405), (0x084, 28), (0x088, 376), (0x089, 377), (0x08A, 150), (0x08B, 389), (0x08C, 169),
        (0x08D, 362), (0x08E, 416), (0x08F, 417), (0x090, 396), (0x091, 383), (0x092, 379), (0x093, 386),
        (0x094, 174), (0x095, 138), (0x096, 384), (0x097, 378), (0x098, 381), (0x09A, 366), (0x09C, 402),
        (0x09D, 403), (0x0A0, 380), (0x0B0, 207), (0x0B1, 119), (0x0B2, 167), (0x0B3, 208), (0x0B4, 168),
        (0x0B5, 163), (0x0B6, 165), (0x0B7, 166), (0x0B8, 161), (0x0B9, 410), (0x0BC, 439), (0x0CD, 164),
        (0x0E2, 113), (0x0E5, 209), (0x0E9, 115), (0x0EA, 114), (0x0F5, 409), (0x182, 156), (0x183, 171),
        (0x184, 421), (0x185, 422), (0x186, 423), (0x187, 424), (0x188, 425), (0x189, 426), (0x18A, 155),
        (0x18B, 427), (0x18C, 428), (0x18D, 429), (0x18E, 397), (0x191, 219), (0x192, 140), (0x193, 387),
        (0x194, 144), (0x196, 150), (0x199, 216), (0x19C, 433), (0x19E, 152), (0x1A3, 407), (0x1A4, 412),
        (0x1A6, 138), (0x1A7, 235), (0x1AB, 432), (0x1AE, 374), (0x1B4, 144), (0x1B6, 442), (0x1B7, 392),
        (0x1B8, 393), (0x1BC, 430), (0x1BD, 358), (0x201, 181), (0x202, 134), (0x203, 206), (0x204, 174),
        (0x207, 234), (0x208, 210), (0x209, 130), (0x21A, 131), (0x21B, 133), (0x21C, 137), (0x21D, 135),
        (0x21F, 136), (0x221, 217), (0x222, 354), (0x223, 172), (0x224, 158), (0x225, 159), (0x226, 128),
        (0x227, 173), (0x22A, 156), (0x22D, 418), (0x22E, 419), (0x22F, 420), (0x232, 372), (0x233, 177),
        (0x234, 178), (0x23D, 176), (0x25F, 223), (0x269, 110), (0x26A, 111), (0x279, 182), (0x289, 232),
        (0x28B, 233), (0x28C, 231), (0x29D, 584), (0x29F, 120), (0x2A2, 204), (0x06D, 375), (0x073, 592), (0x074, 593),
        (0x0BF, 409), (0x0CF, 582), (0x0D5, 587), (0x0D6, 588), (0x0D7, 589), (0x0D8, 586), (0x0D9, 585), (0x181, 576),
        (0x18F, 577), (0x190, 578), (0x19F, 579), (0x1A2, 580), (0x1B1, 581), (0x1CB, 583), (0x2C7, 608), (0x2C8, 609),
        (0x2C9, 610), (0x2CA, 611), (0x2CB, 612), (0x2CC, 613),
    ]

    /// Usage of the Generic Desktop page, code.
    private static let ofSystemControl: [(usage: UInt16, code: UInt16)] = [
        (0x81, 116), (0x82, 142), (0x83, 143), (0x84, 438), (0x85, 139), (0x86, 148), (0x87, 138), (0x88, 174),
        (0x89, 353), (0x8A, 106), (0x8B, 105), (0x8C, 103), (0x8D, 108), (0x8E, 356), (0x8F, 408), (0x9B, 591),
        (0xA9, 248), (0xAA, 590), (0xB5, 227), (0xC6, 247),
    ]

    /// KEY_FN and KEY_GLOBE's code, which Apple keyboards have.
    private static let fn: UInt16 = 464

    private static let consumerCodes: [UInt16: UInt16] = Dictionary(
        uniqueKeysWithValues: ofConsumerPage.map { ($0.usage, $0.code) })

    /// One usage for each code: of several the first of the keyboard page, or of the consumer page where keyboards
    /// have the key there.
    private static let usages: [UInt16: KeyUsage] = {
        var table: [UInt16: KeyUsage] = [fn: .appleFn]
        // Mute and volume of the keyboard page, 7F–81, are on hardly any keyboard; E8 and above are reserved.
        for (usage, code) in ofKeyboardPage.enumerated()
        where code != 0 && code != unknown && usage <= 0xE7 && !(0x7F...0x81).contains(usage) {
            table[code] = table[code] ?? .keyboard(UInt16(usage))
        }
        let system = ofSystemControl.map { (KeyUsage(page: 1, usage: $0.usage), $0.code) }
        let consumer = ofConsumerPage.map { (KeyUsage(page: KeyUsage.consumerPage, usage: $0.usage), $0.code) }
        // Power, Sleep and Wake Up are on the system page of keyboards, all else on the consumer page.
        for (usage, code) in system.prefix(3) + consumer + system { table[code] = table[code] ?? usage }
        return table
    }()

    /// Buttons of mice, joysticks, pads and pens.
    public static func isButton(_ code: UInt16) -> Bool {
        (0x100...0x15F).contains(code) || (0x220...0x227).contains(code) || code >= 0x2C0
    }

    /// The kernel's code of a usage; `nil` where the tables here have none.
    public static func code(of usage: KeyUsage) -> UInt16? {
        switch usage.page {
        case KeyUsage.keyboardPage:
            let code = usage.usage < 256 ? ofKeyboardPage[Int(usage.usage)] : 0
            return code == 0 ? nil : code
        case KeyUsage.consumerPage: return consumerCodes[usage.usage]
        case 1: return ofSystemControl.first { $0.usage == usage.usage }?.code
        case KeyUsage.codePage: return usage.usage
        default: return nil
        }
    }

    /// The key of a code; `nil` for codes that no key has.
    public static func usage(of code: UInt16) -> KeyUsage? { usages[code] }
    /// The kernel's names of keys of keyboards that no usage has a name for: a code, then the names from it on.
    private static let runs = """
        101 LINEFEED 112 MACRO 118 KPPLUSMINUS 141 SETUP 145 SENDFILE DELETEFILE XFER PROG1 PROG2 151 MSDOS 153
        ROTATE_DISPLAY CYCLEWINDOWS 157 COMPUTER 160 CLOSECD 162 EJECTCLOSECD 170 ISO 175 MOVE 200 PLAYCD PAUSECD
        PROG3 PROG4 205 SUSPEND 211 HP 213 SOUND QUESTION EMAIL 218 CONNECT 220 SPORT SHOP ALTERASE 226 MEDIA
        SWITCHVIDEOMODE 236 BATTERY BLUETOOTH WLAN UWB UNKNOWN 242 VIDEO_PREV BRIGHTNESS_CYCLE 245 DISPLAY_OFF WWAN
        RFKILL MICMUTE 356 POWER2 438 CONTEXT_MENU 465 FN_ESC FN_F1 FN_F2 FN_F3 FN_F4 FN_F5 FN_F6 FN_F7 FN_F8 FN_F9
        FN_F10 FN_F11 FN_F12 FN_1 FN_2 FN_D FN_E FN_F FN_S FN_B 530 TOUCHPAD_TOGGLE TOUCHPAD_ON TOUCHPAD_OFF 560
        ALS_TOGGLE ROTATE_LOCK_TOGGLE REFRESH_RATE_TOGGLE 590 ACCESSIBILITY DO_NOT_DISTURB 656 MACRO1 MACRO2 MACRO3
        MACRO4 MACRO5 MACRO6 MACRO7 MACRO8 MACRO9 MACRO10 MACRO11 MACRO12 MACRO13 MACRO14 MACRO15 MACRO16 MACRO17
        MACRO18 MACRO19 MACRO20 MACRO21 MACRO22 MACRO23 MACRO24 MACRO25 MACRO26 MACRO27 MACRO28 MACRO29 MACRO30 688
        MACRO_RECORD_START MACRO_RECORD_STOP MACRO_PRESET_CYCLE MACRO_PRESET1 MACRO_PRESET2 MACRO_PRESET3 696
        KBD_LCD_MENU1 KBD_LCD_MENU2 KBD_LCD_MENU3 KBD_LCD_MENU4 KBD_LCD_MENU5
        """

    /// Names of keys whose code no usage has, and of those of the system page that have none of their own there.
    static let names: [KeyUsage: String] = {
        var (table, code): ([KeyUsage: String], UInt16) = ([:], 0)
        for word in runs.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if let first = UInt16(word) {
                code = first
                continue
            }
            let usage = usages[code] ?? KeyUsage(page: KeyUsage.codePage, usage: code)
            table[usage] = "KEY_" + word
            code += 1
        }
        return table
    }()
}
