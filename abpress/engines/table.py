"""The engines that can be chosen, and what each can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from abpress.config import Config
from abpress.engines.abpress import LOOKS_AT
from abpress.engines.answer import Explored
from abpress.errors import UnsupportedError
from abpress.ir.program import UNREACH_CALL, VALID_DEREF, Program
from abpress.later import later
from abpress.proof.protocols import Evidence
from abpress.properties import PROPERTIES, Aspect
from abpress.properties.preserved import WITHOUT_INTERLEAVING
from abpress.reductions.entry import Family, Insight, ReductionEntry
from abpress.reductions.table import REDUCTIONS
from abpress.result import Result, Soundness
from abpress.search.limits import Limits
from abpress.search.statistics import Statistics

if TYPE_CHECKING:
    from abpress.search.recorder import Recording

Progress = Callable[[Statistics], None]
"""Told now and then how far a search has got."""

Results = Mapping[str, Result]
"""Name of a property -> its result."""

Search = Callable[[Program, Config, Limits, Progress, Soundness], Results]
"""Decides the configuration's properties within the limits and reports its progress."""

Prove = Callable[[Program, Config, Limits, Progress, Soundness], tuple[Results, Evidence | None]]
"""As `Search`, with what a certificate of verdicts "true" is made from."""

Explore = Callable[[Program, Config, Limits, Progress | None, Soundness], Explored]
"""As `Search`, with what was met on the way."""


class EngineKind(Enum):
    """What `auto` takes an engine for."""

    FACTS = "proves without a search"
    HUNT = "finds violations only"
    STATES = "is for programs that look finite"
    TREE = "is for all others"
    CLAUSES = "is for what the others leave open"


class Knowledge(Enum):
    """What one engine finds out of a run, and another one may be handed."""

    ALARMS = "where facts leave data races open: nothing else is looked at, NOTE(alarms)"
    CHECKS = "where facts leave undefined behaviour open: it is looked for nowhere else, likewise"
    SYNCHRONISED = "accesses that need no interleaving, NOTE(synchronised-accesses)"


