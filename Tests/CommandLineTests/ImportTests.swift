import Testing

@testable import keyflight

/// `import`: what it writes, what it refuses, and with which status.
@Suite struct ImportTests {
    static let viewer = Files.path("Traces/captures/usb-keyboard-viewer.pcap")

    @Test func aCaptureBecomesATraceOfItsOwnerOnly() throws {
        try Files.withFolder { folder in
            let run = CommandRun("import", Self.viewer, "-o", folder + "/a.keyflight")
            #expect(run.status == 0)
            #expect(run.text == "")
            #expect(run.notes == "")
            #expect(Files.names(folder) == ["a.keyflight"])
            #expect(Files.permissions(folder + "/a.keyflight") == 0o600)
            let info = CommandRun("info", folder + "/a.keyflight", "--format", "json")
            #expect(info.text.contains(#""schema":"keyflight.info/1""#))
            #expect(info.text.contains(#""masked":true"#))
            #expect(info.text.contains(#""complete":true"#))
        }
    }

    @Test func textOfAnotherToolIsNoKeyScript() throws {
        try Files.withFolder { folder in
            let path = folder + "/xev.txt"
            try Files.write(Array("KeyPress event, serial 34, synthetic NO, window 0x1,\n".utf8), to: path)
            for run in [CommandRun("info", path), CommandRun("import", path, "-o", folder + "/t")] {
                #expect(run.status == 2 && run.notes.contains("found what xev prints"), "\(run.notes)")
                #expect(run.notes.contains("record with evtest") && run.noteLines.count == 1)
            }
        }
    }

    @Test func whatExistsIsReplacedOnlyWithForce() throws {
        try Files.withFolder { folder in
            let path = folder + "/a.keyflight"
            try Files.write([1, 2, 3], to: path)
            let refused = CommandRun("import", Self.viewer, "-o", path)
            #expect(refused.status == 64)
            #expect(refused.noteLines.count == 1)
            #expect(refused.notes.contains("--force"))
            #expect(Files.bytes(path) == [1, 2, 3])
            #expect(CommandRun("import", Self.viewer, "-o", path, "--force").status == 0)
            #expect(Files.bytes(path).count > 3)
            #expect(Files.names(folder) == ["a.keyflight"])
        }
    }

    @Test func aFolderThatIsNotThereIsRefused() {
        let run = CommandRun("import", Self.viewer, "-o", "/nonexistent/a.keyflight")
        #expect(run.status == 5)
        #expect(run.noteLines.count == 1)
    }

    @Test func aDamagedCaptureGivesWhatIsWhole() throws {
        try Files.withFolder { folder in
            let path = folder + "/a.keyflight"
            let capture = Files.path("Traces/hostile/capture-record-cut.pcap")
            let run = CommandRun("import", capture, "-o", path)
            #expect(run.status == 2)
            #expect(run.noteLines.count == 1)
            #expect(run.notes.hasPrefix("\(capture): byte "))
            let shown = CommandRun("show", path, "--format", "jsonl")
            #expect(shown.status == 0)
            #expect(shown.lines.contains { $0.contains(#""kind":"key""#) })
            #expect(shown.lines.contains { $0.contains(#""kind":"loss""#) })
        }
    }

    @Test func whatIsDamagedAndEmptyIsSaidInOneLine() {
        let path = Files.path("Traces/hostile/capture-section-cut.pcapng")
        let run = CommandRun("import", path, "-o", "-")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.noteLines.count == 1)
        #expect(run.notes.hasPrefix("\(path): byte 0: ") && run.notes.contains("holds no keyboard"))
    }

    @Test func aRefusedDescriptorIsNotedWithItsCaptureOnce() {
        let path = Files.path("Traces/hostile/capture-report-descriptor-refused.pcap")
        let run = CommandRun("import", path, "-o", "-")
        #expect(run.status == 0)
        #expect(run.noteLines.count == 1)
        #expect(run.notes.hasPrefix("\(path): bus 1 device 5: report descriptor byte 23: "), "\(run.notes)")
    }

    @Test func aBluetoothCaptureHoldsNoUSBKeyboard() {
        let note: [UInt8] = [0, 0, 0, 11, 0x5C, 0x12, 0x61, 0x9A, 0, 2, 0xC3, 0xD6, 0xFC, 0x68, 0x69]
        for bytes in [note + note, Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]] {
            let run = CommandRun("import", "-", "-o", "-", stdin: bytes)
            #expect(run.status == 3, "\(run.notes)")
            #expect(run.noteLines.count == 1)
            #expect(run.output == [])
        }
    }

    @Test(arguments: ["1", "1:2", "1:2:1", "1:2:0x81"]) func deviceNamesAKeyboard(_ device: String) {
        let run = CommandRun("import", Self.viewer, "--device", device, "-o", "-")
        #expect(run.status == 0, "\(run.notes)")
    }

    @Test func aKeyboardThatIsNotThereIsNothing() {
        for device in ["2", "1:3", "9:9:0x81"] {
            let run = CommandRun("import", Self.viewer, "--device", device, "-o", "-")
            #expect(run.status == 3)
            #expect(run.output == [])
            #expect(run.notes.contains("1:2:0x81"), "it says which there are")
        }
        #expect(CommandRun("import", Self.viewer, "--device", "first", "-o", "-").status == 64)
    }

    @Test func aDescriptorReadsWhatLooksLikeNoKeyboardAlsoForInfo() throws {
        try Files.withFolder { folder in
            let (capture, descriptor) = (folder + "/reports.txt", folder + "/descriptor.bin")
            let lines = ["00ff0400 00000000", "00ff0000 00000000"].enumerated()
                .map { "ffff8880c4df36c0 \(1000 + $0) C Ii:1:005:1 0:8 8 = \($1)\n" }
            try Files.write(Array(lines.joined().utf8), to: capture)
            // The boot keyboard's, with a byte that is no key and no zero.
            try Files.write(
                [
                    5, 1, 9, 6, 0xA1, 1, 5, 7, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0, 0x25, 1, 0x75, 1, 0x95, 8, 0x81, 2,
                    0x75, 8, 0x95, 1, 0x81, 1, 0x19, 0, 0x29, 0x65, 0x26, 0xFF, 0, 0x75, 8, 0x95, 6, 0x81, 0, 0xC0,
                ], to: descriptor)
            let refused = CommandRun("info", capture)
            #expect(refused.status == 3 && refused.notes.contains("not a keyboard's; import --descriptor FILE"))
            // Verbs that lack more than a keyboard report that first.
            for verb in ["replay", "verify", "stats", "top"] {
                let other = CommandRun(verb, capture)
                #expect(other.status == 3 && other.notes.contains("keyboard: expected one"), "\(verb) \(other.notes)")
            }
            let read = CommandRun("info", capture, "--descriptor", descriptor)
            #expect(read.status == 0 && read.text.contains("presses  1 "), "\(read.notes) \(read.text)")
            let trace = CommandRun("import", capture, "--descriptor", descriptor, "-o", "-").output
            let other = CommandRun("info", "-", "--descriptor", descriptor, stdin: trace)
            #expect(other.status == 64 && other.notes.contains("--descriptor: expected a capture"))
        }
    }
}
