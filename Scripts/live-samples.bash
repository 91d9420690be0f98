# shellcheck shell=bash
# Sourced by Scripts/real-apps after live-apps.bash: samples of the stack name the function of each slow press.
slow_app=Tests/Fixtures/SlowApp

compile_slow_app() {
    local flags
    flags=$(gnustep-config --objc-flags | sed 's/-MMD//; s/-MP//; s/ -g / /')
    # shellcheck disable=SC2086 # options
    gcc $flags -std=gnu11 -O2 -Wall -o "$work/SlowApp" "$slow_app/main.m" \
        -lgnustep-gui -lgnustep-base -lobjc -lpthread -ldl
    cp "$work/SlowApp" "$work/StrippedApp"
    strip "$work/StrippedApp"
}

# The sampler without an app, for so many seconds.
sample_quickly() { # SECONDS
    local level
    for level in -O0 -O2; do
        gcc -std=gnu11 $level -Wall -Wextra -Werror -I Sources/CStackSampler -I Sources/CStackSampler/include \
            -o "$work/sampler$level" Tests/Fixtures/StackSampler/main.c Sources/CStackSampler/*.c -lpthread -ldl
        "$work/sampler$level" "$1" || wrong "the sampler by itself, built with $level"
    done
}

# Each of the eight commands, so many times, in an app.
type_slowly() { # TRACE APP TIMES
    local time chord
    for ((time = 0; time < $3; time++)); do
        for chord in 1 2 3 4 5 6 7 8; do echo "press cmd+$chord"; done
    done >"$work/slow.keys"
    rm -f "$1"
    (cd "$work" && exec "$keyflight" launch -o "$1" --keys slow.keys --timeout 120s -- "$2") \
        >"$work/app.out" 2>"$work/app.err" || wrong "$2 under launch ended with status $?"
}

# The calls of the app return what they return without samples.
calls_are_whole() { # COUNT
    local count
    count=$(grep -cx 'usleep 0 error 0 poll 0 whole 1' "$work/app.out" || true)
    [ "$count" = "$1" ] || wrong "samples cut calls of the app: $(grep usleep "$work/app.out" | sort | uniq -c)"
}

# Without keys the sampler's thread sleeps.
sampler_sleeps() {
    local task before after
    start_app "$work/idle.keyflight" "$work/SlowApp"
    until_so "the app" grep -q ready "$work/app.out"
    settled
    task=$(grep -lx kf-sampler /proc/"$app"/task/*/comm) || wrong "the app has no sampler"
    before=$(grep ctxt "${task%comm}status")
    sleep 2
    after=$(grep ctxt "${task%comm}status")
    [ "$before" = "$after" ] || wrong "the sampler woke while nothing was pressed: $before, then $after"
    kill -TERM "$app"
    wait "$launcher" || true
    app=
}

# Not turned on, nothing is sampled.
without_samples() {
    (unset KEYFLIGHT_HOOKS && type_slowly "$work/off.keyflight" "$work/SlowApp" 1)
    ! "$keyflight" show "$work/off.keyflight" | grep -q '^[0-9]* [0-9]* samples' || wrong "samples that were not asked for"
}

sample_on_desktop() {
    # It has none of the variables of before.
    begin_desktop
    export KEYFLIGHT_HOOKS=+samples
    compile_slow_app
}

# The app quits by a key, which takes long and is sampled, after a slow command.
live_quits() { # COUNT
    local time
    sample_on_desktop
    for ((time = 1; time <= $1; time++)); do
        printf 'press cmd+%d\npress cmd+q\n' $((time % 7 + 1)) >"$work/slow.keys"
        rm -f "$work/quit.keyflight"
        (cd "$work" && exec "$keyflight" launch -o quit.keyflight --keys slow.keys --timeout 30s -- ./SlowApp) \
            >"$work/app.out" 2>"$work/app.err" || wrong "quit $time of $1 ended with status $?"
        "$keyflight" show "$work/quit.keyflight" | grep -q '^[0-9]* [0-9]* samples' || wrong "quit $time of $1 without samples"
    done
    echo "samples: $1 quits by a key after a slow command"
}

live_samples() { # TIMES
    sample_on_desktop
    local app_name
    for app_name in SlowApp StrippedApp; do
        type_slowly "$work/$app_name.keyflight" "$work/$app_name" "$1"
        calls_are_whole "$1"
        python3 Scripts/live-samples.py "$keyflight" "$work/$app_name.keyflight" "$1" ||
            wrong "functions of slow presses of $app_name"
    done
    sampler_sleeps
    without_samples
    echo "samples: the functions of slow presses, calls whole, no wake-up while idle"
}
