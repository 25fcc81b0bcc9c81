"""Invariants of any number of threads: each program that is proved has one beside it that is wrong.

Takes NOTE(template-invariants) at its word. What is wrong is never proved, whatever is guessed or
solved; the checker has the last word in both cases.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.engines.templates import counters, engine, search
from abpress.engines.templates.engine import ErrorsOfTemplates, invariants
from abpress.ir.program import UNREACH_CALL, Program
from abpress.modular.assertions import failures, is_failure
from abpress.modular.definedness import is_fault
from abpress.modular.threads import SoleThreads
from abpress.proof.certificate import Rejected, Unchecked
from abpress.proof.protocols import Claimed
from abpress.proof.templates.certificate import read_templates, write_templates
from abpress.proof.templates.check import check_templates
from abpress.semantics.outcome import Options
from abpress.verify.load import load
from tests.modular import test_random_errors as errors
from tests.modular.enumeration import enumerated, told
from tests.sampling import examples, sample

SECONDS = 600.0
"""More than is needed on any machine, where a proof is found, or none is left to be sought."""

HEAD = """
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
#define ATOMIC(code) __VERIFIER_atomic_begin(); code __VERIFIER_atomic_end();
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, flag, readers;
unsigned u;
"""
FOREVER = "int main(void) {{ pthread_t t; {} for (;;) pthread_create(&t, 0, work, 0); }}"


def worked(body: str, main: str = "") -> str:
    return f"void *work(void *a) {{ {body} return 0; }}\n" + FOREVER.format(main)


def locked(body: str) -> str:
    return f"pthread_mutex_lock(&m); {body} pthread_mutex_unlock(&m);"


STAGE = (
    "ATOMIC(if (flag != 0) abort(); flag = 1;) int s = readers;"
    "if (s == 0) {{ x = 0; {} }} else if (s != 1) return 0;"
    "ATOMIC(if (flag != 1) abort(); flag = 0;)"
)
"""Nobody leaves in the middle, as facts say that are found first: then the flag is a counter."""

UP_OR_DOWN = """
int risen, fallen;
void up(void) {{
  unsigned n;
  int done;
  do {{
    n = u;
    if (n == -1u) return;
    ATOMIC(done = u == n; if (done) {{ risen = 1; u = n + 1; }})
  }} while (!done);
  ATOMIC(assert(fallen || u > n);)
}}
void down(void) {{
  unsigned d;
  int done;
  do {{
    d = u;
    {}
    ATOMIC(done = u == d; if (done) {{ fallen = 1; u = d - 1; }})
  }} while (!done);
  ATOMIC(assert(risen || u < d);)
}}
""" + worked("if (__VERIFIER_nondet_int()) up(); else down();").replace("{", "{{").replace(
    "}", "}}"
)
"""What is tested holds of a copy, where the cell itself has changed: it does not wrap around."""

PAIRS = {
    "a lock": (worked(locked("x++; assert(x == 1); x--;")),
               worked(locked("x++;") + "assert(x <= 9);" + locked("x--;"))),
    "a lock of the first thread": (
        f"void *work(void *a) {{ {locked('x++; x--;')} return 0; }}\n"
        "int main(void) { pthread_t t[1000];"
        " for (int i = 0; i < 1000; i++) pthread_create(&t[i], 0, work, 0);"
        f" {locked('assert(x == 0);')} return 0; }}",
        f"void *work(void *a) {{ {locked('x++; x--;')} return 0; }}\n"
        "int main(void) { pthread_t t[1000];"
        " for (int i = 0; i < 1000; i++) pthread_create(&t[i], 0, work, 0);"
        " assert(x == 0); return 0; }"),
    "a value that was there": (
        worked("int n = x; assert(n == 0);"), worked("x = 1; x = 0; int n = x; assert(n == 0);")),
    "compare and set": (
        worked("unsigned v = u; if (v == -1u) return 0; ATOMIC(int done = u == v; if (done) u++;)"
               "if (done) { ATOMIC(unsigned n = u;) assert(n > v); }"),
        worked("unsigned v = u; ATOMIC(int done = u == v; if (done) u++;)"
               "if (done) { ATOMIC(unsigned n = u;) assert(n > v); }")),
    "readers": (
        worked("ATOMIC(readers++;) int n = readers; assert(n >= 1); ATOMIC(readers--;)"),
        worked("ATOMIC(readers++;) int n = readers; assert(n >= 2); ATOMIC(readers--;)")),
    "a flag that one sets": (
        worked("ATOMIC(int f = flag == 0; if (f) flag = 1;)"
               "if (f) { x = 2; assert(x == 2); x = 0; flag = 0; }"),
        worked("ATOMIC(int f = flag == 0; if (f) flag = 1;)"
               "if (f) { x = 2; flag = 0; assert(x == 2); x = 0; }")),
    "a stage that one goes through": (
        worked(STAGE.format("readers = 1;") + "x = 5; int v = x; assert(v != 0);"),
        worked(STAGE.format("readers = 0;") + "x = 5; int v = x; assert(v != 0);")),
    "as many as there were": (
        worked("ATOMIC(if (x == 9) abort(); x++;) ATOMIC(flag++;) ATOMIC(assert(flag <= x);)"),
        worked("ATOMIC(if (x == 9) abort(); x++;) ATOMIC(flag++;) ATOMIC(assert(flag == x);)")),
    "up or down": (UP_OR_DOWN.format("if (d == 0) return;"), UP_OR_DOWN.format("")),
    "before the others": (
        worked("assert(flag == 1);", "flag = 1;"),
        worked("assert(flag == 1);") .replace("for (;;)", "for (;;flag = 1)")),
}  # fmt: skip


def loaded(text: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return load(Config.of(file, property=UNREACH_CALL)).program


def proved(program: Program, seconds: float = SECONDS) -> bool:
    """Whether a certificate is found that the checker accepts, when it was written and read."""
    marked = frozenset((*failures(program, is_failure(UNREACH_CALL)), *failures(program, is_fault)))
    asked = ErrorsOfTemplates(UNREACH_CALL, marked)
    found = invariants(program, asked, seconds, lambda: False)
    if isinstance(found, str):
        return False
    claimed = Claimed((UNREACH_CALL,), (UNREACH_CALL,), Options())
    text = write_templates(program, found, claimed)
    try:
        check_templates(program, read_templates(json.loads(text)))
    except (Rejected, Unchecked):
        return False
    return True


def by_few_guesses(program: Program) -> bool:
    """Whether few guesses of single threads are enough, however long they take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_STAGES", engine._STAGES[:1])
        return proved(program)


