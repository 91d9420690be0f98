extension FailureID {
    /// The text of `keyflight help ID`: the event, its usual cause, and the remedy. A test has it of every id.
    var entry: (what: String, why: String, remedy: String) { FailureID.entries[self] ?? ("", "", "") }

    private static let entries: [FailureID: (what: String, why: String, remedy: String)] = [
        .notAFunction: (
            "A harness of the gate came to other resolutions or counts in its second run.",
            "It depends on something else than its input: the clock, the order of a dictionary, what an earlier run "
                + "left behind.",
            "Compare two of its traces with keyflight diff, and take out what differs."),
        .damaged: (
            "An input says something that cannot be.",
            "Times run backwards or are beyond their range, or a value contradicts an earlier one.",
            "Read the place that is named."),
        .unreadable: (
            "A file cannot be opened or read.",
            "There is none of that name, it is a folder, the device under it fails, or it has more bytes than are "
                + "held of what cannot be read piece by piece, if it has an end at all.",
            "Look at the path; - is standard input."),
        .unknownContent: (
            "A file is neither a trace nor a capture, a scene or a key script.",
            "Inputs are told apart by what is in them. The first bytes are of no form that is known, or the file is "
                + "empty.",
            "keyflight help import lists the captures. A key script is UTF-8 text."),
        .damagedTrace: (
            "A trace, in its binary or its text format, breaks a rule of its format at the place that is named.",
            "Bytes were changed or lost, or the text was edited into something that no trace says.",
            "keyflight repair keeps what is whole; keyflight verify-format lists every violation."),
        .incompleteTrace: (
            "A trace is torn or damaged. Everything that is whole was used.",
            "The recording was killed or is still going on (no end marker), or a block does not fit its checksum.",
            "keyflight repair makes a complete trace that says what is missing."),
        .damagedCapture: (
            "A capture, a report descriptor or the log of a switch says something that cannot be.",
            "It was cut or changed, or its link layer or columns are others than expected.",
            "Read the place that is named. What is whole before it was imported, where the line says so."),
        .wrongText: (
            "A scene, a key script or a key binding file says something that is not in its language.",
            "A word, a type or a range is wrong in the line that is named.",
            "Samples are in Traces/scenes and Traces/golden."),
        .wrongProfileFile: (
            "A profile file lacks a parameter, or gives it a value that it cannot have.",
            "A profile names all parameters, each with one of its values.",
            "Begin with a copy of a shipped profile; keyflight help profiles names them."),
        .impossibleStep: (
            "A step of the input cannot be taken with these responders.",
            "It names a responder that the scene does not have, or asks for what that one cannot do.",
            "Replay with the scene that the input was made for."),
        .notATrace: (
            "A verb that works on traces was given something else.",
            "The file does not begin as a trace does, nor as the text format of one.",
            "keyflight import makes a trace of a capture, keyflight replay -o of a key script."),
        .otherVersion: (
            "The file was written in a version of the format that this build does not read.",
            "It comes from a later keyflight.",
            "Install the version that wrote it, or a later one."),
        .unmaskedTrace: (
            "A trace holds text in clear, and was kept out of a table of many traces.",
            "It was recorded, imported or replayed with --show-keys.",
            "keyflight redact TRACE -o MASKED masks it."),
        .duplicateTrace: (
            "An input has the same bytes as one before it, and is counted once.",
            "A trace was uploaded or named twice.",
            "Nothing has to be done."),
        .tooLarge: (
            "An input is larger than what a table of many traces, tail or report takes of one.",
            "It is no session of an app, a large trace came through an archive, or it has a million presses.",
            "Name it as a file instead, or cut it with keyflight cut."),
        .nothingMatched: (
            "Nothing in the input matches what was asked for.",
            "The filter is narrower than meant, or its field is absent in this recording.",
            "keyflight help filters lists the fields."),
        .noSuchPress: (
            "No press that was recorded is the one that was asked for.",
            "The chord was never pressed, or its letter was masked, or there are fewer presses.",
            "keyflight show INPUT --kind key lists the presses."),
        .emptyPart: (
            "The part that was to be cut out holds no record. Nothing was written.",
            "The times or presses lie outside the trace.",
            "keyflight info TRACE reports its length and its number of presses."),
        .noKeyboard: (
            "A capture holds no keyboard. Nothing was written.",
            "It is of another bus, or neither descriptors nor reports look like a keyboard's.",
            "Capture while plugging it in, or name --descriptor and --device."),
        .noSuchGolden: (
            "No golden has a name that matches the filter, so nothing was compared.",
            "The filter or the folder is another one than meant. A gate that looked at nothing must not pass.",
            "* and ? in --filter stand for other characters."),
        .nothingPending: (
            "No pending text matches the names.",
            "It was accepted already, or the tests did not write it: where CI is set they never do.",
            "keyflight review lists what is pending."),
        .notComparable: (
            "Two traces were made under different rules, so a difference would say nothing.",
            "Profile, layout, scene, masking or a parameter is another one.",
            "Record or replay both in the same way."),
        .harnessFailed: (
            "A command that the gate runs ended with another status than 0.",
            "It failed by itself; its last line is printed.",
            "Run the command alone."),
        .harnessTrace: (
            "A command that the gate runs left no usable trace.",
            "It must write a whole trace with presses to the file that KEYFLIGHT_OUTPUT names.",
            "keyflight info on that file reports what is wrong with it."),
        .notAligned: (
            "Two traces could not be put on one time base. Nothing was written.",
            "They have too few presses in common to be of the same typing.",
            "merge without --align joins traces by their times."),
        .testFails: (
            "The test of minimise fails on the whole input, so there is nothing to make smaller.",
            "It must end with 0 while what is wrong is still there.",
            "Run the test by hand, with KEYFLIGHT_INPUT and KEYFLIGHT_SCENE set."),
        .noBaseline: (
            "A baseline is missing, torn or made under other rules.",
            "A golden has no accepted text, or its folder lacks a file.",
            "keyflight review shows what is pending, keyflight accept takes it."),
        .notPermitted: (
            "The system refused something.",
            "A folder cannot be made, or a device is busy.",
            "The line names the path and the reason."),
        .forbidden: (
            "A file or a folder that is there cannot be read.",
            "Its permissions, or those of a folder above it, forbid it, or it is a link that leads nowhere or out of "
                + "a golden.",
            "ls -l shows who owns it, and where a link leads."),
        .unwritable: (
            "Something could not be written. A file that was there is as it was.",
            "The disk is full, the folder does not let this user write, or everybody may write to it.",
            "Choose another folder."),
        .notRunnable: (
            "A program could not be started.",
            "It is not there or may not be executed.",
            "Run the command alone."),
        .notRecordable: (
            "An input to record from could not be opened.",
            "It is not there, another program holds it, or this user may not read it.",
            "keyflight doctor prints the command that makes it work; --tty needs no permission."),
        .recordingBroken: (
            "A recording could no longer be written. What was recorded before is whole.",
            "The disk is full or went away.",
            "keyflight repair makes the file complete."),
        .notLaunchable: (
            "An app could not be started under the recorder, or its adapter did not come up.",
            "It is not there, has no Objective-C runtime, is for another architecture or refuses libraries; or the "
                + "adapter is not installed.",
            "Scripts/install puts the adapter beside the program; keyflight help launch lists what an app must be."),
        .fleetUnavailable: (
            "The part of keyflight that is written in Python cannot run.",
            "Python 3.11 or newer, DuckDB, PyArrow or the package keyflight for it is missing.",
            "The line has the command that installs it."),
        .notTypable: (
            "Keys cannot be typed into a window of an X display.",
            "DISPLAY names none that can be reached, it has no XTEST extension, no window has its keyboard, keys are "
                + "held on it, or Xlib is missing. Wayland's compositors give XTEST to X clients alone.",
            "Set DISPLAY, give the app's window the keyboard and leave the keys alone; Xvfb has all of it."),
        .usage: (
            "The command line is not understood.",
            "An option is unknown, lacks its value, or excludes another one that was given.",
            "keyflight help VERB lists the options."),
        .outputExists: (
            "The file to write is there already, and was left as it is.",
            "Nothing is replaced unless that is asked for.",
            "--force replaces a regular file."),
        .terminalOutput: (
            "A trace is binary and was not written to the terminal.",
            "-o - is standard output, and that is a terminal.",
            "Name a file with -o, or use a pipe."),
        .nothingToReplayWith: (
            "There are no responders to resolve the keys with.",
            "Key scripts, captures and traces below level calls contain keys only.",
            "Name a scene with --scene, or in KEYFLIGHT_SCENE."),
        .otherInput: (
            "An option does not go with an input of this kind.",
            "Keyboards are chosen in captures, --follow is for traces, an overlay is of a scene.",
            "keyflight help VERB describes each option."),
        .unknownProfile: (
            "No profile has that name.",
            "Names are of shipped profiles; a path has a / or a dot in it.",
            "keyflight help profiles lists them."),
        .unknownLayout: (
            "No layout has that name.",
            "Names are those of xkb (us, fr, us:dvorak); four are part of the program, the rest of the system.",
            "localectl list-x11-keymap-layouts lists what the system has."),
        .wrongWhatIf: (
            "A what-if is not one of the changes that can be reckoned.",
            "It names an unknown change, responder or policy, or mixes costs with rules.",
            "keyflight help replay lists them."),
        .wrongChord: (
            "A chord could not be read.",
            "Modifiers come first, the key last.",
            "Write cmd+shift+w, ⇧⌘W or Cmd-Shift-W."),
        .notExportable: (
            "The input cannot be written in that form, or typed there.",
            "Its keys are masked, there are several keyboards and the form holds one, or the display has another "
                + "layout.",
            "Record with --show-keys; choose a keyboard with --device, a layout with --layout."),
        .wrongSetting: (
            "An environment variable of keyflight is not known, or has a value that it cannot have.",
            "Nothing reads a variable of its name, or its value is of another type or outside its range.",
            "keyflight help environment lists the variables; an empty one has no effect."),
        .onlyByHand: (
            "Goldens are accepted by a person, not by a machine.",
            "CI, or another variable by which a service marks its jobs, is set in the environment.",
            "Accept them where you look at the difference, and commit the text."),
        .wrongRules: (
            "A file of budgets, a pattern or a record mode is not understood.",
            "A word in it is not in the language.",
            "The line names the word and what is expected."),
        .unknownTopic: (
            "There is no help of that name.",
            "It is neither a verb nor a topic, a rule or an error id.",
            "keyflight help lists verbs and topics."),
        .defect: (
            "keyflight itself is wrong.",
            "Something happened that its makers held to be impossible.",
            "Please report the whole line, with the input if you can share it (keyflight redact)."),
        .gateDoesNotFail: (
            "The gate passed an input that its self-test had broken, or failed one that it had not.",
            "The program, or the machine's tools that it runs, do not do what they should.",
            "Do not trust this gate; please report the line."),
    ]
}
