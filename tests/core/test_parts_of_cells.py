"""Parts of cells, cells of other types, and moves: the native core tells what Python tells."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.verify.load import load
from tests.core.comparison import MOST_EVENTS, TOO_LONG, compare
from tests.sampling import examples, sample

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

QUESTIONS = (("unreach-call", "valid-deref", "valid-free"), ("no-data-race", "no-misuse"))
SEARCHES = (("explicit", "s-por"), ("stateless", "source"))

PROGRAM = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct inner { short a; unsigned char b; };
struct whole { int n; struct inner in[2]; char *p; } s = {1, {{2, 3}, {4, 5}}, 0}, t, *h;
union mixed { unsigned word; unsigned char bytes[4]; short half[2]; float real; } u = {0x80402010};
const struct whole fixed = {7, {{8, 9}, {10, 11}}, 0};
unsigned char raw[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
int x, y, *q;
void *first(void *given) { %s return 0; }
void *second(void *given) { %s return 0; }
int main(void) {
    pthread_t a, b; %s
    pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
    pthread_join(a, 0); pthread_join(b, 0); %s
    return 0;
}
"""

LOCAL = "struct whole l = s; l.in[1].a++; s = l;"
UNSET = "h = malloc(sizeof *h); h->n = 1; h->in[0] = h->in[1] = s.in[0];"
GROWN = "h = realloc(h, 2 * sizeof *h);"

CASES = {
    "assigned": ("t = s;", "x = t.in[1].a;", "", "assert(t.in[1].b == 5 && t.n == 1 && x != 4);"),
    "local": (LOCAL, LOCAL, "", "assert(s.in[1].a == 6);"),
    "locked": (
        f"pthread_mutex_lock(&m); {LOCAL} pthread_mutex_unlock(&m);",
        f"pthread_mutex_lock(&m); {LOCAL} pthread_mutex_unlock(&m);",
        "",
        "assert(s.in[1].a == 6);",
    ),
    "members": ("s.in[0] = t.in[1];", "t.in[1].b = 9;", "", "assert(s.in[0].b != 9);"),
    "bytes": ("u.bytes[2] = 7;", "x = u.half[1];", "", "assert(u.word != 0x80072010u || x < 0);"),
    "real": ("u.real = 1.0f;", "x = u.bytes[3];", "", "assert(x != 0x3f);"),
    "wide": ("*(uint32_t *)(raw + 4) = 5;", "x = *(short *)(raw + 6);", "", "assert(x == 2055);"),
    "straddling": ("x = *(int *)(raw + 1);", "raw[2] = 0;", "", "assert(x == 0x05040302);"),
    "copied": ("memcpy(&u, raw, 3);", "u.half[0] = 1;", "", "assert(u.bytes[0] == 1);"),
    "unlike": ("memcpy(raw, &s, 8);", "memcpy(&t, raw, 8);", "", "assert(t.in[0].b != 3);"),
    "forwards": ("memmove(raw, raw + 1, 8);", "x = raw[0];", "", "assert(x < 2 && raw[7] == 9);"),
    "backwards": ("memmove(raw + 1, raw, 8);", "x = raw[1];", "", "assert(raw[8] == 8 && x < 2);"),
    "const": ("t = fixed;", "*(struct whole *)&fixed = t;", "", "assert(t.n == 7);"),
    "beyond": ("memcpy(raw + 9, &s, 8);", "x = 1;", "", ""),
    "behind": ("x = raw[15];", "memcpy(&t, raw + 12, 4); y = *(int *)(raw + 13);", "", ""),
    "freed": ("free(h);", "t = *h;", "h = malloc(sizeof *h); *h = s;", ""),
    "heap": ("*h = s;", "h[1] = h[0];", "h = calloc(2, sizeof *h);", "assert(h[1].n == 0);"),
    "undefined": (
        "t = *h;",
        "h->in[0].a = 1;",
        UNSET,
        "assert(t.n == 1);",
    ),
    "partly": ("x = *(short *)given;", "", "q = malloc(4); *((char *)q + 1) = 1; x = *q;", ""),
    "choice": ("x = *((char *)h + 1) & 1;", "", "h = malloc(4);", "assert(x == 0);"),
    "grown": (
        GROWN,
        "x = h->n;",
        "h = calloc(1, sizeof *h); h->n = 4; h->p = (char *)raw;",
        "assert(h->n == 4);",
    ),
    "twice": (GROWN, GROWN, "h = malloc(sizeof *h); h->n = 4;", ""),
    "reshaped": (
        "h = realloc(q, sizeof *h); h->p = 0;",
        "x = h ? h->in[0].a : 0;",
        "q = malloc(8); q[0] = 1; q[1] = 0x30002;",
        "assert(h->n == 1 && h->in[0].b == 3 && x == 0);",
    ),
    "cut": (
        "q = (int *)realloc(h, 8);",
        "",
        "h = malloc(sizeof *h); *h = s;",
        "assert(q[1] == 0);",
    ),
    "padding": ("*(int *)h->in = 5;", "", "h = malloc(sizeof *h); *h = s;", "assert(x == 2);"),
    "pointer": ("s.p = (char *)raw;", "t = s; x = t.p ? *t.p : 2;", "", "assert(x == 2);"),
    "half": ("x = *((char *)&s.p + 1);", "s.p = (char *)raw;", "", ""),
    "overlaid": ("*((char *)&s.p + 1) = 1;", "x = s.p != 0;", "", "assert(x);"),
    "number": ("*(long *)&s.p = 0;", "x = s.p == 0;", "s.p = (char *)8;", "assert(x);"),
    "dead": ("struct whole l = s; h = &l;", "if (h) t = *h;", "", ""),
    "null": ("t = *h;", "s = *h;", "", ""),
    "lock": ("pthread_mutex_t c = m; pthread_mutex_lock(&c); x = 1;", "x = 2;", "", ""),
}


