/// The text of `keyflight help ID` about an error.
struct FailureEntry {
    /// The event.
    var what: String
    /// Its usual cause.
    var why: String
    /// The remedy.
    var remedy: String
}

extension FailureID {
    var entry: FailureEntry {
        switch status {
        case .findings, .damaged: inputEntry
        case .nothingMatched, .notComparable: comparisonEntry
        case .notPermitted, .defect: systemEntry
        default: usageEntry
        }
    }

    private var inputEntry: FailureEntry {
        switch self {
        case .notAFunction:
            FailureEntry(
                what: "A harness of the gate came to other resolutions or counts in its second run.",
                why: "It depends on something else than its input: the clock, the order of a dictionary, what an "
                    + "earlier run left behind.",
                remedy: "Compare two of its traces with keyflight diff, and take out what differs.")
        case .unreadable:
            FailureEntry(
                what: "A file cannot be opened or read.",
                why: "There is none of that name, it is a folder, the device under it fails, or it has more bytes than "
                    + "are held of what cannot be read piece by piece, if it has an end at all.",
                remedy: "Look at the path; - is standard input.")
        case .unknownContent:
            FailureEntry(
                what: "A file is neither a trace nor a capture, a scene or a key script.",
                why: "Inputs are told apart by what is in them. The first bytes are of no form that is known, or the "
                    + "file is empty.",
                remedy: "keyflight help import lists the captures. A key script is UTF-8 text.")
        case .damagedTrace:
            FailureEntry(
                what: "A trace, or its text twin, breaks a rule of its format at the place that is named.",
                why: "Bytes were changed or lost, or the text was edited into something that no trace says.",
                remedy: "keyflight repair keeps what is whole; keyflight verify-format lists every violation.")
        case .incompleteTrace:
            FailureEntry(
                what: "A trace is torn or damaged. Everything that is whole was used.",
                why: "The recording was killed or is still going on (no end marker), or a block does not fit its "
                    + "checksum.",
                remedy: "keyflight repair makes a complete trace that says what is missing.")
        case .damagedCapture:
            FailureEntry(
                what: "A capture, a report descriptor or the log of a switch says something that cannot be.",
                why: "It was cut or changed, or its link layer or columns are others than expected.",
                remedy: "Read the place that is named. What is whole before it was imported, where the line says so.")
        case .wrongText:
            FailureEntry(
                what: "A scene, a key script or a key binding file says something that is not in its language.",
                why: "A word, a type or a range is wrong in the line that is named.",
                remedy: "Samples are in Traces/scenes and Traces/golden.")
        case .wrongProfileFile:
            FailureEntry(
                what: "A profile file lacks a parameter, or gives it a value that it cannot have.",
                why: "A profile names all parameters, each with one of its values.",
                remedy: "Begin with a copy of a shipped profile; keyflight help profiles names them.")
        case .impossibleStep:
            FailureEntry(
                what: "A step of the input cannot be taken with these responders.",
                why: "It names a responder that the scene does not have, or asks for what that one cannot do.",
                remedy: "Replay with the scene that the input was made for.")
        case .notATrace:
            FailureEntry(
                what: "A verb that works on traces was given something else.",
                why: "The file does not begin as a trace does, nor as the text twin of one.",
                remedy: "keyflight import makes a trace of a capture, keyflight replay -o of a key script.")
        case .otherVersion:
            FailureEntry(
                what: "The file was written in a version of the format that this build does not read.",
                why: "It comes from a later keyflight.", remedy: "Install the version that wrote it, or a later one.")
        case .unmaskedTrace:
            FailureEntry(
                what: "A trace holds text in clear, and was kept out of a table of many traces.",
                why: "It was recorded, imported or replayed with --show-keys.",
                remedy: "keyflight redact TRACE -o MASKED masks it.")
        case .duplicateTrace:
            FailureEntry(
                what: "An input has the same bytes as one before it, and is counted once.",
                why: "A trace was uploaded or named twice.", remedy: "Nothing has to be done.")
        case .tooLarge:
            FailureEntry(
                what: "An input is larger than what a table of many traces, tail or report takes of one.",
                why: "It is no session of an app, a large trace came through an archive, or it has a million presses.",
                remedy: "Name it as a file instead, or cut it with keyflight cut.")
        default:
            FailureEntry(
                what: "An input says something that cannot be.",
                why: "Times run backwards or are beyond their range, or a value contradicts an earlier one.",
                remedy: "Read the place that is named.")
        }
    }

