"""The notes of docs/theory.md: a program for each, and what is said of it without the rule."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from abpress.analysis import visibility
from abpress.analysis.boundaries import step_boundaries
from abpress.config import Config
from abpress.engines.explicit import search
from abpress.ir.program import Exit, Overflow, Program, Template
from abpress.properties.ends import End
from abpress.reductions.static.s_por import SPor
from abpress.reductions.table import STATIC
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from abpress.semantics.context import Context
from abpress.semantics.naming import ObjectInfo, Threads
from abpress.semantics.outcome import ASSUMING
from abpress.verify.run import verify
from tests.engines.programs import INT, THREAD_ENDS, code, main, program
from tests.sampling import examples

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ROOT / "tests" / "programs"

TakeOut = Callable[[pytest.MonkeyPatch], None]


def instead(name: str, value: Any) -> TakeOut:
    """Takes a rule out by putting something else for a name in the package."""
    return lambda monkeypatch: monkeypatch.setattr(f"abpress.{name}", value)


def never(*_: object) -> bool:
    return False


def exits_are_invisible(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = tuple(kind for kind in visibility._VISIBLE if kind is not Exit)
    monkeypatch.setattr(visibility, "_VISIBLE", rest)
    monkeypatch.setattr("abpress.verify.load.without_exits", lambda program: program)


def one_branch_only(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = SPor.expand

    def expand(self: SPor[Any], state: Any, visited: Any) -> Iterator[Any]:
        steps = list(everything(self, state, visited))
        yield from steps[:1] if len({step.thread for step in steps}) == 1 else steps

    monkeypatch.setattr(SPor, "expand", expand)


def blocks_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def boundaries(
        template: Template,
        visible: frozenset[tuple[int, int]],
        overflow: Overflow,
        noticed: frozenset[tuple[int, int]],
    ) -> frozenset[int]:
        open = tuple(replace(location, atomic=False) for location in template.locations)
        return step_boundaries(replace(template, locations=open), visible, overflow, noticed)

    monkeypatch.setattr("abpress.analysis.facts.step_boundaries", boundaries)
    monkeypatch.setattr(
        "abpress.semantics.codegen.regions.Region.ends_at",
        lambda region, location: location in region.code.boundaries,
    )


def waiting_is_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in "search.stateful", "properties.finding":
        monkeypatch.setattr(f"abpress.{module}.classify", lambda *_: End.DEADLOCK)


def finer_states(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(template: Template) -> tuple[frozenset[str], ...]:
        return (frozenset(template.registers),) * len(template.locations)

    monkeypatch.setattr("abpress.analysis.facts.live_registers", everything)


@dataclass(frozen=True)
class Trap:
    """A program, the answers with and without the rule that it needs."""

    program: str
    right: Verdict
    wrong: Verdict
    take_out: TakeOut
    property: str = "unreach-call"


TRUE, FALSE, UNKNOWN = Verdict.TRUE, Verdict.FALSE, Verdict.UNKNOWN

TRAPS = {
    "NOTE(ignoring)": Trap(
        "ignoring",
        FALSE,
        TRUE,
        instead("reductions.static.s_por._suffice", lambda steps, _: bool(steps)),
    ),
    "NOTE(blocked-threads)": Trap(
        "blocked_thread",
        FALSE,
        TRUE,
        instead(
            "reductions.static.s_por._suffice",
            lambda steps, on: not any(on(s.successor) for s in steps),
        ),
    ),
    "NOTE(branching-threads)": Trap("branching_thread", FALSE, TRUE, one_branch_only),
    "NOTE(exits-are-steps): main": Trap("return_from_main", FALSE, TRUE, exits_are_invisible),
    "NOTE(exits-are-steps): abort": Trap("exit_comes_late", FALSE, TRUE, exits_are_invisible),
    "NOTE(atomic-blocks): a switch": Trap(
        "adjacent_atomic_blocks", FALSE, TRUE, instead("analysis.visibility._begins_atomic", never)
    ),
    "NOTE(atomic-blocks)": Trap("block_excludes_all", TRUE, FALSE, blocks_are_cut),
    "NOTE(assume-blocked)": Trap(
        "assume_is_no_deadlock",
        TRUE,
        FALSE,
        waiting_is_waiting,
        "no-deadlock",
    ),
    "NOTE(assumed-alternatives)": Trap(
        "deadlock_beside_an_assumption",
        FALSE,
        TRUE,
        instead("semantics.choices.AWAITING", ASSUMING),
        "no-deadlock",
    ),
    "NOTE(lost-write)": Trap(
        "lost_write", FALSE, TRUE, instead("analysis.boundaries._WRITING", ())
    ),
    "NOTE(lost-write): an overflow": Trap(
        "lost_write_by_overflow", FALSE, TRUE, instead("analysis.boundaries._WRITING", ())
    ),
    "NOTE(reuse)": Trap(
        "address_reused", UNKNOWN, TRUE, instead("analysis.touching.told_apart", lambda _: ())
    ),
    "NOTE(lost-write): one edge": Trap(
        "lost_write_of_a_macro", FALSE, TRUE, instead("ir.passes.compact._may_end", never)
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_the_rule_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = TRAPS[name]
    config = Config.of(
        PROGRAMS / "litmus" / f"{trap.program}.c", property=trap.property, engine="explicit"
    )
    assert verify(config).result.verdict is trap.right
    trap.take_out(monkeypatch)
    assert verify(config).result.verdict is trap.wrong


def run(program: Program, por: str = "s-por", property: str = "unreach-call") -> Result:
    return search(program, Config.of(Path("p.c"), por=por, property=property), Limits())


READS = code("w", "r := *&x", "await r == 1", THREAD_ENDS, r="i32")
CHOOSES = code("w", 'r := any "input" [0, 1]', "await r == 1", THREAD_ENDS, r="i32")
SETS = code("v", "*&x := 1", THREAD_ENDS)


@pytest.mark.parametrize("waiting", [READS, CHOOSES], ids=["a value read", "a value chosen"])
@pytest.mark.parametrize("por", STATIC)
def test_lost_wait(waiting: str, por: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(lost-wait): a thread that waits because of a value has got that value for good."""

    def verdict() -> Verdict:
        waits = program(main("w", "v"), waiting, SETS, x=INT)  # facts are kept with a program
        return run(waits, por, "no-deadlock").verdict

    assert verdict() is Verdict.FALSE
    monkeypatch.setattr("abpress.analysis.boundaries._may_wait", never)
    assert verdict() is Verdict.TRUE


