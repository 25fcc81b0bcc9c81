"""Random programs whose threads use locks, memory and arithmetic rightly, and mutations of them.

A program is drawn without faults: each variable has its lock, each object one owner at a time who
frees it, each number its bounds. Then some of its lines are lost, moved, repeated or changed, as
people do. What a mutation breaks is not known here: the sanitizers and the verifier are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

_HEADER = """#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct node {
    int value;
    struct node *next;
};

struct pair {
    int first, second;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t row_locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t handed;
static int count, near = INT_MAX - LEFT;
static struct pair pair;
static struct node *list;
static int table[4];
static int rows[2];
static atomic_int at;
static struct node *parcel;

static struct node *made(int value)
{
    struct node *node = malloc(sizeof(*node));

    if (!node)
        abort();
    node->value = value;
    node->next = 0;
    return node;
}
"""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a program. `group` is what belongs together (a lock with its unlock), 0: nothing;
    `wrong` is what the line becomes if it is changed."""

    text: str
    group: int = 0
    wrong: str | None = None
    kept: bool = False  # it is neither lost nor moved: declarations, braces


@dataclass
class _Drawing:
    """Draws statements; mutable: counts groups and increments."""

    random: Random
    groups: int = 0
    increments: int = 0
    sends: bool = False

    def locked(self, lock: str, unlock: str, *inner: _Line) -> list[_Line]:
        """Lines with a lock held."""
        self.groups += 1
        return [_Line(lock, self.groups), *inner, _Line(unlock, self.groups)]

    def mutex(self, name: str, *inner: _Line) -> list[_Line]:
        """Lines with a mutex held."""
        lock, unlock = f"pthread_mutex_lock(&{name});", f"pthread_mutex_unlock(&{name});"
        return self.locked(lock, unlock, *inner)

    def counting(self, me: int) -> list[_Line]:
        return self.mutex("m", _Line("count++;"))

    def near_the_end(self, me: int) -> list[_Line]:
        self.increments += 1
        return self.mutex("m", _Line("near++;", wrong="near += 2;"))

    def reading(self, me: int) -> list[_Line]:
        read, unlock = "pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"
        return self.locked(
            read,
            unlock,
            _Line("l = pair.first;", wrong="l = pair.first++;"),
            _Line("l += pair.second;"),
        )

    def replacing(self, me: int) -> list[_Line]:
        write, unlock = "pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"
        new = f"struct pair new = {{{me + 1}, 1}};"
        return [
            _Line("{", kept=True), _Line(new, kept=True),
            *self.locked(write, unlock, _Line("memcpy(&pair, &new, sizeof(pair));")),
            _Line("}", kept=True),
        ]  # fmt: skip

    def pushing(self, me: int) -> list[_Line]:
        return [
            _Line("{", kept=True), _Line(f"struct node *node = made({me});", kept=True),
            *self.mutex("n", _Line("node->next = list;"), _Line("list = node;")),
            _Line("}", kept=True),
        ]  # fmt: skip

    def popping(self, me: int) -> list[_Line]:
        return [
            _Line("{", kept=True), _Line("struct node *node;", kept=True),
            *self.mutex("n", _Line("node = list;", kept=True),
                        _Line("if (node) list = node->next;")),
            _Line("if (node) l = node->value;"),
            _Line("free(node);"),
            _Line("}", kept=True),
        ]  # fmt: skip

    def scratch(self, me: int) -> list[_Line]:
        size = self.random.randint(1, 3)
        loop = f"for (int i = 0; i {{}} {size}; i++) own[i] = i;"
        return [
            _Line("{", kept=True),
            _Line(f"int *own = malloc({size} * sizeof(int));", kept=True),
            _Line("if (!own) abort();", kept=True),
            _Line(loop.format("<"), wrong=loop.format("<=")),
            _Line(f"l = own[{size - 1}];", wrong=f"l = own[{size}];"),
            _Line("free(own);", wrong="free(own + 1);"),
            _Line("}", kept=True),
        ]  # fmt: skip

    def sized(self, me: int) -> list[_Line]:
        bound = "if (size < 1 || size > 3) size = 1;"
        return [
            _Line("{", kept=True), _Line("int size = __VERIFIER_nondet_int();", kept=True),
            _Line(bound),
            _Line("int cells[size > 0 && size < 5 ? size : 1];", kept=True),
            _Line("for (int i = 0; i < size && i < 4; i++) cells[i] = 2 * i;"),
            _Line("l = size * 10;"),
            _Line("}", kept=True),
        ]  # fmt: skip

    def own_cell(self, me: int) -> list[_Line]:
        return [_Line(f"table[{me}] += {me + 1};", wrong=f"table[{(me + 1) % 3}] += 1;")]

    def atomics(self, me: int) -> list[_Line]:
        return [_Line("atomic_fetch_add(&at, 1);", wrong="*(int *)&at = 1;")]

    def trying(self, me: int) -> list[_Line]:
        self.groups += 1
        return [
            _Line("{", kept=True),
            _Line("int had = pthread_mutex_trylock(&m) == 0;", kept=True),
            _Line("if (had) count += 2;", wrong="count += 2;"),
            _Line("if (had) pthread_mutex_unlock(&m);", self.groups),
            _Line("}", kept=True),
        ]  # fmt: skip

