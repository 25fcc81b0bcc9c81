"""What is installed: the lock knows what pyproject.toml asks for, and the package has all its files."""

from __future__ import annotations

import re
import tomllib
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


@pytest.mark.parametrize("package", ["abpress", "abpress_frontend"])
def test_an_installed_package_has_all_its_files(package: str) -> None:
    """Everything in a package's folder is Python or named in pyproject.toml."""
    tools = PROJECT["tool"]["setuptools"]
    folder = ROOT / tools["package-dir"].get(package, package)
    shipped = {path for pattern in tools["package-data"][package] for path in folder.glob(pattern)}
    files = {path for path in folder.rglob("*") if path.is_file()}
    assert {path for path in files - shipped if path.suffix not in (".py", ".pyc")} == set()
    assert len(shipped) > 5


def test_every_folder_with_python_in_it_is_a_package() -> None:
    """setuptools finds packages by their __init__.py, and leaves out a folder without one."""
    for top in ("abpress", "frontend/abpress_frontend"):
        for file in (ROOT / top).rglob("*.py"):
            assert (file.parent / "__init__.py").exists(), file


def test_the_license_is_shipped() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert PROJECT["project"]["license-files"] == ["LICENSE"]
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
