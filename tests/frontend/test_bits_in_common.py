"""Threads that share a bit in the sets of a barrier can do all that they could do with bits of
their own, as far as violations tell. NOTE(bits-in-common)"""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify
from abpress_frontend.lower import unit

HEAD = """
#include <assert.h>
#include <pthread.h>
#define WAIT pthread_barrier_wait(&barrier)
pthread_barrier_t barrier;
int arrived, passed, early, told;
"""


def text(work: str, threads: int, count: int, behind: str = "") -> str:
    created = "".join(f"pthread_create(&t[{n}], 0, work, (void *){n});" for n in range(threads))
    return (
        f"{HEAD} void *work(void *a) {{ long me = (long)a; {work} return 0; }}\n"
        f"int main(void) {{ pthread_t t[{threads}]; pthread_barrier_init(&barrier, 0, {count});"
        f"{created} {behind} return 0; }}\n"
    )


LAST = "__atomic_add_fetch(&arrived, 1, 5) == 2;"
FALSE = {
    "the first one is the serial one": text("if (WAIT) assert(me != 0);", 2, 2),
    "the last one is": text(f"int last = {LAST} if (WAIT && last) assert(me != 1);", 2, 2),
    "the last one is not": text(f"int last = {LAST} if (!WAIT && last) assert(me != 1);", 2, 2),
    "one is late": text("WAIT; int n = __atomic_add_fetch(&passed, 1, 5);"
                        "assert(me != 0 || n < 4);", 4, 2),
    "destroyed while one is within": text("WAIT; assert(!passed);", 2, 3,
                                          "WAIT; pthread_barrier_destroy(&barrier); passed = 1;"),
}  # fmt: skip
ADD = "__atomic_add_fetch(&early, 1, 5);"
TRUE = {
    "nobody goes on alone": text(f"{ADD} WAIT; assert(early == 2);", 2, 2),
    "nor twice": text(f"{ADD} WAIT; assert(early >= 2); {ADD} WAIT; assert(early == 4);", 2, 2),
    "one is serial": text("if (WAIT) assert(__atomic_add_fetch(&told, 1, 5) == 1);", 2, 2),
}


@pytest.fixture
def two_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of barriers with two bits."""
    models = Path(copytree(unit.MODELS, tmp_path / "models"))
    barrier = models / "barrier.c"
    assert "& 255" in barrier.read_text()
    barrier.write_text(barrier.read_text().replace("& 255", "& 1"))
    monkeypatch.setattr(unit, "MODELS", models)


def answer(program: str, folder: Path) -> Verdict:
    file = folder / "program.c"
    file.write_text(program)
    config = Config.of(file, property="unreach-call", engine="explicit", data_model="LP64")
    return verify(config).result.verdict


@pytest.mark.usefixtures("two_bits")
@pytest.mark.parametrize("name", FALSE | TRUE)
def test_sharing_a_bit_hides_no_violation(name: str, tmp_path: Path) -> None:
    wanted = Verdict.FALSE if name in FALSE else Verdict.TRUE
    assert answer((FALSE | TRUE)[name], tmp_path) is wanted


@pytest.mark.parametrize("name", FALSE | TRUE)
def test_nor_do_bits_of_their_own(name: str, tmp_path: Path) -> None:
    wanted = Verdict.FALSE if name in FALSE else Verdict.TRUE
    assert answer((FALSE | TRUE)[name], tmp_path) is wanted
