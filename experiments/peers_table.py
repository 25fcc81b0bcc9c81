"""The native core beside other model checkers, on the same programs: Nidhugg and GenMC without
stored states, SPIN with them.

Programs are rows of the trace counts of the tests (FAMILY-N or FAMILY), or C files of
experiments/models; models are pairs of files there, in C and in Promela, of nearly equal
granularity. Per program: the executions that each explores (`b`: blocked by assumptions, `s`: given
up as redundant), thousands of complete ones per second of processor time, and two ratios, which are
one where all explore as many: how many more per second ours are than those of the best peer
(`speed`), and how much less time we take than the fastest peer of any kind (`time`). Start-up is
taken off: of peers the time of the same command for a program without threads, of ours the reading
of the program and the making of code. All run in turns, the least time of some rounds counts. A
peer that is not there has no numbers.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean

from abpress.cli.options import positive
from abpress.config import Config
from abpress.core import executions, search
from abpress.core.library import NO_LIMIT, NativeCore
from abpress.core.library import load as load_library
from abpress.core.lower import lower
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.search.bounds import ExecutionBounds
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from experiments.peers import Counts, GenMC, Nidhugg, NoAnswer, Spin, version_of
from experiments.settings import HERE, program_of
from tests.reductions import trace_count_classics, trace_count_programs

FAMILIES: Mapping[str, Callable[..., str]] = {
    **vars(trace_count_programs),
    **vars(trace_count_classics),
}

DEFAULTS = (
    *("readers-13", "lastzero-9", "fib_bench-4", "sigma-6", "indexer-15", "filesystem-20"),
    *("floating_read-7", "lastwrite-7", "redundant_co-5", "control_flow-5", "exponential_bug-3"),
    *("myexample-5", "casw-5", "ainc-7", "binc-5", "opt_lock-7", "circular_buffer-8"),
    *("counter_race-4", "counter_mutex-7", "lamport-3", "peterson", "szymanski", "dekker"),
    "pgsql",
)

OURS = ("source", "optimal", "observers")
PEERS = ("source", "optimal", "observers")

MODELS = {"filter": 4, "philosophers": 4, "counters": 8}
"""Models, and how large they are."""

REDUCTIONS = {"none": False, "s-por": True}
"""Ours, and whether SPIN reduces, too."""

EMPTY = "#include <pthread.h>\n#include <stdatomic.h>\nint main(void) { return 0; }\n"

PROPERTY = PROPERTIES["unreach-call"]


@dataclass(slots=True)
class Timed:
    """What a tool says of a program, and the least of its seconds, or why there is nothing.
    Mutable."""

    counts: Counts | None = None
    seconds: float = float("inf")
    why: str = ""

    def take(self, counts: Counts, seconds: float) -> None:
        """Another run; they have to agree."""
        assert self.counts in (None, counts), "two runs differ"
        self.counts, self.seconds = counts, min(self.seconds, seconds)

    @property
    def speed(self) -> float | None:
        """Complete executions per second; None: it has not come to its end."""
        return None if self.counts is None else self.counts.complete / self.seconds


@dataclass(frozen=True, slots=True)
class Row:
    """A program, and what our algorithms and the peers say of it, by name."""

    program: str
    ours: Mapping[str, Timed]
    peers: Mapping[str, Timed] = field(default_factory=dict)

    @property
    def by_speed(self) -> float | None:
        """How many more executions per second we have than the best peer."""
        return _ratio(_best(self.ours), _best(self.peers))

    @property
    def by_time(self) -> float | None:
        """How much more time the fastest peer takes than we do."""
        return _ratio(_least(self.peers), _least(self.ours))


def _best(tools: Mapping[str, Timed]) -> float | None:
    return max((t.speed for t in tools.values() if t.speed is not None), default=None)


def _least(tools: Mapping[str, Timed]) -> float | None:
    return min((t.seconds for t in tools.values() if t.counts is not None), default=None)


def _ratio(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one / other


def heading(ours: Sequence[str], peers: Sequence[str]) -> Iterator[str]:
    """The first lines of the table."""
    names = [f"ours {name}" for name in ours] + list(peers)
    columns = ["program", *(f"{name}: executions" for name in names)]
    columns += [f"{name}: k/s" for name in names] + ["speed", "time"]
    yield f"| {' | '.join(columns)} |"
    yield f"| --- |{' ---: |' * (len(columns) - 1)}"


def line(row: Row) -> str:
    """A line of the table; what was not measured is a dash."""
    tools = [*row.ours.values(), *row.peers.values()]
    cells = [row.program, *("–" if t.counts is None else str(t.counts) for t in tools)]
    cells += ["–" if t.speed is None else f"{t.speed / 1000:,.1f}" for t in tools]
    cells += [_rounded(row.by_speed), _rounded(row.by_time)]
    return f"| {' | '.join(cells)} |"


def _rounded(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.2f}"


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """The geometric mean and the minimum of both ratios, and why there are no numbers."""
    for name, ratios in (
        ("speed", {row.program: row.by_speed for row in rows}),
        ("time", {row.program: row.by_time for row in rows}),
    ):
        known = {program: ratio for program, ratio in ratios.items() if ratio is not None}
        if not known:
            yield f"{name}: no row has a peer"
            continue
        least = min(known, key=lambda program: known[program])
        yield (
            f"{name}, over {len(known)} programs: geometric mean"
            f" {geometric_mean(known.values()):.2f}, least {known[least]:.2f} ({least})"
        )
    for row in rows:
        for tool, timed in {**row.ours, **row.peers}.items():
            if timed.counts is None:
                yield f"{row.program}, {tool}: {timed.why}"


# -- without stored states ----------------------------------------------------------------------


def text_of(program: str) -> str:
    """The C of a row of the trace counts, or of a file."""
    family, *parameters = program.split("-")
    file = HERE / "models" / f"{family}.c"
    if not parameters and file.exists():
        return file.read_text(encoding="utf-8")
    return FAMILIES[family](*map(int, parameters))


def explored(program: Program, algorithm: str, awaits: bool) -> tuple[Counts, float]:
    """What the native core explores, without rounds of loops that only wait or fail if `awaits`,
    and its seconds with the making of its code."""
    began = time.process_time()
    found = executions.explore(
        Interpreter(program),
        algorithm,
        PROPERTY,
        keep_going=True,
        bounds=ExecutionBounds(awaits=awaits),
    )
    seconds = time.process_time() - began
    its = found.statistics
    complete = its.complete + its.deadlocked
    return Counts(complete, its.assume_blocked, its.sleep_set_blocked), seconds


def making_of(program: Program) -> float:
    """The least seconds in which code is made of a program."""
    times = []
    for _ in range(4):
        began = time.process_time()
        lower(Interpreter(program))
        times.append(time.process_time() - began)
    return min(times)


def measured(
    program: str,
    peers: Sequence[Nidhugg | GenMC],
    starts: Mapping[str, float],
    rounds: int,
    awaits: bool = False,
) -> Row:
    """A row of the table; `starts` are the seconds that peers take to start, `awaits` as of
    `explored`."""
    text = text_of(program)
    ours = {algorithm: Timed() for algorithm in OURS}
    theirs = {peer.name: Timed() for peer in peers}
    its = program_of(text, every_access=True)
    start = making_of(its)
    for _ in range(rounds):
        for algorithm, timed in ours.items():
            counts, seconds = explored(its, algorithm, awaits)
            timed.take(counts, max(seconds - start, 0.001))
        for peer in peers:
            timed = theirs[peer.name]
            if timed.why:
                continue
            try:
                with tempfile.TemporaryDirectory() as folder:
                    counts, seconds = peer.explored(text, Path(folder))
            except NoAnswer as why:
                timed.why = str(why)
            else:
                timed.take(counts, max(seconds - starts[peer.name], 0.001))
    return Row(program, ours, theirs)


def start_of(peer: Nidhugg | GenMC, rounds: int) -> float:
    """The least seconds that a peer takes for a program that does nothing. Raises NoAnswer."""
    times = []
    for _ in range(rounds + 2):
        with tempfile.TemporaryDirectory() as folder:
            times.append(peer.explored(EMPTY, Path(folder))[1])
    return min(times)


# -- with stored states -------------------------------------------------------------------------


def stored(model: str, n: int, por: str) -> tuple[int, int, float, float]:
    """States, transitions, bytes per state, and seconds of the native core."""
    config = Config.of(HERE / "models" / f"{model}.c", defines=(f"N={n}",))
    interpreter = Interpreter(load(config).program)
    began = time.process_time()
    its = search.explore(interpreter, por, PROPERTY, keep_going=True).statistics
    seconds = time.process_time() - began
    core = NativeCore(lower(interpreter).words, search.ALGORITHMS[por], lambda *_: 0)
    core.run(NO_LIMIT, NO_LIMIT)
    counts = core.counts
    core.close()
    return its.states, its.steps, counts.bytes / counts.states, seconds


def states_line(model: str, n: int, por: str, spin: Spin, rounds: int) -> tuple[str, float | None]:
    """A line of the second table, and how many more transitions per second we have."""
    ours = [stored(model, n, por) for _ in range(rounds)]
    states, steps, size, _ = ours[0]
    speed = steps / min(seconds for *_, seconds in ours)
    cells = [f"{model}({n})", por, f"{states:,}", f"{speed / 1e6:.2f}", f"{size:.0f}"]
    try:
        with tempfile.TemporaryDirectory() as folder:
            source = HERE / "models" / f"{model}.pml"
            theirs = [spin.explored(source, n, Path(folder)) for _ in range(rounds)]
    except NoAnswer:
        return f"| {' | '.join([*cells, '–', '–', '–', '–'])} |", None
    its = theirs[0][0]
    other = its.transitions / max(min(seconds for _, seconds in theirs), 0.001)
    cells += [f"{its.states:,}", f"{other / 1e6:.2f}", f"{its.bytes:.0f}", f"{speed / other:.2f}"]
    return f"| {' | '.join(cells)} |", speed / other


# -- the command --------------------------------------------------------------------------------


def program_name(text: str) -> str:
    """A row of the trace counts. Raises ArgumentTypeError."""
    try:
        text_of(text)
    except (KeyError, TypeError, ValueError):
        raise argparse.ArgumentTypeError(f"no program {text}") from None
    return text


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and where the peers are."""
    parser.add_argument(
        "programs", nargs="*", metavar="FAMILY-N", type=program_name, default=DEFAULTS
    )
    for name, command in (
        *(("nidhugg", "nidhugg"), ("genmc", "genmc"), ("spin", "spin")),
        *(("clang", "clang-14"), ("opt", "opt-14")),
    ):
        parser.add_argument(f"--{name}", default=command, help=f"default: {command}, on the path")
    parser.add_argument("--rounds", type=positive, default=2, help="the least time counts")
    parser.add_argument(
        "--awaits",
        action="store_true",
        help="ours drop rounds of loops that only wait or fail, as GenMC does",
    )
    parser.add_argument(
        "--only", choices=("executions", "states"), help="one of the tables; default: both"
    )


