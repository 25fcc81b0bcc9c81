"""Random C programs that are nearly right, of the shapes that Horn clauses and invariants of
templates prove: threads that count alike, sum the same array, fill and empty a queue, take tickets,
wait for flags, are joined.

A shape is right as it stands. In its text, `$[a$|b$]` is one of what may be said there as well, and
`@[right@|wrong@|…@]` is what is right, or a *slip*: most slips make an assertion fail, some of them
for the last round only, in one interleaving, or where a number wraps around; some do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

MOST_SLIPS = 2

SMALL = ("LIMIT=2", "ANY=(__VERIFIER_nondet_bool() ? 2 : -1)")
"""Definitions by which few executions are left, each of which the whole program has."""

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef LIMIT
#define LIMIT 1000
#define ANY __VERIFIER_nondet_int()
#endif
#define ATOMIC(code) __VERIFIER_atomic_begin(); code __VERIFIER_atomic_end();
#define LOCKED(code) pthread_mutex_lock(&m); code pthread_mutex_unlock(&m);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void assume_abort_if_not(int it) { if (!it) abort(); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
"""

_ROUNDS = "$[for (int i = 0; i < n; i++)$|for (int i = n; i-- > 0;)$]"
_ARRAY = "a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = ANY;"

_TWO = """
int main(void) {
  pthread_t s, t;
  n = __VERIFIER_nondet_int();
  $[assume_abort_if_not(n >= 1 && n <= LIMIT);$|if (n < 1 || n > LIMIT) return 0;$]
  BEGIN
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  @[pthread_join(s, 0);@|@]
  pthread_join(t, 0);
  END
}
"""

_MANY = """
int main(void) {
  pthread_t t[LIMIT];
  n = __VERIFIER_nondet_int();
  assume_abort_if_not(n >= 1 && n <= LIMIT);
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, each, ARGUMENT);
  END
}
"""


def _two(text: str, end: str, begin: str = "") -> str:
    return text + _TWO.replace("BEGIN", begin).replace("END", end)


def _many(text: str, end: str = "return 0;", argument: str = "0") -> str:
    return text + _MANY.replace("ARGUMENT", argument).replace("END", end)