def compared(text: str, folder: Path) -> set[str]:
    """The answers of `compare`, of both engines, for each question."""
    file = folder / "program.c"
    file.write_text(text)
    answers = set()
    for engine, por in SEARCHES:
        for properties in QUESTIONS:
            config = Config.of(file, engine=engine, por=por, properties=properties, keep_going=True)
            program = load(config, every_access=engine == "stateless").program
            answers.add(compare(program, config, MOST_EVENTS))
    return answers


@pytest.mark.parametrize("name", sample([*CASES], every=4))
def test_accesses(name: str, tmp_path: Path) -> None:
    answers = compared(PROGRAM % CASES[name], tmp_path)
    assert "same" in answers <= {"same", TOO_LONG}, answers


PLACES = ("&s", "&t", "&u", "raw", "raw + 3", "raw + 8", "h", "&s.in[1]", "&t.in[0].b", "&s.p")
WITHOUT_PADDING = PROGRAM.replace("char b;", "char b, c;").replace("in[2]; char", "in[3]; char")
"""Copies of padding would make bytes undefined, and there are too many values of those."""

SCALARS = ("char", "short", "int", "long")


def drawn(random: Random) -> str:
    """A program that copies and accesses parts at random, mostly within objects."""

    def statement() -> str:
        a, b = random.choice(PLACES), random.choice(PLACES)
        scalar = random.choice(SCALARS)
        return random.choice(
            (
                f"memmove({a}, {b}, {random.choice((1, 2, 3, 4, 8))});",
                f"memcpy({a}, {b}, 4);",
                f"*({scalar} *)({a}) = {random.randrange(-2, 300)};",
                f"x = *({scalar} *)({a});",
                f"*(unsigned {scalar} *)({a}) = *(unsigned {scalar} *)({b});",
                "s = t;",
                "t = *h;",
            )
        )

    begin = "h = calloc(1, sizeof *h);" + random.choice(("", "*h = s;", "h->n = 3;"))
    return WITHOUT_PADDING % (
        statement() + statement(),
        statement(),
        begin + statement(),
        "assert(x != 3);",
    )


def test_random_accesses(tmp_path: Path) -> None:
    random, answers = Random(4), []
    for _ in range(examples(3, whole=24)):
        answers += compared(drawn(random), tmp_path)
    assert answers.count("same") >= 2
