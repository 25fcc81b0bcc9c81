"""The native core against the Python search, of which everything has to be equal that is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from abpress.config import Config
from abpress.core import executions, search
from abpress.core.reference import CoreRefused
from abpress.engines.order import InOrder
from abpress.engines.stored import explore_all
from abpress.ir.program import Program
from abpress.properties import asked
from abpress.properties.ends import End
from abpress.reductions.table import STATELESS
from abpress.result import Soundness
from abpress.search.bounds import ExecutionBounds
from abpress.search.ledger import Exploration, Found
from abpress.search.limits import STATES_EXCEEDED, StopReason
from abpress.search.stateless import Hooks, explore_executions
from abpress.search.statistics import ExecutionStatistics, Statistics
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
    ("valid-memcleanup",),
    ("valid-memcleanup", "valid-free", "unreach-call"),
    ("valid-memtrack",),
    ("valid-memtrack", "valid-memcleanup", "valid-deref", "valid-free"),
)

MOST_EVENTS = 2_000
"""Of searches without stored states; those that take more are not compared."""

TOO_LONG = "too long"

_FEW_STEPS = 6
"""Where loops are not unrolled at all, threads take fewer steps than that."""


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


def told(program: Program, config: Config, native: bool, most: int | None = None) -> Told:
    """What the core, or the Python search, tells: of at most so many states (or events, where they
    are not stored). Raises CoreRefused."""
    soundness = Soundness()
    system = InOrder(program, config, soundness)
    ends: set[End] = set()
    search_all = _executions if config.search.engine == "stateless" else _states
    outcome = search_all(system, config, native, most, lambda _, end: ends.add(end))
    names = CanonicalNames(system.context)
    shown = [
        (found.violates, found.finding.sentence, found.schedule, names.state(_end(system, found)))
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


def _end(system: InOrder, found: Found[State]) -> State:
    """The state in which what was found ends; a search may have taken steps back to come there."""
    state = system.initial()
    for thread, choices in found.schedule:
        step = system.take(state, thread, choices)
        assert step is not None
        state = step.successor
    return state


OnEnd = Callable[[State, End], None]


def _states(
    system: InOrder, config: Config, native: bool, most: int | None, ended: OnEnd
) -> Exploration[State, Any]:
    def poll(statistics: Statistics) -> StopReason | None:
        full = most is not None and statistics.states >= most
        return STATES_EXCEEDED if full else None

    property = asked(config.question.properties)
    keep_going, por = config.search.keep_going, config.search.por
    if not native:
        return explore_all(system, por, property, poll=poll, keep_going=keep_going, on_final=ended)
    return search.explore(
        system,
        por,
        property,
        poll=poll,
        keep_going=keep_going,
        on_final=ended,
        most_states=most,
    )


def _executions(
    system: InOrder, config: Config, native: bool, most: int | None, ended: OnEnd
) -> Exploration[State, Any]:
    def poll(statistics: ExecutionStatistics) -> StopReason | None:
        full = most is not None and statistics.events >= most
        return STATES_EXCEEDED if full else None

    property = asked(config.question.properties)
    keep_going, por = config.search.keep_going, config.search.por
    steps = _FEW_STEPS if config.bounds.unroll == 0 else ExecutionBounds().steps
    bounds = ExecutionBounds(config.bounds.unroll, steps)
    if not native:
        blocked: Callable[[State], None] = lambda state: ended(state, End.BLOCKED)  # noqa: E731
        hooks = Hooks(poll, on_final=ended, on_blocked=blocked)
        algorithm = STATELESS[por].make()
        return explore_executions(
            system, algorithm, property, keep_going=keep_going, bounds=bounds, hooks=hooks
        )
    why = executions.unfit(config, property)
    if why is not None:
        raise CoreRefused(why)
    return executions.explore(
        system, por, property, poll=poll, keep_going=keep_going, on_final=ended, bounds=bounds
    )


def compare(program: Program, config: Config, most: int | None = None) -> str:
    """Raises AssertionError where the two differ. Returns "same", or why the core refuses."""
    return _judged(program, config, told(program, config, False, most), most)


def _judged(program: Program, config: Config, reference: Told, most: int | None) -> str:
    if config.search.engine == "stateless" and reference.stopped is not None:
        return TOO_LONG
    try:
        native = told(program, config, True, most)
    except CoreRefused as why:
        assert not why.is_news, why
        return str(why)
    assert native == reference
    return "same"


def compare_both(program: Program, config: Config, most: int | None = None) -> set[str]:
    """The answers of `compare` with and without an end at the first violation. Where there is none,
    the two are one search."""
    beyond, until = config.but(keep_going=True), config.but(keep_going=False)
    reference = told(program, beyond, False, most)
    answers = {_judged(program, beyond, reference, most)}
    if reference.found or reference.fault is not None:
        answers.add(compare(program, until, most))
    return answers


def compare_all(program: Program) -> Counter[str]:
    """Compares with each reduction, until the first violation or beyond it, and for several
    questions; how often with which answer."""
    return _compared(lambda config: program, STATES)


def compare_executions(
    program: Program, questions: Sequence[tuple[str, ...]] = QUESTIONS
) -> Counter[str]:
    """The same without stored states, for some questions."""
    its = replace(EXECUTIONS, questions=tuple(questions))
    return _compared(lambda config: program, its)


def compare_text(
    drawn: ConcurrentProgram,
    folder: Path,
    most_states: int,
    questions: Sequence[tuple[str, ...]] = QUESTIONS,
) -> Counter[str]:
    """As `compare_all`, of at most so many states, for a C program, of which each question is asked
    of its own variant."""
    its = replace(STATES, most=most_states, questions=tuple(questions))
    return _compared(*_text(drawn, folder, its))


def compare_executions_of_text(
    drawn: ConcurrentProgram, folder: Path, questions: Sequence[tuple[str, ...]] = QUESTIONS
) -> Counter[str]:
    """The same without stored states, for some questions."""
    return _compared(*_text(drawn, folder, replace(EXECUTIONS, questions=tuple(questions))))


@dataclass(frozen=True)
class _Searches:
    """Which searches are compared: by which engine, how large, for which questions. Each question
    is asked of one of the `others`, too, in turns."""

    engine: str
    reductions: tuple[str, ...]
    most: int
    questions: tuple[tuple[str, ...], ...]
    others: tuple[str, ...] = ()


BASIC = ("none", "s-por")

STATES = _Searches(
    "explicit",
    BASIC,
    2_000,
    QUESTIONS,
    tuple(por for por in search.ALGORITHMS if por not in BASIC),
)
REMEMBERING = ("context-sensitive", "optimal-context-sensitive", "optimal-cs-observers")
FOLLOWING = tuple(por for por in executions.ALGORITHMS if por not in REMEMBERING)
EXECUTIONS = _Searches("stateless", FOLLOWING, MOST_EVENTS, QUESTIONS, REMEMBERING)

_ProgramOf = Callable[[Config], Program]


def _text(
    drawn: ConcurrentProgram, folder: Path, its: _Searches
) -> tuple[_ProgramOf, _Searches, Path]:
    file = folder / "program.c"
    file.write_text(drawn.text(range(len(drawn.join))))
    wakeups = drawn.spurious_wakeups
    every_access = its.engine == "stateless"
    return (
        lambda config: (
            load(config.but(spurious_wakeups=wakeups), every_access=every_access).program
        ),
        its,
        file,
    )


def _compared(program: _ProgramOf, its: _Searches, file: Path = Path()) -> Counter[str]:
    answers: Counter[str] = Counter()
    for number, properties in enumerate(its.questions):
        question = Config.of(
            file, properties=properties, keep_going=bool(number & 1), engine=its.engine
        )
        asked_of = program(question)
        others = its.others
        turn = number % max(len(others), 1)
        for por in its.reductions + others[turn : turn + 1]:
            answers[compare(asked_of, question.but(por=por), its.most)] += 1
        if its.engine == "stateless":
            por = tuple(executions.ALGORITHMS)[number % len(executions.ALGORITHMS)]
            bounded = question.but(por=por, unroll=number % 3)
            answers[compare(asked_of, bounded, its.most)] += 1
    return answers
