"""The native core is built when it is first asked for; what goes wrong is told once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from abpress.core.build import SOURCES, NotBuilt, cache, find_compiler, library
from abpress.core.code import OPERATIONS
from abpress.core.library import load

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which nothing is."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ABPRESS_CACHE", str(folder))
    return folder


@needs_compiler
def test_it_is_built_once(own_cache: Path) -> None:
    built = library()
    made = built.stat().st_mtime_ns
    assert library() == built
    assert built.stat().st_mtime_ns == made
    assert [built] == list(own_cache.iterdir())
    assert load(built).core_operations().decode().count(":") == len(OPERATIONS)


def test_no_compiler_is_no_news(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(own_cache))
    with pytest.raises(NotBuilt, match="no C compiler") as caught:
        library()
    assert not caught.value.is_news


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
