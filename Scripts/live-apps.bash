# shellcheck shell=bash
# Sourced by Scripts/real-apps: real apps on a screen of their own, driven by keys, with the adapter and without.
fixture_app=Tests/Fixtures/AppKitApp
checks=Scripts/live-apps.py

# What a fresh machine lacks.
install_desktop() { # MORE-PACKAGES…
    local back name lacking=()
    local names=(gobjc libgnustep-gui-dev textedit.app terminal.app xvfb xdotool x11-utils x11-xkb-utils openbox)
    back=$(apt-cache depends libgnustep-gui-dev 2>/dev/null | sed -nE 's/.*libgnustep-gui(0\.[0-9]+).*/\1/p' | head -n 1)
    names+=("gnustep-back${back:-0.29}-cairo" "$@")
    for name in "${names[@]}"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || lacking+=("$name")
    done
    if [ ${#lacking[@]} = 0 ]; then return; fi
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing ${lacking[*]}"
        export DEBIAN_FRONTEND=noninteractive
        apt-get install -y --no-install-recommends "${lacking[@]}" >&2 ||
            { apt-get update >&2 && apt-get install -y --no-install-recommends "${lacking[@]}" >&2; }
    else
        say "Real apps are missing. Run this, then start again:"
        say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${lacking[*]}"
        exit 5
    fi
}

wrong() {
    say "real-apps: $*"
    [ ! -s "$work/app.err" ] || { say "the app's standard error ends with:"; tail -n 20 "$work/app.err" >&2; }
    exit 1
}

# Polls until the command succeeds, 30 s at most: other work may have the processors.
until_so() { # WHAT COMMAND…
    local what=$1 try
    shift
    for ((try = 0; try < 600; try++)); do
        if "$@" >/dev/null 2>&1; then return; fi
        if [ -n "$app" ] && ! kill -0 "$app" 2>/dev/null; then wrong "waited for $what, and the app ended"; fi
        sleep 0.05
    done
    wrong "waited 30 s for $what"
}

# A screen, a window manager and a home of their own, which end with the script.
app=
started=()
begin_desktop() { # MORE-PACKAGES…
    install_desktop "$@"
    # Typed as part of a path, with no capital letter in it.
    folder=/tmp/keyflight-apps-$$
    mkdir -p "$folder" "$work/home" "$work/temporary"
    # GNUstep looks for its servers in TEMP: with those of another script its apps would lose them when that ends.
    export HOME=$work/home TMPDIR=$work/temporary TEMP=$work/temporary LC_ALL=C.UTF-8
    own_gnustep
    unset GNUSTEP_USER_DEFAULTS_DIR LD_PRELOAD "${!KEYFLIGHT_@}"
    mkfifo "$work/display"
    # Keys that a busy machine holds for long are no repeats.
    Xvfb -displayfd 3 -ardelay "${repeat_delay:-60000}" -arinterval 33 -screen 0 1280x900x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
    screen=$!
    read -r display <"$work/display"
    export DISPLAY=:$display
    openbox >/dev/null 2>&1 &
    manager=$!
    started+=("$manager")
    until_so "the window manager" xdotool get_num_desktops
    trap end_desktop EXIT
}
end_desktop() {
    local process
    # GNUstep's apps start servers that outlive them; theirs have this home.
    for process in /proc/[0-9]*; do
        if tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qx "HOME=$work/home" && [ "${process#/proc/}" != "$screen" ]; then started+=("${process#/proc/}"); fi
    done
    for process in "${started[@]}"; do [ "$process" = $$ ] || kill -9 "$process" 2>/dev/null || true; done
    # It takes its files with it.
    kill "$screen" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work" "$folder"
}

# An app, in `app`; under the adapter where a trace is named. `launcher` is who waits for it.
start_app() { # TRACE|- COMMAND…
    local trace=$1
    shift
    if [ "$trace" = - ]; then
        "$@" >"$work/app.out" 2>"$work/app.err" </dev/null &
        app=$! launcher=$!
    else
        app=
        "$keyflight" launch -o "$trace" "${launch_options[@]}" -- "$@" >"$work/app.out" 2>"$work/app.err" </dev/null &
        launcher=$!
        until_so "the trace of $1" test -s "$trace"
        app=$(pgrep -P "$launcher")
    fi
    started+=("$app" "$launcher")
}
launch_options=()

# The app, the screen and the window manager wait for events and have used no processor time for a while: longer than a
# menu's item is highlighted.
settled() {
    local last='' now same=0 try
    for ((try = 0; try < 750; try++)); do
        # A process that has ended is at rest.
        now=$(sed 's/.*) //' "/proc/$app/stat" "/proc/$screen/stat" "/proc/$manager/stat" 2>/dev/null | cut -d' ' -f1,12,13) || return 0
        if [ "$now" = "$last" ] && [[ $now != *[Rt]* ]]; then
            same=$((same + 1))
            if [ $same = 5 ]; then return; fi
        else
            same=0
        fi
        last=$now
        sleep 0.04
    done
    wrong "the app did not come to rest in 30 s"
}

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; } # PID: kilobytes

has_focus() { [[ $(timeout 2 xdotool getwindowfocus getwindowname 2>/dev/null) == $1 ]]; }
focus() { # PATTERN: until a window has the keyboard whose title matches
    # shellcheck disable=SC2053 # a pattern
    until_so "the window $1" has_focus "$1"
    settled
}

# Keys by X's names, each once the one before has settled. What is typed is noted, for the comparison with the trace.
press() {
    local key
    for key in "$@"; do
        echo "press $key" >>"$work/typed"
        xdotool key "$key"
        settled
    done
}
text() { # letters, digits, spaces, and . / - without Shift
    echo "text $1" >>"$work/typed"
    xdotool type --delay 12 "$1"
    settled
}
# So fast that GNUstep takes a release and the press after it for a repeat of X's.
quickly() {
    echo "text $1" >>"$work/typed"
    xdotool type --delay 0 "$1"
    settled
}
# Typed into a secure field: nothing of it is in a trace.
secret() {
    xdotool type --delay 12 "$1"
    settled
}

quit() { # the app has been asked to
    local status=0
    wait "$launcher" || status=$?
    app=
    echo "$status" >"$work/status"
}

# MARK: The apps and their keys

textedit_keys() {
    focus '*notes.txt*'
    text 'kwyx zebrux'
    press Left Escape alt+9 alt+a alt+c Right alt+v alt+s
    press alt+f
    focus Find
    text ze
    press Tab alt+w
    focus '*notes.txt*'
    press alt+n
    focus '*Untitled*'
    text 'new jorgun'
    quickly oooo
    echo 'press alt+s' >>"$work/typed"
    xdotool key alt+s
    focus Save
    text "$folder/vexyng"
    press Return
    until_so "the saved document" test -s "$folder/vexyng.rtf"
    focus '*vexyng.rtf*'
    press alt+w
    focus '*notes.txt*'
    press alt+q
    quit
}
run_textedit() { # TRACE|- RESULTS
    printf 'hello\n' >"$folder/notes.txt"
    : >"$work/typed"
    start_app "$1" TextEdit "$folder/notes.txt"
    textedit_keys
    mkdir "$2"
    mv "$folder/notes.txt" "$folder/vexyng.rtf" "$work/status" "$2"
}

terminal_keys() {
    focus '/bin/sh*'
    text 'cp jygsaw.txt kopyed.txt'
    press Return
    until_so "the copy" test -s "$folder/kopyed.txt"
    # It would ask before it ends a shell.
    text exit
    press Return
    focus Terminal
    press alt+q
    quit
}
run_terminal() { # TRACE|- RESULTS
    printf 'jygsaw\n' >"$folder/jygsaw.txt"
    : >"$work/typed"
    start_in_folder "$1" Terminal
    terminal_keys
    mkdir "$2"
    mv "$folder/kopyed.txt" "$work/status" "$2"
}
start_in_folder() {
    local here=$PWD trace=$1
    shift
    cd "$folder"
    SHELL=/bin/sh start_app "$trace" "$@"
    cd "$here"
}

fixture_keys() {
    focus 'Fixture window'
    text 'xylem 7'
    press Left Escape Control_R Alt_R Super_L Shift_R Caps_Lock Caps_Lock Num_Lock Num_Lock alt+9
    press alt+l
    text z
    press alt+4
    text b
    press alt+u alt+o
    text b
    press alt+t alt+r
    until_so "the second thread" grep -q 'is over' "$work/app.out"
    press alt+a alt+d alt+k alt+y
    press alt+e
    focus 'Fixture sheet'
    press e Return
    focus 'Fixture window'
    press alt+m
    focus 'Fixture panel'
    text mimsy
    press Return
    focus 'Fixture window'
    press alt+p
    focus 'Fixture panel'
    secret vorpal
    xdotool key Return
    focus 'Fixture window'
    press alt+2
    text jumbo
    press alt+j
    secret slithy
    xdotool key alt+j
    settled
    press alt+3
    secret 'wyvern42'
    xdotool key Tab
    settled
    press x Return
    press alt+q
    quit
}
run_fixture() { # TRACE|- RESULTS
    : >"$work/typed"
    FIXTURE_BUNDLE=$work/late-view.so start_app "$1" "$work/AppKitApp"
    fixture_keys
    mkdir "$2"
    mv "$work/app.out" "$work/status" "$2"
}

compile_app() { # OPTIONS…
    local flags
    read -ra flags <<<"$(gnustep-config --objc-flags) -MF /dev/null -std=gnu11"
    gcc "${flags[@]}" "$@" -c "$fixture_app/main.m" -o "$work/app.o"
    # shellcheck disable=SC2046 # one word per library
    gcc -rdynamic -o "$work/AppKitApp" "$work/app.o" $(gnustep-config --gui-libs) -ldl
    gcc "${flags[@]}" -fPIC -shared -o "$work/late-view.so" "$fixture_app/late.m"
    # shellcheck disable=SC2046
    gcc "${flags[@]}" -o "$work/MenuApp" "$fixture_app/menus.m" $(gnustep-config --gui-libs)
}

# MARK: What must hold

# One script without the adapter and with it: the same files and output; every key once; nothing typed in the trace.
compare_app() { # NAME CANARY…
    local name=$1
    shift
    "run_$name" - "$work/$name.plain"
    "run_$name" "$work/$name.keyflight" "$work/$name.traced"
    diff -r "$work/$name.plain" "$work/$name.traced" >&2 || wrong "$name: documents or output differ under the adapter"
    echo "$name: the same with the adapter and without"
    "$keyflight" info "$work/$name.keyflight" >"$work/info" 2>&1 || wrong "$name: $(cat "$work/info")"
    "$keyflight" show --format jsonl "$work/$name.keyflight" >"$work/$name.records"
    python3 "$checks" keys "$work/typed" "$work/$name.records" || wrong "$name: keys"
    if [ "$name" = textedit ]; then
        as_scene "$work/$name.keyflight" || wrong "$name: its scene comes to something else: $(cat "$work/said")"
    fi
    canaries "$work/$name.keyflight" "$folder" "$@"
    python3 "$checks" "$name" "$keyflight" "$work/$name.keyflight" || wrong "$name: stories"
}

# Neither in the file's bytes nor in what any verb prints of it.
canaries() { # TRACE WORD…
    local trace=$1 word press output=$work/outputs
    shift
    rm -rf "$output"
    mkdir "$output"
    "$keyflight" show "$trace" >"$output/show"
    "$keyflight" show --story "$trace" >"$output/story"
    "$keyflight" info --format json "$trace" >"$output/info"
    "$keyflight" stats "$trace" >"$output/stats"
    "$keyflight" top "$trace" >"$output/top" 2>&1 || true
    "$keyflight" lint "$trace" >"$output/lint" 2>&1 || true
    "$keyflight" bindings "$trace" >"$output/bindings" 2>&1 || true
    for press in 1 2 3 4 5; do "$keyflight" explain "$trace" --press $press; done >"$output/explain"
    "$keyflight" show --format jsonl "$trace" >"$output/jsonl"
    "$keyflight" export --format chrome "$trace" -o "$output/chrome"
    "$keyflight" report "$trace" -o "$output/report.html"
    cp "$trace" "$output/trace"
    for word in "$@"; do
        if grep -rlaF -- "$word" "$output" >"$work/found"; then wrong "$word is in $(xargs -n1 basename <"$work/found" | xargs)"; fi
    done
    echo "$(basename "$trace" .keyflight): nothing of what was typed in $(find "$output" -type f | wc -l) files"
}

# The app's own settings say which key is Command.
other_roles() {
    : >"$work/typed"
    launch_options=(--explain)
    start_app "$work/roles.keyflight" "$work/AppKitApp" -GSFirstCommandKey Control_L -GSFirstControlKey Alt_L
    focus 'Fixture window'
    press ctrl+4
    text b
    press ctrl+q
    quit
    launch_options=()
    grep -q 'Controller.goCanvas:' "$work/app.err" || wrong "launch --explain does not show the press that came to goCanvas:"
    "$keyflight" show --format jsonl "$work/roles.keyflight" >"$work/records"
    python3 "$checks" keys "$work/typed" "$work/records" || wrong "roles: keys"
    python3 "$checks" roles "$keyflight" "$work/roles.keyflight" || wrong "roles: stories"
}

# One clear sentence, and the app runs on.
expect() { # STATUS WORDS COMMAND…
    local want=$1 words=$2 status=0
    shift 2
    "$@" >"$work/said" 2>&1 </dev/null || status=$?
    if [ $status != "$want" ] || ! grep -q -- "$words" "$work/said"; then
        wrong "expected status $want and \"$words\" of $*, found $status and: $(cat "$work/said")"
    fi
    echo "launch: $words"
}
failures() {
    expect 5 'without an Objective-C runtime' "$keyflight" launch -o "$work/none.keyflight" -- sleep 0.4
    cp "$(command -v sleep)" "$work/other"
    # A golden of such an app would be waited for without end.
    echo 'press a' >"$work/one.keys"
    expect 5 'apps of GNUstep and UIKit are recorded' \
        timeout 5 "$keyflight" launch -o "$work/none.keyflight" --keys "$work/one.keys" --timeout 1s -- sleep 600
    # Another program may come in the place of a shell.
    expect 5 'the app runs on' \
        "$keyflight" launch -o "$work/none.keyflight" --keys "$work/one.keys" --timeout 1s -- sh -c 'sleep 600; :'
    grep -q 'no key could be typed into it, and it was ended' "$work/said" || wrong "launch --keys: $(cat "$work/said")"
    printf '\xb7' | dd of="$work/other" bs=1 seek=18 conv=notrunc status=none
    if [ "$(uname -m)" != aarch64 ]; then
        expect 5 'another architecture' "$keyflight" launch -o "$work/none.keyflight" -- "$work/other" 1
    fi
    printf '#!/no/such/shell\n' >"$work/script"
    chmod +x "$work/script"
    expect 5 'a script whose interpreter is there' "$keyflight" launch -o "$work/none.keyflight" -- "$work/script"
    mkdir -p "$work/alone/bin"
    cp "$keyflight" "$work/alone/bin/keyflight"
    expect 5 'Scripts/install puts it there' "$work/alone/bin/keyflight" launch -o "$work/none.keyflight" -- sleep 0.4
    rm -r "$work/alone"
    expect 5 'name the app itself' "$keyflight" launch -o "$work/none.keyflight" -- sh -c "$work/AppKitApp; echo over"
    # One that waits for a program is answered at once, and recorded all the same once the app comes.
    expect 5 'waits for another process' timeout 3 "$keyflight" launch -o "$work/none.keyflight" -- sh -c 'sleep 2; :'
    expect 0 'ready' "$keyflight" launch -o "$work/late.keyflight" --keys "$work/one.keys" \
        -- sh -c "sleep 2; exec $work/AppKitApp"
    expect 0 'ready' "$keyflight" launch -o "$work/env.keyflight" --keys "$work/one.keys" -- env "$work/AppKitApp"
    full_disk
    asked_to_quit
    exports
}
# launch asks the app to quit; two hooks are left out.
asked_to_quit() {
    local hooks
    launch_options=(--for 4s)
    printf 'hello\n' >"$folder/notes.txt"
    KEYFLIGHT_HOOKS=-menus,-settle start_app "$work/asked.keyflight" TextEdit "$folder/notes.txt"
    launch_options=()
    quit
    [ "$(cat "$work/status")" = 0 ] || wrong "launch --for: expected status 0, found $(cat "$work/status")"
    "$keyflight" info --format json "$work/asked.keyflight" >"$work/info" || wrong "launch --for: the trace is not complete"
    hooks=$(python3 -c 'import json, sys
print(*[hook["name"] for hook in json.load(sys.stdin)["adapter"]["hooks"] if hook["state"] == "off"])' <"$work/info")
    [ "$hooks" = 'menus settle' ] || wrong "KEYFLIGHT_HOOKS: expected menus and settle to be off, found $hooks"
    echo "launch: the app quits when it is asked, and hooks can be off"
}
# The installed adapter exports what it interposes and nothing else.
exports() {
    local library names
    library=$(dirname "$keyflight")/../lib/libKeyflightAdapter.so
    if [ ! -e "$library" ]; then return; fi
    names=$(LC_ALL=C nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort | xargs)
    [ "$names" = "__libc_start_main __objc_exec_class aligned_alloc calloc free keyflight_attach keyflight_detach malloc \
malloc_usable_size memalign posix_memalign pvalloc realloc valloc" ] || wrong "the adapter exports $names"
    if ldd "$library" | grep -q swift; then wrong "the adapter needs the toolchain's libraries"; fi
    echo "launch: the adapter exports what it interposes, and needs no toolchain"
}
# The app saves its document; the trace has what fitted.
full_disk() {
    if [ "$(id -u)" != 0 ]; then skip "full-disk needs root, to mount a small tmpfs"; return; fi
    mkdir "$work/small"
    mount -t tmpfs -o size=32k,mode=700 keyflight "$work/small" 2>/dev/null || { skip "no tmpfs can be mounted"; return; }
    printf 'hello\n' >"$folder/notes.txt"
    start_app "$work/small/full.keyflight" TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    local round
    for ((round = 0; round < 6; round++)); do xdotool type --delay 4 'the quick brown fox jumps over the lazy dog '; done
    settled
    xdotool key alt+s
    settled
    xdotool key alt+q
    quit
    cp "$work/small/full.keyflight" "$work/full.keyflight"
    umount "$work/small"
    grep -q 'lazy dog' "$folder/notes.txt" || wrong "a full disk keeps the app from saving"
    grep -q 'No space left' "$work/app.err" || wrong "nobody says that the disk is full"
    [ "$(cat "$work/status")" = 2 ] || wrong "a full disk: expected status 2, found $(cat "$work/status")"
    [ "$("$keyflight" show "$work/full.keyflight" 2>/dev/null | wc -l)" -gt 100 ] || wrong "the trace on a full disk cannot be read"
    echo "launch: a full disk ends the trace, and not the app"
}

live_apps() { # PART…
    local name
    begin_desktop
    compile_app
    for name in "$@"; do
        case $name in
            fixture) compare_app fixture xylem jumbo wyvern mimsy vorpal slithy canary-recent ;;
            textedit) compare_app textedit kwyx zebrux jorgun vexyng notes.txt ;;
            terminal) compare_app terminal jygsaw kopyed ;;
            roles) other_roles ;;
            failures) failures ;;
            endings) endings ;;
            *) say "real-apps: apps: expected fixture, textedit, terminal, roles, failures or endings, found $name"; exit 64 ;;
        esac
    done
}

