/// Topics about outputs: the page, files for other programs, and the terminal.
extension HelpTopic {
    static let pageText = """
        Page: a trace in a browser
          keyflight report T -o page.html
          keyflight report base.keyflight head.keyflight -o both.html
        One file that opens from disk, loads nothing and sends nothing: its content policy is default-src 'none', with
        its own script and style by their hashes. It shows, loss first, the facts of info; the time of each stage, and
        of the slow presses against the others; latency over time, a dot for each press or, of many, a heat map whose
        cells choose their presses; the costliest keyCommands; the presses, filtered by words and fields under /; the
        chosen press as explain shows it; a timeline with a lane for each stage; every chord in every context, shadowed
        ones hatched; and the findings of lint.
        Of two traces it shows the changes first: presses are aligned as diff does (diff --format html is the same
        page), then both side by side, down to the responders that were asked.
        j and k step through the presses, ? lists the other keys. page.html#press=118 leads to a press. Every table can
        be copied as Markdown or CSV. It is light or dark as the system is, and prints. Content of a trace is only ever
        shown as text, and masked text is masked on the page too. A page stays below 2 MB: beyond 10,000 presses it
        keeps the slow ones, those of findings and an even part of the others, and counts those it leaves out.

        """

    static let exportingText = """
        Exporting: traces in other programs
          keyflight export T --format perfetto -o flight.perfetto      # ui.perfetto.dev
          keyflight export T --format chrome -o flight.json            # chrome://tracing, Perfetto
          keyflight export T --format speedscope -o flight.speedscope.json
          keyflight export T --format folded -o - | flamegraph.pl --countname ns >keyCommands.svg
          keyflight export T --format jsonl -o - | jq 'select(.stages.total_ns > 8000000) | .chord'
          duckdb -c "COPY (SELECT * FROM 'presses.jsonl') TO 'presses.parquet'"      # of --format jsonl
          keyflight export T --format csv --table calls -o calls.csv   # any table of keyflight query
          keyflight export T --format sqlite -o flight.sqlite          # all of them, with their views
          keyflight export T --format openmetrics -o keyflight.prom    # exact counts, no durations
          keyflight export T --format pcapng -o typed.pcapng           # the keys, as USB reports
          tshark -X lua_script:Scripts/keyflight.lua -r typed.pcapng -Y keyflight.press -T fields -e keyflight.chord
          keyflight export T --format xcuitest -o KeyflightKeys.swift  # a test of XCUITest that types them
          keyflight export T --format scene -o Goldens/NAME            # the session as a golden without the app
          keyflight replay T --to evemu | …                            # each line when its time has come
          keyflight replay T --to xtest                                # typed into the focused window of X
        Perfetto and Chrome: each press is an asynchronous slice on a track of its own; each stage has a track, with
        further lanes where presses overlap; calls nest in their stage, with responder, pass, number of commands and
        their own time; an arrow leads from a press to its action; counters show waiting and served presses and the
        questions of each; first responder, key window, marks and losses have tracks. A press ends with its outcome, or
        cancelled, coalesced (a repeat that was never served, since a later one was) or unresolved. Times are exact
        nanoseconds, Chrome's microseconds with three decimals; Perfetto's are the time of day where the trace knows it,
        so that it joins other profilers' traces. Stages and calls lie where a recorder reported their
        end; where a replay reported all of a press at once, stages follow each other from its key on, those before
        the system's timestamp lie before it, and calls follow each other in their stage. What was not recorded has no
        slice, a call without a duration is a moment. Time before the recording began is cut off; beyond 256
        overlapping intervals of a kind the rest is left out and counted on standard error.
        speedscope: presses as they came, one that overlaps the one before behind it: press, stage, call. Its view left
        heavy adds up the cost of each chord. folded: the responder chain from the application down, the question and
        the questions inside it, with the nanoseconds of the last frame alone; sums per responder are those of top, less
        what top counts at no press.
        jsonl has the members of replay --format jsonl, as far as recorded, and the stages. What is not recorded is null
        or an empty cell, never zero. Names come from the author of the trace: in CSV a text that a spreadsheet would
        run as a formula begins with an apostrophe, and characters that could act on a terminal are shown.
        scene: each responder has the answers that it gave first; steps of the script change them, and the chain, before
        the presses that met others, so that components come as plain views. It is replayed before it is written: what
        comes to something else is listed at its beginning. Masked keys are typed as the first key of their class.
        Without an accepted text, keyflight gate --propose --allow-text Goldens and accept make it a golden.
        xtest types by position, as a script names keys: cmd is Super. It refuses, before the first key, an input whose
        keys the display lacks or has with other characters, and says what else it leaves out; SIGINT releases all keys.
        A masked trace has no keys to export (status 64). Nothing else is given to the operating system as input.

        """

    static let terminalText = """
        Terminal: output, pager, progress, colour
        Results go to standard output, everything else to standard error. A wrong input is one line, FILE: where: what:
        expected …, found …, with an id at its end: keyflight help KF0201 explains it. An id keeps its meaning.
        show, explain, diff and the reports go through $PAGER (else less -FRX) at a terminal; --no-pager or
        KEYFLIGHT_PAGER=0 turns that off. The exit status stays that of the verb. Tables fit the terminal, or COLUMNS.
        Long work shows at a terminal how far it is, in a line of standard error that is gone before anything is
        printed: none in pipes, in files and where CI is set; --no-progress turns it off.
        Colour is for terminals that know it: --color always or never decides, then NO_COLOR, CLICOLOR_FORCE and
        FORCE_COLOR. --ascii prints no glyphs: Cmd+W for ⌘W. Forms for programs, such as JSON, never change.

        """
}
