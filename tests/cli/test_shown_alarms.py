"""`--alarms`: what facts leave open, in text and in JSON, with the facts that are missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abpress.cli.main import perform
from abpress.engines import static

TEXT = """#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
int x, y, array[4];
void touch(int *p) { (*p)++; }
void *work(void *a) {
  pthread_mutex_lock(&m); touch(&x); pthread_mutex_unlock(&m);
  for (int i = 0; i < __VERIFIER_nondet_int(); i++) y += i;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&k); x++; pthread_mutex_unlock(&k);
  pthread_join(t, 0);
  array[__VERIFIER_nondet_int()] = 1;
  assert(y == 3);
  return 0;
}
"""

SAID = {
    "no-data-race": (
        "two threads may race for x",
        "{file}:15:27: writes (thread main, holding k)",
        "{file}:6:24: writes (thread work, created at {file}:14:3, holding m)",
        "called at {file}:8:27 (in work)",
        "missing: no lock is held by both: the first holds k, the second m",
        "missing: it is not known that thread work, created at {file}:14:3 has been joined here",
    ),
    "no-overflow": (
        "signed arithmetic may overflow",
        "{file}:9:53: computes + (thread work)",
        "missing: the value of y read at {file}:9:53: its upper bound is not known",
        "missing: the counter of a loop without a known bound",
    ),
    "valid-deref": (
        "an access may be invalid",
        "{file}:17:3: writes (thread main)",
        "missing: it is not known that the offset in array is not negative",
    ),
    "unreach-call": (
        "an error may be reached: assertion y == 3 fails",
        "missing: the value of y read at {file}:18:10",
    ),
}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where facts exclude no race, no invariants are looked for."""
    monkeypatch.setattr(static, "_SECONDS_ALONE", 0.0)


@pytest.mark.parametrize("property", SAID)
def test_alarms_are_told(property: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, data = tmp_path / "program.c", tmp_path / "result.json"
    file.write_text(TEXT)
    command = ["verify", str(file), "--property", property, "--engine", "static"]
    assert perform([*command, "--json", str(data)]) == 2
    assert "missing" not in capsys.readouterr().out
    told = json.loads(data.read_text())["alarms"]
    assert [alarm["property"] for alarm in told] == [property]
    assert told[0]["accesses"][0]["line"] in (15, 9, 17, 18)
    assert told[0]["missing"]
    assert perform([*command, "--alarms"]) == 2
    text = capsys.readouterr().out
    for words in SAID[property]:
        assert words.format(file=file) in text


def test_what_is_proved_has_no_alarms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, data = tmp_path / "program.c", tmp_path / "result.json"
    file.write_text(TEXT.replace("&k", "&m"))
    command = ["verify", str(file), "--property", "no-data-race", "--engine", "static"]
    assert perform([*command, "--alarms", "--json", str(data)]) == 0
    assert "alarm (" not in capsys.readouterr().out
    assert "alarms" not in json.loads(data.read_text())


def test_what_is_allocated_is_told_by_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.c"
    file.write_text(
        "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n"
        "  int *p = malloc(8);\n  p[__VERIFIER_nondet_int() & 3] = 1;\n  return 0;\n}\n"
    )
    command = ["verify", str(file), "--property", "valid-deref", "--engine", "static", "--alarms"]
    assert perform(command) == 2
    said = f"that the offset in what is allocated at {file}:4:19 is below its size"
    assert said in capsys.readouterr().out


FREED = """#include <pthread.h>
#include <stdlib.h>
void *work(void *a) { *(int *)a = 1; return 0; }
int main(void) {
  pthread_t t;
  int *p = malloc(4);
  pthread_create(&t, 0, work, p);
  free(p);
  pthread_join(t, 0);
}
"""


def test_who_frees_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "program.c"
    file.write_text(FREED)
    command = ["verify", str(file), "--property", "no-data-race", "--engine", "static"]
    assert perform([*command, "--alarms"]) == 2
    said = capsys.readouterr().out
    assert f"two threads may race for memory allocated at {file}:6:" in said
    assert f"  {file}:8:8: frees (thread main)" in said
