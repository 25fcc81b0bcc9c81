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
class ClientShape:
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


def all_clients(library: Library, shape: ClientShape) -> Iterator[Client]:
    """Every client of the shape once, except that threads are not told apart by their order.

    Raises InputError for a shape without clients.
    """
    _check(library, shape)
    calls = [c for o in library.operations for c in _calls(_narrowed(o, shape.values))]
    wanted = _in_focus(shape)
    for before in product(calls, repeat=shape.before):
        for threads in _threads(calls, shape):
            if wanted is not None and _focused(shape, chain(*threads)) != wanted:
                continue
            for after in product(calls, repeat=shape.after):
                yield Client(threads, before, after)


def sampled_clients(
    library: Library, shape: ClientShape, number: int, seed: int
) -> Iterator[Client]:
    """A sample of so many different clients of the shape; fewer if there seem to be no more.

    Each draws how many distinct values its arguments have, so that contention varies. The same
    arguments give the same clients. Raises InputError for a shape without clients.
    """
    _check(library, shape)
    random = Random(seed)
    seen: set[Client] = set()
    for _ in range(number * _ATTEMPTS):
        if len(seen) == number:
            return
        client = _drawn(library, shape, random)
        if client is not None and client not in seen:
            seen.add(client)
            yield client


# -- all -----------------------------------------------------------------------------------------


def _threads(calls: Sequence[Call], shape: ClientShape) -> Iterator[tuple[Calls, ...]]:
    """The threads of all clients: longest first, and equally long ones in a fixed order."""
    for lengths in _partitions(shape.calls, shape.threads, shape.calls):
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


def _drawn(library: Library, shape: ClientShape, random: Random) -> Client | None:
    """A client of the shape; None if the values that were drawn allow none."""
    largest = max((len(d) for o in library.operations for d in o.domains), default=1)
    values = random.randint(1, min(largest, shape.values or largest))
    calls: list[Call] = []
    for operation in library.operations:
        chosen = tuple(
            tuple(sorted(random.sample(domain, min(values, len(domain)))))
            for domain in operation.domains
        )
        calls += _calls(operation, chosen)
    kinds = _kinds(calls, shape, random)
    if kinds is None:
        return None
    drawn = [random.choice(kind) for kind in kinds]
    owners = list(range(shape.threads))
    owners += [random.randrange(shape.threads) for _ in range(shape.calls - shape.threads)]
    threads: list[list[Call]] = [[] for _ in range(shape.threads)]
    for owner, call in zip(owners, drawn, strict=True):
        threads[owner].append(call)
    ordered = sorted(map(tuple, threads), key=lambda calls: (-len(calls), calls))
    return Client(
        tuple(ordered),
        tuple(random.choice(calls) for _ in range(shape.before)),
        tuple(random.choice(calls) for _ in range(shape.after)),
    )


def _kinds(calls: Sequence[Call], shape: ClientShape, random: Random) -> list[list[Call]] | None:
    """What each of the threads' calls is chosen from; None if there is nothing to choose from."""
    wanted = _in_focus(shape)
    if wanted is None:
        return [list(calls)] * shape.calls
    inside = [call for call in calls if _matches(shape, call)]
    outside = [call for call in calls if not _matches(shape, call)]
    kinds = [inside] * wanted + [outside] * (shape.calls - wanted)
    random.shuffle(kinds)
    return kinds if all(kinds) else None


# -- both ----------------------------------------------------------------------------------------


def _calls(operation: Operation, domains: Sequence[Sequence[int]] | None = None) -> list[Call]:
    chosen = operation.domains if domains is None else domains
    return [Call(operation.name, values, operation.has_result) for values in product(*chosen)]


def _narrowed(operation: Operation, values: int | None) -> Operation:
    return operation if values is None else narrowed(operation, values)


def _in_focus(shape: ClientShape) -> int | None:
    return None if shape.share is None else SHARES[shape.share](shape.calls)


def _focused(shape: ClientShape, calls: Iterable[Call]) -> int:
    return sum(_matches(shape, call) for call in calls)


def _matches(shape: ClientShape, call: Call) -> bool:
    return call.operation in shape.focus or str(call) in shape.focus


def _check(library: Library, shape: ClientShape) -> None:
    if shape.calls < shape.threads:
        raise InputError(f"{shape.threads} threads with {shape.calls} calls: a thread has none")
    every = [call for operation in library.operations for call in _calls(operation)]
    for name in shape.focus:
        if not any(name in (call.operation, str(call)) for call in every):
            raise InputError(f"--focus {name}: {library.file} has no such call")
    inside = [_matches(shape, call) for call in every]
    wanted = _in_focus(shape)
    if wanted is not None and (
        (wanted and not any(inside)) or (wanted < shape.calls and all(inside))
    ):
        raise InputError(f"--share {shape.share}: there are no such clients")
