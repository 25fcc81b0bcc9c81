"""The notes of docs/theory.md for dynamic reductions: a system each, and the rule taken out.

There is none for NOTE(cover-sleep), since no search that stores states has sleep sets, and none for
NOTE(summaries-grow), since nothing is concluded from a state whose future is not complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.engines.explicit import search
from abpress.properties import PROPERTIES
from abpress.reductions.stateful.algorithm import StateNode
from abpress.reductions.stateful.de_s_por import DeSPor
from abpress.reductions.stateful.dynamic import DynamicReduction
from abpress.reductions.stateful.futures import Retraversed
from abpress.reductions.table import STATEFUL, STATIC
from abpress.relations.footprint import Footprint
from abpress.search.limits import Limits
from abpress.verify.load import load
from tests.reductions.test_stateful_random import check
from tests.reductions.toy import Edge, Toy
from tests.test_programs import CASES, expectation

FAIL = ((Edge("write", 1, 1, 1),), (Edge("fail"),))
END = (Edge("finish"),)

TakeOut = Callable[[pytest.MonkeyPatch], None]


def read(target: int, variable: int, otherwise: int) -> tuple[Edge, Edge]:
    """Goes to `target` where the variable is 0, else to the other location."""
    return Edge("await", target, variable, 0), Edge("await", otherwise, variable, 1)


def thread(*locations: Edge | tuple[Edge, ...]) -> tuple[tuple[Edge, ...], ...]:
    """A thread with these locations, which then ends."""
    return (*((at,) if isinstance(at, Edge) else at for at in locations), END)


def cycles_are_as_good_as_paths(patch: pytest.MonkeyPatch) -> None:
    def choose(self: Any, node: StateNode) -> int | None:
        return next(iter(self._algorithm.wanted(node)), None)

    patch.setattr(DynamicReduction, "_choose", choose)


def the_first_access_hides_others(patch: pytest.MonkeyPatch) -> None:
    def dependents(
        self: Retraversed, sources: Sequence[int], access: Footprint, t: int
    ) -> Iterator[int]:
        seen = set(sources)
        todo = list(seen)
        while todo:
            for t, its, targets in self.moves[todo.pop()]:
                if its is not None and its.conflicts(access):
                    yield t
                    continue
                todo += [target for target in targets if target not in seen]
                seen.update(targets)

    patch.setattr(Retraversed, "dependents", dependents)


def only_the_last(patch: pytest.MonkeyPatch) -> None:
    """UpdateCurr as it is printed."""

    def update_current(self: Any, thread: int, access: Footprint) -> None:
        for entry in reversed(self._path):
            t = entry.node.current
            for w, its in entry.watched:
                if thread != w and access.conflicts(its):
                    entry.current[t, w][thread] = None
                    if t == w:
                        return

    patch.setattr(DeSPor, "_update_current", update_current)


def who_waits_does_nothing(patch: pytest.MonkeyPatch) -> None:
    leave = Retraversed.leave

    def forget(self: Retraversed, node: StateNode) -> None:
        leave(self, node)
        self.moves[node.serial] = tuple(m for m in self.moves[node.serial] if m[2])

    patch.setattr(Retraversed, "leave", forget)


def exits_go_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(StateNode, "goes_on", lambda *_: True)


def one_branch_only(patch: pytest.MonkeyPatch) -> None:
    look = DynamicReduction._look

    def first(self: Any, state: Any, thread: int) -> Any:
        its = look(self, state, thread)
        return type(its)(its.steps[:1], its.access)

    patch.setattr(DynamicReduction, "_look", first)


@dataclass(frozen=True)
class Trap:
    """A system, and the algorithm that is wrong about it without the rule."""

    toy: Toy
    algorithm: str
    take_out: TakeOut


TRAPS = {
    "NOTE(ignoring)": Trap(
        Toy((((Edge("local", 1),), (Edge("local", 0),)), FAIL)),
        "de-por",
        cycles_are_as_good_as_paths,
    ),
    "NOTE(ignoring): a visible loop": Trap(
        Toy((((Edge("write", 1, 0, 1),), (Edge("write", 0, 0, 0),)), FAIL)),
        "de-s-por",
        cycles_are_as_good_as_paths,
    ),
    "NOTE(hiding-writes)": Trap(
        Toy(
            (
                thread(Edge("write", 1, 0, 1)),
                thread(read(2, 0, 1), Edge("write", 2, 1, 1)),
                thread(read(1, 0, 2), Edge("write", 2, 2, 1)),
            ),
            3,
        ),
        "dl-s-por",
        the_first_access_hides_others,
    ),
    "NOTE(last-dependent)": Trap(
        Toy(
            (
                thread(read(2, 1, 1), Edge("fail")),
                thread(Edge("write", 1, 0, 1)),
                thread(Edge("await", 1, 0, 1, then=(1, 1))),
            )
        ),
        "de-s-por",
        only_the_last,
    ),
    "NOTE(waiting-threads)": Trap(
        Toy((thread(Edge("await", 1, 0, 0)), thread(Edge("write", 1, 0, 1))), 1, (1, 0)),
        "dl-s-por",
        who_waits_does_nothing,
    ),
    "NOTE(branching-threads)": Trap(
        Toy((thread((Edge("write", 1, 0, 1), Edge("write", 2, 0, 0)), Edge("fail")),)),
        "dl-s-por",
        one_branch_only,
    ),
    "NOTE(exits-are-steps)": Trap(
        Toy((((Edge("exit"),),), thread(Edge("write", 1, 0, 1), Edge("fail")))),
        "dl-s-por",
        exits_go_on,
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_the_rule_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = TRAPS[name]
    for info in STATEFUL.values():
        check(info, trap.toy)
    trap.take_out(monkeypatch)
    with pytest.raises(AssertionError):
        check(STATEFUL[trap.algorithm], trap.toy)


MOST_STATES = 100_000

LITMUS = [file for file in CASES if file.parent.name == "litmus"]


@pytest.mark.parametrize("file", LITMUS, ids=lambda file: file.stem)
def test_litmus(file: Path) -> None:
    """All reductions that keep the property say of a program what plain enumeration says.

    A program whose states have no end belongs to another folder.
    """
    arguments = expectation(file).args
    property = arguments[arguments.index("--property") + 1] if "--property" in arguments else ""
    config = Config.of(file, property=property or "unreach-call", engine="explicit", max_threads=6)
    program = load(config).program
    results = {
        por: search(
            program,
            Config.of(file, property=config.question.named, por=por),
            Limits(states=MOST_STATES),
        )
        for table in (STATIC, STATEFUL)
        for por, entry in table.items()
        if entry.keeps(PROPERTIES[config.question.named].needs)
    }
    assert all(result.statistics["states"] < MOST_STATES for result in results.values())
    verdicts = {por: result.verdict for por, result in results.items()}
    assert len(set(verdicts.values())) == 1, verdicts
