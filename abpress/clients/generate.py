"""Clients of a library: all of a size, or a seeded sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, product
from random import Random

from abpress.clients.client import Call, Calls, Client
from abpress.clients.library import Library, Operation, narrowed
from abpress.errors import InputError

SHARES: Mapping[str, Callable[[int], int]] = {
    "all": lambda calls: calls,
    "half": lambda calls: calls // 2,
    "one": lambda calls: 1,
    "none": lambda calls: 0,
}
"""How many of so many concurrent calls are in focus."""

_ATTEMPTS = 200
"""Clients that are drawn for each that is asked for, before there are taken to be no more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What clients are asked for: the number of threads, and of the calls of all threads together.

    Each thread has a call. `before` and `after` are numbers of calls of `main`. `values` bounds the
    distinct values of each parameter: the fewer, the more contention (None: the whole domain).
    `focus` and `share`: how many of the threads' calls (a key of SHARES) are among those that
    `focus` names, as `add` or `add(1)`.
    """

    threads: int = 3
    calls: int = 4
    before: int = 0
    after: int = 0
    values: int | None = None
    focus: tuple[str, ...] = ()
    share: str | None = None


def all_clients(library: Library, plan: Plan) -> Iterator[Client]:
    """Every client of the plan once, except that threads are not told apart by their order.

    Raises InputError for a plan without clients.
    """
    _check(library, plan)
    calls = [c for o in library.operations for c in _calls(_narrowed(o, plan.values))]
    wanted = _in_focus(plan)
    for before in product(calls, repeat=plan.before):
        for threads in _threads(calls, plan):
            if wanted is not None and _focused(plan, chain(*threads)) != wanted:
                continue
            for after in product(calls, repeat=plan.after):
                yield Client(threads, before, after)


def sampled_clients(library: Library, plan: Plan, number: int, seed: int) -> Iterator[Client]:
    """So many different clients of the plan; fewer if there seem to be no more.

    Each draws how many distinct values its arguments have, so that contention varies. The same
    arguments give the same clients. Raises InputError for a plan without clients.
    """
    _check(library, plan)
    random = Random(seed)
    seen: set[Client] = set()
    for _ in range(number * _ATTEMPTS):
        if len(seen) == number:
            return
        client = _drawn(library, plan, random)
        if client is not None and client not in seen:
            seen.add(client)
            yield client


# -- all -----------------------------------------------------------------------------------------


def _threads(calls: Sequence[Call], plan: Plan) -> Iterator[tuple[Calls, ...]]:
    """The threads of all clients: longest first, and equally long ones in a fixed order."""
    for lengths in _partitions(plan.calls, plan.threads, plan.calls):
        groups = [
            combinations_with_replacement(product(calls, repeat=length), count)
            for length, count in Counter(lengths).items()
        ]
        for chosen in product(*groups):
            yield tuple(chain(*chosen))


def _partitions(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a sum of positive numbers that do not grow."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, largest), 0, -1):
        for rest in _partitions(total - first, parts - 1, first):
            yield (first, *rest)


# -- a sample ------------------------------------------------------------------------------------


def _drawn(library: Library, plan: Plan, random: Random) -> Client | None:
    """A client of the plan; None if the values that were drawn allow none."""
    largest = max((len(d) for o in library.operations for d in o.domains), default=1)
    values = random.randint(1, min(largest, plan.values or largest))
    calls: list[Call] = []
    for operation in library.operations:
        chosen = tuple(
            tuple(sorted(random.sample(domain, min(values, len(domain)))))
            for domain in operation.domains
        )
        calls += _calls(operation, chosen)
    kinds = _kinds(calls, plan, random)
    if kinds is None:
        return None
    drawn = [random.choice(kind) for kind in kinds]
    owners = list(range(plan.threads))
    owners += [random.randrange(plan.threads) for _ in range(plan.calls - plan.threads)]
    threads: list[list[Call]] = [[] for _ in range(plan.threads)]
    for owner, call in zip(owners, drawn, strict=True):
        threads[owner].append(call)
    ordered = sorted(map(tuple, threads), key=lambda calls: (-len(calls), calls))
    return Client(
        tuple(ordered),
        tuple(random.choice(calls) for _ in range(plan.before)),
        tuple(random.choice(calls) for _ in range(plan.after)),
    )


def _kinds(calls: Sequence[Call], plan: Plan, random: Random) -> list[list[Call]] | None:
    """What each of the threads' calls is chosen from; None if there is nothing to choose from."""
    wanted = _in_focus(plan)
    if wanted is None:
        return [list(calls)] * plan.calls
    inside = [call for call in calls if _matches(plan, call)]
    outside = [call for call in calls if not _matches(plan, call)]
    kinds = [inside] * wanted + [outside] * (plan.calls - wanted)
    random.shuffle(kinds)
    return kinds if all(kinds) else None


# -- both ----------------------------------------------------------------------------------------


def _calls(operation: Operation, domains: Sequence[Sequence[int]] | None = None) -> list[Call]:
    chosen = operation.domains if domains is None else domains
    return [Call(operation.name, values, operation.has_result) for values in product(*chosen)]


def _narrowed(operation: Operation, values: int | None) -> Operation:
    return operation if values is None else narrowed(operation, values)


def _in_focus(plan: Plan) -> int | None:
    return None if plan.share is None else SHARES[plan.share](plan.calls)


def _focused(plan: Plan, calls: Iterable[Call]) -> int:
    return sum(_matches(plan, call) for call in calls)


def _matches(plan: Plan, call: Call) -> bool:
    return call.operation in plan.focus or str(call) in plan.focus


def _check(library: Library, plan: Plan) -> None:
    if plan.calls < plan.threads:
        raise InputError(f"{plan.threads} threads with {plan.calls} calls: a thread has none")
    every = [call for operation in library.operations for call in _calls(operation)]
    for name in plan.focus:
        if not any(name in (call.operation, str(call)) for call in every):
            raise InputError(f"--focus {name}: {library.file} has no such call")
    inside = [_matches(plan, call) for call in every]
    wanted = _in_focus(plan)
    if wanted is not None and (
        (wanted and not any(inside)) or (wanted < plan.calls and all(inside))
    ):
        raise InputError(f"--share {plan.share}: there are no such clients")
