"""What a join tells of the thread that it waits for: that thread is there no more.
NOTE(joined-threads)

Of an array of handles an element is chosen, as of other arrays. The *chosen thread* is the first
one of which the id was stored there by the step that has created it. Who has the array has a
variable that tells whether the element holds that id, and who was created by that thread one that
tells whether it is the chosen one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from abpress.analysis.points_to import Local
from abpress.analysis.registers import spawned_templates
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg
from abpress.ir.paths import closure
from abpress.ir.program import Join, Program, Template, edges
from abpress.ir.types import INT
from abpress.logic.formula import Formula, conj, disj, holds, neg
from abpress.modular.numbers.memory import NumericMemory
from abpress.modular.templates.counting import COUNT, ThreadCounter
from abpress.modular.templates.handle_arrays import HandleArray
from abpress.modular.templates.paths import At, Begun, ThreadPath, ThreadStep, fold, private_name

_NONE, _CHOSEN, _OTHER = (Const(n, INT) for n in range(3))
"""What the variables hold. Of an element: no id was stored so yet, that of the chosen thread, or
something else by now. Of a thread: its id was not stored so, it is the chosen one, or it is not."""

_NOTHING = Const(0, COUNT)


class ChosenThreads:
    """The chosen threads of the `arrays` of handles of which elements are chosen; of those that are
    `alone` in their groups the element is chosen for this array only."""

    def __init__(
        self,
        program: Program,
        memory: NumericMemory,
        arrays: Mapping[str, HandleArray],
        alone: Collection[str],
    ) -> None:
        self._arrays = {
            cell: array
            for cell, place in (*memory.repeated.items(), *memory.allocated_elements.items())
            for array in arrays.values()
            if array.has(place)
        }
        self._alone = frozenset(alone)
        self._main = program.main
        self._before_joins = {
            array.template: _before_joins(program.templates[array.template])
            for array in self._arrays.values()
        }
        created = {
            array.name: frozenset(spawned_templates(program.templates[array.template]))
            for array in self._arrays.values()
        }
        self._marks = {
            name: tuple(_mark(array) for array, its in created.items() if name in its)
            for name in program.templates
        }

    def cells(self, template: str) -> frozenset[str]:
        """The cells of the chosen elements of the arrays of a template."""
        return frozenset(c for c, its in self._arrays.items() if its.template == template)

    def registers(self, template: str) -> tuple[str, ...]:
        """The registers of a thread, beside its own ones, that tell of elements and of itself."""
        held = (_held(a.name) for a in self._arrays.values() if a.template == template)
        return tuple(sorted((*held, *self._marks[template])))

    def at_first(self, template: str) -> Mapping[str, Expr]:
        """What these registers hold when a thread begins."""
        return dict.fromkeys(self.registers(template), _NONE)

    # -- steps ----------------------------------------------------------------------------------

    def may_be_written(self, cell: str, path: ThreadPath) -> None:
        """Notes that the chosen element of an array may have been written."""
        if cell in self._arrays:
            self._lose(self._arrays[cell].name, path)

    def written(self, cell: str, value: Expr | None, path: ThreadPath) -> None:
        """Notes that an element of an array was written: the chosen one, or another."""
        array = self._arrays[cell].name
        first = fold(Binary("+", self._held_before(array, path), _CHOSEN))
        begun = list(path.spawned)
        new = [n for n, its in enumerate(begun) if _is_new(its, array, value)]
        for n in new:
            mark = first if path.chosen else _OTHER
            begun[n] = replace(begun[n], given={**begun[n].given, _mark(array): mark})
        path.spawned = tuple(begun)
        if path.chosen and new:
            path.registers[_held(array)] = first
        elif path.chosen:
            self._lose(array, path)

    def _held_before(self, array: str, path: ThreadPath) -> Expr:
        """1 where an element has held the id of the chosen thread; else 0."""
        held = path.registers[_held(array)]
        assert held is not None
        return Compare("!=", held, _NONE)

    def _lose(self, array: str, path: ThreadPath) -> None:
        before = self._held_before(array, path)
        path.registers[_held(array)] = fold(Binary("*", before, _OTHER))

    def entered(self, template: str, name: str, path: ThreadPath) -> None:
        """Notes that a local variable begins: what it held is lost."""
        for array in self._arrays.values():
            if array.object == Local(template, name):
                self._lose(array.name, path)

    def joined(
        self, template: str, id: Expr | None, path: ThreadPath
    ) -> Iterator[tuple[str, Formula]]:
        """For each array of a template: where a thread of this id is joined, it is the chosen one
        if that holds."""
        for cell, array in self._arrays.items():
            if array.template == template and id is not None and id.type == array.type:
                held, content = path.registers[_held(array.name)], path.cells.get(cell)
                assert held is not None
                same = holds(Compare("==", content or Reg(cell, array.type), id))
                yield array.name, conj((holds(Compare("==", held, _CHOSEN)), same))

    # -- what follows ---------------------------------------------------------------------------

    def elements(self, template: str) -> tuple[tuple[Reg, Reg], ...]:
        """Of each array of a template, the variables that tell what the chosen element holds: of
        which kind that is, and the id itself."""
        return tuple(
            (Reg(private_name(template, _held(array.name)), INT), Reg(cell, array.type))
            for cell, array in self._arrays.items()
            if array.template == template
        )

    def marked(self, template: str) -> tuple[Formula, ...]:
        """That a thread is the chosen one of each array."""
        marks = (Reg(private_name(template, its), INT) for its in self._marks[template])
        return tuple(map(self.says, marks))

    def counters(self, ats: Sequence[At]) -> Iterator[ThreadCounter]:
        """Counters of the chosen thread of each array."""
        for array in self._arrays.values():
            yield ThreadCounter(self._weights(array.name, ats))

    def mark(self, array: str, template: str) -> Reg | None:
        """The variable of a thread that tells whether it is the chosen one of an array; None if it
        never is."""
        register = _mark(array)
        its = register in self._marks[template]
        return Reg(private_name(template, register), INT) if its else None

    def says(self, mark: Reg) -> Formula:
        """That a thread is the chosen one."""
        return holds(Compare("==", mark, _CHOSEN))

    def weight(self, array: str, template: str) -> Expr | None:
        """What a thread weighs in a counter of the chosen one; None if it never is that."""
        mark = self.mark(array, template)
        return None if mark is None else Convert(Compare("==", mark, _CHOSEN), COUNT)

    def _weights(self, array: str, ats: Sequence[At]) -> Mapping[At, Expr]:
        return {at: e for at in ats if (e := self.weight(array, at[0])) is not None}

    def nobody_chosen(
        self, array: str, where: Formula, counters: Mapping[str, ThreadCounter]
    ) -> Iterator[Formula]:
        """What counters say where the chosen thread of an array is not there: those are at 0 in
        which no other one weighs anything."""
        for count, counter in counters.items():
            its = counter.weights.items()
            if all(e in (_NOTHING, self.weight(array, name)) for (name, _), e in its):
                yield disj((neg(where), _is_zero(count)))

    def choices(
        self,
        step: ThreadStep,
        counters: Mapping[str, ThreadCounter],
        steps: Mapping[At, Sequence[ThreadStep]],
    ) -> Iterator[Formula]:
        """What holds, for some choice of the elements of arrays that are alone, before the thread
        with the array takes the step after which it joins nobody any more. If any thread is there
        of those of which all ids are stored, that is the chosen one, or the first one of its
        element was another one. Else no counter counts any of them."""
        joins = self._before_joins.get(step.template, ())
        if step.source not in joins or step.target in joins:
            return
        for array in self._alone_of(step.template):
            wanted = self._weights(array.name, tuple(steps))
            chosen = next((c for c, its in counters.items() if its.weights == wanted), None)
            stored = _always_stored(array.name, steps) - {self._main}
            for count, its in counters.items() if chosen is not None else ():
                if chosen is not None and stored.issuperset(name for name, _ in its.weights):
                    some = holds(Compare(">=", Reg(chosen, COUNT), Const(1, COUNT)))
                    yield disj((_is_zero(count), some, _holds_another(array)))

    def met(
        self, owner: str, other: str, steps: Mapping[At, Sequence[ThreadStep]]
    ) -> Iterator[tuple[Reg, Formula]]:
        """What holds where the thread with arrays meets another one of which the id is always
        stored, for the choice of the element in which it was stored first, of arrays that are
        alone: it is the chosen thread (if this variable says so), or another one was before. Who
        has the array alone creates these. NOTE(races-behind-joins)"""
        for array in self._alone_of(owner):
            mark = self.mark(array.name, other)
            stored = _always_stored(array.name, steps) - {self._main}
            if mark is not None and other in stored and self._before_last(owner, other, steps):
                yield mark, _holds_another(array)

    def _before_last(
        self, owner: str, other: str, steps: Mapping[At, Sequence[ThreadStep]]
    ) -> bool:
        """Whether a thread creates those of another template only while it may still join."""
        joins = self._before_joins[owner]
        its = chain.from_iterable(its for (name, _), its in steps.items() if name == owner)
        return all(
            step.target in joins for step in its if any(b.template == other for b in step.spawned)
        )

    def _alone_of(self, template: str) -> Iterator[HandleArray]:
        """The arrays of a template that are alone."""
        for array in self._arrays.values():
            if array.template == template and array.name in self._alone:
                yield array


def _holds_another(array: HandleArray) -> Formula:
    """That the chosen element has held the id of the chosen thread, and holds it no more."""
    held = Reg(private_name(array.template, _held(array.name)), INT)
    return holds(Compare("==", held, _OTHER))


def _before_joins(template: Template) -> frozenset[int]:
    """The locations from which a thread may come to a join."""
    before: dict[int, list[int]] = {}
    joins: set[int] = set()
    for i, edge in edges(template):
        before.setdefault(edge.target, []).append(i)
        if any(isinstance(effect, Join) for effect in edge.effects):
            joins.add(i)
    return frozenset(closure(joins, lambda i: before.get(i, ())))


def _always_stored(array: str, steps: Mapping[At, Sequence[ThreadStep]]) -> frozenset[str]:
    """The templates of threads of which each id is stored in an array by the step that creates
    them."""
    begun = [its for step in chain.from_iterable(steps.values()) for its in step.spawned]
    not_stored = {b.template for b in begun if b.given.get(_mark(array), _NONE) == _NONE}
    return frozenset(b.template for b in begun) - not_stored


def _is_new(begun: Begun, array: str, id: Expr | None) -> bool:
    """Whether it is the id of this thread, which was not stored yet."""
    return begun.id is not None and begun.id == id and begun.given[_mark(array)] == _NONE


def _is_zero(count: str) -> Formula:
    return holds(Compare("==", Reg(count, COUNT), Const(0, COUNT)))


def _held(array: str) -> str:
    return f"[{array}] held"


def _mark(array: str) -> str:
    return f"[{array}] mark"
