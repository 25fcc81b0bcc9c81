"""Random concurrent C programs: their outcomes on the machine are those of the program model."""

from __future__ import annotations

import re
from pathlib import Path

from abpress.config import ProgramOptions
from tests.compiled.machine import Build, TooLarge, Unjudged, compiled, modelled
from tests.strategies.c_programs import CELLS, SEEN, ConcurrentProgram

_CLANG = ("-mllvm", "-tsan-instrument-read-before-write=1")
_PLAIN = "-DOBSERVED"
_VOLATILE = ("-DOBSERVED", "-DSHARED=volatile")
"""Beyond -O0 compilers merge accesses to plain variables; to volatile ones they do not."""

BUILDS = (
    Build("gcc", ("-O0", _PLAIN)),
    Build("gcc", ("-O0", _PLAIN), "ILP32"),
    Build("gcc", ("-O1", *_VOLATILE), "ILP32"),
    Build("gcc", ("-O2", *_VOLATILE)),
    Build("clang", ("-O0", _PLAIN, *_CLANG)),
    Build("clang", ("-O2", *_VOLATILE, *_CLANG)),
)

MOST_STATES = 8_000
MOST_COMPILED = 200_000
"""A compiled program has more states: local variables keep values that are not used again."""

_FINER = re.compile(r"p = s;|s = \*heap;|array\[x & 1\] = |compare_exchange_weak")
"""Where the model may do more than a compiler's code: a struct is copied scalar by scalar, accesses
of one expression come in any order, and clang's weak compare-and-exchange does not fail."""


def check(program: ConcurrentProgram, build: Build, folder: Path) -> str:
    """How the outcomes compare: `equal`, `more` in the model, or why they were not compared.

    Raises AssertionError for an outcome of the machine that the model lacks, and for one of the
    model that the machine lacks though it does the same steps.
    """
    text = program.text(range(len(program.join)))
    file = folder / "random.c"
    file.write_text(text)
    wakeups = program.spurious_wakeups
    defines = tuple(o.removeprefix("-D") for o in build.options if o.startswith("-D"))
    options = ProgramOptions(
        file, data_model=build.data_model, spurious_wakeups=wakeups, defines=defines
    )
    try:
        ours = modelled(options, CELLS + SEEN, MOST_STATES)
        theirs = compiled(folder, text, CELLS + SEEN, build, wakeups, MOST_COMPILED)
    except TooLarge:
        return "too large"
    except Unjudged:
        return "undefined or assumed"
    where = f"{build}, wake-ups {wakeups}\n{text}"
    assert theirs <= ours, f"only on the machine: {sorted(theirs - ours)}, {where}"
    if ours != theirs:
        assert _FINER.search(text), f"only in the model: {sorted(ours - theirs)}, {where}"
        return "more"
    return "equal"
