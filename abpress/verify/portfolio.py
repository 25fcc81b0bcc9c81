"""Several engines side by side: the first answer ends the others, and what one finds others know.

Each worker is a process that takes the turns of its part (`abpress.verify.parts`), of the program
that was loaded before it was made. What it decides is replayed, or its proof checked, in its own
process before it tells it. Which engine answers first depends on time; what the answer is does not:
a "true" beside a "false" is an internal error.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from time import monotonic

from abpress.config import Config
from abpress.engines.table import Engine, EngineKind, Progress
from abpress.parallel.crew import Crew, Gone, Line
from abpress.result import undecided
from abpress.search.limits import (
    INTERRUPTED,
    MIB,
    PROGRESS_INTERVAL,
    Interrupt,
    Limits,
    bound_memory,
    resident_memory,
)
from abpress.search.statistics import JointStatistics, Statistics
from abpress.verify.account import Account, Settled
from abpress.verify.closed import looks_finite
from abpress.verify.colleagues import Colleagues
from abpress.verify.parts import Part, parts_of
from abpress.verify.rations import Turns
from abpress.verify.together import Variants
from abpress.verify.turn import Decision, KnownFacts, Tidings, Turn
from abpress.verify.turns import decide, take_turns

_LOOK = 0.1
"""Seconds between two looks at the limits."""

_GRACE = 0.35
"""Seconds past the limit of time that a worker has to say how far it has got."""

_STOP = 0.6
"""The same for one that the user has asked to stop."""

_MEMORY_SLACK, _MEMORY_MOST = 1.1, 1.2
"""Over its limit of memory by the first factor a worker is ended; more than by the second one the
kernel does not give it."""

_SPARE_SECONDS = 1.0
"""A hunt that was shorter is not repeated with other seeds."""

NO_MORE = "ended, as there is an answer"


@dataclass(frozen=True, slots=True)
class _Begins:
    """A worker begins a turn."""

    engine: str
    kind: EngineKind


@dataclass(frozen=True, slots=True)
class _Rests:
    """A worker has searched all that it can; it hunts while others search."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """A worker has nothing to do any more. `error` is what it has failed with."""

    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class _Settled:
    """A property has been decided."""

    name: str


@dataclass(frozen=True, slots=True)
class _Stop:
    """The user has interrupted the run."""


def decide_together(
    engines: Sequence[Engine],
    programs: Variants,
    config: Config,
    limits: Limits,
    progress: Progress,
    settled: Settled = lambda _: None,
) -> dict[str, Decision]:
    """As `turns.decide`, by up to `config.search.workers` processes.

    The memory that there may be besides what this process has is divided among them.
    Raises ContradictionError, what a worker has raised, and UnsupportedError as `turns.decide`.
    """
    parts = parts_of(config.search.workers, engines)
    config = config.but(workers=1)
    if len(parts) < 2:
        return decide(engines, programs, config, limits, progress, settled)
    account = Account(config, limits, more={"workers": len(parts)}, settled=settled)
    # What each of them looks at first is made before they are.
    looks_finite(programs.of(account.open, lean=True).program, config.bounds.input_domain)
    memory = None
    if limits.memory is not None:
        memory = max(1.0, limits.memory - resident_memory()) / len(parts)
    works = [
        partial(_work, engines, programs, config, replace(limits, memory=memory), part)
        for part in parts
    ]
    with Crew(works) as crew:
        _Supervisor(account, crew, parts, memory, progress).run()
    return account.decisions(engines)


# -- a worker ----------------------------------------------------------------------------


class _Others(Colleagues):
    """The other workers, at the end of a line. Mutable."""

    def __init__(self, line: Line, known: KnownFacts) -> None:
        self._line = line
        self._known = known
        self._settled: set[str] = set()
        known.spread = line.tell

    @property
    def settled(self) -> set[str]:
        for message in self._line.heard():
            match message:
                case _Settled(name):
                    self._settled.add(name)
                case Tidings():
                    self._known.hear(message)
        return self._settled

    def begins(self, engine: Engine) -> None:
        self._line.tell(_Begins(engine.name, engine.kind))

    def ended(self, turn: Turn) -> None:
        self._line.tell(turn)


def _work(
    engines: Sequence[Engine],
    programs: Variants,
    config: Config,
    limits: Limits,
    part: Part,
    line: Line,
) -> None:
    """Takes the turns of a part, and hunts then for as long as others search."""
    limits = replace(limits, interrupt=Interrupt())

    def stops(message: object) -> bool:
        limits.interrupt.requested |= isinstance(message, _Stop)
        return limits.interrupt.requested

    line.urgent = stops
    if limits.memory is not None:
        bound_memory(limits.memory * _MEMORY_MOST)
    account = Account(config.but(**dict(part.options)), limits)
    known = KnownFacts()
    others = _Others(line, known)
    run = Turns(programs, account, _now_and_then(line.tell), others, part, known)
    error = None
    try:
        take_turns(run, engines, part)
        line.tell(_Rests())
        _hunt_on(run, [engine for engine in engines if engine.hunts and engine.kind in part.asks])
    except ConnectionError:
        raise  # there is nobody to be told
    except Exception as failure:
        failure.add_note("".join(traceback.format_exception(failure)))
        error = failure
    line.tell(_Ends(error))


def _hunt_on(run: Turns, hunters: Sequence[Engine]) -> None:
    """Hunts again and again, with other seeds, as long as hunts last."""
    number, last = len(run.account.turns), inf
    while hunters and not run.over and last > _SPARE_SECONDS:
        number, begun = number + 1, monotonic()
        for hunter in hunters:
            run.hunt(hunter, number, run.config.search.hunt_steps, inf)
        last = monotonic() - begun


def _now_and_then(tell: Callable[[Statistics], None]) -> Progress:
    """Tells how far a search has got, not too often."""
    told = -inf

    def progress(statistics: Statistics) -> None:
        nonlocal told
        if monotonic() - told >= PROGRESS_INTERVAL:
            told = monotonic()
            tell(statistics)

    return progress


# -- who has started them ----------------------------------------------------------------


@dataclass(slots=True)
class _Desk:
    """What is known of a worker. Mutable. `at` is the turn that it has begun, `since` when."""

    part: Part
    at: _Begins | None = None
    since: float = field(default_factory=monotonic)
    latest: Statistics = field(default_factory=Statistics)
    rests: bool = False
    ended: bool = False


class _Supervisor:
    """Takes in what workers say, passes it on, and keeps the limits. Mutable."""

    def __init__(
        self,
        account: Account,
        crew: Crew,
        parts: Sequence[Part],
        memory: float | None,
        progress: Progress,
    ) -> None:
        self._account = account
        self._crew = crew
        self._desks = [_Desk(part) for part in parts]
        self._memory = Limits(memory=memory)
        self._progress = progress
        limits = account.limits
        self._last = inf if limits.time is None else limits.started + limits.time + _GRACE
        self._stopped = False
        self._most_memory = 0.0

    def run(self) -> None:
        """Until all is decided, nobody searches any more, or a limit is reached."""
        while self._account.open and not all(desk.rests for desk in self._desks):
            if monotonic() > self._last:
                break
            self._hear(_LOOK)
            self._look()
        self._hear(0.0)  # somebody may have said something else at the same time
        self._account.more["memory of workers"] = f"{self._most_memory * MIB / 10**6:.0f} MB"
        limits = self._account.limits
        if not self._account.open:
            why = NO_MORE
        elif limits.interrupt.requested:
            why = INTERRUPTED.text
        else:
            why = limits.time_exceeded.text if limits.left <= 0 else "ended, as nobody searches"
        for desk in self._desks:
            if desk.at is not None:
                self._lose(desk, why)

    def _hear(self, seconds: float) -> None:
        for worker, message in self._crew.came(seconds):
            self._take(worker, message)

    def _take(self, worker: int, message: object) -> None:
        desk = self._desks[worker]
        match message:
            case _Begins():
                desk.at, desk.since = message, monotonic()
            case Turn():
                desk.at = None
                open = self._account.open
                self._account.take(message)
                for name in open:
                    if name not in self._account.open:
                        self._pass_on(worker, _Settled(name))
            case Tidings():
                self._pass_on(worker, message)
            case Statistics():
                desk.latest = message
                self._progress(self._together())
            case _Rests():
                desk.rests = True
            case _Ends(error):
                if error is not None:
                    self._fail(desk, error)
                desk.rests = desk.ended = True
            case Gone():
                if not desk.ended:
                    self._lose(desk, f"its worker is gone: {message}")
                desk.rests = desk.ended = True

    def _pass_on(self, worker: int, message: object) -> None:
        for other in self._crew.processes:
            if other != worker:
                self._crew.tell(other, message)

    def _look(self) -> None:
        """Keeps the limits that workers do not keep by themselves."""
        if self._account.limits.interrupt.requested and not self._stopped:
            self._stopped = True
            self._last = min(self._last, monotonic() + _STOP)
            self._pass_on(-1, _Stop())
        used = {w: resident_memory(process) for w, process in self._crew.processes.items()}
        self._most_memory = max(self._most_memory, sum(used.values()))
        most = inf if self._memory.memory is None else self._memory.memory * _MEMORY_SLACK
        for worker, its in used.items():
            if its > most:
                self._crew.end(worker)
                desk = self._desks[worker]
                if not desk.ended:
                    self._lose(desk, self._memory.memory_exceeded.text)
                desk.rests = desk.ended = True

    def _fail(self, desk: _Desk, error: Exception) -> None:
        """What a worker has failed with: of a lack of memory or stack it is lost, else all are."""
        if isinstance(error, MemoryError):
            self._lose(desk, "out of memory")
        elif isinstance(error, RecursionError):
            self._lose(desk, "the program is nested too deeply for the tool")
        else:
            raise error

    def _lose(self, desk: _Desk, why: str) -> None:
        """Takes the turn that a worker has begun, or would begin, for one without an answer."""
        name, kind = desk.part.name, EngineKind.STATES
        if desk.at is not None:
            name, kind = desk.at.engine, desk.at.kind
        numbers, open = desk.latest.as_dict(), self._account.open
        answers = {
            n: Decision(undecided(n, why, numbers if n in open else {}), name)
            for n in self._account.config.question.properties
        }
        seconds = monotonic() - desk.since
        self._account.take(Turn(name, kind, answers, seconds, frozenset(), None))
        desk.at = None

    def _together(self) -> Statistics:
        """How far all of them have got."""
        doing = [desk.at.engine for desk in self._desks if desk.at is not None]
        return JointStatistics.of([desk.latest for desk in self._desks], doing)
