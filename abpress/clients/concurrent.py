"""The program of a client: its threads, and a check of what their calls returned.

A thread tells the results of its calls by one number, its *code*, which it returns: so a result is
no access of shared memory, and the threads have nothing in common but the library. The digits of
the code, first call first, are the ranks of the results among those that sequential orders give
(one more is for all others; these are stored, too, to be read in a trace). `main` compares the
codes of all with the combinations that are allowed.

With `real_time` the threads count their finished calls in one shared word, which a call reads just
before it begins. Then the digit of a call's rank is preceded by those of what it read: for each
other thread, how many of its calls had ended. Results are allowed if some order gives them in which
no call comes before one that had ended when it began: this is linearizability ([Linearizability90])
of the client's histories. Counting is part of neither call: the word is read after everything that
the thread did before and written before everything that it does afterwards, so all orders of the
beginnings and ends of calls are explored, and the order is told as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from abpress.clients.client import Client
from abpress.clients.library import Library
from abpress.clients.sequential import Order, Results
from abpress.errors import UnsupportedError

CODES, UNEXPECTED = "client_codes", "client_unexpected"
"""The arrays that hold the codes, `main`'s at index 0, and the results that no order gives."""

_DONE = "client_done"

MOST_ORDERS = 2000
"""Of a client whose calls are compared in real time: each is a line of the check."""


@dataclass(frozen=True, slots=True)
class Digit:
    """A digit of a code: the rank of the result of call `number`, or, if `thread` is not None, how
    many calls of that thread had ended when the call began. `base` is the number of its values."""

    number: int
    thread: int | None
    base: int


