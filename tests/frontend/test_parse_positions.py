"""Every node stands where its first token stands in the file that the user wrote."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from pycparser import c_ast

from abpress.config import ProgramOptions
from abpress_frontend.parse import parse_file
from abpress_frontend.tokens import tokenise
from tests.sampling import examples


def calls(ast: c_ast.FileAST) -> dict[str, tuple[str, int, int]]:
    """Called function to position of the call."""
    found: dict[str, tuple[str, int, int]] = {}

    class Visitor(c_ast.NodeVisitor):
        def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
            where = node.coord
            found[node.name.name] = (Path(where.file).name, where.line, where.column)
            self.generic_visit(node)

    Visitor().visit(ast)
    return found


def positions(
    tmp_path: Path, text: str, name: str = "t.c", line_markers: bool = True
) -> dict[str, tuple[str, int, int]]:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return calls(parse_file(ProgramOptions(path), line_markers).ast)


def test_columns_are_exact_after_and_inside_macro_calls(tmp_path: Path) -> None:
    text = (
        "#define TWICE(e) ((e) + (e))\n"
        "#define CALL g()\n"
        "int f(void), g(void), h(void), k(void);\n"
        "int main(void) {\n"
        "  return TWICE(1) + TWICE(f()) + CALL + h() +\n"
        "    TWICE(\n"
        "      k());\n"
        "}\n"
    )
    found = positions(tmp_path, text)
    lines = text.split("\n")
    assert found["f"] == ("t.c", 5, lines[4].index("f()") + 1)
    assert found["g"] == ("t.c", 5, lines[4].index("CALL") + 1)
    assert found["h"] == ("t.c", 5, lines[4].index("h()") + 1)
    assert found["k"] == ("t.c", 7, 7)


def test_a_nested_expansion_stands_at_the_outermost_name(tmp_path: Path) -> None:
    text = (
        "#define A B(f)\n#define B(x) C x()\n#define C 1 + \n"
        "int f(void);\nint main(void) {   return A; }"
    )
    assert positions(tmp_path, text)["f"] == ("t.c", 5, 27)


def test_pasted_names_stand_at_the_call(tmp_path: Path) -> None:
    text = "#define P(a) pre_##a()\nint pre_x(void);\nint main(void) { P(x); }"
    assert positions(tmp_path, text)["pre_x"] == ("t.c", 3, 18)


def test_line_continuation_comments_tabs_and_crlf(tmp_path: Path) -> None:
    text = (
        "int f(void), g(void), \\\r\n"
        "  h(void);\r\n"
        "int main(void) {\r\n"
        "/* two\r\n lines */ f();\r\n"
        "\tg \\\r\n"
        "  (); h();\r\n"
        "}\r\n"
    )
    found = positions(tmp_path, text)
    assert found == {"f": ("t.c", 5, 11), "g": ("t.c", 6, 2), "h": ("t.c", 7, 7)}


def test_continuation_inside_a_word_a_string_and_a_comment(tmp_path: Path) -> None:
    text = (
        "int ab(void), f(const char *);\n"
        "int main(void) { // comment \\\n goes on\n"
        '  a\\\nb(); f("x\\\ny"); }\n'
    )
    found = positions(tmp_path, text)
    assert found == {"ab": ("t.c", 4, 3), "f": ("t.c", 5, 6)}


def test_byte_order_mark_counts_for_nothing(tmp_path: Path) -> None:
    assert positions(tmp_path, "\ufeffint f(void); int main(void) { f(); }")["f"] == ("t.c", 1, 31)


def test_line_and_file_macros(tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    path.write_text(
        "#define HERE __LINE__\nint main(void) {\n  int a = HERE\n  + __LINE__; "
        "const char *f = __FILE__; }"
    )
    items = parse_file(ProgramOptions(path)).ast.ext[0].body.block_items
    assert items[0].init.left.value == "3"
    assert items[0].init.right.value == "4"
    assert items[1].init.value == f'"{path}"'


PREPROCESSED = """\
# 1 "orig.c"
# 1 "/usr/include/stdio.h" 1 3 4
extern int printf (const char *__restrict __format, ...) __attribute__ ((__nothrow__));
# 7 "orig.c" 2
int f(void), g(void);
int main(void) {
  f();
# 20 "orig.c"
    g(); }
"""


def test_line_markers_give_the_original_position(tmp_path: Path) -> None:
    found = positions(tmp_path, PREPROCESSED, "t.i")
    assert found == {"f": ("orig.c", 9, 3), "g": ("orig.c", 20, 5)}


def test_line_markers_can_be_ignored(tmp_path: Path) -> None:
    found = positions(tmp_path, PREPROCESSED, "t.i", line_markers=False)
    assert found == {"f": ("t.i", 7, 3), "g": ("t.i", 9, 5)}


def test_sources_show_the_lines_that_positions_name(tmp_path: Path) -> None:
    path = tmp_path / "t.i"
    path.write_text(PREPROCESSED)
    source = parse_file(ProgramOptions(path))
    assert source.sources[str(path)] == PREPROCESSED
    assert source.sources["orig.c"].split("\n")[8] == "  f();"
    assert source.sources["orig.c"].split("\n")[19] == "    g(); }"
    assert "/usr/include/stdio.h" not in source.sources


def test_line_directive_in_a_c_file(tmp_path: Path) -> None:
    text = 'int f(void);\n#line 100 "gen.y"\nint main(void) { f(); }\n'
    assert positions(tmp_path, text)["f"] == ("gen.y", 100, 18)


def test_included_files_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "lib.h").write_text("int g(void);\nstatic int f(void) {\n  return g();\n}\n")
    found = positions(tmp_path, '#include "lib.h"\nint main(void) { return f(); }\n')
    assert found == {"g": ("lib.h", 3, 10), "f": ("t.c", 2, 25)}


_WORDS = ["int", "f", "(", "void", ")", ";", "int", "main", "(", "void", ")", "{", "int", "x", "="]
_WORDS += ["f", "(", ")", "+", "1", ";", "x", "+=", "'c'", ";", "return", "x", "<<", "2", ";", "}"]
_BLANK = st.sampled_from([" ", "\n", "\t", "/* c */", "/*\n*/", "// c\n", "\\\n", "\r\n", " \f "])


@settings(max_examples=examples(60, whole=150), deadline=None, derandomize=True)
@given(
    st.lists(
        st.lists(_BLANK, min_size=1, max_size=4), min_size=len(_WORDS) + 1, max_size=len(_WORDS) + 1
    )
)
def test_white_space_moves_tokens_and_nothing_else(blanks: list[list[str]]) -> None:
    """Tokens stand where they were put: an independent count of lines and columns agrees."""
    text = ""
    expected: list[tuple[str, int, int]] = []
    for word, blank in zip(_WORDS, blanks, strict=False):
        text += "".join(blank)
        # A continuation directly before a word would need no blank, but is none itself.
        text += " "
        line = text.count("\n") + 1
        expected.append((word, line, len(text) - (text.rfind("\n") + 1) + 1))
        text += word
    text += "".join(blanks[-1])
    text = text.replace("\r\n", " \n") if "\r\n" in text else text
    found = [(t.text, t.line, t.column) for t in tokenise(text, "t.c")]
    assert found == expected
