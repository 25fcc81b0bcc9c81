"""Numeric facts hold in all enumerated states, and what is proved safe overflows in none.

Oracle: the definition of the semantics, where every action is a step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hypothesis import given, settings

from abpress.analysis.facts import Facts
from abpress.ir.expr import Expr
from abpress.ir.intervals import Interval, within
from abpress.ir.program import Assign, Edge, Load, Overflow, Program, Store
from abpress.ir.types import INT, PtrType
from abpress.modular.analysis import Solution
from abpress.modular.apart import PlacesApart
from abpress.modular.claims import claimed
from abpress.modular.numbers.box import Box
from abpress.modular.numbers.overflow import OverflowFacts, find
from abpress.proof.numbers.certificate import format_numeric, parse_numeric
from abpress.proof.numbers.check import check_numbers
from abpress.proof.numbers.write import numeric_certificate, proved_locally
from abpress.semantics.reference import Configuration, ThreadState
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
    Unspecified,
)
from tests.modular.enumeration import Place, Watching, reached, walked
from tests.sampling import examples
from tests.strategies.ir_counters import counter_program
from tests.strategies.ir_programs import Features, programs

WALKS = 12
MOST_STATES = 1500


def holds(
    program: Program,
    now: Configuration,
    name: str,
    thread: ThreadState,
    box: Box,
    shared: Mapping[str, Interval],
) -> bool:
    """Whether a box tells the truth of a thread; of a cell that another thread hides it may say
    what all threads know."""
    for register, (low, high) in box.regs.items():
        value = thread.registers.get(register)
        if isinstance(program.templates[thread.template].registers[register], PtrType):
            if isinstance(value, tuple):
                return False
            value = INT.wrap(value) if isinstance(value, int) else value
        if isinstance(value, int) and not low <= value <= high:
            return False
    contents = {}
    for cell, (low, high) in box.cells.items():
        object, _, offset = cell.rpartition("+")
        value = now.memory.get(object.replace(f"{thread.template}:", f"{name}:"), {}).get(
            int(offset)
        )
        contents[cell] = value
        told = cell not in box.same and (cell not in shared or within(shared[cell], (low, high)))
        if isinstance(value, int) and not low <= value <= high and not told:
            return False
    return all(
        contents[cell] == thread.registers[register]
        for cell, register in box.same.items()
        if register in thread.registers and contents[cell] is not None
    )


def overflowing(program: Program, now: Configuration) -> Iterator[Place]:
    """The edges that a thread can take now, and that overflow."""
    for name, thread in now.threads.items():
        if thread.location is None:
            continue
        names = {o: f"{name}:{o}" for o in program.templates[thread.template].locals}
        evaluate = ReferenceEvaluator(thread.registers, Overflow.ERROR, pointer_size=4, names=names)
        for k, edge in enumerate(
            program.templates[thread.template].locations[thread.location].edges
        ):
            try:
                if not evaluate(edge.guard):
                    continue
                for e in _first_operands(edge):
                    evaluate(e)
            except SignedOverflow:
                yield thread.template, thread.location, k
            except (Unspecified, UndefinedBehaviour):
                continue


def _first_operands(edge: Edge) -> list[Expr]:
    match edge.effects[:1]:
        case (Assign(_, value),):
            return [value]
        case (Load(_, address),):
            return [address]
        case (Store(address, value),):
            return [address, value]
        case _:
            return []


def compare(
    program: Program, solution: Solution | None = None, more: list[Configuration] | None = None
) -> tuple[OverflowFacts, bool, set[Place]]:
    """Compares a program's states with what is found, also by what is known of single threads if
    that is given, on random executions; returns that, if it is a proof, and which edges overflow in
    states that were reached. `more` gets states that are not looked at."""
    apart = None if solution is None else PlacesApart(solution)
    found = find(program, Facts.of(program), apart=apart)
    local = proved_locally(found)
    left = {place for place in found.alarms if place not in local}
    claims = None if solution is None else claimed(solution, ())
    certificate = numeric_certificate(found, local, claims)
    if not left:
        check_numbers(program, parse_numeric(json.loads(format_numeric(certificate))))
    overflown: set[Place] = set()
    reference = Watching(program, "SignedOverflow")
    every = reached(program, MOST_STATES, reference, more)
    for now in every if solution is None else walked(reference, WALKS):
        for place in overflowing(program, now):
            assert place in left, (place, now)
            overflown.add(place)
        for name, thread in now.threads.items():
            if thread.location is not None:
                boxes = found.numbers.states.get((thread.template, thread.location), [])
                shared = found.numbers.shared
                assert any(holds(program, now, name, thread, box, shared) for box in boxes), (
                    name,
                    thread,
                )
    assert reference.ended <= left
    return found, not left, overflown | reference.ended


def test_counters() -> None:
    outcomes = [compare(counter_program(seed))[1:] for seed in range(examples(10, whole=80))]
    assert sum(proved for proved, _ in outcomes) > examples(1, whole=5)
    assert sum(bool(overflown) for _, overflown in outcomes) > examples(1, whole=5)


def test_handed_numbers() -> None:
    """NOTE(handed-numbers)"""
    seeds = range(20, 20 + examples(6, whole=80))
    assert sum(compare(counter_program(seed, hands=True))[1] for seed in seeds) > 0


@settings(max_examples=examples(20, whole=40), deadline=None)
@given(programs(Features(threads=2, statements=5)))
def test_random_programs(program: Program) -> None:
    compare(replace(program, signed_overflow=Overflow.ERROR))