    def nested(self, me: int) -> list[_Line]:
        both = self.mutex("n", _Line("count--;"))
        return self.mutex("m", *both)

    def row(self, me: int) -> list[_Line]:
        which = self.random.randint(0, 1)
        return self.mutex(
            f"row_locks[{which}]",
            _Line(f"rows[{which}]++;", wrong=f"rows[{1 - which}]++;"),
        )

    def arithmetic(self, me: int) -> list[_Line]:
        guard = "if (l > 1000 || l < -1000) l = 0;"
        return [
            _Line("l = __VERIFIER_nondet_int();"), _Line(guard),
            _Line(self.random.choice((
                "l = l * 31 + 7;", "l = -l;", "l = (l & 1023) << 3;", "l = l - (l + 5) / 2;",
            ))),
        ]  # fmt: skip

    def sending(self, me: int) -> list[_Line]:
        if self.sends or me != 0:
            return self.atomics(me)
        self.sends = True
        return [_Line("parcel = made(9);"), _Line("sem_post(&handed);")]


_STATEMENTS: Sequence[Callable[[_Drawing, int], list[_Line]]] = (
    _Drawing.counting, _Drawing.near_the_end, _Drawing.reading, _Drawing.replacing,
    _Drawing.pushing, _Drawing.popping, _Drawing.scratch, _Drawing.sized, _Drawing.own_cell,
    _Drawing.atomics, _Drawing.trying, _Drawing.nested, _Drawing.row, _Drawing.arithmetic,
    _Drawing.sending,
)  # fmt: skip

_RECEIVING = (
    _Line("sem_wait(&handed);"),
    _Line("l = parcel->value;"),
    _Line("free(parcel);"),
)


def faulty_program(seed: int, mutations: int) -> str:
    """The program of a seed, with so many mutations; without one it has no fault."""
    random = Random(seed)
    drawing = _Drawing(random)
    few = random.sample(_STATEMENTS, 4)  # so that threads meet
    bodies = []
    for me in range(2):
        lines: list[_Line] = []
        for _ in range(random.randint(1, 3)):
            lines += random.choice(few)(drawing, me)
        bodies.append(lines)
    if drawing.sends:
        bodies[1] += _RECEIVING
    # Main pops what is left.
    ending = [
        _Line("pthread_join(threads[0], 0);"),
        _Line("pthread_join(threads[1], 0);"),
        _Line("while (list) { struct node *node = list; list = node->next; free(node); }"),
        _Line("if (table[0] + table[1] > 1000) { reach_error(); abort(); }"),
        _Line("count = rows[0] + rows[1] + pair.second;"),
    ]
    bodies.append(ending)
    for _ in range(mutations):
        which = random.choice((0, 0, 1, 1, 2))
        bodies[which] = _mutated(bodies[which], random)
    left = drawing.increments
    if mutations and random.randint(0, 9) == 0:
        left = max(0, left - 1)
    return _text(bodies, left)


def _mutated(lines: Sequence[_Line], random: Random) -> list[_Line]:
    """The lines with one lost, moved, repeated or changed, or without a lock and its unlock."""
    places = [k for k, line in enumerate(lines) if not line.kept]
    if not places:
        return list(lines)
    at = random.choice(places)
    line, rest = lines[at], [*lines[:at], *lines[at + 1 :]]
    if line.wrong is not None and random.randint(0, 1):
        return [*lines[:at], replace(line, text=line.wrong), *lines[at + 1 :]]
    if line.group and random.randint(0, 2):
        return [each for each in lines if each.group != line.group]
    if line.text.startswith("free(") and random.randint(0, 1):
        return [*lines[: at - 1], line, lines[at - 1], *lines[at + 1 :]]
    match random.randint(0, 2):
        case 0:
            return rest
        case 1:
            return [*lines[: at + 1], line, *lines[at + 1 :]]
        case _:
            inner = [k for k in places if abs(k - at) == 1]
            if not inner:
                return rest
            other = random.choice(inner)
            changed = list(lines)
            changed[at], changed[other] = changed[other], changed[at]
            return changed


def _text(bodies: Sequence[Sequence[_Line]], left: int) -> str:
    parts = [_HEADER.replace("LEFT", str(left))]
    for me, body in enumerate(bodies[:2]):
        inner = "".join(f"    {line.text}\n" for line in body)
        parts.append(
            f"static void *thread{me}(void *arg)\n{{\n    int l = 0;\n\n{inner}"
            "    return l ? arg : 0;\n}\n"
        )
    creation = "".join(
        f"    pthread_create(&threads[{me}], 0, thread{me}, 0);\n" for me in range(2)
    )
    inner = "".join(f"    {line.text}\n" for line in bodies[2])
    parts.append(
        "int main(void)\n{\n    pthread_t threads[2];\n\n"
        f"    sem_init(&handed, 0, 0);\n{creation}{inner}    return 0;\n}}\n"
    )
    return "\n".join(parts)
