# shellcheck shell=bash
# Sourced by Scripts/real-apps after live-apps.bash: apps of Debian as they come, each typed into without the
# adapter and with it, twice each: the same windows after every key, the same end, every key once with its release.

# Package, program, file that it opens. The first five are quick.
other_apps=(
    edenmath.app:EdenMath: charmap.app:Charmap: agenda.app:SimpleAgenda: talksoup.app:TalkSoup: viewpdf.app:ViewPDF:
    textedit.app:TextEdit:notes.txt affiche.app:Affiche: gnumail.app:GNUMail: addressmanager.app:AddressManager:
    preview.app:Preview: gorm.app:Gorm: zipper.app:Zipper: price.app:PRICE: helpviewer.app:HelpViewer:
)
# What is typed: text, keys of lists and tables, panels that open and are left, a shortcut without a meaning.
other_keys=(
    k w y x Down Down Up Tab space Escape alt+o Escape alt+n j g Return alt+shift+s Escape alt+comma Escape alt+9 alt+w
    Escape Return
)

# The titles of the app's windows that are on the screen.
titles() {
    local window
    for window in $(xdotool search --onlyvisible --pid "$app" --name . 2>/dev/null | sort -n); do
        xdotool getwindowname "$window"
    done | sort | tr '\n' '|'
}

other_run() { # TRACE|- RESULTS PROGRAM FILE…
    local trace=$1 results=$2 key try
    shift 2
    rm -rf "$work/home/GNUstep"
    printf 'hello\n' >"$folder/notes.txt"
    : >"$work/typed"
    start_app "$trace" "$@"
    settled
    : >"$results"
    for key in "${other_keys[@]}"; do
        kill -0 "$app" 2>/dev/null || break
        press "$key"
        printf '%s: %s\n' "$key" "$(titles)" >>"$results"
    done
    if kill -0 "$app" 2>/dev/null; then press alt+q; fi
    # A changed document asks, and some apps fail in their own action.
    if kill -0 "$app" 2>/dev/null; then kill -TERM "$app"; fi
    for ((try = 0; try < 50; try++)); do
        kill -0 "$app" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$app" 2>/dev/null || true
    quit
    cat "$folder/notes.txt" >>"$results"
}

other_app() { # PACKAGE PROGRAM FILE
    local try run files=()
    [ -z "$3" ] || files=("$folder/$3")
    # What is not the same twice without the adapter has no answer: an app may be late with a window on a busy machine.
    for try in 1 2 3; do
        for run in plain-1 traced-1 plain-2 traced-2; do
            rm -f "$work/other.keyflight"
            case $run in plain*) other_run - "$work/$run" "$2" "${files[@]}" ;;
                *) other_run "$work/other.keyflight" "$work/$run" "$2" "${files[@]}" ;;
            esac
        done
        ! cmp -s "$work/plain-1" "$work/plain-2" || break
    done
    if ! cmp -s "$work/plain-1" "$work/plain-2"; then
        skip "$2 shows other windows in a second run without the adapter, $try times"
    else
        diff -u "$work/plain-1" "$work/traced-1" >&2 || wrong "$2: it shows other windows under the adapter"
        diff -u "$work/plain-1" "$work/traced-2" >&2 || wrong "$2: it shows other windows under the adapter"
    fi
    "$keyflight" info "$work/other.keyflight" >"$work/info" 2>&1 || wrong "$2: $(cat "$work/info")"
    "$keyflight" verify-format "$work/other.keyflight" >"$work/said" 2>&1 || wrong "$2: $(cat "$work/said")"
    "$keyflight" show --format jsonl "$work/other.keyflight" >"$work/records"
    python3 "$checks" sent "$work/typed" "$work/records" || wrong "$2: keys"
    "$keyflight" verify "$work/other.keyflight" >"$work/said" 2>"$work/why" || [ $? = 4 ] || wrong "$2: $(cat "$work/why")"
    echo "$2: $(head -n 1 "$work/said")"
}

others() { # COUNT
    local entry parts count=0
    begin_desktop
    for entry in "${other_apps[@]:0:$1}"; do
        IFS=: read -r -a parts <<<"$entry:"
        install_desktop "${parts[0]}"
        other_app "${parts[0]}" "${parts[1]}" "${parts[2]:-}"
        count=$((count + 1))
    done
    echo "others: ok, $count apps the same with the adapter and without"
}

# MARK: Against a debugger

debugged_keys=(k Down alt+9 Escape)

# The methods of the app's keys in the order in which a debugger stops in them; a key's messages in the trace.
debugged_app() { # PROGRAM FILE…
    rm -f "$work/debugged.keyflight" "$METHODS" "$BREAKPOINTS_LOG"
    LD_PRELOAD=$work/methods.so start_app - "$@"
    settled
    kill -USR2 "$app"
    until_so "the addresses of methods" grep -qx end "$METHODS"
    gdb -q -nx -batch -iex 'set debuginfod enabled off' -p "$app" -x Scripts/breakpoints.py -ex continue \
        >"$work/gdb" 2>&1 </dev/null &
    started+=($!)
    until_so "breakpoints" grep -qx ready "$BREAKPOINTS_LOG"
    press "${debugged_keys[@]}"
    kill -9 "$app"
    quit
    start_app "$work/debugged.keyflight" "$@"
    settled
    press "${debugged_keys[@]}"
    kill -9 "$app"
    quit
    python3 "$checks" debugged "$keyflight" "$work/debugged.keyflight" "$BREAKPOINTS_LOG" >"$work/said" ||
        wrong "$1: messages"
    echo "$1: $(cat "$work/said")"
}

debugged() {
    local program
    begin_desktop gdb edenmath.app charmap.app agenda.app viewpdf.app affiche.app gnumail.app
    gcc -std=gnu11 -Wall -fPIC -shared -o "$work/methods.so" "$fixture_app/methods.m"
    export METHODS=$work/methods BREAKPOINTS_LOG=$work/breakpoints
    printf 'hello\n' >"$folder/notes.txt"
    debugged_app TextEdit "$folder/notes.txt"
    for program in EdenMath Charmap SimpleAgenda ViewPDF Affiche GNUMail; do debugged_app "$program"; done
    echo "debugger: ok, seven apps"
}
