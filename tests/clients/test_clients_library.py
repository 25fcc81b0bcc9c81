"""Annotations of libraries: what is read, and where each mistake is."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.clients.library import LARGEST_DOMAIN, read_library, reference
from abpress.errors import InputError, UnsupportedError

FINE = """\
#include <stdlib.h>
/* //@ operation is not one within a comment */
static const char *text = "//@ operation";

//@ init
void begin(void) { }

/*@ operation key: 1..3, 7; value: -2, 5 */
static inline long put(int key, unsigned value) { return key; }

//@ operation
void
clear(void)
{ }

//@ operation one: 4
int just_one(int one);
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "library.c"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_is_read(tmp_path: Path) -> None:
    library = read_library(written(tmp_path, FINE))
    assert library.init == "begin"
    assert [(o.name, o.domains, o.has_result) for o in library.operations] == [
        ("put", ((1, 2, 3, 7), (-2, 5)), True),
        ("clear", (), False),
        ("just_one", ((4,),), True),
    ]
    assert [o.position.line for o in library.operations] == [9, 13, 17]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int f(void);\n", "1:1: no function is annotated as an operation (//@ operation …)"),
        ("//@ opration\nint f(void);\n", "1:1: unknown annotation 'opration' (known: operation,"),
        ("//@ operation\nint x;\n", "1:1: no function follows the annotation"),
        ("int x;\n  //@ operation\n", "2:3: no function follows the annotation"),
        ("//@ operation\n#define F\nint f(void);\n", "1:1: no function follows the annotation"),
        ("//@ operation\nint f(int x);\n", "1:1: no values for the parameter 'x'"),
        ("//@ operation y: 1\nint f(int x);\n", "1:15: 'f' has no parameter 'y'"),
        ("//@ operation x\nint f(int x);\n", "1:15: 'x' is not NAME: VALUES, such as key: 1..3"),
        ("//@ operation x: a\nint f(int x);\n", "1:15: 'a' is not a number or a range"),
        ("//@ operation x: 3..1\nint f(int x);\n", "1:15: the range '3..1' is empty or too large"),
        (
            f"//@ operation x: 0..{LARGEST_DOMAIN}\nint f(int x);\n",
            f"1:15: the range '0..{LARGEST_DOMAIN}' is empty or too large",
        ),
        (
            "//@ operation\nint f(void);\n//@ operation\nint f(void);\n",
            "4:5: 'f' is an operation already",
        ),
        (
            "//@ init\nvoid a(void);\n//@ init\nvoid b(void);\n//@ operation\nint f(void);\n",
            "4:6: 'a' is marked init already",
        ),
        ("//@ init\nvoid a(int x);\n", "2:6: an init function has no parameters"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_library(file)
    assert str(error.value).startswith(f"{file}:{message}")


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("//@ operation\nint *f(void);\n", "2:6"),
        ("//@ operation\nstruct s f(void);\n", "2:10"),
        ("//@ operation p: 1\nint f(int *p);\n", "2:5"),
        ("//@ operation p: 1\nint f(int p[2]);\n", "2:5"),
        ("//@ operation\n__attribute__((noinline)) int f(void);\n", "2:1"),
    ],
)
def test_what_is_not_supported(tmp_path: Path, text: str, position: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UnsupportedError) as error:
        read_library(file)
    assert str(error.value).startswith(f"{file}:{position}: ")


def test_a_reference_has_the_operations(tmp_path: Path) -> None:
    library = read_library(written(tmp_path, "//@ operation x: 1\nint f(int x) { return x; }\n"))
    assert reference(library, None) is library
    other = tmp_path / "other.c"
    other.write_text("//@ operation\nint f(int y) { return y; }\n", encoding="utf-8")
    assert reference(library, other).file == other
    other.write_text("//@ operation\nvoid f(int y) { }\n", encoding="utf-8")
    with pytest.raises(InputError, match="2:6: 'f' has other parameters or another result"):
        reference(library, other)
    other.write_text("//@ operation\nint g(int y) { return y; }\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"2:5: .* has no operation 'f'"):
        reference(library, other)
