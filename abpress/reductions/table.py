"""All reductions that can be chosen: what each asks of a system, what it preserves, who wrote it.

A reduction is a row: its file, and a line here, make it a value of `--por` for the engines that run
its family and of `abpress explore --algorithm`, a row of docs/algorithms.md, and a case of the
contract tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from abpress.later import later
from abpress.properties import Preserved
from abpress.reductions.entry import Family, Insight, Make, ReductionEntry

if TYPE_CHECKING:
    from abpress.reductions.choice import StatefulReduction
    from abpress.reductions.stateful.algorithm import DynamicAlgorithm
    from abpress.reductions.stateful.dynamic import DynamicReduction, RecordingSystem
    from abpress.reductions.stateless.algorithm import (
        RaceReversal,
        StatelessAlgorithm,
        ThreadChoice,
    )
    from abpress.reductions.tree.protocol import TreeContext, TreeReduction
    from abpress.semantics.outcome import State
    from abpress.semantics.protocols import Foreseeing

MakeStatic = Callable[["Foreseeing[Any]"], "StatefulReduction[Any]"]
MakeStateful = Callable[["RecordingSystem"], "StatefulReduction[State]"]
MakeStateless = Callable[[], "StatelessAlgorithm"]
MakeTree = Callable[["TreeContext"], "TreeReduction"]

_STATIC, _STATEFUL, _STATELESS, _TREE = (
    f"abpress.reductions.{family}." for family in ("static", "stateful", "stateless", "tree")
)
_OF_EXECUTIONS = later(_STATELESS + "algorithm", "StatelessAlgorithm")
_RECORDED: Callable[..., DynamicReduction] = later(_STATEFUL + "dynamic", "DynamicReduction")
_SOURCE_SETS = later(_STATELESS + "source", "SourceSets")
_OPTIMAL = later(_STATELESS + "optimal", "OptimalDpor")
_REMEMBERING = later(_STATELESS + "remembering", "remembering")
_RACES = partial(later, _STATELESS + "races")
_BY_RACES = _RACES("HappensBeforeRaces")
_BY_MET_RACES = _RACES("MetRaces")
_DE_S_POR = later(_STATEFUL + "de_s_por", "DeSPor")
_DL_S_POR = later(_STATEFUL + "dl_s_por", "DlSPor")
_FUTURES = partial(later, _STATEFUL + "futures")
_HEAP_REACH = partial(later, _STATIC + "heap_reach")
_FULL = partial(later, _TREE + "full")
_PARTIAL = partial(later, _TREE + "partial")


def _asks(*insights: Insight) -> frozenset[Insight]:
    return frozenset(insights)


_NOTHING = _asks()
_INVISIBLE = _asks(Insight.INVISIBLE)
_REACH = _asks(Insight.INVISIBLE, Insight.REACH)
_ACCESSES = _asks(Insight.ACCESSES)
_FILTERED = _asks(Insight.INVISIBLE, Insight.ACCESSES)
_CONTENTS = _asks(Insight.ACCESSES, Insight.CONTENTS)


def _by(choice: Callable[[], ThreadChoice], races: Callable[[], RaceReversal]) -> MakeStateless:
    """Makes algorithms of a choice of threads and a race reversal."""
    return lambda: _OF_EXECUTIONS(choice(), races())


def _stateless(
    name: str,
    description: str,
    make: MakeStateless,
    preserves: Preserved = Preserved.TRACES,
    *,
    paper: str | None = None,
    needs: frozenset[Insight] = _ACCESSES,
    classes: bool = True,
    optimal: bool = False,
    also: frozenset[Preserved] = frozenset(),
    shared: bool = False,
) -> ReductionEntry[MakeStateless]:
    return ReductionEntry(
        Family.STATELESS,
        name,
        description,
        make,
        needs,
        preserves,
        paper,
        classes=classes,
        optimal=optimal,
        also=also,
        shared=shared,
    )


def _static(
    name: str,
    description: str,
    make: MakeStatic,
    needs: frozenset[Insight],
    preserves: Preserved,
    paper: str | None,
    explored_as: str | None = None,
    also: frozenset[Preserved] = frozenset({Preserved.RACES}),
    merges: bool = False,
) -> ReductionEntry[MakeStatic]:
    return ReductionEntry(
        Family.STATIC,
        name,
        description,
        make,
        needs,
        preserves,
        paper,
        explored_as=explored_as,
        merges=merges,
        also=also,
        shared=True,
    )


def _stateful(
    name: str,
    description: str,
    algorithm: Callable[[RecordingSystem], DynamicAlgorithm],
    paper: str,
    needs: frozenset[Insight] = _FILTERED,
    preserves: Preserved = Preserved.FINAL_STATES,
    also: frozenset[Preserved] = frozenset({Preserved.RACES}),
) -> ReductionEntry[MakeStateful]:
    def make(system: RecordingSystem) -> DynamicReduction:
        return _RECORDED(system, algorithm(system))

    return ReductionEntry(
        Family.STATEFUL, name, description, make, needs, preserves, paper, also=also
    )


def _tree(
    name: str,
    description: str,
    make: MakeTree,
    needs: frozenset[Insight],
    paper: str | None,
    *,
    abstract: bool = False,
) -> ReductionEntry[MakeTree]:
    return ReductionEntry(
        Family.TREE,
        name,
        description,
        make,
        needs,
        Preserved.LASTING,
        paper,
        certificate=name,
        abstract=abstract,
        merges=True,
        also=frozenset() if abstract else frozenset({Preserved.RACES}),
    )


_ROWS: tuple[ReductionEntry[Any], ...] = (
    _stateless(
        "none",
        "all interleavings",
        _by(later(_STATELESS + "none", "AllInterleavings"), _RACES("NoRaces")),
        classes=False,
        also=frozenset({Preserved.STATES}),
        shared=True,
    ),
    _stateless(
        "sleep",
        "sleep sets alone",
        _by(later(_STATELESS + "sleep", "SleepSets"), _RACES("NoRaces")),
        paper="Godefroid96",
        also=frozenset({Preserved.STATES}),
        shared=True,
    ),
    _stateless(
        "persistent",
        "persistent sets found by races, sleep sets",
        _by(later(_STATELESS + "persistent", "PersistentSets"), _BY_MET_RACES),
        paper="DPOR05",
        shared=True,
    ),
    _stateless(
        "source",
        "source sets, sleep sets",
        _by(_SOURCE_SETS, _BY_MET_RACES),
        paper="ODPOR14",
        shared=True,
    ),
    _stateless(
        "optimal",
        "source sets with wakeup trees",
        _by(_OPTIMAL, _BY_RACES),
        paper="ODPOR14",
        optimal=True,
        shared=True,
    ),
    _stateless(
        "observers",
        "optimal, and the order of two writes counts only if a later read observes it",
        _by(_OPTIMAL, _RACES("ObservedRaces")),
        Preserved.OBSERVED_TRACES,
        paper="Observers18",
        optimal=True,
        shared=True,
    ),
    _stateless(
        "context-sensitive",
        "as source, without what follows states from which everything was explored",
        lambda: _REMEMBERING(_SOURCE_SETS()),
        Preserved.FINAL_STATES,
        paper="ContextSensitive17",
        needs=_CONTENTS,
        shared=True,
    ),
    _stateless(
        "optimal-context-sensitive",
        "as optimal, without what follows states from which everything was explored",
        lambda: _REMEMBERING(_OPTIMAL()),
        Preserved.FINAL_STATES,
        paper="ContextSensitive19",
        needs=_CONTENTS,
        shared=True,
    ),
    _stateless(
        "optimal-cs-observers",
        "as observers, without what follows states from which everything was explored",
        lambda: _REMEMBERING(_OPTIMAL(), observers=True),
        Preserved.OBSERVED_STATES,
        paper="ContextSensitive19",
        needs=_CONTENTS,
        shared=True,
    ),
    _static(
        "none",
        "all threads at every state",
        later(_STATIC + "none", "NoReduction"),
        _NOTHING,
        Preserved.STATES,
        None,
        explored_as="stateful",
    ),
    _static(
        "s-por",
        "a thread with an invisible step alone, else all",
        later(_STATIC + "s_por", "SPor"),
        _INVISIBLE,
        Preserved.FINAL_STATES,
        "Pragmatic23",
        merges=True,
    ),
    _static(
        "heap-reach",
        "s-por, and a thread alone whose step accesses only what no other thread can reach",
        _HEAP_REACH("HeapReach"),
        _REACH,
        Preserved.OUTCOMES,
        "ObjectEscape04",
    ),
    _static(
        "heap-reach+fields",
        "heap-reach, and a thread alone whose step accesses only fields that no other thread"
        " that can reach them may access in conflict later",
        _HEAP_REACH("HeapReachFields"),
        _REACH,
        Preserved.OUTCOMES,
        "FutureFields11",
    ),
    _stateful("de-s-por", "s-por, and source sets found eagerly", _DE_S_POR, "Pragmatic23"),
    _stateful(
        "dl-s-por",
        "s-por, and source sets found lazily",
        lambda system: _DL_S_POR(system, _FUTURES("Retraversed")()),
        "Pragmatic23",
    ),
    _stateful(
        "dl-s-por+summaries",
        "dl-s-por, keeping what happens behind each state",
        lambda system: _DL_S_POR(system, _FUTURES("Summarised")()),
        "Pragmatic23",
    ),
    _stateful(
        "dl-s-por+hb",
        "dl-s-por, without races with what happens after a later step",
        lambda system: _DL_S_POR(system, later(_STATEFUL + "ordered", "Ordered")()),
        "Pragmatic23",
    ),
    _stateful(
        "de-por",
        "de-s-por without s-por",
        partial(_DE_S_POR, filtered=False),
        "Pragmatic23",
        _ACCESSES,
    ),
    _stateful(
        "dl-por",
        "dl-s-por without s-por",
        lambda system: _DL_S_POR(system, _FUTURES("Retraversed")(), filtered=False),
        "Pragmatic23",
        _ACCESSES,
    ),
    _stateful(
        "o-dpor",
        "s-por, and source sets by happens-before",
        later(_STATEFUL + "o_dpor", "ODpor"),
        "ODPOR14",
        also=frozenset(),
    ),
    _stateful(
        "stateful-dpor",
        "s-por, and persistent sets by happens-before; what may follow a visited state is"
        " applied again",
        later(_STATEFUL + "stateful_dpor", "StatefulDpor"),
        "StatefulDPOR08",
    ),
    _stateful(
        "hybrid",
        "heap-reach+fields, and a thread alone whose step accesses only what no other thread"
        " that can come to a point where it has done so accesses in conflict there",
        later(_STATEFUL + "hybrid", "HybridPor"),
        "Hybrid16",
        frozenset(Insight) - {Insight.CONTENTS},
        Preserved.OUTCOMES,
        frozenset(),
    ),
    _tree("none", "all threads at every node", _FULL("ExpandAll"), _NOTHING, None),
    _tree(
        "peephole",
        "all threads but those whose step was independent of the last one and could have come"
        " before it",
        _FULL("Peephole"),
        _ACCESSES,
        "Monotonic09",
    ),
    _tree(
        "s-por",
        "a thread with an invisible step alone, else all",
        _PARTIAL("TreeSPor"),
        _INVISIBLE,
        "Pragmatic23",
    ),
    _tree(
        "source",
        "threads that races on the paths behind a node ask for",
        _PARTIAL("PathSourceSets"),
        _FILTERED,
        "AbPress14",
    ),
    _tree(
        "source+summaries",
        "as source, from summaries of what is accessed behind a node",
        _PARTIAL("TreeSourceSets"),
        _FILTERED,
        "AbPress14",
    ),
    _tree(
        "source+abstraction",
        "as source+summaries; cells of which no formula speaks do not count",
        _PARTIAL("TreeSourceSets"),
        _FILTERED,
        "AbPress14",
        abstract=True,
    ),
)

REDUCTIONS: Mapping[tuple[Family, str], ReductionEntry[Any]] = {
    (entry.family, entry.name): entry for entry in _ROWS
}
"""Family and name (the value of `--por`) -> reduction."""


@dataclass(frozen=True, slots=True, eq=False)
class FamilyTable(Mapping[str, ReductionEntry[Make]]):
    """The rows of one family: name -> reduction."""

    family: Family

    def __getitem__(self, name: str) -> ReductionEntry[Make]:
        return REDUCTIONS[self.family, name]

    def __iter__(self) -> Iterator[str]:
        return (name for family, name in REDUCTIONS if family is self.family)

    def __len__(self) -> int:
        return sum(1 for _ in self)


STATELESS: Mapping[str, ReductionEntry[MakeStateless]] = FamilyTable(Family.STATELESS)
STATIC: Mapping[str, ReductionEntry[MakeStatic]] = FamilyTable(Family.STATIC)
STATEFUL: Mapping[str, ReductionEntry[MakeStateful]] = FamilyTable(Family.STATEFUL)
TREE: Mapping[str, ReductionEntry[MakeTree]] = FamilyTable(Family.TREE)
