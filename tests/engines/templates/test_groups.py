"""Counters of threads that are the rest or a part of something, and flags that a group has.

What is wrong is not proved, whatever is guessed; each way to counters gives proofs that the others
do not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.engines.templates import counters, search
from abpress.engines.templates.counters import is_flag
from abpress.engines.templates.guesses_of_counters import GuessesOfCounters
from tests.engines.templates.test_any_number import loaded, locked, proved, worked
from tests.sampling import sample

PERMITS = "ATOMIC(if (u == 0) abort(); u--;) ATOMIC(x++;) assert(x <= 3); ATOMIC({};) ATOMIC({};)"
ROOM = "while (!__sync_bool_compare_and_swap(&flag, 0, 1)) ;"
READERS = f"""
if (__VERIFIER_nondet_int()) {{ {ROOM} x = 1; x = 0; flag = 0; }}
else {{
  pthread_mutex_lock(&m); readers++; if (readers == 1) {ROOM} pthread_mutex_unlock(&m);
  assert(x == 0);
  %s
}}
"""
LAST = "readers--; if (readers == 0) flag = 0;"

SEMAPHORES = "#include <semaphore.h>\nsem_t room, desk;\n"
ENTERED = "sem_wait(&desk); {} sem_post(&desk);"
IN_THE_ROOM = worked(
    "if (__VERIFIER_nondet_int()) { sem_wait(&room); x = 1; x = 0; sem_post(&room); } else { "
    + ENTERED.format("readers++; if (readers == 1) sem_wait(&room);")
    + "assert(x == 0);"
    + ENTERED.format("readers--; if (readers == 0) sem_post(&room);")
    + "}",
    "sem_init(&room, 0, 1); sem_init(&desk, 0, 1);",
)
COUNTED = worked(
    "sem_wait(&room);" + locked("readers++;") + locked("assert(readers <= 3); readers--;")
    + "sem_post(&room);",
    "sem_init(&room, 0, 3);",
)  # fmt: skip

LEAVE = "{ pthread_mutex_unlock(&m); return 0; }"
MONITOR = worked(
    "if (__VERIFIER_nondet_int()) {"
    + locked(f"if (flag || readers > 0) {LEAVE} flag = 1;")
    + "x = 1; x = 0;"
    + locked("flag = 0;")
    + "} else {"
    + locked(f"if (flag) {LEAVE} readers++;")
    + "assert(x == 0);"
    + locked("readers--;")
    + "}"
)

MORE = SEMAPHORES + IN_THE_ROOM.replace("&desk, 0, 1", "&desk, 0, 2")
PAIRS = {
    "readers and writers with semaphores": (SEMAPHORES + IN_THE_ROOM, MORE),
    "a semaphore that counts": (SEMAPHORES + COUNTED, SEMAPHORES + COUNTED.replace("0, 3", "0, 4")),
    "a monitor": (MONITOR, MONITOR.replace("|| readers > 0", "")),
    "permits": (worked(PERMITS.format("x--", "u++"), "u = 3;"),
                worked(PERMITS.format("u++", "x--"), "u = 3;")),
    "the first one takes it for all": (worked(READERS % locked(LAST)),
                                       worked(READERS % locked(LAST.replace("== 0", "<= 1")))),
}  # fmt: skip


def proved_at_once(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether few guesses are enough."""
    monkeypatch.setattr(search.TemplateSearch, "_found", lambda *_: "not asked")
    monkeypatch.setattr(search.TemplateSearch, "_guessed", lambda *_: None)
    return proved(loaded(text, folder))


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 2))
def test_what_is_right_is_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert proved_at_once(PAIRS[name][0], tmp_path, monkeypatch)


@pytest.mark.parametrize("name", sample(tuple(PAIRS), 2, 1))
def test_what_is_wrong_is_not_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not proved_at_once(PAIRS[name][1], tmp_path, monkeypatch)


NEEDED = (
    ("a monitor", counters, "is_flag", lambda cell, taken, _: is_flag(cell, taken)),
    ("permits", counters, "_differences", lambda _: ()),
    ("a semaphore that counts", counters.Weights, "least", lambda _: None),
    ("permits", GuessesOfCounters, "_of_rests", lambda *_: ()),
    ("readers and writers with semaphores", GuessesOfCounters, "_of_groups", lambda *_: ()),
)


@pytest.mark.parametrize("name, where, what, without", sample(NEEDED, 2))
def test_each_way_is_needed(
    name: str,
    where: object,
    what: str,
    without: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(where, what, without)
    assert not proved_at_once(PAIRS[name][0], tmp_path, monkeypatch)


def test_large_numbers_are_guessed(tmp_path: Path) -> None:
    text = worked("ATOMIC(if (u == 1000000000) abort(); u++;) assert(u <= 1000000000);")
    assert proved(loaded(text, tmp_path))
    assert not proved(loaded(text.replace("<=", "<"), tmp_path), 1.0)