@dataclass(frozen=True, slots=True)
class ExecutionViews:
    """What an engine offers that goes through executions one by one.

    `explore` tells the final states, too; `record` is the search that fills a recording.
    """

    explore: Explore
    record: Callable[[Recording], Search]


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to search. `looks_at` is what it shows to a property, `tells` what its systems tell
    reductions, `families` are those whose reductions it runs.

    `preferred` is the reduction that it uses if none is named. `prove` is None if the engine's
    verdicts have no certificates. `turn` are the states after which `auto` lets another engine try
    when there is no limit of time; `closed` says that the engine is for programs that look finite.
    `auto`: it takes part where no engine is named. `explore` is None if it does not explore
    concrete states. `hunts`: its verdicts are "false" or "unknown" only, and it has no reductions.
    `proves` are the properties that it can prove without a search: its verdicts are "true" or
    "unknown" only, and it has no reductions; of the `late` ones among them `auto` asks when a short
    search has not decided them. With `clauses` it searches, by reductions of its own, and may say
    "false", too. `executions` is None unless it goes through executions
    one by one: then they can be bounded and shown, and all accesses stay that nothing observes, as
    executions count. `takes` is what it may be handed that others have found, and `rests_on` are
    the kinds of undefined behaviour, by the properties that they violate, of which it is worth to
    find out whether facts exclude them, whatever is asked. `lean`: what it proves of the program
    without what nobody reads it proves sooner; what it finds there is looked for in the whole one.
    """

    name: str
    description: str
    search: Search
    looks_at: frozenset[Aspect]
    tells: frozenset[Insight]
    families: tuple[Family, ...]
    turn: int
    closed: bool
    preferred: str
    prove: Prove | None = None
    auto: bool = True
    hunts: bool = False
    proves: frozenset[str] = frozenset()
    clauses: bool = False
    late: frozenset[str] = frozenset()
    explore: Explore | None = None
    executions: ExecutionViews | None = None
    takes: frozenset[Knowledge] = frozenset()
    rests_on: frozenset[str] = frozenset()
    lean: bool = False

    @property
    def kind(self) -> EngineKind:
        """What `auto` takes it for."""
        if self.proves:
            return EngineKind.CLAUSES if self.clauses else EngineKind.FACTS
        if self.hunts:
            return EngineKind.HUNT
        return EngineKind.STATES if self.closed else EngineKind.TREE

    @property
    def entries(self) -> Mapping[str, ReductionEntry[Any]]:
        """The reductions that it can run, by their names."""
        return {
            entry.name: entry
            for family in self.families
            for entry in REDUCTIONS.values()
            if entry.family is family and entry.needs <= self.tells
        }

    @property
    def reductions(self) -> tuple[str, ...]:
        """The values of `--por` that it understands."""
        return tuple(self.entries)

    def answers(self, property: str, por: str) -> bool:
        """Whether it can look at what the property does, and the reduction keeps what it needs."""
        if self.proves:
            return property in self.proves and por == self.preferred
        asked, entry = PROPERTIES[property], self.entries.get(por)
        if self.hunts:
            return asked.looks_at <= self.looks_at and por == self.preferred
        return entry is not None and asked.looks_at <= self.looks_at and entry.keeps(asked.needs)

    def takes_alarms(self, property: str) -> bool:
        """Whether it looks for violations of a property where facts leave it open only."""
        faults = PROPERTIES[property].faults
        return (Knowledge.CHECKS if faults else Knowledge.ALARMS) in self.takes

    def configured(self, config: Config) -> Config:
        """The configuration with the reduction that the engine uses: where none is named the one
        that it prefers, or else the first one that keeps what the properties need."""
        if config.search.por != "auto":
            return config
        names = (self.preferred, *self.reductions)
        asked = config.question.properties
        keeps = (por for por in names if all(self.answers(name, por) for name in asked))
        return config.but(por=next(keeps, self.preferred))

    def merges(self, config: Config) -> bool:
        """Whether accesses that meet none in conflict may be invisible to its search for what is
        asked: so that they are merged into the steps before them."""
        entry = self.entries.get(self.configured(config).search.por)
        needs = (PROPERTIES[name].needs for name in config.question.properties)
        return (
            entry is not None
            and entry.merges
            and all(any(kept.includes(its) for kept in WITHOUT_INTERLEAVING) for its in needs)
        )

    def answerable(self, config: Config) -> tuple[str, ...]:
        """Those properties of the configuration that it can answer, each for itself."""
        return tuple(
            name
            for name in config.question.properties
            if self.answers(name, self.configured(config.but(property=name)).search.por)
            and (self.prove is not None or self.hunts or not _needs_proof(name, config))
        )


def _needs_proof(name: str, config: Config) -> bool:
    """Whether a certificate is asked for that an engine can give for the property."""
    return config.question.certificate and any(
        engine.prove is not None
        and (name in engine.proves or PROPERTIES[name].looks_at <= engine.looks_at)
        for engine in ENGINES.values()
    )


def _results(explore: Callable[..., Explored], **options: Any) -> Search:
    """The search that explores, without what was met on the way."""
    return lambda *arguments: explore(*arguments, **options).results


def _verdicts(prove: Prove) -> Search:
    """The search that proves, without what a certificate is made from."""
    return lambda *arguments: prove(*arguments)[0]


_TREE: Prove = later("abpress.engines.abpress.engine", "prove_each")
_FACTS: Prove = later("abpress.engines.static", "prove")
_CLAUSES: Prove = later("abpress.engines.horn.engine", "prove")
_STATES: Callable[..., Explored] = later("abpress.engines.explicit", "explore")
_EXECUTIONS: Callable[..., Explored] = later("abpress.engines.stateless", "explore")

_OF_ACCESSES = frozenset({Knowledge.ALARMS, Knowledge.SYNCHRONISED})

ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine(
            "static",
            "facts about single threads, which can prove only",
            _verdicts(_FACTS),
            frozenset(),
            frozenset(),
            (),
            turn=0,
            closed=True,
            preferred="none",
            prove=_FACTS,
            proves=frozenset({"no-data-race", "no-overflow", "valid-deref", UNREACH_CALL}),
            late=frozenset({UNREACH_CALL}),
        ),
        Engine(
            "hunt",
            "random executions, which can find violations only",
            later("abpress.engines.hunt", "search"),
            frozenset(Aspect),
            frozenset(),
            (),
            turn=0,
            closed=True,
            preferred="none",
            hunts=True,
            takes=_OF_ACCESSES,
        ),
        Engine(
            "explicit",
            "stateful depth-first search of the concrete states",
            _results(_STATES),
            frozenset(Aspect),
            frozenset(Insight),
            (Family.STATIC, Family.STATEFUL),
            turn=2_000_000,
            closed=True,
            preferred="s-por",
            explore=_STATES,
            takes=_OF_ACCESSES,
            lean=True,
        ),
        Engine(
            "abpress",
            "abstract reachability tree, refined by interpolants",
            _verdicts(_TREE),
            LOOKS_AT,
            frozenset({Insight.INVISIBLE, Insight.ACCESSES}),
            (Family.TREE,),
            turn=50_000,
            closed=False,
            preferred="source+summaries",
            prove=_TREE,
            takes=frozenset(Knowledge),
            lean=True,
        ),
        Engine(
            "horn",
            "Horn clauses over places under preference orders, solved by Spacer",
            _verdicts(_CLAUSES),
            frozenset(),
            frozenset(),
            (),
            turn=0,
            closed=False,
            preferred="none",
            prove=_CLAUSES,
            proves=frozenset({"unreach-call"}),
            clauses=True,
            takes=frozenset({Knowledge.CHECKS}),
            rests_on=frozenset({VALID_DEREF}),
            lean=True,
        ),
        Engine(
            "stateless",
            "depth-first search of the executions, without states",
            _results(_EXECUTIONS),
            frozenset(Aspect),
            frozenset(Insight),
            (Family.STATELESS,),
            turn=2_000_000,
            closed=True,
            preferred="optimal",
            auto=False,
            explore=_EXECUTIONS,
            executions=ExecutionViews(
                partial(_EXECUTIONS, with_finals=True),
                lambda recording: _results(_EXECUTIONS, recording=recording),
            ),
            takes=_OF_ACCESSES,
        ),
    )
}
"""Name (the value of `--engine`) -> engine.

