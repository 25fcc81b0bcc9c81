"""Sizes of the types of the thread library are our own: they are of use for memory only."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import UnsupportedError
from abpress_frontend.load import load_program
from abpress_frontend.lower.sizes import ASSUMED

DECLARATIONS = """
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct s { int first; sem_t m; int i; } s, many[3];
void *get(size_t size) { return malloc(size); }
"""
SEEN = [
    "return sizeof(sem_t) == 40;",
    "size_t n = sizeof s;",
    "char room[sizeof(sem_t)];",
    "return sizeof many / sizeof(int);",
    "return _Alignof(pthread_rwlock_t);",
    "return sizeof(struct { pthread_barrier_t b[2]; });",
    "return offsetof(struct s, i) > 20;",
    "switch (n) { case sizeof(pthread_mutexattr_t): return 1; }",
    "char *end = (char *)&n + sizeof s; end++;",
    "int *end = (int *)&s + sizeof s; end++;",
    "char *end = (char *)&s.m - sizeof(struct s); end++;",
    "return offsetof(struct s, i) + 1 > 20;",
    "char *p = v[0] + 2 * sizeof s; p++;",
    "memset(v[0] + sizeof s, 1, 1);",
    "char *at = v[0] + sizeof s; memset(at, 1, 1);",
]
UNSEEN = [
    "struct s *p = malloc(3 * sizeof *p);",
    "memset(&s, 0, sizeof s); sem_t *p = calloc(2, sizeof(sem_t));",
    "for (unsigned i = 0; i < sizeof many / sizeof many[0]; i++) many[i].i = 1;",
    "return sizeof many / sizeof *many;",
    "struct s *p = (struct s *)((char *)&s.m - offsetof(struct s, m));",
    "struct s *p = (struct s *)((char *)&s.m - (size_t)offsetof(struct s, m));",
    "struct s *p = &s; char *end = (char *)p + sizeof *p, *begin = (char *)(p + 1) - sizeof s;",
    "void *end = (void *)&s + (size_t)sizeof s;",
    "free(malloc(offsetof(struct s, i) + 4)); char *p = offsetof(struct s, i) + (char *)&s;",
    "return sizeof(pthread_t) + sizeof(pthread_key_t) + sizeof &s.m + offsetof(struct s, first);",
]


def assumed(folder: Path, body: str, model: str) -> str:
    file = folder / "program.c"
    file.write_text(f"{DECLARATIONS}int main(int n, char **v) {{ {body} return 0; }}\n")
    return "\n".join(load_program(ProgramOptions(file, data_model=model)).assumptions)


@pytest.mark.parametrize("model", ["ILP32", "LP64"])
@pytest.mark.parametrize("body", SEEN)
def test_a_size_that_can_be_told_apart_is_refused(body: str, model: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="a type of the thread library"):
        assumed(tmp_path, body, model)


@pytest.mark.parametrize("model", ["ILP32", "LP64"])
@pytest.mark.parametrize("body", UNSEEN)
def test_an_amount_of_memory_is_not(body: str, model: str, tmp_path: Path) -> None:
    assert ASSUMED not in assumed(tmp_path, body, model)


def test_a_size_that_is_passed_on_is_assumed_to_be_an_amount(tmp_path: Path) -> None:
    assert ASSUMED in assumed(tmp_path, "struct s *p = get(sizeof(struct s));", "ILP32")
