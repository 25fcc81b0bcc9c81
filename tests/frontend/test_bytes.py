"""Bytes of objects, padding included, seen through pointers to characters and through unions."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.result import Result
from abpress.verify.run import verify

HEAD = """
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct s { char c; int i; } g, h, one = {1, 2}, same = {1, 2};
union u { struct s s; long long l; unsigned char b[8]; } v;
"""

KNOWN = (
    "unsigned char *p = (unsigned char *)&g; p[1] = 7; CHECK(p[1] == {7});",
    "struct s *s = malloc(sizeof *s); unsigned char *p = (unsigned char *)s; p[2] = 7;"
    " CHECK(p[2] == {7});",
    "struct s *s = calloc(1, sizeof *s), *t = calloc(1, sizeof *t);"
    " CHECK(memcmp(s, t, sizeof *s) == {0});",
    "struct s a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); a.c = b.c = 1; a.i = b.i = 2;"
    " CHECK(memcmp(&a, &b, sizeof a) == {0});",
    "struct s a, b; memset(&a, 3, sizeof a); memcpy(&b, &a, sizeof a);"
    " CHECK(memcmp(&a, &b, sizeof a) == {0});",
    "CHECK(memcmp(&g, &h, sizeof g) == {0});",
    "CHECK(memcmp(&one, &same, sizeof one) == {0});",
    "unsigned char *p = (unsigned char *)&g; for (int k = 0; k < 8; k++) p[k] = k;"
    " memmove(p + 1, p, 7); CHECK(p[7] == {6});",
    "unsigned char *p = (unsigned char *)&g; for (int k = 0; k < 8; k++) p[k] = k;"
    " CHECK(g.i == {0x07060504});",
    "v.b[1] = 7; CHECK(v.b[1] == {7});",
    "v.l = 0x1122334455667788; CHECK(v.s.i == {0x11223344});",
    "union u w; w.l = 0x1122334455667788; CHECK(w.l == {0x1122334455667788});",
    "struct { int x; struct s s; } q = {1}; CHECK(((unsigned char *)&q.s)[1] == {0});",
)
"""What is known of bytes; with another number in place of the one in braces it is wrong."""

OPEN = (
    "struct s a = {1, 2}; CHECK(((char *)&a)[1] == 0);",
    "struct s a = {1, 2}; CHECK(((char *)&a)[1] != 0);",
    "struct s a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); a = b;"
    " CHECK(((char *)&a)[1] == 0);",
    "struct s a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); a = b;"
    " CHECK(((char *)&a)[1] != 0);",
)
"""Padding that C leaves open: after an initialiser and after an assignment."""


def result(directory: Path, body: str, engine: str) -> Result:
    file = directory / "a.c"
    file.write_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n")
    return verify(Config.of(file, engine=engine, time_limit=60.0)).result


@pytest.mark.parametrize("engine", ["explicit", "stateless", "auto"])
@pytest.mark.parametrize("body", KNOWN)
def test_bytes_are_what_was_written(tmp_path: Path, body: str, engine: str) -> None:
    before, _, rest = body.rpartition("== {")
    number, _, after = rest.partition("}")
    assert result(tmp_path, f"{before}== {number}{after}", engine).verdict.value == "true"
    assert result(tmp_path, f"{before}== {number} + 1{after}", engine).verdict.value == "false"


@pytest.mark.parametrize("engine", ["explicit", "stateless", "auto"])
@pytest.mark.parametrize("body", OPEN)
def test_unspecified_padding_is_explored(tmp_path: Path, body: str, engine: str) -> None:
    assert result(tmp_path, body, engine).verdict.value == "false"


def test_kept_padding_is_an_assumption(tmp_path: Path) -> None:
    body = "memset(&g, 3, sizeof g); g.c = 1; CHECK(((char *)&g)[1] == 3);"
    assert "padding" in result(tmp_path, body, "explicit").assumptions[0]
    unseen = result(tmp_path, "g.c = 1; h = g; CHECK(h.c == 1);", "explicit")
    assert not any("padding" in assumption for assumption in unseen.assumptions)


def test_bytes_behind_the_initialised_member_of_a_union_are_an_assumption(tmp_path: Path) -> None:
    found = result(
        tmp_path, "union { char c; int i; } w = {1}; CHECK(w.i == 1);", "explicit"
    ).assumptions
    assert any("clears all of it" in assumption for assumption in found)
    whole = result(tmp_path, "union { int i; char c; } w = {1}; CHECK(w.i == 1);", "explicit")
    assert not any("clears" in assumption for assumption in whole.assumptions)
