#!/usr/bin/env python3
"""live-samples.py PROGRAM TRACE TIMES: explain names the function of each slow press of Tests/Fixtures/SlowApp."""
import collections
import json
import subprocess
import sys

WANTED = {
    "cmd+1": ("spin", "-[Library compareRevisions]"), "cmd+2": ("-[Library exportAll:]",),
    "cmd+3": ("-[Library buildIndex:]", "-[Library entry:]"), "cmd+4": ("-[Library refresh:]",),
    "cmd+5": ("-[Library saveJournal:]",), "cmd+6": ("-[Library askScreen:]",), "cmd+7": ("-[Library drawAgain:]",),
}
program, trace, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
counts, wrong = collections.Counter(), []
for press in range(1, 8 * times + 1):
    run = subprocess.run([program, "explain", trace, "--press", str(press), "--format", "json"], capture_output=True,
                         text=True)
    found = json.loads(run.stdout)
    chord = found["key"]["chord"]
    stages = found.get("samples") or []
    for stage in stages:
        counts["samples"] += stage["samples"]
        counts["torn"] += stage["torn"]
    if chord not in WANTED:
        continue
    counts["slow"] += 1
    tops = [stage["functions"][0] for stage in stages if stage["functions"]]
    # A static function of a stripped file has no name, but a caller.
    if any(top["name"] in WANTED[chord] or top["caller"] in WANTED[chord] for top in tops):
        counts["right"] += 1
    else:
        wrong.append((press, chord, [(top["name"], top["samples"]) for top in tops]))
print(f"{counts['right']} of {counts['slow']} slow presses named, {counts['torn']} of {counts['samples']} stacks torn")
for press, chord, tops in wrong:
    print(f"  press {press}, {chord}: {tops}", file=sys.stderr)
if counts["slow"] != 7 * times or counts["right"] < 0.95 * counts["slow"]:
    sys.exit(1)
sys.exit(counts["torn"] > 0.005 * counts["samples"])