SHAPES: Mapping[str, str] = {
    "counters": _two(
        f"""
$[int$|unsigned$|unsigned char$] x = $[0$|3$|253$];
$[int$|unsigned$|long long$] y;
void *first(void *p) {{ {_ROUNDS} {{ x += @[1@|1 + (i == 1)@|2@]; }} return 0; }}
void *second(void *p) {{ for (int i = 0; i @[<@|<=@] n; i++) {{ y++; @[@|if (y == 2) y = x;@] }}
  return 0; }}
""",
        "assert(x == (unsigned char)(x0 + y) || x == x0 + y); @[@|assert(x > y);@]",
        "int x0 = x;",
    ),
    "differences": _two(
        f"""
$[unsigned$|unsigned char$|unsigned short$] x, y;
void *first(void *p) {{ {_ROUNDS} {{ x -= 1; }} return 0; }}
void *second(void *p) {{ {_ROUNDS} {{ y -= @[1@|3@]; @[@|if (y < x) y++;@] }} return 0; }}
""",
        "assert(@[x == y@|x <= 1 && x == y@|x / 2 <= y && (int)x >= 0@]);",
        "x = y = $[0$|3$|-1$];",
    ),
    "one counter": _two(
        """
int x;
void *first(void *p) { for (int i = @[0@|1@]; i < n; i++) {
  @[ATOMIC(x++;)@|x++;@|LOCKED(x++;)@] } return 0; }
void *second(void *p) { for (int i = 0; i < n; i++) { ATOMIC(x++;) } return 0; }
""",
        "assert(x == 2 * n @[@|&& x != 4@]);",
    ),
    "sums": _two(
        f"""
$[int$|short$|unsigned char$] *a;
int x, y;
void *first(void *p) {{ {_ROUNDS} {{ x += a[i]; @[@|a[i] = 0;@|if (i == 1) x++;@] }} return 0; }}
void *second(void *p) {{ {_ROUNDS} {{ y += a[@[i@|0@|n - 1 - i@]]; }} return 0; }}
""",
        "assert(x == y);",
        _ARRAY,
    ),
    "least and greatest": _two(
        """
int *a, x, y;
void *first(void *p) { for (int i = 0; i < n; i++) if (a[i] < x @[@||| i == 1@]) x = a[i];
  return 0; }
void *second(void *p) { for (int i = 0; i < n; i++) if (a[i] > y) y = a[i]; return 0; }
""",
        "assert(x @[<=@|<@] y);",
        _ARRAY + " x = a[0]; y = @[a[0]@|0@|a[n - 1] - 1@];",
    ),
    "branches": _two(
        f"""
int *a, x, y;
void *first(void *p) {{ {_ROUNDS} {{ if (a[i] > 0) x++; else x--; }} return 0; }}
void *second(void *p) {{ {_ROUNDS} {{ if (a[i] @[> 0@|>= -1@|> 0 || i == 1@]) y++; else y--; }}
  return 0; }}
""",
        "assert(x == y);",
        _ARRAY,
    ),
    "queue": _two(
        """
int *a, front, back, x, y;
void *first(void *p) { for (int i = 0; i < n; i++) {
  @[ATOMIC(a[back] = i; back++;)@|ATOMIC(back++;) a[back - 1] = i;@|
    ATOMIC(a[back] = i; back += i < 2;)@]
  x += i; } return 0; }
void *second(void *p) { for (int i = 0; i < n; i++) {
  ATOMIC(assume_abort_if_not(front @[<@|<=@] back); y += a[front]; front++;) } return 0; }
""",
        "assert(x == y); assert(front == back);",
        "a = @[calloc(n + 1, sizeof *a)@|calloc(n, sizeof *a)@];",
    ),
    "ahead": _two(
        """
$[int$|unsigned$] x, y;
void *first(void *p) { while (x < LIMIT) {
  ATOMIC(assume_abort_if_not(x - y @[< 1@|<= 1@]); x++;) } return 0; }
void *second(void *p) { while (y < LIMIT) {
  @[ATOMIC(assume_abort_if_not(y < x); y++;)@|
    int v = x; ATOMIC(assume_abort_if_not(y < v); y++;)@] } return 0; }
""",
        "",
    ).replace("@[pthread_join(s, 0);@|@]\n  pthread_join(t, 0);", "ATOMIC(assert(x - y <= 1);)"),
    "beside an endless loop": _two(
        f"""
int x, y;
void *first(void *p) {{ {_ROUNDS} {{ x++; @[assert(x >= 1);@|assert(x != 2);@] }} return 0; }}
void *second(void *p) {{ while (1) {{ $[y = !y;$|if (y > 5) abort();$|y = x;$] }} return 0; }}
""",
        "",
    ).replace("@[pthread_join(s, 0);@|@]\n  ", "$[$|pthread_join(s, 0);$] "),
    "flag": _two(
        """
int x, ready;
void *first(void *p) { @[x = n; ready = 1;@|ready = 1; x = n;@] @[@|x = 0;@] return 0; }
void *second(void *p) { $[while (!ready) ;$|assume_abort_if_not(ready);$|if (!ready) return 0;$]
  int v = x; assert(v == n); return 0; }
""",
        "",
    ),
    "tickets": _many(
        """
unsigned next = $[0$|5$], serving = $[0$|5$], inside;
void *each(void *p) {
  unsigned mine;
  @[ATOMIC(assume_abort_if_not(next < 4000000000u); mine = next; next++;)@|mine = next; next++;@]
  $[while (serving != mine) ;$|assume_abort_if_not(serving == mine);$]
  inside++; assert(inside == 1); @[@|serving++;@] inside--;
  @[serving++;@|serving += 1 + (mine == 0);@|serving = 0;@] return 0; }
"""
    ),
    "lock": _many(
        """
int held, x;
void *each(void *p) {
  @[ATOMIC(assume_abort_if_not(!held); held = 1;)@|while (held) ; held = 1;@]
  x = 5; assert(x == 5); x = 0; @[@|held = 0; x = 1;@] held = 0; return 0; }
"""
    ),
    "readers": _many(
        """
int readers, writing, x;
void *each(void *p) {
  if (__VERIFIER_nondet_bool()) {
    @[ATOMIC(assume_abort_if_not(!writing); readers++;)@|while (writing) ; ATOMIC(readers++;)@]
    int v = x; assert(v == x); @[ATOMIC(readers--;)@|readers--;@]
  } else {
    ATOMIC(assume_abort_if_not(@[!writing && readers == 0@|readers == 0@|!writing@]); writing = 1;)
    x++; assert(readers == 0); writing = 0;
  }
  return 0; }
"""
    ),
    "all are joined": _many(
        """
int x;
void *each(void *p) { @[LOCKED(x++;)@|x++;@|LOCKED(if (x < 1) x++;)@] return 0; }
""",
        "for (int i = @[0@|1@]; i < n; i++) pthread_join(t[@[i@|0@]], 0); assert(x == n);",
    ),
    "each its element": _many(
        """
int a[LIMIT + 1];
void *each(void *p) { int i = (int)(long)p; a[i] = i; @[@|a[i + 1] = 7;@|if (i == 1) a[0] = 1;@]
  int v = a[i]; assert(v == i); return 0; }
""",
        argument="(void *)(long)@[i@|(i / 2)@]",
    ),
}
"""Name -> the text of a shape, without what all have."""

_SLIP = "@"
_MARK = re.compile(r"([$@])\[(.*?)\1\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NearlyRight:
    """A program, the shape that it is of, and the slips that it has."""

    shape: str
    slips: tuple[str, ...]
    text: str


def drawn_from(shape: str, said: Mapping[int, str] | None = None) -> NearlyRight:
    """The program of a shape in which some marks, by their numbers, are what is said: of others it
    is the first of what may stand there, which is right."""
    text, slips, end = HEAD, [], 0
    for k, mark in enumerate(_MARK.finditer(SHAPES[shape])):
        first, *_ = _choices(mark)
        its = (said or {}).get(k, first)
        if mark[1] == _SLIP and its != first:
            slips.append(its)
        text += SHAPES[shape][end : mark.start()] + its
        end = mark.end()
    return NearlyRight(shape, tuple(slips), text + SHAPES[shape][end:])


def _choices(mark: re.Match[str]) -> list[str]:
    return mark[2].split(f"{mark[1]}|")


@st.composite
def nearly_right(draw: st.DrawFn, most_slips: int = MOST_SLIPS) -> NearlyRight:
    """Programs with at most so many slips."""
    shape = draw(st.sampled_from(tuple(SHAPES)))
    marks = dict(enumerate(_MARK.finditer(SHAPES[shape])))
    slippery = [k for k, mark in marks.items() if mark[1] == _SLIP]
    wrong = draw(st.lists(st.sampled_from(slippery), max_size=most_slips, unique=True))
    said = {}
    for k, mark in marks.items():
        if k in wrong:
            said[k] = draw(st.sampled_from(_choices(mark)[1:]))
        elif mark[1] != _SLIP:
            said[k] = draw(st.sampled_from(_choices(mark)))
    return drawn_from(shape, said)