# MARK: Cost

# Nanoseconds for which all threads of the app, and its main thread, have had the processors.
processor_time() {
    awk -v main="/proc/$app/task/$app/schedstat" '{ sum += $1; if (FILENAME == main) own = $1 } END { print sum, own }' \
        /proc/"$app"/task/*/schedstat
}

# Both for a letter that is typed into TextEdit: the medians of runs of letters, so that what else the app and the
# machine do now and then is no part of them.
rounds=9
letters=60
time_letters() { # TRACE|-
    local before after round
    printf 'hello\n' >"$folder/notes.txt"
    "${starting:-start_app}" "$1" TextEdit "$folder/notes.txt"
    focus '*notes.txt*'
    # What is met for the first time costs more.
    xdotool type --delay 3 'the quick brown fox '
    settled
    per_letter=
    for ((round = 0; round < rounds; round++)); do
        before=$(processor_time)
        xdotool type --delay 3 "$(printf 'the quick brown fox %.0s' $(seq $((letters / 20))))"
        settled
        after=$(processor_time)
        per_letter+=" $(((${after% *} - ${before% *}) / letters)),$(((${after#* } - ${before#* }) / letters))"
    done
    xdotool key alt+s
    settled
    xdotool key alt+q
    "${quitting:-quit}"
}

# Paired runs, in turn the one and the other first.
cost() { # PAIRS
    local pair trace
    begin_desktop
    for ((pair = 1; pair <= $1; pair++)); do
        trace=$work/pair$pair.keyflight
        if ((pair % 2)); then time_letters - && echo "plain$per_letter" >>"$work/times"; fi
        time_letters "$trace"
        echo "traced$per_letter" >>"$work/times"
        if ((pair % 2 == 0)); then time_letters - && echo "plain$per_letter" >>"$work/times"; fi
    done
    "$keyflight" show "$trace" | "$keyflight" assemble - -o "$work/canonical.keyflight"
    "$keyflight" show --format jsonl "$trace" >"$work/records"
    python3 "$checks" cost "$work/times" "$work/records" "$(wc -c <"$work/canonical.keyflight")"
}

# MARK: Death

# The app notes when it has handled each key: all of them are in the trace.
kills() { # COUNT
    local round early late=0
    for ((round = 1; round <= $1; round++)); do
        rm -f "$work/kill.keyflight" "$work/handled"
        FIXTURE_TIMES=$work/handled start_app "$work/kill.keyflight" "$work/AppKitApp"
        focus 'Fixture window'
        xdotool key alt+4
        settled
        xdotool type --delay 5 "$(printf 'the quick brown fox %.0s' {1..30})" &
        until_so "handled keys" test -s "$work/handled"
        early=$((RANDOM % 1500))
        sleep "$(awk "BEGIN { print $early / 1000 }")"
        kill -9 "$app"
        app=
        wait "$launcher" || true
        wait $! 2>/dev/null || true
        "$keyflight" show --format jsonl "$work/kill.keyflight" >"$work/records" 2>"$work/said" || [ $? = 2 ]
        [ -s "$work/records" ] || wrong "kill $round of $1, after $early ms: the trace cannot be read"
        python3 "$checks" killed "$work/handled" "$work/records" || late=$((late + 1))
    done
    [ $late = 0 ] || wrong "keys are missing after $late of $1 kills"
    echo "$1 kills of a live app: each trace is readable and has every key that the app handled"
    died_of_a_key "$1"
}
