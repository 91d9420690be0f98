/// Topics about where traces come from and where they go: captures, live recording, joining clocks, sharing.
extension HelpTopic {
    static let capturesText = """
        Captures: keyboards as other programs recorded them
        keyflight import CAPTURE… -o T makes a trace; every other verb reads a capture as well. Its format is found from
        its content:

        """

    static let captureRows = [
        (
            "Wireshark, tshark, tcpdump",
            "pcap of either byte order and precision, pcapng of any mix of link types: USB of Linux, Windows (USBPcap) "
                + "and macOS (XHC20); Bluetooth of bluetoothN and bluetooth-monitor"
        ),
        (
            "Android, btmon, BlueZ; macOS, iOS",
            "btsnoop and PacketLogger: classic HID and HID over GATT, with the descriptors that their discovery "
                + "brought; bonded keyboards by the shape of their reports"
        ),
        (
            "the kernel",
            "usbmon's text, dumps of /dev/input/eventN, evemu, libinput record, hid-recorder: key events, or reports "
                + "with their descriptor"
        ),
    ]

    static let capturesNotes = """
        A keyboard is recognised by its descriptor, its interface or, without both, the shape of its reports; a mouse
        gives no keys. --descriptor FILE supplies a report descriptor that the capture lacks; as it may be another
        keyboard's, the letters of chords are masked then, and so are those under a modifier that every report has.
        Several captures are put on one time base by their wall clocks. A recording that counts from its own start, such
        as evemu's, has a clock of its own and begins at time 0.
        Losses are in the trace: those of the capture's own counters, cut reports, dropped events, damaged bytes.
        Keys in packets of a network (X11, USB/IP) are not read: capture where the keyboard is plugged in.

        """

    static let recordingText = """
        Recording: keys while they are pressed
          keyflight record --tty -o my.keyflight --for 60s
          keyflight record --pcap-interface usbmon1 --evdev /dev/input/event4 -o lab.keyflight   # one time base
          keyflight launch -o app.keyflight --explain -- TextEdit notes.rtf    # an app, and who answers in it
        keyflight devices lists the keyboards with their input device, bus and address, keyflight doctor what is
        missing. A terminal needs no permission; what cannot be opened ends with status 5 and the command that makes it
        work. Privileges are given up once everything is open: a recording that sudo started belongs to its user.
        The file has mode 0600, must not exist before, and can be read while it grows. A killed recording lacks its
        last 100 ms at most (and a Control that is held with nothing pressed yet). --ring 10min keeps the last part
        alone, in two files; --rotate 64MiB begins new ones. It ends after ten minutes unless --for is given.
        Ctrl-C, SIGTERM and SIGHUP finish the file too, with status 130; a Ctrl-C that was typed on a recorded keyboard
        is not in the recording.
        Losses of an interface or a device are records at the time at which they were noticed. After dropped input
        events the device is asked which keys are down.
        A terminal with the kitty keyboard protocol reports presses, repeats, releases and modifiers. All others report
        presses alone; releases and modifiers are then synthetic, and marked so. What they send for a key begins like
        Escape, Option-[ or Option-O: it is that key when nothing follows within 25 ms. Characters and sequences that
        are no known key are lost, and counted in the trace. What is typed while the terminal is asked for the protocol,
        half a second at most, is recorded at time 0.
        A USB keyboard that was plugged in before is recognised by what the kernel knows of it, a Bluetooth keyboard
        that was paired before by its first four reports, which are written then, with their own times.
        X11 repeats a held key by releases and presses. GNUstep makes one repeat of each pair that it finds queued
        together; the other pairs are presses for the app, and so they are in its trace.

        """

    static let alignmentText = """
        Alignment: two recordings of the same typing on one time base
          keyflight merge --align usb.keyflight app.keyflight -o joined.keyflight
            usbmon → recorder: 412 presses in common of 415 and 412; offset +4.123456789 s ± 4.10 µs, drift +12.300 ppm
          keyflight import usb.pcapng --csv switch.csv --as stimulus -o keyboard.keyflight
        --align takes a capture of the bus, or the log of a switch, and what an app or evdev recorded. Presses are
        matched by key (by class where text is masked) and by time: offset and drift of the clocks are fitted robustly
        against late presses, and either trace may lack presses. Each press stays one press with its number and gets
        the stage transport in stats and explain; info shows the relation of the clocks, its uncertainty, and what only
        the bus saw. Fewer than 8 presses in common, or less than half of them: status 4.
        Two clocks cannot separate a constant delay from their own difference: such a stage is counted from the
        fastest press, and marked so. It is the delay itself where both traces count from 1970 by one machine's clock,
        such as usbmon and evdev.
        --csv FILE --as stimulus reads the log of a microcontroller or logic analyser at the switch that presses the
        key (--time-col, --edge-col, --time-unit, --active-low) and gives the stage hid. Down and up are separate, since
        debouncing need not treat them alike; bInterval is shown beside the grid of the reports, and a switch that keeps
        time with the poll is reported, since its latencies are luck.

        """

    static let sharingText = """
        Sharing: parts, repairs and copies of traces
          keyflight cut my.keyflight --presses 12-15 -o part.keyflight   # the same N and times; --rebase moves time 0
          keyflight merge left.keyflight right.keyflight -o both.keyflight
          keyflight repair torn.keyflight -o whole.keyflight
          keyflight redact my.keyflight --check
          keyflight redact my.keyflight -o shared.keyflight
        What belongs to a press stays with it, so parts that meet, merged, are the same bytes again. A loss is a record
        of its own: a repaired trace names what is missing and where. What was typed anywhere during a secure entry of
        one source is left out of a merged trace. All of these verbs mask a trace in clear unless --show-keys is given.
        redact --check ends with 1 while anything remains, so it can guard a commit. Names of scenes, layouts and
        actions stay, since replays need them, and so do ids of responders that name neither a class of the app nor a
        path.

        """
}