@dataclass(frozen=True)
class ClientProgram:
    """The program of a client. `orders`: the allowed results, with their orders if `real_time`."""

    client: Client
    library: Library
    orders: Mapping[Results, tuple[Order, ...]]
    real_time: bool

    @cached_property
    def known(self) -> tuple[tuple[int, ...], ...]:
        """The results that each call has in some sequential order; none without a result."""
        return tuple(
            tuple(sorted({r for results in self.orders if (r := results[number]) is not None}))
            for number in range(len(self.client.calls))
        )

    @cached_property
    def digits(self) -> tuple[tuple[Digit, ...], ...]:
        """The digits of each code: `main`'s, then those of the threads."""
        client = self.client
        mine = (*range(len(client.before)), *client.numbers_after)
        found = [tuple(d for n in mine for d in self._rank(n))]
        for thread, numbers in enumerate(client.numbers):
            found.append(
                tuple(d for n in numbers for d in (*self._seen(n, thread), *self._rank(n)))
            )
        return tuple(found)

    def _rank(self, number: int) -> Iterator[Digit]:
        if self.client.calls[number].has_result:
            yield Digit(number, None, len(self.known[number]) + 1)

    def _seen(self, number: int, thread: int) -> Iterator[Digit]:
        for other, calls in enumerate(self.client.threads):
            if self.real_time and other != thread:
                yield Digit(number, other, len(calls) + 1)

    def function(self, number: int) -> str:
        """The function that makes a call."""
        for thread, numbers in enumerate(self.client.numbers, 1):
            if number in numbers:
                return f"client_thread_{thread}"
        return "main"

    def decode(self, index: int, code: int) -> dict[int, int | None]:
        """The results that a code tells, by the calls' numbers; None for those of no order."""
        results: dict[int, int | None] = {}
        for digit in reversed(self.digits[index]):
            code, value = divmod(code, digit.base)
            if digit.thread is None:
                known = self.known[digit.number]
                results[digit.number] = known[value] if value < len(known) else None
        return results

    def text(self, pointer_bits: int) -> str:
        """The program in C. Raises UnsupportedError if a code or the check would be too large."""
        self._check_size(pointer_bits)
        client = self.client
        lines = [
            f"/* {client}",
            "   Whether its calls return what some sequential order of them gives:",
            f"   {len(self.orders)} combinations are allowed. Made by abpress linearize. */",
            "#include <pthread.h>",
            self.library.include,
            "extern void reach_error(void);",
            f"static unsigned long {CODES}[{len(client.threads) + 1}];",
            f"static long long {UNEXPECTED}[{len(client.calls)}];",
        ]
        if self.real_time:
            lines.append(f"static _Atomic unsigned long {_DONE};")
        for number, known in enumerate(self.known):
            if client.calls[number].has_result:
                lines += ["", *_rank_function(number, known)]
        for thread, numbers in enumerate(client.numbers):
            lines += ["", f"static void *{self.function(numbers[0])}(void *unused) {{"]
            lines.append("  unsigned long code = 0;")
            for number in numbers:
                lines += self._call(number, thread)
            lines += ["  return (void *)code;", "}"]
        lines += ["", *self._check(), "", "int main(void) {"]
        names = [f"t{thread + 1}" for thread in range(len(client.threads))]
        lines.append(f"  pthread_t {', '.join(names)};")
        lines += ["  void *result;", "  unsigned long code = 0;"]
        if self.library.init is not None:
            lines.append(f"  {self.library.init}();")
        for number in range(len(client.before)):
            lines += self._call(number, None)
        lines += [
            f"  pthread_create(&{name}, 0, client_thread_{i}, 0);"
            for i, name in enumerate(names, 1)
        ]
        for i, name in enumerate(names, 1):
            lines.append(f"  pthread_join({name}, &result);")
            lines.append(f"  {CODES}[{i}] = (unsigned long)result;")
        for number in client.numbers_after:
            lines += self._call(number, None)
        lines += [f"  {CODES}[0] = code;", *self._verdict(), "  return 0;", "}", ""]
        return "\n".join(lines)

    def _verdict(self) -> Iterator[str]:
        arguments = ", ".join(f"{CODES}[{i}]" for i in range(len(self.digits)))
        yield f"  if (!client_allowed({arguments})) {{"
        calls = [n for n, call in enumerate(self.client.calls) if call.has_result]
        if calls:
            # Reads that depend on them keep the results that a trace shows.
            yield f"    if ({' || '.join(f'{UNEXPECTED}[{n}]' for n in calls)})"
            yield "      reach_error(); /* a result that no order gives */"
        yield "    reach_error(); /* results that no order gives together */"
        yield "  }"

    def _check_size(self, pointer_bits: int) -> None:
        for digits in self.digits:
            values = 1
            for digit in digits:
                values *= digit.base
            if values > 2**pointer_bits:
                raise UnsupportedError(
                    f"client {self.client}: its results do not fit a word of {pointer_bits} bits"
                )
        orders = sum(map(len, self.orders.values()))
        if self.real_time and orders > MOST_ORDERS:
            raise UnsupportedError(
                f"client {self.client}: {orders} orders to compare in real time"
                f" (limit {MOST_ORDERS})"
            )

    # -- calls -----------------------------------------------------------------------------------

    def _call(self, number: int, thread: int | None) -> Iterator[str]:
        """The lines of a call; those that are marked are the call's (see `lines_of_calls`)."""
        if self.real_time and thread is not None:
            yield "  {"
            yield f"    unsigned long done = {_DONE};{_mark(number)}"
            for digit in self._seen(number, thread):
                assert digit.thread is not None
                shift, mask = self._counter(digit.thread)
                yield f"    code = code * {digit.base} + (done >> {shift} & {mask});"
            yield "  }"
        call = self.client.calls[number]
        if call.has_result:
            base = len(self.known[number]) + 1
            yield f"  code = code * {base} + client_rank_{number}({call});{_mark(number)}"
        else:
            yield f"  {call};{_mark(number)}"
        if self.real_time and thread is not None:
            yield f"  {_DONE} += 1ul << {self._counter(thread)[0]};{_mark(number)}"

    def _counter(self, thread: int) -> tuple[int, int]:
        """Where the calls of a thread are counted: how far to shift the word, and the mask then."""
        widths = [len(calls).bit_length() for calls in self.client.threads]
        return sum(widths[:thread]), (1 << widths[thread]) - 1

    # -- the check -------------------------------------------------------------------------------

    def _check(self) -> Iterator[str]:
        names = [f"c{i}" for i in range(len(self.digits))]
        parameters = ", ".join(f"unsigned long {name}" for name in names)
        yield f"static int client_allowed({parameters}) {{"
        if self.real_time:
            yield from self._check_orders()
        else:
            codes = sorted(self._encoded(results) for results in self.orders)
            yield from _switch(names, codes, "  ")
        yield "  return 0;"
        yield "}"

    def _encoded(self, results: Results) -> tuple[int, ...]:
        """The codes of the results; without real time they have no other digits."""
        codes = []
        for digits in self.digits:
            code = 0
            for digit in digits:
                value = results[digit.number]
                assert value is not None
                code = code * digit.base + self.known[digit.number].index(value)
            codes.append(code)
        return tuple(codes)

    def _check_orders(self) -> Iterator[str]:
        for results, orders in self.orders.items():
            ranks = [
                f"{text} == {self.known[digit.number].index(value)}"
                for digit, text in self._digit_texts()
                if digit.thread is None and (value := results[digit.number]) is not None
            ]
            yield f"  if ({' && '.join(ranks) or '1'}) {{"
            for order in orders:
                bounds = self._bounds(order)
                conditions = [
                    f"{text} <= {bounds[digit.number, digit.thread]}"
                    for digit, text in self._digit_texts()
                    if digit.thread is not None
                    and bounds[digit.number, digit.thread] < digit.base - 1
                ]
                yield f"    if ({' && '.join(conditions) or '1'}) return 1;"
            yield "  }"

    def _digit_texts(self) -> Iterator[tuple[Digit, str]]:
        """Every digit, and the expression of its value."""
        for i, digits in enumerate(self.digits):
            unit = 1
            for digit in reversed(digits):
                yield digit, f"c{i} / {unit} % {digit.base}"
                unit *= digit.base

    def _bounds(self, order: Order) -> dict[tuple[int, int | None], int]:
        """For each call, by number, and thread: how many of its calls come first in the order."""
        made = [0] * len(self.client.threads)
        bounds: dict[tuple[int, int | None], int] = {}
        for thread in order:
            number = self.client.numbers[thread][made[thread]]
            bounds.update(((number, other), count) for other, count in enumerate(made))
            made[thread] += 1
        return bounds


