"""`--core` of engine `stateless`: who explores executions, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core.executions import ALGORITHMS
from abpress.engines import stateless
from abpress.result import Result, Verdict
from abpress.search.limits import INTERRUPTED, Interrupt, Limits
from abpress.verify.load import load
from tests.engines.test_core_option import PROGRAM, needs_compiler, told

LARGE = "#include <stdlib.h>\nint main(void) { char *p = malloc(70000); *p = 1; return 0; }"
LOOP = """#include <pthread.h>
int x;
void *count(void *given) { while (x != 3) x++; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0); pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    return 0;
}
"""


def searched(
    folder: Path, text: str = PROGRAM, limits: Limits | None = None, **options: object
) -> Result:
    """What engine `stateless` answers."""
    file = folder / "program.c"
    file.write_text(text)
    given = {"defines": ("MOST=4",), "por": "source", "core": "native", **options}
    config = Config.of(file, engine="stateless", **given)
    program = load(config, every_access=True).program
    return stateless.search(program, config, limits or Limits(time=60.0))


@needs_compiler
@pytest.mark.parametrize(("most", "verdict"), [(4, Verdict.TRUE), (3, Verdict.FALSE)])
@pytest.mark.parametrize("por", ["sleep", "persistent", "source", "optimal", "observers"])
def test_both_answer_the_same(por: str, most: int, verdict: Verdict, tmp_path: Path) -> None:
    given = {"por": por, "defines": (f"MOST={most}",), "keep_going": True}
    native = searched(tmp_path, **given)
    python = searched(tmp_path, core="python", **given)
    assert told(native) == told(python)
    assert native.verdict is verdict
    assert (native.statistics["core"], python.statistics["core"]) == ("native", "python")


@needs_compiler
@pytest.mark.parametrize("most", [6, 5])
def test_the_core_takes_over_what_is_long(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"defines": (f"MOST={most}", "N=3"), "keep_going": True, "workers": 2, "alone": 60.0}
    alone = searched(tmp_path, core="python", **given)
    monkeypatch.setattr(stateless, "HAND_OVER", 1 << 30)
    assert searched(tmp_path, core="auto", **given).statistics["core"] == "python"
    monkeypatch.setattr(stateless, "HAND_OVER", 256)
    taken_over = searched(tmp_path, core="auto", **given)
    assert taken_over.statistics["core"] == "native"
    assert told(taken_over) == told(alone)


@needs_compiler
def test_a_search_goes_on_where_the_core_refuses(tmp_path: Path) -> None:
    found = searched(tmp_path, LARGE)
    assert found.verdict is Verdict.TRUE
    assert str(found.statistics["core"]).startswith("python (an object of no cells, or of many")
    assert told(found) == told(searched(tmp_path, LARGE, core="python"))


@needs_compiler
def test_loops_are_unrolled(tmp_path: Path) -> None:
    native = searched(tmp_path, LOOP, unroll=2)
    assert (native.verdict, native.statistics["core"]) == (Verdict.UNKNOWN, "native")
    assert native.reason == "loops are unrolled 2 times"
    assert native.statistics["cut_executions"]
    assert told(native) == told(searched(tmp_path, LOOP, core="python", unroll=2))


def test_what_the_core_cannot_do_python_does(tmp_path: Path) -> None:
    order = "main.2,main.1"
    assert searched(tmp_path, order=order).statistics["core"] == f"python (order {order})"


def test_an_algorithm_that_python_alone_has_says_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(ALGORITHMS, "sleep")
    assert "core" not in searched(tmp_path, por="sleep").statistics


@needs_compiler
def test_limits_end_it(tmp_path: Path) -> None:
    given = {"defines": ("MOST=10", "N=5"), "por": "none"}
    found = searched(tmp_path, limits=Limits(time=0.5), **given)
    assert "time limit" in found.reason
    assert found.statistics["core"] == "native"
    found = searched(tmp_path, limits=Limits(interrupt=Interrupt(requested=True)), **given)
    assert found.reason == INTERRUPTED.text
