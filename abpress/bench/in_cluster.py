"""Runs jobs on the machines of a Dask cluster, each contained as on this one."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from queue import Empty, Queue
from time import monotonic

from distributed import Client, Future

from abpress.bench.execute import Job, run_of
from abpress.bench.judge import UNKNOWN
from abpress.bench.record import Category, Run
from abpress.bench.runner import Setting, run_all
from abpress.parallel.cluster import ALONE, SCHEDULER_LOST, connected, nodes
from abpress.parallel.node import ClusterError, require_source, source_digest

_LOOK_S = 0.2
"""Between two looks at what runs."""

_GO_ON = "; with --output what has ended is kept, and --resume goes on"


@dataclass(frozen=True, slots=True)
class _Sent:
    """What a machine gets. `text` is that of the task's file."""

    job: Job
    text: bytes
    setting: Setting


@dataclass(frozen=True, slots=True)
class _Back:
    """What a machine gives back. `files` are those of the output folder, by their names there."""

    run: Run
    files: tuple[tuple[str, str], ...]


def run_all_in_cluster(
    jobs: Sequence[Job], setting: Setting, tick: Callable[[int], None]
) -> Generator[tuple[Job, Run], None, None]:
    """As `runner.run_all`; `setting.parallel` does not matter: each machine runs as many jobs as it
    has threads for tasks. Raises ClusterError.

    A file that a machine has at the same path, with the same text, is used there, so that it may
    include others. A job that began on a machine that was lost begins again on another one, until
    there is none, or the scheduler is lost: that is a ClusterError, too. What runs as the iterator
    is closed ends on its machine at its own limits.
    """
    with connected(setting.cluster) as client:
        ended: Queue[Future] = Queue()  # no SimpleQueue, as in `abpress.parallel.cluster`
        waiting: dict[str, tuple[Job, Future]] = {}
        for job in jobs:
            future = _submitted(client, job, setting)
            waiting[future.key] = job, future
            future.add_done_callback(ended.put)
        seen = monotonic()
        while waiting:
            running = _running(client)
            tick(running)
            if running:
                seen = monotonic()
            elif monotonic() - seen > ALONE and not nodes(client):
                told = f"no machine of the cluster has worked for {ALONE:.0f} s"
                raise ClusterError(told + _GO_ON)
            with suppress(Empty):
                job, future = waiting.pop(ended.get(timeout=_LOOK_S).key)
                if client.status != "running":
                    raise ClusterError(SCHEDULER_LOST + _GO_ON)
                yield job, _taken(job, future, setting.folder)


def _running(client: Client) -> int:
    """How many jobs are on machines. Raises ClusterError."""
    try:
        return sum(map(len, client.processing().values()))
    except (OSError, RuntimeError) as error:  # the latter where it is no longer connected
        raise ClusterError(SCHEDULER_LOST + _GO_ON) from error


def _submitted(client: Client, job: Job, setting: Setting) -> Future:
    sent = _Sent(job, job.task.file.read_bytes(), replace(setting, cluster="", parallel=1))
    return client.submit(_run, source_digest(), pickle.dumps(sent), pure=False)


def _taken(job: Job, future: Future, folder: Path | None) -> Run:
    if future.status != "finished":
        error = future.exception() if future.status == "error" else None
        if isinstance(error, ClusterError):
            raise error
        why = future.status if error is None else f"{type(error).__name__}: {error}"
        reason = f"lost by the cluster: {why}"
        return run_of(job, UNKNOWN, reason, Category.ERROR)
    back: _Back = future.result()
    for name, text in back.files:
        assert folder is not None
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return back.run


def _run(source: str, data: bytes) -> _Back:
    """Runs a job on the machine where this is called. Raises ClusterError."""
    require_source(source)
    sent: _Sent = pickle.loads(data)
    with tempfile.TemporaryDirectory(prefix="abpress-bench-") as place:
        top = Path(place)
        file = sent.job.task.file
        if not _has(file, sent.text):
            file = top / file.name
            file.write_bytes(sent.text)
        folder = None if sent.setting.folder is None else top / "output"
        job = replace(sent.job, task=replace(sent.job.task, file=file))
        [(_, run)] = run_all([job], replace(sent.setting, folder=folder))
        names = [name for name in (run.trace, run.certificate) if name is not None]
        files = () if folder is None else tuple((n, (folder / n).read_text("utf-8")) for n in names)
        return _Back(run, files)


def _has(file: Path, text: bytes) -> bool:
    """Whether this machine has the file."""
    try:
        return sha256(file.read_bytes()).digest() == sha256(text).digest()
    except OSError:
        return False
