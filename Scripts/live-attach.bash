# shellcheck shell=bash
# Sourced by Scripts/real-apps after live-apps.bash: an app that runs already is recorded, and goes on as it was.

# The address of every method of the app.
methods_of() { # FILE
    rm -f "$METHODS"
    kill -USR2 "$app"
    until_so "the addresses of methods" grep -qsx end "$METHODS"
    sort -u "$METHODS" >"$1"
}
# Methods that were there before and are not what they were.
moved_methods() { comm -23 "$work/methods-before" "$1" | wc -l; }

# What the app has of the system: threads, descriptors (but for connections to its servers), memory of keyflight's.
belongings() {
    ls "/proc/$app/task"
    find "/proc/$app/fd" -type l -printf '%l\n' | grep -v '^socket' | sort
    grep -c memfd:keyflight "/proc/$app/maps" || true
}

attach() { # TRACE OPTIONS…
    local trace=$1
    shift
    "$keyflight" launch --attach "$app" -o "$trace" "$@" 2>"$work/said" </dev/null &
    recorder=$!
    started+=("$recorder")
    until_so "the trace of $app" test -s "$trace"
}
detach() {
    local status=0
    kill -TERM "$recorder"
    wait "$recorder" || status=$?
    [ $status = 130 ] || wrong "launch --attach: expected status 130, found $status and: $(cat "$work/said")"
}

# The same keys in an app that is never recorded, and in one that is for a while.
attached_textedit() { # TRACE|- RESULTS
    printf 'hello\n' >"$folder/notes.txt"
    LD_PRELOAD=$work/methods.so start_app - TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    text 'vexyng '
    press alt+s
    if [ "$1" != - ]; then
        methods_of "$work/methods-before"
        belongings >"$work/had"
        attach "$1"
        methods_of "$work/methods-while"
        settled
    fi
    : >"$work/typed"
    text 'kwyx zebrux'
    press Left Escape alt+a alt+c Right alt+v alt+s
    press alt+f
    focus Find
    text ze
    press Tab alt+w
    focus '*notes.txt*'
    if [ "$1" != - ]; then
        detach
        cp "$work/typed" "$work/typed-attached"
        belongings >"$work/has"
        methods_of "$work/methods-after"
        [ "$(moved_methods "$work/methods-while")" -gt 100 ] || wrong "attach: no methods are replaced while attached"
        [ "$(moved_methods "$work/methods-after")" = 0 ] || wrong "attach: methods are not what they were"
        diff "$work/had" "$work/has" >&2 || wrong "attach: threads or descriptors are left"
        echo "attach: $(wc -l <"$work/methods-before") methods as before, $(moved_methods "$work/methods-while") replaced meanwhile"
    fi
    text ' jorgun'
    press alt+s alt+q
    quit
    mkdir "$2"
    mv "$folder/notes.txt" "$work/status" "$2"
}

# What was typed in clear is in no trace of a later recording.
attached_twice() {
    printf 'hello\n' >"$folder/notes.txt"
    start_app - TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    attach "$work/clear.keyflight" --show-keys --fact person=quvex
    text 'zymurgy'
    expect 5 'records' "$keyflight" launch --attach "$app" -o "$work/none.keyflight"
    detach
    "$keyflight" show --typed "$work/clear.keyflight" | grep -q zymurgy || wrong "attach --show-keys: nothing is in clear"
    attach "$work/masked.keyflight"
    : >"$work/typed"
    text 'yttrium'
    # One whose recorder is gone is recorded by the next.
    kill -9 "$recorder"
    wait "$recorder" || true
    text 'xenon'
    attach "$work/again.keyflight"
    : >"$work/typed"
    text 'wolfram'
    # The app ends while it is recorded.
    press alt+s alt+q
    quit
    status=0
    wait "$recorder" || status=$?
    [ $status = 0 ] || wrong "attach: an app that quits: expected status 0, found $status and: $(cat "$work/said")"
    "$keyflight" show --format jsonl "$work/again.keyflight" >"$work/records"
    python3 "$checks" keys "$work/typed" "$work/records" || wrong "attach: keys of the second recording"
    canaries "$work/again.keyflight" zymurgy quvex yttrium xenon wolfram notes.txt
    echo "attach: a recorder that was killed, and an app that quits"
}