def _mark(number: int) -> str:
    return f" /* call {number} */"


def lines_of_calls(text: str, calls: int) -> dict[int, int]:
    """The lines (from 1) of a program that belong to a call, to the call's number."""
    marks = {_mark(number): number for number in range(calls)}
    return {
        line: number
        for line, written in enumerate(text.splitlines(), 1)
        for mark, number in marks.items()
        if written.endswith(mark)
    }


def _rank_function(number: int, known: Sequence[int]) -> Iterator[str]:
    yield f"static unsigned long client_rank_{number}(long long result) {{"
    for rank, value in enumerate(known):
        yield f"  if (result == {value})"
        yield f"    return {rank};"
    yield f"  {UNEXPECTED}[{number}] = result;"
    yield f"  return {len(known)};"
    yield "}"


def _switch(names: Sequence[str], codes: Sequence[tuple[int, ...]], indent: str) -> Iterator[str]:
    """Returns 1 if the names have one of the combinations of values, which are sorted."""
    yield f"{indent}switch ({names[0]}) {{"
    for value, same in groupby(codes, key=lambda code: code[0]):
        yield f"{indent}case {value}:"
        if len(names) == 1:
            yield f"{indent}  return 1;"
        else:
            yield from _switch(names[1:], [code[1:] for code in same], indent + "  ")
            yield f"{indent}  break;"
    yield f"{indent}}}"
