"""Equal threads as symmetric in the native core, NOTE(symmetric-threads): as in Python, which tells
what may not be merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.config import OFF, ON, Config
from abpress.core.build import find_compiler
from abpress.core.library import Algorithm, MalformedCode, NativeCore
from abpress.core.lower import lower
from abpress.engines import stored
from abpress.engines.explicit import explore, search
from abpress.ir.program import Program
from abpress.ir.reader import parse_program
from abpress.result import Verdict
from abpress.search.ledger import POLL_INTERVAL
from abpress.search.limits import Limits
from abpress.search.symmetric import SymmetricStates
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from tests.parallel.mutants import broken
from tests.sampling import examples, sample
from tests.search.test_symmetric import (
    APART,
    ASKED,
    COUNTS,
    COUNTS_WRONG,
    JOINS,
    LEAVES_LOCKED,
    WORKERS,
    answered,
    asked_of,
    drawn,
    drawn_of_ids,
    violated,
    with_two_kinds,
)
from tests.strategies.c_equal import equal_threads

PORS = ("none", "s-por")
CORES = ("python", "native")

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no compiler")


def told(program: Program, por: str, core: str) -> Any:
    """What is told of a search in which equal threads count as such, or why they do not."""
    found = asked_of(program, por, core=core)
    if isinstance(found, str):
        return found
    return found.statistics, violated(found), [its.schedule for its in found.found]


def differs(program: Program) -> bool:
    return any(told(program, por, "native") != told(program, por, "python") for por in PORS)


def program_of(name: str | int) -> Program:
    if isinstance(name, int):
        return drawn_of_ids(name)
    return parse_program(with_two_kinds() if name == "two kinds" else APART[name][0])


@pytest.mark.parametrize("name", [*APART, "two kinds"])
def test_what_tells_threads_apart_is_the_same(name: str) -> None:
    assert not differs(program_of(name))


SEEDS = range(examples(16, 2000))


def test_random_programs_have_the_same_states() -> None:
    assert not [seed for seed in SEEDS if differs((drawn, drawn_of_ids)[seed % 2](seed))]


MUTANTS: dict[str, tuple[str | int, str, str]] = {
    "handles without a class": ("two kinds", "m->words[at] = m->class_of[t];", "m->words[at] = 0;"),
    "nobody is held": (35, "is_held = (m->seen.once & BIT(t)) != 0;", "is_held = 0;"),
    "nobody is named": (5, "if (m->named[k] == t) its", "if (m->named[k] == -t) its"),
    "all names are one": (9, "= m->named[k + 1];", "= 0;"),
    "ids are numbers": (96, "bits[k / 32] |= (word)1 << k % 32;", ";"),
    "ids of others are own": (75, "its->foreign |= t != thread;", ";"),
    "own ids are kept": (5, "its->foreign |= t != thread;", "if (t == thread) continue;"),
    "joins of some are full": (
        "one of them is joined",
        "(all & ~its->threads) != 0) of->full = 0;",
        "(all & ~its->threads) != 0) of->full = its->any;",
    ),
    "joins are full": ("something between joins", "of->full = its->any;", "of->full = 1;"),
    "joins are not looked at": (
        "one of them is joined",
        "    return after.full || apart(",
        "    return 1 || apart(",
    ),
    "choices are not looked at": (
        80,
        "if (after.once & before.present & ~before.once)",
        "if (before.once == 1)",
    ),
    "handles are there twice": (
        "a handle is there twice",
        "if (c->p.joins && m->seen.more & ~m->seen.joined)",
        "if (c->over)",
    ),
    "joins are not put off": (0, "(m->seen.joined & ~m->seen.ended) != 0;", "0;"),
    "ended threads are awaited": (
        "two kinds",
        "(m->seen.joined & ~m->seen.ended)",
        "m->seen.joined",
    ),
    "states are on the stack for ever": (
        0,
        "    table_leave(&m->keys, m->key, f->place, f->moves);",
        "",
    ),
    "one is told of two": ("two kinds", "ways /= (bits128)same;", ";"),
    "threads are not sorted": (
        "two kinds",
        "count > 0 && sorted[2 * (count - 1)] > number;",
        "0;",
    ),
}
"""A line of the core, another one, and which program shows the difference."""


@pytest.mark.parametrize("name", sample([*MUTANTS], 6))
def test_a_core_with_a_fault_differs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown_by, line, instead = MUTANTS[name]
    broken(tmp_path, monkeypatch, "symmetric.c", line, instead)
    assert differs(program_of(shown_by))


# -- programs in C --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("worker", "main", "property"),
    [
        (COUNTS, JOINS + " assert(x == 3);", "unreach-call"),
        (COUNTS_WRONG, JOINS, "no-data-race"),
        (LEAVES_LOCKED, JOINS + " pthread_mutex_lock(&m);", "no-deadlock"),
    ],
)
def test_programs_in_c(worker: str, main: str, property: str) -> None:
    by_python, by_core = (answered(worker, main, property, core=core) for core in CORES)
    assert by_core.verdict is by_python.verdict
    assert by_core.statistics["core"] == "native"
    assert by_core.statistics["symmetry"] == "on"
    for name in ("states", "transitions", "symmetric_states"):
        assert by_core.statistics[name] == by_python.statistics[name]


ASKED_OF_C = (*ASKED, "valid-deref", "no-overflow", "no-misuse")


def verdicts_in_c(text: str, **options: str) -> tuple[dict[str, Verdict], str]:
    """The verdicts for a program in C, and whether equal threads counted as such."""
    file, more = Path("equal.c"), {"engine": "explicit", "core": "native", "keep_going": True}
    config = Config.of(file, properties=ASKED_OF_C, text=text, **more, **options)
    found = explore(load(config).program, config, Limits())
    assert found.exhausted
    symmetry = str(found.result.statistics.get("symmetry"))
    return {name: its.verdict for name, its in found.results.items()}, symmetry


def test_random_programs_in_c() -> None:
    merged = 0
    for seed in range(examples(12, 2000)):
        text = equal_threads(seed)
        plain, _ = verdicts_in_c(text, por="none", symmetry=OFF)
        found, symmetry = verdicts_in_c(text, por=PORS[seed % 2], symmetry=ON)
        assert found == plain, seed
        merged += symmetry == "on"
    assert merged > 2


def symmetry_of(worker: str, given: str = "0", property: str = "unreach-call", **more: str) -> str:
    """What the engine tells of equal threads, unless that is asked for."""
    text = (WORKERS % (worker, JOINS)).replace("work, 0)", f"work, {given})")
    config = Config.of(Path("work.c"), engine="explicit", por="s-por", text=text, property=property)
    found = search(load(config).program, config.but(**more), Limits())
    assert found.verdict is Verdict.TRUE
    return str(found.statistics.get("symmetry", "not told"))


def test_threads_that_begin_alike_are_equal_by_default() -> None:
    assert symmetry_of(COUNTS) == "on"
    assert symmetry_of(COUNTS, "(void *)7") == "on"
    assert symmetry_of(COUNTS, "(void *)(long)i") == "on"  # nobody looks at it
    looks = COUNTS.replace("x++;", "x += p != 0; assert(x < 9);")
    assert symmetry_of(looks) == "on"
    assert symmetry_of(looks, "(void *)(long)i") == "not told"
    assert symmetry_of(looks, "(void *)(long)i", symmetry=ON) == "on"
    assert symmetry_of(COUNTS, property="no-partial-deadlock") == "not told"
    assert symmetry_of(COUNTS, symmetry=OFF) == "not told"


def test_python_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "HAND_OVER", POLL_INTERVAL)
    monkeypatch.setattr(stored, "BUILD", POLL_INTERVAL)
    found = answered(COUNTS.replace("return 0;", "x++; x++; x++; return 0;"), JOINS, core="auto")
    assert (found.statistics["core"], found.statistics["symmetry"]) == ("native", "on")


@pytest.mark.parametrize("algorithm", [Algorithm.HEAP_REACH, Algorithm.DL_S_POR, Algorithm.SOURCE])
def test_other_searches_are_refused(algorithm: Algorithm) -> None:
    system = Interpreter(parse_program(with_two_kinds()))
    words = lower(system, foresees=True, symmetric=SymmetricStates(system)).words
    with pytest.raises(MalformedCode, match="equal"):
        NativeCore(words, algorithm, lambda event, one, other: 0)
