"""The notes of docs/theory.md in the tree: a program each that is proved when its rule is out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from abpress.art.node import Move, Node, Place, Places
from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.ir.program import Program
from abpress.logic.formula import TRUE
from abpress.reductions.table import TREE
from abpress.reductions.tree import partial
from abpress.reductions.tree.footprints import EventBits, Footprints
from abpress.reductions.tree.full import Peephole
from abpress.reductions.tree.partial import TreeSourceSets
from abpress.reductions.tree.source_sets import SummaryRaces
from abpress.reductions.tree.summaries import Summaries
from abpress.result import Verdict
from abpress.search.limits import Limits
from abpress.symbolic.discrete import PROGRAM_KEY, Access, in_memory
from abpress.symbolic.system import SymbolicSystem
from abpress.verify.certify import certified
from tests.engines.programs import (
    INT,
    MUTEX,
    THREAD_ENDS,
    code,
    counter,
    lock,
    main,
    program,
    unlock,
)

FAILS = 'fail "unreach-call" "seen"'
Patch = pytest.MonkeyPatch


def verdict(p: Program, por: str, property: str = "unreach-call") -> Verdict:
    return prove(p, Config.of(Path(), por=por, property=property), Limits(time=20.0))[0].verdict


def reader(name: str, *expected: tuple[str, int]) -> str:
    """A thread that fails if it reads these values one after the other."""
    actions = []
    end = 2 * len(expected) + 1
    for k, (variable, value) in enumerate(expected):
        actions.append(f"r := *&{variable}")
        actions.append(f"when r == {value} -> L{2 * k + 2}\n when r != {value} -> L{end}")
    return code(name, *actions, FAILS, THREAD_ENDS, r="i32")


def writer(name: str, *stores: str) -> str:
    return code(name, *(f"*&{store}" for store in stores), THREAD_ENDS)


# -- rules taken out ------------------------------------------------------------------------------


def no_progress(patch: Patch) -> None:
    patch.setattr(partial, "unproductive", lambda nodes: [])


def summaries_are_final(patch: Patch) -> None:
    """What a node inherits from what covers it, or from its children, is looked at once."""
    found: Callable[..., bool] = Summaries._recompute

    def once(self: Summaries, node: Node) -> bool:
        return node.number not in self._found and found(self, node)

    patch.setattr(Summaries, "_recompute", once)


def no_races(patch: Patch) -> None:
    patch.setattr(SummaryRaces, "races", lambda self, node, chosen: ())


def races_of_present_threads(patch: Patch) -> None:
    """A race with a thread that does not exist yet asks for nobody."""
    found = SummaryRaces.races

    def races(self: SummaryRaces, node: Node, chosen: tuple[int, ...]) -> Iterator[object]:
        return (race for race in found(self, node, chosen) if race[0] in node.place.threads)

    patch.setattr(SummaryRaces, "races", races)
    first_id_first(patch)


def every_event_is_in_the_past(patch: Patch) -> None:
    """Whatever happens before an event on a path, it is in its past."""
    bits = Footprints.event

    def event(self: Footprints, *event: object) -> EventBits:
        return bits(self, *event)._replace(conflicts=-1)  # type: ignore[arg-type]

    def following(self: Footprints, place: Place, thread: int) -> tuple[EventBits, ...]:
        accesses = self._system.accesses(place.discrete, thread)
        return tuple(bits(self, thread, a.reads, a.writes) for a in accesses)

    patch.setattr(Footprints, "event", event)
    patch.setattr(Footprints, "next_events", following)


def waiting_reads_nothing(patch: Patch) -> None:
    """What a thread has read that waits now is not looked at."""
    kept: dict[tuple[Access, ...], tuple[Access, ...]] = {}

    def accesses(self: SymbolicSystem, d: object, t: int) -> tuple[Access, ...]:
        steps = self.steps(d, t)  # type: ignore[arg-type]
        found = tuple(dict.fromkeys(Access(step.reads, step.writes) for step in steps))
        return kept.setdefault(found, found)

    patch.setattr(SymbolicSystem, "accesses", accesses)
    first_id_first(patch)


def first_id_first(patch: Patch) -> None:
    """No rule, but the order in which threads are tried."""
    patch.setattr(TreeSourceSets, "candidates", lambda self, node: node.place.threads)


def everybody_goes_on(patch: Patch) -> None:
    patch.setattr(partial, "can_go_on", lambda moves: TRUE)


def one_branch(patch: Patch) -> None:
    moves: Callable[[Places, Place, int], tuple[Move, ...]] = Places.moves
    patch.setattr(Places, "moves", lambda self, place, thread: moves(self, place, thread)[:1])


def any_cover(patch: Patch) -> None:
    patch.setattr(Peephole, "may_cover", lambda self, other, node: True)


def only_labels_count(patch: Patch) -> None:
    """Cells with known values do not conflict either."""

    def counts(self: Footprints, key: str) -> bool:
        return key != PROGRAM_KEY and self._users.get(key) == 0 and not in_memory(key)

    patch.setattr(Footprints, "_counts", counts)


# -- programs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trap:
    """A program with an error that the reduction misses when the rule is taken out."""

    por: str
    take_out: Callable[[Patch], None]
    program: Program
    property: str = "unreach-call"


def waiting_beside(other: str) -> Program:
    """A thread that may wait for ever, and another one, v."""
    return program(
        code("main", "*&x := 0", "t := spawn t 0ptr4", "t := spawn v 0ptr4", THREAD_ENDS, t="u32"),
        code("t", "o := 0", "atomic: o := *&x", "atomic: await o == 1", THREAD_ENDS, o="i32"),
        other,
        x=INT,
    )


LOCKING = {"o": "u32", "$tid": "u32"}
SPIN = code("spins", "i := 0", "i := 1 -> L0", i="i32")
RACE = program(
    main("w", "v", join=False, end=THREAD_ENDS), writer("w", "x := 1"), reader("v", ("x", 0)), x=INT
)
TRAPS = {
    "NOTE(ignoring)": Trap(
        "source+summaries",
        no_progress,
        program(main("spins", "v", join=False, end="-> L2"), SPIN, reader("v", ("x", 0)), x=INT),
    ),
    "races": Trap("source+summaries", no_races, RACE),
    "NOTE(summaries-grow)": Trap(
        "source+summaries",
        summaries_are_final,
        program(
            main("a", "v", "b", join=False, end=THREAD_ENDS),
            writer("a", "x := 1"),
            reader("v", ("y", 1), ("x", 0)),
            writer("b", "y := 1"),
            x=INT,
            y=INT,
        ),
    ),
    "NOTE(ghost-events): threads that do not exist yet": Trap(
        "source+summaries",
        races_of_present_threads,
        program(
            code(
                "main",
                "t := spawn w 0ptr4",
                "t := spawn a 0ptr4",
                THREAD_ENDS,
                t="u32",
            ),
            code("a", "*&z := 1", "t := spawn late 0ptr4", THREAD_ENDS, t="u32"),
            reader("late", ("x", 0)),
            writer("w", "x := 1"),
            x=INT,
            z=INT,
        ),
    ),
    "NOTE(ghost-events): the past": Trap(
        "source+summaries",
        every_event_is_in_the_past,
        program(
            main("w", "v", "z", join=False, end=THREAD_ENDS),
            writer("w", "x := 1"),
            reader("v", ("y", 0), ("x", 0)),
            writer("z", "y := 1"),
            x=INT,
            y=INT,
        ),
    ),
    "NOTE(blocked-threads): what a thread waits for": Trap(
        "source+summaries",
        waiting_reads_nothing,
        program(
            main("z", "t", "q", join=False, end=THREAD_ENDS),
            reader("z", ("y", 1)),
            code(
                "t",
                *lock("m"),
                "r := *&f",
                "when r == 1 -> L6\n when r != 1 -> L7",
                "*&y := 1",
                THREAD_ENDS,
                **LOCKING,
                r="i32",
            ),
            code("q", *lock("m"), "*&f := 1", *unlock("m"), THREAD_ENDS, **LOCKING),
            m=MUTEX,
            f=INT,
            y=INT,
        ),
    ),
    "NOTE(blocked-threads): a thread that waits": Trap(
        "source+summaries",
        everybody_goes_on,
        waiting_beside(reader("v", ("x", 0))),
    ),
    "NOTE(blocked-threads): a thread that waits for ever": Trap(
        "source+summaries",
        everybody_goes_on,
        waiting_beside(code("v", "r := *&x", THREAD_ENDS, r="i32")),
        "no-deadlock",
    ),
    "NOTE(no-thread-goes-on): of threads that do not exist yet": Trap(
        "source+summaries",
        no_races,
        program(
            main("w", "v", join=False, end=THREAD_ENDS),
            writer("w", "x := 1"),
            code("v", "r := *&x", "await r == 1", THREAD_ENDS, r="i32"),
            x=INT,
        ),
        "no-deadlock",
    ),
    "NOTE(branching-threads)": Trap(
        "none",
        one_branch,
        program(main("w"), code("w", "*&x := 1 -> L1\n *&x := 1 -> L2", THREAD_ENDS, FAILS), x=INT),
    ),
    "NOTE(exits-are-steps)": Trap(
        "source+summaries",
        everybody_goes_on,
        program(main("v", join=False), writer("v", "x := 1").replace(THREAD_ENDS, FAILS), x=INT),
    ),
    "what no label speaks of": Trap(
        "source+abstraction",
        only_labels_count,
        program(
            main("w", "v", join=False, end=THREAD_ENDS),
            writer("w", "p := &x"),
            code(
                "v",
                "r := *&p",
                "when r == 0ptr4 -> L2\n when r != 0ptr4 -> L3",
                FAILS,
                THREAD_ENDS,
                r="ptr4",
            ),
            x=INT,
            p="{4: 0 ptr} = 0ptr4",
        ),
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_the_rule_is_needed(name: str, monkeypatch: Patch) -> None:
    trap = TRAPS[name]
    for por in TREE:
        assert verdict(trap.program, por, trap.property) is Verdict.FALSE, por
    trap.take_out(monkeypatch)
    assert verdict(trap.program, trap.por, trap.property) is Verdict.TRUE


def test_covers_that_leave_out_more(monkeypatch: Patch) -> None:
    """NOTE(cover-sleep): the checker rejects the tree."""
    p = counter(1)
    config = Config.of(Path(), por="peephole")
    _, view = prove(p, config, Limits())
    assert view is not None
    certified(p, config, view)
    any_cover(monkeypatch)
    _, view = prove(p, config, Limits())
    assert view is not None
    with pytest.raises(AssertionError, match="rejected"):
        certified(p, config, view)