    private var comparisonEntry: FailureEntry {
        switch self {
        case .noSuchPress:
            FailureEntry(
                what: "No press that was recorded is the one that was asked for.",
                why: "The chord was never pressed, or its letter was masked, or there are fewer presses.",
                remedy: "keyflight show INPUT --kind key lists the presses.")
        case .emptyPart:
            FailureEntry(
                what: "The part that was to be cut out holds no record. Nothing was written.",
                why: "The times or presses lie outside the trace.",
                remedy: "keyflight info TRACE reports its length and its number of presses.")
        case .noKeyboard:
            FailureEntry(
                what: "A capture holds no keyboard. Nothing was written.",
                why: "It is of another bus, or neither descriptors nor reports look like a keyboard's.",
                remedy: "Capture while plugging it in, or name --descriptor and --device.")
        case .noSuchGolden:
            FailureEntry(
                what: "No golden has a name that matches the filter, so nothing was compared.",
                why: "The filter or the folder is another one than meant. A gate that looked at nothing must not pass.",
                remedy: "* and ? in --filter stand for other characters.")
        case .nothingPending:
            FailureEntry(
                what: "No pending text matches the names.",
                why: "It was accepted already, or the tests did not write it: where CI is set they never do.",
                remedy: "keyflight review lists what is pending.")
        case .harnessFailed:
            FailureEntry(
                what: "A command that the gate runs ended with another status than 0.",
                why: "It failed by itself; its last line is printed.", remedy: "Run the command alone.")
        case .harnessTrace:
            FailureEntry(
                what: "A command that the gate runs left no usable trace.",
                why: "It must write a whole trace with presses to the file that KEYFLIGHT_OUTPUT names.",
                remedy: "keyflight info on that file reports what is wrong with it.")
        case .notAligned:
            FailureEntry(
                what: "Two traces could not be put on one time base. Nothing was written.",
                why: "They have too few presses in common to be of the same typing.",
                remedy: "merge without --align joins traces by their times.")
        case .testFails:
            FailureEntry(
                what: "The test of minimise fails on the whole input, so there is nothing to make smaller.",
                why: "It must end with 0 while what is wrong is still there.",
                remedy: "Run the test by hand, with KEYFLIGHT_INPUT and KEYFLIGHT_SCENE set.")
        case .noBaseline:
            FailureEntry(
                what: "A baseline is missing, torn or made under other rules.",
                why: "A golden has no accepted text, or its folder lacks a file.",
                remedy: "keyflight review shows what is pending, keyflight accept takes it.")
        case .notComparable:
            FailureEntry(
                what: "Two traces were made under different rules, so a difference would say nothing.",
                why: "Profile, layout, scene, masking or a parameter is another one.",
                remedy: "Record or replay both in the same way.")
        default:
            FailureEntry(
                what: "Nothing in the input matches what was asked for.",
                why: "The filter is narrower than meant, or its field is absent in this recording.",
                remedy: "keyflight help filters lists the fields.")
        }
    }

    private var systemEntry: FailureEntry {
        switch self {
        case .forbidden:
            FailureEntry(
                what: "The system does not let this user read a file.",
                why: "Its permissions, or those of a folder above it, say so.",
                remedy: "ls -l shows who owns it.")
        case .unwritable:
            FailureEntry(
                what: "Something could not be written. A file that was there is as it was.",
                why: "The disk is full, the folder does not let this user write, or everybody may write to it.",
                remedy: "Choose another folder.")
        case .notRunnable:
            FailureEntry(
                what: "A program could not be started.", why: "It is not there or may not be executed.",
                remedy: "Run the command alone.")
        case .notRecordable:
            FailureEntry(
                what: "An input to record from could not be opened.",
                why: "It is not there, another program holds it, or this user may not read it.",
                remedy: "keyflight doctor prints the command that makes it work; --tty needs no permission.")
        case .notLaunchable:
            FailureEntry(
                what: "An app could not be started under the recorder, or its adapter did not come up.",
                why: "It is not there, has no Objective-C runtime, is for another architecture or refuses libraries; "
                    + "or the adapter is not installed.",
                remedy: "Scripts/install puts the adapter beside the program; keyflight help launch lists what an app "
                    + "must be.")
        case .fleetUnavailable:
            FailureEntry(
                what: "The part of keyflight that is written in Python cannot run.",
                why: "Python 3.11 or newer, DuckDB, PyArrow or the package keyflight for it is missing.",
                remedy: "The line has the command that installs it.")
        case .notTypable:
            FailureEntry(
                what: "Keys cannot be typed into a window of an X display.",
                why: "DISPLAY names none that can be reached, it has no XTEST extension, no window has its keyboard, "
                    + "keys are held on it, or Xlib is missing. Wayland's compositors give XTEST to X clients alone.",
                remedy: "Set DISPLAY, give the app's window the keyboard and leave the keys alone; Xvfb has all of it.")
        case .recordingBroken:
            FailureEntry(
                what: "A recording could no longer be written. What was recorded before is whole.",
                why: "The disk is full or went away.", remedy: "keyflight repair makes the file complete.")
        case .defect:
            FailureEntry(
                what: "keyflight itself is wrong.", why: "Something happened that its makers held to be impossible.",
                remedy: "Please report the whole line, with the input if you can share it (keyflight redact).")
        case .gateDoesNotFail:
            FailureEntry(
                what: "The gate passed an input that its self-test had broken, or failed one that it had not.",
                why: "The program, or the machine's tools that it runs, do not do what they should.",
                remedy: "Do not trust this gate; please report the line.")
        default:
            FailureEntry(
                what: "The system refused something.", why: "A folder cannot be made, or a device is busy.",
                remedy: "The line names the path and the reason.")
        }
    }

