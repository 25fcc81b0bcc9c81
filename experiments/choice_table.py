"""What `auto` loses to its engines alone, and what each technique of proof gives it.

The manifest is that of `found-by`, or a set of tasks. Its rows are run by `auto`, by each engine
alone, and by `auto` without one technique at a time, each in a process of its own; not without a
technique that `auto` did not come to, nor where it decided the row and all that a technique said
was what is said without it: then what that took is subtracted. Times are processor time. `auto`
loses a row where an engine alone decides it, and `auto` does not, or takes a second more than
--most times as long. A technique alone gives a row that `auto` decides with it and not without;
what it costs is told of the rows that are decided both ways.

Exit status: 0; 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from math import inf
from random import Random
from typing import Any

from abpress.bench.record import Task
from abpress.config import Config
from abpress.engines.templates.tested import Taken, safe
from abpress.logic.formula import FALSE, Formula
from abpress.modular.templates.paths import At
from abpress.smt.clauses import Unsolved
from abpress.verify.measure import Stopwatch
from abpress.verify.run import verify
from experiments.contained import DIED, contained
from experiments.found_by import add_rows, rows
from experiments.observed import Answer

ENGINES = ("static", "explicit", "abpress", "horn", "hunt")

_SLACK = 1.0
"""Seconds that do not count as a loss."""

_GRACE = 10.0
"""Seconds past its limit after which a run is ended."""

_BUSIEST = 30.0
"""How much longer than its processor time a run may last by the clock."""


class _NeverCommute:
    """Stands for the conditions under which steps commute."""

    def __init__(self, *_: object) -> None:
        pass

    def of(self, *_: object) -> Formula:
        return FALSE


def _first(original: Any, *its: Any) -> Any:
    return original(*its)[:1]


def _whole(original: Any, *its: Any) -> Any:
    parts = original(*its)
    for part in parts:
        part.focus = frozenset()
    return parts


def _early(original: Any, *its: Any, early: bool, **more: Any) -> Any:
    return early and original(*its, early=early, **more)


def _next_errors(_: object, taken: Taken) -> Mapping[At, tuple[Formula, ...]]:
    return {at: safe(its) for at, its in taken.items()}


def _no_sums(_: object, taken: Taken) -> Mapping[At, tuple[Formula, ...]]:
    return dict.fromkeys(taken, ())


def _spread(original: Any, relations: Any, clauses: Any, left: bool, *_: Any) -> Any:
    return original(relations, clauses, left, False)


def _never(*_: object) -> bool:
    return False


def _nothing(result: Any, *_: object) -> bool:
    return not result or isinstance(result, Unsolved)


def _no_equations(result: Any, *_: object) -> bool:
    return not any(result)


def _one_at_most(result: Any, *_: object) -> bool:
    return len(result) <= 1


def _unfocused(result: Any, *_: object) -> bool:
    return not any(part.focus for part in result)


def _as_it_was(result: Any, *its: object) -> bool:
    return result is its[-1]


@dataclass(slots=True)
class Use:
    """How long a technique was at work, and whether what it said may have changed anything.
    Mutable."""

    seconds: float = 0.0
    counts: bool = False


Uses = dict[str, Use]
"""By the names of techniques."""


@dataclass(frozen=True, slots=True)
class Technique:
    """Where the code of a technique is called, and what is called in its place; `wraps`: it is
    told what was there. `in_vain` tells of a result, and of arguments, that it is what there would
    be without it. It is seen `where` something is called, if not there."""

    module: str
    attribute: str
    instead: Any
    wraps: bool = False
    in_vain: Callable[..., bool] = _never
    where: tuple[str, str] | None = None

    def leave_out(self) -> None:
        """Leaves the technique out, in this process from now on."""
        self._put(self.instead, self.wraps)

    def note(self, name: str, used: Uses) -> None:
        """Adds the name when the technique is used, in this process from now on."""

        def noted(original: Any, *its: Any, **more: Any) -> Any:
            use, begun = used.setdefault(name, Use()), _processor_time()
            result = original(*its, **more)
            use.seconds += _processor_time() - begun
            use.counts = use.counts or not self.in_vain(result, *its)
            return result

        self._put(noted, True, self.where)

    def _put(self, instead: Any, wraps: bool, where: tuple[str, str] | None = None) -> None:
        module, attribute = where or (self.module, self.attribute)
        owner: Any = import_module(module)
        *path, last = attribute.split(".")
        for name in path:
            owner = getattr(owner, name)
        original = getattr(owner, last)
        if wraps:

            def wrapped(*its: Any, **more: Any) -> Any:
                return instead(original, *its, **more)

            setattr(owner, last, wrapped)
        else:
            setattr(owner, last, instead)


_HORN = "abpress.engines.horn.engine"
_KNOWN = "abpress.verify.turn"
_SOLVING = "abpress.engines.horn.solving"
_TEMPLATES = "abpress.engines.templates.search"
_GUESSES = "abpress.engines.templates.guesses"

TECHNIQUES: Mapping[str, Technique] = {
    "any number of threads": Technique(
        "abpress.engines.errors_by_facts",
        "Errors._left_by_templates",
        lambda _, left: left,
        in_vain=_as_it_was,
    ),
    "guesses of threads": Technique(_TEMPLATES, "Guesses.of", lambda *_, **__: ()),
    "needs of threads": Technique(_GUESSES, "needed", _next_errors),
    "equations of threads": Technique(_GUESSES, "linear_equations", _no_sums),
    "few guesses of two threads": Technique(_GUESSES, "Guesses._few_of_two", lambda *_: ()),
    "guesses of pairs": Technique(
        _TEMPLATES, "TemplateSearch._guessed", lambda *_: None, in_vain=_nothing
    ),
    "counters of threads": Technique(_TEMPLATES, "counters_of", lambda *_: (), in_vain=_nothing),
    "phases of barriers": Technique(_TEMPLATES, "meetings", lambda *_: ()),
    "chosen elements": Technique(_TEMPLATES, "arrays_of_elements", lambda *_: (), in_vain=_nothing),
    "chosen nodes": Technique(_TEMPLATES, "TemplateSearch.nodes", lambda *_: (), in_vain=_nothing),
    "chosen threads": Technique(
        "abpress.engines.templates.engine", "_handles_before", lambda *_: (), in_vain=_nothing
    ),
    "alarms as questions": Technique(_KNOWN, "KnownFacts.alarms", lambda *_: (), in_vain=_nothing),
    "synchronised accesses": Technique(
        _KNOWN, "KnownFacts.synchronised", lambda *_: None, in_vain=_nothing
    ),
    "clauses of threads": Technique(
        _TEMPLATES, "solve_apart", lambda *_: Unsolved("left out"), in_vain=_nothing
    ),
    "late facts": Technique("abpress.verify.rations", "Turns.prove", _early, wraps=True),
    "clauses": Technique("abpress.verify.turns", "_ask_solvers", lambda *_: None),
    "orders but the first": Technique(_HORN, "fitting", _first, wraps=True, in_vain=_one_at_most),
    "conditional sleep": Technique(_HORN, "Conditions", _NeverCommute),
    "linear equations": Technique(
        _SOLVING,
        "equations",
        lambda its, *_: [() for _ in its],
        in_vain=_no_equations,
    ),
    "equations by models": Technique(
        "abpress.engines.horn.spans", "Spans.labels", lambda *_: None, in_vain=_nothing
    ),
    "orders of elements": Technique(
        "abpress.engines.horn.spans",
        "hulls",
        _spread,
        wraps=True,
        in_vain=lambda _, *its: not its[3],
    ),
    "k-induction": Technique(_SOLVING, "inductive", lambda *_: None, in_vain=_nothing),
    "guessed bounds": Technique(_SOLVING, "octagons", lambda *_: None, in_vain=_nothing),
    "acceleration": Technique(_HORN, "accelerated", lambda _: None, in_vain=_nothing),
    "coarse clauses": Technique(_HORN, "parts_of", _whole, wraps=True, in_vain=_unfocused),
    "merged relations": Technique(
        "abpress.smt.spacer", "_WAYS", (False,), where=("abpress.engines.horn.apart", "Crew")
    ),
    "exits as assumptions": Technique(
        "abpress.verify.load", "without_exits", lambda p: p, in_vain=_as_it_was
    ),
}
"""What is left out, by what it is called."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict, whether it is right (None: unknown), seconds of processor time, and which
    techniques were used: how long in vain, or None."""

    verdict: str
    right: bool | None
    seconds: float
    used: Mapping[str, float | None] = field(default_factory=lambda: dict.fromkeys(TECHNIQUES))

    def without(self, technique: str) -> Outcome | None:
        """The outcome without it; None if that has to be asked."""
        if technique not in self.used:
            return self
        seconds = self.used[technique]
        if seconds is None or self.right is None:
            return None
        return Outcome(self.verdict, self.right, self.seconds - seconds)


Outcomes = Mapping[str, Outcome]
"""Way -> outcome of a row: `auto`, an engine, or `-` and what was left out."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    add_rows(parser, expected="true")
    parser.add_argument("--seconds", type=float, default=60.0, help="per run (default: 60)")
    parser.add_argument(
        "--processor",
        action="store_true",
        help="seconds are processor time, for a machine that is busy (but those of Spacer)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=inf,
        metavar="TIMES",
        help="a run without a technique ends after so many times the seconds of auto, and 2 more",
    )
    parser.add_argument("--minutes", type=float, default=inf, help="later no row is begun")
    parser.add_argument("--most", type=float, default=1.3, help="(default: %(default)g)")
    parser.add_argument("--engine", choices=ENGINES, action="append", help="(default: all)")
    parser.add_argument(
        "--only-losses",
        action="store_true",
        help="engines alone run only for as long as auto would lose to them",
    )
    parser.add_argument(
        "--without",
        choices=(*TECHNIQUES, "nothing"),
        action="append",
        help="repeatable (default: all, one at a time)",
    )


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a verdict is wrong."""
    engines = tuple(options.engine or ENGINES)
    techniques = tuple(its for its in options.without or TECHNIQUES if its != "nothing")
    found: dict[str, Outcomes] = {}
    ask = partial(_outcome, by_processor=True) if options.processor else _outcome
    asked, until_row = rows(options), time.monotonic() + 60 * options.minutes
    Random(options.seed).shuffle(asked)  # so that those before the end are a sample, too
    for _, task in asked:
        if time.monotonic() > until_row:
            break
        auto = ask(task, "auto", options.seconds)
        its = {"auto": auto}
        until = inf
        if options.only_losses and auto.right is not None:
            until = (auto.seconds - _SLACK) / options.most
        for way in engines:
            its[way] = ask(task, way, options.seconds, until)
        for name in techniques:
            way = f"-{name}"
            stop = options.patience * auto.seconds + 2 if auto.right is not None else inf
            its[way] = auto.without(name) or ask(task, way, options.seconds, stop=stop)
        found[task.name] = its
        ran = ((way, o) for way, o in its.items() if way == "auto" or o is not auto)
        told = (f"{way} {o.verdict} {o.seconds:.1f}" for way, o in ran)
        print(f"{task.name}: {', '.join(told)}", flush=True)
    print(*losses(found, engines, options.most), *gains(found, techniques), sep="\n")
    return int(any(o.right is False for its in found.values() for o in its.values()))


def _outcome(
    task: Task,
    way: str,
    seconds: float,
    until: float = inf,
    by_processor: bool = False,
    stop: float = inf,
) -> Outcome:
    """What comes of a run, which is ended `until` then at the latest, and knows that; or stopped
    after so much processor time."""
    if until <= 0:
        return Outcome("not asked", None, 0.0)
    if by_processor:
        seconds = min(seconds, until)
        until = _BUSIEST * seconds
    else:
        until = min(until, seconds + _GRACE)
    answer = contained(partial(_answer, task, way, seconds, by_processor, stop), until)
    if answer == DIED and stop < inf:
        return Outcome("too late", None, stop)
    if answer.kind not in ("true", "false", "unknown"):
        return Outcome(answer.kind, None, min(seconds, until))
    used, cpu_s = json.loads(answer.reason)
    right = None if answer.kind == "unknown" else answer.kind == task.expected
    return Outcome(answer.kind, right, cpu_s, used)


def _count_processor_time() -> None:
    """Limits count that of this process and of those that it has waited for, from now on."""
    clock, time.monotonic = time.monotonic, _processor_time
    for module in [*sys.modules.values()]:
        if getattr(module, "monotonic", None) is clock:
            setattr(module, "monotonic", _processor_time)  # noqa: B010


def _processor_time() -> float:
    return sum(os.times()[:4])


def _answer(task: Task, way: str, seconds: float, by_processor: bool, stop: float) -> Answer:
    engine, used = way, Uses()
    if stop < inf:
        signal.signal(signal.SIGPROF, lambda *_: os._exit(0))
        signal.setitimer(signal.ITIMER_PROF, stop)
    if by_processor:
        _count_processor_time()
    if way == "auto":
        for name, technique in TECHNIQUES.items():
            technique.note(name, used)
    elif way.startswith("-"):
        TECHNIQUES[way[1:]].leave_out()
        engine = "auto"
    config = Config.of(
        task.file,
        property=task.property,
        data_model=task.data_model,
        engine=engine,
        time_limit=seconds,
    )
    stopwatch = Stopwatch()
    verdict = verify(config).result.verdict.value
    told = {name: None if use.counts else use.seconds for name, use in used.items()}
    return Answer(verdict, json.dumps([told, stopwatch.read().cpu_s]))


def losses(found: Mapping[str, Outcomes], engines: Sequence[str], most: float) -> Iterator[str]:
    """Lines on what each way decides, and where `auto` loses more than `most` times."""
    for way in ("auto", *engines):
        decided = [its[way].seconds for its in found.values() if its[way].right is not None]
        yield f"{way}: {len(decided)} of {len(found)} decided, {sum(decided):.0f} s"
    for name, its in found.items():
        alone = [(its[way].seconds, way) for way in engines if its[way].right is not None]
        if alone:
            seconds, way = min(alone)
            if its["auto"].right is None:
                yield f"lost: {name}, {way} decides it in {seconds:.1f} s"
            elif its["auto"].seconds > most * seconds + _SLACK:
                yield f"late: {name}, {its['auto'].seconds:.1f} s, {way} {seconds:.1f} s"


def gains(found: Mapping[str, Outcomes], techniques: Sequence[str]) -> Iterator[str]:
    """Lines on what each technique alone gives, and what it costs elsewhere."""
    for technique in techniques:
        pairs = {name: (its["auto"], its[f"-{technique}"]) for name, its in found.items()}
        only = [
            name for name, (with_it, without) in pairs.items() if _decided_only(with_it, without)
        ]
        lost = [
            name for name, (with_it, without) in pairs.items() if _decided_only(without, with_it)
        ]
        both = [p for p in pairs.values() if all(o.right is not None for o in p)]
        costs = sum(a.seconds for a, _ in both), sum(b.seconds for _, b in both)
        yield (
            f"{technique}: only it gives {len(only)}, only without it {len(lost)}; "
            f"elsewhere {costs[0]:.0f} s with it, {costs[1]:.0f} s without"
        )
        yield from (f"  {name}" for name in only)


def _decided_only(one: Outcome, other: Outcome) -> bool:
    return one.right is not None and other.right is None
