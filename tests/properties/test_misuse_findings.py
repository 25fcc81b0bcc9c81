"""Findings of no-misuse: what they tell of the object, and of who uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.result import Verdict
from abpress.verify.run import verify

PROGRAMS = Path(__file__).resolve().parent.parent / "programs" / "misuse"

TOLD = {
    "unlock_by_stranger": ("m", ["m held by main since 14"]),
    "relock_normal": ("m", ["m held by main since 12"]),
    "free_of_held_mutex": ("pool@23.lock", ["pool@23.lock held by main.1 since 13"]),
    "free_of_held_spin_lock": ("unsigned_int@13[1]", ["unsigned_int@13[1] held by main.1 since 7"]),
    "scope_of_held_rwlock": ("main:lock", ["main:lock held by main.1 since 9"]),
    "cond_destroyed_with_waiter": ("c", ["c awaited by main.1 since 11"]),
    "once_in_itself": ("once", []),
    "join_self": ("", []),
}


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("engine", ["explicit", "abpress", "hunt"])
def test_a_finding_names_the_object_and_its_users(name: str, engine: str) -> None:
    object, users = TOLD[name]
    config = Config.of(PROGRAMS / f"{name}.c", property="no-misuse", engine=engine)
    result = verify(config).result
    assert result.verdict is Verdict.FALSE
    assert object in result.trace.message
    assert result.trace.message in result.reason
    told = [
        f"{e.object} {e.what} by {e.thread} since {e.position.origin.line}"
        for e in result.trace.history
        if e.what in ("held", "awaited")
    ]
    assert told == users


@pytest.mark.parametrize("engine", ["explicit", "stateless", "hunt", "auto"])
def test_a_thread_that_ends_with_a_lock_is_told_of(engine: str) -> None:
    for name, locks in {"thread_ends_with_lock": ["kept", "read"], "relock_recursive": []}.items():
        config = Config.of(PROGRAMS / f"{name}.c", property="no-misuse", engine=engine)
        result = verify(config.but(hunt_steps=20_000)).result
        assert result.verdict is (Verdict.UNKNOWN if engine == "hunt" else Verdict.TRUE)
        assert [text.split(" (")[0] for text in result.warnings] == [
            f"a thread ends that holds {lock}" for lock in locks
        ]
        asked = Config.of(PROGRAMS / f"{name}.c", property="unreach-call", engine=engine)
        assert verify(asked.but(hunt_steps=2_000)).result.warnings == ()


@pytest.mark.parametrize(
    ("allocation", "shown"),
    [
        ("p = malloc(sizeof *p);", "memory@8.lock"),
        (
            "if (argc > 1)\n p = malloc(sizeof *p);\nelse\n p = malloc(sizeof *p);",
            "heap main#1.lock",
        ),
    ],
    ids=["one place", "two places"],
)
def test_a_warning_names_memory_by_its_line(allocation: str, shown: str, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"""\
#include <pthread.h>
#include <stdlib.h>
struct pool {{ pthread_mutex_t lock; }};
static void *work(void *pool) {{ pthread_mutex_lock(&((struct pool *)pool)->lock); return 0; }}
int main(int argc, char **argv) {{
  pthread_t thread;
  struct pool *p;
  {allocation}
  pthread_mutex_init(&p->lock, 0);
  pthread_create(&thread, 0, work, p);
  pthread_join(thread, 0);
  return 0;
}}
""")
    result = verify(Config.of(file, property="no-misuse", engine="explicit")).result
    told = [
        text for text in result.warnings if text.startswith(f"a thread ends that holds {shown} ")
    ]
    assert told == [result.warnings[-1]]
