"""The native core with a line that breaks a rule."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from abpress.core import library, wakeup
from abpress.core.build import OPTIONS, SOURCES, find_compiler

_LOAD = library.load


def _compile(options: Sequence[str], target: Path) -> Path:
    compiler = find_compiler()
    assert compiler is not None
    flags = [option for option in OPTIONS if option != "-shared"]
    subprocess.run([compiler, *flags, "-O0", *options, "-o", str(target)], check=True)
    return target


def _objects(folder: Path) -> dict[str, Path]:
    """All files, each compiled once for all processes of a run of the tests, one of whose folders
    this is."""
    run = next((its for its in folder.parents if its.name.startswith("pytest-")), folder)
    made, sources = run / "objects", sorted(SOURCES.glob("*.c"))
    if not made.is_dir():
        own = Path(tempfile.mkdtemp(dir=run))
        for source in sources:
            _compile(("-c", str(source)), own / f"{source.stem}.o")
        with suppress(OSError):  # another process was first
            own.rename(made)
    return {source.name: made / f"{source.stem}.o" for source in sources}


def broken(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    line: str,
    instead: str,
    *more: tuple[str, str, str],
) -> None:
    """Lets a core be used in which something else stands for a line of a file, or of several."""
    objects = _objects(folder)
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
