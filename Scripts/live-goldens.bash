# shellcheck shell=bash
# Sourced by Scripts/real-apps after typed-apps.bash: goldens of builds of the fixture, and gates of two of them.

# `Plain`, `Slow` with a command that takes 5 ms to validate, and `Moved` with a command that another responder has.
compile_builds() {
    local build
    for build in Slow Moved Plain; do
        compile_app "-DFIXTURE_${build^^}"
        cp "$work/AppKitApp" "$work/$build"
    done
}

# The program as a person runs it: goldens are not proposed or accepted where CI is set.
by_hand() { env -u CI "$keyflight" "$@"; }

# A golden of the fixture as its user has it, from the first gate to a change that is accepted.
live_golden() {
    local goldens=$work/goldens golden=$work/goldens/fixture
    mkdir -p "$golden"
    cp "$work/Plain" "$work/Golden"
    echo "$work/Golden" >"$golden/launch.txt"
    printf 'press i\npress cmd+4\npress cmd+i\npress cmd+2\ntype ab\npress cmd+q\n' >"$golden/input.keys"
    expect 4 'no text was accepted yet' "$keyflight" gate --run-apps "$goldens"
    # The first responder is another one in every second run.
    FIXTURE_TURN=$work/turn expect 1 'two runs of the app differ in outcome, takenBy' by_hand gate --run-apps "$goldens" --propose
    [ ! -e "$golden/expected.txt.new" ] || wrong "gate --propose: what differs between two runs is for review"
    expect 4 'pending: fixture' by_hand gate --run-apps "$goldens" --propose
    expect 0 'accepted fixture' by_hand accept --goldens "$goldens" fixture
    expect 0 'passed' "$keyflight" gate --run-apps "$goldens"
    expect 0 '1 test' golden_test "$goldens"
    # Another build, whose app is the one that the golden names.
    cp "$work/Moved" "$work/Golden"
    expect 1 'Canvas' "$keyflight" gate --run-apps "$goldens"
    expect 1 'bad: 1 press of the golden changed' "$keyflight" bisect-run --run-apps "$goldens"
    expect 1 'Canvas.inspect:' golden_test "$goldens"
    expect 1 'Canvas.inspect:' by_hand review "$goldens"
    # At a terminal: a accepts.
    printf a | env -u CI script -qec "'$keyflight' review '$goldens'" /dev/null >"$work/said" || wrong "$(cat "$work/said")"
    expect 0 'passed' "$keyflight" gate --run-apps "$goldens"
    echo "a golden of a live app: accepted, the same in the same build, changed in another, reviewed and accepted"
}

# The golden in a test of Swift Testing, which leaves what it finds for review.
golden_test() { # GOLDENS
    local bundle=(.build/debug/*.xctest)
    [ -e "${bundle[0]}" ] || swift build --build-tests >&2
    KEYFLIGHT_LIVE_GOLDENS=$1 KEYFLIGHT=$keyflight KEYFLIGHT_RECORD=failed \
        env -u CI swift test --skip-build --filter LiveAppGoldenTests
}

# An app that cannot be compared fails its golden in one line, and nothing of it is left.
hostile_goldens() {
    local golden=$work/hostile/app
    mkdir -p "$golden"
    printf 'press cmd+i\npress cmd+q\n' >"$golden/input.keys"
    refused_golden 'NoSuchApp: run: expected a program, found none in PATH' NoSuchApp
    refused_golden 'adapter: expected it to come up, found a program without an Objective-C runtime' sleep 0.4
    DISPLAY='' refused_golden 'AppKitApp: it ended with status' "$work/AppKitApp"
    FIXTURE_END=dies refused_golden 'AppKitApp: it died of signal 6' "$work/AppKitApp"
    FIXTURE_END=never refused_golden 'end: expected within 10 s, found it running' "$work/AppKitApp"
    printf 'keys 1\ninsert x\n' >"$golden/input.keys"
    refused_golden 'line 2: insert: expected a step that a live app follows' "$work/AppKitApp"
    ! pgrep -f "$work/AppKitApp" >/dev/null || wrong "an app of a golden still runs"
    echo "a golden of a live app: what cannot be compared says why"
}
refused_golden() { # WORDS COMMAND…
    local words=$1
    shift
    printf '%s\n' "$@" >"$golden/launch.txt"
    expect 4 "$words" "$keyflight" gate --run-apps "$work/hostile" --timeout 10
    expect 125 "skipped" "$keyflight" bisect-run --run-apps "$work/hostile"
}

# Two builds, whose keys are typed in turn: what is slower is found, and what another responder does; in the same build
# nothing is.
live_gate() { # TIMES
    local round
    printf 'press cmd+%s\n' 1 1 1 4 i q >"$work/gate.keys"
    for ((round = 1; round <= $1; round++)); do
        gate_builds 1 '✘ validate ' Plain Slow
        ! grep -q '✘ resolutions' "$work/said" || wrong "gate: a slower build has other resolutions: $(cat "$work/said")"
        gate_builds 1 '✘ resolutions  base and head' Plain Moved
        grep -q 'Canvas.inspect:' "$work/said" || wrong "gate: a moved command is not named: $(cat "$work/said")"
        gate_builds 0 'gate: passed' Plain Plain
    done
    echo "gate of two builds of a live app: $1 times a slow stage found, a moved command found, and nothing in the same build"
}
gate_builds() { # STATUS WORDS BASE HEAD
    local name commands=()
    for name in "$3" "$4"; do
        commands+=("'$keyflight' launch -o \"\$KEYFLIGHT_OUTPUT\" --keys '$work/gate.keys' -- '$work/$name'")
    done
    expect "$1" "$2" "$keyflight" gate --base "${commands[0]}" --head "${commands[1]}" --time fail --runs 12
}
