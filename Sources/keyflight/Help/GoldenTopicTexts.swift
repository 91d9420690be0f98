/// Topics about goldens: what they are made of, and how CI judges them.
extension HelpTopic {
    static let goldensText = """
        Goldens: accepted replays, compared by tests and by keyflight gate
        A golden is a folder with input.keys (or input.keyflight), scene.yaml and expected.txt: a line for each press
        with its outcome and its counts. A test replays it twice and compares the text. findings.txt holds the accepted
        findings of lint; without it there are none.
        A golden whose responders a Swift test makes has no scene.yaml, and its heading says “responders swift”; of a
        trace that is replayed by itself it says “responders recorded”. A heading without that needs scene.yaml beside
        it. Where an older one should have it, gate and test say so: swift test leaves the new text for review, accept
        it again.
        Folders may be deeper, and have the names of their paths: expectGolden("tabs/close"). A name that is nearly a
        known one (scene.yml, budget.txt, expected.TXT), a link that leads nowhere, a file that cannot be read, CR LF, a
        byte order mark, findings of a profile without its text and two inputs end with 4: nothing is passed over. Where
        git makes CR LF of line ends, put “*.txt text eol=lf” into .gitattributes.
        A live app has launch.txt in place of scene.yaml: the app and its arguments, one a line. keyflight launch types
        the script into it (for a test KEYFLIGHT names the program), and it runs twice before a text is for review:
        fields that differ between the two are named, and “FIELD ignore” in budgets.txt leaves them out.
        A difference is reported at its first press, with a count of the rest; the found text and the difference are
        attached to the test. KEYFLIGHT_RECORD decides when the found text is written beside the accepted one: missing
        (unless set), failed, all or never; in a job of CI it is never written (by CI, TF_BUILD, TEAMCITY_VERSION,
        GITLAB_CI, JENKINS_URL or BUILDKITE). keyflight review shows what is pending, keyflight accept NAME accepts it.
        Typed text is refused in a golden unless the test has allowsText.
        expectNoOrphanGoldens() fails on a golden that no Swift file of the tests names in quotes; comments, disabled
        tests and “#if false” name nothing.
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
        A line that cannot be read, of a stage in which no press has any time, or about a count or field that no press
        has, ends with 4; so does a cost in scene.yaml of an action that its responder does not have.

        """

    static let gatingText = """
        Gating: goldens and builds in CI
          swift test
          keyflight gate GOLDENS --tests Tests --junit gate.xml --summary "$GITHUB_STEP_SUMMARY" --format github
          keyflight gate GOLDENS --base './base/app-harness' --head './head/app-harness' --time fail
        Exact values (resolutions, counts, stale answers, order, findings of lint) fail at any difference. A time above
        its budget is reported with its press, the limit, the value, and the explain that shows where it went. --propose
        leaves the found text for review, --self-test proves that the gate can fail.
        Status 0 says that every golden was compared. --tests compares names in both directions: a golden that no test
        names fails (1), one that a test names and that is not there cannot be compared (4). --expect N ends with 4
        where there are fewer or more than N. A golden whose responders a Swift test makes is compared by swift test
        alone: with --tests the gate lists it as checked by its test, without it, or where there is no other, it ends
        with 4.
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
        (3 %) on, which fails whatever --time says; a third of it is a warning. What a process executes before it
        becomes another program (exec) is not among them.
        --history FILE gets a line for each gate: label, date, machine, verdict, times, ratios, counts. Steps in the
        times of this machine are reported, and a run or a few that are off. A torn line is named and left out.
        Each failure has the next command, to look, and below it the one towards accepting: never for a budget. --keep
        FOLDER keeps a trace of each build and a page of their differences, to upload.

        """
}
