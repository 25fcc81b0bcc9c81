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

_LOAD = library.load


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
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    line: str,
    instead: str,
    *more: tuple[str, str, str],
) -> None:
    """Lets a core be used in which something else stands for a line of a file, or of several."""
    objects = dict(_objects())
    for name, right, wrong in ((file, line, instead), *more):
        text = (SOURCES / name).read_text(encoding="utf-8")
        assert text.count(right) == 1
        (folder / name).write_text(text.replace(right, wrong), encoding="utf-8")
        own = ("-c", f"-I{SOURCES}", str(folder / name))
        objects[name] = _compile(own, folder / f"{name}.o")
    parts = [str(its) for its in objects.values()]
    made = _compile(("-shared", *parts, "-lm"), folder / f"{len(list(folder.iterdir()))}.so")
    mutant: ctypes.CDLL = _LOAD(made)
    for module in (library, wakeup):
        monkeypatch.setattr(module, "load", lambda path=None: mutant)
