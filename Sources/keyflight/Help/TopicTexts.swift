/// Texts of topics besides their tables.
extension HelpTopic {
    static let stagesText = """
        Stages: where the time of a press goes, in the order in which it passes them
        The stages of a press add up to its total. One that a recording did not see is – and not 0. Percentiles of
        stages do not add up to those of the total: keyflight tail splits the time of the same slow presses.

        """

    static let profilesText = """
        Profiles: whose rules resolve a key
        --profile takes the name of a shipped one, or the path of a profile file: parameters, each with a value. The
        shipped files, with their sources, are in Sources/ResponderEngine/Profiles. Unless it is given, a recording
        keeps its own profile, then a scene its, then it is ios15. replay takes several, separated by commas, and
        compares them. explain reports what a press would have come to under the others of its toolkit, but not under
        react-native-dev: its commands run beside the system's, so that nearly every key would be another. appkit and
        gnustep are for apps on AppKit; a trace of a GNUstep app names gnustep by itself.

        """

    static let formatText = """
        Format: a trace is a file of blocks with checksums, written once from front to back
        Inputs are told apart by content, never by name: a trace, a capture (keyflight help import), a scene, a script.
        A trace has a level: keys, resolutions (what each press came to), stages (where its time went), calls (who was
        asked what, and answered what). A trace at level calls replays without a scene.
        It can be read while it grows and from a pipe; an index at its end only makes reading faster. keyflight show
        prints it as text, and assemble makes the same bytes of that again; --format jsonl gives an object a line, whose
        names only ever grow. verify-format checks a trace strictly, repair makes a torn one whole.
        Traces/FORMAT.md is the specification.

        """

    static let privacyText = """
        Privacy: a recording of keys is a record of what somebody typed
        Text is masked before it reaches a file: of a key that types text only its class (letter, digit, …) is kept,
        while modifiers, Return, arrows and the letters of Command and Control chords stay. Only --show-keys keeps text,
        and only on the command line: no file and no variable can turn masking off.
        Number and rhythm of presses remain, so a masked trace is still personal data. keyflight redact TRACE --check
        lists what else identifies somebody, redact -o takes it out. Files are created with mode 0600. There is no
        network code in keyflight.
        A crash leaves nothing of it either: record makes no core dump, and what it read is overwritten once it is
        written masked. The recorder inside an app keeps its keys out of the app's core dumps, as far as they are its
        own (Linux). What it cannot keep out: the app's own copies of what was typed, such as events and text fields;
        the buffers of the kernel, of libpcap and of connections that are put together from packets; the registers and
        the key that is down when it crashes; and everything where --show-keys asked for it. import reads a capture
        that is in clear in its file already, and does nothing about dumps.

        """

    static let filtersText = """
        Filters: which presses, as --where takes them
          keyflight show T --where 'chord == "cmd+w" and total > 8ms and responder ~ "tab*"'
        Compare a field with == != < <= > >= to a value, or with ~ and !~ to a pattern (* and ? stand for others), and
        join by and, or, not and brackets. Values: numbers, durations (8ms, 120us), chords and names in quotes. masked,
        swallowed and marked stand for themselves.
        action is the selector that ran, a text; how long the stage of that name took is action_ns in keyflight query.
        A press that lacks a field does not match, whatever it is compared with. An error points at its column.

        """

    static let environmentText = """
        Environment: variables that stand for options
        An option of the command line is stronger than its variable, and an empty variable has no effect; a variable
        KEYFLIGHT_… that nothing reads is refused. A recording keeps the rules under which it was made, whatever the
        environment says. No variable turns masking off (that is --show-keys, each time).

        """

    static let exitCodesText = """
        Of several at once the graver stands: 130, 70, 64, 5, 2, 4, 1, 6, 3, 0. gate gives 4 instead of 2.

        """
}
