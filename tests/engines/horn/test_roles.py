"""What threads are to one another, as orders ask for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.horn.orders import ORDERS, Arrangement, OrderState, fitting
from abpress.engines.horn.roles import groups, parties, sides
from abpress.ir.program import Program
from abpress.semantics.context import DONE
from abpress.symbolic.discrete import Discrete, ThreadPart
from abpress.verify.load import load

PROGRAM = """
#include <pthread.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned a, b, c, d, n;
void *one(void *p) { while (a < n) a += a; return 0; }
void *two(void *p) { while (b < n) b += b; return 0; }
void *three(void *p) { while (c < n) c += c; return 0; }
void *four(void *p) { while (d < n) d += d; return 0; }
int main(void) {
  pthread_t s, t, u, v;
  n = __VERIFIER_nondet_uint();
  a = b = c = d = 1;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_create(&u, 0, three, 0);
  pthread_create(&v, 0, four, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(v, 0);
  CHECK
}
"""


def loaded(folder: Path, check: str) -> Program:
    file = folder / "parties.c"
    file.write_text(PROGRAM.replace("CHECK", check), encoding="utf-8")
    return load(Config.of(file, property="unreach-call")).program


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("if (a != c || d != b) reach_error();", [{"one", "three"}, {"two", "four"}]),
        ("unsigned s = a + d; if (s == b) reach_error();", [{"one", "two", "four"}, {"three"}]),
        ("if (a != c) reach_error();", [{"one", "three"}, {"two"}, {"four"}]),
        ("if (a != b || b != c || c != d) reach_error();", [{"one", "two", "three", "four"}]),
        ("int e = a != c || d != b; if (e) reach_error();", [{"one", "three"}, {"two", "four"}]),
        ("int e = a != c ? 3 : b; if (e == d) reach_error();", [{"one", "two", "three", "four"}]),
        ("if (a == 3 || b == 3) reach_error();", [{"one"}, {"two"}, {"three"}, {"four"}]),
    ],
)
def test_those_whose_results_are_compared_are_in_one_party(
    tmp_path: Path, check: str, expected: list[set[str]]
) -> None:
    program = loaded(tmp_path, check)
    found: dict[int, set[str]] = {}
    for name, party in parties(program).items():
        found.setdefault(party, set()).add(name)
    assert found.pop(0) == {"main"}
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected))
    names = [order.name for order in fitting(program)]
    assert ("rounds of parties" in names) is (1 < len(expected) < 4)


def test_parties_come_one_after_the_other_and_take_turns_inside(tmp_path: Path) -> None:
    program = loaded(tmp_path, "if (a != c || d != b) reach_error();")
    arrangement = Arrangement(ORDERS["rounds of parties"], program)
    names = ("main", "one", "two", "three", "four")
    d = Discrete(tuple(ThreadPart(k, name, 0) for k, name in enumerate(names, 1)), ())
    assert arrangement.arranged(d, [2, 3, 4, 5], OrderState(0)) == [2, 4, 3, 5]
    assert arrangement.arranged(d, [2, 3, 4, 5], OrderState(2)) == [4, 2, 3, 5]
    assert arrangement.arranged(d, [2, 3, 4, 5], OrderState(4)) == [2, 4, 3, 5]
    assert arrangement.arranged(d, [3, 5], OrderState(3)) == [5, 3]


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("if (a != c + d) reach_error();", [{"one"}, {"two"}, {"three", "four"}]),
        (
            "if ((a + b > 9) != (c > 9 && d > 9)) reach_error();",
            [{"one", "two"}, {"three", "four"}],
        ),
        ("if (a != b) reach_error();", [{"one"}, {"two"}, {"three"}, {"four"}]),
    ],
)
def test_those_on_one_side_of_a_comparison_are_together(
    tmp_path: Path, check: str, expected: list[set[str]]
) -> None:
    program = loaded(tmp_path, check)
    found: dict[int, set[str]] = {}
    for name, side in sides(program).items():
        found.setdefault(side, set()).add(name)
    assert found.pop(0) == {"main"}
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected))
    assert len(set(groups(program).values())) == 5
    names = [order.name for order in fitting(program)]
    assert ("rounds of sides" in names) is (len(expected) < 4)


def states_of_the_order(folder: Path, order: str, done: set[int]) -> list[int]:
    """What the order makes of the last turn of each thread, when these have finished."""
    program = loaded(folder, "if (a != c || d != b) reach_error();")
    arrangement = Arrangement(ORDERS[order], program)
    names = ("main", "one", "two", "three", "four")
    d = Discrete(
        tuple(ThreadPart(k, name, DONE if k in done else 0) for k, name in enumerate(names, 1)),
        (),
    )
    left = [k for k in range(1, 6) if k not in done]
    states = [arrangement.simplest(d, OrderState(last)) for last in range(6)]
    for last, state in enumerate(states):
        as_it_was = arrangement.arranged(d, left, OrderState(last))
        assert as_it_was == arrangement.arranged(d, left, state)
        assert state == OrderState(state.last)
    return [state.last for state in states]


def test_states_of_an_order_are_told_apart_only_where_threads_come_in_another_order(
    tmp_path: Path,
) -> None:
    """Where all have had their turn, it is as if nobody had; a thread that has finished had it
    when the one before it had."""
    assert states_of_the_order(tmp_path, "rounds", set()) == [0, 1, 2, 3, 4, 0]
    assert states_of_the_order(tmp_path, "rounds", {3, 5}) == [0, 1, 2, 2, 0, 0]
    assert states_of_the_order(tmp_path, "rounds", {2, 3, 4, 5}) == [0] * 6
    assert states_of_the_order(tmp_path, "rounds of parties", {4}) == [0, 0, 0, 3, 0, 0]
