"""Every kind of bad input: one message with a position, soon, and never a traceback."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import InputError, UnsupportedError
from abpress_frontend.clean import MAX_NESTING
from abpress_frontend.load import load_program
from abpress_frontend.parse import parse_file
from tests.sampling import examples

MAIN = "int main(void) { int x = 0; "


def failure(tmp_path: Path, content: str | bytes, name: str = "t.c") -> InputError:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        parse_file(ProgramOptions(path))
    return caught.value


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        parse_file(ProgramOptions(tmp_path / "none.c"))


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        parse_file(ProgramOptions(tmp_path))


@pytest.mark.parametrize(
    "text", ["some_t x; int main(void) { return x; }", "int main(void) { return SOME_NUMBER; }"]
)
def test_a_header_that_was_left_out_is_named(tmp_path: Path, text: str) -> None:
    """What it declares is missing elsewhere, in words that say nothing of it."""
    path = tmp_path / "t.c"
    path.write_text(f"#include <no/such.h>\n{text}\n")
    with pytest.raises(InputError, match=r"t\.c:2:.*left out: <no/such\.h>"):
        load_program(ProgramOptions(path))
    path.write_text("int main(void) { return SOME_NUMBER; }\n")
    with pytest.raises(InputError, match=r"'SOME_NUMBER' is not declared$"):
        load_program(ProgramOptions(path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    path.write_text("int main(void) {}")
    path.chmod(0)
    with pytest.raises(InputError, match="cannot read"):
        parse_file(ProgramOptions(path))


def test_name_that_is_none() -> None:
    with pytest.raises(InputError):
        parse_file(ProgramOptions(Path("a\0b.c")))


def test_special_file() -> None:
    with pytest.raises(InputError, match="not a regular file"):
        parse_file(ProgramOptions(Path(os.devnull)))


@pytest.mark.parametrize(
    ("content", "message", "position"),
    [
        (b"int x;\nint\0y;", "binary file: it contains a NUL byte", "2:4"),
        (b"", "the file is empty", "1:1"),
        (b" \n\n ", "the file is empty", "1:1"),
        (b"// only\n/* comments */\n", "the file has no C code", "1:1"),
        (b"int f(void) { return 0; }", "no function main is defined", "1:1"),
        (b"int main(void);", "no function main is defined", "1:1"),
        (b"int main(void) { int x = ; }", "syntax error near ';': invalid expression", "1:26"),
        (b"int main(void) {\n return 0 }", "syntax error: unexpected '}', expected ';'", "2:11"),
        (b"int main(void) {\n if x; }", "syntax error: unexpected 'x', expected '('", "2:5"),
        (b"int main(void) { foo bar; }", "syntax error: unexpected 'bar', expected ';'", "1:22"),
        (b"int main(void) { return 0;", "'{' is never closed", "1:16"),
        (b"int main(void) { return (0]; }", "unexpected ']': '(' of line 1 is still open", "1:27"),
        (b"}\nint main(void) { }", "unexpected '}'", "1:1"),
        (b"int main(void) { return 08; }", "invalid octal constant 08", "1:25"),
        (b"int main(void) { return 1x; }", "invalid constant 1x", "1:25"),
        (b"int main(void) { return ''; }", "empty character constant", "1:25"),
        (b'int main(void) {\n char *s = "abc;\n}', "unterminated string literal", "2:12"),
        (b"int main(void) { /* never ends }", "unterminated comment", "1:18"),
        (b"int main(void) { return @; }", "invalid character '@'", "1:25"),
        (b"int caf\xe9;\nint main(void) { }", "byte 0xe9 is not UTF-8", "1:8"),
        (b"int main(void) { # }", "syntax error: unexpected '#'", "1:18"),
        (
            b"int main(void) { struct 5; }",
            "syntax error near '5': invalid struct/union declaration",
            "1:18",
        ),
        (b"int main(void) { asm(x); }", "unexpected x in asm", "1:22"),
        (b"int x __attribute__ y; int main(void) { }", "expected '(' after __attribute__", "1:21"),
    ],
)
def test_message_and_position(tmp_path: Path, content: bytes, message: str, position: str) -> None:
    error = failure(tmp_path, content)
    assert error.message == message
    assert f"{error.position}".endswith(f"t.c:{position}")


def test_bytes_that_are_not_utf8_may_stand_in_comments_and_strings(tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    path.write_bytes(b'// caf\xe9\nint main(void) { const char *s = "\xe9\xff"; }')
    source = parse_file(ProgramOptions(path))
    literal = source.ast.ext[0].body.block_items[0].init.value
    assert literal.encode("utf-8", "surrogateescape") == b'"\xe9\xff"'
    source.sources[str(path)].encode()  # can be printed


def test_letters_of_other_alphabets_are_letters(tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    path.write_text("int größe;\nint main(void) { return größe; }")
    assert parse_file(ProgramOptions(path)).ast.ext[0].name == "größe"


DEEP = examples(10_000, whole=100_000)


@pytest.mark.parametrize(
    ("start", "repeated", "end"),
    [
        (MAIN + "x = ", "(", "1" + ")" * DEEP + ";}"),
        (MAIN, "{", "}" * DEEP + "}"),
        (MAIN + "x", "[", "0" + "]" * DEEP + ";}"),
        (MAIN + "x = ", "!", "x;}"),
        (MAIN + "x = ", "(int)", "x;}"),
        (MAIN + "x = ", "sizeof ", "x;}"),
        (MAIN, "if (x) ", ";}"),
        (MAIN + "if (x);", " else if (x);", "}"),
        (MAIN + "x", "= x", ";}"),
        (MAIN + "x = ", "x ? 1 : ", "x;}"),
        (MAIN + "x = ", "x + ", "x;}"),
        (MAIN + "x = ", "x, ", "x ? x +" + "x + " * DEEP + "1 : 0;}"),
        (MAIN + "switch (x) {", "case 1: ", ";}}"),
        ("int ", "*", "p; int main(void) { p = 0; }"),
        (MAIN + "x = ", "__alignof__(", "x" + ")" * DEEP + ";}"),
        ("", "struct s {", "int main(void) { }"),
    ],
)
def test_deep_nesting(tmp_path: Path, start: str, repeated: str, end: str) -> None:
    error = failure(tmp_path, start + repeated * DEEP + end)
    assert "nested too deeply" in error.message or "never closed" in error.message
    assert error.position is not None
    assert error.position.line == 1


def test_nesting_below_the_limit_is_fine(tmp_path: Path) -> None:
    depth = MAX_NESTING - 2
    path = tmp_path / "t.c"
    path.write_text(MAIN + "x = " + "((int)" * (depth // 2) + "1" + ")" * (depth // 2) + ";}")
    parse_file(ProgramOptions(path))
    path.write_text(MAIN + "{" * depth + "}" * depth + "}")
    parse_file(ProgramOptions(path))
    path.write_text(MAIN + "if (x);" + " else if (x);" * 1000 + "}")
    parse_file(ProgramOptions(path))


@pytest.mark.parametrize(
    "content",
    [
        'const char *s = "' + "a" * 1_000_000 + '";\n' + MAIN + "s; }",
        MAIN + " " * 1_000_000 + "}",
        MAIN + "/" * 1_000_000 + "\n}",
        MAIN + "/*" + "*" * 1_000_000 + "/ }",
        MAIN + "int " + "a" * 1_000_000 + "; }",
        MAIN + "\\\n" * 300_000 + "}",
        MAIN + "x = 1;" * 15_000 + "}",
    ],
)
def test_a_megabyte_on_one_line_works(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.c"
    path.write_text(content)
    start = time.process_time()
    parse_file(ProgramOptions(path))
    assert time.process_time() - start < 30


@pytest.mark.parametrize(
    "content",
    [
        MAIN + '"' + "a\\" * 100_000 + " }",
        MAIN + '"' * 200_001 + "}",
        MAIN + "'" * 200_001 + "}",
        MAIN + "/*" + "*" * 1_000_000,
        MAIN + "\\" * 200_000 + "}",
        MAIN + "#" * 200_000 + "}",
        MAIN + "__attribute__((" * 20_000 + "}",
    ],
)
def test_broken_long_lines_fail_fast(tmp_path: Path, content: str) -> None:
    start = time.process_time()
    error = failure(tmp_path, content)
    assert error.position is not None
    assert time.process_time() - start < 30


def test_nothing_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    failure(tmp_path, "#warning w\n#include <nope.h>\n#error stop\n")
    assert capfd.readouterr() == ("", "")


def test_unknown_data_model() -> None:
    with pytest.raises(InputError, match="unknown data model"):
        parse_file(ProgramOptions(Path("a.c"), data_model="LLP64"))


NINES = "9" * 5000
PACKED = "struct s { int x; };\nint main(void) { struct s v; return 0; }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"int main(void) {{ return {NINES}; }}", "integer constant 99999999999999999999"),
        (f'#line {NINES} "b.c"\nint main(void) {{ return 0; }}', "line number too large"),
        (f"#pragma pack({NINES})\n{PACKED}", "pragma pack"),
        (f"#pragma pack(²)\n{PACKED}", "pragma pack"),
    ],
)
def test_numbers_that_python_does_not_read(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((InputError, UnsupportedError), match=message):
        load_program(ProgramOptions(file))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('const char *s = "\\ud800"; int main(void) { return s[0]; }', "D800 is no universal"),
        (
            'const char *s = "\\U00110000"; int main(void) { return s[0]; }',
            "110000 is no universal",
        ),
        ("int main(void) { return '\\u0041'; }", "0041 is no universal"),
        ("#if '\\ud800'\n#endif\nint main(void) {}", "D800 is no universal"),
        ("int main(void) { return '\\x123'; }", "out of range"),
        ("#if ''\n#endif\nint main(void) {}", "empty character constant"),
        ("#if 18446744073709551616\n#endif\nint main(void) {}", "too large for its type"),
        (f"#if {'1' * 5000}\n#endif\nint main(void) {{}}", "1 is not an integer constant"),
        ("int main(void) { __abp_atomic_end(); }", "names with __abp_ are AbPress's own"),
        ("int __abp_await(int x) { return x; } int main(void) {}", "names with __abp_"),
        ("#define C(a, b) a##b\nint main(void) { C(__a, bp_cut)(); }", "names with __abp_"),
        (f'#include "{"a" * 5000}"\nint main(void) {{}}', "no such file"),
        ("#pragma push_macro(\nint main(void) {}", "malformed #pragma push_macro"),
        ("_Pragma(1) int main(void) {}", "_Pragma takes a string literal"),
        ("int x __attribute__((1)); int main(void) {}", "unexpected 1 in attributes"),
        ("int x __attribute__((aligned(3))); int main(void) { return x; }", "no power of two"),
        ('_Static_assert(sizeof(int) == 8, ""); int main(void) {}', "a static assertion fails"),
    ],
)
def test_what_c_does_not_have(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.c"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_program(ProgramOptions(path))
    assert message in caught.value.message
    assert len(caught.value.message) < 300


def test_messages_and_sources_have_no_instructions_to_a_terminal(tmp_path: Path) -> None:
    error = failure(tmp_path, b"#error \x1b[31mred\x9b\x07\n")
    assert error.message == "#error ␛[31mred�␇"
    path = tmp_path / "u.c"
    path.write_bytes(b'/*\x1b*/ int main(void) { const char *s = "\xff\x1b"; return s[0]; }')
    [text] = parse_file(ProgramOptions(path)).sources.values()
    assert text == '/*␛*/ int main(void) { const char *s = "�␛"; return s[0]; }'
    assert "\x1b" not in str(load_program(ProgramOptions(path)).program.objects)
