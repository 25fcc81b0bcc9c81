"""Arrays of handles that one thread fills and reads: whether what it reads was always written.
NOTE(handles-in-arrays)

Let some element be chosen once and for all. A read of it is wrong if it may hold no id; reads of
others are taken to be right. If there is an execution with a wrong read, then the first one of it
is wrong for the element that is read there. So no read is wrong if none is for any element: which
is a question about one thread, with an index and a content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from abpress.analysis.facts import Facts
from abpress.analysis.points_to import AbstractObject, Local, Static
from abpress.config import Place
from abpress.engines.horn.apart import solve_apart
from abpress.engines.templates.clauses import needed_variables
from abpress.engines.templates.houdini import kept
from abpress.errors import UnsupportedError
from abpress.ir.expr import Addr, Binary, Compare, Const, Convert, Expr, PtrAdd, Reg
from abpress.ir.program import (
    Assign,
    Effect,
    Enter,
    Join,
    Load,
    Program,
    Spawn,
    Store,
)
from abpress.ir.types import IntType, PtrType
from abpress.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    conj,
    conjuncts,
    disj,
    holds,
    neg,
    substitute,
)
from abpress.modular.templates.handle_arrays import HandleArray, definitions, handle_array
from abpress.modular.templates.obligations import Applied, Obligation
from abpress.modular.templates.paths import Key, NotFollowed, ThreadPath, ThreadStep, fold
from abpress.modular.templates.steps import TemplateSteps
from abpress.proof.judge import Judge
from abpress.smt.answer import Answer, NotExact
from abpress.smt.clauses import Clause, Invariants

_WIDE, _NARROW = IntType(64, True), IntType(32, True)
_INDEX, _CONTENT = "[index]", "[content]"
"""The registers for the element that is chosen, beside those of the program."""


def joins_read_handles(
    program: Program, places: Sequence[Place], seconds: float, expired: Callable[[], bool]
) -> bool:
    """Whether what these edges join was read from such arrays, and was always written there."""
    facts = Facts.of(program)
    arrays = {array for place in places for array in [_read_at(program, facts, place)]}
    return all(
        array is not None and _always_written(program, facts, array, seconds, expired)
        for array in arrays
    )


# -- which arrays ----------------------------------------------------------------------------------


def _read_at(program: Program, facts: Facts, place: Place) -> HandleArray | None:
    """The array from which all comes that an edge joins."""
    name, location, k = place
    edge = program.templates[name].locations[location].edges[k]
    found: set[AbstractObject | None] = set()
    steps = TemplateSteps(program, facts)
    for effect in edge.effects:
        if not isinstance(effect, Join) or not isinstance(effect.thread, Reg):
            found.update([None] if isinstance(effect, Join) else [])
            continue
        if steps.may_have_no_value(name, location, effect.thread.name):
            return None
        for its in definitions(program, name, effect.thread.name):
            if not isinstance(its, Load):
                return None
            targets = {t.object for t in facts.points_to.targets(name, its.address)}
            found.update(targets if len(targets) == 1 else {None})
    (object,) = found if len(found) == 1 else {None}
    if object is None:
        return None
    return handle_array(program, facts, steps.threads.single, name, object)


# -- what is in them -------------------------------------------------------------------------------


class _HandleSteps(TemplateSteps):
    """The steps of a thread that follow one element of an array, and no other memory. Mutable:
    `reads` are collected, each with where its step begins, and where it would be wrong."""

    def __init__(self, program: Program, facts: Facts, array: HandleArray) -> None:
        super().__init__(program, facts, follow=False)
        self._array = array
        self._points_to = facts.points_to
        self.reads: list[tuple[int, tuple[Formula, ...]]] = []
        self._source = 0

    def private(self, template: str, location: int) -> tuple[Reg, ...]:
        own = super().private(template, location)
        if template != self._array.template:
            return own
        content = Reg(f"{template}:{_CONTENT}", self._array.type)
        return (*own, _index(self._array), content)

    def steps(
        self, template: str, source: int, cuts: AbstractSet[int] | Sequence[int]
    ) -> tuple[ThreadStep, ...]:
        self._source = source
        return super().steps(template, source, cuts)

    def _is_noticed(self, template: str, effect: Effect) -> bool:
        """Steps end at each access, so that there are fewer paths."""
        return isinstance(effect, Load | Store) or super()._is_noticed(template, effect)

    def _effect(self, template: str, effect: Effect, path: ThreadPath) -> None:
        match effect:
            case Assign(r, value) if isinstance(r.type, PtrType):
                path.registers[r.name] = self._pointer(value, path)
                return
            case Load(r, address) if self._is_ours(template, address):
                path.registers[r.name] = self._read(r, address, path)
                return
            case Store(address, Reg() as id) if self._is_ours(template, address):
                self._write(address, self._used(id, path), path)
                return
            case Enter(name) if self._array.object == Local(template, name):
                path.registers[_CONTENT] = path.arbitrary(self._array.type)
                return
            case _:
                super()._effect(template, effect, path)
        if isinstance(effect, Spawn):
            given = path.arbitrary(self._array.type)
            path.assume(neg(_is_none(given)))
            path.registers[effect.target.name] = given

    def _is_ours(self, template: str, address: Expr) -> bool:
        targets = self._points_to.targets(template, address)
        return any(t.object == self._array.object for t in targets)

    def _pointer(self, e: Expr, path: ThreadPath) -> Expr | None:
        """A pointer as a moved address; None if it is not that."""
        match e:
            case Reg(name):
                return path.registers[name]
            case Addr():
                return e
            case PtrAdd(pointer, distance):
                base, by = self._pointer(pointer, path), self._used(distance, path)
                return None if base is None or by is None else PtrAdd(base, by)
            case _:
                return None

    def _chosen(self, address: Expr, path: ThreadPath) -> Formula | None:
        """That an access is to the element that is chosen; None if nothing is known of it."""
        offset = _offset(self._pointer(address, path), self._array.object)
        if offset is None:
            return None
        index = Convert(_index(self._array), _WIDE)
        at = Binary("*", index, Const(self._array.type.size, _WIDE))
        return holds(Compare("==", fold(offset), at))

    def _element(self, path: ThreadPath) -> Reg:
        content = path.registers[_CONTENT]
        assert isinstance(content, Reg)
        return content

    def _read(self, r: Reg, address: Expr, path: ThreadPath) -> Expr:
        chosen = self._chosen(address, path)
        wrong = conj((TRUE if chosen is None else chosen, _is_none(self._element(path))))
        self.reads.append((self._source, (*path.guard, wrong)))
        path.assume(neg(wrong))
        value = path.arbitrary(self._array.type)
        path.assume(neg(_is_none(value)))
        return value

    def _write(self, address: Expr, value: Expr | None, path: ThreadPath) -> None:
        chosen, before = self._chosen(address, path), self._element(path)
        after = path.arbitrary(self._array.type)
        path.registers[_CONTENT] = after
        if chosen is not None and value is not None:
            written = conj((chosen, holds(Compare("==", after, value))))
            kept = conj((neg(chosen), holds(Compare("==", after, before))))
            path.assume(disj((written, kept)))


def _is_none(value: Expr) -> Formula:
    return holds(Compare("==", value, Const(0, value.type)))


def _offset(pointer: Expr | None, object: AbstractObject) -> Expr | None:
    """How far behind the begin of the object a moved address is; None if it may be of another."""
    match pointer:
        case Addr(name, offset):
            mine = isinstance(object, Static | Local) and object.name == name
            return Const(offset, _WIDE) if mine else None
        case PtrAdd(base, distance):
            start = _offset(base, object)
            if start is None:
                return None
            signed = Convert(distance, IntType(8 * distance.type.size, True))
            return Binary("+", start, Convert(signed, _WIDE))
        case _:
            return None


def _always_written(
    program: Program,
    facts: Facts,
    array: HandleArray,
    seconds: float,
    expired: Callable[[], bool],
) -> bool:
    try:
        steps = _HandleSteps(program, facts, array)
        cuts = steps.cuts(array.template)
        taken = {i: steps.steps(array.template, i, cuts) for i in cuts}
        return _excluded(steps, array, taken, seconds, expired)
    except (NotFollowed, NotExact, UnsupportedError):
        return False


def _excluded(
    steps: _HandleSteps,
    array: HandleArray,
    taken: Mapping[int, tuple[ThreadStep, ...]],
    seconds: float,
    expired: Callable[[], bool],
) -> bool:
    """Whether no read is wrong: by invariants for the cuts, guessed, or else solved for; those are
    checked."""
    name = array.template
    begin = tuple(_begin(array))
    obligations = [
        Obligation((), begin, Applied(_key(name, steps.program.templates[name].entry), {}), None)
    ]
    for i, its in taken.items():
        for step in its:
            if step.target is not None:
                goal = Applied(_key(name, step.target), step.values)
                known = (Applied(_key(name, i), {}),)
                obligations.append(Obligation(known, step.guard, goal, step))
    guessed = {_key(name, i): _guessed(steps, array, i) for i in taken}
    found = kept(obligations, guessed, expired)
    if found is None:
        return False
    facts = {key[0][1]: conj(its) for key, its in found.items()}
    judge = Judge("int")
    if all(
        judge.impossible(frozenset({facts[i]}), frozenset(guard)) is Answer.YES
        for i, guard in steps.reads
    ):
        return True
    clauses = _clauses(steps, array, taken, facts)
    solved = solve_apart(*clauses, seconds, None, expired)
    return isinstance(solved, Invariants) and all(_questions(solved.labels, clauses[1]))


def _key(template: str, location: int) -> Key:
    return ((template, location),)


def _guessed(steps: _HandleSteps, array: HandleArray, location: int) -> tuple[Formula, ...]:
    """That the element was written, or is beyond a register; and what registers may be."""
    its = [v for v in steps.private(array.template, location) if v.type == _NARROW]
    index = _index(array)
    written = neg(_is_none(Reg(f"{array.template}:{_CONTENT}", array.type)))
    found = [written]
    for v in its:
        for n in (0, 1, array.count - 1, array.count):
            found += (holds(Compare(op, v, Const(n, _NARROW))) for op in ("<=", ">=", "=="))
        if v != index:
            beyond = (holds(Compare(op, index, v)) for op in ("<", "<=", ">", ">="))
            found += (disj((written, f)) for f in beyond)
    return tuple(dict.fromkeys(f for f in found if f is not TRUE))


def _clauses(
    steps: _HandleSteps,
    array: HandleArray,
    taken: Mapping[int, tuple[ThreadStep, ...]],
    facts: Mapping[int, Formula],
) -> tuple[tuple[tuple[Reg, ...], ...], list[Clause]]:
    """Relations and clauses for the cuts, of which these facts are known."""
    every = [step for its in taken.values() for step in its if step.target is not None]
    wanted = needed_variables(every, [f for _, guard in steps.reads for f in guard])
    numbers = {i: n for n, i in enumerate(taken)}
    relations = tuple(
        tuple(v for v in steps.private(array.template, i) if v.name in wanted) for i in taken
    )
    entry = steps.program.templates[array.template].entry
    clauses = [Clause(None, numbers[entry], tuple(_begin(array)), {})]
    for step in every:
        assert step.target is not None
        values = {name: e for name, e in step.values.items() if name in wanted}
        guard = (*step.guard, facts[step.source])
        clauses.append(Clause(numbers[step.source], numbers[step.target], guard, values))
    clauses += (Clause(numbers[i], None, (*guard, facts[i]), {}) for i, guard in steps.reads)
    return relations, clauses


def _index(array: HandleArray) -> Reg:
    return Reg(f"{array.template}:{_INDEX}", _NARROW)


def _begin(array: HandleArray) -> Iterator[Formula]:
    """What holds of the element at first."""
    yield holds(Compare("<=", Const(0, _NARROW), _index(array)))
    yield holds(Compare("<", _index(array), Const(array.count, _NARROW)))


def _questions(labels: Sequence[Formula], clauses: Sequence[Clause]) -> Iterator[bool]:
    """Whether each of the clauses holds of the formulas."""
    judge = Judge("int")
    for clause in clauses:
        known = [*clause.guard, *([] if clause.source is None else [labels[clause.source]])]
        goal = FALSE
        if clause.target is not None:
            goal = substitute(labels[clause.target], clause.values)
        parts = frozenset(part for f in known for part in conjuncts(f) if part is not TRUE)
        yield all(judge.implied(parts, part) is Answer.YES for part in conjuncts(goal))
