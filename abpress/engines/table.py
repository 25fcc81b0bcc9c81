"""The engines that can be chosen, and what each can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abpress.config import Config
from abpress.engines.abpress.engine import LOOKS_AT, prove
from abpress.engines.abpress.engine import search as art_search
from abpress.engines.explicit import REDUCTION_NAMES, search
from abpress.engines.stateless import search as stateless_search
from abpress.errors import UnsupportedError
from abpress.ir.program import Program
from abpress.proof.write import TreeView
from abpress.properties import PROPERTIES, Aspect
from abpress.reductions.stateless import ALGORITHMS
from abpress.reductions.tree.table import REDUCTIONS as ART_REDUCTIONS
from abpress.result import Result, Soundness
from abpress.search.limits import Limits
from abpress.search.statistics import Statistics

Search = Callable[[Program, Config, Limits, Callable[[Statistics], None], Soundness], Result]
"""Decides the configuration's property within the limits and reports its progress."""


Prove = Callable[
    [Program, Config, Limits, Callable[[Statistics], None], Soundness],
    tuple[Result, TreeView | None],
]
"""As `Search`, with what a certificate of a verdict "true" is made from."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to search. `looks_at` is what it shows to a property,
    `reductions` are the values of `--por` that it understands.

    `preferred` is the reduction that it uses if none is named. `prove` is None if the engine's
    verdicts have no certificates. `turn` are the states after which `auto` lets another engine try
    when there is no limit of time; `closed` says that the engine is for programs that look finite.
    `auto`: it takes part where no engine is named. `every_access`: it counts executions, so that
    accesses that nothing observes stay.
    """

    name: str
    description: str
    search: Search
    looks_at: frozenset[Aspect]
    reductions: tuple[str, ...]
    turn: int
    closed: bool
    preferred: str
    prove: Prove | None = None
    auto: bool = True
    every_access: bool = False

    def configured(self, config: Config) -> Config:
        """The configuration with the reduction that the engine uses."""
        return config.but(por=self.preferred) if config.search.por == "auto" else config


ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine(
            "explicit",
            "stateful depth-first search of the concrete states",
            search,
            frozenset(Aspect),
            REDUCTION_NAMES,
            turn=2_000_000,
            closed=True,
            preferred="s-por",
        ),
        Engine(
            "abpress",
            "abstract reachability tree, refined by interpolants",
            art_search,
            LOOKS_AT,
            tuple(ART_REDUCTIONS),
            turn=50_000,
            closed=False,
            preferred="source+summaries",
            prove=prove,
        ),
        Engine(
            "stateless",
            "depth-first search of the executions, without states",
            stateless_search,
            frozenset(Aspect),
            tuple(ALGORITHMS),
            turn=2_000_000,
            closed=True,
            preferred="optimal",
            auto=False,
            every_access=True,
        ),
    )
}
"""Name (the value of `--engine`) -> engine.

`auto` uses all for which it is true and that understand the options."""


def able(config: Config, table: Mapping[str, Engine] = ENGINES) -> tuple[Engine, ...]:
    """The engines of the table that may run for a configuration.

    Raises UnsupportedError if there is none.
    """
    automatic = tuple(engine for engine in table.values() if engine.auto)
    named = automatic if config.search.engine == "auto" else (table[config.search.engine],)
    found = tuple(
        engine
        for engine in named
        if PROPERTIES[config.question.property].looks_at <= engine.looks_at
        and engine.configured(config).search.por in engine.reductions
        and (engine.prove is not None or not config.question.certificate)
    )
    if found:
        return found
    certified = " and a certificate" if config.question.certificate else ""
    raise UnsupportedError(
        f"engine {config.search.engine}: does not check {config.question.property} with --por"
        f" {config.search.por}{certified}"
    )
