"""The kinds of experiment `fuzz` that are about facts.

What is said of a program is, by property, whether it is proved, and then whether all of its states
were looked at. Programs are cheap: each is read once, as a proof and an oracle ask for the same
one; limits are of processor time, as the machine may be busy; and clauses, for which a process is
begun that uses up its time in most cases, are solved for one program of so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any
from zlib import crc32

import pytest
from hypothesis import strategies as st

from abpress.engines.templates import search
from abpress.ir.program import Overflow, Program
from abpress.modular.spots import Spots
from abpress.modular.standing import Detail
from abpress.search import limits
from abpress.semantics.reference import Configuration
from abpress.smt.clauses import Unsolved
from abpress.verify import share, watchdog
from tests.engines.templates import (
    test_any_number,
    test_elements,
    test_nodes,
    test_races,
    test_races_behind_joins,
)
from tests.modular import (
    test_bounds_random,
    test_elements_random,
    test_guarded_random,
    test_lists_random,
    test_locks_random,
    test_members_random,
    test_near_elements,
    test_numbers_random,
    test_random_errors,
    test_random_facts,
    test_random_races,
    test_sequence_random,
)
from tests.modular.enumeration import IN_PART
from tests.reading import read_each_once
from tests.strategies.ir_counters import counter_program
from tests.strategies.ir_programs import Features, programs

Check = Callable[[Any, Path], "bool | str | Counter[str]"]

SECONDS = 0.5
"""To prove a program: most are proved in half of it, or not at all."""

SECONDS_OF_ANY = 3.0
"""To find invariants of any number of threads."""

NUMBERS = st.binary(min_size=8, max_size=8).map(lambda drawn: int.from_bytes(drawn, "big"))
"""Seeds: small ones are not more likely than others."""

CLAUSES_OF = 16
"""Programs of which those of one are solved."""


def make_cheap(patch: pytest.MonkeyPatch) -> None:
    """Programs are read once, and time is that of the processor everywhere."""
    for module in (limits, share, watchdog):
        patch.setattr(module, "monotonic", process_time)
    read_each_once(patch)


@contextmanager
def _few_clauses(text: str) -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        if crc32(text.encode()) % CLAUSES_OF:
            patch.setattr(search, "solve_apart", lambda *_: Unsolved("not asked"))
        yield patch


def _static(drawn: tuple[str, str], folder: Path) -> Counter[str]:
    with _few_clauses(drawn[0]):
        return test_guarded_random.compared(drawn, folder, SECONDS)


def _templates(text: str, folder: Path) -> str:
    with _few_clauses(text):
        return test_any_number.compared(text, folder, SECONDS_OF_ANY)


def _locks(number: int) -> tuple[str, str]:
    text = test_locks_random.Text(number).program()
    small = text.replace("extern int __VERIFIER_nondet_int", "extern _Bool __VERIFIER_nondet_bool")
    small = small.replace("__VERIFIER_nondet_int", "__VERIFIER_nondet_bool")
    return small, ("no-overflow", "valid-deref")[number % 2]


def _of_races(texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(texts, st.just(test_random_races.RACES))


_JOINING = st.one_of(test_races.texts(), test_races_behind_joins.texts())
_OBJECTS = NUMBERS.map(lambda number: test_elements_random.Objects(number).program())
_STATIC = st.one_of(
    test_guarded_random.texts(),
    test_guarded_random.texts(),
    test_random_errors.texts(),
    test_sequence_random.texts(),
    NUMBERS.map(_locks),
    *map(_of_races, (test_random_races.texts(), test_near_elements.texts(), _JOINING, _OBJECTS)),
)


def _of_pointers(number: int) -> tuple[str, str]:
    if number % 3:
        return test_lists_random.Lists(number).program(), "ILP32"
    draws = test_bounds_random.Moving if number % 7 < 4 else test_bounds_random.Text
    text = draws(number).program()
    if number % 2:
        return text, "ILP32"
    type, data_model = (("size_t", "LP64"), ("long", "LP64"), ("unsigned", "ILP32"))[number % 5 % 3]
    return test_bounds_random.with_numbers(text, type), data_model


def _pointers(drawn: tuple[str, str], folder: Path) -> str:
    text, data_model = drawn
    more: list[Configuration] = []
    program = test_bounds_random.program_of(text, folder, data_model)
    found, _ = test_bounds_random.compare(program, more=more)
    return f"valid-deref {'unknown' if found.alarms else 'true'}{IN_PART if more else ''}"


def _races(text: str, folder: Path) -> str:
    """By invariants of any number of threads, where facts know nothing of elements by addresses."""
    with _few_clauses(text) as patch:
        patch.setattr(Spots, "by_address", False)
        return test_races.compared(text, folder, SECONDS_OF_ANY)


def _facts(drawn: tuple[Program, Detail], _: Path) -> str:
    return test_random_facts.compare(*drawn)


def _of_numbers(number: int) -> Program | int:
    return number if number % 4 == 0 else counter_program(number, hands=number % 4 == 3)


def _numbers(drawn: Program | int, folder: Path) -> str:
    whole = isinstance(drawn, Program)
    program = drawn if whole else test_members_random.program_of(drawn, folder)
    more: list[Configuration] = []
    _, proved, _ = test_numbers_random.compare(program, more=more)
    return f"no-overflow {'true' if proved else 'unknown'}{IN_PART if more else ''}"


KINDS: dict[str, tuple[st.SearchStrategy[Any], Check]] = {
    "static": (_STATIC, _static),
    "pointers": (NUMBERS.map(_of_pointers), _pointers),
    "templates": (st.one_of(test_any_number.texts(), test_elements.texts()), _templates),
    "nodes": (test_nodes.texts(), test_nodes.compared),
    "races": (_JOINING, _races),
    "facts": (
        st.tuples(test_random_facts.FEATURES.flatmap(programs), test_random_facts.DETAIL),
        _facts,
    ),
    "numbers": (
        st.one_of(
            NUMBERS.map(_of_numbers),
            programs(Features(threads=2, statements=5)).map(
                lambda program: replace(program, signed_overflow=Overflow.ERROR)
            ),
        ),
        _numbers,
    ),
}
"""Kind -> its programs, and the check."""
