"""Certificates of closed programs by enumeration of states, expanded in any threads one likes.

A node is a discrete state with the values of all its variables; its label says these values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import permutations

from abpress.ir.expr import Compare, Const, Expr, Reg, rewrite
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow, Program
from abpress.logic.formula import FALSE, conj, format_formula, holds, substitute
from abpress.proof.certificate import (
    Accepted,
    Certificate,
    CertifiedNode,
    CertifiedPlace,
    Path,
    place_digest,
    program_digest,
)
from abpress.proof.shown import SHOWN
from abpress.properties import PROPERTIES
from abpress.semantics.context import DONE
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.symbolic.discrete import Discrete, SymbolicStep
from abpress.symbolic.exchange import SymmetricSystem
from abpress.symbolic.system import SymbolicSystem
from tests.proof.proofs import verdict

State = tuple[Discrete, tuple[tuple[str, Const], ...]]

Choice = Callable[[State, tuple[str, ...]], Collection[str]]
"""The threads, of those that are not finished, in which a state is expanded."""


def everything(state: State, threads: tuple[str, ...]) -> Collection[str]:
    return threads


def only(*templates: str, **locations: int) -> Choice:
    """Where threads of templates stand at the locations: the threads of the first templates."""

    def choose(state: State, threads: tuple[str, ...]) -> Collection[str]:
        parts = [part for part in state[0].threads if part.location != DONE]
        if not locations.items() <= {(part.template, part.location) for part in parts}:
            return threads
        pairs = zip(parts, threads, strict=True)
        return [name for part, name in pairs if part.template in templates]

    return choose


class TooLarge(Exception):
    """The program has more states than are wanted."""


@dataclass(frozen=True)
class Built:
    """A certificate, and the state of each of its nodes. `error`: a step that is possible in it
    ends in an error, or a state is deadlocked if that is asked."""

    certificate: Certificate
    states: list[State]
    error: bool


def build(
    program: Program,
    choose: Choice = everything,
    reduction: str = "source+summaries",
    forget: Collection[str] = (),
    most: int = 10_000,
    property: str = "unreach-call",
    symmetric: bool = False,
) -> Built:
    """Enumerates the states of a program without inputs. Labels leave out what is to be forgotten.

    States that are met again become covered nodes; with `symmetric` also those that are the same
    but for a permutation of threads of one template, as far as places allow it. Raises TooLarge,
    and TellsApart.
    """
    return _Builder(program, choose, forget, most, property, symmetric).build(reduction)


class _Builder:
    def __init__(
        self,
        program: Program,
        choose: Choice,
        forget: Collection[str],
        most: int,
        property: str,
        symmetric: bool,
    ) -> None:
        self._program = program
        self._property = property
        self._interpreter = Interpreter(program, Options())
        self._symmetric: SymmetricSystem | None = None
        if symmetric:
            self._symmetric = SymmetricSystem(program, Options(), self._interpreter)
        self._system = self._symmetric or SymbolicSystem(program, Options(), self._interpreter)
        self._moves: dict[int, dict[str, str]] = {}
        self._choose, self._forget, self._most = choose, forget, most
        self._folder = Folder(Overflow.WRAP, {})
        self._states: list[State] = []
        self._first: dict[State, int] = {}
        self._by_values: dict[tuple[tuple[str, Const], ...], list[tuple[Discrete, int]]] = {}
        self._covered: dict[int, int] = {}
        self._formulas: dict[str, int] = {}
        self._error = False

    def build(self, reduction: str) -> Built:
        d, facts = self._system.initial()
        values = {}
        for fact in facts:
            match fact.expr:
                case Compare("==", Reg(name), Const() as value):
                    values[name] = value
                case _:
                    raise AssertionError(fact)
        self._meet(d, values)
        nodes = []
        for n, state in enumerate(self._states):
            place, label = n, self._label(state)
            if n in self._covered:
                by, moves = self._covered[n], self._moves.get(n, {})
                nodes.append(CertifiedNode(place, label, covered_by=by, moves=moves))
            else:
                nodes.append(CertifiedNode(place, label, expanded=self._expand(state)))
        names = tuple(map(self._system.name, range(1, self._interpreter.views.threads_met() + 1)))
        found = Certificate(
            program_digest(self._program),
            self._property,
            256,
            64,
            reduction,
            "int",
            names,
            tuple(self._formulas),
            tuple(CertifiedPlace(place_digest(d), {}) for d, _ in self._states),
            tuple(nodes),
            symmetric=self._symmetric is not None,
        )
        return Built(found, self._states, self._error)

    def _meet(self, d: Discrete, values: dict[str, Const]) -> int:
        kept = {name: value for name, value in values.items() if name not in self._forget}
        state = d, tuple(sorted(kept.items()))
        n = len(self._states)
        if n >= self._most:
            raise TooLarge
        self._states.append(state)
        if state in self._first:
            self._covered[n] = self._first[state]
            return n
        found = self._another(state)
        if found is None:
            self._first[state] = n
            self._by_values.setdefault(state[1], []).append((d, n))
        else:
            self._covered[n], self._moves[n] = found
        return n

    def _another(self, state: State) -> tuple[int, dict[str, str]] | None:
        """A node of the same state but for a permutation, by trying all, with its moves."""
        system = self._symmetric
        if system is None:
            return None
        d, values = state
        threads = sorted(part.id for part in d.threads if part.template != self._program.main)
        for way in permutations(threads):
            moves = {t: u for t, u in zip(threads, way, strict=True) if t != u}
            names = {system.name(t): system.name(u) for t, u in moves.items()}
            image = tuple(sorted((_renamed(x, names), c) for x, c in values))
            for other, content in self._by_values.get(image, ()):
                if moves and not system.why_not(d, other, moves):
                    return content, names
        return None

    def _label(self, state: State) -> tuple[int, ...]:
        equalities = (holds(Compare("==", Reg(x, c.type), c)) for x, c in state[1])
        formulas = self._formulas
        return tuple(formulas.setdefault(format_formula(f), len(formulas)) for f in equalities)

    def _expand(self, state: State) -> dict[str, tuple[tuple[Path, int], ...]]:
        d = state[0]
        system = self._system
        threads = () if system.ended(d) is not None else system.threads(d)
        by_name = {system.name(t): t for t in threads}
        chosen = self._choose(state, tuple(by_name))
        expanded: dict[str, tuple[tuple[Path, int], ...]] = {}
        for name in (name for name in by_name if name in chosen):
            children = []
            for step in system.steps(d, by_name[name]):
                n = self._child(state, step)
                if n is not None:
                    children.append((step.edges, n))
            expanded[name] = tuple(children)
        shown = [what for a, what in SHOWN.items() if a in PROPERTIES[self._property].looks_at]
        for end in (end for what in shown if threads for end in system.shown(d, what)):
            values: dict[str, Expr] = {**dict(state[1]), **system.numbers(d)}
            self._error |= substitute(conj(end.guard), values) is not FALSE
        return expanded

    def _child(self, state: State, step: SymbolicStep) -> int | None:
        d, pairs = state
        values: dict[str, Expr] = {**dict(pairs), **self._system.numbers(d)}
        if substitute(conj(step.guard), values) is FALSE:
            return None
        if step.violation is not None or step.fault is not None:
            violation = step.violation
            other = violation is not None and violation.property != self._property
            self._error |= step.fault is not None or not other
            return None
        assert not step.inputs, "the program has inputs"

        def leaf(e: Expr) -> Expr:
            return values.get(e.name, e) if isinstance(e, Reg) else e

        after = {x: c for x, c in pairs if x not in step.forgotten}
        for name, update in step.updates.items():
            value = self._folder.fold(rewrite(update, leaf))
            after.pop(name, None)
            if isinstance(value, Const):
                after[name] = value
        exists = step.successor.values
        return self._meet(step.successor, {x: c for x, c in after.items() if x not in exists})


def _renamed(variable: str, threads: Mapping[str, str]) -> str:
    owner, colon, rest = variable.partition(":")
    return threads.get(owner, owner) + colon + rest


def expanded_until_accepted(
    program: Program,
    first: Choice,
    reduction: str,
    most: int = 10_000,
    property: str = "unreach-call",
    symmetric: bool = False,
) -> Built | None:
    """Begins with the choice, and expands more where the checker wants it. None: an error was met.

    Raises AssertionError if the certificate is rejected for another reason. Raises TooLarge.
    """
    more: set[State] = set()

    def choose(state: State, threads: tuple[str, ...]) -> Collection[str]:
        return threads if state in more else first(state, threads)

    for _ in range(most):
        built = build(program, choose, reduction, most=most, property=property, symmetric=symmetric)
        if built.error:
            return None
        answer = verdict(program, built.certificate)
        if isinstance(answer, Accepted):
            return built
        numbers = re.findall(r"node (\d+) is not expanded|(\d+)(?: ->| is expanded)", answer)
        states = [built.states[int(a or b)] for a, b in numbers]
        new = next((state for state in states if state not in more), None)
        assert new is not None, answer
        more.add(new)
    raise TooLarge
