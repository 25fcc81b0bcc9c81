"""The native core under the sanitizers of the compiler, on programs and on what is none, and in
several threads at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from abpress.core.build import NotBuilt, build, find_compiler
from tests.core.test_search import FEATURES, FILES, ROOT
from tests.sampling import examples

COMPILER = find_compiler()
OPTIONS = ("-fno-sanitize-recover=all", "-g", "-O0", "-DCHECKED")
RACE = 66
"""The status of a process in which a race was seen."""


def runtime(name: str) -> str | None:
    """The library of a sanitizer, which has to be loaded first."""
    if COMPILER is None:
        return None
    asked = [COMPILER, f"-print-file-name=lib{name}.so"]
    its = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return its if Path(its).is_absolute() and Path(its).exists() else None


def built(library: Path, sanitizers: str) -> Path:
    """The core with sanitizers; without such a compiler the test is skipped."""
    assert COMPILER is not None
    try:
        build(library, COMPILER, (f"-fsanitize={sanitizers}", *OPTIONS))
    except NotBuilt as why:
        pytest.skip(str(why))
    return library


def ran(
    runtime: str | None, module: str, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """A module that has run in a process of its own, with the library of a sanitizer."""
    paths = os.pathsep.join((str(ROOT), str(ROOT / "frontend")))
    return subprocess.run(
        [sys.executable, "-m", f"tests.core.{module}", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "LD_PRELOAD": runtime or "", "PYTHONPATH": paths, **more},
    )


@pytest.mark.skipif(runtime("asan") is None, reason="no compiler with sanitizers")
def test_sanitizers_see_nothing(tmp_path: Path) -> None:
    library, features = built(tmp_path / "core.so", "address,undefined"), tmp_path / "features.c"
    count = examples(30, whole=150)
    features.write_text(FEATURES.replace("BUG", "0"))
    files = [str(features), *(str(ROOT / name) for name in FILES[:2])]
    its = ran(
        *(runtime("asan"), "sanitized", str(library), str(count), *files),
        ASAN_OPTIONS="detect_leaks=0",  # the interpreter's own
    )
    assert its.returncode == 0, its.stderr[-3_000:]
    assert 0 < int(its.stdout.split()[0]) < 5 * count, its.stdout  # some mutants are programs


@pytest.mark.skipif(runtime("tsan") is None, reason="no compiler with sanitizers")
def test_searches_in_threads_do_not_race(tmp_path: Path) -> None:
    library = built(tmp_path / "core.so", "thread")
    file = str(ROOT / "benchmarks" / "executions" / "lastzero.c")

    def searched(mode: str) -> subprocess.CompletedProcess[str]:
        options = f"exitcode={RACE} atexit_sleep_ms=0"
        return ran(runtime("tsan"), "threaded", str(library), file, mode, TSAN_OPTIONS=options)

    alone = searched("own")
    if "unexpected memory mapping" in alone.stderr:
        pytest.skip("the sanitizer does not run on this kernel")
    assert alone.returncode == 0, alone.stderr[-3_000:]
    counts = alone.stdout.split()
    assert counts[: len(counts) // 2] == counts[len(counts) // 2 :]
    assert searched("shared").returncode == RACE  # what is wrong is seen
