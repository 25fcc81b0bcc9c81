"""What is known at locations holds in all enumerated states, and pairs called safe never meet.

Oracle: the definition of the semantics, where every action is a step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from abpress.ir.expr import Addr
from abpress.ir.program import AccessKind, Load, Program, Store
from abpress.modular.addresses import AddressedCell, NamedAddress
from abpress.modular.analysis import Solution, analyse
from abpress.modular.claims import claimed, read, written
from abpress.modular.pairs import pairs
from abpress.modular.spots import Spot
from abpress.modular.standing import Detail
from abpress.modular.state import Copied, Known
from abpress.modular.values import (
    AddressOf,
    Atom,
    Holds,
    Multiple,
    Number,
    OwnBit,
    Routine,
    Self,
    Thread,
)
from abpress.proof.modular import check_claims
from abpress.semantics.reference import Configuration
from abpress.semantics.reference_expressions import (
    ReferenceEvaluator,
    SignedOverflow,
    UndefinedBehaviour,
    Unspecified,
    Value,
)
from tests.modular.enumeration import IN_PART, reached
from tests.sampling import examples
from tests.strategies.ir_programs import Features, programs

MOST_STATES = 400
FEATURES = st.sampled_from(
    (
        Features(threads=2, statements=5),
        Features(threads=3, statements=4, unbounded_loops=False),
        Features(threads=2, statements=6, exits=False, pointers=False),
    )
)
DETAIL = st.sampled_from((Detail(), Detail(occurrences=2), Detail(parts=2), Detail(parts=1)))


class Oracle:
    """Compares a solution with states of its program."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._alarms = set()
        for pair in pairs(solution):
            if pair.alarm:
                places = [
                    (solution.classes.listed[p.cls].template, p.location, p.edge)
                    for p in (pair.first, pair.second)
                ]
                self._alarms |= {(places[0], places[1]), (places[1], places[0])}

    def check(self, now: Configuration) -> None:
        """Asserts that all that is claimed holds in a state."""
        for name, thread in now.threads.items():
            if thread.location is None:
                continue
            known = [
                one
                for cls in self._solution.classes.of_template(thread.template)
                for one in self._solution.known.get((cls, thread.location), {}).values()
            ]
            assert any(self._holds(now, name, one) for one in known), (name, thread, known)
        names = [n for n, t in now.threads.items() if t.location is not None]
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                self._check_pair(now, first, second)

    def _check_pair(self, now: Configuration, first: str, second: str) -> None:
        for here, o, offset, size, writes in self._accesses(now, first):
            for there, p, at, length, also in self._accesses(now, second):
                if o == p and (writes or also) and -length < at - offset < size:
                    assert (here, there) in self._alarms, (here, there)

    def _accesses(
        self, now: Configuration, name: str
    ) -> Iterator[tuple[tuple[str, int, int], str, int, int, bool]]:
        thread = now.threads[name]
        program = self._solution.program
        template = program.templates[thread.template]
        assert thread.location is not None
        names = {local: f"{name}:{local}" for local in template.locals}
        evaluate = ReferenceEvaluator(thread.registers, pointer_size=4, names=names)
        for k, edge in enumerate(template.locations[thread.location].edges):
            if edge.access is not AccessKind.PLAIN or template.locations[edge.target].atomic:
                continue
            try:
                if not evaluate(edge.guard) or not edge.effects:
                    continue
                match edge.effects[0]:
                    case Load(target, address):
                        value, size, writes = evaluate(address), target.type.size, False
                    case Store(address, of):
                        value, size, writes = evaluate(address), of.type.size, True
                    case _:
                        continue
            except (Unspecified, UndefinedBehaviour, SignedOverflow):
                continue
            if isinstance(value, tuple) and value[0] in now.memory:
                place = (thread.template, thread.location, k)
                yield place, value[0], value[1], size, writes

    def _holds(self, now: Configuration, name: str, known: Known) -> bool:
        thread = now.threads[name]
        for variable, atoms in known.values.items():
            if isinstance(variable, Spot):
                if not self._cell_holds(now, name, variable, atoms):
                    return False
            elif isinstance(variable, AddressedCell):
                content = self._element(now, name, variable)
                if content is not None and not any(self._is(now, name, a, content) for a in atoms):
                    return False
            elif variable in thread.registers:
                value = thread.registers[variable]
                if not any(self._is(now, name, atom, value) for atom in atoms):
                    return False
        held = [(r, self._copied(now, name, cell)) for r, cell in known.copies.items()]
        held += [(r, self._address(now, name, address)) for r, address in known.moved.items()]
        return all(
            value is None or thread.registers.get(register) in (None, value)
            for register, value in held
        )

    def _copied(self, now: Configuration, name: str, cell: Copied) -> Value | None:
        if isinstance(cell, AddressedCell):
            return self._element(now, name, cell)
        return self._content(now, name, cell)

    def _address(self, now: Configuration, name: str, address: NamedAddress) -> Value | None:
        registers, base = now.threads[name].registers, address.base
        match base:
            case str():
                value = registers.get(base)
            case Addr():
                value = (base.object, base.offset)
            case _:
                value = self._copied(now, name, base)
        if not isinstance(value, tuple):
            return None  # no address of an object
        evaluate = ReferenceEvaluator(registers)
        offset = value[1] + address.offset
        for e in address.by:
            distance = evaluate(e)
            assert isinstance(distance, int)
            offset += distance
        return value[0], (offset + (1 << 31)) % (1 << 32) - (1 << 31)

    def _element(self, now: Configuration, name: str, element: AddressedCell) -> Value | None:
        address = self._address(now, name, element.address)
        if address is None or address[0] not in now.memory:
            return None
        return now.memory[address[0]][address[1]]

    def _content(self, now: Configuration, name: str, spot: Spot) -> Value | None:
        origin = spot.origin
        if origin.kind == "static":
            return now.memory[origin.name][spot.offset]
        if origin.kind == "local":
            template = self._solution.classes.listed[origin.owner].template
            if now.threads[name].template == template:
                return now.memory.get(f"{name}:{origin.name}", {}).get(spot.offset)
        return None

    def _cell_holds(
        self, now: Configuration, name: str, spot: Spot, atoms: frozenset[Atom]
    ) -> bool:
        if spot.origin.kind == "thread":
            return self._status_holds(now, spot.origin.owner, atoms)
        content = self._content(now, name, spot)
        return content is None or any(self._is(now, name, atom, content) for atom in atoms)

    def _status_holds(self, now: Configuration, cls: int, atoms: frozenset[Atom]) -> bool:
        classes = self._solution.classes
        template = classes.listed[cls].template
        if len(classes.of_template(template)) > 1:
            return True
        threads = [t for t in now.threads.values() if t.template == template]
        if not classes.unique(cls):
            return Number(min(len(threads), 1)) in atoms
        assert len(threads) <= 1
        number = 0 if not threads else 1 if threads[0].location is not None else 2
        return Number(number) in atoms

    def _is(self, now: Configuration, name: str, atom: Atom, value: Value) -> bool:
        match atom:
            case Number(n):
                return value == n
            case Multiple(stride, rest):
                return isinstance(value, int) and (value - rest) % stride == 0
            case Self():
                return value == name
            case Thread(cls, other):
                if value not in now.threads or (other and value == name):
                    return False
                template = self._solution.classes.listed[cls].template
                return now.threads[str(value)].template == template
            case AddressOf(origin, offset, stride, own):
                if not isinstance(value, tuple):
                    return False
                if (value[1] - offset) % stride if stride else value[1] != offset:
                    return False
                match origin.kind:
                    case "static":
                        return value[0] == origin.name
                    case "local":
                        return value[0].endswith(f":{origin.name}") and (
                            not own or value[0].startswith(f"{name}:")
                        )
                    case _:
                        return value[0].startswith("heap") and (
                            not own or value[0].startswith(f"heap {name}#")
                        )
            case Routine(function):
                return value == (f"{function}()", 0)
            case OwnBit() | Holds():
                return True


def compare(program: Program, detail: Detail) -> str:
    """Compares a program's states with its solution, if there is one; what that says of races, and
    whether these are all states."""
    solution = analyse(program, detail)
    if solution is None or solution.doubts:
        return "no-data-race unknown"
    found = list(pairs(solution))
    data = json.loads(json.dumps(written(claimed(solution, found))))
    check_claims(program, read(data))
    oracle = Oracle(solution)
    left: list[Configuration] = []
    for now in reached(program, MOST_STATES, left=left):
        oracle.check(now)
    proved = "unknown" if any(pair.alarm for pair in found) else "true"
    return f"no-data-race {proved}{IN_PART if left else ''}"


@settings(max_examples=examples(30, whole=60), deadline=None)
@given(FEATURES.flatmap(programs), DETAIL)
def test_facts_hold_in_random_programs(program: Program, detail: Detail) -> None:
    compare(program, detail)
