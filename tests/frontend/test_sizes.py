"""Types of the thread library, and what contains them, are as large as on the machine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress_frontend.load import load_program
from abpress_frontend.lower.foreign import SPACE

HEADERS = """
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>
"""
SIZES = {
    **SPACE,
    "mtx_t": SPACE["pthread_mutex_t"],
    "cnd_t": SPACE["pthread_cond_t"],
    **dict.fromkeys(("pthread_t", "thrd_t"), ((4, 4), (8, 8))),
    **dict.fromkeys(("pthread_once_t", "once_flag", "pthread_key_t", "tss_t"), ((4, 4), (4, 4))),
    "pthread_spinlock_t": ((4, 4), (4, 4)),
}


def asserted(model: int) -> str:
    """A program in which the sizes and places are asserted that a data model has."""
    lines = []
    for n, (name, spaces) in enumerate(SIZES.items()):
        size, alignment = spaces[model]
        behind = -(-(alignment + size) // alignment) * alignment
        lines += [
            f"struct s{n} {{ char before; {name} its; char behind; }};",
            f'_Static_assert(sizeof({name}) == {size}, "{name}");',
            f'_Static_assert(_Alignof({name}) == {alignment}, "{name}");',
            f'_Static_assert(offsetof(struct s{n}, its) == {alignment}, "{name}");',
            f'_Static_assert(offsetof(struct s{n}, behind) == {behind}, "{name}");',
        ]
    return f"{HEADERS}{chr(10).join(lines)}\nint main(void) {{ return 0; }}\n"


@pytest.mark.parametrize(("model", "name"), [(0, "ILP32"), (1, "LP64")])
def test_sizes_are_those_of_the_machine(model: int, name: str, tmp_path: Path) -> None:
    file = tmp_path / "sizes.c"
    file.write_text(asserted(model))
    load_program(ProgramOptions(file, data_model=name))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_a_compiler_finds_the_same(tmp_path: Path) -> None:
    file = tmp_path / "sizes.c"
    file.write_text(asserted(1))
    subprocess.run(["gcc", "-m64", "-fsyntax-only", str(file)], check=True)
