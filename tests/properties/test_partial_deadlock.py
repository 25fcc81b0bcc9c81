"""Circles of threads that wait: by the searches that keep them, and by another enumeration,
NOTE(circles-last)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.table import ENGINES
from abpress.result import Verdict
from abpress.verify.run import verify
from tests.sampling import sample

PROPERTY = "no-partial-deadlock"
KEEPING = [
    (engine, por)
    for engine in ("explicit", "stateless", "abpress")
    for por in ENGINES[engine].reductions
    if ENGINES[engine].answers(PROPERTY, por)
]
ALWAYS = [("explicit", "s-por"), ("abpress", "source+summaries")]
FEWER = [way for way in KEEPING if way[0] != "abpress"]
LOCKS = 3

Operation = tuple[str, int]
"""`lock` or `unlock` and a mutex; `join` and a thread that was created before; `write`."""

Threads = tuple[tuple[Operation, ...], ...]

WORDS = {
    "lock": "pthread_mutex_lock(&m[{0}]);",
    "unlock": "pthread_mutex_unlock(&m[{0}]);",
    "join": "pthread_join(t[{0}], 0);",
    "write": "x++;",
}


def test_what_keeps_circles() -> None:
    assert {("explicit", "none"), ("explicit", "s-por"), ("stateless", "optimal")} <= set(KEEPING)
    assert {("abpress", por) for por in ENGINES["abpress"].reductions} <= set(KEEPING)
    assert ("stateless", "observers") not in KEEPING


def text(threads: Threads, ending: str) -> str:
    """The program of these threads, of which main creates all and then does what `ending` says."""
    head = "#include <pthread.h>\npthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER,"
    head += " PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
    head += "pthread_t t[3]; _Atomic int x, y;\n"
    for k, operations in enumerate(threads):
        body = " ".join(WORDS[what].format(which) for what, which in operations)
        head += f"void *f{k}(void *a) {{ {body} return a; }}\n"
    creations = " ".join(f"pthread_create(&t[{k}], 0, f{k}, 0);" for k in range(len(threads)))
    return f"{head}int main(void) {{ {creations} {ending} }}\n"


def has_circle(threads: Threads) -> bool:
    """Whether the threads, all there from the beginning, can come to wait for one another."""
    initial = (0,) * len(threads), (None,) * LOCKS
    seen, todo = {initial}, [initial]
    while todo:
        places, owners = todo.pop()
        other: dict[int, int] = {}
        for t, operations in enumerate(threads):
            if places[t] == len(operations):
                continue
            what, which = operations[places[t]]
            now = list(owners)
            if what == "lock":
                if (owner := owners[which]) is not None:
                    other[t] = owner
                    continue
                now[which] = t
            elif what == "unlock":
                now[which] = None
            elif what == "join" and places[which] < len(threads[which]):
                other[t] = which
                continue
            after = tuple(p + (k == t) for k, p in enumerate(places)), tuple(now)
            if after not in seen:
                seen.add(after)
                todo.append(after)
        for t in other:
            met, at = set(), t
            while at in other and at not in met:
                met.add(at)
                at = other[at]
            if at in met:
                return True
    return False


def some_threads(rng: random.Random, number: int) -> Threads:
    """Threads that lock what they do not hold, and release what they hold; some not all of it."""
    threads = []
    for k in range(number):
        operations: list[Operation] = []
        held: list[int] = []
        joined: set[int] = set()
        for _ in range(rng.randrange(2, 5)):
            what = rng.choice(("lock", "lock", "unlock", "write", "join"))
            if what == "lock" and len(held) < LOCKS:
                held.append(rng.choice([i for i in range(LOCKS) if i not in held]))
                operations.append(("lock", held[-1]))
            elif what == "unlock" and held:
                operations.append(("unlock", held.pop(rng.randrange(len(held)))))
            elif what == "join" and k == 1 and not joined:
                joined.add(0)
                operations.append(("join", 0))
            elif what == "write":
                operations.append(("write", 0))
        operations += [("unlock", i) for i in reversed(held) if rng.random() < 0.9]
        threads.append(tuple(operations))
    return tuple(threads)


def test_random_threads_by_all_reductions(tmp_path: Path) -> None:
    rng = random.Random(15)
    for number in range(4):
        threads = some_threads(rng, 2 if number < 3 else 3)
        circle = number % 2 == 0
        while has_circle(threads) is not circle:
            threads = some_threads(rng, 2 if number < 3 else 3)
        file = tmp_path / "program.c"
        joins = "" if any(("join", 0) in its for its in threads) else "pthread_join(t[0], 0);"
        endings = ("return 0;", "for (;;) y = !y;", f"{joins} return 0;")
        for which, ending in enumerate(endings if number < 1 else endings[number % 3 :][:1]):
            file.write_text(text(threads, ending), encoding="utf-8")
            first = sample(KEEPING, 2) if which < 1 else FEWER
            for engine, por in first if number < 1 else FEWER if number < 3 else ALWAYS:
                if engine == "stateless" and "for" in ending:
                    continue
                config = Config.of(file, property=PROPERTY, engine=engine, por=por, hunt_steps=0)
                verdict = verify(config).result.verdict
                assert verdict is (Verdict.FALSE if circle else Verdict.TRUE), (
                    number,
                    ending,
                    engine,
                    por,
                )


@pytest.mark.parametrize("engine", ["explicit", "hunt", "abpress", "auto"])
def test_a_finding_names_who_waits(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    threads: Threads = ((("lock", 0), ("lock", 1)), (("lock", 1), ("lock", 0)), (("lock", 2),))
    file.write_text(text(threads, "for (;;) y = !y;"), encoding="utf-8")
    config = Config.of(file, property=PROPERTY, engine=engine)
    report = verify(config)
    assert report.result.verdict is Verdict.FALSE
    trace = report.result.trace
    assert trace is not None
    assert [(its.thread, its.text) for its in trace.blocked] == [
        ("main.1", "waits for m[1], held by main.2"),
        ("main.2", "waits for m[0], held by main.1"),
    ]


def test_relocking_is_a_circle_of_one(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    for initializer, verdict in {
        "PTHREAD_MUTEX_INITIALIZER": Verdict.FALSE,
        "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP": Verdict.TRUE,
    }.items():
        program = text(((("lock", 0), ("lock", 0)),), "return 0;")
        file.write_text(program.replace("PTHREAD_MUTEX_INITIALIZER", initializer))
        report = verify(Config.of(file, property=PROPERTY))
        assert report.result.verdict is verdict
