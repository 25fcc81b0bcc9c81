"""What facts prove of assertions, overflow and accesses, enumeration does not find violated.

Random C programs with two threads, locks, joins, flags and counters. The oracle is enumeration of
all states, without a reduction.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.run import verify
from tests.modular.enumeration import enumerated, told
from tests.sampling import examples

PROPERTIES = ("unreach-call", "unreach-call", "no-overflow", "valid-deref")

SECONDS = 4.0
"""Of enumeration, which is over before in nearly all programs."""

HEAD = """
#include <pthread.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_t a, b;
int x, y = 1, flag, array[3], *p = &x;
_Bool done;
unsigned u;
"""
SIMPLE = (
    "x = 1;",
    "y = x;",
    "x++;",
    "x--;",
    "*p = 2;",
    "flag = 1;",
    "flag = !flag;",
    "done = 1;",
    "u--;",
    "y = x + y;",
    "array[x & 1] = y;",
    "array[y] = 1;",
    "array[u & 3] = x;",
    "y = 2147483646 + x;",
    "p = &y;",
    "x = 0;",
    "y = 6 / y;",
    "y = 6 % (flag + 1);",
    "y = x << (u & 31);",
    "p = array + x;",
    "p = &array[u & 3];",
)
BLOCKS = (
    "pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&k); {} pthread_mutex_unlock(&k);",
    "if (!pthread_mutex_trylock(&m)) {{ {} pthread_mutex_unlock(&m); }}",
    "__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();",
    "if (__VERIFIER_nondet_bool()) {{ {} }}",
    "if (x < 2) {{ {} }}",
    "if (flag) {{ {} }}",
    "if (done && y) {{ {} }}",
    "for (int i = 0; i < 2; i++) {{ {} }}",
    "x++; {} x--;",
    "{{ int t = x; {} assert(t == x); }}",
    "{{ int t = y; {} y = t; }}",
    "flag = 0; {} assert(!flag);",
)
ASSERTED = ("x", "y", "x - y", "flag", "done", "u", "array[1]", "*p", "x + flag")
HEAD_OF_MAIN = (
    "pthread_create(&a, 0, f, 0);",
    "pthread_create(&b, 0, g, 0);",
    "pthread_join(a, 0);",
    "pthread_join(b, 0);",
    "if (__VERIFIER_nondet_bool()) pthread_join(a, 0);",
    "for (int i = 0; i < 2; i++) pthread_create(&a, 0, f, 0);",
    "pthread_create(&b, 0, g, 0); pthread_join(b, 0);",
)


def assertions() -> st.SearchStrategy[str]:
    return st.builds(
        "assert({} {} {});".format,
        st.sampled_from(ASSERTED),
        st.sampled_from(("==", "!=", "<=", ">=")),
        st.integers(-1, 3),
    )


def statements(depth: int) -> st.SearchStrategy[str]:
    simple = st.one_of(st.sampled_from(SIMPLE), st.sampled_from(SIMPLE[:4]), assertions())
    if not depth:
        return simple
    inner = st.lists(statements(depth - 1), min_size=1, max_size=2).map(" ".join)
    blocks = st.builds(
        lambda block, body: "{ " + block.format(body) + " }", st.sampled_from(BLOCKS), inner
    )
    return st.one_of(simple, blocks, blocks)


def bodies(most: int) -> st.SearchStrategy[str]:
    return st.lists(statements(1), min_size=0, max_size=most).map("\n  ".join)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    main = st.one_of(st.sampled_from(HEAD_OF_MAIN), st.sampled_from(HEAD_OF_MAIN), statements(1))
    begun = draw(st.sampled_from(HEAD_OF_MAIN[:2]))
    rest = "\n  ".join(draw(st.lists(main, max_size=3)))
    return (
        f"{HEAD}void *g(void *q) {{\n  {draw(bodies(1))}\n  return 0;\n}}\n"
        f"void *f(void *q) {{\n  {draw(bodies(2))}\n  return 0;\n}}\n"
        f"int main(void) {{\n  {draw(bodies(1))}\n  {begun}\n  {rest}\n  {draw(assertions())}\n"
        "  return 0;\n}\n",
        draw(st.sampled_from(PROPERTIES)),
    )


def compared(drawn: tuple[str, str], folder: Path, seconds: float | None = None) -> Counter[str]:
    """What facts say of a property of a program, in so many seconds; what they prove is violated
    in no state."""
    text, property = drawn
    file = folder / "program.c"
    file.write_text(text)
    config = Config.of(
        file, property=property, engine="static", certificate=True, time_limit=seconds
    )
    report = verify(config)
    assert report.result.verdict is not Verdict.FALSE, text
    for failed in ("the proof could not be checked", "the proof is rejected"):
        assert failed not in report.result.reason, text
    if report.result.verdict is not Verdict.TRUE:
        return Counter([f"{property} unknown"])
    assert report.certificate is not None
    check_proof(Config.of(file), report.certificate)
    other = enumerated(file, property, SECONDS)
    if property == "unreach-call":
        assert set(other.assumptions) <= set(report.result.assumptions), text
        undefined = other.verdict is Verdict.UNKNOWN and "undefined" in other.reason
        assert not undefined, text  # NOTE(defined-errors)
    return Counter([told(property, other)])


@settings(max_examples=examples(6, whole=16), deadline=None)
@given(texts())
def test_nothing_is_violated_that_is_proved(tmp_path_factory, drawn: tuple[str, str]) -> None:
    compared(drawn, tmp_path_factory.mktemp("errors"))