`auto` uses all for which it is true and that understand the options."""


def engine_of(entry: ReductionEntry[Any]) -> Engine:
    """The engine that runs a reduction."""
    return next(engine for engine in ENGINES.values() if entry.family in engine.families)


def algorithms() -> Mapping[str, ReductionEntry[Any]]:
    """The value of `--algorithm` -> reduction, of engines that explore."""
    return {
        entry.algorithm: entry
        for entry in REDUCTIONS.values()
        if engine_of(entry).explore is not None
    }


def able(config: Config, table: Mapping[str, Engine] = ENGINES) -> tuple[Engine, ...]:
    """The engines of the table that may run for a configuration, as they can answer some property.

    Raises UnsupportedError if there is none.
    """
    automatic = tuple(engine for engine in table.values() if engine.auto)
    named = automatic if config.search.engine == "auto" else (table[config.search.engine],)
    found = tuple(engine for engine in named if engine.answerable(config))
    asked = config.question.properties
    without = config.question.certificate and not any(_needs_proof(n, config) for n in asked)
    if found and not without:
        return found
    raise unanswered(config)


def unanswered(config: Config) -> UnsupportedError:
    """Why no engine can answer the properties of a configuration."""
    certified = " and a certificate" if config.question.certificate else ""
    return UnsupportedError(
        f"engine {config.search.engine}: does not check {config.question.named} with --por"
        f" {config.search.por}{certified}"
    )
