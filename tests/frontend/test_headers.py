"""The C headers and the models of library functions: they parse, and they fit together."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path

import pytest
from pycparser import c_ast, c_generator

import abpress_frontend
from abpress.config import ProgramOptions
from abpress_frontend.library import MODELLED
from abpress_frontend.parse import parse_file, parse_model
from abpress_frontend.predefined import DATA_MODELS
from tests.sampling import in_turn

INCLUDE = Path(abpress_frontend.__file__).parent / "include"
HEADERS = sorted(str(h.relative_to(INCLUDE)) for h in INCLUDE.rglob("*.h"))
MODELS = sorted((INCLUDE.parent / "models").glob("*.c"))


def signature(function: c_ast.FuncDecl) -> str:
    """The C text of a function's type, without names."""
    bare = copy.deepcopy(function)
    todo: list[c_ast.Node] = [bare]
    while todo:
        node = todo.pop()
        if isinstance(node, c_ast.TypeDecl):
            node.declname = None
        if isinstance(node, c_ast.ParamList):
            node.params = [
                c_ast.Typename(None, p.quals, None, p.type) if isinstance(p, c_ast.Decl) else p
                for p in node.params
            ]
        todo += [child for _, child in node.children()]
    text: str = c_generator.CGenerator().visit(bare)
    return text


def declared(ast: c_ast.FileAST) -> dict[str, str]:
    return {
        node.name: signature(node.type)
        for node in ast.ext
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)
    }


def defined(ast: c_ast.FileAST) -> dict[str, str]:
    return {
        node.decl.name: signature(node.decl.type)
        for node in ast.ext
        if isinstance(node, c_ast.FuncDef) and "static" not in node.decl.storage
    }


@cache
def all_headers(data_model: str, directory: Path) -> c_ast.FileAST:
    file = directory / "all.c"
    file.write_text("".join(f"#include <{header}>\n" for header in HEADERS))
    return parse_model(file, data_model, whole=True)


@cache
def declared_in_headers(data_model: str, directory: Path) -> dict[str, str]:
    return declared(all_headers(data_model, directory))


def name_of(value: Path | str) -> str:
    return value.name if isinstance(value, Path) else value


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("headers")


def test_there_are_headers_and_models() -> None:
    assert HEADERS
    assert MODELS


@pytest.mark.parametrize(("header", "data_model"), in_turn(HEADERS, tuple(DATA_MODELS)))
def test_header_parses_alone(header: str, data_model: str, tmp_path: Path) -> None:
    file = tmp_path / "user.c"
    file.write_text(f"#include <{header}>\n#include <{header}>\nint main(void) {{ return 0; }}\n")
    ast = parse_model(file, data_model, whole=True)
    assert "main" in defined(ast)


@pytest.mark.parametrize("data_model", DATA_MODELS)
def test_headers_declare_a_function_in_one_way(data_model: str, directory: Path) -> None:
    seen: dict[str, str] = {}
    for node in all_headers(data_model, directory).ext:
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            text = signature(node.type)
            assert seen.setdefault(node.name, text) == text, node.coord


@pytest.mark.parametrize(("model", "data_model"), in_turn(MODELS, tuple(DATA_MODELS)), ids=name_of)
def test_model_defines_what_a_header_declares(
    model: Path, data_model: str, directory: Path
) -> None:
    headers = declared_in_headers(data_model, directory)
    functions = defined(parse_model(model, data_model))
    for name, text in functions.items():
        assert headers.get(name) == text, name


def test_the_library_table_names_what_the_models_define() -> None:
    table = {file: set(names.split()) for file, names in MODELLED.items()}
    models = {m.name: set(defined(parse_model(m))) for m in MODELS}
    assert table == {file: names for file, names in models.items() if names}


@pytest.mark.parametrize("data_model", DATA_MODELS)
def test_integer_types_have_their_widths(data_model: str, directory: Path) -> None:
    """The typedefs of stdint.h and stddef.h, followed to their basic types."""
    long = 8 if data_model == "LP64" else 4
    size = {"char": 1, "short": 2, "int": 4, "long": long, "long long": 8}
    names = {
        node.name: " ".join(n for n in node.type.type.names if n not in ("signed", "unsigned"))
        for node in all_headers(data_model, directory).ext
        if isinstance(node, c_ast.Typedef)
        and isinstance(node.type, c_ast.TypeDecl)
        and isinstance(node.type.type, c_ast.IdentifierType)
    }

    def width(name: str) -> int:
        return size[name] if name in size else width(names[name])

    expected = {f"{u}int{bits}_t": bits // 8 for u in ("", "u") for bits in (8, 16, 32, 64)}
    expected |= dict.fromkeys(("size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "time_t"), long)
    expected |= {"intmax_t": 8, "wchar_t": 4, "pid_t": 4, "pthread_t": long}
    assert {name: width(name) for name in expected} == expected


def test_atomic_typedefs_survive_pruning(tmp_path: Path) -> None:
    file = tmp_path / "user.c"
    file.write_text(
        "#include <stdatomic.h>\nstruct queue { atomic_uint_fast64_t top; _Alignas(8) int8_t x; }"
        " q;\nint main(void) { return (int)q.top + q.x; }\n"
    )
    names = [getattr(node, "name", None) for node in parse_file(ProgramOptions(file)).ast.ext]
    assert "atomic_uint_fast64_t" in names
    assert "q" in names
