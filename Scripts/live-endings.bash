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

# The adapter makes no application object of its own to ask it, and asks none that does not run: it would ignore that.
asked_before_it_begins() {
    local start status
    for start in late slow; do
        status=0
        FIXTURE_START=$start start_app "$work/early.keyflight" "$work/AppKitApp"
        [ "$start" = late ] || until_so "its application object" grep -q begins "$work/app.out"
        kill -TERM "$launcher"
        wait "$launcher" || status=$?
        app=
        [ $status = 130 ] || wrong "launch: interrupted before a $start app ran, it ended with $status"
        "$keyflight" info "$work/early.keyflight" | grep -q 'ended .*SIGTERM' || wrong "info does not name what ended the app"
        ! grep -q ready "$work/app.out" || wrong "a $start app that was asked to quit before it ran went on"
        rm "$work/early.keyflight"
    done
    echo "launch: an app that is asked to quit before it runs is ended"
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

# The key whose action ends the app is the last one of its trace, with its action.
died_of_a_key() { # COUNT
    local round how words found
    printf 'press %s\n' cmd+4 a cmd+i >"$work/last.keys"
    for how in dies:SIGABRT exits:_exit faults:SIGSEGV; do
        words=${how#*:}
        for ((round = 1; round <= $1; round++)); do
            rm -f "$work/last.keyflight"
            FIXTURE_END=${how%:*} "$keyflight" launch -o "$work/last.keyflight" --keys "$work/last.keys" \
                -- "$work/AppKitApp" >"$work/said" 2>&1 || true
            found=$("$keyflight" query "$work/last.keyflight" --format csv \
                "SELECT chord, outcome, action FROM presses ORDER BY press DESC LIMIT 1" | tr -d '\r' | tail -n 1) || true
            [ "$found" = cmd+i,performed,inspect: ] ||
                wrong "the key of which the app ${how%:*} is not in round $round, found $found: $(cat "$work/said")"
            "$keyflight" info "$work/last.keyflight" | grep -q "ended .*$words" || wrong "info does not name $words"
        done
    done
    echo "$1 times each: the key of which an app aborts, faults or exits is in its trace, with its action"
}

# Keys that are taken from the queue and never sent: of an open list, and for a window that is not the modal one.
keys_not_sent() {
    # Its key stays there until the app has looked it up; xdotool would take it away.
    setxkbmap us -print | sed 's/"pc+us[^"]*"/& key <I248> { [ eacute ] };/' | xkbcomp -w0 - "$DISPLAY"
    start_app "$work/queue.keyflight" "$work/AppKitApp"
    focus 'Fixture window'
    xdotool key eacute
    settled
    setxkbmap us
    xdotool key alt+n
    focus 'Fixture choices'
    xdotool key Down Down Down Return alt+n
    focus 'Fixture window'
    xdotool key alt+m
    focus 'Fixture panel'
    xdotool key alt+f
    focus 'Fixture window'
    xdotool type --delay 30 lost
    settled
    xdotool search --name 'Fixture panel' windowactivate
    focus 'Fixture panel'
    xdotool key Return
    focus 'Fixture window'
    xdotool key alt+q
    quit
    "$keyflight" query "$work/queue.keyflight" --format csv "SELECT chord, class, outcome, taken_by FROM presses" |
        tr -d '\r' >"$work/found"
    diff -u - "$work/found" <<'END' || wrong "keys that come to no sendEvent: are not in the trace"
chord,class,outcome,taken_by
,letter,consumedByText,text
cmd+n,,performed,mainMenu
down,,consumedByKeyBinding,keyBinding
down,,performed,eventLoop
down,,performed,eventLoop
return,,performed,eventLoop
cmd+n,,performed,mainMenu
cmd+m,,performed,mainMenu
cmd+f,,performed,mainMenu
,letter,discarded,eventLoop
,letter,discarded,eventLoop
,letter,discarded,eventLoop
,letter,discarded,eventLoop
return,,performed,keyEquivalent
cmd+q,,performed,mainMenu
END
    echo "launch: keys that an app takes and sends nowhere, and keys without a usage"
}

# An app without a window gets a script, and each key is its own item's.
menus_alone() {
    printf 'press %s\n' cmd+s cmd+shift+s cmd+o cmd+opt+o cmd+r cmd+p cmd+k >"$work/menus.keys"
    expect 0 'other' "$keyflight" launch -o "$work/menus.keyflight" --keys "$work/menus.keys" -- "$work/MenuApp"
    grep -qx 'children 3 3 3 3 of MenuApp' "$work/said" || wrong "a process that an app starts: found $(cat "$work/said")"
    "$keyflight" query "$work/menus.keyflight" --format csv \
        "SELECT chord, outcome, taken_by, supplier, action FROM presses" | tr -d '\r' >"$work/found"
    diff -u - "$work/found" <<'END' || wrong "items of menus are taken for others"
chord,outcome,taken_by,supplier,action
cmd+s,performed,mainMenu,mainMenu,plain:
shift+cmd+s,blockedUnperformable,mainMenu,mainMenu,other:
cmd+o,performed,mainMenu,mainMenu,plain:
opt+cmd+o,performed,mainMenu,mainMenu,other:
cmd+r,performed,mainMenu,mainMenu,children:
cmd+p,performed,mainMenu,mainMenu,popUp:
cmd+k,performed,keyEquivalent,NSMenu#2,other:
END
    "$keyflight" lint "$work/menus.keyflight" >"$work/said" || wrong "lint finds fault with a disabled item: $(cat "$work/said")"
    echo "launch: an app without a window, the processes that it starts, and items that share a character"
}

# Options of X's layout: a modifier key is what its symbol is.
swapped_keys() {
    setxkbmap us -option altwin:swap_alt_win -option ctrl:nocaps
    start_app "$work/swapped.keyflight" "$work/AppKitApp"
    focus 'Fixture window'
    xdotool key --clearmodifiers Alt_L+4
    settled
    xdotool key Control_L+z
    settled
    xdotool key Alt_L+q
    quit
    setxkbmap us -option ''
    "$keyflight" query "$work/swapped.keyflight" --format csv "SELECT chord FROM presses" | tr -d '\r' | xargs >"$work/found"
    [ "$(cat "$work/found")" = 'chord cmd+4 ctrl+z cmd+q' ] || wrong "swapped modifiers: found $(cat "$work/found")"
    # The layout of the session: the key beside T types z there.
    setxkbmap de -variant nodeadkeys
    start_app "$work/german.keyflight" "$work/AppKitApp"
    focus 'Fixture window'
    xdotool key Alt_L+z
    settled
    xdotool key Alt_L+q
    quit
    setxkbmap us -variant ''
    "$keyflight" explain "$work/german.keyflight" cmd+z >"$work/said" 2>&1 || true
    grep -q 'key Y, usage 07:001c · layout de:nodeadkeys' "$work/said" || wrong "⌘Z on a German layout: $(cat "$work/said")"
    echo "launch: modifiers that X's layout has moved, and the keys of another one"
}

# An app that hangs as it is asked to quit: the press of that is open, and verify names it.
hangs_at_its_end() {
    printf 'press %s\n' a cmd+q >"$work/last.keys"
    FIXTURE_END=hangs expect 2 'it took no key for long and was ended' \
        "$keyflight" launch -o "$work/hangs.keyflight" --keys "$work/last.keys" --timeout 2s -- "$work/AppKitApp"
    expect 4 'press 2: open when the app ended by signal 9 (SIGKILL)' "$keyflight" verify "$work/hangs.keyflight"
}

# A key in a loop that another key's action runs: both are open.
dies_in_a_loop() {
    start_app "$work/loop.keyflight" "$work/AppKitApp"
    focus 'Fixture window'
    xdotool key alt+m
    focus 'Fixture panel'
    press x
    kill -9 "$app"
    quit
    "$keyflight" query "$work/loop.keyflight" --format csv "SELECT chord, outcome, action FROM presses" |
        tr -d '\r' >"$work/found"
    printf '%s\n' chord,outcome,action cmd+m,performed,modal: ,consumedByText, | diff -u - "$work/found" ||
        wrong "the key whose action runs a modal loop is not resolved in an app that is killed"
    echo "launch: a key whose action had not returned has that action"
}

# Keys that were on their way from a display server that ends are not recorded: that trace is not complete.
server_that_ends() {
    local status=0 before=$DISPLAY screen manager display
    Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
    screen=$!
    read -r display <"$work/display"
    export DISPLAY=:$display
    openbox >/dev/null 2>&1 &
    manager=$!
    started+=("$manager" "$screen")
    until_so "the window manager" xdotool get_num_desktops
    start_app "$work/server.keyflight" "$work/AppKitApp"
    focus 'Fixture window'
    press x
    { kill -9 "$screen" && wait "$screen"; } 2>/dev/null || true
    quit
    export DISPLAY=$before
    [ "$(cat "$work/status")" = 2 ] || wrong "a display server that ends: expected status 2, found $(cat "$work/status")"
    "$keyflight" info "$work/server.keyflight" >"$work/info" 2>&1 || status=$?
    [ $status = 2 ] && grep -q 'ended .*by status 1: its display server ended' "$work/info" &&
        grep -q 'no end marker' "$work/info" || wrong "a display server that ends: status $status, $(cat "$work/info")"
    echo "launch: a display server that ends"
}

endings() {
    menus_alone
    hangs_at_its_end
    dies_in_a_loop
    server_that_ends
    swapped_keys
    keys_not_sent
    freed_by_their_actions
    without_adapter
    asked_before_it_begins
    interrupted_launcher
    asked_while_busy
    ended_by_a_thread
}
