"""The check of results in real time, against the definition of linearizability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from abpress.clients.client import Call, Client
from abpress.clients.concurrent import ClientProgram
from abpress.clients.library import Library
from abpress.clients.sequential import Order, Results

TAKE = Call("take", (), True)
LIBRARY = Library(Path("counter.c"), (), None)

Event = tuple[int, bool]
"""A thread's next call begins, or (True) its current one ends."""


def some_history(client: Client, random: Random) -> list[Event]:
    left = [[end for _ in calls for end in (False, True)] for calls in client.threads]
    events = []
    while any(left):
        thread = random.choice([t for t, rest in enumerate(left) if rest])
        events.append((thread, left[thread].pop(0)))
    return events


def precedences(client: Client, events: Sequence[Event]) -> set[tuple[int, int]]:
    """Pairs of calls, by number, of which the first ends before the second begins."""
    ended: list[int] = []
    made = [0] * len(client.threads)
    pairs = set()
    for thread, end in events:
        number = client.numbers[thread][made[thread]]
        if end:
            ended.append(number)
            made[thread] += 1
        else:
            pairs |= {(before, number) for before in ended}
    return pairs


def numbers(client: Client, order: Order) -> list[int]:
    rest = [iter(its) for its in client.numbers]
    return [next(rest[thread]) for thread in order]


def linearizable(
    client: Client,
    events: Sequence[Event],
    orders: Mapping[Results, Sequence[Order]],
    seen: Results,
) -> bool:
    pairs = precedences(client, events)
    return any(
        all(places.index(a) < places.index(b) for a, b in pairs)
        for order in orders.get(seen, ())
        for places in [numbers(client, order)]
    )


def codes(program: ClientProgram, events: Sequence[Event], seen: Results) -> list[int]:
    """What the threads would return, as the docstring of the program says."""
    client = program.client
    done = [0] * len(client.threads)
    made = [0] * len(client.threads)
    found = [0] * (len(client.threads) + 1)
    for thread, end in events:
        number = client.numbers[thread][made[thread]]
        digits = [d for d in program.digits[thread + 1] if d.number == number]
        for digit in digits:
            if digit.thread is not None and not end:
                value = done[digit.thread]
            elif digit.thread is None and end:
                known, result = program.known[number], seen[number]
                value = known.index(result) if result in known else len(known)
            else:
                continue
            found[thread + 1] = found[thread + 1] * digit.base + value
        done[thread] += end
        made[thread] += end
    return found


def allows(program: ClientProgram, values: Sequence[int]) -> bool:
    """Whether `client_allowed` of the program's text returns 1: its lines, read as Python."""
    lines = program.text(64).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("static int client_allowed"))
    names = {f"c{i}": value for i, value in enumerate(values)}
    inside = False
    for line in lines[begin + 1 :]:
        text = line.strip()
        if text == "return 0;":
            return False
        if text.startswith("if ("):
            condition = text[4 : text.rindex(")")].replace("/", "//").replace("&&", "and")
            holds = bool(eval(condition, {}, names))
            if text.endswith("{"):
                inside = holds
            elif inside and holds:
                return True
    raise AssertionError("the function does not end")


@pytest.mark.parametrize("lengths", [(2, 2), (1, 2, 2), (3, 1), (1, 1, 1)])
def test_the_check_is_linearizability(lengths: tuple[int, ...]) -> None:
    random = Random(3)
    client = Client(tuple((TAKE,) * length for length in lengths))
    owners = [thread for thread, length in enumerate(lengths) for _ in range(length)]
    every = sorted(set(permutations(owners)))
    answers = []
    for _ in range(12):
        # Any results for any order: the check must not know where they come from.
        orders: dict[Results, tuple[Order, ...]] = {}
        for order in every:
            results = tuple(random.choice((0, 1)) for _ in owners)
            orders[results] = (*orders.get(results, ()), order)
        program = ClientProgram(client, LIBRARY, orders, True)
        for _ in range(12):
            events = some_history(client, random)
            seen = random.choice([*orders, tuple(2 for _ in owners)])
            expected = linearizable(client, events, orders, seen)
            assert allows(program, codes(program, events, seen)) is expected, (events, seen)
            answers.append(expected)
    assert 20 < sum(answers) < len(answers) - 20
