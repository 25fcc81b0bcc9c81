"""The native core against the Python search, of which everything has to be equal that is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from abpress.config import Config
from abpress.core.search import REDUCTIONS, CoreRefused, explore
from abpress.engines.order import InOrder
from abpress.engines.stored import explore_all
from abpress.ir.program import Program
from abpress.properties import asked
from abpress.properties.ends import End
from abpress.result import Soundness
from abpress.search.ledger import Exploration
from abpress.search.limits import STATES_EXCEEDED, StopReason
from abpress.search.statistics import Statistics
from abpress.semantics.names import CanonicalNames
from abpress.semantics.outcome import State
from abpress.verify.load import load
from tests.strategies.c_programs import ConcurrentProgram

QUESTIONS = (
    ("unreach-call",),
    ("unreach-call", "no-deadlock"),
    ("valid-deref", "valid-free"),
    ("no-misuse", "no-deadlock"),
    ("no-data-race",),
    ("unreach-call", "no-partial-deadlock", "no-misuse"),
    ("no-data-race", "no-partial-deadlock", "valid-deref"),
)


@dataclass(frozen=True)
class Told:
    """All that a search tells. `threads` are the names that it has met, in their order."""

    statistics: dict[str, Any]
    found: list[tuple[Any, ...]]
    fault: tuple[Any, ...] | None
    stopped: StopReason | None
    exhausted: bool
    soundness: dict[str, list[str]]
    threads: list[str]
    ends: set[End]


def told(program: Program, config: Config, native: bool, most_states: int | None = None) -> Told:
    """What the core, or the Python search, tells. Raises CoreRefused."""
    soundness = Soundness()
    system = InOrder(program, config, soundness)
    property = asked(config.question.properties)
    ends: set[End] = set()

    def poll(statistics: Statistics) -> StopReason | None:
        full = most_states is not None and statistics.states >= most_states
        return STATES_EXCEEDED if full else None

    def ended(_: State, end: End) -> None:
        ends.add(end)

    outcome: Exploration[State, Statistics]
    keep_going, por = config.search.keep_going, config.search.por
    if native:
        outcome = explore(
            system,
            por,
            property,
            poll=poll,
            keep_going=keep_going,
            on_final=ended,
            most_states=most_states,
        )
    else:
        outcome = explore_all(
            system, por, property, poll=poll, keep_going=keep_going, on_final=ended
        )
    names = CanonicalNames(system.context)
    shown = [
        (found.violates, found.finding.sentence, found.schedule, names.state(found.path[-1][2]))
        for found in outcome.found
    ]
    return Told(
        outcome.statistics.as_dict(),
        shown,
        None if outcome.fault is None else (outcome.fault.schedule, outcome.fault.finding),
        outcome.stopped,
        outcome.exhausted,
        {name: list(texts) for name, texts in asdict(soundness).items()},
        [system.context.threads.name(t + 1) for t in range(system.context.threads.count)],
        ends,
    )


def compare(program: Program, config: Config, most_states: int | None = None) -> str:
    """Raises AssertionError where the two differ. Returns "same", or why the core refuses."""
    try:
        native = told(program, config, True, most_states)
    except CoreRefused as why:
        assert not why.is_news, why
        return str(why)
    assert native == told(program, config, False, most_states)
    return "same"


def compare_all(program: Program) -> Counter[str]:
    """Compares with each reduction, until the first violation or beyond it, and for several
    questions; how often with which answer."""
    return _compared(lambda config: program)


def compare_text(drawn: ConcurrentProgram, folder: Path, most_states: int) -> Counter[str]:
    """The same for a C program, of which each question is asked of its own variant."""
    file = folder / "program.c"
    file.write_text(drawn.text(range(len(drawn.join))))
    wakeups = drawn.spurious_wakeups
    return _compared(
        lambda config: load(config.but(spurious_wakeups=wakeups)).program, file, most_states
    )


def _compared(
    program: Callable[[Config], Program], file: Path = Path(), most_states: int = 2_000
) -> Counter[str]:
    answers: Counter[str] = Counter()
    for number, properties in enumerate(QUESTIONS):
        question = Config.of(file, properties=properties, keep_going=bool(number & 1))
        its = program(question)
        for por in REDUCTIONS:
            answers[compare(its, question.but(por=por), most_states)] += 1
    return answers
