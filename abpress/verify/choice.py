"""What engines are given, by measured features of a program: the only place for these rules.

The features are read from the program, before any search. The first rule that fits says how much of
the time the first engine has, and how much of the rest the one that solves clauses and the one that
proves without a search. What the one that solves clauses guesses is chosen, too, also where it is
the only one. With `--explain-choice` all of that is told. No answer depends on it, but how long it
takes does.

The shares are such that, of a minute, the engines that decide most of such programs have a turn of
about 20 seconds each; where two of them do, and one is quick if it succeeds, that one has a short
turn first, and a longer one after the other. A turn that is not needed ends by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING

from abpress.analysis.flow import back_edges
from abpress.analysis.visibility import instances
from abpress.config import EQUATIONS, ORDERS_OF_ELEMENTS, Config
from abpress.ir.expr import registers
from abpress.ir.program import Alloc, Program, edges
from abpress.later import later
from abpress.verify.closed import has_wide_input, looks_finite

if TYPE_CHECKING:
    from abpress.engines.horn.features import IndexUses

_most_creations: Callable[[Program], int | None] = later(
    "abpress.modular.numbers.executions", "most_creations"
)

_counts_without_end: Callable[[Program], bool] = later(
    "abpress.verify.endless", "counts_without_end"
)

_uses_of: Callable[[Program], IndexUses] = later("abpress.engines.horn.features", "IndexUses")

FEW_THREADS = 8
"""So many threads, and the places of their interleavings may be few enough for clauses."""

MOST_FOR_TREES = 16
"""So many threads, and a tree of their interleavings may still end, by its reduction, where stored
states do not."""


@dataclass(frozen=True, slots=True)
class ProgramFeatures:
    """What the rules ask of a program."""

    finite: bool
    """It looks as if enumeration gets through: no loop of few threads counts without end either."""
    wide_inputs: bool
    """An input has more values than are enumerated, or such a loop is there."""
    loops: int
    """Loops of all templates that run."""
    unknown_sizes: int
    """Places at which memory is allocated of a size that is computed."""
    threads: int | None
    """Threads that may run, with main; None: no number is known."""
    created: int | None
    """How often main takes one creation at most, by loops that count; None: no number is known."""

    @classmethod
    def of(cls, program: Program, input_domain: int) -> ProgramFeatures:
        """The features of a program."""
        count = instances(program)
        running = [t for name, t in program.templates.items() if count[name]]
        threads = None if any(n > 1 for n in count.values()) else sum(count.values())
        few = threads is not None and threads <= FEW_THREADS
        loops = sum(len(set(back_edges(t, (t.entry,)))) for t in running)
        endless = few and loops > 0 and _counts_without_end(program)
        return cls(
            looks_finite(program, input_domain) and not endless,
            endless or any(has_wide_input(t, input_domain) for t in running),
            loops,
            sum(
                isinstance(effect, Alloc) and not effect.automatic and bool(registers(effect.count))
                for t in running
                for _, edge in edges(t)
                for effect in edge.effects
            ),
            threads,
            _most_creations(program),
        )


@dataclass(frozen=True, slots=True)
class Guessing:
    """What an engine that solves clauses may guess, and of which programs that is worth its time,
    as was measured."""

    name: str
    why: str
    fits: Callable[[IndexUses], bool]


GUESSES = (
    Guessing(
        EQUATIONS,
        "two variables that index one array are compared",
        attrgetter("compares_indices"),
    ),
    Guessing(
        EQUATIONS,
        "an element is looked at of an array that a thread fills",
        attrgetter("looks_at_one_filled"),
    ),
    Guessing(
        ORDERS_OF_ELEMENTS,
        "elements are kept in variables that they are compared with",
        attrgetter("keeps_elements"),
    ),
)


def guesses(program: Program) -> tuple[Guessing, ...]:
    """What may be guessed of a program."""
    uses = _uses_of(program)
    return tuple(its for its in GUESSES if its.fits(uses))


@dataclass(frozen=True, slots=True)
class FactsShare:
    """What the engine that proves without a search may use: so much of what was used until then
    (None: that does not count), and of what is left; and `least` and `most` seconds."""

    of_used: float | None
    of_left: float
    least: float = 0.0
    most: float = inf


_LEAST = 0.8
"""Seconds with which facts prove most of what they prove of programs that are not long."""

_SOME = FactsShare(0.5, 0.5)

SOON = FactsShare(None, 0.4, most=8.0)
"""Of an engine that proves without a search, in the pause of the first hunt, where nobody else may
prove anything. All 33 right programs of the set `unbounded` take it less than 4 s, the slowest only
where it may have 7 s; 22 of the 23 wrong ones are refuted before it is asked."""

BRIEFLY = FactsShare(None, 0.1, most=0.9)
"""The same where threads are many, and hunts in them long: who is refuted waits no longer."""

EARLY = FactsShare(None, 0.25)
"""Of an engine that proves without a search, when it is asked early, or nobody else waits."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Which programs it is for, and what engines may use: `first` of the time the first one,
    `clauses` of what is left then the one that solves clauses (0: it is not asked), and `facts` the
    one that proves without a search; `early` when it is asked before all others, and `soon` when
    the first hunt waits for it, once (None: it does not).

    A `short` turn of the first one has no more seconds: what it decides it mostly decides soon, and
    the one that solves clauses may, too. With `clauses_first` that one comes before the first one,
    which has `again` of what both have left (0: it waits until the others have had their turn).
    `hunt` is the part of its time that the first hunt has: random executions of arrays of any size
    are long."""

    name: str
    fits: Callable[[ProgramFeatures], bool]
    first: float
    clauses: float
    facts: FactsShare = _SOME
    early: FactsShare = EARLY
    soon: FactsShare | None = None
    clauses_first: bool = False
    again: float = 0.0
    short: float = inf
    hunt: float = 1.0


def _few_threads(f: ProgramFeatures) -> bool:
    return f.threads is not None and f.threads <= FEW_THREADS


def _some_more_threads(f: ProgramFeatures) -> bool:
    return f.threads is None and f.created in range(FEW_THREADS + 1, MOST_FOR_TREES + 1)


def _crowd(f: ProgramFeatures) -> bool:
    return f.threads is None and (f.created is None or f.created > MOST_FOR_TREES)


RULES = (
    Rule(
        "some more threads, created in loops that count, looks finite: facts, a few states, a tree",
        lambda f: f.finite and _some_more_threads(f),
        0.02,
        0.0,
        FactsShare(0.25, 0.5),
    ),
    Rule(
        "crowds created in loops, looks finite: facts soon, then states",
        lambda f: f.finite and _crowd(f),
        0.35,
        0.0,
        FactsShare(1.0, 0.6, least=3.0),
        soon=BRIEFLY,
    ),
    Rule(
        "threads created in loops, looks finite: facts, then states",
        lambda f: f.finite and f.threads is None,
        0.35,
        0.0,
        FactsShare(1.0, 0.6),
    ),
    Rule(
        "threads created for ever: facts soon, then the tree",
        lambda f: f.threads is None and f.created is None,
        0.75,
        0.6,
        FactsShare(None, 0.5),
        soon=SOON,
    ),
    Rule(
        "crowds created in loops: facts soon, then the tree",
        _crowd,
        0.75,
        0.6,
        FactsShare(None, 0.5),
        soon=BRIEFLY,
    ),
    Rule(
        "threads created in loops: facts, then the tree",
        lambda f: f.threads is None,
        0.75,
        0.6,
        FactsShare(None, 0.5),
    ),
    Rule(
        "one thread, looks finite: states are enumerated soon",
        lambda f: f.finite and f.threads == 1,
        0.4,
        0.0,
        early=FactsShare(None, 0.05),
    ),
    Rule("looks finite: states are enumerated", lambda f: f.finite, 0.4, 0.0),
    Rule(
        "arrays of unknown size and few threads: clauses, then a tree",
        lambda f: bool(f.unknown_sizes and f.loops) and _few_threads(f),
        0.6,
        0.7,
        FactsShare(0.25, 0.5),
        clauses_first=True,
        hunt=0.4,
    ),
    Rule(
        "loops over wide inputs and few threads: a short tree, clauses, a longer tree",
        lambda f: f.wide_inputs and bool(f.loops) and _few_threads(f),
        0.025,
        0.4,
        FactsShare(0.5, 0.5, least=_LEAST),
        again=0.7,
        short=1.5,
    ),
    Rule("anything else: the tree", lambda _: True, 0.45, 0.8, FactsShare(0.5, 0.5, least=_LEAST)),
)
"""The first one that fits is taken."""


CROWDS = Rule(
    "more threads than the tree looks at: facts, then the hunt",
    lambda _: False,
    0.33,
    0.0,
    FactsShare(None, 0.5),
)
"""The rule for programs that do not look finite, where a hunt has met such an execution: the tree
proves nothing of them, only facts do, and it shows what a hunt shows, too. It may have a third, and
the hunt that follows has what it leaves."""


def chosen(features: ProgramFeatures) -> Rule:
    """The rule for programs with these features."""
    return next(rule for rule in RULES if rule.fits(features))


def explained(program: Program, config: Config) -> Iterator[str]:
    """What is said of the choice for a program, in lines."""
    features = ProgramFeatures.of(program, config.bounds.input_domain)
    for feature in fields(features):
        value = getattr(features, feature.name)
        said = "not known" if value is None else f"{value}".lower()
        yield f"{feature.name.replace('_', ' ')}: {said}"
    rule = chosen(features)
    yield f"rule: {rule.name}"
    clauses = f"{rule.clauses:.0%} of the rest for clauses" if rule.clauses else "no clauses"
    used, left = rule.facts.of_used, f"{rule.facts.of_left:.0%} of what is left"
    facts = (
        f"{left} for facts" if used is None else f"{used:.0%} of that used, or {left}, for facts"
    )
    most = f", {rule.short:g} s at most" if rule.short < inf else ""
    first = f"{rule.first:.0%} for the first engine{most}"
    turns = [clauses, first] if rule.clauses_first else [first, clauses]
    if rule.again:
        turns.append(f"{rule.again:.0%} of the rest for the first engine again")
    hunt = f"{rule.hunt:.0%} of its time for the first hunt"
    if rule.soon is not None:
        hunt += f", which waits up to {rule.soon.most:g} s for facts"
    yield f"time: {', '.join((hunt, *turns, facts))}"
    made = [f"{its.name}, as {its.why}" for its in guesses(program)]
    if rule.clauses:
        yield f"guesses for clauses: {'; '.join(made) or 'bounds only'}"