attach_refusals() {
    local sleeper
    sleep 600 &
    sleeper=$!
    started+=("$sleeper")
    expect 5 "without GNUstep's AppKit" "$keyflight" launch --attach $sleeper -o "$work/none.keyflight"
    expect 5 'none of this number' "$keyflight" launch --attach 4194303 -o "$work/none.keyflight"
    start_app "$work/launched.keyflight" "$work/AppKitApp"
    focus 'Fixture window'
    expect 5 'records' "$keyflight" launch --attach "$app" -o "$work/none.keyflight"
    press alt+q
    quit
    FIXTURE_END=busy start_app - "$work/AppKitApp"
    focus 'Fixture window'
    expect 5 'sudo apt-get install gdb' env PATH=/nowhere "$keyflight" launch --attach "$app" -o "$work/none.keyflight"
    kill -STOP "$app"
    expect 5 'kill -CONT' "$keyflight" launch --attach "$app" -o "$work/none.keyflight"
    kill -CONT "$app"
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid 65534 --clear-groups sleep 600 &
        started+=($!)
        sleep 0.2
        expect 5 'run keyflight as that user' "$keyflight" launch --attach $! -o "$work/none.keyflight"
    fi
    gcc -std=gnu11 -Wall -fPIC -shared -o "$work/registers.so" "$fixture_app/registers.c"
    mkdir "$work/bin"
    printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' "$work/registers.so" "$(command -v gdb)" >"$work/bin/gdb"
    chmod +x "$work/bin/gdb"
    expect 5 "$no_registers" env PATH="$work/bin:$PATH" "$keyflight" launch --attach "$app" -o "$work/none.keyflight"
    # The menu's item keeps the main thread from its events.
    xdotool key alt+i
    expect 5 'did not come to its run loop' "$keyflight" launch --attach "$app" -o "$work/none.keyflight"
    kill -0 "$app" || wrong "attach: a busy app is gone"
    kill -9 "$app"
    quit
}

# There are machines where gdb cannot write all registers. It finds out before it calls anything: the app is as it was.
no_registers="Couldn't write extended state status"
can_attach() {
    local status=0
    printf 'hello\n' >"$folder/notes.txt"
    start_app - TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    "$keyflight" launch --attach "$app" -o "$work/probe.keyflight" --for 100ms 2>"$work/said" || status=$?
    text abc
    press alt+s alt+q
    quit
    [ "$(cat "$folder/notes.txt" "$work/status")" = $'abchello\n0' ] || wrong "attach: the app does not go on as it did"
    [ $status != 0 ] || return 0
    grep -q "$no_registers" "$work/said" || wrong "attach: $(cat "$work/said")"
    return 1
}

# As often in one process; each time a key is recorded.
attached_often() { # COUNT
    local round early began
    printf 'hello\n' >"$folder/notes.txt"
    LD_PRELOAD=$work/methods.so start_app - TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    methods_of "$work/methods-before"
    belongings >"$work/had"
    began=$(date +%s%N)
    for ((round = 1; round <= $1; round++)); do
        rm -f "$work/round.keyflight"
        attach "$work/round.keyflight"
        : >"$work/typed"
        text x
        detach
        "$keyflight" show --format jsonl "$work/round.keyflight" >"$work/records"
        python3 "$checks" keys "$work/typed" "$work/records" || wrong "attach: keys of round $round"
        [ $round -gt 5 ] || early=$(resident "$app")
    done
    echo "attach: $1 times in $((($(date +%s%N) - began) / $1 / 1000000)) ms each, $(($(resident "$app") - early)) KiB more after the fifth"
    [ $(($(resident "$app") - early)) -lt $((2048 + 64 * $1)) ] || wrong "attach: the app grows"
    methods_of "$work/methods-after"
    [ "$(moved_methods "$work/methods-after")" = 0 ] || wrong "attach: methods are not what they were"
    belongings | diff "$work/had" - >&2 || wrong "attach: threads or descriptors are left"
    press alt+s alt+q
    quit
    [ "$(cat "$folder/notes.txt")" = "$(printf 'x%.0s' $(seq "$1"))hello" ] || wrong "attach: the document is $(cat "$folder/notes.txt")"
}

attached() { # COUNT
    begin_desktop gdb
    compile_app
    gcc -std=gnu11 -Wall -fPIC -shared -o "$work/methods.so" "$fixture_app/methods.m"
    export METHODS=$work/methods ALL_METHODS=1
    if ! can_attach; then
        echo "attach: refused, as gdb cannot write all registers on this machine; the app went on"
        return
    fi
    attached_textedit - "$work/plain"
    attached_textedit "$work/attached.keyflight" "$work/traced"
    diff -r "$work/plain" "$work/traced" >&2 || wrong "attach: the document differs"
    "$keyflight" show --format jsonl "$work/attached.keyflight" >"$work/records"
    python3 "$checks" keys "$work/typed-attached" "$work/records" || wrong "attach: keys"
    "$keyflight" verify "$work/attached.keyflight" >"$work/said" 2>&1 || wrong "attach: verify: $(cat "$work/said")"
    canaries "$work/attached.keyflight" vexyng kwyx zebrux jorgun notes.txt
    attached_twice
    attach_refusals
    attached_often "$1"
    echo "attach: ok, $1 times in one process"
}
