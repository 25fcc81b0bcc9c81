"""What a program calls its variables, members, labels and functions makes no difference, also where
the names are those of library functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress.errors import AbPressError
from abpress.ir.text import format_program
from abpress_frontend.library import LIBRARY
from abpress_frontend.load import load_program
from abpress_frontend.lower.syntax import subtrees
from abpress_frontend.parse import parse_file
from tests.sampling import examples

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(
    file
    for folder in (ROOT / "tests" / "programs", ROOT / "benchmarks" / "svcomp")
    for file in folder.rglob("*.c")
)
LIBRARY_NAMES = sorted(
    {
        name
        for name, entry in LIBRARY.items()
        if not name.startswith("_") and not getattr(entry, "forced", False)
    }
    | {"index", "read", "write", "remove", "y0", "log", "signal", "pause", "stdin", "main2", "unix"}
)
MEANT = {"main", "packed"}
"""Names of programs that mean something: what is called so is not renamed."""

_TOKEN = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^\s*\#\s*include.*$|//.*$)|\b(?P<word>[a-zA-Z_]\w*)\b""",
    re.M,
)


@cache
def lowered(file: Path) -> str | None:
    """The program of a file as text without positions; None if it is refused."""
    try:
        return text_of(file)
    except AbPressError:
        return None


def text_of(file: Path) -> str:
    """The program without positions, and without literals: assertions show the names in them."""
    program = format_program(load_program(ProgramOptions(file=file)).program)
    program = re.sub(r'"[^"\n]*"', '""', re.sub(r'(?m)^object `?"[^\n]*\n', "", program))
    program = re.sub(r"@[^\n]*", "", program)
    return re.sub(r"#\d+|`", "", program).replace(str(file), "FILE")


@cache
def names(file: Path) -> tuple[str, ...]:
    """The names that a program declares itself."""
    source = parse_file(ProgramOptions(file=file))
    own = (n for n in subtrees(source.ast) if n.coord is not None and n.coord.file == str(file))
    words = {name for name in _declared(own) if not name.startswith("__") and name not in LIBRARY}
    return tuple(sorted(words - MEANT))


def _declared(nodes: Iterator[c_ast.Node]) -> Iterator[str]:
    for node in nodes:
        match node:
            case c_ast.Decl(name=str(name)) | c_ast.Label(name=name):
                yield name
            case c_ast.Typedef(name=name) | c_ast.Enumerator(name=name):
                yield name
            case (
                c_ast.Struct(name=str(name), decls=list())
                | c_ast.Union(name=str(name), decls=list())
            ):
                yield name


def renamed(text: str, old: str, new: str) -> str:
    """The program text with another name, but for what stands in strings and comments."""
    return _TOKEN.sub(lambda m: new if m["word"] == old else m[0], text)


def check(draw: tuple[Path, int, str], folder: Path) -> bool:
    """Compares a program with the same, in which one name is that of a library function; whether
    that can be done."""
    file, which, new = draw
    program = lowered(file)
    text = file.read_text(encoding="utf-8")
    if program is None or not names(file) or "##" in text:
        return False  # what is pasted together cannot be renamed
    old = names(file)[which % len(names(file))]
    known = parse_file(ProgramOptions(file=file)).sources.values()
    if re.search(rf"\b{new}\b", program) or any(re.search(rf"\b{new}\b", s) for s in known):
        return False
    other = folder / file.name
    other.write_text(renamed(text, old, new), encoding="utf-8")
    again = re.sub(rf"\b{new}\b", old, text_of(other))
    assert again == program, f"{file}: {old} renamed to {new}"
    return True


DRAWS = st.tuples(st.sampled_from(FILES), st.integers(0, 100), st.sampled_from(LIBRARY_NAMES))


@settings(max_examples=examples(10, whole=30), derandomize=True, deadline=None, database=None)
@given(draw=DRAWS)
def test_names_make_no_difference(draw: tuple[Path, int, str]) -> None:
    with TemporaryDirectory() as folder:
        assume(check(draw, Path(folder)))
