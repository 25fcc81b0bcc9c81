"""The experiments by name, and what runs one of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from abpress.cli.parser import Parser
from abpress.errors import AbPressError

PROGRAM = "experiments"

UNREADABLE_STATUS = 3
INTERRUPTED_STATUS = 130


@dataclass(frozen=True, slots=True)
class Experiment:
    """A line of help, and the module that does it.

    The module has `arguments(parser)`, which adds its arguments, and `run(options)`, which returns
    the exit status. Its docstring is the long help.
    """

    help: str
    module: str


EXPERIMENTS: Mapping[str, Experiment] = {
    "table1": Experiment(
        "Table 1 of [AbPress14]: verdict, time, nodes and SMT time", "experiments.table1"
    ),
    "context-table": Experiment(
        "Table 1 of [ContextSensitive19]: executions, states and seconds",
        "experiments.context_table",
    ),
    "hybrid-table": Experiment(
        "Tables I and II of [Hybrid16]: thread choices", "experiments.hybrid_table"
    ),
    "stateful-table": Experiment(
        "the evaluation of [Pragmatic23]: states, time and memory on sampled clients",
        "experiments.stateful_table",
    ),
    "estimates": Experiment(
        "estimated progress of searches without stored states, against the truth",
        "experiments.estimates",
    ),
    "native-virtual-time": Experiment(
        "the same of workers with the native core, by measured times",
        "experiments.native_virtual_time",
    ),
    "virtual-time": Experiment(
        "speed-up of hundreds of workers, by a clock of the model", "experiments.virtual_time"
    ),
    "parallel-table": Experiment(
        "speed-up of workers that share a tree of executions", "experiments.parallel_table"
    ),
    "native-workers": Experiment(
        "speed-up of native workers: the whole command explore", "experiments.native_workers"
    ),
    "two-ways": Experiment(
        "two ways to ask verify, in turns: several workers beside one, native code beside Python",
        "experiments.two_ways",
    ),
    "run-corpus": Experiment(
        "programs of a manifest: how many parse, lower, and are decided", "experiments.run_corpus"
    ),
    "found-by": Experiment(
        "programs of a manifest: who decides them, and how fast, by folder", "experiments.found_by"
    ),
    "handed-over": Experiment(
        "what it gives that engines are told what facts prove in part", "experiments.handed_over"
    ),
    "choice-table": Experiment(
        "what auto loses to its engines alone, and what each technique of proof gives",
        "experiments.choice_table",
    ),
    "cost": Experiment(
        "processor time of all properties in one run, against each alone", "experiments.cost"
    ),
    "facts-curve": Experiment(
        "what proofs by facts cost as programs grow", "experiments.facts_curve"
    ),
    "limits": Experiment(
        "how far commands overrun their limits on inputs made to be long", "experiments.limits"
    ),
    "suites": Experiment(
        "suites of C programs of others, run to their ends, against gcc and clang",
        "experiments.suites",
    ),
    "generated": Experiment(
        "programs of Csmith or YARPGen, run to their ends, against gcc and clang",
        "experiments.generated",
    ),
    "sanitizers": Experiment(
        "what the sanitizers of gcc and clang see, against our answers", "experiments.sanitizers"
    ),
    "replays": Experiment(
        "how many violations the compiled program shows, by one command each", "experiments.replays"
    ),
    "diagnoses": Experiment(
        "programs whose cause is known, beside the diagnosis that is printed",
        "experiments.diagnoses",
    ),
    "race-table": Experiment(
        "data races of task definitions: ours, ThreadSanitizer's and another tool's answers",
        "experiments.race_table",
    ),
    "parse-rates": Experiment(
        "how many C files the front end parses, and why not", "experiments.parse_rates"
    ),
    "functions": Experiment(
        "functions of real projects: how many the front end refuses", "experiments.functions"
    ),
    "start-up": Experiment("processor time of short commands, as a table", "experiments.start_up"),
    "transcript": Experiment(
        "what somebody new sees: a fresh clone and the README's commands", "experiments.transcript"
    ),
    "gallery": Experiment(
        "pages about classic errors, found, explained, repaired and proved", "experiments.gallery"
    ),
    "screenshots": Experiment(
        "pictures of the page of a race, a deadlock, a use after free and a proof",
        "experiments.screenshots",
    ),
    "site": Experiment(
        "the pages of the documentation as a site, for scripts/docs", "experiments.site"
    ),
    "witness-cost": Experiment(
        "processor time of runs that write a witness, beside runs that do not",
        "experiments.witness_cost",
    ),
    "foreign-witnesses": Experiment(
        "what abpress validate says of witnesses of other tools", "experiments.foreign_witnesses"
    ),
    "witness-table": Experiment(
        "what validators say of our witnesses, by property", "experiments.witness_table"
    ),
    "schemas": Experiment(
        "SARIF, JUnit and GraphML, judged by schemas and a linter of others", "experiments.schemas"
    ),
    "algorithms": Experiment(
        "the tables of docs/algorithms.md: what there is to choose, and counts",
        "experiments.algorithms",
    ),
    "same-answers": Experiment(
        "whether two checkouts give the same answers", "experiments.same_answers"
    ),
    "fuzz": Experiment("random programs against oracles, by the thousand", "tests.fuzz"),
    "bench-explore": Experiment("speed of the stateless search", "experiments.bench_explore"),
    "core-table": Experiment(
        "states per second of the native core, beside the Python search", "experiments.core_table"
    ),
    "core-executions": Experiment(
        "executions per second of the native core, beside the Python search",
        "experiments.core_executions",
    ),
    "core-hunts": Experiment(
        "random executions by the native core, beside those by Python", "experiments.core_hunts"
    ),
    "peers-table": Experiment(
        "the native core beside Nidhugg, GenMC and SPIN", "experiments.peers_table"
    ),
    "bench-stateful": Experiment(
        "speed and memory of the search that stores states", "experiments.bench_stateful"
    ),
    "bench-threads": Experiment(
        "time and memory of programs that create thousands of threads", "experiments.bench_threads"
    ),
    "bench-interpreter": Experiment("speed of the interpreter", "experiments.bench_interpreter"),
    "bench-smt": Experiment("entailments per second of the prover", "experiments.bench_smt"),
    "profile-engine": Experiment(
        "where a run of engine abpress spends its time", "experiments.profile_engine"
    ),
}
"""All experiments by name. The generators of `fuzz` are those of the tests, so it stays there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one experiment; returns its exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    name = _parser().parse_args(arguments[:1]).name
    parser, module = loaded(name)
    try:
        status: int = module.run(parser.parse_args(arguments[1:]))
    except AbPressError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return UNREADABLE_STATUS
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    return status


def loaded(name: str) -> tuple[argparse.ArgumentParser, Any]:
    """The parser of an experiment, and its module."""
    module: Any = import_module(EXPERIMENTS[name].module)
    parser = Parser(
        prog=f"{PROGRAM} {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.arguments(parser)
    return parser, module


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, EXPERIMENTS))
    lines = (f"  {name:<{width}}  {each.help}" for name, each in EXPERIMENTS.items())
    parser = Parser(
        prog=PROGRAM,
        usage=f"{PROGRAM} NAME ...",
        description="Tables, measurements and comparisons.",
        epilog="\n".join(("experiments:", *lines, "", f"{PROGRAM} NAME --help tells more")),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=EXPERIMENTS, metavar="NAME", help="one of these")
    return parser
