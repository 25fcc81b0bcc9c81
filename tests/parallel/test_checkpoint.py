"""The file in which a search is kept: what is damaged or of another search, and full disks."""

from __future__ import annotations

import os
import random
import resource
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from abpress.errors import InputError
from abpress.parallel import checkpoint
from abpress.parallel.checkpoint import CheckpointFile, Search, decoded, encoded, read
from abpress.parallel.parts import Frontier
from abpress.properties import PROPERTIES
from tests.parallel.resuming import SEARCH
from tests.parallel.schedule import explored
from tests.reductions import trace_count_programs
from tests.reductions.test_trace_counts import program


@pytest.fixture(scope="module")
def frontier(tmp_path_factory: pytest.TempPathFactory) -> Frontier:
    """One of three workers in the middle of a search."""
    its = program(trace_count_programs.lastzero, (3,), tmp_path_factory.mktemp("program"))
    for seed in range(20):
        run = explored(its, "optimal", 3, seed, PROPERTIES["no-deadlock"], halt=0.01)
        if run.frontier is not None and run.frontier.executions > 3:
            return run.frontier
    raise AssertionError("no search was halted in the middle")


def test_what_is_read_is_what_was_written(frontier: Frontier, tmp_path: Path) -> None:
    writer = CheckpointFile(tmp_path / "kept", 60, SEARCH)
    writer.check()
    assert not list(tmp_path.iterdir())
    writer.write(frontier)
    assert read(writer.path, SEARCH) == frontier
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]
    assert (writer.written, writer.failed) == (1, "")
    assert writer.executions == frontier.executions


def test_damage_is_told(frontier: Frontier) -> None:
    whole = encoded(frontier, SEARCH)
    chance = random.Random(0)
    for _ in range(100):
        k = chance.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[k] ^= 1 << chance.randrange(8)
        for damaged in (bytes(flipped), whole[:k]):
            with pytest.raises(InputError, match=r"damaged|no checkpoint|another version"):
                decoded(damaged, SEARCH)
    for nothing in (b"", b"int main() {}", zlib.compress(whole)):
        with pytest.raises(InputError, match="no checkpoint"):
            decoded(nothing, SEARCH)


@pytest.mark.parametrize(
    "content", [b"{}", b"[1]", b"null", b'{"version":1}', b"[" * 100_000, b"\xff"]
)
def test_content_that_nobody_wrote(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    body = zlib.compress(content)
    digest = checkpoint.hashlib.sha256(body).hexdigest().encode()
    with pytest.raises(InputError, match="damaged"):
        decoded(b"\n".join((b"AbPress checkpoint 7", digest, body)), SEARCH)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"program": "another"}, "another program"),
        ({"options": {"--algorithm": "sleep"}}, "a search with --algorithm any, not sleep"),
    ],
)
def test_another_search_is_refused(
    change: dict[str, object], told: str, frontier: Frontier, tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    path.write_bytes(encoded(frontier, SEARCH))
    with pytest.raises(InputError, match=told) as error:
        read(path, replace(SEARCH, **change))  # type: ignore[arg-type]
    assert str(path) in str(error.value)


def test_another_version_is_refused(frontier: Frontier, monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded(frontier, SEARCH)
    monkeypatch.setattr(checkpoint, "__version__", "9.9")
    with pytest.raises(InputError, match=r"written by AbPress .*, this is 9\.9"):
        decoded(data, SEARCH)
    with pytest.raises(InputError, match="another version"):
        decoded(data.replace(b"checkpoint 7", b"checkpoint 8", 1), SEARCH)


def test_a_full_disk_leaves_the_old_one(
    frontier: Frontier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    writer = CheckpointFile(path, 60, SEARCH)
    writer.write(frontier)
    old = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        writer.write(Frontier(frontier.parts[:1]))
    assert writer.failed == "No space left on device"
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]
    writer.write(frontier)
    assert writer.failed == ""


def test_a_disk_that_is_full_in_the_middle(frontier: Frontier, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    writer = CheckpointFile(path, 60, SEARCH)
    writer.write(frontier)
    old = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) // 2, hard))
    try:
        writer.write(frontier)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert writer.failed == "File too large"
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]


def test_what_cannot_be_written_or_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*No such file"):
        CheckpointFile(tmp_path / "nowhere" / "kept", 60, SEARCH).check()
    for no_file in (tmp_path, Path("/dev/full")):
        with pytest.raises(InputError, match="it is no file"):
            CheckpointFile(no_file, 60, SEARCH).check()
    with pytest.raises(InputError, match=r"cannot read .*No such file"):
        read(tmp_path / "kept", SEARCH)
    with pytest.raises(InputError, match="cannot read"):
        read(tmp_path, Search("", {}))
