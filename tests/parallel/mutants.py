"""The native core with a line that breaks a rule."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from abpress.core import library, wakeup
from abpress.core.build import OPTIONS, SOURCES, find_compiler


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def _compile(options: Sequence[str], target: Path) -> Path:
    compiler = find_compiler()
    assert compiler is not None
    flags = [option for option in OPTIONS if option != "-shared"]
    subprocess.run([compiler, *flags, "-O0", *options, "-o", str(target)], check=True)
    return target


@cache
def _objects() -> dict[str, Path]:
    """All files, each compiled once."""
    folder = Path(_folder().name)
    return {
        source.name: _compile(("-c", str(source)), folder / f"{source.stem}.o")
        for source in sorted(SOURCES.glob("*.c"))
    }


def broken(
    folder: Path, monkeypatch: pytest.MonkeyPatch, file: str, line: str, instead: str
) -> None:
    """Lets a core be used in which something else stands for a line of a file."""
    text = (SOURCES / file).read_text(encoding="utf-8")
    assert text.count(line) == 1
    (folder / file).write_text(text.replace(line, instead), encoding="utf-8")
    own = _compile(("-c", f"-I{SOURCES}", str(folder / file)), folder / "broken.o")
    objects = [str(its) for its in (_objects() | {file: own}).values()]
    made = _compile(("-shared", *objects, "-lm"), folder / "core.so")
    mutant: ctypes.CDLL = library.load(made)
    for module in (library, wakeup):
        monkeypatch.setattr(module, "load", lambda path=None: mutant)
