"""Violations are seen on the compiled program, by the schedule of the trace, and no others are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.errors import InputError
from abpress.replay.assembly import CodePlaces, defined_in, prepared, renamed
from abpress.replay.plan import Does, plan_of
from abpress.replay.run import Replayed, replayed
from abpress.verify.run import verify
from abpress.witness.trace import Trace
from tests.cli.conftest import Command, abpress
from tests.compiled.machine import links

__all__ = ["abpress"]

CAUSES = Path(__file__).resolve().parent.parent / "programs" / "causes"

needs_compiler = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")


def trace_of(file: Path, property: str) -> Trace:
    trace = verify(Config.of(file, properties=(property,))).result.trace
    assert isinstance(trace, Trace)
    return trace


def replayed_on(file: Path, trace: Trace, folder: Path) -> Replayed:
    return replayed(plan_of(trace), Config.of(file).program, folder)[0]


SAMPLE = {
    "aba": ("unreach-call", "assertion top == 1 || top == below fails"),
    "lost_update": ("unreach-call", "assertion"),
    "if_instead_of_while": ("unreach-call", "assertion"),
    "lock_order": ("no-deadlock", "wait for ever"),
    "lost_wakeup": ("no-deadlock", "wait for ever"),
    "race_no_lock": ("no-data-race", "stand before accesses"),
    "race_with_free": ("no-data-race", "stand before accesses"),
    "use_after_free": ("valid-deref", "heap-use-after-free"),
    "double_free": ("valid-free", "double-free"),
}


@needs_compiler
@pytest.mark.parametrize("name", SAMPLE)
def test_violations_are_reproduced(name: str, tmp_path: Path) -> None:
    property, said = SAMPLE[name]
    file = CAUSES / f"{name}.c"
    found = replayed_on(file, trace_of(file, property), tmp_path)
    assert found.reproduced, (found.what, list(found.notes))
    assert said in found.what


@pytest.mark.parametrize("name", SAMPLE)
def test_violations_are_reproduced_by_clang(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    property, said = SAMPLE[name]
    if not links("clang", *(["-fsanitize=address"] if property.startswith("valid") else [])):
        pytest.skip("no clang, or none with its sanitizers")
    monkeypatch.setenv("CC", "clang")
    file = CAUSES / f"{name}.c"
    found = replayed_on(file, trace_of(file, property), tmp_path)
    assert found.reproduced, (found.what, list(found.notes))
    assert said in found.what
    assert found.compiler == ""


COMPILED_AWAY = """
#include <assert.h>
int main(void) {
#ifndef NONE
  assert(0);
#endif
  return 0;
}
"""


@needs_compiler
@pytest.mark.parametrize("first", ['exec gcc -DNONE "$@"', "exit 1"])
def test_another_compiler_may_show_it(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "bin" / "other"
    other.parent.mkdir()
    other.write_text(f"#!/bin/sh\n{first}\n")
    other.chmod(0o755)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("abpress.core.build.COMPILERS", (str(other), "gcc"))
    file = tmp_path / "away.c"
    file.write_text(COMPILED_AWAY)
    found = replayed_on(file, trace_of(file, "unreach-call"), tmp_path)
    assert found.reproduced, found.what
    assert any("gcc compiles it" in note for note in found.notes) is (first != "exit 1")
    monkeypatch.setattr("abpress.core.build.COMPILERS", (str(other),))
    if first == "exit 1":
        with pytest.raises(InputError, match="other fails"):
            replayed_on(file, trace_of(file, "unreach-call"), tmp_path)
    else:
        assert not replayed_on(file, trace_of(file, "unreach-call"), tmp_path).reproduced


NOT_A_NUMBER = """
#include <assert.h>
float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  assert(x <= 0 || x > 0);
  return 0;
}
"""

NO_MEMORY = """
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *first = malloc(4), *second = calloc(1, 4);
  assert(!first || second);
  return 0;
}
"""

THROUGH_A_POINTER = """
void reach_error(void) {}
int main(void) {
  void (*ends)(void) = reach_error;

  ends();
  return 0;
}
"""

STRUCT_IS_EXCHANGED_AT_ONCE = """
#include <assert.h>
#include <stdatomic.h>
struct wide { long a, b; };
static _Atomic struct wide both;
int main(void) {
  struct wide old = {0, 0}, next = {1, 2};
  assert(atomic_compare_exchange_strong(&both, &old, next));
  assert(atomic_compare_exchange_strong(&both, &old, next));
  return 0;
}
"""

STRUCT_IS_READ_AT_ONCE = """
#include <pthread.h>
struct pair { int a, b; } shared;
static void *writer(void *unused) {
  shared.b = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct pair seen = shared;
  pthread_join(t, 0);
  return seen.a;
}
"""

OPERANDS_IN_ANOTHER_ORDER = """
#include <pthread.h>
int cells[2];
static void *smooth(void *arg) {
  int me = *(int *)arg;
  for (int i = 0; i < 2; i++)
    cells[me] = (cells[me] + cells[(me + 1) % 2]) / 2;
  return 0;
}
int main(void) {
  pthread_t t, u;
  int first = 0, second = 1;
  pthread_create(&t, 0, smooth, &first);
  pthread_create(&u, 0, smooth, &second);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""

TWO_MEMBERS = """
#include <pthread.h>
#include <stdlib.h>
struct entry { int key, value; };
static struct entry *cached;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *arg) {
  pthread_mutex_lock(&lock);
  struct entry *entry = cached;
  pthread_mutex_unlock(&lock);
  return entry->value != entry->key ? arg : 0;
}
static void *evictor(void *arg) {
  pthread_mutex_lock(&lock);
  struct entry *old = cached;
  cached = 0;
  pthread_mutex_unlock(&lock);
  free(old);
  return arg;
}
int main(void) {
  pthread_t t, u;
  cached = calloc(1, sizeof *cached);
  pthread_create(&t, 0, reader, 0);
  pthread_create(&u, 0, evictor, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""

NO_STOPS = """
#include <ctype.h>
#include <pthread.h>
static const int weights[2] = {3, 4};
static int total;
static void *counts(void *arg) {
  int mine = 0;
  for (int i = 0; i < 2; i++)
    mine += weights[i];
  if (!isspace(*(char *)arg))
    mine++;
  total += mine;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, counts, "b");
  counts("a");
  pthread_join(t, 0);
  return 0;
}
"""  # of the macro isspace, and of constants

MENDED = [
    ("no-data-race", NO_STOPS, "stand before accesses of the same total"),
    ("unreach-call", NOT_A_NUMBER, "assertion x <= 0 || x > 0 fails"),
    ("unreach-call", NO_MEMORY, "assertion !first || second fails"),
    ("unreach-call", THROUGH_A_POINTER, "reach_error is called"),
    ("no-data-race", STRUCT_IS_READ_AT_ONCE, "stand before accesses of the same shared"),
    ("unreach-call", STRUCT_IS_EXCHANGED_AT_ONCE, "9:3: assertion"),
    ("no-data-race", OPERANDS_IN_ANOTHER_ORDER, "stand before accesses of the same cells"),
    ("valid-deref", TWO_MEMBERS, "heap-use-after-free"),
]


@needs_compiler
@pytest.mark.parametrize("property, text, said", MENDED)
def test_what_the_compiler_does_otherwise_than_the_model(
    property: str, text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "program.c"
    file.write_text(text)
    config = Config.of(file, properties=(property,), malloc_may_fail=text == NO_MEMORY)
    trace = verify(config).result.trace
    assert isinstance(trace, Trace)
    found = replayed_on(file, trace, tmp_path)
    assert found.reproduced, (found.what, list(found.notes))
    assert said in found.what


LOST = """
#include <assert.h>
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *adds(void *arg) {
  BEFORE int old = x; BETWEEN x = old + 1; AFTER
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adds, 0);
  pthread_create(&b, 0, adds, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
"""


def written(folder: Path, name: str, before: str = "", between: str = "", after: str = "") -> Path:
    text = LOST.replace("BEFORE", before).replace("BETWEEN", between).replace("AFTER", after)
    (folder / name).mkdir()
    file = folder / name / "adds.c"
    file.write_text(text)
    return file


@needs_compiler
def test_the_trace_of_a_program_is_not_seen_on_the_repaired_one(tmp_path: Path) -> None:
    trace = trace_of(written(tmp_path, "wrong"), "unreach-call")
    lock, unlock = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
    repaired = written(tmp_path, "repaired", before=lock, after=unlock)
    found = replayed_on(repaired, trace, tmp_path)
    assert not found.reproduced
    assert found.what == "the program has ended without a violation"
    assert any("has to wait" in note for note in found.notes)


@needs_compiler
def test_functions_that_are_one_step_are_not_interrupted(tmp_path: Path) -> None:
    trace = trace_of(written(tmp_path, "wrong"), "unreach-call")
    repaired = written(tmp_path, "repaired")
    text = repaired.read_text().replace("int old = x;  x = old + 1;", "__VERIFIER_atomic_add();")
    step = "static void __VERIFIER_atomic_add(void) { int old = x; x = old + 1; }\n"
    repaired.write_text(text.replace("static void *adds(", f"{step}static void *adds("))
    assert not replayed_on(repaired, trace, tmp_path).reproduced


@needs_compiler
def test_inputs_are_those_of_the_trace(tmp_path: Path) -> None:
    file = tmp_path / "input.c"
    file.write_text(
        "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
        "unsigned char __VERIFIER_nondet_uchar(void);\n"
        "int main(void) {\n  int a = __VERIFIER_nondet_int();\n"
        "  assert(a != 77 || __VERIFIER_nondet_uchar() != 200 || __VERIFIER_nondet_int() != 5);\n"
        "}\n"
    )
    trace = trace_of(file, "unreach-call")
    assert replayed_on(file, trace, tmp_path).reproduced


def test_a_trace_is_read_as_it_was_written() -> None:
    trace = trace_of(CAUSES / "lost_wakeup.c", "no-deadlock")
    assert trace.steps
    assert Trace.of_json(trace.to_json()).to_json() == trace.to_json()


def test_a_call_of_the_library_is_one_item() -> None:
    plan = plan_of(trace_of(CAUSES / "lock_order.c", "no-deadlock"))
    assert plan.segments == ("main", "main.1", "main.2")
    assert [(its.does, its.what, its.position.line) for its in plan.items["main.1"]] == [
        (Does.CALLS, "pthread_mutex_lock", 11)
    ]


ASSEMBLY = """\t.file 1 "a.c"
\t.type\tx, @object
\t.size\tx, 4
x:
\t.long\t3
\t.text
\t.type\tmain, @function
main:
\t.loc 1 7 5
\tcall\tpthread_self@PLT
\t.string\t"pthread_self"
"""


def test_what_is_put_into_a_text() -> None:
    places = CodePlaces()
    lines = prepared(ASSEMBLY, Path("/where"), places).splitlines()
    call = lines.index("\tcall\tpthread_self@PLT")
    assert lines[call - 1] == "\tmovl\t$1, abp_site(%rip)"
    assert str(places.sites[1]) == "/where/a.c:7:5"
    assert (places.sites[1].caller, places.sites[1].callee) == ("main", "pthread_self")
    assert lines[lines.index("\t.long\t3") + 1] == "\t.zero\t64"
    assert lines[-1] == "\t.quad\tx, 4, 1, 64"
    assert places.objects[1:] == ["x"]
    assert defined_in(ASSEMBLY) == {"x", "main"}
    again = renamed(ASSEMBLY, ["pthread_self"])
    assert "call\tabp_pthread_self@PLT" in again and '"pthread_self"' in again


@needs_compiler
def test_the_command(abpress: Command, tmp_path: Path) -> None:
    file = written(tmp_path, "wrong")
    abpress("verify", file, "--property", "unreach-call")
    run = abpress("replay", "result.json")
    assert run.status == 0, run.out + run.err
    assert run.out.startswith("abpress replay: reproduced (main at ")
    repaired = written(tmp_path, "repaired", between="assert(x == old);")
    assert abpress("replay", "result.json", repaired).status == 1
    assert abpress("replay", "result.json", "--property", "no-deadlock").status == 3
    assert abpress("replay", repaired).status == 3


def test_a_compiler_is_needed(abpress: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    abpress("verify", CAUSES / "lost_update.c")
    monkeypatch.setenv("CC", "no-such-compiler")
    run = abpress("replay", "result.json")
    assert run.status == 3
    assert "install gcc" in run.err