def run(options: argparse.Namespace) -> int:
    """Prints the tables."""
    load_library()
    if options.only != "states":
        table_of_executions(options)
    if options.only != "executions":
        table_of_states(options)
    return 0


def table_of_executions(options: argparse.Namespace) -> None:
    """Prints the table of searches without stored states."""
    print(f"Nidhugg: {version_of(options.nidhugg, 'Nidhugg .*')}")
    print(f"GenMC: {version_of(options.genmc, 'GenMC v.*')}")
    peers: list[Nidhugg | GenMC] = []
    starts = {}
    asked: list[Nidhugg | GenMC] = [GenMC(options.genmc)]
    asked += [Nidhugg(options.nidhugg, options.clang, options.opt, name) for name in PEERS]
    for peer in asked:
        try:
            starts[peer.name] = start_of(peer, options.rounds)
        except NoAnswer as why:
            print(f"{peer.name} is left out: {why}")
            continue
        peers.append(peer)
        print(f"{peer.name}: {' '.join(peer.options)}; starts in {starts[peer.name]:.3f} s")
    print()
    print(*heading(OURS, [peer.name for peer in peers]), sep="\n", flush=True)
    rows = []
    for program in options.programs:
        rows.append(measured(program, peers, starts, options.rounds, options.awaits))
        print(line(rows[-1]), flush=True)
    print("", *summary(rows), sep="\n")


def table_of_states(options: argparse.Namespace) -> None:
    """Prints the table of searches with stored states."""
    print(f"\nSPIN: {version_of(options.spin, 'Spin Version .*')}\n")
    print(
        "| model | reduction | ours: states | M transitions/s | bytes/state"
        " | SPIN: states | M transitions/s | bytes/state | ratio |"
    )
    print(f"| --- | --- |{' ---: |' * 7}")
    ratios = []
    for model, n in MODELS.items():
        for por, reduced in REDUCTIONS.items():
            told, ratio = states_line(model, n, por, Spin(options.spin, reduced), options.rounds)
            print(told, flush=True)
            if ratio is not None:
                ratios.append(ratio)
    if ratios:
        print(f"\ngeometric mean {geometric_mean(ratios):.2f}, least {min(ratios):.2f}")
