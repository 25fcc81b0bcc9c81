"""Installation: the lock fits pyproject.toml, and a wheel has all files of the packages."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

BASE = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
DEV = [*BASE, *PROJECT["project"]["optional-dependencies"]["dev"]]


def entries(lock: str) -> list[str]:
    """The entries of a lock, each with its continuation lines."""
    joined = lock.replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and line[0] != "#"]


def pinned(lock: str) -> dict[str, list[str]]:
    """Canonical name of each package of a lock -> its versions (several, where markers differ)."""
    versions: dict[str, list[str]] = {}
    for entry in entries(lock):
        requirement = Requirement(entry.split("--hash")[0])
        (pin,) = requirement.specifier
        assert pin.operator == "==", entry
        versions.setdefault(canonicalize_name(requirement.name), []).append(pin.version)
    return versions


def outdated(wanted: Iterable[str], locked: Mapping[str, list[str]]) -> list[str]:
    """The requirements that no version of the lock fulfils."""
    requirements = [Requirement(text) for text in wanted]
    return [
        str(requirement)
        for requirement in requirements
        if not (versions := locked.get(canonicalize_name(requirement.name)))
        or not all(version in requirement.specifier for version in versions)
    ]


@pytest.mark.parametrize(("name", "wanted"), [("base", BASE), ("dev", DEV)])
def test_the_lock_is_up_to_date(name: str, wanted: list[str]) -> None:
    lock = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert outdated(wanted, pinned(lock)) == [], "run scripts/lock"


def test_every_package_of_the_lock_has_a_hash_and_no_place_that_it_comes_from() -> None:
    for file in sorted((ROOT / "requirements").glob("*.txt")):
        lock = file.read_text(encoding="utf-8")
        for entry in entries(lock):
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
        assert "//" not in lock
        assert "index-url" not in lock
        assert "find-links" not in lock


def test_the_locks_agree() -> None:
    base, dev = (
        pinned((ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8"))
        for name in ("base", "dev")
    )
    assert {name: dev.get(name) for name in base} == base


def test_an_outdated_lock_is_seen() -> None:
    locked = pinned(
        "# by hand\nLark==1.3.1 \\\n    --hash=sha256:00\nrich==13.0 ; python_version < '4'\n"
    )
    assert outdated(["lark>=1.2"], locked) == []
    assert outdated(["lark>=1.2", "rich>=13.7", "networkx"], locked) == ["rich>=13.7", "networkx"]


def test_a_wheel_has_every_file_of_the_packages(tmp_path: Path) -> None:
    """Builds one, without a network, from a copy of what it is built from."""
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("abpress", "frontend"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    expected = {
        path.relative_to(top).as_posix()
        for top in (source, source / "frontend")
        for folder in top.glob("abpress*")
        for path in folder.rglob("*")
        if path.is_file()
    }
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    run = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)],
        cwd=source,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    packed = {name for name in names if ".dist-info/" not in name}
    assert packed == expected
    assert {Path(name).suffix for name in packed} >= {".py", ".c", ".h", ".lark", ".html"}
    assert [name for name in names if name.endswith("/LICENSE")] != []


def test_the_license_is_shipped() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert PROJECT["project"]["license-files"] == ["LICENSE"]
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
