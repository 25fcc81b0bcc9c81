"""What facts prove of threads that mostly keep apart, enumeration does not find violated.

Random C programs with two threads that write variables of their own, and read inputs that the first
thread has chosen; some of them meddle. NOTE(one-after-another), NOTE(paths-together)
"""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.modular.test_random_errors import compared
from tests.sampling import examples

HEAD = """
#include <pthread.h>
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t a, b;
int in, x, y, sum;
_Bool flag;
int t[2];
"""
READING = ("in", "in + 1", "flag", "3", "in - flag", "{}", "{} + in", "t[flag]")
STATEMENTS = (
    "{0} = {1};",
    "{0} = {1};",
    "if ({1} > 1) {{ {0} = {1}; }} else {{ {0}++; }}",
    "if (flag) {0} = {1};",
    "if ({1} < 2) return 0;",
    "if ({1} == 7) return 0;",
    "{{ int k = {1}; if (k > 0) k--; {0} = k; }}",
    "for (int i = 0; i < 2; i++) {0} += i;",
    "{0} = __VERIFIER_nondet_bool();",
    "__VERIFIER_assume({1} < 3);",
    "t[{2}] = {1};",
    "assert({1} <= 4);",
    "pthread_mutex_lock(&m); {0} = {1}; pthread_mutex_unlock(&m);",
)
MEDDLING = (
    "sum = x;",
    "in = 1;",
    "flag = !flag;",
    "x = 1;",
    "y = 1;",
    "t[0] = 2;",
    "while (flag);",
)
MAIN = (
    "pthread_join(a, 0);",
    "pthread_join(a, 0);",
    "pthread_join(b, 0);",
    "pthread_join(b, 0);",
    "pthread_create(&b, 0, g, 0);",
    "pthread_create(&b, 0, g, 0);",
    "if (flag) pthread_join(a, 0);",
    "if (in > 1) sum = 1; else sum = 2;",
    "sum = x;",
    "sum = x + y;",
    "a = b;",
    "in = 0;",
)
ALL = ("pthread_create(&b, 0, g, 0);", "pthread_join(a, 0);", "pthread_join(b, 0);")
ASSERTED = ("x == y", "x <= 4", "sum < 6", "y >= 0", "x == in", "t[0] == t[1]", "x == y || flag")


@st.composite
def bodies(draw: st.DrawFn, own: str, element: int) -> str:
    found = []
    for _ in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 19)) == 0:
            found.append(draw(st.sampled_from(MEDDLING)))
            continue
        value = draw(st.sampled_from(READING)).format(own)
        found.append(draw(st.sampled_from(STATEMENTS)).format(own, value, element))
    return "\n  ".join(found)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    some = st.lists(st.sampled_from(MAIN), min_size=1, max_size=4)
    rest = "\n  ".join((*draw(st.just(ALL) | st.just(ALL) | some), *draw(some | st.just([]))))
    same = draw(st.sampled_from((True, True, False)))
    asserted = draw(st.just("x == y") | st.sampled_from(ASSERTED))
    first = draw(bodies("x", 0))
    second = re.sub(r"\bx\b", "y", first).replace("t[0]", "t[1]") if same else draw(bodies("y", 1))
    return (
        f"{HEAD}void *f(void *q) {{\n  {first}\n  return 0;\n}}\n"
        f"void *g(void *q) {{\n  {second}\n  return 0;\n}}\n"
        "int main(void) {\n  in = __VERIFIER_nondet_bool() + 2 * __VERIFIER_nondet_bool();\n"
        "  flag = __VERIFIER_nondet_bool();\n  pthread_create(&a, 0, f, 0);\n"
        f"  {rest}\n  assert({asserted});\n  return 0;\n}}\n",
        draw(st.sampled_from(("unreach-call", "unreach-call", "no-overflow", "valid-deref"))),
    )


@settings(max_examples=examples(6, whole=16), deadline=None)
@given(texts())
def test_nothing_is_violated_that_is_proved(tmp_path_factory, drawn: tuple[str, str]) -> None:
    compared(drawn, tmp_path_factory.mktemp("sequence"))
