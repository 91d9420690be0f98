# The end of each reader of Scripts/foreign-readers: what all of them use, and the loop over the goldens.
import decimal, json, os, re, subprocess, sys

program, form, folder = sys.argv[1:]
stages = "hid transport inputDelay presses chordWait collect match validate action settle".split()


def keyflight(verb, name):
    golden = f"Traces/golden/{name}"
    run = [program, verb, "--format", "json", f"{golden}/input.keys", "--scene", f"{golden}/scene.yaml"]
    return json.loads(subprocess.run(run, capture_output=True, check=False).stdout)


def same_stages(name, sums):
    """Each stage takes as long as in the statistics, and is absent where it is absent there."""
    found = keyflight("stats", name)
    for stage in stages:
        splits = [found["stages"], (found.get("repeats") or {}).get("stages")]
        parts = [split[stage] for split in splits if split and split[stage]]
        ours = sum(part["sum_ns"] for part in parts) if parts else None
        assert sums.get(stage) == ours, (stage, sums.get(stage), ours)


count, told = 0, ""
for name in sorted(os.listdir(folder)):
    with open(f"{folder}/{name}", "rb") as file:
        try:
            told = check(file.read(), name)  # noqa: F821, the reader's
        except Exception as error:
            sys.exit(f"{form}: {name}: {type(error).__name__}: {error}")
    count += 1
assert count > 30, "there are goldens"
print(f"{form}: {count} exports read back, the last with {told}")
