"""The work of keyflight fleet, which finds this file and Python for it, and sets where packages are (PYTHONPATH).

Results are on standard output; notes, and progress behind "progress: ", a line each on standard error. The status 69
means that a package is missing, which a line "missing: " names.
"""

from __future__ import annotations

import sys

# Of pyproject.toml.
OLDEST = (3, 11)


def main(words: list[str]) -> int:
    if sys.version_info < OLDEST:
        print(f"missing: Python {OLDEST[0]}.{OLDEST[1]} or newer", file=sys.stderr)
        return 69
    try:
        import duckdb  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        print(f"missing: {error.name or 'duckdb and pyarrow'}", file=sys.stderr)
        return 69
    # Readers of the streams expect UTF-8, whatever the user's settings are; names of files need not be text.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    from keyflight.fleet.actions import run
    return run(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
