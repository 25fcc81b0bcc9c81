"""A search that one process has begun alone, for workers to go on with: NOTE(resumed-search)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from abpress.parallel.hub import FIRST
from abpress.parallel.keeping import Own, PartMaker, Pause
from abpress.parallel.parts import Frontier
from abpress.parallel.territory import Territory
from abpress.reductions.stateless.algorithm import SearchPath, StatelessAlgorithm
from abpress.search.named import Sender
from abpress.search.rest import Plain
from abpress.search.stateless import ExploredExecutions
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames
from abpress.semantics.outcome import ConcreteStep


def begun_alone(
    system: Interpreter,
    algorithm: StatelessAlgorithm,
    explored: ExploredExecutions,
    path: SearchPath,
    left: list[tuple[ConcreteStep, ...]],
    plain: Plain,
    more: tuple[Any, ...],
) -> Frontier:
    """What is known of a search by the algorithm that has stopped where `Hooks.on_stop` was told:
    one part, in which no branch was handed over. `more` is kept with it."""
    nobody = Territory(algorithm.choice, lambda *_: None, lambda *_: None)
    maker = PartMaker(system, Sender(CanonicalNames(system.context), path.accesses, plain), path)
    part = maker.part(nobody, Own(FIRST, {}, [Pause.at(path, left)], explored))
    return Frontier((replace(part, more=more),))
