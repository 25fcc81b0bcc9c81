"""Names in docstrings, comments and pages lead somewhere: `package.module.name` and `Class.member`.

A backticked dotted name is looked up in the sources, without importing them:

- from `abpress`, or from the name of a package within it (`art.tree`), it is a module, or a name of
  one; so it is from `abpress_frontend` and `experiments`;
- with a class in it (`recording.Recorded`, `Tree.pop`), the class exists, and has the member;
- any other one begins with a module, or with a name that the code beside it uses
  (`config.search.por`).
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (ROOT / "abpress", ROOT / "frontend" / "abpress_frontend", ROOT / "experiments")
PAGES = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = [
    file
    for root in (*SOURCES, ROOT / "tests")
    for file in sorted(root.rglob("*.py"))
    if file != Path(__file__).resolve()  # which has examples of what is wrong
]

SPAN = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")
CLASS = re.compile(r"[A-Z]+[a-z]\w*")
FILE = re.compile(r".*\.(abp|c|dot|h|html|i|json|md|prp|py|toml|tsv|txt|xml|yml)")


@dataclass
class Index:
    """What there is to refer to: modules by their dotted names, with what they define."""

    modules: dict[str, set[str]] = field(default_factory=dict)
    classes: dict[str, set[str]] = field(default_factory=dict)  # name -> members
    bases: dict[str, set[str]] = field(default_factory=dict)

    def read(self, root: Path) -> Index:
        """Adds the modules of a package."""
        for file in sorted(root.rglob("*.py")):
            parts = file.relative_to(root.parent).with_suffix("").parts
            tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.modules[module] = set(_bound(tree.body))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self.classes.setdefault(node.name, set()).update(_members(node))
                    bases = {
                        n.id for b in node.bases for n in ast.walk(b) if isinstance(n, ast.Name)
                    }
                    self.bases.setdefault(node.name, set()).update(bases)
        return self

    def has_member(self, name: str, member: str) -> bool:
        """Whether the class, or one that it is derived from, has the member."""
        if name not in self.classes:
            return False
        return member in self.classes[name] or any(
            self.has_member(base, member) for base in self.bases[name]
        )

    def finds(self, module: str, rest: list[str]) -> bool:
        """Whether `rest` leads somewhere from a module or package."""
        if not rest:
            return True
        if f"{module}.{rest[0]}" in self.modules:
            return self.finds(f"{module}.{rest[0]}", rest[1:])
        return rest[0] in self.modules[module] and (
            len(rest) == 1 or self.has_member(rest[0], rest[1])
        )

    def named(self, word: str) -> list[str]:
        """The modules and packages whose last word this is."""
        return [module for module in self.modules if module.split(".")[-1] == word]

    def is_package(self, word: str) -> bool:
        """Whether a package is named so."""
        return any(other.startswith(f"{m}.") for m in self.named(word) for other in self.modules)

    def leads_somewhere(self, name: str, beside: set[str]) -> bool:
        """Whether a dotted name does; `beside` are the names of the code in which it stands."""
        first, *rest = name.split(".")
        if CLASS.fullmatch(first):
            return self.has_member(first, rest[0])
        if any(self.finds(module, rest) for module in self.named(first)):
            return True
        if first == "abpress" or CLASS.fullmatch(rest[0]):
            return False
        return first in beside or (first in sys.stdlib_module_names and not self.is_package(first))


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, ast.If | ast.Try):
            yield from _bound(node.body)


def _members(node: ast.ClassDef) -> Iterator[str]:
    """What a class binds, and what its methods assign to `self`."""
    yield from _bound(node.body)
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(ast.Name("self"), attribute, ast.Store()):
                yield attribute


def prose(source: str) -> Iterator[str]:
    """Docstrings (of anything) and comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def identifiers(source: str) -> set[str]:
    """The names that code uses: variables, parameters, attributes."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        for kind, name in ((ast.Name, "id"), (ast.arg, "arg"), (ast.Attribute, "attr")):
            if isinstance(node, kind):
                found.add(getattr(node, name))
    return found


def stale(texts: Iterator[str], beside: set[str], index: Index) -> list[str]:
    """The dotted names in the texts that lead nowhere."""
    names = {name for text in texts for name in SPAN.findall(text) if not FILE.fullmatch(name)}
    return sorted(name for name in names if not index.leads_somewhere(name, beside))


@pytest.fixture(scope="module")
def index() -> Index:
    found = Index()
    for root in SOURCES:
        found.read(root)
    return found


def test_names_in_docstrings_and_comments_lead_somewhere(index: Index) -> None:
    assert len(MODULES) > 250
    wrong = {}
    for file in MODULES:
        source = file.read_text(encoding="utf-8")
        if not SPAN.search(source):
            continue
        names = stale(prose(source), identifiers(source), index)
        if names:
            wrong[str(file.relative_to(ROOT))] = names
    assert wrong == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_on_pages_lead_somewhere(page: Path, index: Index) -> None:
    texts = iter([page.read_text(encoding="utf-8")])
    assert stale(texts, {"statistics"}, index) == []


def test_stale_names_are_seen(tmp_path: Path) -> None:
    (tmp_path / "abpress" / "art").mkdir(parents=True)
    for folder in ("abpress", "abpress/art"):
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "abpress" / "art" / "tree.py").write_text(
        "LIMIT = 3\nclass Base:\n    def pop(self): self.queue = []\nclass Tree(Base): ...\n"
    )
    index = Index().read(tmp_path / "abpress")
    good = "`abpress.art`, `abpress.art.tree.LIMIT`, `art.tree.Tree.pop`, `Tree.queue` `tree.Tree`"
    bad = "`abpress.arts`, `art.trees`, `art.tree.LIMITS`, `Tree.push`, `trees.Tree`, `por.table`"
    source = (
        f'"""{good}, `config.search`: {bad}."""\ndef f(config): ...  # `tree.LIMIT` `art.node`\n'
    )
    assert stale(prose(source), identifiers(source), index) == [
        "Tree.push",
        "abpress.arts",
        "art.node",
        "art.tree.LIMITS",
        "art.trees",
        "por.table",
        "trees.Tree",
    ]
