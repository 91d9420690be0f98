"""The proofs of Scripts/fleet, which sets what they need. The argument is Spark's master."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from collections.abc import Callable
from typing import Any

import duckdb

import keyflight
from keyflight.fleet import lake
from keyflight.fleet.text import safe

MASTER = sys.argv[1]
PROGRAM = os.environ["KEYFLIGHT"]
ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = pathlib.Path(tempfile.mkdtemp())
TRACES, SMALL = WORK / "traces", WORK / "small"
SESSIONS = 2_000
BAD = {"damaged": 2, "duplicate": 1, "empty": 1, "foreign": 1, "unmasked": 1}
IDS, KEY = str(WORK / "ids"), str(WORK / "key")
SHUFFLES = int(os.environ.get("KEYFLIGHT_FLEET_SHUFFLES", "200"))
EXPORT_MEMORY = 150 << 20  # bytes
# Of processor time, to an export of histograms alone of the same traces: machines differ, and are busy.
INGEST_RATIO = 6


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def run(*words: str | pathlib.Path, statuses: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    found = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert found.returncode in statuses, f"{words}: status {found.returncode}: {found.stderr}"
    return found


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def took(name: str, since: tuple[float, float]) -> float:
    """Seconds of a processor, since a moment and a processor time."""
    elapsed, used = time.monotonic() - since[0], processor() - since[1]
    say(f"  {name}: {SESSIONS / elapsed:.0f} traces/s, {SESSIONS / used:.0f} for each second of a processor")
    return used


def files(folder: pathlib.Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def answers(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Any]]:
    return {name: connection.execute(keyflight.query(name)).fetchall() for name in keyflight.QUERIES}


def compare(folder: pathlib.Path, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("fleet", "compare", folder, "4.1", "4.2", "--format", "json", *words,
                                           statuses=(0, 1)).stdout)
    return found


def generate() -> None:
    pathlib.Path(IDS).write_text("*\n")
    pathlib.Path(KEY).write_text("0123456789abcdef0123456789abcdef")
    for folder, count in ((TRACES, SESSIONS), (SMALL, 200)):
        subprocess.run([os.environ["KEYFLIGHT_FLEET_TRACES"], folder, "--count", str(count), "--bad"], check=True)


def package_tests() -> None:
    """Of the package, with few traces: they read each of them often."""
    os.environ["KEYFLIGHT_TRACES"] = str(SMALL)
    tests = unittest.defaultTestLoader.discover(str(ROOT / "Sources/PythonKeyflight/tests"))
    assert unittest.TextTestRunner(stream=sys.stderr).run(tests).wasSuccessful()


def export_and_ingest() -> None:
    names = WORK / "names"
    names.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in sorted(TRACES.glob("*.keyflight"))))
    since = time.monotonic(), processor()
    # The limit of memory is that of a process: one of its own measures it.
    script = ("import resource, subprocess, sys; status = subprocess.run(sys.argv[1:]).returncode;"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(status)")
    found = subprocess.run([sys.executable, "-c", script, PROGRAM, "export", "--files-from", names, "--null", "--table",
                            "histograms", "--format", "arrow", "-o", WORK / "histograms.arrow", "--allow-ids", IDS],
                           capture_output=True, text=True)
    assert found.returncode == 2, found.stderr
    memory = int(found.stdout) << 10
    say(f"  export: {memory >> 20} MiB")
    assert memory <= EXPORT_MEMORY
    export = took("export of histograms", since)
    since = time.monotonic(), processor()
    found = run("fleet", "ingest", TRACES, "-o", WORK / "lake", "--allow-ids", IDS, "--pseudonym-key", KEY,
                "--format", "json", statuses=(2,))
    ingest = took("ingest", since)
    assert ingest <= INGEST_RATIO * export, f"ingest takes {ingest / export:.1f} times as long as an export"
    statuses = json.loads(found.stdout)["statuses"]
    assert statuses == {**BAD, "ok": SESSIONS}, statuses
    for name in ("damaged", "torn", "duplicate", "empty", "foreign", "unmasked"):
        assert f"x-{name}.keyflight: " in found.stderr, found.stderr
    before = files(WORK / "lake")
    size = sum(path.stat().st_size for path in (WORK / "lake").rglob("*.parquet"))
    say(f"  a lake of {size / SESSIONS:.0f} bytes for each trace")
    again = run("fleet", "ingest", TRACES, "-o", WORK / "lake")
    assert "0 added, 2,006 there before" in again.stdout, again.stdout
    assert files(WORK / "lake") == before, "a second ingest changes files"


def killed_ingests() -> None:
    """Killed with all that it runs, at moments by lot; then finished."""
    wanted = answers(lake.connect(WORK / "lake"))
    lot = random.Random(7)
    kills = 0
    words = [sys.executable, "-m", "keyflight.fleet", "ingest", f"--program={PROGRAM}", f"--allow-ids={IDS}",
             f"--pseudonym-key={KEY}", "--", str(TRACES), str(WORK / "killed")]
    for _ in range(4):
        child = subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(lot.uniform(0.3, 2.5))
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            kills += 1
        child.wait()
    assert kills >= 2, "every ingest was done before it was killed"
    # On a busy machine all may have been killed before they kept what the lake was begun with.
    run("fleet", "ingest", TRACES, "-o", WORK / "killed", "--allow-ids", IDS, "--pseudonym-key", KEY, statuses=(0, 2))
    assert answers(lake.connect(WORK / "killed")) == wanted
    assert compare(WORK / "killed") == compare(WORK / "lake")
    say(f"  {kills} kills")


def exact_numbers() -> None:
    """Counts and sums of 40 sessions are those of stats."""
    connection = lake.connect(WORK / "lake")
    for path in random.Random(3).sample(sorted(TRACES.glob("session-*.keyflight")), 40):
        trace = hashlib.sha256(path.read_bytes()).hexdigest()
        stats = json.loads(run("stats", path, "--format", "json").stdout)
        calls = dict(connection.execute("""SELECT responder, [sum(n), sum(sum_ns)] FROM histograms
            WHERE trace_id = ? AND metric = 'keyCommands' AND occasion = 'down' GROUP BY 1""", [trace]).fetchall())
        assert calls == {row["id"]: [row["calls"], row["self_ns"]] for row in stats["responders"]}, path
        stages = {name: (n, total, longest) for name, n, total, longest in connection.execute("""
            SELECT stage, n, sum_ns, max_ns FROM histograms
            WHERE trace_id = ? AND metric = 'stage' AND occasion = 'down'""", [trace]).fetchall()}
        assert stages == {name: (row["n"], row["sum_ns"], row["max_ns"])
                          for name, row in stats["stages"].items() if row is not None}, path


def comparisons() -> None:
    found = compare(WORK / "lake", "--self-test", str(SHUFFLES))
    changed = [(cell["stratum"], cell["metric"], cell["responder"]) for cell in found["cells"] if cell["changed"]]
    # The time of all calls contains that of the slower one.
    calls = [cell for cell in changed if cell[1] != "stage"]
    assert calls == [("26.0", "keyCommands", "library")], changed
    stages = {(cell["stratum"], cell["stage"]) for cell in found["cells"] if cell["changed"] and cell["stage"]}
    assert stages <= {("26.0", "collect")}, stages
    assert found["not_compared"] == found["missing"] == [], found["missing"]
    assert sum(counts["compared"] for counts in found["coverage"]) == SESSIONS, found["coverage"]
    for kind in ("calls", "stages", "totals"):
        assert sum(counts["kinds"][kind]["compared"] for counts in found["coverage"]) == SESSIONS, kind
    assert found["rare"] == found["uneven"] == [], found["rare"]
    cell = next(cell for cell in found["cells"] if cell["responder"] == "library" and cell["changed"])
    low, high = cell["relative"]["interval"]
    assert low <= 0.15 <= high or abs(cell["relative"]["change"] - 0.15) < 0.01, cell
    test = found["self_test"]
    say(f"  planted +15 %, found {cell['relative']['change']:+.1%}; of {test['shuffles']} comparisons by lot "
        f"{test['alarms']} alarm ({test['interval'][0]:.1%} to {test['interval'][1]:.1%})")
    assert test["alarms"] <= 0.05 * test["shuffles"], "too many false alarms"
    shown = run("fleet", "compare", WORK / "lake", "4.1", "4.2", statuses=(1,)).stdout
    assert "slower: library keyCommands on os_version 26.0: +1" in shown, shown
    assert shown.count("slower: ") == 1 + len(stages) and "faster: " not in shown
    run("fleet", "compare", WORK / "lake", "4.1", "9.9", statuses=(4,))
    asked = run("query", WORK / "lake", "SELECT count(*) AS n FROM sessions WHERE status = 'ok'", "--format", "csv")
    assert asked.stdout.split() == ["n", str(SESSIONS)], asked.stdout
    run("query", WORK / "lake", "SELECT * FROM chords WHERE false", statuses=(3,))
    run("query", WORK / "lake", "SELECT * FROM read_text('/etc/passwd')", statuses=(64,))


def pages() -> None:
    run("fleet", "report", WORK / "lake", "-o", WORK / "page.html")
    page = (WORK / "page.html").read_text(encoding="utf-8")
    assert "default-src 'none'; style-src 'sha256-" in page and "<script" not in page
    assert re.search(r"(src|href)=\"?[^\"#]", page) is None, "the page refers to something outside"
    for word in (str(WORK), "session-0", "installation-", "<td>-</td>"):
        assert word not in page, word
    assert "slower: library keyCommands" in page and safe(page.replace("\n", "")) == page.replace("\n", "")
    run("fleet", "report", WORK / "lake", "-o", WORK / "page.html", statuses=(64,))


def spark() -> None:
    """The same SQL and the same comparison of what the Spark job makes."""
    from pyspark.sql import SparkSession
    from keyflight.spark_job import write
    begin = time.monotonic()
    session = (SparkSession.builder.master(MASTER).config("spark.ui.enabled", "false")
               .config("spark.ui.showConsoleProgress", "false")
               .config("spark.sql.shuffle.partitions", "2").config("spark.executor.memory", "768m")
               .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
               .config("spark.sql.warehouse.dir", str(WORK / "warehouse")).getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    workers = 2 if MASTER.startswith("spark:") else 1
    while session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < workers + (workers > 1):
        assert time.monotonic() - begin < 60, "the workers do not come up"
        time.sleep(0.2)
    say(f"  Spark is up after {time.monotonic() - begin:.0f} s on {MASTER}")
    folder = WORK / "spark-lake"
    options = {"program": PROGRAM, "partitions": "2", "allow_ids": IDS, "pseudonym_key": KEY}
    for _ in range(2):  # the second replaces the day
        begin = time.monotonic()
        write(session, str(TRACES), str(folder), "2026-11-23", options)
        say(f"  Spark job: {SESSIONS / (time.monotonic() - begin):.0f} traces/s")
    for table in lake.TABLES:
        frame = session.read.parquet(str(folder / f"table={table}"))
        if table != "sessions":
            frame = frame.drop("service_version")
        frame.drop("date", "batch").createOrReplaceTempView(table)
    keyflight.register_spark(session)
    wanted = answers(lake.connect(WORK / "lake"))
    for name, rows in wanted.items():
        found = [tuple(row) for row in session.sql(keyflight.query(name)).collect()]
        assert found == rows and rows, f"{name}: {found[:3]} is not {rows[:3]}"
    session.stop()
    assert answers(lake.connect(folder)) == wanted
    assert compare(folder) == compare(WORK / "lake")
    connection = lake.connect(folder)
    counts = Counter(dict(connection.execute("SELECT status, count(*) FROM sessions GROUP BY 1").fetchall()))
    assert counts == {**BAD, "ok": SESSIONS}, counts


PROOFS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("traces are generated", generate), ("tests of the package", package_tests),
    ("export, ingest, and again", export_and_ingest), ("ingests that are killed", killed_ingests),
    ("counts and sums of 40 sessions", exact_numbers), ("compare", comparisons), ("report", pages), ("Spark", spark),
)

for name, proof in PROOFS:
    say(f"-- {name}")
    started = time.monotonic()
    proof()
    say(f"-- {name}: {time.monotonic() - started:.0f} s")
say("fleet: all of it holds")
