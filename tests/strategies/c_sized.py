"""Random small C programs with arrays whose length is an input; some are one element off."""

from __future__ import annotations

from random import Random

HEADER = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
"""

MOST = 4
"""No input that is a length is greater."""

_ALLOCATIONS = (
    "int *a = malloc(n * sizeof(int));",
    "int *a = malloc(sizeof(int) * (size_t)n);",
    "int *a = malloc((n + 1) * sizeof(int));",
    "int *a = malloc(4 * n + 4);",
    "int *a = malloc(n);",
    "int *a = calloc(n, sizeof(int));",
    "int *a = alloca(sizeof(int) * n);",
    "__VERIFIER_assume(n > 0); int a[n];",
    "char *a = malloc(n);",
    "short *a = calloc(n + 1, sizeof(short));",
)

_INDICES = ("i", "i + 1", "i - 1", "n - 1 - i", "n - i", "0", "1", "2 * i", "k")


def sized_program(seed: int) -> str:
    """A program in C. Equal seeds give equal programs."""
    chance = Random(seed)
    length = chance.choice(("__VERIFIER_nondet_int()", "k + __VERIFIER_nondet_bool()"))
    lines = [
        "int k = __VERIFIER_nondet_bool();",
        f"int n = {length};",
        f"__VERIFIER_assume(0 <= n && n <= {MOST});",
        chance.choice(_ALLOCATIONS),
    ]
    for _ in range(chance.randint(1, 3)):
        lines.append(_loop(chance) if chance.random() < 0.7 else _single(chance))
    body = "\n  ".join(lines)
    if chance.random() < 0.3:
        return f"{HEADER}#include <alloca.h>\n{_threaded(chance, lines[:4])}"
    return f"{HEADER}#include <alloca.h>\nint main(void) {{\n  {body}\n  return 0;\n}}\n"


def _bound(chance: Random) -> str:
    return chance.choice(("i < n", "i < n", "i < n", "i <= n", "i + 1 < n", "i < k", "i < n - 1"))


def _loop(chance: Random) -> str:
    return f"for (int i = 0; {_bound(chance)}; i++) {_access(chance, _index(chance))}"


def _index(chance: Random) -> str:
    return chance.choice(_INDICES) if chance.random() < 0.5 else "i"


def _access(chance: Random, index: str) -> str:
    match chance.randrange(5):
        case 0:
            return f"a[{index}] = __VERIFIER_nondet_bool();"
        case 1:
            return f"{{ a[{index}] = {chance.randrange(3)}; assert(a[{index}] < 3); }}"
        case 2:
            return f"{{ a[{index}] = k; assert(a[{index}] == k); }}"
        case 3:
            return f"{{ a[{index}] = i; assert(a[{index}] != {chance.randrange(4)}); }}"
        case _:
            return f"a[{index}] = {chance.randrange(3)};"


def _single(chance: Random) -> str:
    index = chance.choice(("0", "n - 1", "n", "n / 2", "k", "n - k", "1"))
    access = _access(chance, index).replace("= i;", "= n;")
    return f"if (n > {chance.randrange(3)}) {access}"


def _threaded(chance: Random, opening: list[str]) -> str:
    """The array is filled by one thread up to a place that the other one writes."""
    declared = opening[3].replace("int *a = ", "a = ") if "int *a" in opening[3] else ""
    start = declared or "a = malloc(n * sizeof(int));"
    filled, read = _bound(chance), _access(chance, chance.choice(("0", "k", "n - 1")))
    read = read.replace("= i;", "= n;")
    return f"""static int *a, n, k;
static void *fill(void *unused) {{
  for (int i = 0; {filled}; i++) {{ a[i] = 1; }}
  return 0;
}}
int main(void) {{
  pthread_t t;
  k = __VERIFIER_nondet_bool();
  n = {opening[1].partition("= ")[2]}
  __VERIFIER_assume(0 <= n && n <= 2);
  {start}
  pthread_create(&t, 0, fill, 0);
  if (n > {chance.randrange(2)}) {read}
  pthread_join(t, 0);
  return 0;
}}
"""