    private var usageEntry: FailureEntry {
        switch self {
        case .outputExists:
            FailureEntry(
                what: "The file to write is there already, and was left as it is.",
                why: "Nothing is replaced unless that is asked for.", remedy: "--force replaces a regular file.")
        case .terminalOutput:
            FailureEntry(
                what: "A trace is binary and was not written to the terminal.",
                why: "-o - is standard output, and that is a terminal.", remedy: "Name a file with -o, or use a pipe.")
        case .nothingToReplayWith:
            FailureEntry(
                what: "There are no responders to resolve the keys with.",
                why: "Key scripts, captures and traces below level calls contain keys only.",
                remedy: "Name a scene with --scene, or in .keyflight.toml.")
        case .otherInput:
            FailureEntry(
                what: "An option does not go with an input of this kind.",
                why: "Keyboards are chosen in captures, --follow is for traces, an overlay is of a scene.",
                remedy: "keyflight help VERB describes each option.")
        case .unknownProfile:
            FailureEntry(
                what: "No profile has that name.", why: "Names are of shipped profiles; a path has a / or a dot in it.",
                remedy: "keyflight help profiles lists them.")
        case .unknownLayout:
            FailureEntry(
                what: "No layout has that name.",
                why: "Names are those of xkb (us, fr, us:dvorak); four are part of the program, the rest of the "
                    + "system.",
                remedy: "localectl list-x11-keymap-layouts lists what the system has.")
        case .wrongWhatIf:
            FailureEntry(
                what: "A what-if is not one of the changes that can be reckoned.",
                why: "It names an unknown change, responder or policy, or mixes costs with rules.",
                remedy: "keyflight help replay lists them.")
        case .wrongChord:
            FailureEntry(
                what: "A chord could not be read.", why: "Modifiers come first, the key last.",
                remedy: "Write cmd+shift+w, ⇧⌘W or Cmd-Shift-W.")
        case .notExportable:
            FailureEntry(
                what: "The input cannot be written in that form, or typed there.",
                why: "Its keys are masked, there are several keyboards and the form holds one, or the display has "
                    + "another layout.",
                remedy: "Record with --show-keys; choose a keyboard with --device, a layout with --layout.")
        case .wrongSetting:
            FailureEntry(
                what: "A setting in .keyflight.toml, or in the environment, is not understood.",
                why: "Its key is not known, its value is of another type or outside its range, or the file is no TOML.",
                remedy: "keyflight config --explain lists the keys; KEYFLIGHT_CONFIG= (empty) leaves the file out.")
        case .onlyByHand:
            FailureEntry(
                what: "Goldens are accepted by a person, not by a machine.", why: "CI is set in the environment.",
                remedy: "Accept them where you look at the difference, and commit the text.")
        case .wrongRules:
            FailureEntry(
                what: "A file of budgets, a pattern or a record mode is not understood.",
                why: "A word in it is not in the language.", remedy: "The line names the word and what is expected.")
        case .unknownTopic:
            FailureEntry(
                what: "There is no help of that name.", why: "It is neither a verb nor a topic, a rule or an error id.",
                remedy: "keyflight help lists verbs and topics.")
        default:
            FailureEntry(
                what: "The command line is not understood.",
                why: "An option is unknown, lacks its value, or excludes another one that was given.",
                remedy: "keyflight help VERB lists the options.")
        }
    }
}
