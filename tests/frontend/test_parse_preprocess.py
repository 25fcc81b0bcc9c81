"""The preprocessor: the examples of the C standard, GNU extensions, conditions, inclusion."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.errors import InputError, UnsupportedError
from abpress_frontend import macros
from abpress_frontend.preprocess import Preprocessor, is_preprocessed
from abpress_frontend.source_files import decode
from abpress_frontend.tokens import PRAGMA, tokenise


def expand(tmp_path: Path, text: str, *defines: str, model: str = "ILP32") -> str:
    """The text after preprocessing, one blank between tokens."""
    path = tmp_path / "t.c"
    path.write_text(text)
    preprocessor = Preprocessor((), model)
    for definition in defines:
        preprocessor.define(definition)
    tokens = preprocessor.run(tokenise(text, str(path)), path)
    return " ".join(t.text for t in tokens if t.kind != PRAGMA)


def normal(text: str) -> str:
    return " ".join(t.text for t in tokenise(text, "expected"))


STANDARD_3 = """
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
"""


@pytest.mark.parametrize(
    ("definitions", "text", "result"),
    [
        (
            STANDARD_3,
            "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
            "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);",
        ),
        (
            STANDARD_3,
            "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
            "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);",
        ),
        (
            STANDARD_3,
            "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };",
            "int i[] = { 1, 23, 4, 5, };",
        ),
        (STANDARD_3, "char c[2][6] = { str(hello), str() };", 'char c[2][6] = { "hello", "" };'),
        (
            "#define t(x,y,z) x ## y ## z\n",
            "t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,)",
            "123, 45, 67, 89, 10, 11, 12,",
        ),
        (
            "#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n"
            '#define HIGHLOW "hello"\n#define LOW LOW ", world"\n',
            "glue(HIGH, LOW); xglue(HIGH, LOW)",
            '"hello"; "hello" ", world"',
        ),
        (
            "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
            "#define join(c, d) in_between(c hash_hash d)\n",
            "join(x, y);",
            '"x ## y";',
        ),
        (
            "#define str(s) # s\n",
            'str(strncmp("abc\\0d", "abc", \'\\4\') // gone\n == 0)',
            '"strncmp(\\"abc\\\\0d\\", \\"abc\\", \'\\\\4\') == 0"',
        ),
        ("#define str(s) # s\n", "str( a  +   b /* c */ d )", '"a + b d"'),
        (
            "#define show(...) puts(#__VA_ARGS__)\n",
            "show(The first, second.);",
            'puts("The first, second.");',
        ),
        (
            "#define e(fmt, ...) pr(fmt, ## __VA_ARGS__)\n",
            'e("a"); e("a", 1, 2);',
            'pr("a"); pr("a", 1, 2);',
        ),
        (
            "#define e(fmt, args...) pr(fmt, ## args)\n",
            'e("a"); e("a", 1, 2);',
            'pr("a"); pr("a", 1, 2);',
        ),
        ("#define v(a, ...) (a __VA_OPT__(, __VA_ARGS__))\n", "v(1) v(1, 2, 3)", "(1) (1, 2, 3)"),
        ("#define foo() bar\n", "foo\n() foo ; foo", "bar foo ; foo"),
        ("#define A B\n#define B A\n", "A B", "A B"),
        ("#define NIL(x) x\n#define G0(a) NIL(G1)(a)\n#define G1(a) NIL(a)\n", "G0(42)", "42"),
        ("#define f(a,b) a b\n", "f(f(1,2),f((3,4),5))", "1 2 (3,4) 5"),
        ("#define c(a,b) a##b\n", "c(x, __LINE__) __COUNTER__ __COUNTER__", "x__LINE__ 0 1"),
        ("", "__abp __VERIFIER_x __STDC__ __GNUC__", "__abp __VERIFIER_x 1 12"),
    ],
)
def test_expansion(tmp_path: Path, definitions: str, text: str, result: str) -> None:
    assert expand(tmp_path, definitions + text) == normal(result)


@pytest.mark.parametrize(
    "condition",
    [
        "1 ? 2 : (1/0)",
        "-1 > 0u && (2 || 1/0)",
        "defined X && defined(X) && !defined Y && !defined(Y)",
        "L'a' == 97 && L'\\xff' == 255 && '\\xff' == -1",
        "'a' == 97 && '\\n' == 10 && '\\x41' == 'A' && '\\101' == 65",
        "10 - 4 - 3 == 3 && 2 + 3 * 4 == 14 && (1 << 3 | 1) == 9 && ~0 == -1",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "0x7fffffffffffffff + 1 < 0 && 0xffffffffffffffffu > 0 && 010 == 8 && 0b11 == 3",
        "X == 5 && unknown == 0 && F(2) == 4",
        "HAS_X",
        "(0, 1)",
        '__has_include(<pthread.h>) && !__has_include("nothing.h")',
        "defined(__has_include)",
        "defined __has_builtin && __has_builtin(__builtin_expect) && !__has_builtin(no)",
        "__has_attribute(unused) && __has_attribute(__packed__) && !__has_attribute(no)",
        "!__has_builtin(__builtin_clzg) && !__has_builtin(__builtin_assume)",
        "__has_builtin(strlen) && __has_builtin(__builtin_add_overflow_p)",
        "__has_attribute(alias) && !__has_attribute(overloadable)",
        "__has_c_attribute(nodiscard) == 202003 && !__has_c_attribute(packed)",
        "__has_c_attribute(gnu::fallthrough) && !defined(__has_feature)",
        "1 || 1/0",
        "!(0 && 1/0)",
    ],
)
def test_condition_holds(tmp_path: Path, condition: str) -> None:
    head = "#define unused no\n#define X 5\n#define F(a) (a * 2)\n#define HAS_X defined(X)\n"
    text = f"{head}#if {condition}\nyes\n#else\nno\n#endif\n"
    assert expand(tmp_path, text) == "yes"


def test_has_builtin_of_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="whether GCC has it"):
        expand(tmp_path, "#if __has_builtin(__builtin_anything)\n#endif\n")


def test_groups(tmp_path: Path) -> None:
    text = (
        "#if 0\ndon't \"care\n#if 1\na\n#else\nb\n#endif\n"
        "#elif 1\nc\n#elif 1/0\nd\n#else\ne\n#endif\n"
        "#ifdef U\nf\n#elifndef U\ng\n#endif\n#ifndef U\nh\n#endif\n"
        "#\n#if 0\n#error no\n#bogus\n#endif\n"
    )
    assert expand(tmp_path, text) == "c g h"


def test_command_line_definitions(tmp_path: Path) -> None:
    found = expand(tmp_path, "A B C(2) D", "A", "B=7", "C(x)=x+x", "D=")
    assert found == "1 7 2 + 2"


@pytest.mark.parametrize(("model", "size"), [("ILP32", "4"), ("LP64", "8")])
def test_data_model_decides_predefined_macros(tmp_path: Path, model: str, size: str) -> None:
    text = "__SIZEOF_LONG__ __SIZEOF_POINTER__\n#ifdef __LP64__\nlong\n#endif\n"
    expected = f"{size} {size}" + (" long" if model == "LP64" else "")
    assert expand(tmp_path, text, model=model) == expected


def test_inclusion(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "sub" / "a.h").write_text('#include "b.h"\na __FILE__\n')
    (tmp_path / "sub" / "b.h").write_text("#pragma once\nb\n")
    (tmp_path / "inc" / "c.h").write_text("#ifndef C_H\n#define C_H\nc\n#endif\n")
    path = tmp_path / "t.c"
    path.write_text(
        '#include "sub/a.h"\n#include "sub/b.h"\n#include <c.h>\n#include "c.h"\n'
        "#define NAME <c.h>\n#include NAME\nend\n"
    )
    preprocessor = Preprocessor((tmp_path / "inc",), "ILP32")
    tokens = preprocessor.run(tokenise(path.read_text(), str(path)), path)
    shown = str(tmp_path / "sub" / "a.h")
    assert [t.text for t in tokens] == ["b", "a", f'"{shown}"', "c", "end"]
    assert shown in preprocessor.sources


def test_own_headers_come_after_the_users(tmp_path: Path) -> None:
    (tmp_path / "errno.h").write_text("mine\n")
    assert expand(tmp_path, "#include <errno.h>\n") != "mine"
    assert expand(tmp_path, '#include "errno.h"\n') == "mine"


def test_the_next_header_is_behind_this_one(tmp_path: Path) -> None:
    """As system headers go on with those of the compiler, which are ours; in folders, too."""
    for place in ("one", "two"):
        (tmp_path / place / "sys").mkdir(parents=True)
        for name in ("limits.h", "sys/mine.h"):
            go_on = f"#if __has_include_next(<{name}>)\n#include_next <{name}>\n#endif\n"
            (tmp_path / place / name).write_text(f"{place}\n{go_on}")
    path = tmp_path / "t.c"
    text = "#include <limits.h>\n#include <sys/mine.h>\nCHAR_BIT"
    preprocessor = Preprocessor((tmp_path / "one", tmp_path / "two"), "LP64")
    tokens = [token.text for token in preprocessor.run(tokenise(text, str(path)), path)]
    assert tokens[:2] == ["one", "two"]
    assert (tokens.count("one"), tokens.count("two"), tokens[-1]) == (2, 2, "8")


def test_unknown_header_is_left_out_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "t.c"
    preprocessor = Preprocessor((), "ILP32")
    tokens = preprocessor.run(tokenise("#include <no/such.h>\nx\n", "t.c"), path)
    assert [t.text for t in tokens] == ["x"]
    assert preprocessor.warnings == ["t.c:1:2: #include <no/such.h>: no such header, left out"]


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ('\n  #include "no.h"\n', '#include "no.h": no such file', 2, 4),
        ("#include\n", '#include expects "FILE" or <FILE>', 1, 2),
        ("x\n#error stop  here\n", "#error stop here", 2, 2),
        ("#if 1\n", "#if without #endif", 1, 2),
        ("#endif\n", "#endif without #if", 1, 2),
        ("#else\n", "#else without #if", 1, 2),
        ("#if 1\n#else\n#else\n#endif\n", "#else after #else", 3, 2),
        ("#if 1 +\n#endif\n", "the condition ends too early", 1, 2),
        ("#if\n#endif\n", "a condition is missing", 1, 2),
        ("#if 1/0\n#endif\n", "division by zero in a condition", 1, 6),
        ("#if 1.5\n#endif\n", "1.5 is not an integer constant", 1, 5),
        ("#if (1\n#endif\n", "expected ) in a condition", 1, 2),
        ("#if f(1)\n#endif\n", "unexpected ( in a condition", 1, 6),
        ("#ifdef\n#endif\n", "#ifdef needs a macro name", 1, 2),
        ("#define 3 4\n", "a macro name must be an identifier", 1, 9),
        ("#define f(a\n", "missing ')' in the parameters of macro f", 1, 9),
        ("#define f(a,,b) a\n", "invalid parameter , of macro", 1, 13),
        ("#define f(a) #b\n", "'#' is not followed by a macro parameter", 1, 14),
        ("#define f ## a\n", "'##' at either end of a macro", 1, 11),
        ("#define f(a) a\nx f(1, 2)\n", "macro f takes 1 arguments but is given 2", 2, 3),
        ("#define f(a, b) a\nf(1)\n", "macro f takes 2 arguments but is given 1", 2, 1),
        ("#define f(a) a\nx f(1\n", "missing ')' in the call of macro f", 2, 3),
        ("#define c(a, b) a ## b\nc(+, x)\n", "pasting + and x does not give one token", 2, 3),
        ("#bogus\n", "invalid preprocessing directive #bogus", 1, 2),
        ("x /* y\n", "unterminated comment", 1, 3),
    ],
)
def test_errors_have_a_position(
    tmp_path: Path, text: str, message: str, line: int, column: int
) -> None:
    with pytest.raises(InputError) as caught:
        expand(tmp_path, text)
    position = caught.value.position
    assert position is not None
    assert (caught.value.message, position.line, position.column) == (message, line, column)


def test_inclusion_cycle(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="#include nested too deeply"):
        expand(tmp_path, '#include "t.c"\n')


def test_macro_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macros, "MAX_EXPANSION", 20_000)
    lines = [f"#define a{i} a{i - 1} a{i - 1}" for i in range(1, 40)]
    with pytest.raises(InputError, match="expands to more than"):
        expand(tmp_path, "\n".join([*lines, "a39"]))


def test_deeply_nested_macro_calls(tmp_path: Path) -> None:
    head = "#define f(x) (x)\n"
    assert expand(tmp_path, head + "f(" * 150 + "1" + ")" * 150).count("(") == 150
    with pytest.raises(InputError, match="macro calls nested too deeply"):
        expand(tmp_path, head + "f(" * 100_000 + "1" + ")" * 100_000)


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        ('# 1 "a.c"\nint x;\n', ".i", True),
        ('# 1 "a.c"\nint x;\n', ".c", True),
        ("// comment\nint x;\n", ".i", True),
        ("int x;\n", ".c", False),
        ("#include <stdio.h>\n", ".i", False),
        ('# 1 "a.c"\n#pragma pack(1)\n', ".c", True),
        ('# 1 "a.c"\n#define X\n', ".c", False),
    ],
)
def test_which_text_is_preprocessed(text: str, suffix: str, expected: bool) -> None:
    assert is_preprocessed(tokenise(text, "t"), text, suffix) is expected


def test_decoding() -> None:
    assert decode(b"\xef\xbb\xbfa\r\nb", "t") == "a\nb"
    assert decode(b"\xff", "t") == "\udcff"
    with pytest.raises(InputError, match="NUL") as caught:
        decode(b"ab\nc\0", "t")
    assert str(caught.value.position) == "t:2:2"
