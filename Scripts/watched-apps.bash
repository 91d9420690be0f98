# shellcheck shell=bash
# Sourced by Scripts/real-apps: TextEdit under `watch`, at a terminal of its own.

descendant() { # PID NAME: the first process below it of this name
    local child
    for child in $(pgrep -P "$1"); do
        if [ "$(cat "/proc/$child/comm" 2>/dev/null)" = "$2" ]; then echo "$child"; return; fi
        if descendant "$child" "$2"; then return; fi
    done
    return 1
}

# As start_app, with the view in front. What is written to descriptor 5 is typed into it; $work/screen is what it drew.
start_watched() { # TRACE COMMAND…
    local trace=$1
    shift
    rm -f "$work/screen" "$work/view"
    mkfifo "$work/view"
    exec 5<>"$work/view"
    app=
    script -qefc "stty rows 30 columns 120; exec '$keyflight' watch -o '$trace' -- $(printf "'%s' " "$@")" "$work/screen" \
        <"$work/view" >/dev/null 2>"$work/app.err" &
    launcher=$!
    until_so "the trace of $1" test -s "$trace"
    until_so "the process of $1" descendant "$launcher" "$(basename "$1")"
    app=$(descendant "$launcher" "$(basename "$1")")
    view=$(descendant "$launcher" keyflight)
    started+=("$app" "$launcher")
}

# The view stays when the app has ended.
quit_view() {
    while kill -0 "$app" 2>/dev/null; do sleep 0.05; done
    printf 'q' >&5
    quit
}

shows() { tr '\033' '\n' <"$work/screen" | grep -q -- "$1"; }

# A key held for SECONDS, 30 repeats each second: the view is at the last one a second after it, and has grown by no more
# than an index of the file, 20 blocks each second, since a tenth of them had come.
held_while_watched() { # SECONDS
    local begin early late recorded
    printf 'hello\n' >"$folder/notes.txt"
    start_watched "$work/held.keyflight" TextEdit "$folder/notes.txt"
    until_so "the window" has_focus '*notes.txt*'
    begin=$(date +%s%N)
    xdotool key alt+s
    until_so "the explanation of ⌘S" shows 'saveDocument:'
    echo "watch: the first press is explained $((($(date +%s%N) - begin) / 1000000)) ms after it, in a window that had just come"
    settled
    xdotool keydown Right
    sleep "$(($1 / 10 + 1))"
    early=$(resident "$view")
    sleep "$(($1 - $1 / 10))"
    late=$(resident "$view")
    xdotool keyup Right
    settled
    sleep 1
    xdotool key alt+q
    quit_view
    [ "$(cat "$work/status")" = 0 ] || wrong "watch ended with status $(cat "$work/status")"
    recorded=$("$keyflight" query "$work/held.keyflight" --format csv 'SELECT count(*) FROM repeats' | tail -n 1 | tr -d '\r')
    [ "$recorded" -ge $(($1 * 20)) ] || wrong "expected $(($1 * 30)) repeats or nearly so, found $recorded"
    [ $((late - early)) -le $((8192 + 5 * $1)) ] || wrong "watch has $late kB after $recorded repeats, and had $early kB after a tenth"
    echo "watch: $recorded repeats in $1 s; $early kB when a tenth of them had come, $late kB at the end"
}

# Processor time of the app for a letter under `launch` and under `watch`, in turn.
watched_cost() { # PAIRS
    local pair
    for ((pair = 1; pair <= $1; pair++)); do
        time_letters "$work/pair$pair.keyflight" && echo "plain$per_letter" >>"$work/times"
        starting=start_watched quitting=quit_view time_letters "$work/watched$pair.keyflight" && echo "traced$per_letter" >>"$work/times"
    done
    python3 "$checks" watched "$work/times"
}

watched() { # SECONDS PAIRS
    repeat_delay=400 begin_desktop
    held_while_watched "$1"
    [ "$2" = 0 ] || watched_cost "$2"
}
