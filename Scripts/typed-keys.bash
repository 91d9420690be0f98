# shellcheck shell=bash
# Sourced by Scripts/real-apps after live-apps.bash: keys typed into apps from outside, by replay --to xtest.

# How many keys of the display are down.
keys_down() {
    python3 - <<'PYTHON'
import ctypes
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
bits = ctypes.create_string_buffer(32)
x.XQueryKeymap(ctypes.c_void_p(x.XOpenDisplay(None)), bits)
print(sum(bin(byte).count("1") for byte in bits.raw))
PYTHON
}
are_down() { [ "$(keys_down)" = "$1" ]; }

refused() { # STATUS WORDS COMMAND…
    local expected=$1 words=$2 status=0
    shift 2
    "$@" >/dev/null 2>"$work/refusal" || status=$?
    if [ $status != "$expected" ] || ! grep -qF -- "$words" "$work/refusal"; then
        wrong "$*: status $status instead of $expected, or not \"$words\": $(cat "$work/refusal")"
    fi
}

# An app gets the keys of a script, and those of a trace: the document is what they type.
type_document() {
    cat >"$work/document.keys" <<'KEYS'
type hello, World! 42
press return
type (second) line
press opt+s
KEYS
    "$keyflight" replay "$work/document.keys" --scene Traces/scenes/pdf-viewer.scene.yaml --show-keys \
        -o "$work/document.keyflight" >/dev/null
    printf 'hello, World! 42\n(second) line' >"$work/expected"
    local input
    for input in keys keyflight; do
        printf '' >"$folder/typed.txt"
        start_app - TextEdit "$folder/typed.txt"
        focus '*typed.txt*'
        "$keyflight" replay "$work/document.$input" --to xtest 2>"$work/notes" || wrong "xtest: $(cat "$work/notes")"
        until_so "the document of the $input" cmp -s "$folder/typed.txt" "$work/expected"
        # While the menu's item is highlighted a key is lost.
        settled
        xdotool key alt+q
        quit
    done
}

# Each event reaches a window as it is in the script: the same as another form has, by key codes.
type_events() {
    xev -event keyboard >"$work/xev" 2>&1 &
    app=$!
    started+=("$app")
    focus 'Event Tester'
    printf 'type aZ-\npress ctrl+shift+f5\nhold left 100ms\ndown LeftGUI\npress x\nup LeftGUI\n' >"$work/events.keys"
    local mark kind code value _
    "$keyflight" replay "$work/events.keys" --to evemu --cadence virtual | while read -r mark _ kind code value _; do
        if [ "$mark $kind $value" = "E: 0001 0001" ]; then echo "KeyPress $((16#$code + 8))"; fi
        if [ "$mark $kind $value" = "E: 0001 0000" ]; then echo "KeyRelease $((16#$code + 8))"; fi
    done >"$work/expected"
    [ -s "$work/expected" ] || wrong "xtest: evemu has no events"
    # Without waiting: the server repeats no key.
    "$keyflight" replay "$work/events.keys" --to xtest --cadence virtual 2>"$work/notes"
    settled
    awk '/^Key(Press|Release) event/ { kind = $1 } /keycode/ { print kind, $4 }' "$work/xev" >"$work/found"
    diff -u "$work/expected" "$work/found" || wrong "xtest: the events of the window are not those of the script"
}

# Interrupted, it releases what is down.
interrupt_typing() {
    printf 'press b\ndown LeftShift\ndown a\nwait 60s\nup a\nup LeftShift\n' >"$work/held.keys"
    "$keyflight" replay "$work/held.keys" --to xtest 2>"$work/notes" &
    local typist=$! status=0
    until_so "two keys down" are_down 2
    kill -INT "$typist"
    wait "$typist" || status=$?
    [ $status = 130 ] || wrong "xtest: interrupted, it ended with $status: $(cat "$work/notes")"
    are_down 0 || wrong "xtest: keys stayed down after an interruption"
}

refuse_typing() {
    printf 'type z\n' >"$work/z.keys"
    printf 'press ExSel\n' >"$work/exsel.keys"
    "$keyflight" replay "$work/z.keys" --scene Traces/scenes/pdf-viewer.scene.yaml -o "$work/masked.keyflight" >/dev/null
    : >"$work/xev"
    refused 5 KF0508 env -u DISPLAY "$keyflight" replay "$work/z.keys" --to xtest
    refused 5 KF0508 env DISPLAY=:9876 "$keyflight" replay "$work/z.keys" --to xtest
    refused 64 "no such key" "$keyflight" replay "$work/exsel.keys" --to xtest
    refused 64 "keys in clear" "$keyflight" replay "$work/masked.keyflight" --to xtest
    setxkbmap de
    refused 64 'found "y"' "$keyflight" replay "$work/z.keys" --to xtest
    "$keyflight" replay "$work/z.keys" --to xtest --layout de:pc 2>"$work/notes" || wrong "xtest: de: $(cat "$work/notes")"
    setxkbmap us
    settled
    [ "$(grep -c '^KeyPress' "$work/xev")" = 1 ] || wrong "xtest: something was typed that was refused"
    local bare
    mkfifo "$work/bare"
    Xvfb -displayfd 3 -screen 0 64x64x8 -nolisten tcp -extension XTEST 3>"$work/bare" >/dev/null 2>&1 &
    started+=($!)
    read -r bare <"$work/bare"
    refused 5 "extension XTEST" env DISPLAY=:"$bare" "$keyflight" replay "$work/z.keys" --to xtest
}

typed_keys() {
    begin_desktop
    type_document
    type_events
    interrupt_typing
    refuse_typing
    echo "xtest: ok, a script and a trace typed into TextEdit; the same events in a window; nothing stays down"
}
