/// The key codes of Linux's input layer and the usages that the kernel's HID driver gives them to, as data.
///
/// The keyboard page was compared with the codes of Linux 6.1 for every usage of it; the Generic Desktop, consumer,
/// telephony and camera pages are the mapping of Linux' hid-input.c as far as it has keys.
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

    /// Of other pages: a page and a usage, then the codes from it on.
    private static let ofOtherPages: [(usage: KeyUsage, code: UInt16)] = {
        var (table, next): ([(usage: KeyUsage, code: UInt16)], UInt32) = ([], 0)
        for word in codes.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let numbers = word.split(separator: ":").compactMap { UInt32($0, radix: 16) }
            if numbers.count == 2 {
                next = numbers[0] << 16 | numbers[1]
            } else if let code = UInt16(word) {
                table.append((KeyUsage(rawValue: next), code))
                next += 1
            }
        }
        return table
    }()

    private static let codes = """
        1:81 116 142 143 438 139 148 138 174 353 106 105 103 108 356 408 1:9b 591 1:a9 248 590 1:b5 227 1:c6 247 c:30
        116 408 142 c:34 142 228 c:40 139 353 103 108 105 106 1 78 74 c:60 358 370 c:63 379 c:65 212 c:69 398 399 401
        400 375 c:6f 225 224 c:72 431 592 593 244 587 588 589 230 229 c:7c 228 c:82 241 405 28 c:88 376 377 150 389
        169 362 416 417 396 383 379 386 174 138 384 378 381 c:9a 366 c:9c 402 403 c:a0 380 c:b0 207 119 167 208 168
        163 165 166 161 410 c:bc 439 c:bf 409 c:cd 164 c:cf 582 c:d8 586 585 c:e2 113 c:e5 209 c:e9 115 114 c:f5 409
        c:181 576 156 171 421 422 423 424 425 426 155 427 428 429 397 577 578 219 140 387 144 c:196 150 c:199 216
        c:19c 433 c:19e 152 579 c:1a2 580 407 412 c:1a6 138 235 c:1ab 432 c:1ae 374 c:1b1 581 c:1b4 144 c:1b6 442 392
        393 c:1bc 430 358 c:1cb 583 596 597 598 c:201 181 134 206 174 c:207 234 210 130 c:21a 131 133 137 135 c:21f
        136 c:221 217 354 172 158 159 128 173 c:22a 156 c:22d 418 419 420 c:232 372 177 178 c:23d 176 c:25f 223 c:269
        110 111 c:279 182 c:289 232 c:28b 233 231 c:29d 584 c:29f 120 c:2a2 204 c:2c7 608 609 610 611 612 613 b:2f 248
        b:b0 512 513 514 515 516 517 518 519 520 521 522 523 524 525 526 527 90:20 528 212
        """

    /// KEY_FN and KEY_GLOBE's code, which Apple keyboards have.
    private static let fn: UInt16 = 464

    private static let codesOfOthers: [KeyUsage: UInt16] = Dictionary(
        uniqueKeysWithValues: ofOtherPages.map { ($0.usage, $0.code) })

    /// One usage for each code: of several the first of the keyboard page, or of the consumer page where keyboards
    /// have the key there.
    private static let usages: [UInt16: KeyUsage] = {
        var table: [UInt16: KeyUsage] = [fn: .appleFn]
        // Mute and volume of the keyboard page, 7F–81, are on hardly any keyboard; E8 and above are reserved.
        for (usage, code) in ofKeyboardPage.enumerated()
        where code != 0 && code != unknown && usage <= 0xE7 && !(0x7F...0x81).contains(usage) {
            table[code] = table[code] ?? .keyboard(UInt16(usage))
        }
        let consumer = ofOtherPages.filter { $0.usage.page == KeyUsage.consumerPage }
        // Power, Sleep and Wake Up are on the system page of keyboards, all else on the consumer page.
        for (usage, code) in ofOtherPages.prefix(3) + consumer + ofOtherPages { table[code] = table[code] ?? usage }
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
        case KeyUsage.codePage: return usage.usage
        default: return codesOfOthers[usage]
        }
    }

    /// The key of a code; `nil` for codes that no key has.
    public static func usage(of code: UInt16) -> KeyUsage? { usages[code] }

    /// The kernel's names of keys of keyboards that no usage has a name for: a code, then the names from it on.
    private static let runs = """
        101 LINEFEED 112 MACRO 118 KPPLUSMINUS 141 SETUP 145 SENDFILE DELETEFILE XFER PROG1 PROG2 151 MSDOS 153
        ROTATE_DISPLAY CYCLEWINDOWS 157 COMPUTER 160 CLOSECD 162 EJECTCLOSECD 170 ISO 175 MOVE 200 PLAYCD PAUSECD PROG3
        PROG4 205 SUSPEND 211 HP 213 SOUND QUESTION EMAIL 218 CONNECT 220 SPORT SHOP ALTERASE 226 MEDIA SWITCHVIDEOMODE
        236 BATTERY BLUETOOTH WLAN UWB UNKNOWN 242 VIDEO_PREV BRIGHTNESS_CYCLE 245 DISPLAY_OFF WWAN RFKILL MICMUTE 352
        OK 355 CLEAR POWER2 OPTION 359 TIME VENDOR ARCHIVE 363 CHANNEL FAVORITES EPG 367 MHP LANGUAGE TITLE 371 ANGLE
        373 MODE 382 SAT2 385 RADIO 388 TEXT 390 AUX MP3 394 DIRECTORY LIST 404 FIRST 406 AB 411 BREAK 413 DIGITS TEEN
        TWEN 434 DOLLAR EURO FRAMEBACK FRAMEFORWARD CONTEXT_MENU 440 10CHANNELSUP 10CHANNELSDOWN 444
        NOTIFICATION_CENTER PICKUP_PHONE HANGUP_PHONE LINK_PHONE DEL_EOL DEL_EOS INS_LINE DEL_LINE 465 FN_ESC FN_F1
        FN_F2 FN_F3 FN_F4 FN_F5 FN_F6 FN_F7 FN_F8 FN_F9 FN_F10 FN_F11 FN_F12 FN_1 FN_2 FN_D FN_E FN_F FN_S FN_B
        FN_RIGHT_SHIFT 497 BRL_DOT1 BRL_DOT2 BRL_DOT3 BRL_DOT4 BRL_DOT5 BRL_DOT6 BRL_DOT7 BRL_DOT8 BRL_DOT9 BRL_DOT10
        512 NUMERIC_0 NUMERIC_1 NUMERIC_2 NUMERIC_3 NUMERIC_4 NUMERIC_5 NUMERIC_6 NUMERIC_7 NUMERIC_8 NUMERIC_9
        NUMERIC_STAR NUMERIC_POUND NUMERIC_A NUMERIC_B NUMERIC_C NUMERIC_D CAMERA_FOCUS WPS_BUTTON TOUCHPAD_TOGGLE
        TOUCHPAD_ON TOUCHPAD_OFF CAMERA_ZOOMIN CAMERA_ZOOMOUT CAMERA_UP CAMERA_DOWN CAMERA_LEFT CAMERA_RIGHT
        ATTENDANT_ON ATTENDANT_OFF ATTENDANT_TOGGLE LIGHTS_TOGGLE 560 ALS_TOGGLE ROTATE_LOCK_TOGGLE REFRESH_RATE_TOGGLE
        590 ACCESSIBILITY DO_NOT_DISTURB 594 EPRIVACY_SCREEN_ON EPRIVACY_SCREEN_OFF 614 RIGHT_UP RIGHT_DOWN LEFT_UP
        LEFT_DOWN ROOT_MENU MEDIA_TOP_MENU NUMERIC_11 NUMERIC_12 AUDIO_DESC 3D_MODE NEXT_FAVORITE STOP_RECORD
        PAUSE_RECORD VOD UNMUTE FASTREVERSE SLOWREVERSE DATA ONSCREEN_KEYBOARD PRIVACY_SCREEN_TOGGLE
        SELECTIVE_SCREENSHOT NEXT_ELEMENT PREVIOUS_ELEMENT AUTOPILOT_ENGAGE_TOGGLE MARK_WAYPOINT SOS NAV_CHART
        FISHING_CHART SINGLE_RANGE_RADAR DUAL_RANGE_RADAR RADAR_OVERLAY TRADITIONAL_SONAR CLEARVU_SONAR SIDEVU_SONAR
        NAV_INFO BRIGHTNESS_MENU 656 MACRO1 MACRO2 MACRO3 MACRO4 MACRO5 MACRO6 MACRO7 MACRO8 MACRO9 MACRO10 MACRO11
        MACRO12 MACRO13 MACRO14 MACRO15 MACRO16 MACRO17 MACRO18 MACRO19 MACRO20 MACRO21 MACRO22 MACRO23 MACRO24 MACRO25
        MACRO26 MACRO27 MACRO28 MACRO29 MACRO30 688 MACRO_RECORD_START MACRO_RECORD_STOP MACRO_PRESET_CYCLE
        MACRO_PRESET1 MACRO_PRESET2 MACRO_PRESET3 696 KBD_LCD_MENU1 KBD_LCD_MENU2 KBD_LCD_MENU3 KBD_LCD_MENU4
        KBD_LCD_MENU5
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
