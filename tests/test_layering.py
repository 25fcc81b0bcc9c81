"""Imports only go down, never in a circle, and some libraries stay behind one door.

The layers are those of docs/layers.md, which a test compares with these. A package imports from
lower layers only; from its own layer what `SIDEWAYS` lists. Every import statement counts, wherever
it stands in a module, and so does every string that is the name of a module: tables load by them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "abpress": "abpress",
    "frontend/abpress_frontend": "abpress_frontend",
    "experiments": "experiments",
    "scripts": "scripts",
}
"""Folder -> the package that it is when it is imported."""

LAYERS = {
    "abpress.version": 0,
    "abpress.errors": 1,
    "abpress.result": 1,
    "abpress.config": 1,
    "abpress.later": 1,
    "abpress.interpreter": 1,
    "abpress.page": 2,
    "abpress.yaml_text": 1,
    "abpress.ir": 2,
    "abpress.logic": 3,
    "abpress.analysis": 3,
    "abpress.smt": 4,
    "abpress.semantics": 4,
    "abpress.symbolic": 5,
    "abpress.relations": 5,
    "abpress.properties": 5,
    "abpress.modular": 5,
    "abpress.itp": 6,
    "abpress.proof": 6,
    "abpress.art": 7,
    "abpress.reductions": 8,
    "abpress.search": 9,
    "abpress.witness": 9,
    "abpress.core": 10,
    "abpress.parallel": 10,
    "abpress.engines": 11,
    "abpress_frontend": 11,
    "abpress.replay": 11,
    "abpress.bench": 12,
    "abpress.clients": 12,
    "abpress.verify": 12,
    "abpress.api": 13,
    "abpress.cli": 14,
    "abpress": 14,  # the names of the API
    "abpress.pytest_plugin": 14,
    "abpress.__main__": 15,
    "experiments": 15,
    "scripts": 15,
}

SIDEWAYS = {
    "abpress.result": ("abpress.errors",),
    "abpress.config": ("abpress.errors",),
    "abpress.yaml_text": ("abpress.errors",),
    "abpress.witness": ("abpress.search",),
    "abpress.clients": ("abpress.verify",),
}
"""Package -> packages of its own layer that it may import."""

ONLY = {
    "abpress_frontend": ("abpress.config", "abpress.errors", "abpress.interpreter", "abpress.ir")
}
"""Package -> all that it may import, where that is less than the lower layers."""

DOORS = {
    "pycparser": ("abpress_frontend",),
    "pcpp": ("abpress_frontend",),
    "z3": ("abpress.smt", "abpress.itp"),
}
"""Library -> the packages that may import it."""


@dataclass(frozen=True, slots=True)
class Import:
    """An import statement, with the module that it names (a package stands for its __init__)."""

    importer: str
    imported: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: {self.importer} imports {self.imported}"


def modules(root: Path) -> dict[str, Path]:
    """Dotted name -> file, of all Python modules below `root`."""
    found = {}
    for part, package in PARTS.items():
        for file in sorted((root / part).rglob("*.py")):
            names = (package, *file.relative_to(root / part).with_suffix("").parts)
            found[".".join(names[:-1] if names[-1] == "__init__" else names)] = file
    return found


def imports(root: Path, known: Mapping[str, Path]) -> Iterator[Import]:
    """All import statements of the modules."""
    for importer, file in known.items():
        package = importer.split(".")
        if file.name != "__init__.py":
            package.pop()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                module = ".".join([*base, *([node.module] if node.module else [])])
                names = [f"{module}.{alias.name}" for alias in node.names]
                targets = [name if name in known else module for name in names]
            elif isinstance(node, ast.Constant) and "." in str(node.value) and node.value in known:
                targets = [node.value]
            else:
                continue
            place = f"{file.relative_to(root)}:{node.lineno}"
            for target in dict.fromkeys(targets):
                yield Import(importer, target, place)


def package_of(module: str) -> str | None:
    """The entry of LAYERS that a module belongs to; None if it belongs to none."""
    if module in LAYERS:
        return module
    found = [name for name in LAYERS if name != "abpress" and module.startswith(name + ".")]
    return max(found, key=len) if found else None


def complaint(i: Import) -> str | None:
    """Which rule an import breaks; None if none."""
    library = i.imported.split(".")[0]
    importer, imported = package_of(i.importer), package_of(i.imported)
    if library in DOORS and importer not in DOORS[library]:
        return f"only {' and '.join(DOORS[library])} may import {library}"
    if library not in ("abpress", "abpress_frontend"):
        return None
    if importer is None or imported is None:
        return f"{i.importer if importer is None else i.imported} is in no layer"
    if importer == imported or imported in SIDEWAYS.get(importer, ()):
        return None
    if importer in ONLY and imported not in ONLY[importer]:
        return f"{importer} may import {' and '.join(ONLY[importer])} only"
    if LAYERS[imported] >= LAYERS[importer]:
        return f"layer {LAYERS[importer]} may not import layer {LAYERS[imported]}"
    return None


def violations(root: Path) -> list[str]:
    """The broken rules, each with the import that breaks it."""
    known = modules(root)
    every = list(imports(root, known))
    found = [f"{i}: {why}" for i in every if (why := complaint(i)) is not None]
    graph = nx.DiGraph()
    graph.add_edges_from((i.importer, i.imported) for i in every if i.imported in known)
    for component in nx.strongly_connected_components(graph):
        circle = graph.subgraph(component)
        if circle.number_of_edges() and (len(component) > 1 or nx.number_of_selfloops(circle)):
            edges = nx.find_cycle(circle, sorted(component)[0])
            found.append("import cycle: " + " -> ".join([a for a, _ in edges] + [edges[0][0]]))
    return found


def documented(text: str) -> tuple[dict[str, int], set[tuple[str, str]]]:
    """The layers, and the imports within layers, that a page of Markdown names."""

    def name(folder: str) -> str:
        return PARTS.get(folder, folder.replace("/", "."))

    layers = {
        name(folder): int(layer)
        for layer, packages in re.findall(r"^\| (\d+) \| ([^|]*) \|", text, re.M)
        for folder in re.findall(r"`([^`]+)`", packages)
    }
    sideways = re.findall(r"`([^`]+)`\s→\s`([^`]+)`", text)
    return layers, {(name(importer), name(imported)) for importer, imported in sideways}


def test_the_layers_are_those_that_are_documented() -> None:
    layers, sideways = documented((ROOT / "docs" / "layers.md").read_text(encoding="utf-8"))
    assert layers == {p: n for p, n in LAYERS.items() if p not in ("abpress", "abpress.__main__")}
    assert sideways == {(p, other) for p, others in SIDEWAYS.items() for other in others}


def test_documented_layers_are_read() -> None:
    text = "`a/x` → `a/y`\n| layer | what |\n| 2 | `a/x`, `frontend/abpress_frontend` | `a/z` |\n"
    assert documented(text) == ({"a.x": 2, "abpress_frontend": 2}, {("a.x", "a.y")})


def test_the_layers_hold() -> None:
    assert len(modules(ROOT)) > 40
    broken = violations(ROOT)
    assert not broken, "\n" + "\n".join(broken)


FINE = {
    "abpress/__init__.py": "",
    "abpress/errors.py": "import sys",
    "abpress/ir/__init__.py": "",
    "abpress/ir/a.py": "from abpress.errors import E\nfrom abpress.ir import b",
    "abpress/ir/b.py": "from . import c",
    "abpress/ir/c.py": "from abpress import errors",
    "abpress/smt/z.py": "import z3",
    "abpress/search/__init__.py": "",
    "abpress/witness/w.py": "import abpress.search",
    "frontend/abpress_frontend/parse.py": "from pycparser import c_ast\nfrom abpress.ir.a import X",
    "abpress/verify/run.py": "import abpress_frontend.parse\nimport abpress.witness.w",
    "scripts/run.py": "import abpress.verify.run",
}


def violations_of(tree: Mapping[str, str], root: Path) -> list[str]:
    for name, text in tree.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return violations(root)


def test_a_fine_tree_breaks_no_rule(tmp_path: Path) -> None:
    assert violations_of(FINE, tmp_path) == []


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            "abpress/ir/bad.py",
            "x = 1\nimport abpress.verify.run",
            "abpress/ir/bad.py:2: abpress.ir.bad imports abpress.verify.run: "
            "layer 2 may not import layer 12",
        ),
        (
            "abpress/ir/bad.py",
            "def f():\n    from ..smt.z import x",
            "abpress/ir/bad.py:2: abpress.ir.bad imports abpress.smt.z: "
            "layer 2 may not import layer 4",
        ),
        (
            "abpress/search/bad.py",
            "import abpress.witness.w",
            "abpress/search/bad.py:1: abpress.search.bad imports abpress.witness.w: "
            "layer 9 may not import layer 9",
        ),
        (
            "frontend/abpress_frontend/bad.py",
            "from abpress.smt import z",
            "frontend/abpress_frontend/bad.py:1: abpress_frontend.bad imports abpress.smt.z: "
            "abpress_frontend may import abpress.config and abpress.errors and "
            "abpress.interpreter and abpress.ir only",
        ),
        (
            "abpress/engines/bad.py",
            "from z3 import Solver",
            "abpress/engines/bad.py:1: abpress.engines.bad imports z3: "
            "only abpress.smt and abpress.itp may import z3",
        ),
        (
            "abpress/ir/bad.py",
            "import pycparser.c_ast",
            "abpress/ir/bad.py:1: abpress.ir.bad imports pycparser.c_ast: "
            "only abpress_frontend may import pycparser",
        ),
        (
            "abpress/new/bad.py",
            "import abpress.errors",
            "abpress/new/bad.py:1: abpress.new.bad imports abpress.errors: "
            "abpress.new.bad is in no layer",
        ),
        (
            "abpress/ir/bad.py",
            'x = "abpress.verify.run"',
            "abpress/ir/bad.py:1: abpress.ir.bad imports abpress.verify.run: "
            "layer 2 may not import layer 12",
        ),
        (
            "abpress/ir/c.py",
            "from abpress.ir.a import x",
            "import cycle: abpress.ir.a -> abpress.ir.b -> abpress.ir.c -> abpress.ir.a",
        ),
        (
            "abpress/ir/c.py",
            "import abpress.ir.c",
            "import cycle: abpress.ir.c -> abpress.ir.c",
        ),
    ],
)
def test_a_violation_is_named(tmp_path: Path, file: str, text: str, expected: str) -> None:
    assert violations_of({**FINE, file: text}, tmp_path) == [expected]
