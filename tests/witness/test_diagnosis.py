"""Programs whose cause is known, each with its row in docs/diagnoses.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.verify.run import verify
from abpress.witness.lanes import render
from abpress.witness.trace import Trace
from experiments.diagnoses import PAGE, diagnosed, filled, programs
from experiments.pages import markdown_line


def test_there_are_programs() -> None:
    assert len(programs()) >= 30


@pytest.mark.parametrize("file", programs(), ids=lambda file: file.stem)
def test_cause(file: Path) -> None:
    its = diagnosed(file)
    assert its.right, its.row
    assert markdown_line(its.row) in PAGE.read_text(encoding="utf-8"), (
        "scripts/experiment diagnoses --write"
    )
    diagnosis = its.trace.diagnosis
    assert diagnosis is not None
    assert its.trace.to_json()["diagnosis"]["text"] == diagnosis.text
    shown = render(its.trace, {}, 100)
    assert shown[0].plain.startswith(f"cause: {its.cause}. ")


def test_the_page_has_a_row_for_each_program() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")] == [
        file.name for file in programs()
    ]
    assert filled(text, []).count("\n| `") == 0


ENDLESS = """
#include <assert.h>
#include <pthread.h>
static int owner;
static void *takes(void *me) {
  for (;;) {
    owner = me != 0;
    assert(owner == (me != 0));
  }
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, takes, &owner);
  takes(0);
}
"""


def test_threads_that_never_end_do_not_run_one_after_the_other(tmp_path: Path) -> None:
    file = tmp_path / "endless.c"
    file.write_text(ENDLESS)
    trace = verify(Config.of(file, properties=("unreach-call",))).result.trace
    assert isinstance(trace, Trace)
    assert trace.diagnosis is None or trace.diagnosis.cause == "overwritten value"
