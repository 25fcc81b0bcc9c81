"""Runs jobs into a store until it is killed: `python -m tests.bench.killed FOLDER LOG COUNT`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from abpress.bench.execute import Job
from abpress.bench.record import Run, RunLimits
from abpress.bench.runner import Setting
from abpress.bench.session import Key, run_jobs
from abpress.bench.store import ResultStore

from .fakes import Fake, a_job, a_task

LIMITS = RunLimits(wall_s=60)


class Silent:
    """A listener that has nothing to say."""

    def add(self, run: Run) -> None:
        pass

    def tick(self, running: int) -> None:
        pass


def jobs_for(count: int) -> list[Job]:
    return [a_job(a_task(str(number))) for number in range(count)]


def session(folder: Path, log: Path, jobs: Sequence[Job]) -> tuple[dict[Key, Run], bool]:
    """Runs what is left of the jobs; each writes its name to the log when it has its answer.

    The fourth waits for ever as long as the file `wait` is there.
    """
    script = f"""
while task == "3" and os.path.exists({str(folder / "wait")!r}): time.sleep(0.01)
with open({str(log)!r}, "a") as out: out.write(task + "\\n")
answer("true", 0)
"""
    with ResultStore(folder, LIMITS, "1.0", resume=True) as store:
        setting = Setting(LIMITS, 1, folder, command=Fake(script))
        return run_jobs(jobs, setting, store, store.done(jobs), Silent())


if __name__ == "__main__":
    _, was_cut_short = session(Path(sys.argv[1]), Path(sys.argv[2]), jobs_for(int(sys.argv[3])))
    sys.exit(2 if was_cut_short else 0)
