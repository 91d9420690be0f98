"""ingest, compare, report and query."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Callable

import duckdb

from keyflight.export import ExportError, Options
from keyflight.fleet import comparison, coverage, lake, occurrence, page, percentiles, report, shuffles, sql
from keyflight.fleet.failure import Failure
from keyflight.fleet.ingest import ingest
from keyflight.fleet.text import safe

# Bad inputs, and what could not be compared, that are named.
NOTES = 20
COLUMNS = ("service_version", "app_build_id", "vcs_ref_head_revision", "os_version", "device_model_identifier",
           "profile", "layout")


def run(words: list[str]) -> int:
    arguments = _arguments(words)
    action: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return action(arguments)
    except Failure as failure:
        note(str(failure))
        return failure.status
    except ExportError as error:
        note(f"{error} [KF0503]")
        return 5
    except OSError as error:
        note(f"{error.filename or 'fleet'}: {error.strerror or error} [KF0502]")
        return 5
    except duckdb.Error as error:
        place = lake.damaged_file()
        note(f"{place or 'fleet'}: DuckDB: {' '.join(str(error).split())} [KF0200]")
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001
        note(f"fleet: {type(error).__name__}: {error}: this is a defect of keyflight, please report it [KF7000]")
        return 70


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="keyflight fleet")
    actions = parser.add_subparsers(required=True)
    adding = actions.add_parser("ingest")
    adding.add_argument("folder")
    adding.add_argument("lake")
    adding.add_argument("--program", required=True)
    adding.add_argument("--allow-ids")
    adding.add_argument("--pseudonym-key")
    adding.set_defaults(run=_ingest)
    comparing = actions.add_parser("compare")
    comparing.add_argument("lake")
    comparing.add_argument("versions", nargs=2)
    comparing.add_argument("--by", choices=COLUMNS, default="service_version")
    comparing.add_argument("--within", choices=(*COLUMNS, "none"), default="os_version")
    comparing.add_argument("--cluster", choices=("installation", "session"), default="installation")
    comparing.add_argument("--self-test", type=int)
    comparing.set_defaults(run=_compare)
    reporting = actions.add_parser("report")
    reporting.add_argument("lake")
    reporting.set_defaults(run=_report)
    asking = actions.add_parser("query")
    asking.add_argument("lake")
    asking.add_argument("sql", nargs="?")
    asking.set_defaults(run=_query)
    for action in (adding, comparing, reporting, asking):
        action.add_argument("--format", choices=("text", "json"), default="text")
        action.add_argument("--threads", type=int)
    return parser.parse_args(words)


def note(line: str) -> None:
    print(safe(" ".join(line.split("\n"))), file=sys.stderr, flush=True)


def _progress(line: str) -> None:
    note(f"progress: {line}")


def _ingest(arguments: argparse.Namespace) -> int:
    options = Options(arguments.program, arguments.allow_ids, arguments.pseudonym_key)
    folder = pathlib.Path(arguments.lake)
    result = ingest(pathlib.Path(arguments.folder), folder, options, _progress)
    # First those that are in no table, and so are all named.
    for path, reason in result.reasons[:result.unreadable + NOTES]:
        note(f"{path}: {reason}")
    if len(result.reasons) > result.unreadable + NOTES:
        note(f"{len(result.reasons)} inputs are bad; sessions has the reasons")
    for path in result.passed_over:
        note(f"{path}: passed over: expected a file named *.keyflight, or a folder that is no link")
    if result.hides_ids:
        note("responder and action ids are (other): --allow-ids FILE names those to keep, from the first ingest on")
    is_text = arguments.format == "text"
    sys.stdout.write(report.ingested_text(arguments.lake, result) if is_text else report.ingested_json(result))
    if result.bad:
        return 2
    if not result.inputs:
        raise Failure("KF0300", f"{arguments.folder}: expected files named *.keyflight, found none")
    return 2 if result.misnamed else 0


def _compare(arguments: argparse.Namespace) -> int:
    within = None if arguments.within in ("none", arguments.by) else arguments.within
    versions = (arguments.versions[0], arguments.versions[1])
    try:
        connection = lake.connect(pathlib.Path(arguments.lake), arguments.threads)
        found = compared(connection, arguments.by, versions, within, arguments.cluster, arguments.self_test)
    except Failure as failure:
        if failure.status == 4 and arguments.format == "json":
            sys.stdout.write(json.dumps({
                "schema": "keyflight.fleet.compare/1", "by": arguments.by, "versions": list(versions),
                "within": within, "cells": [], "missing": [f"not compared: {failure}"],
                "error": str(failure)}, ensure_ascii=False) + "\n")
        raise
    sys.stdout.write(found.text() if arguments.format == "text" else found.json())
    for line in found.missing[:NOTES]:
        note(f"{arguments.lake}: {line} [KF0400]")
    return found.status


def _query(arguments: argparse.Namespace) -> int:
    connection = lake.connect(pathlib.Path(arguments.lake), arguments.threads)
    sys.stdout.write(sql.answer(connection, arguments.sql))
    return 0


def compared(connection: duckdb.DuckDBPyConnection, by: str, versions: tuple[str, str], within: str | None,
             cluster: str, self_test: int | None) -> report.Compared:
    comparison.prepare(connection, by, within, cluster)
    comparison.label_versions(connection, versions)
    counts = dict(connection.execute("SELECT label, count(*) FROM labels GROUP BY label").fetchall())
    result = comparison.compare(connection)
    covered = coverage.cover(connection, by, versions)
    for group, version in enumerate(versions):
        if group in counts:
            continue
        sessions = covered.sessions[group]
        if not sessions:
            known = connection.execute(f"SELECT DISTINCT {by} FROM sessions WHERE status = 'ok' AND {by} IS NOT NULL")
            names = report.sorted_versions([name for name, in known.fetchall()])
            listed = ", ".join(names[:10]) or "none"
            raise Failure("KF0405", f"{by} {version}: expected sessions with presses, found none; there are {listed}")
        raise Failure("KF0405", f"{by} {version}: expected sessions with times and app.installation.id, found "
                                f"{sessions.total()}: {covered.reasons(sessions)}")
    question = report.Question(by, versions, within, cluster, (counts[0], counts[1]))
    times = percentiles.of_cells(connection)
    occurrences = occurrence.of_names(connection)
    values = occurrence.of_values(connection, by, within, versions)
    conditions = comparison.read_conditions(connection, by, within, versions)
    alarms = shuffles.shuffle(connection, self_test, _progress) if self_test else None
    return report.Compared(question, result, covered, occurrences, values, conditions, times, alarms)


def _report(arguments: argparse.Namespace) -> int:
    connection = lake.connect(pathlib.Path(arguments.lake), arguments.threads)
    known = connection.execute(f"""SELECT service_version FROM sessions WHERE status = 'ok' GROUP BY 1
        HAVING service_version IS NOT NULL AND count(DISTINCT sample_id) >= {comparison.LEAST_SAMPLES}""").fetchall()
    versions = report.sorted_versions([name for name, in known])[-2:]
    found: report.Compared | str = "There are no two versions with enough sessions."
    if len(versions) == 2:
        _progress(f"comparing {versions[0]} and {versions[1]}")
        try:
            pair = (versions[0], versions[1])
            found = compared(connection, "service_version", pair, "os_version", "installation", None)
        except Failure as failure:
            # Sessions without times have nothing to be compared.
            if failure.status != 4:
                raise
            found = f"not compared: {failure}"
    sys.stdout.write(page.body(connection, found))
    return 0
