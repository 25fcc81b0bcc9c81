"""The native core is built when it is first asked for; what goes wrong is told once."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from abpress.core import build
from abpress.core.build import (
    SOURCES,
    NotBuilt,
    cache,
    find_compiler,
    is_built,
    library,
    made_before,
    name_beside,
)
from abpress.core.code import OPERATIONS
from abpress.core.library import load

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which nothing is."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ABPRESS_CACHE", str(folder))
    return folder


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that takes a third of the time."""
    script = tmp_path / "quick"
    script.write_text(f'#!/bin/sh\nexec {find_compiler()} "$@" -O0\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))


@pytest.fixture(scope="module")
def made() -> Path:
    """The library of the user's cache."""
    return library()


@pytest.fixture
def copies(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that has made the library before."""
    script = tmp_path / "copies"
    script.write_text(f'#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp {made} "$2"\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))


@needs_compiler
@pytest.mark.usefixtures("quick")
def test_it_is_built_once(own_cache: Path) -> None:
    assert not is_built()
    built = library()
    assert is_built()
    made = built.stat().st_mtime_ns
    assert library() == built
    assert built.stat().st_mtime_ns == made
    assert [built] == list(own_cache.iterdir())
    assert load(built).core_operations().decode().count(":") == len(OPERATIONS)


def test_what_came_with_the_sources_is_taken(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel for a platform has the library; not if it is of other sources, or CC is set."""
    monkeypatch.setattr(build, "SOURCES", tmp_path)
    monkeypatch.delenv("CC", raising=False)
    source = tmp_path / "core.h"
    source.write_text("int x;")
    made = tmp_path / name_beside(tmp_path)
    made.touch()
    assert library() == made_before() == made
    assert is_built()
    assert not own_cache.exists()
    monkeypatch.setenv("CC", "cc")
    assert made_before() is None
    monkeypatch.delenv("CC")
    source.write_text("int y;")
    assert made_before() is None


def test_no_compiler_is_no_news(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(own_cache))
    with pytest.raises(NotBuilt, match="no C compiler") as caught:
        library()
    assert not caught.value.is_news


def test_a_checkout_has_a_compiler_where_the_system_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside, system = tmp_path / "beside", tmp_path / "system"
    for script in (beside / build.OF_CHECKOUT, system / "gcc"):
        script.parent.mkdir()
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler() == str(beside / build.OF_CHECKOUT)
    monkeypatch.setenv("CC", "none")
    assert find_compiler() is None
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(system))
    assert find_compiler() == str(system / "gcc")


def test_a_failing_build_is_told_once(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = own_cache.parent / "broken"
    compiler.write_text("#!/bin/sh\necho 'error: out of order' >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    for is_news in (True, False):
        with pytest.raises(NotBuilt, match="out of order") as caught:
            library()
        assert caught.value.is_news is is_news


def test_a_cache_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_compiler() is None:
        pytest.skip("no C compiler")
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("ABPRESS_CACHE", str(file))
    with pytest.raises(NotBuilt, match="the cache cannot be used"):
        library()


@needs_compiler
@pytest.mark.usefixtures("copies")
def test_where_the_home_cannot_be_written_it_is_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, folder = tmp_path / "file", tmp_path / "temporary"
    file.touch()
    folder.mkdir()
    monkeypatch.delenv("ABPRESS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    own = folder / f"abpress-{os.getuid()}"
    own.mkdir(mode=0o777)
    own.chmod(0o777)
    with pytest.raises(NotBuilt, match="the cache cannot be used"):
        library()  # not where others can put something
    own.chmod(0o700)
    assert library().parent == own
    assert is_built()


@needs_compiler
@pytest.mark.usefixtures("copies")
def test_processes_build_side_by_side(own_cache: Path) -> None:
    ask = "from abpress.core.library import load; print(load().core_operations().decode())"
    asked = [
        subprocess.Popen([sys.executable, "-c", ask], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = {its.communicate()[0].count(":") for its in asked}
    assert told == {len(OPERATIONS)}
    assert [file.suffix for file in own_cache.iterdir()] == [".so"]


def test_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ABPRESS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", f"{os.sep}somewhere")
    assert cache() == Path(os.sep, "somewhere", "abpress")


def test_a_library_that_is_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "core.so"
    file.write_text("text")
    with pytest.raises(NotBuilt, match="does not load"):
        load(file)


def test_sources_are_there() -> None:
    names = {source.name for source in SOURCES.iterdir()}
    assert {"core.h", "program.c", "machine.c", "stored.c", "search.c"} <= names
