"""The model of a trace: one execution as people and other tools read it."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from abpress.errors import NOWHERE, Position
from abpress.ir.program import AccessKind
from abpress.semantics.choices import Given

Values = tuple[tuple[str, str], ...]
"""Pairs of a name (of a cell, of an input) and a value, as text."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What a thread does at one place of the source, without another thread in between.

    `locks` are the mutexes that it holds afterwards. `note` says what happens to threads and to
    the program: `creates main.1`, `joins main.1`, `ends`, `violation: …`; empty if nothing does.
    `choices` are the arbitrary values that were chosen, `source` the text of the source line.
    `said` is what a call of the thread library does, in words: `locks m`, `wakes main.2`. `locals`
    are the local variables, and parameters of calls, that get a value. `returns` are results of
    calls of the library that have just ended and have chosen something: the function, and the
    number. `access` is how its accesses count for data races.
    """

    thread: str
    position: Position
    reads: Values = ()
    writes: Values = ()
    locks: tuple[str, ...] = ()
    note: str = ""
    choices: tuple[tuple[str, int], ...] = ()
    source: str = ""
    said: tuple[str, ...] = ()
    locals: Values = ()
    returns: Values = ()
    access: AccessKind = AccessKind.PLAIN


@dataclass(frozen=True, slots=True)
class BlockedThread:
    """A thread at the end of a trace: where it stands, and what it waits for (`waits for m, held by
    main.2`) or is about to do (`writes x, holding m`). `object` is what it waits for: the lock or
    the like, or the thread that it joins."""

    thread: str
    position: Position
    text: str
    source: str = ""
    object: str = ""


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """What has happened to an object of which the message of a trace tells: it was `allocated` or
    `freed`, or its lifetime has `begun` or `ended`, or a lock is `held` since, or something is
    `awaited`, or it was `signalled` when nobody waited; where, and by which thread."""

    object: str
    what: str
    thread: str
    position: Position


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The cause of a violation: its name in the field's terms (`lost update`), and the threads and
    lines in a sentence or two."""

    cause: str
    text: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A replayed execution that violates a property.

    `blocked` tells the unfinished threads of a deadlock, `ready` the two threads of a data race and
    what they are about to access; `history` is that of the objects in question. `schedule` replays
    the execution: the name of the thread and the choices of each step. `diagnosis` is the cause, if
    one is found. `initial` is what the cells that are accessed hold before the first step.
    """

    property: str
    message: str
    steps: tuple[TraceStep, ...]
    threads: tuple[str, ...]
    context_switches: int
    schedule: tuple[tuple[str, tuple[int, ...]], ...]
    blocked: tuple[BlockedThread, ...] = ()
    ready: tuple[BlockedThread, ...] = ()
    history: tuple[LifeEvent, ...] = ()
    diagnosis: Diagnosis | None = None
    initial: Values = ()

    def to_json(self) -> dict[str, Any]:
        """The trace in values that `json` writes."""
        return {
            "property": self.property,
            "message": self.message,
            "diagnosis": None if self.diagnosis is None else asdict(self.diagnosis),
            "threads": list(self.threads),
            "context_switches": self.context_switches,
            "steps": [_step(step) for step in self.steps],
            "blocked": [{**asdict(b), "position": position_json(b.position)} for b in self.blocked],
            "ready": [{**asdict(b), "position": position_json(b.position)} for b in self.ready],
            "history": [{**asdict(e), "position": position_json(e.position)} for e in self.history],
            "schedule": [[thread, [*map(_choice, choices)]] for thread, choices in self.schedule],
            "initial": [list(pair) for pair in self.initial],
        }

    @staticmethod
    def of_json(data: Any) -> Trace:
        """The trace of what `to_json` returns, which has no `access`. Raises KeyError,
        TypeError, ValueError or AttributeError for anything else."""
        cause = data["diagnosis"]
        return Trace(
            property=data["property"],
            message=data["message"],
            steps=tuple(map(_step_of, data["steps"])),
            threads=tuple(data["threads"]),
            context_switches=data["context_switches"],
            schedule=tuple(
                (thread, tuple(Given(c["value"]) if isinstance(c, dict) else c for c in choices))
                for thread, choices in data["schedule"]
            ),
            blocked=tuple(BlockedThread(**_placed(its)) for its in data["blocked"]),
            ready=tuple(BlockedThread(**_placed(its)) for its in data["ready"]),
            history=tuple(LifeEvent(**_placed(its)) for its in data["history"]),
            diagnosis=None if cause is None else Diagnosis(**cause),
            initial=_pairs(data["initial"]),
        )


def _choice(choice: int) -> int | dict[str, int]:
    """An index among alternatives, or the chosen value itself."""
    return {"value": int(choice)} if isinstance(choice, Given) else choice


def _step(step: TraceStep) -> dict[str, Any]:
    return {
        "thread": step.thread,
        "position": position_json(step.position),
        "source": step.source,
        "reads": [list(pair) for pair in step.reads],
        "writes": [list(pair) for pair in step.writes],
        "locks": list(step.locks),
        "note": step.note,
        "said": list(step.said),
        "choices": [list(pair) for pair in step.choices],
        "locals": [list(pair) for pair in step.locals],
        "returns": [list(pair) for pair in step.returns],
    }


def _step_of(data: Any) -> TraceStep:
    return TraceStep(
        thread=data["thread"],
        position=_position_of(data["position"]),
        reads=_pairs(data["reads"]),
        writes=_pairs(data["writes"]),
        locks=tuple(data["locks"]),
        note=data["note"],
        choices=tuple((name, int(value)) for name, value in data["choices"]),
        source=data["source"],
        said=tuple(data["said"]),
        locals=_pairs(data["locals"]),
        returns=_pairs(data.get("returns", ())),
    )


def _pairs(data: Any) -> Values:
    return tuple((name, value) for name, value in data)


def _placed(data: Any) -> Any:
    return {**data, "position": _position_of(data["position"])}


def _position_of(data: Any) -> Position:
    return Position(**{**data, "stack": tuple(map(_position_of, data["stack"]))})


def position_json(position: Position) -> dict[str, Any]:
    """A position with the call sites that lead to it, outermost first."""
    return {
        "file": position.file,
        "line": position.line,
        "column": position.column,
        "function": position.function,
        "stack": [position_json(site) for site in position.stack],
    }


def is_named(event: LifeEvent, message: str) -> bool:
    """Whether the message tells of the object."""
    return re.search(rf"(?<![\w.#]){re.escape(event.object)}(?![\w#])", message) is not None


def place_of(trace: Trace) -> Position:
    """Where the violation is, in the user's text: where a thread stands, or the last step. Of
    threads that wait it is one that does not wait for the end of another."""
    waits = sorted(trace.blocked, key=lambda blocked: blocked.object in trace.threads)
    standing = (*trace.ready, *waits)
    if standing:
        return standing[0].position.origin
    return trace.steps[-1].position.origin if trace.steps else NOWHERE


def told(trace: Trace) -> str:
    """What is wrong, and the cause of it if that is known."""
    cause = trace.diagnosis
    return trace.message if cause is None else f"{trace.message}. {cause.cause}: {cause.text}."
