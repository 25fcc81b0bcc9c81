"""The tables of docs/algorithms.md: what there is to choose, and how much each explores.

The parts of the page between `<!-- table: NAME -->` and `<!-- end -->` are made from the tables of
engines, properties and reductions, and from the counts in experiments/algorithms.tsv. --measure
counts anew: executions, states or nodes, by which a search is compared with others of its family.
Without an option the page is compared with what it should be.

Exit status: 0; 1 if the page is not up to date.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from abpress.bench.files import write_whole
from abpress.config import Config
from abpress.engines.table import ENGINES, engine_of
from abpress.properties import PROPERTIES, Preserved
from abpress.reductions.entry import Family, ReductionEntry
from abpress.reductions.table import REDUCTIONS
from abpress.result import Verdict
from abpress.verify.run import verify
from experiments import pages
from experiments.settings import BENCHMARKS, HERE, read_table

PAGE = HERE.parent / "docs" / "algorithms.md"
COUNTS = HERE / "algorithms.tsv"

PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "svcomp/pthread-atomic/peterson_safe.c": (),
    "svcomp/pthread-atomic/szymanski_safe.c": (),
    "svcomp/pthread/fib_bench_3_safe.c": (),
    "svcomp/pthread/indexer_3_safe.c": (),
    "svcomp/pthread-inputs/wide_swap_safe.c": (),
    "svcomp/pthread/twostage_3_safe.c": (),
    "exploration/fr.c": ("N=3",),
    "exploration/lw.c": ("N=3",),
    "heap/sor.c": (),
    "heap/rep_workers.c": (),
}
"""Programs of benchmarks/, with their macros; none violates the property."""

COUNTED: Mapping[Family, tuple[str, str]] = {
    Family.STATELESS: ("executions", "executions"),
    Family.STATIC: ("states", "states"),
    Family.STATEFUL: ("states", "states"),
    Family.TREE: ("nodes", "nodes_of_all_trees"),
}
"""Family -> what is counted, and its name among the statistics."""

TITLES: Mapping[Preserved, str] = {p: p.name.lower().replace("_", " ") for p in Preserved}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is to be done."""
    parser.add_argument("--measure", action="store_true", help="count anew")
    parser.add_argument("--write", action="store_true", help="bring the page up to date")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of one search, with --measure (default: 2)"
    )


def run(options: argparse.Namespace) -> int:
    """Measures, writes, or compares."""
    if options.measure:
        write_whole(COUNTS, measured(options.seconds))
    text = PAGE.read_text(encoding="utf-8")
    wanted = filled(text)
    if options.write:
        write_whole(PAGE, wanted)
    elif text != wanted:
        print(f"{PAGE.name}: not up to date (--write brings it up to date)", file=sys.stderr)
        return 1
    return 0


def filled(text: str) -> str:
    """The page with the tables as they should be. Raises KeyError for a table there is not."""
    return pages.filled(text, {name: TABLES[name]() for name in pages.names(text)})


def measured(seconds: float) -> str:
    """How much each reduction explores of each program: tab-separated values. "-": not all of it
    within the seconds."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(("family", "name", "program", "count"))
    for entry in REDUCTIONS.values():
        for program, defines in PROGRAMS.items():
            count = _count(entry, program, defines, seconds)
            writer.writerow((entry.family.name.lower(), entry.name, program, count))
            print(entry.family.name.lower(), entry.name, program, count, flush=True)
    return out.getvalue()


def _count(
    entry: ReductionEntry[Any], program: str, defines: tuple[str, ...], seconds: float
) -> str:
    config = Config.of(
        BENCHMARKS / program,
        defines=defines,
        engine=engine_of(entry).name,
        por=entry.name,
        time_limit=seconds,
    )
    result = verify(config).result
    if result.verdict is Verdict.FALSE:
        raise AssertionError(f"{program}: {result.reason}")
    return "-" if result.verdict is Verdict.UNKNOWN else str(result.statistics[_statistic(entry)])


def _statistic(entry: ReductionEntry[Any]) -> str:
    return COUNTED[entry.family][1]


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = (heading, ["---"] * len(heading), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _engines() -> str:
    return table(
        ("`--engine`", "what it is", "properties", "default `--por`", "takes part in `auto`"),
        (
            (
                f"`{engine.name}`",
                engine.description,
                ", ".join(f"`{p}`" for p in PROPERTIES if _answers_any(engine.name, p)),
                f"`{engine.preferred}`",
                "yes" if engine.auto else "no",
            )
            for engine in ENGINES.values()
        ),
    )


def _answers_any(engine: str, property: str) -> bool:
    its = ENGINES[engine]
    return any(its.answers(property, por) for por in (its.preferred, *its.reductions))


def _properties() -> str:
    return table(
        ("`--property`", "true means", "needs"),
        ((f"`{p.name}`", p.meaning, TITLES[p.needs]) for p in PROPERTIES.values()),
    )


def _preserved() -> str:
    def below(its: Preserved) -> Iterator[str]:
        return (TITLES[other] for other in Preserved if other is not its and its.includes(other))

    return table(
        ("preserved", "a search finds", "includes"),
        ((TITLES[p], p.value, ", ".join(below(p)) or "–") for p in Preserved),
    )


def _family(*families: Family) -> Callable[[], str]:
    def rows() -> Iterator[Sequence[str]]:
        for entry in REDUCTIONS.values():
            if entry.family in families:
                names = f"`{entry.name}`"
                if entry.algorithm != entry.name:
                    names += f" (`--algorithm {entry.algorithm}`)"
                paper = f"[{entry.paper}](references.md)" if entry.paper else "–"
                yield names, entry.description, TITLES[entry.preserves], paper

    return lambda: table(("`--por`", "explores", "preserves", "after"), rows())


def _counts(*families: Family) -> Callable[[], str]:
    def text() -> str:
        found = {
            (row["family"], row["name"], row["program"]): row["count"] for row in read_table(COUNTS)
        }
        heading = [COUNTED[families[0]][0], *(Path(program).stem for program in PROGRAMS)]
        rows = [
            (
                f"`{e.name}`",
                *(_shown(found.get((e.family.name.lower(), e.name, p), "")) for p in PROGRAMS),
            )
            for e in REDUCTIONS.values()
            if e.family in families
        ]
        return table(heading, rows)

    return text


def _shown(count: str) -> str:
    return f"{int(count):,}" if count.isdigit() else "–"


TABLES: Mapping[str, Callable[[], str]] = {
    "engines": _engines,
    "properties": _properties,
    "preserved": _preserved,
    "stateless": _family(Family.STATELESS),
    "stored states": _family(Family.STATIC, Family.STATEFUL),
    "tree": _family(Family.TREE),
    "executions": _counts(Family.STATELESS),
    "states": _counts(Family.STATIC, Family.STATEFUL),
    "nodes": _counts(Family.TREE),
}
"""Name of a part of the page -> its text."""
