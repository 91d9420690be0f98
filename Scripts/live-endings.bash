# shellcheck shell=bash
# Sourced by Scripts/real-apps after live-apps.bash: how apps end while they are recorded, and what is gone before its
# message has returned.

# The fixture with a script, under launch.
typed_fixture() { # TRACE STEPS OPTIONS…
    local trace=$1
    printf '%s\n' "$2" >"$work/short.keys"
    shift 2
    "$keyflight" launch -o "$trace" --keys "$work/short.keys" --timeout 20s "$@" -- "$work/AppKitApp"
}

# With zombies what was freed has another class.
freed_by_their_actions() {
    local trace=$work/short.keyflight
    NSZombieEnabled=YES expect 0 'served' typed_fixture "$trace" $'press cmd+h\npress cmd+g\npress cmd+4\npress cmd+b\npress x'
    "$keyflight" show "$trace" >"$work/shown"
    ! grep NSZombie "$work/shown" >&2 || wrong "what is gone is named"
    "$keyflight" query "$trace" --format csv "SELECT chord, outcome, taken_by, supplier, action FROM presses" |
        tr -d '\r' >"$work/found"
    diff -u - "$work/found" <<'END' || wrong "a view and a menu that are gone by their actions are not in the trace"
chord,outcome,taken_by,supplier,action
cmd+h,performed,mainMenu,mainMenu,makeShort:
cmd+g,performed,keyEquivalent,ShortView,
cmd+4,performed,mainMenu,mainMenu,goCanvas:
cmd+b,performed,mainMenu,mainMenu,serve:
,performed,keyDown,,
END
    echo "launch: a view and a menu that are freed by their actions"
}

# An app without its adapter runs on, whatever time a script's keys have.
without_adapter() {
    echo 'press a' >"$work/short.keys"
    expect 5 'ran on' "$keyflight" launch -o "$work/none.keyflight" --keys "$work/short.keys" --timeout 100ms \
        -- sh -c 'sleep 0.6; echo ran on'
}

# The adapter makes no application object of its own to ask it.
asked_before_it_begins() {
    local began=$EPOCHREALTIME
    FIXTURE_START=late expect 2 'keyflight repair' "$keyflight" launch -o "$work/early.keyflight" --for 500ms \
        -- "$work/AppKitApp"
    ! grep -q ready "$work/said" || wrong "an app that was asked to quit before it began went on"
    awk "BEGIN { exit ($EPOCHREALTIME - $began > 4) }" || wrong "an app that was asked to quit before it began took long"
}

# A signal to the launcher alone, as a terminal would not send it.
interrupted_launcher() {
    local status=0
    : >"$work/app.out"
    setsid "$keyflight" launch -o "$work/alone.keyflight" -- "$work/AppKitApp" >"$work/app.out" 2>"$work/app.err" </dev/null &
    launcher=$!
    started+=("$launcher")
    until_so "the app" grep -q ready "$work/app.out"
    app=$(pgrep -P "$launcher")
    started+=("$app")
    kill -INT "$launcher"
    wait "$launcher" || status=$?
    app=
    [ $status = 130 ] || wrong "launch: interrupted, it ended with $status"
    "$keyflight" info "$work/alone.keyflight" >"$work/info" 2>&1 || wrong "launch: interrupted, the trace is not complete"
    grep -q '^text: ' "$work/app.out" || wrong "launch: interrupted, the app did not quit by itself"
    echo "launch: interrupted alone, it asks the app to quit"
}

# GNUstep's own handler would quit the app inside of the handler, and wait for what the action holds.
asked_while_busy() {
    FIXTURE_END=signal expect 0 'text: ' typed_fixture "$work/busy.keyflight" 'press cmd+i'
}

# Another thread than that of the keys ends the app.
ended_by_a_thread() {
    FIXTURE_END=thread expect 1 'it ended with status 3' typed_fixture "$work/thread.keyflight" 'press cmd+i'
    "$keyflight" verify-format "$work/thread.keyflight" >"$work/said" 2>&1 || wrong "an app that a thread ended: $(cat "$work/said")"
}

endings() {
    freed_by_their_actions
    without_adapter
    asked_before_it_begins
    interrupted_launcher
    asked_while_busy
    ended_by_a_thread
}
