/// Topics about goldens: what they are made of, and how CI judges them.
extension HelpTopic {
    static let goldensText = """
        Goldens: accepted replays, compared by tests and by keyflight gate
        A golden is a folder with input.keys (or input.keyflight), scene.yaml and expected.txt: a line for each press
        with its outcome and its counts. A test replays it twice and compares the text; a golden whose responders are
        written in Swift has no scene.yaml. findings.txt holds the accepted findings of lint; without it there are none.
        A live app has launch.txt in place of scene.yaml: the app and its arguments, one a line. keyflight launch types
        the script into it (for a test KEYFLIGHT names the program), and it runs twice before a text is for review:
        fields that differ between the two are named, and “FIELD ignore” in budgets.txt leaves them out.
        A difference is reported at its first press, with a count of the rest; the found text and the difference are
        attached to the test. KEYFLIGHT_RECORD decides when the found text is written beside the accepted one: missing
        (unless set), failed, all or never; where CI is set it is never written. keyflight review shows what is pending,
        keyflight accept NAME accepts it. Typed text is refused in a golden unless the test has allowsText.
        expectNoOrphanGoldens() fails on a golden that no Swift file of the tests names in quotes.
        GoldenTest(classes:redactions:) names fields that are ignored or have a budget, such as
        [.receivers: .ignore, .keyCommandsCalls: .budget(press: 12)], and what is taken out beforehand, such as
        [.number(after: "row-")]. Values that differ between the two replays are reported to the test.
        budgets.txt leaves room, for tests and for the gate: COUNT press|total NUMBER is the most allowed; with min
        before the number, the least: a cache that serves nothing fails. bytes is the size of the replay's trace:
          calls.keyCommands press 12
          cache.hits total min 100
          findings total 1
          bytes total 4096
          receivers ignore
        Virtual time that a press may take is in expected.txt itself, in lines below the first, which stay when the
        golden is recorded again. total is all stages with the queueing before them; the others are those of stats:
          # profile ios15 · layout us · …
          # latency total 16ms · action 10ms
        A line that cannot be read, or of a stage in which no press has any time, ends with 4.

        """

    static let gatingText = """
        Gating: goldens and builds in CI
          keyflight gate GOLDENS --tests Tests --junit gate.xml --summary "$GITHUB_STEP_SUMMARY" --format github
          keyflight gate GOLDENS --base './base/app-harness' --head './head/app-harness' --time fail
        Exact values (resolutions, counts, stale answers, order, findings of lint) fail at any difference. A time above
        its budget is reported with its press, the limit, the value, and the explain that shows where it went. --tests
        fails on goldens that no test names, --propose leaves the found text for review, --self-test proves that the
        gate can fail. A golden of responders written in Swift is listed as checked by its test: swift test fails there.
        A baseline that is missing, torn or made under another profile ends with 4, a filter that matches nothing with
        3, never with 0. GitLab takes --junit and --code-quality as its reports. A gate that stops before its verdict
        writes every report as well, with the reason as an error, so that none of an earlier run passes for its own.
        --base and --head are commands that write a trace to the file that KEYFLIGHT_OUTPUT names. They run in turn on
        one machine; of a live app: --base 'keyflight launch -o "$KEYFLIGHT_OUTPUT" --keys a.keys -- base/App'. Exact:
        resolutions, counts, findings. What one build records and the other does not (a level, a field, any time with
        --time fail) ends with 4. Their time is compared by the signed ranks of the paired ratios of each run:
          total       p50, p90, sum   worse, better, not worse by more than --margin (2 %), or inconclusive
          each stage  p50             the same; one that only some runs have, by its part of the total
          each stage  p90, sum        worse where that is proven, else not found worse
          each action sum             the same, of the eight that take longest
        A p90 needs 10 presses. More pairs run (12, 24, 48, or up to --runs) only while something is undecided; what is
        undecided then is a warning, and status 6 with --strict. Over all rows and looks the chance of a false “worse”
        is at most 1 %, of passing a total or a p50 that is slower than the margin 5 %. Each line has the noise of the
        machine, and the slowdown that four of five gates would find. Without --time fail a slower build is reported.
        --instructions counts what each build executes, with valgrind: the same to 0.004 % on any machine, so take it
        where runners are shared and time stays inconclusive. It has its own verdict, worse from --instruction-margin
        (3 %) on, which fails whatever --time says; a third of it is a warning.
        --history FILE gets a line for each gate: label, date, machine, verdict, times, ratios, counts. Steps in the
        times of this machine are reported, and a run or a few that are off. A torn line is named and left out.
        Each failure has the next command, to look, and below it the one towards accepting: never for a budget. --keep
        FOLDER keeps a trace of each build and a page of their differences, to upload.

        """
}
