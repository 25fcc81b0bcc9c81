"""no-misuse: by all searches that keep it, and by another enumeration."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.table import ENGINES
from abpress.result import Verdict
from abpress.verify.run import verify
from tests.sampling import sample

PROPERTY = "no-misuse"
KEEPING = [
    (engine, por)
    for engine in ("explicit", "stateless", "abpress")
    for por in ENGINES[engine].reductions
    if ENGINES[engine].answers(PROPERTY, por)
]
LOCKS = 2

Operation = tuple[str, int]
Threads = tuple[tuple[Operation, ...], ...]

WORDS = {
    "lock": "pthread_mutex_lock(&p[{0}]->lock);",
    "unlock": "pthread_mutex_unlock(&p[{0}]->lock);",
    "free": "free(p[{0}]);",
}


def text(threads: Threads) -> str:
    """The program of these threads."""
    head = "#include <pthread.h>\n#include <stdlib.h>\n"
    head += f"struct box {{ int pad; pthread_mutex_t lock; }};\nstruct box *p[{LOCKS}];\n"
    for k, operations in enumerate(threads):
        body = " ".join(WORDS[what].format(which) for what, which in operations)
        head += f"void *f{k}(void *a) {{ {body} return a; }}\n"
    making = " ".join(
        f"p[{k}] = malloc(sizeof *p[{k}]); pthread_mutex_init(&p[{k}]->lock, 0);"
        for k in range(LOCKS)
    )
    creations = " ".join(f"pthread_create(&t, 0, f{k}, 0);" for k in range(len(threads)))
    return f"{head}int main(void) {{ pthread_t t; {making} {creations} return 0; }}\n"


def expected(threads: Threads) -> Verdict:
    """False if a lock can be misused; unknown if not, but memory can."""
    initial = (0,) * len(threads), (None,) * LOCKS, frozenset[int]()
    seen, todo = {initial}, [initial]
    invalid = False
    while todo:
        places, owners, freed = todo.pop()
        for t, operations in enumerate(threads):
            if places[t] == len(operations):
                continue
            what, which = operations[places[t]]
            if which in freed:
                invalid = True
                continue
            owner = owners[which]
            if (what == "lock" and owner == t) or (what == "unlock" and owner != t):
                return Verdict.FALSE
            if what == "free" and owner is not None:
                return Verdict.FALSE
            if what == "lock" and owner is not None:
                continue
            now = list(owners)
            now[which] = t if what == "lock" else None
            gone = freed | {which} if what == "free" else freed
            after = tuple(p + (k == t) for k, p in enumerate(places)), tuple(now), gone
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return Verdict.UNKNOWN if invalid else Verdict.TRUE


def some_threads(rng: random.Random) -> Threads:
    """Threads that lock and unlock, mostly in pairs, and free now and then."""
    threads = []
    for _ in range(2):
        operations: list[Operation] = []
        for _ in range(rng.randrange(1, 4)):
            which = rng.randrange(LOCKS)
            kind = rng.random()
            if kind < 0.6:
                operations += [("lock", which), ("unlock", which)]
            elif kind < 0.8:
                operations.append(("free", which))
            else:
                operations.append((rng.choice(("lock", "unlock")), which))
        threads.append(tuple(operations[:4]))
    return tuple(threads)


@pytest.mark.parametrize("wanted", list(Verdict), ids=lambda verdict: verdict.value)
def test_random_threads_by_all_reductions(wanted: Verdict, tmp_path: Path) -> None:
    rng = random.Random(15)
    file = tmp_path / "program.c"
    for number in range(2):
        threads = some_threads(rng)
        while expected(threads) is not wanted:
            threads = some_threads(rng)
        file.write_text(text(threads), encoding="utf-8")
        for engine, por in sample(KEEPING, 2) if number == 0 else sample(KEEPING, 3):
            config = Config.of(file, property=PROPERTY, engine=engine, por=por, hunt_steps=0)
            result = verify(config).result
            assert result.verdict is wanted, (threads, engine, por, result.reason)
