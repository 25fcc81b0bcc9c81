"""The reference: what the calls of a client return when they are run one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.clients.client import Client
from abpress.clients.library import Library
from abpress.config import Config
from abpress.engines.answer import doubt
from abpress.errors import InputError
from abpress.ir.program import RETURN_FROM_MAIN
from abpress.properties import PROPERTIES
from abpress.properties.ends import End
from abpress.properties.steps import UnreachCall
from abpress.reductions.static.none import NoReduction
from abpress.search.limits import Limits, Watch, interruptible
from abpress.search.stateful import explore
from abpress.search.statistics import Statistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options, State
from abpress.verify.load import load
from abpress.verify.watchdog import LimitReached, Watchdog

Results = tuple[int | None, ...]
"""What each call returned, by its number; None for an operation without result."""

Order = tuple[int, ...]
"""The order of the threads' calls: the index of the thread that makes the next one."""

_RESULTS, _ORDER = "client_results", "client_order"


@dataclass(frozen=True, slots=True)
class Allowed:
    """The combinations of results that sequential orders give, each with orders that give it.

    The orders are all of them if they were asked for; otherwise there are none. `doubt` says why
    combinations may be missing; None if there are none.
    """

    orders: Mapping[Results, tuple[Order, ...]]
    doubt: str | None = None


def allowed(
    client: Client, reference: Library, config: Config, limits: Limits, file: Path, orders: bool
) -> Allowed:
    """Runs the client's calls in every order that keeps the calls of each thread in theirs.

    An order in which a call waits for ever, or ends the program, gives no results. The program
    that does it is written to `file`. Raises InputError if a call fails an assertion, and what
    reading the reference raises.
    """
    file.write_text(program(client, reference, orders), encoding="utf-8")
    alone = config.but(file=file, property=UnreachCall.name, spurious_wakeups="off")
    try:
        with Watchdog(limits):
            loaded = load(alone, every_access=True)
    except LimitReached as limit:
        return Allowed({}, limit.reason)
    system = Interpreter(
        loaded.program,
        Options.within(config.bounds, every_value=True),
    )
    found: dict[Results, dict[Order, None]] = {}

    def final(state: State, end: End) -> None:
        if end is End.COMPLETE and system.views.ended(state) == RETURN_FROM_MAIN:
            memory = system.views.describe(state)["memory"]
            results = tuple(_results(client, memory))
            if any(isinstance(result, str) for result in results):
                system.soundness.lose("a call returns no number")
            given = found.setdefault(results, {})
            if orders:
                given[tuple(_order(client, memory))] = None

    with interruptible() as interrupt:
        watch: Watch[Statistics] = Watch(replace(limits, interrupt=interrupt))
        outcome = explore(
            system,
            NoReduction(system),
            PROPERTIES[UnreachCall.name],
            poll=watch,
            on_final=final,
        )
    if interrupt.requested:
        raise KeyboardInterrupt
    if outcome.found:
        what = outcome.found[0].finding.sentence
        raise InputError(f"the sequential reference fails: {what}")
    return Allowed(
        {results: tuple(given) for results, given in sorted(found.items(), key=_key)},
        doubt(outcome.stopped, system.soundness),
    )


def _key(item: tuple[Results, object]) -> tuple[int, ...]:
    return tuple(0 if result is None else result for result in item[0])


def _results(client: Client, memory: Mapping[str, int]) -> Iterator[int | None]:
    for number, call in enumerate(client.calls):
        yield int(memory[f"{_RESULTS}[{number}]"]) if call.has_result else None


def _order(client: Client, memory: Mapping[str, int]) -> Iterator[int]:
    for place in range(_concurrent(client)):
        yield int(memory[f"{_ORDER}[{place}]"])


def _concurrent(client: Client) -> int:
    return sum(map(len, client.threads))


# -- the program ---------------------------------------------------------------------------------


def program(client: Client, reference: Library, orders: bool) -> str:
    """A program of one thread that chooses who makes the next call until all are made."""
    lines = [
        f"/* {client}: its calls one after the other, in any order. */",
        reference.include,
        "extern _Bool __VERIFIER_nondet_bool(void);",
        f"static long long {_RESULTS}[{len(client.calls)}];",
    ]
    if orders:
        lines.append(f"static unsigned char {_ORDER}[{_concurrent(client)}];")
    for thread, numbers in enumerate(client.numbers):
        lines += ["", f"static void client_thread_{thread}(unsigned call) {{", "  switch (call) {"]
        for place, number in enumerate(numbers):
            lines.append(f"  case {place}: {_statement(client, number)} return;")
        lines += ["  }", "}"]
    threads = range(len(client.threads))
    lines += ["", "int main(void) {"]
    lines += [f"  unsigned at_{thread} = 0;" for thread in threads]
    if orders:
        lines.append("  unsigned made = 0;")
    if reference.init is not None:
        lines.append(f"  {reference.init}();")
    lines += [f"  {_statement(client, number)}" for number in range(len(client.before))]
    lines.append(f"  while ({' || '.join(_unfinished(client, threads))}) {{")
    for thread in threads:
        lines.append(f"    {_condition(client, thread)}{{")
        if orders:
            lines.append(f"      {_ORDER}[made++] = {thread};")
        lines += [f"      client_thread_{thread}(at_{thread}++);", "    }"]
    lines.append("  }")
    lines += [f"  {_statement(client, number)}" for number in client.numbers_after]
    return "\n".join([*lines, "  return 0;", "}", ""])


def _statement(client: Client, number: int) -> str:
    call = client.calls[number]
    target = f"{_RESULTS}[{number}] = " if call.has_result else ""
    return f"{target}{call};"


def _condition(client: Client, thread: int) -> str:
    """The condition on which this thread goes on: it can, and no later one can or it is chosen."""
    later = range(thread + 1, len(client.threads))
    prefix = "else " if thread else ""
    if not later:
        return prefix
    (here,) = _unfinished(client, (thread,))
    others = " || ".join(_unfinished(client, later))
    return f"{prefix}if ({here} && (!({others}) || __VERIFIER_nondet_bool())) "


def _unfinished(client: Client, threads: Sequence[int]) -> list[str]:
    return [f"at_{thread} < {len(client.threads[thread])}" for thread in threads]
