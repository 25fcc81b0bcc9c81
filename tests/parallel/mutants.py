"""The native core with a line that breaks a rule."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest

from abpress.core import library, wakeup
from abpress.core.build import SOURCES, build, find_compiler


def broken(
    folder: Path, monkeypatch: pytest.MonkeyPatch, file: str, line: str, instead: str
) -> None:
    """Lets a core be used in which something else stands for a line of a file."""
    sources = folder / "native"
    shutil.copytree(SOURCES, sources)
    text = (sources / file).read_text(encoding="utf-8")
    assert text.count(line) == 1
    (sources / file).write_text(text.replace(line, instead), encoding="utf-8")
    compiler = find_compiler()
    assert compiler is not None
    build(folder / "core.so", compiler, ("-O0",), sources)
    mutant: ctypes.CDLL = library.load(folder / "core.so")
    for module in (library, wakeup):
        monkeypatch.setattr(module, "load", lambda path=None: mutant)
