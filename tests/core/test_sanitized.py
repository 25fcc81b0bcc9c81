"""The native core under the sanitizers of the compiler, on programs and on what is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from abpress.core.build import NotBuilt, build, find_compiler
from tests.core.test_search import FEATURES, FILES, ROOT

COMPILER = find_compiler()
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1")


def runtime() -> str | None:
    """The library of the sanitizers, which has to be loaded first."""
    if COMPILER is None:
        return None
    asked = [COMPILER, "-print-file-name=libasan.so"]
    its = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return its if Path(its).is_absolute() and Path(its).exists() else None


@pytest.mark.skipif(runtime() is None, reason="no compiler with sanitizers")
def test_sanitizers_see_nothing(tmp_path: Path) -> None:
    library, features = tmp_path / "core.so", tmp_path / "features.c"
    features.write_text(FEATURES.replace("BUG", "0"))
    assert COMPILER is not None
    try:
        build(library, COMPILER, SANITIZERS)
    except NotBuilt as why:
        pytest.skip(str(why))
    files = [str(features), *(str(ROOT / name) for name in FILES[:2])]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.core.sanitized", str(library), "150", *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={
            **os.environ,
            "LD_PRELOAD": runtime() or "",
            "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter's own
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "frontend"))),
        },
    )
    assert ran.returncode == 0, ran.stderr[-3_000:]
    assert 0 < int(ran.stdout.split()[0]) < 450, ran.stdout  # some mutants are programs
