"""Each rule of proofs by facts proves something: without it a program is not proved any more.

The rules are named here, and taken out by putting something that knows less in the place of a
function. (That a rule says no more than is true is what `test_rules` and the proof's tests ask.)
What there are rules for is read from the code: the notes that `abpress/modular` and the search for
invariants cite, the values that registers and cells may have, and what certificates may say. Each
of these has a rule in `NEEDED_FOR`, or it is said why it has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from abpress.config import Config
from abpress.engines import errors_by_facts, static
from abpress.ir.program import Program
from abpress.modular import memory, pairs, transfer, values
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.announced import Announcements
from abpress.modular.bounds.lifetimes import EndsOfLife
from abpress.modular.bounds.memory import AccessMemory
from abpress.modular.bounds.pointers import PointerSteps
from abpress.modular.bounds.pointing import Pointing
from abpress.modular.bounds.state import State
from abpress.modular.bounds.zone import Zone
from abpress.modular.classes import ThreadClasses
from abpress.modular.numbers import overflow
from abpress.modular.numbers.holding import NumericHolding
from abpress.modular.standing import ClassStates
from abpress.modular.telling import Exclusion
from abpress.modular.transfer import ClassTransfer
from abpress.modular.valuation import Valuation
from abpress.modular.values import Holds, seen_by_child
from abpress.proof.bounds.certificate import BoundsCertificate, BoundsStand
from abpress.proof.numbers.certificate import NumericCertificate
from abpress.proof.templates.certificate import TemplateCertificate
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load

RACES, OVERFLOW, DEREF, ERRORS = "no-data-race", "no-overflow", "valid-deref", "unreach-call"

HEAD = """
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
void abort(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
#define LOCK(l) pthread_mutex_lock(&l);
#define UNLOCK(l) pthread_mutex_unlock(&l);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
struct pair { int a, b; } pairs[100];
int x, y, flag, *at;
"""


def one(body: str, before: str = "", after: str = "") -> str:
    """One thread beside the first one."""
    return (
        f"void *f(void *p) {{ {body} return 0; }}\nint main(void) {{ pthread_t t; {before}"
        f" pthread_create(&t, 0, f, 0); {after} return 0; }}"
    )


def two(f: str, g: str, before: str = "") -> str:
    """Two threads beside the first one."""
    return (
        f"void *f(void *p) {{ {f} return 0; }}\nvoid *g(void *p) {{ {g} return 0; }}\n"
        f"int main(void) {{ pthread_t t, u; {before} pthread_create(&t, 0, f, 0);"
        " pthread_create(&u, 0, g, 0); return 0; }"
    )


def many(body: str, before: str = "") -> str:
    """Any number of threads."""
    return (
        f"void *f(void *p) {{ {body} return 0; }}\nint main(void) {{ pthread_t t; {before}"
        " for (;;) pthread_create(&t, 0, f, 0); }"
    )


def without(**fields: Any) -> Callable[..., Any]:
    """Whether two accesses overlap, where less is known of where they go."""
    overlap = pairs._overlap
    return lambda f, a, s, b: overlap(f, replace(a, **fields), s, replace(b, **fields))


HELD, BUT, COPY = NumericHolding.held, Valuation.but, State.copy
NODE = "struct node { struct node *next; int n; } *head;"


def kept_only(*given: Any) -> Iterator[tuple[str, bool, bool]]:
    """What a thread keeps, of which nothing is hidden from others."""
    return ((cell, False, kept) for cell, _, kept in HELD(*given))


def forgetting(kind: type) -> Callable[..., Valuation]:
    """Values with other variables, where such a value is anything."""

    def but(given: Valuation, changes: Any) -> Valuation:
        return BUT(
            given,
            (
                (variable, None if any(isinstance(a, kind) for a in its or ()) else its)
                for variable, its in changes
            ),
        )

    return but


def saying_no(field: str) -> Callable[[State], State]:
    """A state of which a copy says less."""

    def copy(state: State) -> State:
        nothing: dict[str, Any] = {field: {}}
        return replace(COPY(state), **nothing)

    return copy


@dataclass(frozen=True)
class Rule:
    """What is put in the place of a function, and a program that is not proved then."""

    where: Any
    function: str
    instead: Any
    property: str
    program: str


RULES: Mapping[str, Rule] = {
    "two threads that say different things of a cell are not there at once": Rule(
        Exclusion, "_agree", lambda *_: True, RACES, many("LOCK(m) x++; UNLOCK(m)")),
    "a class has one thread": Rule(
        ThreadClasses, "unique", lambda *_: False, RACES, one("x = 1; x = 2;")),
    "who is joined has ended": Rule(
        ClassTransfer, "_met", lambda _, register, __, ___, known: known.but([(register, None)]),
        RACES, one("x = 1;", "", "pthread_join(t, 0); x = 2;")),
    "creations of one edge are told apart": Rule(
        ClassTransfer, "_child", lambda self, point, effect, _: self._classes.created(
            self._cls, (point[1], point[2]), effect.template, 0),
        RACES, "void *f(void *p) { LOCK(m) x++; UNLOCK(m) return 0; }\nint main(void) { pthread_t"
        " t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);"
        " for (int i = 0; i < 2; i++) pthread_join(t[i], 0); x = 0; return 0; }"),
    "paths are kept apart": Rule(
        ClassStates, "_key", lambda *_: (), RACES,
        many("int b = __VERIFIER_nondet_int(); if (b) LOCK(m) if (b) x++; if (b) UNLOCK(m)")),
    "what is new belongs to its thread": Rule(
        pairs, "_overlap", without(fresh=False), RACES,
        NODE + many("struct node *k = malloc(sizeof *k); k->n = 1; LOCK(m) if (head) head->n = 2;"
                    "k->next = head; head = k; UNLOCK(m)")),
    "what is new is handed over": Rule(
        ClassTransfer, "_handed_over", lambda *_: set(), RACES,
        "void *f(void *p) { ++*(int *)p; free(p); return 0; }\nint main(void) { pthread_t t;"
        " for (;;) { int *n = malloc(4); *n = 1; pthread_create(&t, 0, f, n); } }"),
    "local variables are each thread's own": Rule(
        pairs, "_overlap", without(own=False), RACES,
        many("int n[100]; n[__VERIFIER_nondet_int() & 63] = 1;")),
    "readers have bits": Rule(
        memory, "_changes_own_bit", lambda *_: False, RACES,
        two("pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);",
            "pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);")),
    "bits are those of threads that have begun": Rule(
        transfer, "seen_by_child", lambda parent: lambda atom: (
            None if isinstance(atom, Holds) else seen_by_child(parent)(atom)), RACES,
        two("pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);",
            "pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);")),
    "members of elements are told apart by strides": Rule(
        pairs, "gcd", lambda a, b: 1 if a or b else 0, RACES,
        two("int k = __VERIFIER_nondet_int(); if (k >= 0 && k < 64) pairs[k].a = 1;",
            "int k = __VERIFIER_nondet_int(); if (k >= 0 && k < 64) pairs[k].b = 1;")),
    "increments are counted": Rule(
        overflow, "grown", lambda *_: {}, OVERFLOW, two("x = x + 1;", "x = x + 1;")),
    "what holds while a lock is free": Rule(
        NumericHolding, "held", kept_only, OVERFLOW,
        many("LOCK(m) x = INT_MAX; if (x == __VERIFIER_nondet_int()) abort(); x = 0; UNLOCK(m)"
             "LOCK(m) if (x + 1 > 5) abort(); UNLOCK(m)")),
    "no other thread writes a cell": Rule(
        NumericHolding, "_is_apart", lambda *_: False, OVERFLOW,
        many("LOCK(m) if (x < 10) x++; UNLOCK(m)")),
    "proofs by the code before a check": Rule(
        static, "proved_locally", lambda *_, **__: (), OVERFLOW,
        one("int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();"
            "if (b <= 0 || a <= INT_MAX - b) if (b >= 0 || a >= INT_MIN - b) a = a + b;")),
    "differences": Rule(
        Zone, "add", lambda *_: True, DEREF,
        one("int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;"
            "int *a = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = 0;")),
    "what is freed later lives": Rule(
        EndsOfLife, "_before", lambda *_: False, DEREF,
        one("*at = 1;", "at = malloc(4);", "pthread_join(t, 0); free(at);")),
    "what pointers in memory may be": Rule(
        PointerSteps, "_held", lambda *_: None, DEREF,
        NODE + many("struct node *k = malloc(sizeof *k); LOCK(m) k->next = head; head = k;"
                    "if (k->next) k->next->n = 1; UNLOCK(m)")),
    "what is in an object that only one thread knows": Rule(
        PointerSteps, "_is_kept_fresh", lambda *_: False, DEREF,
        NODE + many("struct node *k = malloc(sizeof *k), *j = malloc(sizeof *j); k->next = j;"
                    "j->next = k; k->next->next->n = 1; LOCK(m) head = k; UNLOCK(m)")),
    "a flag announces a pointer": Rule(
        Announcements, "is_set", lambda *_: False, DEREF,
        two("__VERIFIER_atomic_begin(); at = &x; flag = 1; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); if (flag) *at = 1; __VERIFIER_atomic_end();")),
    "edges that nobody takes": Rule(
        PlacesApart, "taken", lambda *_: True, DEREF,
        two("*(flag ? at : &x) = 1;", "y = 1;")),
    "threads one after the other": Rule(
        static, "_one_after_another", lambda *_: None, ERRORS,
        one("y = x;", "x = __VERIFIER_nondet_int();", "pthread_join(t, 0); assert(y == x);")),
    "numbers are told apart": Rule(
        Valuation, "but", forgetting(values.Number), RACES,
        one("x = 1;", "", "pthread_join(t, 0); x = 2;")),
    "multiples are told apart": Rule(
        Valuation, "but", forgetting(values.Multiple), RACES,
        many("unsigned i = __VERIFIER_nondet_int(); i = 4 * i; if (i == 1) x++;")),
    "who has a lock is known": Rule(
        Valuation, "but", forgetting(values.Self), RACES, many("LOCK(m) x++; UNLOCK(m)")),
    "which thread an id is of": Rule(
        Valuation, "but", forgetting(values.Thread), RACES,
        one("x = 1;", "", "pthread_join(t, 0); x = 2;")),
    "where pointers point": Rule(
        Valuation, "but", forgetting(values.AddressOf), RACES,
        many("int *k = malloc(4); *k = 1;")),
    "which function it is": Rule(
        Valuation, "but", forgetting(values.Routine), RACES,
        "void one(void) {} void other(void) { x++; } void (*done)(void) = one;"
        + many("if (done == other) x++;")),
    "a thread's bit": Rule(
        Valuation, "but", forgetting(values.OwnBit), RACES,
        two("pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);",
            "pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);")),
    "whether a thread's bit is set": Rule(
        Valuation, "but", forgetting(values.Holds), RACES,
        two("pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw);",
            "pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);")),
    "flags tell states apart": Rule(
        State, "copy", saying_no("flags"), DEREF,
        one("int *q = 0, b = 0; if (__VERIFIER_nondet_int()) { q = &x; b = 1; } if (b) *q = 1;")),
    "where pointers in registers point": Rule(
        State, "copy", saying_no("pointers"), DEREF,
        one("int *q = __VERIFIER_nondet_int() ? &x : 0; if (q) *q = 1;")),
    "numbers have rests": Rule(
        State, "copy", saying_no("rests"), DEREF, "int a[8];"
        + one("int k = __VERIFIER_nondet_int(); if (k % 2 == 0 && k >= 0 && k < 8) a[k + 1] = 1;")),
    "numbers without a sign that wrap around are told": Rule(
        State, "copy", saying_no("wrapped"), DEREF,
        "int a[8];" + one("for (unsigned k = 8; k-- > 0;) a[k] = 1;")),
    "how far pointers are moved": Rule(
        Pointing, "offset", lambda *_: None, DEREF,
        "int a[8];" + one("for (int *k = a; k < a + 8; k++) *k = 1;")),
    "what was read from memory is still there": Rule(
        State, "copy", saying_no("same"), DEREF,
        NODE + many("struct node *k = malloc(sizeof *k); LOCK(m) k->next = head; head = k;"
                    "if (k->next) k->next->n = 1; UNLOCK(m)")),
    "writes to what only one thread knows": Rule(
        AccessMemory, "set_private", lambda *_: None, DEREF,
        NODE + many("struct node *k = malloc(sizeof *k); k->next = 0; LOCK(m) if (head) {"
                    "k->next = head->next; head->next = k; if (k->next) k->next->n = 1; }"
                    "else head = k; UNLOCK(m)")),
    "what a thread knows when it ends": Rule(
        AccessMemory, "ended", lambda *_: frozenset(), DEREF, "int a[9], n;"
        "void *f(void *p) { while (x < n) x++; return 0; }"
        "void *g(void *p) { if (y) abort(); return 0; }"
        "int main(void) { pthread_t t, u; n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) abort();"
        "pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); y = 2; pthread_join(t, 0);"
        "if (x != n) a[x] = 1; return 0; }"),
    "errors are excluded by the code before": Rule(
        errors_by_facts, "proved_locally", lambda *_: (), ERRORS,
        two("LOCK(m) x = __VERIFIER_nondet_int(); UNLOCK(m)",
            "LOCK(m) int n = x, k = n; UNLOCK(m) if (n < 5) y = k; else y = k - n;"
            "assert(y < 5);")),
}  # fmt: skip

NEEDED_FOR: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "notes": {
        "thread-modular": (
            "two threads that say different things of a cell are not there at once",
            "a class has one thread", "who is joined has ended",
            "creations of one edge are told apart", "paths are kept apart",
            "what is new belongs to its thread", "local variables are each thread's own",
            "members of elements are told apart by strides"),
        "handed-over": ("what is new is handed over",),
        "bits-of-threads": ("readers have bits", "bits are those of threads that have begun"),
        "growth": ("increments are counted",),
        "hidden-cells": ("what holds while a lock is free",),
        "held-cells": ("no other thread writes a cell",),
        "first-overflow": ("proofs by the code before a check",),
        "lifetimes": ("what is freed later lives",),
        "members": ("what pointers in memory may be", "what was read from memory is still there",
                    "what is in an object that only one thread knows",
                    "writes to what only one thread knows"),
        "indexed-pointers": ("how far pointers are moved",),
        "announced": ("a flag announces a pointer",),
        "untaken-edges": ("edges that nobody takes",),
        "ends": ("what a thread knows when it ends",),
        "one-after-another": ("threads one after the other",),
        "defined-errors": ("errors are excluded by the code before",),
    },
    "values": {
        "Number": ("numbers are told apart",), "Multiple": ("multiples are told apart",),
        "Self": ("who has a lock is known",), "Thread": ("which thread an id is of",),
        "AddressOf": ("where pointers point",), "Routine": ("which function it is",),
        "OwnBit": ("a thread's bit",), "Holds": ("whether a thread's bit is set",),
    },
    "certificates of accesses": {
        "flags": ("flags tell states apart",),
        "pointers": ("where pointers in registers point",),
        "differences": ("differences",),
        "rests": ("numbers have rests",),
        "fresh": ("what is in an object that only one thread knows",),
        "wrapped": ("numbers without a sign that wrap around are told",),
        "same": ("what was read from memory is still there",),
        "always": ("what pointers in memory may be",),
        "claims": ("what is freed later lives",),
        "ends": ("what a thread knows when it ends",),
        "private": ("writes to what only one thread knows",),
    },
    "certificates of numbers": {
        "counted": ("increments are counted",),
        "shared": ("what holds while a lock is free",),
        "local": ("proofs by the code before a check",),
        "claims": ("no other thread writes a cell",),
    },
}  # fmt: skip
"""What the code knows of, with the rules without which a program is not proved."""

TEMPLATES = "tests/engines/templates/"
ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "notes": {
        "template-invariants": f"{TEMPLATES}test_any_number.py",
        "races-of-any": f"{TEMPLATES}test_races.py",
        "chosen-elements": f"{TEMPLATES}test_elements.py",
        "chosen-nodes": f"{TEMPLATES}test_nodes.py",
        "weighed-threads": f"{TEMPLATES}test_weighed.py",
        "handles-in-arrays": f"{TEMPLATES}test_handles.py",
        "joined-threads": f"{TEMPLATES}test_joined.py",
        "races-behind-joins": f"{TEMPLATES}test_races_behind_joins.py",
        "phases-of-barriers": f"{TEMPLATES}test_phases.py",
        "bits-in-common": "tests/frontend/test_bits_in_common.py",
        "synchronised-accesses": "tests/verify/test_synchronised.py",
        "near-elements": "tests/modular/test_near_elements.py",
        "closed-states": "tests/modular/test_closed_states.py",
        "elements-by-address": "tests/modular/test_elements_by_address.py",
        "visits-again": "tests/modular/test_visits.py",
        "copies-of-nothing": "tests/proof/test_bounds.py",
        "handed-numbers": "tests/proof/test_handed_numbers.py",
        "written-numbers": "tests/proof/test_written_numbers.py",
    },
    "certificates of accesses": {"written": "tests/proof/test_written_numbers.py"},
    "certificates of invariants": {
        "constants": f"{TEMPLATES}test_any_number.py",
        "counters": f"{TEMPLATES}test_races.py",
        "labels": f"{TEMPLATES}test_races.py",
        "groups": f"{TEMPLATES}test_races.py",
    },
}
"""What other tests take out; the last three notes say less, or how to be quick."""


def said_by(certificate: Any, stand: Any = None) -> set[str]:
    """The parts of a certificate that may make a proof."""
    names = {field.name for its in (certificate, stand) if its for field in fields(its)}
    return names - {"program", "property", "alarms", "faults", "format", "stands"}


def known_of() -> Mapping[str, set[str]]:
    """What there are rules for, as the code has it."""
    root = Path(static.__file__).parent.parent
    sources = [*(root / "modular").rglob("*.py"), *(root / "engines" / "templates").glob("*.py")]
    cited = re.compile(r"NOTE\(([a-z-]+)\)")
    return {
        "notes": {note for file in sources for note in cited.findall(file.read_text())},
        "values": {kind.__name__ for kind in get_args(values.Atom)},
        "certificates of accesses": said_by(BoundsCertificate, BoundsStand),
        "certificates of numbers": said_by(NumericCertificate),
        "certificates of invariants": said_by(TemplateCertificate),
    }


def loaded(rule: Rule, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + rule.program)
    return load(Config.of(file, property=rule.property)).program


def proved(rule: Rule, program: Program) -> bool:
    asked = Config.of(Path("program.c"), property=rule.property, engine="static")
    nobody: Callable[[object], None] = lambda _: None  # noqa: E731
    answers, _ = static.prove(program, asked, Limits(), nobody, Soundness())
    return answers[rule.property].verdict is Verdict.TRUE


@pytest.mark.parametrize("name", RULES)
def test_without_a_rule_less_is_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = RULES[name]
    program = loaded(rule, tmp_path)
    assert proved(rule, program)
    monkeypatch.setattr(static, "_SECONDS_ALONE", 0.0)
    monkeypatch.setattr(rule.where, rule.function, rule.instead)
    assert not proved(rule, loaded(rule, tmp_path))


def test_each_rule_is_listed() -> None:
    """A rule that is cited, or may be said, has a program that needs it, here or elsewhere."""
    for part, names in known_of().items():
        assert names == {*NEEDED_FOR.get(part, {}), *ELSEWHERE.get(part, {})}, part
    listed = [rule for part in NEEDED_FOR.values() for its in part.values() for rule in its]
    assert set(listed) == set(RULES)
    root = Path(__file__).parents[2]
    assert all((root / file).is_file() for part in ELSEWHERE.values() for file in part.values())
