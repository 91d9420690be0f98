"""The reason why a run stopped: one line with the id that keyflight help explains."""

from __future__ import annotations


class Failure(Exception):
    """The first two digits of the id are the status of the run."""

    def __init__(self, identifier: str, line: str) -> None:
        super().__init__(f"{line} [{identifier}]")
        self.status = int(identifier[2:4])


def not_a_lake(folder: str) -> Failure:
    return Failure("KF0201", f"{folder}: expected a lake, found no keyflight.lake; keyflight fleet ingest makes one")
