# shellcheck shell=bash
# Sourced by Scripts/real-apps: key scripts that launch types into real apps, again and again, on a busy machine.

# 200 keys, however long the path is. It is the same in every run.
textedit_script() {
    cat <<END
keys 1
type kwyx zebrux. Pack my box with five dozen liquor jugs; the quick brown fox
press left
press shift+left
hold right 700ms
press cmd+9
press cmd+a
press cmd+c
press right
press cmd+v
press cmd+s
press cmd+f
do activate Find
type zebrux
press tab
press cmd+w
press delete
press cmd+s
press cmd+n
do activate Untitled
type New Jorgun, 1 & 2: a letter to nobody
press return
type at all.$(printf '%.*s' $((44 - ${#folder})) andsoonandsoforthwithoutend)
press cmd+s
do activate Save
type $folder/vexyng
press return
press end
press cmd+w
press home
wait 200ms
press F5
press down
press up
press escape
press cmd+q
END
}

# 200 keys, those of the secure field are in no trace.
fixture_script() {
    cat <<END
keys 1
type Xylem 7, and then some more of it
press left
press escape
press RightControl
press LeftGUI
press cmd+9
press cmd+l
type z
press cmd+4
type The quick brown fox jumps over the dog
press cmd+u
press cmd+o
type b
press cmd+t
press cmd+a
press cmd+d
press cmd+k
press cmd+y
press cmd+e
press e
press return
press cmd+m
type mimsy were the borogoves
press return
press cmd+2
type jumbo and the mome raths outgrabe
press left
hold left 600ms
press shift+right
press delete
press cmd+3
type wyvern42
press tab
type beamish boy
press return
press cmd+4
type calloo callay he chortle
press cmd+q
END
}

# What became of each key.
typed_resolutions() { # TRACE
    "$keyflight" query "$1" --format csv "
        SELECT press, tick, chord AS key, outcome, taken_by, supplier, action, target, first_responder, key_window
        FROM (SELECT * FROM presses UNION ALL SELECT * FROM repeats) ORDER BY press, tick"
}

# A run of an app with its script; its documents and output in a folder.
type_into_textedit() { # RUN
    printf 'hello\n' >"$folder/notes.txt"
    rm -rf "$folder/vexyng.rtf"
    # The spell checker finds no server, and makes its panel then: at a time of its own, which numbers it before the Find
    # panel or after it.
    launch_typed "$1" TextEdit "$folder/notes.txt" -CheckSpellingWhileTyping NO
    mv "$folder/notes.txt" "$folder/vexyng.rtf" "$1"
}
type_into_fixture() { # RUN
    FIXTURE_BUNDLE=$work/late-view.so launch_typed "$1" "$work/AppKitApp"
    cp "$work/app.out" "$1/output"
}
launch_typed() { # RUN COMMAND…
    local run=$1 status=0 since=$EPOCHREALTIME
    shift
    mkdir "$run"
    "$keyflight" launch -o "$run.keyflight" --show-keys --keys "$work/script.keys" --timeout 20s -- "$@" \
        >"$work/app.out" 2>"$work/app.err" </dev/null || status=$?
    [ $status = 0 ] || wrong "launch --keys: expected status 0, found $status"
    awk "BEGIN { printf \"%.1f\n\", $EPOCHREALTIME - $since; exit ($EPOCHREALTIME - $since > 30) }" >>"$work/seconds" ||
        wrong "launch --keys: expected a run of 30 s at most, found $(tail -n 1 "$work/seconds") s"
    typed_resolutions "$run.keyflight" >"$run/resolutions"
}

# Each key once, and all of them in the documents.
check_textedit() { # RUN
    local keys
    keys=$(cut -d, -f2 "$1/resolutions" | grep -c '^0')
    [ "$keys" = 200 ] || wrong "textedit: expected 200 keys in the trace, found $keys"
    grep -q 'kwyx zebrux. Pack my box with five dozen liquor jugs; the quick brown fox' "$1/notes.txt" || wrong "textedit: notes.txt"
    grep -q 'New Jorgun, 1 & 2: a letter to nobody' "$1/vexyng.rtf" || wrong "textedit: vexyng.rtf"
}
check_fixture() { # RUN
    local line
    for line in 'text: Xylem 7, and then some more of i9t' 'secure: wyvern42' 'modal 7: mimsy were the borogoves'; do
        grep -qxF "$line" "$1/output" || wrong "fixture: expected “$line” in its output"
    done
}

# At the script's times each event says when the script has it, whatever the app was doing then: an action that takes
# long, a modal loop, a held key.
recorded_pace() {
    local name status=0
    cat >"$work/paced.keys" <<END
keys 1
press cmd+4
wait 400ms
type ab
hold left 700ms
press cmd+m
wait 600ms
type cd
press return
wait 300ms
press cmd+q
END
    "$keyflight" launch -o "$work/paced.keyflight" --show-keys --keys "$work/paced.keys" --pace recorded --timeout 20s \
        -- "$work/AppKitApp" >"$work/app.out" 2>"$work/app.err" </dev/null || status=$?
    [ $status = 0 ] || wrong "launch --pace recorded: expected status 0, found $status"
    grep -qxF 'modal 7: cd' "$work/app.out" || wrong "launch --pace recorded: expected the panel's text in its output"
    for name in "$work/paced.keys" "$work/paced.keyflight"; do
        "$keyflight" query "$name" --format csv "SELECT phase, key, modifiers, t_ns FROM keys ORDER BY t_ns" >"$work/${name##*.}"
    done
    python3 "$checks" paced "$work/keys" "$work/keyflight" || wrong "launch --pace recorded: times"
    echo "fixture: at the script's own times"
}

# All processors have something else to do, until the script ends or `burners` are killed.
burners=()
be_busy() {
    local processor
    for ((processor = 0; processor < $(nproc); processor++)); do
        while :; do :; done &
        burners+=($!)
    done
    started+=("${burners[@]}")
}

# COUNT scripts with a planted fault, and twice as many without one, typed into an app: what arrived is compared with what
# should have been typed, and the fault is named, and nothing else.
arrivals() { # COUNT
    local steps=(j u m b o space k w y x left shift+right z e b r cmd+9 u x) kinds=(lost doubled swapped)
    local run place kind status found=0
    begin_desktop
    compile_app
    write_steps "$work/right.keys" "${steps[@]}"
    for ((run = 0; run < $1 * 3; run++)); do
        rm -f "$work/arrived.keyflight"
        cp "$work/right.keys" "$work/typed.keys"
        kind=
        # A place whose neighbours are other keys.
        place=$((RANDOM % (${#steps[@]} - 2)))
        if ((run % 3 == 0)); then
            kind=${kinds[run / 3 % 3]}
            case $kind in
                lost) write_steps "$work/typed.keys" "${steps[@]:0:place}" "${steps[@]:place+1}" ;;
                doubled) write_steps "$work/typed.keys" "${steps[@]:0:place+1}" "${steps[@]:place}" ;;
                swapped)
                    write_steps "$work/typed.keys" "${steps[@]:0:place}" "${steps[place + 1]}" "${steps[place]}" \
                        "${steps[@]:place+2}"
                    ;;
            esac
        fi
        "$keyflight" launch -o "$work/arrived.keyflight" --show-keys --keys "$work/typed.keys" --timeout 20s \
            -- "$work/AppKitApp" >"$work/app.out" 2>"$work/app.err" </dev/null || [ -n "$kind" ] ||
            wrong "arrivals: a clean run: $(tail -n 2 "$work/app.err")"
        status=0
        "$keyflight" verify "$work/arrived.keyflight" --script "$work/right.keys" >"$work/said" || status=$?
        if [ -z "$kind" ]; then
            [ $status = 0 ] || wrong "arrivals: a clean run: $(cat "$work/said")"
        elif [ $status = 1 ] && [ "$(grep -c '^  ' "$work/said")" = 1 ] && grep -q "^  $kind  " "$work/said"; then
            found=$((found + 1))
        else
            wrong "arrivals: $kind at key $((place + 1)): status $status, $(cat "$work/said")"
        fi
    done
    echo "arrivals: $found of $1 planted faults named, none in $(($1 * 2)) clean runs"
}
write_steps() { # FILE CHORD…
    { echo 'keys 1' && printf 'press %s\n' "${@:2}"; } >"$1"
}

# RUNS of each app's script while both processors are busy: the same resolutions and documents every time.
typed_apps() { # RUNS
    local app_name run
    begin_desktop
    compile_app
    be_busy
    for app_name in textedit fixture; do
        : >"$work/seconds"
        "${app_name}_script" >"$work/script.keys"
        for ((run = 1; run <= $1; run++)); do
            "type_into_$app_name" "$work/$app_name$run"
            if [ $run = 1 ]; then continue; fi
            diff -r "$work/${app_name}1" "$work/$app_name$run" >&2 || wrong "$app_name: run $run differs from the first"
            rm -r "$work/$app_name$run" "$work/$app_name$run.keyflight"
        done
        "check_$app_name" "$work/${app_name}1"
        echo "$app_name: $1 runs of one script come to the same, $(sort -n "$work/seconds" | tail -n 1) s at most"
    done
    recorded_pace
    kill "${burners[@]}"
    compile_builds
    live_golden
    hostile_goldens
    live_gate 1
}
