# shellcheck shell=bash
# Sourced by Scripts/real-apps after live-samples.bash: the same keys allocate the same, stage by stage, in every run.

type_for_costs() { # TRACE
    printf 'hello\n' >"$folder/costs.txt"
    rm -f "$1"
    "$keyflight" launch -o "$1" --show-keys --keys "$work/costs.keys" --timeout 60s -- TextEdit "$folder/costs.txt" \
        >"$work/app.out" 2>"$work/app.err" || wrong "TextEdit under launch ended with status $?"
}
costs() { # TRACE WHERE
    "$keyflight" query "$1" --format csv "SELECT press, tick, stage, sum(allocations), sum(bytes) FROM costs
        JOIN presses USING (press, tick) WHERE $2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
}

live_costs() { # RUNS
    local run varied
    begin_desktop
    printf 'press %s\n' end a b c return d shift+e space left right up down home end delete x y z \
        cmd+a cmd+c cmd+v a b c return delete cmd+s cmd+q >"$work/costs.keys"
    for ((run = 1; run <= $1; run++)); do
        type_for_costs "$work/costs.keyflight"
        costs "$work/costs.keyflight" "chord NOT LIKE 'cmd+%'" >>"$work/costs.csv"
    done
    # A press that is not the same in all runs.
    varied=$(sort -u "$work/costs.csv" | cut -d, -f1,2,3 | uniq -d | cut -d, -f1 | sort -un | wc -l)
    [ "$varied" -le 1 ] || wrong "allocations of $varied presses differ between runs: $(sort -u "$work/costs.csv")"
    [ "$(cut -d, -f1 "$work/costs.csv" | grep -c '^[0-9]')" -ge $((100 * $1)) ] || wrong "stages without allocations"
    "$keyflight" explain "$work/costs.keyflight" --press 2 | grep -q 'counted exactly' || wrong "explain lacks allocations"
    KEYFLIGHT_HOOKS=-costs type_for_costs "$work/off.keyflight"
    [ "$(costs "$work/off.keyflight" 1 | wc -l)" = 1 ] || wrong "allocations that were turned off"
    echo "costs: the same allocations by stage in $1 runs, presses that vary: $varied"
}
