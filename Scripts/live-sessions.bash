# shellcheck shell=bash
# Sourced by Scripts/real-apps: long sessions in apps that nobody here wrote, typed from outside, whose traces the model
# of the engine has to resolve as the apps did.

# A folder that keeps the traces.
sessions_kept=${KEYFLIGHT_SESSIONS:-}

# Lines of what is typed: the same seed gives the same keys.
session_keys() { # SEED PRESSES CHORDS: whole blocks until there are enough presses
    awk -v seed="$1" -v goal="$2" -v chords="$3" 'BEGIN {
        srand(seed)
        count = split(chords, chord, " ")
        split("Left Right Up Down Home End BackSpace Tab Return", plain, " ")
        while (done < goal) {
            kind = rand()
            if (kind < 0.6) {
                length_ = 2 + int(rand() * 8)
                word = ""
                for (i = 0; i < length_; i++) word = word sprintf("%c", 97 + int(rand() * 26))
                if (rand() < 0.3) word = word " " int(rand() * 10)
                print "text", word
                done += length(word)
            } else if (kind < 0.8 || count == 0) { print "press", plain[1 + int(rand() * 9)]; done++ }
            else { print "press", chord[1 + int(rand() * count)]; done++ }
        }
    }'
}

alive() { kill -0 "$app" 2>/dev/null; }
# Another window may have come, or none: what is typed then goes nowhere.
type_session() { # KEYS-FILE
    local kind what
    while read -r kind what; do
        alive || return 0
        if [ "$kind" = text ]; then xdotool type --delay 12 "$what"; else xdotool key "$what"; fi
        settled
    done <"$1"
}
step() { for key in "$@"; do if alive; then xdotool key "$key"; settled; fi; done; }
words() { if alive; then xdotool type --delay 12 "$1"; settled; fi; }

session_TextEdit() {
    printf 'hello\n' >"$folder/notes.txt"
    start_app "$1" TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    session_keys 11 "$(($2 / 2))" 'alt+a alt+c alt+v alt+x alt+9 alt+e shift+Left ctrl+a ctrl+e' >"$work/keys"
    type_session "$work/keys"
    step alt+f
    focus Find
    words hello
    step Tab Tab shift+Tab Return Escape alt+w
    # Two panels of modal loops, in which most of the rest is typed.
    step alt+n
    focus '*Untitled*'
    words 'second text'
    xdotool key alt+s
    focus Save
    local round
    for round in kopje vanilla quartz; do
        words "$round"
        step Left Right
        for ((; ${#round} > 0; )); do
            step BackSpace
            round=${round%?}
        done
    done
    words "$folder/second"
    step Return
    until_so "the saved document" test -s "$folder/second.rtf"
    session_keys 3 "$(($2 / 2 - 60))" 'alt+a alt+c alt+v shift+Right alt+0' >"$work/keys"
    type_session "$work/keys"
    step alt+s alt+w
    focus '*notes.txt*'
    step alt+s alt+q
}

session_Terminal() {
    start_in_folder "$1" Terminal
    focus '/bin/sh*'
    session_keys 4 "$2" 'ctrl+u ctrl+l alt+9 alt+c shift+Left' | grep -v Return >"$work/keys"
    type_session "$work/keys"
    step ctrl+u
    words exit
    step Return
    focus Terminal
    step alt+q
}

session_GNUMail() {
    start_app "$1" GNUMail
    settled
    sleep 1
    settled
    step Return Return
    focus 'Local*'
    session_keys 5 "$2" 'alt+9 alt+i alt+1 alt+f Escape alt+n alt+r alt+shift+n' >"$work/keys"
    type_session "$work/keys"
    step alt+q
}

session_Gorm() {
    start_app "$1" Gorm
    settled
    sleep 1
    step alt+n
    session_keys 6 "$2" 'alt+1 alt+2 alt+3 alt+9 alt+a alt+c alt+v' >"$work/keys"
    type_session "$work/keys"
    step alt+s
    words "$folder/made"
    step Return alt+q
}

# It may ask about what was not saved: the buttons of the panel are tried, then it is ended.
end_session() {
    local try
    for ((try = 0; try < 12; try++)); do
        alive || break
        case $((try % 4)) in
            0) step Return ;;
            1) step Tab space ;;
            2) step Escape alt+q ;;
            3) step Right Return ;;
        esac
    done
    if alive; then kill -TERM "$launcher"; fi
    wait "$launcher" || true
    app=
}

live_sessions() { # PRESSES [APP…]
    local presses=$1 name status all=0 undecided=0 said
    shift
    begin_desktop gorm.app gnumail.app
    if [ $# = 0 ]; then set -- TextEdit Terminal GNUMail Gorm; fi
    for name in "$@"; do
        "session_$name" "$work/$name.keyflight" "$presses"
        end_session
        status=0
        said=$("$keyflight" verify --format json "$work/$name.keyflight" 2>"$work/said") || status=$?
        [ -z "$sessions_kept" ] || cp "$work/$name.keyflight" "$sessions_kept"
        read -r lines left < <(python3 -c 'import json, sys
said = json.load(sys.stdin)
print(said["lines"], said["not_compared"])' <<<"$said")
        echo "$name: $lines presses and repeats are resolved as recorded, $left cannot be"
        [ $status = 0 ] || { [ $status = 4 ] && [ "$left" -gt 0 ]; } || wrong "$name: verify ends with status $status: $(cat "$work/said") $said"
        all=$((all + lines + left)) undecided=$((undecided + left))
    done
    echo "sessions: $all presses in $# apps, $undecided not decided by what was recorded"
    [ $((undecided * 100)) -lt "$all" ] || wrong "1 % or more cannot be decided"
}
