"""Random small concurrent C programs: two or three threads over shared variables, with every kind
of synchronisation, inputs, nested creation, assertions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
"""
"""SHARED is nothing, or `volatile`."""

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

PLACES = ("x", "y", "s.a", "s.b", "array[1]", "array[x & 1]", "heap->a", "at")


@dataclass(frozen=True)
class ConcurrentProgram:
    """The pieces of a program: the bodies of threads, in any order of creation."""

    declarations: str
    bodies: tuple[str, ...]  # of the threads that main creates
    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]
    join: tuple[bool, ...]
    in_loop: bool
    spurious_wakeups: bool

    def text(self, order: Sequence[int]) -> str:
        """The program whose main creates the threads in this order."""
        lines = [HEADER, self.declarations, *self.bodies, "int main(void) {", "  int l = 0;"]
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
            if self.join[i]:
                lines.append(f"  pthread_join(t[{k}], 0);")
        return "\n".join([*lines, *self.after, "}", ""])


@dataclass
class _Writer:
    """Draws statements; mutable: counts, and remembers which objects are needed."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    allowed: tuple[str, ...]
    used: dict[str, None] = field(default_factory=dict)
    bounded: bool = False  # inside of a lock, loop or atomic section

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.draw(st.integers(0, len(options) - 1))]

    def number(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def condition(self) -> str:
        return f"{self.pick(PLACES)} {self.pick(('==', '!=', '>', '<='))} {self.number(0, 2)}"

    def statements(self, most: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.number(1, most)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        if self.allowed and depth > 0 and self.number(0, 2) > 0:
            return self.synchronisation(depth)
        way = self.number(0, 9 if depth <= 0 else 14)
        place, other, k = self.pick(PLACES), self.pick(PLACES), self.number(0, 2)
        match way:
            case 0 | 1:
                return [f"{place} = {k};"]
            case 2:
                return [f"{place}++;"] if not self.bounded else [f"{place} = 1;"]
            case 3:
                return [f"l = {place};", f"{other} = l & 1;"]
            case 4:
                return [f"assert({self.condition()} || l);"]
            case 5:
                return [f"assert(!({self.condition()} && {self.condition()}));"]
            case 6:
                return [f"l = {other};"]
            case 7:
                return [self.pick((
                    "at ^= 1;", "l = atomic_exchange(&at, 2);", "__sync_lock_test_and_set(&y, 1);",
                    "l = __sync_bool_compare_and_swap(&x, 0, 2);", "atomic_fetch_or(&at, 1);",
                    "l = __atomic_add_fetch(&y, 1, __ATOMIC_SEQ_CST) & 1;",
                    "{ int e = 1; l = atomic_compare_exchange_strong(&at, &e, 2); x = e; }",
                    "{ int e = 0; l = atomic_compare_exchange_weak(&at, &e, 1); y = e; }",
                    "at -= x & 1;", "l = at++ & 1;", "__atomic_store_n(&s.a, 2, __ATOMIC_RELEASE);",
                    "l = __atomic_load_n(&s.b, __ATOMIC_ACQUIRE) & 1;",
                ))]  # fmt: skip
            case 8:
                return [self.pick((
                    "l = __VERIFIER_nondet_bool();", "x = __VERIFIER_nondet_bool();",
                    "l = __VERIFIER_nondet_int(); __VERIFIER_assume(l >= 0 && l <= 1);",
                    "__VERIFIER_assume(x < 2);", "own++; assert(own == 1 || l);",
                    "{ struct pair p = s; l = p.a == p.b; }", "s = *heap;",
                ))]  # fmt: skip
            case 9:
                return [f"if ({self.condition()}) pthread_exit(0);"]
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
        place = self.pick(PLACES)
        wait = self.pick((
            f"while ({place} == 0) pthread_cond_wait(&c, &m);",
            f"if ({place} == 0) pthread_cond_wait(&c, &m);",
            "l = pthread_cond_timedwait(&c, &m, &soon) != 0;",
        ))  # fmt: skip
        return ["pthread_mutex_lock(&m);", wait, "pthread_mutex_unlock(&m);"]

    def guarded(self, begin: str, end: str, depth: int) -> list[str]:
        outer, self.bounded = self.bounded, True
        inner = [
            line for line in self.statements(2, depth - 1) if not line.endswith("pthread_exit(0);")
        ]
        self.bounded = outer
        return [begin, *inner, end]


@st.composite
def concurrent_programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> ConcurrentProgram:
    """Terminating programs without undefined behaviour."""
    kinds = tuple(OBJECTS)
    allowed = draw(st.lists(st.sampled_from(kinds), unique=True, min_size=1, max_size=2).map(tuple))
    writer = _Writer(draw, allowed)
    count = draw(st.integers(1, 2))
    nested = draw(st.integers(0, 3)) == 3
    bodies = []
    for i in range(count):
        lines = writer.statements(5 - count, 2)
        if nested and i == 0:
            leaf = writer.statements(1, 1)
            bodies.append(_function("leaf", leaf))
            lines = _creating(lines, writer.number(0, 3))
        bodies.append(_function(f"thread{i}", lines))
    order = count
    main = writer.statements(2, 1) if writer.number(0, 1) else []
    after = writer.statements(1, 0) if writer.number(0, 1) else []
    ending = writer.pick(("return 0;", "pthread_exit(0);"))
    if writer.number(0, 1):
        after.append(f"assert({writer.condition()});")
    initial = writer.number(0, 1)
    return ConcurrentProgram(
        "\n".join(OBJECTS[name][0] for name in writer.used),
        tuple(bodies),
        tuple(f"  {OBJECTS[name][1].format(initial)}" for name in writer.used),
        tuple(f"  {line}" for line in main),
        tuple(f"  {line}" for line in (*after, ending)),
        tuple(writer.number(0, 3) > 0 for _ in range(order)),
        bool(writer.number(0, 1)),
        bool(writer.number(0, 1)),
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


def _function(name: str, lines: Sequence[str]) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    end = "  return l ? (void *)&x : 0;\n}"
    return f"static void *{name}(void *argument) {{\n  int l = 0;\n{body}\n{end}"
