"""Numbers and tables as keyflight's reports have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ABSENT = "–"
_UNITS = (("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000))


def duration(nanoseconds: int | None) -> str:
    """A duration in three digits: 324 µs, 4.35 ms."""
    if nanoseconds is None:
        return ABSENT
    for unit, size in _UNITS:
        if nanoseconds >= size * 0.9995:
            value = nanoseconds / size
            digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
            return f"{value:.{digits}f} {unit}"
    return f"{nanoseconds} ns"


def number(value: int) -> str:
    return f"{value:,}"


def counted(value: int, one: str, many: str) -> str:
    return f"{number(value)} {one if value == 1 else many}"


def change(value: float) -> str:
    """A relative change in percent: 0.148 is +14.8 %."""
    percent = round(value * 100, 1)
    return f"{percent:+.1f} %".replace("-", "−") if percent else "0.0 %"


def probability(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.2f}"


def plain(value: object) -> str:
    return ABSENT if value is None else str(value)


def safe(value: str) -> str:
    """The value with escapes for what acts on a terminal or changes the order of a line."""
    hidden = {*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0x61C}
    return "".join(f"\\u{{{ord(sign):x}}}" if ord(sign) in hidden else sign for sign in value)


@dataclass(frozen=True)
class Column:
    title: str
    is_number: bool = False


@dataclass(frozen=True)
class Table:
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def lines(self) -> list[str]:
        cells = [[column.title for column in self.columns], *[[safe(cell) for cell in row] for row in self.rows]]
        widths = [max(len(row[place]) for row in cells) for place in range(len(self.columns))]
        lines = [self.title]
        for row in cells:
            padded = [cell.rjust(width) if column.is_number else cell.ljust(width)
                      for cell, width, column in zip(row, widths, self.columns)]
            lines.append(("  " + "  ".join(padded)).rstrip())
        return lines + [f"  {note}" for note in self.notes]
