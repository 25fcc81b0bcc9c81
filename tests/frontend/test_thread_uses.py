"""What the text of a program does with the ids of threads: to ask for a size is no use of them."""

from __future__ import annotations

import pytest
from pycparser import CParser

from abpress_frontend.lower.joins import ThreadUses, ids_read_elsewhere, may_join_twice

USED = frozenset({"pthread_create", "pthread_join"})
JOINED = """
typedef unsigned long pthread_t;
void *work(void *a) { return 0; }
int main(void) {
  int n;
  pthread_t *t = malloc(n * sizeof(pthread_t));
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  free(t);
}
"""


def is_left_open(text: str) -> tuple[bool, bool]:
    """Whether a thread may be joined twice, and whether ids may be read elsewhere."""
    uses = ThreadUses(CParser().parse(text))
    return may_join_twice(uses, "main", USED), ids_read_elsewhere(uses, "main", USED)


@pytest.mark.parametrize("size", ["sizeof *t", "sizeof(*t)", "sizeof t[0]", "sizeof t"])
def test_a_size_is_no_use(size: str) -> None:
    assert is_left_open(JOINED) == (False, False)
    assert is_left_open(JOINED.replace("sizeof(pthread_t)", size)) == (False, False)


@pytest.mark.parametrize(
    "use", ["sizeof(int) * *t", "sizeof &t[f(t)]", "sizeof t[f(t)]", "f(sizeof t, t)"]
)
def test_what_is_beside_a_size_is_one(use: str) -> None:
    assert is_left_open(JOINED.replace("n * sizeof(pthread_t)", use)) == (True, True)


@pytest.mark.parametrize("test", ["!t", "t == (void *)0", "t != 0"])
def test_to_ask_whether_a_block_is_null_is_no_use(test: str) -> None:
    asked = JOINED.replace("  for", f"  if ({test}) return 1;\n  for", 1)
    assert is_left_open(asked) == (False, False)
    scalar = asked.replace("pthread_t *t = malloc(n * sizeof(pthread_t))", "pthread_t t")
    assert is_left_open(scalar) == (True, True)
    elsewhere = asked.replace(
        "int main", f"void *ask(pthread_t *t) {{ return {test} ? t : 0; }}\nint main"
    )
    assert is_left_open(elsewhere)[1]


@pytest.mark.parametrize("test", ["!*t", "t[0] == 0", "t != t + 1"])
def test_to_ask_for_an_id_is_one(test: str) -> None:
    asked = JOINED.replace("  for", f"  if ({test}) return 1;\n  for", 1)
    assert is_left_open(asked) == (True, True)
