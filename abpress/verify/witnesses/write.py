"""Makes standard witnesses of the answers of a run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from abpress.config import Config
from abpress.errors import UnsupportedError
from abpress.ir.program import UNREACH_CALL
from abpress.later import later
from abpress.properties import ERROR_FUNCTIONS, PROPERTIES, check_line
from abpress.result import Result, Verdict
from abpress.verify.run import Report
from abpress.verify.witnesses.tasks import ASSERTION, LEAST_SECONDS, file_hash
from abpress.witness.standard.formats import FORMATS, GRAPHML
from abpress.witness.standard.model import (
    CorrectnessWitness,
    StandardWitness,
    ViolationWitness,
    WitnessTask,
)
from abpress.witness.trace import Trace

if TYPE_CHECKING:
    from abpress.verify.witnesses.places import ProgramPlaces
    from abpress.witness.standard.model import Segment

_WITH_INVARIANTS: Callable[..., CorrectnessWitness] = later(
    "abpress.verify.witnesses.invariants", "with_invariants"
)
_SEGMENTS_OF: Callable[..., tuple[Segment, ...]] = later(
    "abpress.witness.standard.violation", "segments_of"
)
_PLACES_IN: Callable[..., ProgramPlaces] = later("abpress.verify.witnesses.places", "places_in")
_PLACES_OF: Callable[..., ProgramPlaces] = later("abpress.verify.witnesses.places", "places_of")


def standard_witness(
    config: Config, report: Report, seconds: float = 0.0
) -> StandardWitness | None:
    """The witness of the verdict for a program of one file in C; None of "unknown". That of a proof
    states invariants that are shown within so many seconds.

    Raises UnsupportedError for a program of several files or in textual IR.
    """
    result = report.result
    if result.verdict is Verdict.UNKNOWN:
        return None
    program = config.program
    if program.others or program.file.suffix == ".abp":
        raise UnsupportedError("a witness for other programs than those of one file in C")
    name = program.file.name
    task = WitnessTask(
        {name: file_hash(program.file)}, _specification(config, result), program.data_model
    )
    if result.verdict is Verdict.TRUE:
        if report.certificate is None or seconds < LEAST_SECONDS:
            return CorrectnessWitness(task)
        return _WITH_INVARIANTS(task, config, _places(config, report), report, seconds)
    assert isinstance(result.trace, Trace)
    return ViolationWitness(task, _SEGMENTS_OF(result.trace, _places(config, report), name))


def _places(config: Config, report: Report) -> ProgramPlaces:
    """The places of the program, of what the run has read if that has them as they are in the
    file."""
    if report.programs is None or config.program.line_markers:
        return _PLACES_OF(config.program)
    return _PLACES_IN(report.programs.source(), config.program)


def witness_text(witness: StandardWitness, format: str, suffix: str, created: datetime) -> str:
    """The text of a witness in a format of the table; `auto`: as `format_for` says."""
    name = format_for(witness, suffix) if format == "auto" else format
    return FORMATS[name](witness, created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def _specification(config: Config, result: Result) -> str:
    """The text of what was asked: of what is violated alone, or of all that is proved."""
    violated = (
        (result.property,) if result.verdict is Verdict.FALSE else tuple(result.property.split(","))
    )
    return "\n".join(check_line(_formula(name, config, result)) for name in violated)


def _formula(name: str, config: Config, result: Result) -> str:
    if name != UNREACH_CALL:
        return PROPERTIES[name].ltl
    function = config.program.error_function
    if function not in ERROR_FUNCTIONS:
        fails = result.trace is not None and "is called" not in result.trace.message
        function = ASSERTION if fails else ERROR_FUNCTIONS[0]
    return f"G ! call({function}())"


def format_for(witness: StandardWitness, suffix: str) -> str:
    """The format of a file whose name ends so: the first version of YAML that has the words for
    what the witness says."""
    if suffix == GRAPHML:
        return "graphml-1.0"
    if isinstance(witness, CorrectnessWitness):
        return "yaml-2.1" if witness.ghosts else "yaml-2.0"
    waypoints = (w for segment in witness.segments for w in segment.follow)
    return "yaml-2.2" if any(w.thread for w in waypoints) else "yaml-2.0"
