"""Bounds of cells that only grow by so much, so often: claims for `fixpoint`, from a solution.

Whoever writes such a cell writes a number between bounds, or a sum of what cells held before
(`box.Form`). If there are at most so many such writes, the cells stay within bounds that follow
from those of the first by arithmetic, whatever the order of the writes. NOTE(growth)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from abpress.ir.bounds import scalar_bounds
from abpress.ir.intervals import Interval, hull
from abpress.modular.numbers.box import Form
from abpress.modular.numbers.effects import NumericSteps, stores
from abpress.modular.numbers.executions import Executions
from abpress.modular.numbers.fixpoint import Analysis, Numbers

MOST_WRITES = 20_000
"""Writes of a group of cells whose sequence is followed."""


@dataclass(frozen=True, slots=True)
class Write:
    """A store to a cell that adds up what cells held: how often it may happen, and its bounds."""

    cell: str
    form: Form
    within: Interval
    times: int


def _around(intervals: Sequence[Mapping[str, Interval]]) -> Mapping[str, Interval]:
    """What is known in all cases."""
    if len(intervals) == 1:
        return intervals[0]
    names = set.intersection(*map(set, intervals)) if intervals else set()
    return {name: hull(its[name] for its in intervals) or (0, 0) for name in names}


def _executions(analysis: Analysis, numbers: Numbers, steps: NumericSteps) -> Executions:
    """How often edges are taken, by what registers and cells hold that count."""
    counters = analysis.holding.counters
    added: dict[tuple[str, int, int], dict[str, int | None]] = {}
    for place, store in stores(steps, numbers.states):
        for cell in () if store.begins else counters[place[0]].intersection(store.cells):
            its = added.setdefault(place, {})
            its[cell] = store.step if its.get(cell, store.step) == store.step else None
    return Executions(
        analysis.program,
        {at: _around([box.regs for box in boxes]) for at, boxes in numbers.states.items()},
        {at: _around([box.cells for box in boxes]) for at, boxes in numbers.states.items()},
        added,
    )


def grown(analysis: Analysis, numbers: Numbers, wanted: frozenset[str]) -> dict[str, Interval]:
    """Bounds of the wanted cells at all times, as far as there are any better than their types'.

    All the cells that a bound rests on are among those for which there are bounds, or their values
    are those of the solution.
    """
    first, writes = _writes(analysis, numbers, wanted)
    while True:
        cells = frozenset(first)
        claims = bounds(first, [w for w in writes if w.cell in cells], numbers.shared)
        lost = {
            cell
            for cell, claim in claims.items()
            if claim is None or not _better(claim, scalar_bounds(analysis.memory.types[cell]))
        }
        if not lost:
            return {cell: claim for cell, claim in claims.items() if claim is not None}
        first = {cell: value for cell, value in first.items() if cell not in lost}


def _better(claim: Interval, full: Interval) -> bool:
    return full[0] <= claim[0] and claim[1] <= full[1] and claim != full


def _writes(
    analysis: Analysis, numbers: Numbers, wanted: frozenset[str]
) -> tuple[dict[str, Interval], list[Write]]:
    """What the cells hold at first or are given as numbers, and the other writes."""
    memory = analysis.memory
    steps = NumericSteps(analysis.holding, numbers.shared, numbers.bounded)
    executions = _executions(analysis, numbers, steps)
    main = analysis.program.main
    entry = analysis.program.templates[main].entry
    prepared = {c for c in wanted if analysis.holding.prepares(main, entry, c)}
    initial = {cell: memory.initial.get(cell, scalar_bounds(memory.types[cell])) for cell in wanted}
    first = {cell: value for cell, value in initial.items() if cell not in prepared}
    writes: list[Write] = []
    for (template, location, _), store in stores(steps, numbers.states):
        for cell in store.cells:
            prepares = analysis.holding.prepares(template, location, cell)
            if cell not in wanted or (prepares and not store.begins):
                continue
            full = scalar_bounds(memory.types[cell])
            fits = full[0] <= store.value[0] and store.value[1] <= full[1]
            value = store.value if fits else full
            times = executions.of(template, location)
            if store.form is None or not fits or times is None:
                first[cell] = hull((first.get(cell), value)) or value
            else:
                writes.append(Write(cell, store.form, value, times))
    return initial | first, writes


def bounds(
    first: Mapping[str, Interval], writes: list[Write], shared: Mapping[str, Interval]
) -> dict[str, Interval | None]:
    """Bounds of cells at all times; None for those that have none."""
    found: dict[str, Interval | None] = dict(first)
    mixed = {w.cell for w in writes if w.form.terms != ((w.cell, 1),)}
    related = {c for w in writes if w.cell in mixed for c, _ in w.form.terms if c in first}
    while not related <= mixed:
        mixed |= related
        related = {c for w in writes if w.cell in mixed for c, _ in w.form.terms if c in first}
    writes_of: dict[str, list[Write]] = {}
    for w in writes:
        writes_of.setdefault(w.cell, []).append(w)
    for cell in first.keys() - mixed:
        found[cell] = _incremented(first[cell], writes_of.get(cell, ()))
    others = {**shared, **_known(found, mixed)}
    for group in _groups(mixed, writes):
        its = [w for w in writes if w.cell in group]
        found.update(_sequence({cell: first[cell] for cell in group}, its, others))
    return found


def _groups(cells: set[str], writes: list[Write]) -> list[list[str]]:
    """The cells that depend on one another, together."""
    of = {cell: cell for cell in sorted(cells)}
    for w in writes:
        for cell, _ in w.form.terms:
            if w.cell in of and cell in of and of[cell] != of[w.cell]:
                old, new = of[cell], of[w.cell]
                of = {c: new if g == old else g for c, g in of.items()}
    found: dict[str, list[str]] = {}
    for cell, group in of.items():
        found.setdefault(group, []).append(cell)
    return list(found.values())


def _known(found: Mapping[str, Interval | None], but: set[str]) -> dict[str, Interval]:
    return {c: value for c, value in found.items() if value is not None and c not in but}


def _incremented(first: Interval, writes: Sequence[Write]) -> Interval:
    """Where each write adds a number to an earlier value."""
    low = first[0] + sum(min(w.form.low, 0) * w.times for w in writes)
    return low, first[1] + sum(max(w.form.high, 0) * w.times for w in writes)


def _sequence(
    first: Mapping[str, Interval], writes: list[Write], others: Mapping[str, Interval]
) -> dict[str, Interval | None]:
    """Where writes add up multiples of several cells, one write after the other."""
    total = sum(w.times for w in writes)
    if total > MOST_WRITES:
        return dict.fromkeys(first)
    now = dict(first)
    for _ in range(total):
        after = dict(now)
        for w in writes:
            value = _evaluated(w.form, {**others, **now})
            if value is None:
                return dict.fromkeys(first)
            low, high = max(value[0], w.within[0]), min(value[1], w.within[1])
            if low <= high:
                after[w.cell] = hull((after[w.cell], (low, high))) or (low, high)
        if after == now:
            break
        now = after
    return dict(now)


def _evaluated(form: Form, values: Mapping[str, Interval]) -> Interval | None:
    low, high = form.low, form.high
    for cell, factor in form.terms:
        value = values.get(cell)
        if value is None:
            return None
        ends = value[0] * factor, value[1] * factor
        low, high = low + min(ends), high + max(ends)
    return low, high
