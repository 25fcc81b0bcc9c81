"""Differences and pointers hold in all enumerated states, and what is proved valid is so in all.

Oracle: the definition of the semantics, where every action is a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

from abpress.analysis.facts import Facts
from abpress.config import Config
from abpress.ir.program import Load, Program, Store
from abpress.ir.types import INT
from abpress.modular.analysis import Solution
from abpress.modular.apart import PlacesApart
from abpress.modular.bounds.analysis import BoundsFacts, find
from abpress.modular.bounds.indexed import indexed
from abpress.modular.bounds.places import carrier, indexed_by
from abpress.modular.bounds.state import State
from abpress.modular.claims import claimed
from abpress.proof.bounds.check import check_bounds
from abpress.proof.bounds.write import bounds_certificate
from abpress.semantics.reference import Configuration, ThreadState
from abpress.verify.load import load
from tests.modular.enumeration import Place, Watching, reached, walked
from tests.sampling import examples

WALKS = 12
MOST_STATES = 700

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
void assume(int c) { if (!c) abort(); }
"""


class Text:
    """Draws the statements of a thread (mutable)."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def pick(self, *items: str) -> str:
        return self._random.choice(items)

    def index(self, *more: str) -> str:
        return self.pick("0", "2", "r", "r", "i", "n - 1", "r & 1", "r - 1", "r + 1", *more)

    def test(self) -> str:
        return self.pick(
            "r >= 0", "r < n", "r >= 0 && r < n", "i >= 0 && i < n", "i < 3", "r > 0", "r != n"
        )

    def statement(self, depth: int, *more: str) -> str:
        kind = self._random.randrange(12)
        index = self.index(*more)
        match kind:
            case 0 | 1:
                return f"a[{index}] = 1;"
            case 2 | 3:
                return f"buffer[{index}] = 1;"
            case 4:
                return self.pick("r = i;", "r = n;", "i = r;", "i++;", "r++;", "r--;", "i = 1;")
            case 5:
                return self.pick("p = &x;", "p = 0;", f"p = &buffer[{index}];", "p = a;")
            case 6:
                return self.pick("*p = 1;", "if (p) *p = 1;", "int *q = p; if (q) *q = 1;")
            case 7 | 8 if depth:
                return f"if ({self.test()}) {{ {self.block(depth - 1, *more)} }}"
            case 9 if depth:
                inner = self.block(depth - 1, "k", "k")
                return f"for (int k = 0; k < {self.pick('n', '2')}; k++) {{ {inner} }}"
            case 10 if depth:
                inner = " ".join(f"a[{self.index()}] = 1;" for _ in range(1))
                text = f"if ({self.test()}) {inner} i++;"
                return f"__VERIFIER_atomic_begin(); {text} __VERIFIER_atomic_end();"
            case 11:
                return self.pick("n = 1;", "n--;", "r = 0;", "r = 2;", "r = 0;")
            case _:
                return "r = r & 1;"

    def block(self, depth: int, *more: str) -> str:
        number = self._random.randrange(1, 3)
        return " ".join(self.statement(depth, *more) for _ in range(number))

    def program(self) -> str:
        threads = self._random.randrange(1, 3)
        works = "".join(
            f"void *work{k}(void *arg) {{ int r = 0; {self.block(2)} {self.block(1)} return 0; }}\n"
            for k in range(threads)
        )
        created = " ".join(f"pthread_create(&t[{k}], 0, work{k}, 0);" for k in range(threads))
        again = self.pick("", "", "pthread_create(&t[2], 0, work0, 0);")
        bound = self.pick("n >= 0 && n <= 2", "n >= 1 && n <= 2")
        return (
            f"{HEAD}int n, i, x, buffer[3], *p = &x, *a;\n{works}"
            "int main(void) { pthread_t t[3]; int r = 0; n = __VERIFIER_nondet_int();"
            f" assume({bound}); a = malloc(sizeof(int) * (unsigned)n);"
            f" {self.block(1)} {created} {again} {self.pick('', self.block(1))} return 0; }}\n"
        )


class Moving(Text):
    """The same with pointers that loops move, and indices that are computed otherwise."""

    def statement(self, depth: int, *more: str) -> str:
        if not self._random.randrange(3):
            return super().statement(depth, *more)
        index = self.index()
        begin = self.pick("buffer", "buffer", "mine", "a", "b", "q", f"buffer + ({index})", "e - 1")
        end = self.pick("e", "e", "buffer + 3", "mine + 2", "a + n", "b + 2", "q", f"q + ({index})")
        match self._random.randrange(11):
            case 8 if depth:
                write = self.pick("a[j] = 1;", "buffer[j] = 1;", "a[n - 1 - j] = 1;")
                loop = self.pick(
                    "unsigned j = 3; j-- > 0;", "unsigned j = n; j--;", "int j = 0; j < n / 2; j++"
                )
                return f"for ({loop}) {write}"
            case 9:
                return self.pick("r = (r + n) / 2;", "r = r >> 1;", "r = n - r / 2;", "r = n / 2;")
            case 10:
                return self.pick("r = e - q;", "if (e - q > 0) *q = 1;", "r = i % 3;", "r = r & i;")
            case 0 | 1 if depth:
                inner = self.pick("*c = 1;", "*c = 1;", "q = c;", "c[1] = 1;", "c++; *c = 1;")
                return f"for (int *c = {begin}; c {self.pick('<', '!=')} {end}; c++) {{ {inner} }}"
            case 2 if depth:
                return self.pick(
                    "while (q-- != buffer) *q = 1;",
                    "while (q > buffer) *--q = 1;",
                    "while (q < e) *q++ = 1;",
                    "do *q = 1; while (++q != e);",
                )
            case 3 | 4:
                return self.pick(f"q = {begin};", f"e = {end};", "q++;", "q--;", "b = q;")
            case 5 if depth:
                test = self.pick(f"q < {end}", f"q != {end}", f"q >= {begin}", f"q == {begin}")
                return f"if ({test}) {{ {self.block(depth - 1, *more)} }}"
            case 6:
                return self.pick("*q = 1;", "q[1] = 1;", "*--e = 1;", f"q[{index}] = 1;")
            case _:
                return self.pick("b = malloc(8); if (!b) return 0;", "q = b;", "b = a;")

    def program(self) -> str:
        its = "int mine[2], *q = buffer, *e = buffer + 3, *b = mine; mine[0] = 0;"
        return super().program().replace("int r = 0;", f"int r = 0; {its}")


class Handing(Text):
    """Threads that are given numbers. NOTE(handed-numbers)"""

    def number(self) -> str:
        return self.pick("0", "1", "2", "2", "3", "-1", "r", "r", "r - 1", "r + 1", "i", "n")

    def create(self, work: int) -> str:
        text = f"pthread_create(&t, 0, work{work}, (void *)(long)({self.number()}));"
        return self.pick("", "", "if (r > 0) ", "if (r < 2) ") + text

    def work(self, number: int) -> str:
        begin = self.pick(
            "(int)(long)arg", "(long)arg", "(long)arg + 1", "(unsigned char)(long)arg"
        )
        change = self.pick("", "", "", "r++;", "if (r >= 0)", "if (r < 3)")
        more = self.create(1) if not number and self._random.randrange(2) else ""
        index = self.pick("r", "r", "r", "r - 1", "r + 1", "r & 1")
        text = f"int r = {begin}; {change} buffer[{index}] = 1; {more} return 0;"
        return f"void *work{number}(void *arg) {{ {text} }}\n"

    def program(self) -> str:
        loop = "for (int r = 0; r < 2; r++) " if self._random.randrange(2) else ""
        creations = f"{loop}{{ {self.create(0)} }} {self.create(self._random.randrange(2))}"
        return (
            f"{HEAD}int n, i, buffer[3]; pthread_t t;\n{self.work(1)}{self.work(0)}"
            "int main(void) { int r = 1; n = __VERIFIER_nondet_int(); assume(n >= 0 && n < 3);"
            f" {creations} return 0; }}\n"
        )


def value_of(
    name: str, now: Configuration, thread: ThreadState, sizes: Mapping[str, int]
) -> object:
    register = indexed_by(name)
    if register is not None:
        pointer = thread.registers.get(register)
        if not isinstance(pointer, tuple):
            return pointer  # none, or no pointer to an object, of which nothing may be said
        assert pointer[1] % sizes[register] == 0
        return pointer[1] // sizes[register]
    pointer = carrier(name)
    if pointer is not None:
        number = thread.registers.get(pointer)
        return INT.wrap(number) if isinstance(number, int) else number
    if "@" not in name:
        return thread.registers.get(name)
    object, _, offset = name.partition("@")
    counted = offset == "count" or offset.endswith("#")
    return None if counted else now.memory.get(object, {}).get(int(offset))


def is_at(value: object, places: frozenset[tuple[str, int, int]]) -> bool:
    """Whether a pointer points to one of the places; objects on the heap, and local ones of a name,
    are all alike."""
    if value == 0:
        return any(o == "null" for o, *_ in places)
    if not isinstance(value, tuple):
        return value is None
    object, offset = value
    return any(
        low <= offset <= high
        and (
            o == object
            or (object.startswith("heap") and "." in o)
            or (":" in object and o.partition(":")[2] == object.partition(":")[2])
        )
        for o, low, high in places
    )


def accesses(program: Program, place: Place) -> bool:
    """Whether what an edge does is to access memory: it may also subtract pointers."""
    name, i, k = place
    effects = program.templates[name].locations[i].edges[k].effects
    return any(isinstance(effect, Load | Store) for effect in effects)


def holds(now: Configuration, thread: ThreadState, state: State, sizes: Mapping[str, int]) -> bool:
    """Whether a state tells the truth of a thread; pointers are moved in steps of these sizes."""
    for (x, y), c in state.zone:
        a = value_of(x, now, thread, sizes) if x else 0
        b = value_of(y, now, thread, sizes) if y else 0
        if isinstance(a, int) and isinstance(b, int) and a - b > c:
            return False
    pointers = all(is_at(value_of(n, now, thread, sizes), p) for n, p in state.pointers.items())
    flags = (value_of(n, now, thread, sizes) in (None, v) for n, v in state.flags.items())
    return pointers and all(flags)


def compare(
    program: Program, solution: Solution | None = None, more: list[Configuration] | None = None
) -> tuple[BoundsFacts, set[Place]]:
    """Compares a program's states with what is found, also by what is known of single threads if
    that is given, on random executions; returns that, and the edges with undefined behaviour in
    states that were reached. `more` gets states that are not looked at."""
    apart = None if solution is None else PlacesApart(solution)
    found = find(program, Facts.of(program), apart=apart)
    if not found.alarms:
        claims = None if solution is None else claimed(solution, ())
        check_bounds(program, bounds_certificate(program, found, claims))
    reference, sizes = Watching(program, "UndefinedBehaviour"), indexed(program)
    every = reached(program, MOST_STATES, reference, more)
    for now in every if solution is None else walked(reference, WALKS):
        for thread in now.threads.values():
            if thread.location is not None:
                states = found.states.get((thread.template, thread.location), {}).values()
                assert any(holds(now, thread, s, sizes[thread.template]) for s in states), thread
    assert {place for place in reference.ended if accesses(program, place)} <= set(found.alarms)
    return found, reference.ended


def with_numbers(text: str, type: str) -> str:
    """The program with numbers of another type; where differences of them move pointers by more
    than there are addresses, there are none."""
    if type == "unsigned":
        text = text.replace("r - 1", "r & 3").replace("n - 1", "n & 3")
    longer = text.replace("int r = 0", f"{type} r = 0").replace("int k = 0", f"{type} k = 0")
    return longer.replace("int n, i, x", f"{type} n, i; int x")


def program_of(text: str, folder: Path, data_model: str) -> Program:
    file = folder / "program.c"
    file.write_text(text)
    return load(Config.of(file, data_model=data_model, property="valid-deref")).program


def compare_all(texts: Iterable[str], folder: Path, data_model: str = "ILP32") -> tuple[int, int]:
    """Compares each program; in how many nothing is left open, and how many have an access that is
    invalid."""
    proved, invalid = 0, 0
    for text in texts:
        found, undefined = compare(program_of(text, folder, data_model))
        proved += not found.alarms
        invalid += bool(undefined)
    return proved, invalid


def test_random_programs(tmp_path: Path) -> None:
    texts = (Text(seed).program() for seed in range(260, 260 + examples(12, whole=60)))
    proved, invalid = compare_all(texts, tmp_path)
    assert proved > examples(2, whole=5)
    assert invalid > examples(4, whole=10)


def test_random_programs_with_moving_pointers(tmp_path: Path) -> None:
    texts = (Moving(seed).program() for seed in range(100, 100 + examples(12, whole=60)))
    proved, invalid = compare_all(texts, tmp_path)
    assert proved > examples(1, whole=3)
    assert invalid > examples(1, whole=3)


def test_random_programs_with_long_numbers(tmp_path: Path) -> None:
    seeds = range(examples(4310, whole=4300), examples(4320, whole=4340))
    texts = (
        with_numbers(Text(seed).program(), ("size_t", "long")[seed % 3 == 0]) for seed in seeds
    )
    proved, invalid = compare_all(texts, tmp_path, "LP64")
    assert proved > examples(1, whole=3)
    assert invalid > examples(3, whole=6)


def test_random_programs_with_handed_numbers(tmp_path: Path) -> None:
    seeds = range(700, 700 + examples(6, whole=60))
    texts = (Handing(seed).program() for seed in seeds)
    proved, invalid = compare_all(texts, tmp_path)
    assert proved > 1
    assert invalid > 0
