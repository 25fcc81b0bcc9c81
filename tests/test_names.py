"""One name, one meaning: no class name is defined twice inside `abpress/` without a reason."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

REPEATED = {
    "Result": "what users of the package get (abpress.api), and the answer to a property inside"
}
"""Class name -> why it may be defined more than once."""


def definitions(root: Path) -> dict[str, list[str]]:
    """Class name -> the modules below `root` that define it, wherever in a module it stands."""
    found: dict[str, list[str]] = {}
    for file in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(file.relative_to(root).as_posix())
    return found


def repeated(root: Path) -> dict[str, list[str]]:
    """The class names that are defined more than once, with the modules."""
    return {name: files for name, files in definitions(root).items() if len(files) > 1}


def complaints(found: Mapping[str, list[str]], allowed: Mapping[str, str]) -> list[str]:
    """What is repeated without a reason, and reasons that nothing needs."""
    return [
        *(f"{name}: {', '.join(files)}" for name, files in found.items() if name not in allowed),
        *(f"{name} is not repeated" for name in allowed if name not in found),
    ]


def test_a_class_name_has_one_meaning() -> None:
    assert len(definitions(ROOT / "abpress")) > 300
    assert complaints(repeated(ROOT / "abpress"), REPEATED) == []


def test_a_repeated_name_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text("class A:\n    class Inner: ...\nclass B: ...\n")
    (tmp_path / "y.py").write_text("def f():\n    class Inner: ...\nclass B: ...\n")
    found = repeated(tmp_path)
    assert found == {"Inner": ["a/x.py", "y.py"], "B": ["a/x.py", "y.py"]}
    assert complaints(found, {"B": "why not", "C": "gone"}) == [
        "Inner: a/x.py, y.py",
        "C is not repeated",
    ]
