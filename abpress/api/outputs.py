"""What is written of a run: its witness, its page, and what other tools read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from abpress.bench.files import write_whole
from abpress.config import Config
from abpress.errors import InputError, UnsupportedError
from abpress.result import Verdict
from abpress.verify.measure import Cost
from abpress.verify.run import Report

if TYPE_CHECKING:
    from abpress.witness.standard.model import StandardWitness

AUTO = "auto"
"""The format of a witness that its file's name, and what it says, choose."""

_SHARE_FOR_INVARIANTS = 0.05
_RESERVE_S = 3.0
"""Of the limit of time, left for what is written behind the witness."""


def write_witness(
    config: Config, report: Report, cost: Cost, file: Path, format: str, seconds: float | None
) -> StandardWitness | None:
    """Writes the standard witness of the verdict and returns it; None, and nothing is written, if
    the answer is unknown. Of a proof its invariants are looked for, within the limit of the run and
    so many seconds (None: 5 % of what the run has taken, of the processor, too); until they are
    found the file has a witness without them.

    Raises InputError if it cannot be written, UnsupportedError for a program that is no file in C.
    """
    from abpress.verify.witnesses.tasks import LEAST_SECONDS
    from abpress.witness.standard.formats import GRAPHML

    if GRAPHML[1:] in (file.suffix if format == AUTO else format):
        seconds = 0.0  # there are none
    elif seconds is None:
        seconds = _SHARE_FOR_INVARIANTS * min(cost.cpu_s, cost.wall_s)  # others may run beside it
    limit = config.bounds.time_limit
    left = inf if limit is None else limit - cost.wall_s - _RESERVE_S
    seconds = min(seconds, left)
    if report.result.verdict is Verdict.TRUE and seconds >= LEAST_SECONDS:
        _write_made(made_witness(config, report, file, format), file)
    return _write_made(made_witness(config, report, file, format, seconds), file)


def _write_made(made: tuple[StandardWitness, str] | None, file: Path) -> StandardWitness | None:
    if made is None:
        return None
    witness, text = made
    write_whole(file, text)
    return witness


def made_witness(
    config: Config, report: Report, file: Path, format: str, seconds: float = 0.0
) -> tuple[StandardWitness, str] | None:
    """The standard witness of the verdict and its text for a file; None if the answer is unknown.
    Invariants of a proof are looked for so many seconds. Raises InputError if the program cannot be
    read again, UnsupportedError for a program that is no file in C."""
    from abpress.verify.witnesses.write import standard_witness, witness_text

    if config.program.text is not None:
        raise UnsupportedError("a witness for a program that is in no file")
    witness = standard_witness(config, report, seconds)
    if witness is None:
        return None
    return witness, witness_text(witness, format, file.suffix, datetime.now(UTC))


def page_text(
    config: Config | None,
    report: Report,
    cost: Cost,
    folder: Path,
    name: str,
    advised: Sequence[str] = (),
) -> tuple[Path, str]:
    """The page of a run on the program `name`, and the file in a folder where it goes."""
    from abpress.verify.page.data import report_data
    from abpress.verify.page.write import NAME, page_of

    return folder / NAME, page_of(report_data(report, cost, name, advised, config))


def write_page(
    config: Config | None,
    report: Report,
    cost: Cost,
    folder: Path,
    name: str,
    advised: Sequence[str] = (),
) -> tuple[Path, int]:
    """Writes the page of a run on the program `name` into a folder, which is made; returns where it
    is, and its length. Raises InputError."""
    file, page = page_text(config, report, cost, folder, name, advised)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make {folder}: {error.strerror}") from error
    write_whole(file, page)
    return file, len(page)
