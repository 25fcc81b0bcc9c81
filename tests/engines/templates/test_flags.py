"""Flags that threads take and give back, for any number of them: what they protect is related.

Beside what is proved there are programs that are wrong, of the rule by which a thread goes on
behind what others notice (NOTE(template-invariants)) and of flags that protect nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.modular.templates import cuts
from tests.engines.templates.test_any_number import WAYS, loaded, locked, proved, ways, worked

SPIN = "while (__sync_lock_test_and_set(&flag, 1)) ; {} __sync_lock_release(&flag);"
STEP = "if (x < 9) {{ x++; {} readers++; }}"
STEPS = f"assert(x == readers); {STEP.format('')}"

RIGHT = {
    "test and set": SPIN.format(STEPS),
    "compare and swap": f"while (!__sync_bool_compare_and_swap(&flag, 0, 1)) ; {STEPS} flag = 0;",
    "once": f"if (__sync_lock_test_and_set(&flag, 1)) return 0; {STEPS} flag = 0;",
    "a mutex": locked(STEPS),
    "an exchange": "while (__atomic_exchange_n(&flag, 1, __ATOMIC_SEQ_CST) != 0) ;"
    "x = 1; assert(x == 1); x = 0; __atomic_store_n(&flag, 0, __ATOMIC_SEQ_CST);",
}
WRONG = {
    "given back too early": SPIN.format(
        f"assert(x == readers); {STEP.format('__sync_lock_release(&flag);')}"
    ),
    "given back by who waits": SPIN.replace(" ;", " flag = 0;", 1).format(STEPS),
    "given back twice": f"{SPIN.format('')} flag = 0; {SPIN.format(STEPS)} flag = 0;",
    "tried twice": "if (__sync_lock_test_and_set(&flag, 1)) __sync_lock_test_and_set(&flag, 1);"
    f"{STEPS} flag = 0;",
    "taken where it is taken": f"if (!__sync_bool_compare_and_swap(&flag, 1, 1)) flag = 1;"
    f"{STEPS} flag = 0;",
    "tested, then set": f"while (flag) ; flag = 1; {STEPS} flag = 0;",
    "looked at by others": "if (__VERIFIER_nondet_int()) {{ int a = x, b = readers; assert(a == b);"
    f" return 0; }} {SPIN.format(STEPS)}".replace("{{", "{").replace("}}", "}"),
    "another value of the flag": f"while (__sync_lock_test_and_set(&flag, 1) > 1) ; {STEPS}"
    "flag = 0;",
    "ends behind it": "ATOMIC(int f = flag; flag = 1;) if (f == 0) abort(); assert(0);",
    "ends at once behind it": "if (__VERIFIER_nondet_int()) { flag = 1; abort(); }"
    "int f = flag; assert(f == 0);",
    "may end behind it": "int c = __VERIFIER_nondet_int(); if (c) { flag = 1; if (c > 1) abort(); }"
    "else { int f = flag; assert(f == 0); } if (c == 1) flag = 0;",
    "stays behind it": "if (__VERIFIER_nondet_int()) { flag = 1; for (;;) ; }"
    "int f = flag; assert(f == 0);",
    "waits behind it": "if (__VERIFIER_nondet_int()) { flag = 1; while (x == 0) ; flag = 0; }"
    "int f = flag; assert(f == 0);",
    "overflows behind it": "int c = __VERIFIER_nondet_int(); if (c == 0x7fffffff)"
    "{ flag = 1; if (c + 1 > 0) x = 1; } int f = flag; assert(f == 0);",
    "takes it back in a block": "flag = 1; int c = __VERIFIER_nondet_int();"
    "ATOMIC(flag = c ? 0 : 0;) int f = flag; assert(f == 0);",
    "takes it back at once": "flag = 1; if (__VERIFIER_nondet_int()) x = 1; flag = 0;"
    "int f = flag; assert(f == 0);",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_flag_protects_is_related(name: str, tmp_path: Path) -> None:
    assert proved(loaded(worked(RIGHT[name]), tmp_path))


@pytest.mark.parametrize(("name", "way"), ways(tuple(WRONG), 8))
def test_what_is_wrong_is_not_proved(name: str, way: str, tmp_path: Path) -> None:
    assert not WAYS[way](loaded(worked(WRONG[name]), tmp_path))


def test_who_may_go_no_further_stands_where_others_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuts, "_ends_program", lambda _: False)
    program = loaded(worked(WRONG["ends at once behind it"]), tmp_path)
    assert not proved(program, 1.5)
    monkeypatch.setattr(cuts, "_covers", lambda _: True)
    assert proved(program)
