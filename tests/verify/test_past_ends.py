"""That no object begins where another one ends is assumed where it matters, NOTE(past-ends)."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.verify.load import load

BEFORE = """
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { int x, y; } s, t; struct none {} e, f; struct tail { int n; int rest[]; };
int a[2], b[2], *end = a + 2;
int main(int n, char **v) {
"""

MAY_MEET = {
    "constants": "assert(a + 2 != b);",
    "in an initialiser": "assert(end != b);",
    "step by step": "int *p = a; for (int i = 0; i < 2; i++) p++; assert(p != b);",
    "an index": "assert(n < 0 || n > 2 || &a[n] != b);",
    "one object": "assert(&t.x != &s.x + 2);",
    "the start is the left side": "assert(b != a + 2);",
    "the heap": "int *p = malloc(8), *q = malloc(8); assert(p + 2 != q);",
    "the heap, step by step": "int *p = malloc(8), *q = malloc(8); p++; p++; assert(p != q);",
    "the heap, kept": "int *p[] = {malloc(4), malloc(4)}; p[0]++; assert(p[0] != p[1]);",
    "one allocation, many objects": (
        "int *p[2]; for (int i = 0; i < 2; i++) p[i] = malloc(4); assert(p[0] + 1 != p[1]);"
    ),
    "a member without elements": (
        "struct tail *p = malloc(sizeof *p); int *q = malloc(4); assert(p->rest != q);"
    ),
    "objects without bytes": "assert(&e != &f);",
    "a local object": "int x, y; assert(&x + 1 != &y);",
    "a compare-and-exchange": (
        "int *_Atomic p = b; int *q = a + 2; assert(!atomic_compare_exchange_strong(&p, &q, 0));"
    ),
}

APART = {
    "starts": "assert(a != b && &s.x != &t.x);",
    "starts, in an initialiser": "static int differ = a != b; assert(differ);",
    "inside": "assert(&s.y != &t.x);",
    "one object": "for (int *p = a; p != a + 2; p++) *p = 1;",
    "one object of the heap": "int *p = malloc(8); for (int *q = p; q != p + 2; q++) *q = 1;",
    "null": "int *p = a + 2; assert(p);",
    "the end is accessed": (
        "int *p = malloc(8), *q = malloc(8); p[n & 1] = 1; n = p[n & 1]; assert(p != q);"
    ),
    "from a member": (
        "struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q); int *y = &p->y;"
        " assert((struct pair *)((char *)y - 4) != q);"
    ),
    "one past and not the start": "assert(a + 2 != b + 1);",
}


def meets(folder: Path, body: str) -> bool:
    """Whether a verdict about the program assumes that no objects meet."""
    file = folder / "program.c"
    file.write_text(f"{BEFORE}{body} return 0; }}\n")
    loaded = load(Config.of(file))
    return any("no object begins where another one ends" in its for its in loaded.assumptions)


@pytest.mark.parametrize("name", MAY_MEET)
def test_objects_that_may_meet(name: str, tmp_path: Path) -> None:
    assert meets(tmp_path, MAY_MEET[name])


@pytest.mark.parametrize("name", APART)
def test_objects_that_are_apart(name: str, tmp_path: Path) -> None:
    assert not meets(tmp_path, APART[name])