WAYS: Mapping[str, Callable[[Program], bool]] = {
    "by few guesses": by_few_guesses,
    "somehow": lambda program: proved(program, 1.5),
}
"""How what is wrong might be proved."""


def ways(names: Sequence[str], every: int) -> list[tuple[str, str]]:
    """Each by few guesses, and one of so many anyhow, for a while."""
    somehow = [(name, "somehow") for name in sample(names, every)]
    return [(name, "by few guesses") for name in names] + somehow


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_right_is_proved(name: str, tmp_path: Path) -> None:
    program = loaded(PAIRS[name][0], tmp_path)
    assert SoleThreads(program).creates_many
    assert proved(program)


@pytest.mark.parametrize(("name", "way"), ways(tuple(PAIRS), 5))
def test_what_is_wrong_is_not_proved(name: str, way: str, tmp_path: Path) -> None:
    assert not WAYS[way](loaded(PAIRS[name][1], tmp_path))


def test_a_counter_is_found_where_facts_exclude_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_STAGES", engine._STAGES[:1])
    monkeypatch.setattr(counters.Weights, "least", lambda _: None)
    program = loaded(PAIRS["a stage that one goes through"][0], tmp_path)
    assert proved(program, SECONDS)
    monkeypatch.setattr(search, "_is_possible", lambda *_: True)
    assert not proved(program, SECONDS)


def test_assertions_and_tests_of_copies_are_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_STAGES", engine._STAGES[:1])
    right, wrong = (loaded(text, tmp_path) for text in PAIRS["up or down"])
    assert proved(right)
    assert not proved(wrong)


SIMPLE = (
    "x = 1;",
    "x = 0;",
    "x++;",
    "x--;",
    "y = x;",
    "x = y;",
    "flag = 1;",
    "flag = 0;",
    "y = 1;",
)
KINDS = (
    "pthread_mutex_lock(&m); {} assert(x == 0); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); x = 1; assert(x == 1); {} x = 0; pthread_mutex_unlock(&m);",
    "__VERIFIER_atomic_begin(); if (!flag) {{ flag = 1; x = 0; }} __VERIFIER_atomic_end(); {}",
    "__VERIFIER_atomic_begin(); {} assert(y <= 1); __VERIFIER_atomic_end();",
    "{} assert(x <= 1);",
    "while (flag) ; flag = 1; {} assert(x == y); flag = 0;",
    "if (!pthread_mutex_trylock(&m)) {{ x++; {} x--; assert(x == 0); pthread_mutex_unlock(&m); }}",
    "int t = x; {} assert(t == 0 || y);",
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Programs that create threads of one template in a loop, twice or three times."""
    kinds = st.sampled_from((*KINDS, *errors.BLOCKS))
    inner = st.lists(st.sampled_from(SIMPLE), min_size=1, max_size=2).map(" ".join)
    blocks = st.builds(lambda block, body: "{ " + block.format(body) + " }", kinds, inner)
    body = draw(st.lists(blocks, min_size=1, max_size=2).map("\n  ".join))
    before, after = (draw(st.lists(st.sampled_from(SIMPLE), max_size=1)) for _ in range(2))
    return (
        f"{errors.HEAD}void *f(void *q) {{\n  {body}\n  return 0;\n}}\n"
        f"int main(void) {{\n  {' '.join(before)}\n"
        f"  for (int i = 0; i < {draw(st.integers(2, 3))}; i++) pthread_create(&a, 0, f, 0);\n"
        f"  {' '.join(after)} {draw(st.one_of(errors.assertions(), st.just('')))}\n"
        "  return 0;\n}\n"
    )


def compared(text: str, folder: Path, seconds: float = 5.0) -> str:
    """Whether a program is proved; then no error is found by enumeration."""
    file = folder / "program.c"
    file.write_text(text)
    if not proved(load(Config.of(file, property=UNREACH_CALL)).program, seconds):
        return f"{UNREACH_CALL} unknown"
    return told(UNREACH_CALL, enumerated(file, UNREACH_CALL, errors.SECONDS))


@settings(max_examples=examples(3, whole=6), deadline=None)
@given(texts())
def test_nothing_is_violated_that_is_proved(tmp_path_factory, text: str) -> None:
    compared(text, tmp_path_factory.mktemp("templates"), 1.0)
