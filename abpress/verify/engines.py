"""The engines that can be chosen, and what each can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from abpress.art.engine import REDUCTIONS as ART_REDUCTIONS
from abpress.art.engine import search as art_search
from abpress.config import Config
from abpress.errors import UnsupportedError
from abpress.explicit.search import search
from abpress.explore.driver import Statistics
from abpress.explore.limits import Limits
from abpress.ir.program import Program
from abpress.result import Result, Soundness

Search = Callable[[Program, Config, Limits, Callable[[Statistics], None], Soundness], Result]
"""Decides the configuration's property within the limits and reports its progress."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to search. `properties` and `reductions` are the options that it understands."""

    name: str
    description: str
    search: Search
    properties: frozenset[str]
    reductions: frozenset[str]


ENGINES: Mapping[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine(
            "explicit",
            "stateful depth-first search of the concrete states",
            search,
            frozenset({"unreach-call", "no-deadlock"}),
            frozenset({"none", "s-por"}),
        ),
        Engine(
            "abpress",
            "abstract reachability tree, refined by interpolants",
            art_search,
            frozenset({"unreach-call"}),
            ART_REDUCTIONS,
        ),
    )
}
"""Name (the value of `--engine`) -> engine; `auto` takes the first that understands the options."""


def choose(config: Config) -> Engine:
    """The engine for a configuration. Raises UnsupportedError if there is none."""
    named = ENGINES.values() if config.engine == "auto" else (ENGINES[config.engine],)
    for engine in named:
        if config.property in engine.properties and config.por in engine.reductions:
            return engine
    raise UnsupportedError(
        f"engine {config.engine}: does not check {config.property} with --por {config.por}"
    )
