"""Facts prove that errors are not reached; each proof has a program beside it that has one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from abpress.config import Config
from abpress.proof.certificate import Rejected
from abpress.result import Verdict
from abpress.verify.certify import check_proof
from abpress.verify.run import Report, verify
from tests.sampling import examples

HEAD = """
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t;
int x, y, flag, *p;
"""

JOINED = """
void *work(void *a) { flag = 1; return 0; }
int main(void) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(flag == 1);
    return 0;
}
"""

RANGE = """
void *work(void *a) { int n = x; if (n < 4) x = n + 2; return 0; }
int main(void) {
    for (;;) { pthread_create(&t, 0, work, 0); int n = x; assert(n <= 5); }
    return 0;
}
"""

TESTED = """
void *work(void *a) { x = __VERIFIER_nondet_int(); return 0; }
int main(void) {
    for (;;) {
        pthread_create(&t, 0, work, 0);
        int n = x, k = n;
        if (n > 3 && k < 7) { k = k + n; assert(k > n); }
    }
    return 0;
}
"""

POINTER = JOINED.replace("flag = 1;", "p = &x;").replace("flag == 1", "p != 0")

CHOSEN = "int s = __VERIFIER_nondet_int(); if (s < 0 || s > 89) abort(); y = s;"

BOTH = (
    POINTER.replace("    pthread_create", f"    {CHOSEN}\n    pthread_create", 1)
    .replace(
        "    return 0;\n}\n",
        """    for (;;) { pthread_create(&t, 0, more, 0); int n = y; assert(n <= 91); }
    return 0;
}
""",
    )
    .replace(
        "int main", "void *more(void *a) { int n = y; if (n < 90) y = n + 2; return 0; }\nint main"
    )
)

HANDLES = """
pthread_t s[5];
void *work(void *a) { flag = 1; return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5) return 0;
    for (int i = 0; i < n; i++) pthread_create(&s[i], 0, work, 0);
    int k = 20 / n, r = 1 << n; p = &x + 1;
    if (p == &x) k = 0;
    if (k > 3) r = flag / n;
    assert(k <= 20);
    return r;
}
"""
"""Pointers are moved within their objects, and nothing is divided by 0."""

ELEMENTS = """
int s[4];
void *work(void *a) {
    int n = __VERIFIER_nondet_int() & 3, k = __VERIFIER_nondet_int() & 3;
    pthread_mutex_lock(&m);
    int v = s[n]; y = 1; assert(s[n] == v);
    s[n] = k; y = 2; assert(s[n] == k);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    s[1] = 2;
    pthread_mutex_unlock(&m);
    return 0;
}
"""
"""NOTE(elements-read-twice): what is read twice while a lock is held, and what was written."""

POINTERS = """
int *z[3];
void start(void) { p = &x; }
void (*begin)(void) = start;
void *work(void *a) { x = 1; return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int() & 1;
    begin();
    z[0] = p; z[1] = z[0] + 1; z[2] = 0;
    assert(z[1] == z[0] + 1 && z[1] != z[0]);
    pthread_create(&t, 0, work, 0);
    return n;
}
"""

NUMBERED = """
void *work(void *a) { int n = (int)(long)a; if (n >= 0 && n < 5) x = n; return 0; }
int main(void) {
    for (long i = 0;; i = (i + 1) & 7) {
        pthread_create(&t, 0, work, (void *)i);
        int n = x; assert(n <= 4);
    }
    return 0;
}
"""
"""A number is handed over in a pointer."""

PROVED = {
    "a number in a pointer": (NUMBERED, "n < 5", "n < 6"),
    "operations that could be undefined": (HANDLES, "k <= 20", "k <= 19"),
    "a write before a join": (JOINED, "flag = 1", "flag = 2"),
    "a pointer that is written before a join": (POINTER, "p = &x", "p = 0"),
    "values of a global": (RANGE, "n + 2", "n + 3"),
    "what was tested before": (TESTED, "n > 3", "n < 3"),
    "some by classes, some by numbers": (BOTH, "n + 2", "n + 3"),
    "an element that is read again": (
        ELEMENTS,
        "    pthread_mutex_lock(&m);\n    s",
        "    s[2] = 9; pthread_mutex_lock(&m); s",
    ),
    "an element that was written": (ELEMENTS, "s[n] = k;", "s[n] = k; s[k] = 9;"),
    "an element where others wait": (
        ELEMENTS,
        "y = 1;",
        "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);",
    ),
    "pointers that are moved": (POINTERS, "z[0] + 1; z", "z[0] + n; z"),
    "a pointer that is written": (POINTERS, "z[2] = 0", "z[1] = 0"),
    "a pointer that may be written": (POINTERS, "z[2] = 0", "z[n] = 0"),
    "the other part of both": (BOTH, "p = &x", "p = 0"),
}


def answer(folder: Path, text: str, **options: Any) -> tuple[Report, Config]:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    given: dict[str, Any] = {"engine": "static", "certificate": True, **options}
    return verify(Config.of(file, property="unreach-call", **given)), Config.of(file)


@pytest.mark.parametrize("name", PROVED)
def test_errors_that_are_not_reached(name: str, tmp_path: Path) -> None:
    text, old, new = PROVED[name]
    report, config = answer(tmp_path, text)
    assert report.result.verdict is Verdict.TRUE
    assert report.engine == "static"
    assert report.certificate is not None
    (accepted,) = check_proof(config, report.certificate)
    assert accepted.property == "unreach-call"
    wrong, config = answer(tmp_path, text.replace(old, new), time_limit=examples(3, 10))
    assert wrong.result.verdict is Verdict.UNKNOWN
    assert any(why in wrong.result.reason for why in ("an error is not excluded", "time limit"))
    with pytest.raises(Rejected):
        check_proof(config, report.certificate)
    options = {"engine": "hunt", "certificate": False, "time_limit": 30.0}
    hunted, _ = answer(tmp_path, text.replace(old, new), **options)
    assert hunted.result.verdict is Verdict.FALSE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p = &x + 1", "p = &x + n"),
        ("p = &x + 1", "p = &x - 1"),
        ("n < 1 ||", "n < 0 ||"),
        ("flag / n", "flag / (n - 3)"),
        ("1 << n", "1 << (n * 8)"),
        ("1 << n", "1 << (n - 2)"),
        ("n > 5", "n > 6"),
        ("p == &x", "p > &y"),
    ],
)
def test_what_may_be_undefined_withholds_the_proof(old: str, new: str, tmp_path: Path) -> None:
    """NOTE(defined-errors)"""
    assert old in HANDLES
    report, _ = answer(tmp_path, HANDLES.replace(old, new))
    assert report.result.verdict is Verdict.UNKNOWN
    assert "an error" not in report.result.reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("long i", "unsigned char i"),
        ("(void *)i", "(void *)(long)(int)i"),
        ("(void *)i", "(void *)(i - 9)"),
        ("int n = (int)(long)a;", "long n = (long)a;"),
        ("(void *)i", "(void *)(i << 31)"),
        ("(void *)i", "i == 3 ? (void *)&y : (void *)i"),
        ("(void *)i", "(void *)(long)&y"),
        ("(i + 1) & 7", "__VERIFIER_nondet_int() * 4L"),
        ("if (n", "a = &y; n = (int)(long)a; if (n"),
    ],
)
def test_pointers_that_may_be_addresses_withhold_the_proof(
    old: str, new: str, tmp_path: Path
) -> None:
    """NOTE(defined-errors)"""
    assert old in NUMBERED
    report, _ = answer(tmp_path, NUMBERED.replace(old, new, 1))
    harmless = not old or "char" in new or "- 9" in new or "(int)i" in new or "long n" in new
    assert report.result.verdict is (Verdict.TRUE if harmless else Verdict.UNKNOWN)
    assert "an error" not in report.result.reason


JOINS = """
pthread_t u[3], v;
void *work(void *a) { y = 1; return 0; }
int main(void) {
    for (int i = 0; i < 3; i++) pthread_create(&u[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(u[i], 0);
    if (y < 2) pthread_create(&v, 0, work, 0);
    pthread_join(v, 0);
    assert(y <= 1);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("if (y < 2)", "if (y < 1)"),
        ("pthread_create(&v, 0, work, 0);", "y = 1;"),
        ("pthread_create(&v, 0", "pthread_create(&u[0], 0"),
        ("i < 3; i++) pthread_create", "i < 2; i++) pthread_create"),
    ],
)
def test_joins_of_no_thread_withhold_the_proof(old: str, new: str, tmp_path: Path) -> None:
    """NOTE(defined-errors)"""
    assert old in JOINS
    report, _ = answer(tmp_path, JOINS.replace(old, new, 1))
    if not old:
        assert report.result.verdict is Verdict.TRUE
    else:
        assert report.result.verdict is Verdict.UNKNOWN
        assert "a join of no thread" in report.result.reason, report.result.reason


@pytest.mark.parametrize("n", ["y", "__VERIFIER_nondet_int()"])
def test_what_a_proof_assumes(n: str, tmp_path: Path) -> None:
    """Nothing but that there is no overflow where one may be, in the words of searches."""
    report, _ = answer(tmp_path, JOINED.replace("flag = 1;", f"int n = {n}; n++; flag = 1;"))
    assert report.result.verdict is Verdict.TRUE
    told = [a for a in report.result.assumptions if "pthread_create" not in a]
    assert len(told) == (n != "y")
    assert all(a.startswith("no signed overflow (possible at") for a in told)


def test_auto_asks_them(tmp_path: Path) -> None:
    report, _ = answer(tmp_path, RANGE, engine="auto", certificate=False)
    assert report.result.verdict is Verdict.TRUE
    assert report.engine == "static"


def test_a_program_without_errors(tmp_path: Path) -> None:
    report, config = answer(tmp_path, "int main(void) { return x; }")
    assert report.result.verdict is Verdict.TRUE
    assert report.certificate is not None
    check_proof(config, report.certificate)


@pytest.mark.parametrize("signed_overflow", ["end", "wrap"])
def test_numbers_that_wrap_around(signed_overflow: str, tmp_path: Path) -> None:
    """The execution ends before the assertion, or reaches it with a negative number."""
    text = "int main(void) { int n = 2147483647; int k = n + x + 1; assert(k > 0); return 0; }"
    text = text.replace("x", "(__VERIFIER_nondet_int() & 3)")
    report, _ = answer(tmp_path, text, signed_overflow=signed_overflow)
    assert (report.result.verdict is Verdict.TRUE) is (signed_overflow == "end")


def test_a_bound_of_the_tool(tmp_path: Path) -> None:
    text = """int f(int n) { return n ? f(n - 1) : 0; }
    int main(void) { int n = f(100000); assert(!n); return 0; }"""
    report, _ = answer(tmp_path, text)
    assert report.result.verdict is Verdict.UNKNOWN


def test_damaged_certificates_are_rejected(tmp_path: Path) -> None:
    """NOTE(joint-facts): each edge has a part that speaks of it, and parts are of one program."""
    report, config = answer(tmp_path, BOTH)
    assert report.certificate is not None
    good = json.loads(report.certificate)
    classes, numbers = good["parts"]
    assert classes["failures"]
    alone = {name: its for name, its in numbers.items() if name != "claims"}
    others = verify(Config.of(config.program.file, property="no-overflow", engine="static"))
    assert others.certificate is not None
    damaged = {
        "one part": {**good, "parts": [classes]},
        "the same part twice": {**good, "parts": [classes, classes]},
        "numbers without what classes know": {**good, "parts": [alone]},
        "no part": {**good, "parts": []},
        "parts that are none": {**good, "parts": 7},
        "parts in parts": {**good, "parts": [good]},
        "hidden failures": {**good, "parts": [{**classes, "failures": []}, numbers]},
        "called local": {
            **good,
            "parts": [classes, {**alone, "stands": [], "local": classes["failures"]}],
        },
        "another property": {**good, "property": "valid-deref"},
        "parts about something else": {
            **good,
            "parts": [{**classes, "property": "no-data-race", "failures": []}, numbers],
        },
        "about overflow": {**good, "parts": [json.loads(others.certificate), numbers]},
        "another program": {**good, "program": "0" * 64},
        "a failure that is no edge": {**good, "parts": [{**classes, "failures": [7]}, numbers]},
    }
    for name, data in damaged.items():
        with pytest.raises(Rejected):
            check_proof(config, json.dumps(data))
            pytest.fail(name)
