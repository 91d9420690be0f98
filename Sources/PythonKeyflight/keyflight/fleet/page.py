"""The body of the page of keyflight fleet report: markup without script and without a reference to anything outside.

The program puts it into its own frame, with the style and the content policy of keyflight report.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import duckdb

from keyflight.fleet import text
from keyflight.fleet.comparison import LEAST_SAMPLES
from keyflight.fleet.report import Compared
from keyflight.fleet.text import Column, Table
from keyflight.queries import query

# Rows of a table of chords.
LIMIT = 50


def body(connection: duckdb.DuckDBPyConnection, compared: Compared | str) -> str:
    """The page of the lake whose views the connection has, with a comparison or the reason why there is none."""
    sessions = connection.execute("SELECT count(*) FILTER (status = 'ok'), count(*) FROM sessions").fetchone()
    assert sessions is not None
    good, inputs = sessions
    pills = [("good" if good else "bad", text.counted(good, "session", "sessions")),
             ("bad" if inputs > good else "good", f"{text.number(inputs - good)} in quarantine"),
             ("masked", "text masked"), ("masked", f"no cell below {LEAST_SAMPLES} samples of installations")]
    sections = [_section("Sessions", [_coverage(connection)]), _comparison(compared),
                _section("Percentiles", [_calls(connection), _stages(connection)]),
                _section("Chords", [_unhandled(connection), _stale(connection)])]
    marks = "".join(f'<span class="pill {kind}">{escape(words)}</span>' for kind, words in pills)
    links = "".join(f'<a href="#{_anchor(title)}">{title}</a>'
                    for title in ("Sessions", "Comparison", "Percentiles", "Chords"))
    return (f'<nav><span class="brand">keyflight</span>{links}</nav>\n<main>\n<header class="head"><h1>Fleet</h1>'
            f'<div class="pills">{marks}</div></header>\n{"".join(sections)}</main>\n')


def _anchor(title: str) -> str:
    return title.lower()


def _section(title: str, tables: Sequence[Table], lead: str = "") -> str:
    figures = "".join(_figure(table) for table in tables)
    return f'<section id="{_anchor(title)}"><h2>{title}</h2>{lead}{figures}</section>\n'


def _figure(table: Table) -> str:
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    if not table.rows:
        return f'<figure class="table"><figcaption><h3>{escape(table.title)}</h3></figcaption>' \
               f'<p class="empty">none</p>{notes}</figure>'
    heads = "".join(f'<th class="right">{escape(column.title)}</th>' if column.is_number
                    else f"<th>{escape(column.title)}</th>" for column in table.columns)
    rows = "".join("<tr>" + "".join(
        f'<td class="right">{escape(text.safe(cell))}</td>' if column.is_number
        else f"<td>{escape(text.safe(cell))}</td>"
        for cell, column in zip(row, table.columns)) + "</tr>" for row in table.rows)
    return (f'<figure class="table"><figcaption><h3>{escape(table.title)}</h3></figcaption><div class="scroll"><table>'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{notes}</figure>\n")


def _comparison(compared: Compared | str) -> str:
    if isinstance(compared, str):
        return _section("Comparison", [], f'<p class="empty">{escape(text.safe(compared))}</p>')
    rows = compared.comparison.changed
    lines = "".join(f'<li class="{"bad" if row.decisive.value > 0 else "good"}">{escape(compared.verdict(row))}</li>'
                    for row in rows)
    lines += "".join(f'<li class="bad">{escape(line)}</li>' for line in compared.missing)
    lines += "".join(f"<li>{escape(line)}</li>" for line in compared.sessions_left_out)
    # Their names and numbers may be those of fewer installations than a page has.
    rare = len(compared.left_out) - len(compared.sessions_left_out) + len(compared.uneven)
    if rare:
        lines += (f"<li>left out or uneven: {text.number(rare)} calls, stages or conditions, which "
                  "keyflight fleet compare names</li>")
    lead = f"<ul>{lines}</ul>" if lines else "<p>nothing changed</p>"
    asked = compared.question
    words = f"{asked.versions[0]} → {asked.versions[1]}: {text.number(asked.sessions[0])} and " \
            f"{text.number(asked.sessions[1])} sessions"
    return _section("Comparison", compared.tables(everything=True), f"<div><p>{escape(text.safe(words))}</p>{lead}</div>")


def _coverage(connection: duckdb.DuckDBPyConnection) -> Table:
    rows = connection.execute(query("coverage")).fetchall()
    columns = [Column("status"), Column("version"), Column("inputs", True), Column("presses", True),
               Column("bytes", True)]
    cells = [[status, text.plain(version), *[text.number(value) for value in numbers]]
             for status, version, *numbers in rows]
    return Table("Inputs by status and version", columns, cells)


def _percentiles(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return connection.execute(query("quantiles")).fetchall()


def _times(values: Sequence[object]) -> list[str]:
    return [text.duration(value if isinstance(value, int) else None) for value in values]


_TIMES = [Column("sessions", True), Column("n", True), Column("p50", True), Column("p95", True), Column("p99", True),
          Column("max", True)]


def _calls(connection: duckdb.DuckDBPyConnection) -> Table:
    cells = [[str(metric), text.plain(responder), text.plain(version), text.number(int(str(sessions))),
              text.number(int(str(n))), *_times(times)]
             for version, metric, responder, _, occasion, sessions, n, *times in _percentiles(connection)
             if metric != "stage" and occasion == "down"]
    cells.sort(key=lambda row: row[:3])
    return Table("Calls by responder and version", [Column("call"), Column("responder"), Column("version"), *_TIMES],
                 cells)


def _stages(connection: duckdb.DuckDBPyConnection) -> Table:
    cells = [[text.plain(stage), text.plain(version), text.number(int(str(sessions))), text.number(int(str(n))),
              *_times(times)]
             for version, metric, _, stage, occasion, sessions, n, *times in _percentiles(connection)
             if metric == "stage" and occasion == "down"]
    cells.sort(key=lambda row: row[:2])
    return Table("Stages by version", [Column("stage"), Column("version"), *_TIMES], cells,
                 ["Percentiles of stages do not add up to those of the total."])


def _unhandled(connection: duckdb.DuckDBPyConnection) -> Table:
    rows = connection.execute(query("unhandled_chords")).fetchmany(LIMIT)
    cells = [[text.plain(chord), text.plain(version), text.number(presses), text.number(sessions)]
             for version, chord, presses, sessions in rows]
    return Table("Unhandled, most often first",
                 [Column("chord"), Column("version"), Column("presses", True), Column("sessions", True)], cells)


def _stale(connection: duckdb.DuckDBPyConnection) -> Table:
    rows = connection.execute(query("stale_answers")).fetchmany(LIMIT)
    cells = [[text.plain(chord), text.plain(version), text.number(stale), text.number(presses), text.number(sessions)]
             for version, chord, stale, presses, sessions in rows]
    return Table("Wrong answers of a cache", [Column("chord"), Column("version"), Column("wrong answers", True),
                                              Column("presses", True), Column("sessions", True)], cells)