@pytest.mark.parametrize("por", ["o-dpor", "stateful-dpor"])
def test_failed_accesses(por: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(failed-accesses): the execution in which the access succeeds is explored, too."""
    file = PROGRAMS / "litmus" / "freed_meanwhile.c"
    config = Config.of(file, engine="explicit", por=por)
    assert verify(config).result.verdict is FALSE
    monkeypatch.setattr("abpress.semantics.recording.KeyRecorder.failed", never)
    assert verify(config).result.verdict is UNKNOWN


def test_dead_locals(monkeypatch: pytest.MonkeyPatch) -> None:
    """NOTE(dead-values): values that nobody reads any more do not tell states apart."""
    config = Config.of(PROGRAMS / "litmus" / "dead_locals.c", engine="explicit")
    states = verify(config).result.statistics["states"]
    finer_states(monkeypatch)
    assert verify(config).result.statistics["states"] > states  # type: ignore[operator]


INTERLEAVING = ("none", "s-por")
"""Reductions with which threads interleave that are in nobody's way: else names do not matter."""

FAMILY = program(
    main("w", "w", join=False, end=THREAD_ENDS),
    code("w", "t := spawn v 0ptr4", THREAD_ENDS, t="u32"),
    code("v", THREAD_ENDS),
)


@pytest.mark.parametrize("por", INTERLEAVING)
def test_names_of_threads_do_not_depend_on_the_interleaving(
    por: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NOTE(canonical-names)."""
    assert run(FAMILY, por).statistics["complete_executions"] == 1

    def in_order_of_creation(self: Threads, creator: int, n: int) -> int:
        self._names.append(f"{creator}.{n}")
        return len(self._names) - 1

    monkeypatch.setattr(Threads, "child", in_order_of_creation)
    assert run(FAMILY, por).statistics["complete_executions"] != 1


@pytest.mark.parametrize("por", INTERLEAVING)
def test_names_of_heap_objects_do_not_depend_on_the_interleaving(
    por: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NOTE(canonical-names)."""
    allocating = program(
        main("w", "v"),
        *(
            code(name, 'p := alloc 1 {4: 0 i32} zeroed ""', f"*&{name}p := p", THREAD_ENDS, p="ptr")
            for name in ("w", "v")
        ),
        wp="{4: 0 ptr} = 0ptr",
        vp="{4: 0 ptr} = 0ptr",
    )
    assert run(allocating, por).statistics["complete_executions"] == 1
    named = Context.heap

    def in_order_of_allocation(self: Context, *key: Any) -> ObjectInfo:
        self._heap.clear()
        return named(self, *key)

    monkeypatch.setattr(Context, "heap", in_order_of_allocation)
    assert run(allocating, por).statistics["complete_executions"] != 1


DETERMINED = ("litmus/ignoring_shared_loop.c", "litmus/locks_compete.c", "library/sem_two.c")

_REPORT = """
import json, sys
from pathlib import Path
from abpress.config import Config
from abpress.verify.run import verify
for file in sys.argv[1:]:
    for property in "unreach-call", "no-deadlock":
        result = verify(Config.of(Path(file), property=property, engine="explicit")).result
        trace = result.trace and result.trace.to_json()
        told = [str(result.verdict), result.reason, dict(result.statistics), trace]
        print(json.dumps(told, default=str))
"""


def test_nothing_depends_on_the_seed_of_hashes() -> None:
    """NOTE(determinism): the same numbers and traces in processes that order sets differently."""
    files = [str(PROGRAMS / name) for name in DETERMINED]
    told = set()
    for seed in range(examples(2, whole=4)):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", _REPORT, *files]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert len([json.loads(line) for line in done.stdout.splitlines()]) == 2 * len(files)
        told.add(done.stdout)
    assert len(told) == 1


ADDS = ("r := *&x", "r := r + 1", "*&x := r")


@pytest.mark.parametrize("por", STATIC)
@pytest.mark.parametrize("start", [2147483646, 2147483645])
def test_an_overflow_is_assumed_away_exactly_where_it_can_happen(por: str, start: int) -> None:
    adding = code("w", *ADDS, THREAD_ENDS, r="i32")
    result = run(program(main("w", "w"), adding, x=f"{{4: 0 i32}} = {start}"), por)
    assert result.verdict is Verdict.TRUE
    assert bool(result.assumptions) == (start == 2147483646)
