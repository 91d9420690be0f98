import Testing

@testable import keyflight

/// Commands of the user's that gate and minimise run: how long they are waited for, and what an interruption leaves.
@Suite struct HarnessProcessTests {
    private static let script = "press cmd+w\n"

    @Test(arguments: ["INT", "TERM", "HUP"], ["minimise", "gate"])
    func anInterruptionEndsWhatWasStartedAndLeavesNothing(_ signal: String, _ verb: String) throws {
        let harness = "echo $$ > started; sleep 1000"
        let arguments =
            verb == "gate" ? "--base '\(harness)' --head '\(harness)'" : "a.keys --test '\(harness)' -o out"
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir tmp && printf '\(Self.script)' > a.keys && export TMPDIR="$PWD/tmp"
                    "$keyflight" \(verb) \(arguments) >/dev/null 2>&1 & id=$!
                    while [ ! -s started ]; do sleep 0.05; done
                    kill -\(signal) $id; wait $id; echo "status $?"
                    kill -0 $(cat started) 2>/dev/null && echo "still runs"; ls -A tmp; ls -d out 2>/dev/null
                    """)
            #expect(run.output == "status 130\n", "\(run.notes)")
        }
    }

    /// What was in the reports before is of another gate. The summary, to which gates add, keeps it.
    @Test func anInterruptionLeavesNoReportOfAnEarlierGate() throws {
        let reports = ["junit", "code-quality", "metrics", "patch", "summary"]
        let options = reports.map { "--\($0) \($0)" }.joined(separator: " ")
        try Files.withFolder { folder in
            let golden = Files.path("Traces/golden/g01-three-passes-on-ios7")
            let files = reports.map { "\(folder)/\($0)" }
            for file in files { try Files.write(Array("yesterday\n".utf8), to: file) }
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir goldens && cp -r '\(golden)' goldens
                    harness='echo $$ > started; sleep 1000'
                    "$keyflight" gate goldens --base "$harness" --head "$harness" \(options) >/dev/null 2>&1 & id=$!
                    while [ ! -s started ]; do sleep 0.05; done
                    kill -TERM $id; wait $id
                    """)
            #expect(run.status == 130, "\(run.notes)")
            for file in files.dropLast() { #expect(!Files.text(file).contains("yesterday"), "\(file)") }
            #expect(Files.text(files[0]).contains("<error type=\"notComparable\" message=\"the gate ended before"))
            let summary = Files.text(folder + "/summary")
            #expect(summary.hasPrefix("yesterday\n### keyflight gate: FAILED"), "\(summary)")
            #expect(summary.contains("the gate ended before"), "\(summary)")
            // The next one adds its own to it.
            let next = CommandRun("gate", folder + "/goldens", "--summary", folder + "/summary")
            #expect(next.status == 0)
            let both = Files.text(folder + "/summary")
            #expect(both.hasPrefix(summary + "### keyflight gate: passed"), "\(both)")
        }
    }

    /// The app of a live golden is a grandchild. One that the adapter is in and that is no app is refused at once.
    @Test(arguments: ["INT", "TERM", "HUP"])
    func anInterruptionEndsALiveAppAndLeavesNothing(_ signal: String) throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir -p tmp goldens/app && printf '\(Self.script)' > goldens/app/input.keys
                    printf '%s\\n' /bin/sh -c 'echo $$ > started; exec env -i /bin/sleep 1000' > goldens/app/launch.txt
                    export TMPDIR="$PWD/tmp"
                    "$keyflight" gate goldens --run-apps >/dev/null 2>&1 & id=$!
                    while [ ! -s started ]; do sleep 0.05; done
                    kill -\(signal) $id; wait $id; echo "status $?"
                    kill -0 $(cat started) 2>/dev/null && echo "still runs"; ls -A tmp
                    """)
            #expect(run.output == "status 130\n", "\(run.notes)")
        }
    }

    @Test func aCommandThatChangesItsFolderWritesWhereTheGateLooks() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir app
                    cp '\(Files.path("Traces/compatibility/v1/calls.keyflight"))' app/a.keyflight
                    harness='cd app && cp a.keyflight "$KEYFLIGHT_OUTPUT"'
                    "$keyflight" gate --base "$harness" --head "$harness" --runs 12 --keep builds >&2
                    echo "status $?"; ls builds
                    """)
            #expect(run.output.hasPrefix("status 0\nbase"), "\(run.output)\(run.notes)")
        }
    }

    /// Traces and page of an earlier gate are no evidence of one that failed.
    @Test func aFailedFirstPairLeavesItsOwnTracesAlone() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir builds && echo old | tee builds/base.keyflight builds/head.keyflight \
                    builds/diff.html >/dev/null
                    cp '\(Files.path("Traces/compatibility/v1/calls.keyflight"))' a.keyflight
                    "$keyflight" gate --base 'cp a.keyflight "$KEYFLIGHT_OUTPUT"' --head 'exit 3' --runs 12 \
                    --keep builds >&2
                    echo "status $?"; ls builds; cmp a.keyflight builds/base.keyflight
                    """)
            #expect(run.output == "status 4\nbase.keyflight\n", "\(run.output)\(run.notes)")
        }
    }

    /// Refused before its builds run.
    @Test(arguments: ["nowhere", "goldens --tests nowhere", "goldens --propose", "goldens --junit a --metrics a"])
    func aRefusedGateLeavesNothingOfAnEarlierOne(_ goldens: String) throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir builds goldens && touch builds/base.keyflight builds/head.keyflight \
                    builds/diff.html builds/others
                    CI=1 "$keyflight" gate \(goldens) --base true --head true --keep builds >&2
                    [ $? != 0 ] && ls builds
                    """)
            #expect(run.output == "others\n", "\(run.output)\(run.notes)")
        }
    }

    @Test func whatACommandLeavesInTheBackgroundIsNotWaitedFor() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && printf '\(Self.script)' > a.keys
                    "$keyflight" minimise a.keys --tries 3 -o out --test 'sleep 1000 & echo $! >> left' 2>&1
                    echo "status $?"
                    for id in $(cat left); do kill $id || echo "$id was ended"; done
                    """)
            #expect(run.output.hasSuffix("status 0\n"), "\(run.output)")
        }
    }

    @Test func aCommandThatTakesTooLongIsEndedAndNamed() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && "$keyflight" gate --timeout 1 --head true \
                    --base 'echo $$ > started; sleep 1000' 2>&1 >/dev/null
                    echo "status $?"; kill -0 $(cat started) 2>/dev/null && echo "still runs"
                    """)
            #expect(
                run.output == """
                    base, run 1: echo $$ > started; sleep 1000: end: expected within 1 s, found it running; \
                    --timeout gives it longer [KF0401]
                    status 4

                    """)
        }
    }

    /// What a command prints without end is not held.
    @Test(arguments: ["gate --head true --base", "minimise a.keys -o out --test"])
    func aCommandThatPrintsWithoutEndTakesNoMemory(_ verb: String) throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkdir tmp && printf '\(Self.script)' > a.keys && export TMPDIR="$PWD/tmp"
                    ulimit -c 0; ulimit -d 65536
                    "$keyflight" \(verb) 'head -c 200000000 /dev/zero; exit 1' 2>&1; echo "status $?"; ls -A tmp
                    """)
            #expect(run.output.hasSuffix("]\nstatus 4\n"), "\(run.output.suffix(300))")
        }
    }

    @Test func aTestThatTakesTooLongHasFailed() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && printf '\(Self.script)' > a.keys
                    "$keyflight" minimise a.keys --timeout 1 -o out --test 'sleep 1000' 2>&1; echo "status $?"
                    """)
            #expect(run.output.hasSuffix("[KF0404]\nstatus 4\n"), "\(run.output)")
        }
    }
}
