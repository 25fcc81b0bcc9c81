"""Random small concurrent C programs: two or three threads over shared variables, with every kind
of synchronisation, inputs, nested creation, assertions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

HEADER = """#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifndef SHARED
#define SHARED
#endif
struct pair { int a, b; };
static SHARED int x, y;
static SHARED struct pair s;
static SHARED int array[2];
static _Atomic int at;
static SHARED struct pair *heap;
static _Thread_local int own;
static const struct timespec soon;
#ifdef OBSERVED
static int seen[4];
#define OBSERVER unsigned trail = 0;
#define SEE(value) trail = 3 * trail + (value);
#define TELL(thread) seen[thread] = trail;
#define CHECK(condition) l = condition; SEE(l)
#else
#define OBSERVER
#define SEE(value)
#define TELL(thread)
#define CHECK(condition) assert(condition || l);
#endif
"""
"""SHARED is nothing, or `volatile`. With OBSERVED each thread tells at its end what it has read,
and some assertions are told so, too."""

OBJECTS = {
    "mutex": ("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", ""),
    "second": ("static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;", ""),
    "recursive": (
        "static pthread_mutex_t rm = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;",
        "",
    ),
    "checking": (
        "static pthread_mutex_t em;",
        "pthread_mutexattr_t as; pthread_mutexattr_init(&as);"
        " pthread_mutexattr_settype(&as, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&em, &as);",
    ),
    "cond": ("static pthread_cond_t c = PTHREAD_COND_INITIALIZER;", ""),
    "sem": ("static sem_t q;", "sem_init(&q, 0, {0});"),
    "rwlock": ("static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;", ""),
    "barrier": ("static pthread_barrier_t b;", "pthread_barrier_init(&b, 0, 2);"),
    "spin": ("static pthread_spinlock_t sp;", "pthread_spin_init(&sp, 0);"),
    "once": (
        "static pthread_once_t o = PTHREAD_ONCE_INIT;\nstatic void routine(void) { x++; at = x; }",
        "",
    ),
    "keys": (
        "static pthread_key_t k1, k2;\n"
        "static void first(void *p) { s.a = 2 * s.a + 1; }\n"
        "static void other(void *p) { s.a = 2 * s.a; if (p == &y) pthread_setspecific(k1, p); }",
        "pthread_key_create(&k1, first); pthread_key_create(&k2, other);",
    ),
    "flag": ("static atomic_flag fl = ATOMIC_FLAG_INIT;", ""),
}
"""Synchronisation object -> its declaration, and what main does with it first."""

DATA = ("x", "y", "s", "array", "at")
"""The variables of every program."""

CELLS = ("x", "y", "s.a", "s.b", "array[0]", "array[1]", "at")
"""Their scalars."""

SEEN = tuple(f"seen[{i}]" for i in range(4))
"""Those of OBSERVED."""

PLACES = ("x", "y", "s.a", "s.b", "array[1]", "array[x & 1]", "heap->a", "at")
"""What statements read and write; in one program only a few, on which its threads meet."""


@dataclass(frozen=True)
class ConcurrentProgram:
    """The pieces of a program: the bodies of threads, in any order of creation."""

    declarations: str
    bodies: tuple[str, ...]  # of the threads that main creates
    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]
    join: tuple[bool, ...]
    results: bool  # whether main tells what the threads return
    in_loop: bool
    spurious_wakeups: str  # the option: off, on, chosen

    def text(self, order: Sequence[int]) -> str:
        """The program whose main creates the threads in this order."""
        lines = [HEADER, self.declarations, *self.bodies, "int main(void) {"]
        lines.append("  enum { me = 3 }; int l = 0; OBSERVER")
        lines += ["  heap = calloc(1, sizeof(struct pair));", *self.before]
        count = len(order)
        lines.append(f"  pthread_t t[{count}];")
        if self.in_loop:
            names = ", ".join(f"thread{i}" for i in order)
            lines.append(f"  void *(*bodies[])(void *) = {{{names}}};")
            lines.append(f"  for (int i = 0; i < {count}; i++)")
            lines.append("    pthread_create(t + i, 0, bodies[i], 0);")
        else:
            for k, i in enumerate(order):
                lines.append(f"  pthread_create(&t[{k}], 0, thread{i}, 0);")
        lines += self.between
        for k, i in enumerate(order):
            if self.join[i] and self.results:
                lines.append(f"  {{ void *r; pthread_join(t[{k}], &r); y += r != 0; }}")
            elif self.join[i]:
                lines.append(f"  pthread_join(t[{k}], 0);")
        return "\n".join([*lines, *self.after, "}", ""])


@dataclass
class _Writer:
    """Draws statements; mutable: counts, and remembers which objects are needed."""

    number: Callable[[int, int], int]  # any one from the first to the second
    allowed: tuple[str, ...]
    places: tuple[str, ...]
    used: dict[str, None] = field(default_factory=dict)
    bounded: bool = False  # inside of a lock, loop or atomic section

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.number(0, len(options) - 1)]

    def condition(self) -> str:
        return f"{self.pick(self.places)} {self.pick(('==', '!=', '>', '<='))} {self.number(0, 2)}"

    def statements(self, most: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.number(1, most)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        lines = self.effect(depth)
        return [f"{line} SEE(l)" if line.startswith("l = ") else line for line in lines]

    def effect(self, depth: int) -> list[str]:
        if self.allowed and depth > 0 and self.number(0, 2) > 0:
            return self.synchronisation(depth)
        way = self.number(0, 9 if depth <= 0 else 14)
        place, other, k = self.pick(self.places), self.pick(self.places), self.pick((1, 2, 1, 2, 0))
        match way:
            case 0 | 1:
                return [f"{place} = {k};"]
            case 2:
                return [f"{place}++;"] if not self.bounded else [f"{place} = 1;"]
            case 3:
                return [f"l = {place};", f"{other} = l & 1;"]
            case 4:
                return [f"CHECK({self.condition()})"]
            case 5:
                return [f"assert(!({self.condition()} && {self.condition()}));"]
            case 6:
                return [f"l = {other};"]
            case 7:
                return [self.atomic(place if place != "at" else "x", other)]
            case 8:
                return [self.pick((
                    "l = __VERIFIER_nondet_bool();", "x = __VERIFIER_nondet_bool();",
                    "l = __VERIFIER_nondet_int(); __VERIFIER_assume(l >= 0 && l <= 1);",
                    "__VERIFIER_assume(x < 2);", "own++; assert(own == 1 || l);",
                    "{ struct pair p = s; l = p.a == p.b; }", "s = *heap;",
                ))]  # fmt: skip
            case 9:
                return [f"if ({self.condition()}) {{ TELL(me) pthread_exit(0); }}"]
            case 10 if not self.bounded:
                return self.guarded("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();", 0)
            case 11:
                body = self.guarded("", "", depth)
                return [f"for (int i = 0; i < {self.number(1, 2)}; i++) {{", *body, "}"]
            case 12 | 13:
                yes = self.statements(2, depth - 1)
                return [f"if ({self.condition()}) {{", *yes, "} else {", f"  {place} = 1;", "}"]
            case _:
                return [f"{place} = {other};"] if not self.bounded else ["y = x;"]

    def atomic(self, plain: str, other: str) -> str:
        """An atomic operation on `at`, or by a builtin on another place."""
        return str(self.pick((
            "at ^= 1;", "l = atomic_exchange(&at, 2);", "atomic_fetch_or(&at, 1);",
            "l = at++ & 1;", f"at -= {other} & 1;",
            f"__sync_lock_test_and_set(&{plain}, 1);",
            f"l = __sync_bool_compare_and_swap(&{plain}, 0, 2);",
            f"l = __atomic_add_fetch(&{plain}, 1, __ATOMIC_SEQ_CST) & 1;",
            f"__atomic_store_n(&{plain}, 2, __ATOMIC_RELEASE);",
            f"l = __atomic_load_n(&{plain}, __ATOMIC_ACQUIRE) & 1;",
            f"{{ int e = 1; l = atomic_compare_exchange_strong(&at, &e, 2); {other} = e; }}",
            f"{{ int e = 0; l = atomic_compare_exchange_weak(&at, &e, 1); {other} = e; }}",
        )))  # fmt: skip

    def synchronisation(self, depth: int) -> list[str]:
        """Something with one of the objects that are allowed."""
        name = self.pick(self.allowed)
        self.used.setdefault(name)
        match name:
            case "sem":
                return [self.pick((
                    "sem_wait(&q);", "sem_post(&q);", "l = sem_trywait(&q);",
                    "sem_post(&q);", "l = sem_timedwait(&q, &soon);", "sem_getvalue(&q, &l);",
                ))]  # fmt: skip
            case "cond":
                return self.condition_variable()
            case "barrier":
                return [self.pick(("pthread_barrier_wait(&b);", "l = pthread_barrier_wait(&b);"))]
            case "once":
                return ["pthread_once(&o, routine);"]
            case "keys":
                return [self.pick((
                    "pthread_setspecific(k1, &x);", "pthread_setspecific(k2, &y);",
                    "pthread_setspecific(k2, &x);", "pthread_setspecific(k1, 0);",
                    "l = pthread_getspecific(k1) == 0;",
                ))]  # fmt: skip
            case "flag":
                return [
                    self.pick(("l = atomic_flag_test_and_set(&fl);", "atomic_flag_clear(&fl);"))
                ]
            case "recursive" | "checking":
                mutex = "rm" if name == "recursive" else "em"
                function = self.pick(("lock", "lock", "trylock", "unlock", "unlock"))
                return [f"l = pthread_mutex_{function}(&{mutex}) != 0;"]
            case "rwlock":
                lock = f"pthread_rwlock_{{}}{self.pick(('rd', 'wr'))}lock(&rw{{}})"
                return self.locked(lock, "pthread_rwlock_unlock(&rw);", depth)
            case "spin":
                lock = "pthread_spin_{}lock(&sp{})"
                return self.locked(lock, "pthread_spin_unlock(&sp);", depth, timed=False)
            case _:
                mutex = "m" if name == "mutex" else "n"
                lock, unlock = f"pthread_mutex_{{}}lock(&{mutex}{{}})", "pthread_mutex_unlock"
                return self.locked(lock, f"{unlock}(&{mutex});", depth)

    def locked(self, lock: str, unlock: str, depth: int, *, timed: bool = True) -> list[str]:
        """Statements with a lock held. `lock` has two places, for the way of taking it and for its
        deadline; what is tried is held only if that succeeds."""
        way = self.number(0, 5 if timed else 4)
        if way < 4:
            return self.guarded(f"{lock.format('', '')};", unlock, depth)
        taken = lock.format("try", "") if way == 4 else lock.format("timed", ", &soon")
        return [*self.guarded(f"if ({taken} == 0) {{", unlock, depth), "}"]

    def condition_variable(self) -> list[str]:
        """A signal, or a wait with the mutex."""
        if self.bounded or self.number(0, 2) == 0:
            return [f"pthread_cond_{self.pick(('signal', 'broadcast'))}(&c);"]
        self.used.setdefault("mutex")
        place = self.pick(self.places)
        wait = self.pick((
            f"while ({place} == 0) pthread_cond_wait(&c, &m);",
            f"if ({place} == 0) pthread_cond_wait(&c, &m);",
            "l = pthread_cond_timedwait(&c, &m, &soon) != 0;",
        ))  # fmt: skip
        return ["pthread_mutex_lock(&m);", wait, "pthread_mutex_unlock(&m);"]

    def guarded(self, begin: str, end: str, depth: int) -> list[str]:
        outer, self.bounded = self.bounded, True
        inner = [
            line
            for line in self.statements(2, depth - 1)
            if not line.endswith("pthread_exit(0); }")
        ]
        self.bounded = outer
        return [begin, *inner, end]


@st.composite
def concurrent_programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> ConcurrentProgram:
    """Terminating programs without undefined behaviour."""
    return _program(lambda low, high: draw(st.integers(low, high)))


def random_program(seed: int) -> ConcurrentProgram:
    """As those of `concurrent_programs`, but seldom as small: nothing is preferred."""
    return _program(Random(seed).randint)


def _program(number: Callable[[int, int], int]) -> ConcurrentProgram:
    def some(options: Sequence[str], most: int) -> tuple[str, ...]:
        left = list(options)
        return tuple(left.pop(number(0, len(left) - 1)) for _ in range(number(1, most)))

    writer = _Writer(number, some(tuple(OBJECTS), 2), some(PLACES, 3))
    count = writer.pick((2, 2, 1))
    nested = number(0, 3) == 3
    main = writer.statements(2, 1) if count == 1 or writer.number(0, 1) else []
    after = writer.statements(1, 0) if writer.number(0, 1) else []
    bodies = []
    for i in range(count):
        lines = writer.statements(5 - count, 2)
        if nested and i == 0:
            leaf = writer.statements(1, 1)
            bodies.append(_function("leaf", leaf, 2))
            lines = _creating(lines, writer.number(0, 3))
        bodies.append(_function(f"thread{i}", lines, i))
    ending = writer.pick(("return 0;", "pthread_exit(0);"))
    if writer.number(0, 1):
        after.append(f"assert({writer.condition()});")
    initial = writer.number(0, 1)
    return ConcurrentProgram(
        "\n".join(OBJECTS[name][0] for name in writer.used),
        tuple(bodies),
        tuple(f"  {OBJECTS[name][1].format(initial)}" for name in writer.used),
        tuple(f"  {line}" for line in main),
        tuple(f"  {line}" for line in (*after, "TELL(me)", ending)),
        tuple(writer.number(0, 3) > 0 for _ in range(count)),
        bool(writer.number(0, 1)),
        bool(writer.number(0, 1)),
        writer.pick(("off", "on", "chosen")),
    )


def _creating(lines: Sequence[str], way: int) -> list[str]:
    """The statements in a thread that creates another one, in one of four ways."""
    create, detached = "pthread_create(&t, 0, leaf, 0);", "PTHREAD_CREATE_DETACHED"
    match way:
        case 0:
            end = "pthread_join(t, 0);"
        case 1:
            end = "pthread_detach(t);"
        case 2:
            end = "void *r; pthread_join(t, &r); x = r != 0;"
        case _:
            create = "pthread_create(&t, &detached, leaf, 0);"
            state = f"pthread_attr_setdetachstate(&detached, {detached});"
            create = f"pthread_attr_t detached; pthread_attr_init(&detached); {state} {create}"
            end = ""
    return ["pthread_t t;", create, *lines, end]


def _function(name: str, lines: Sequence[str], number: int) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    begin = f"enum {{ me = {number} }}; int l = 0; OBSERVER"
    end = "TELL(me) return l ? (void *)&x : 0;"
    return f"static void *{name}(void *argument) {{\n  {begin}\n{body}\n  {end}\n}}"
