"""Command-line options: from text to the frozen `Config`."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from abpress.api.asking import asked_config
from abpress.art.labels.table import LABELS
from abpress.cli import compiler
from abpress.cli.first_options import (
    add_limit_options,
    add_result_options,
    add_stats_option,
    duration,
)
from abpress.cli.language_options import DEFAULT, DEFAULTS, add_language_options
from abpress.cli.parser import Parser
from abpress.cli.reports import add_report_options
from abpress.config import CORES, PART_OF, SYMMETRIES, Compilation, Config
from abpress.engines.table import ENGINES, Engine
from abpress.errors import InputError
from abpress.properties import GROUPS, PROPERTIES
from abpress.semantics.outcome import FEW_THREADS, MANY_THREADS
from abpress.smt.table import ENCODINGS
from abpress.witness.standard.formats import FORMATS

_GROUPS = "; ".join(f"{name}: {', '.join(its)}" for name, its in GROUPS.items() if name != "all")
_AUTO = " and ".join(engine.name for engine in ENGINES.values() if engine.auto)


def positive(text: str) -> int:
    """A whole number above zero. Raises ArgumentTypeError."""
    if not re.fullmatch(r"\d{1,9}", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


def natural(text: str) -> int:
    """A whole number, perhaps zero. Raises ArgumentTypeError."""
    return 0 if re.fullmatch("0+", text) else positive(text)


def add_question_options(parser: argparse.ArgumentParser, default: str = "all") -> None:
    """Adds the options of the question and the bounds; `default` is told."""
    group = parser.add_argument_group("the question")
    group.add_argument(
        "--property",
        metavar="NAME|FILE.prp",
        action="append",
        default=[],
        help=f"what to check (repeatable): {', '.join(PROPERTIES)}; {_GROUPS}; or an SV-COMP"
        f" property file (default: {default})",
    )

    add_bound_options(parser)


def add_bound_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the bounds of one search, and of the limits."""
    group = parser.add_argument_group("bounds (one that is reached makes a proof impossible)")
    group.add_argument(
        "--recursion-bound",
        metavar="N",
        type=positive,
        default=DEFAULTS.bounds.recursion_bound,
        help="how deep a function may call itself" + DEFAULT,
    )
    group.add_argument(
        "--max-threads",
        metavar="N",
        type=positive,
        default=DEFAULTS.bounds.max_threads,
        help=f"threads of one execution (default: {FEW_THREADS}; {MANY_THREADS} for engine explicit"
        " with a static reduction, unless the property looks at states)",
    )
    group.add_argument(
        "--input-domain",
        metavar="N",
        type=positive,
        default=DEFAULTS.bounds.input_domain,
        help="inputs with at most N values are enumerated" + DEFAULT,
    )
    add_limit_options(group)


def add_verify_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the question, the bounds, the search and the output."""
    add_question_options(parser)
    group = parser.add_argument_group("the search")
    group.add_argument(
        "--engine",
        choices=("auto", *ENGINES),
        default=DEFAULTS.search.engine,
        help=f"how to search; auto: {_AUTO}, as far as they can, in turn" + DEFAULT,
    )
    group.add_argument(
        "--por",
        choices=reductions_of(ENGINES.values()),
        default=DEFAULTS.search.por,
        help="partial-order reduction; engines that do not have it stay out of the search; auto: "
        + preferred_by(ENGINES.values())
        + DEFAULT,
    )
    add_core_option(group)
    group.add_argument(
        "--symmetry",
        choices=SYMMETRIES,
        default=DEFAULTS.search.symmetry,
        help="on: of states that differ in which of several equal threads does what, one is stored"
        " (explicit, with none and s-por), or covered by another (abpress, horn, for what steps"
        " violate); where threads can be told apart all are; auto: where equal threads begin with"
        " equal arguments (explicit only)" + DEFAULT,
    )
    group.add_argument(
        "--workers",
        metavar="N",
        type=positive,
        default=DEFAULTS.search.workers,
        help="processes that search; auto: its engines side by side, and the first answer ends the"
        " others; stateless: one tree of executions together; explicit, with a static reduction:"
        " stored states together. That saves wall time and costs CPU time and memory: leave it at 1"
        " where CPU time counts" + DEFAULT,
    )
    group.add_argument(
        "--encoding",
        choices=("auto", *ENCODINGS),
        default=DEFAULTS.search.encoding,
        help="of integers, for the solver: int, linear integers that wrap around explicitly, as"
        " long as that is exact; bv, bit-vectors; auto: by the program's operations" + DEFAULT,
    )
    group.add_argument(
        "--labels",
        choices=tuple(LABELS),
        default=DEFAULTS.search.labels,
        help="what nodes of the tree know (abpress): what follows from the node before, of all"
        " that refinements found; or, after Impact, what they found on the way there" + DEFAULT,
    )
    group.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=DEFAULTS.search.seed,
        help="of z3's random choices (abpress), and of random executions (hunt)" + DEFAULT,
    )
    group.add_argument(
        "--hunt-steps",
        metavar="N",
        type=positive,
        default=DEFAULTS.search.hunt_steps,
        help="how many steps random executions may take together (hunt); auto hunts for a short"
        " time first, and up to these when the first engine has given up" + DEFAULT,
    )
    group.add_argument(
        "--paranoid",
        action="store_true",
        help="check all interpolants; a wrong one is an internal error (slower)",
    )

    group = add_output_options(parser)
    add_stats_option(group)
    add_report_options(group)
    group.add_argument(
        "--certificate",
        metavar="FILE",
        type=Path,
        help="write the proof of a verdict true, for abpress check-proof (it was checked)",
    )
    group.add_argument(
        "--witness",
        metavar="FILE",
        type=Path,
        help="write what the verdict rests on for other verifiers, as SV-COMP has it: GraphML if"
        " the name ends so, else YAML; positions are then those in the file, whatever its line"
        " markers say",
    )
    group.add_argument(
        "--witness-format",
        choices=("auto", *FORMATS),
        default="auto",
        help="of --witness; auto: the first version that has the words" + DEFAULT,
    )
    group.add_argument(
        "--invariants-time",
        metavar="TIME",
        type=duration,
        help="how long invariants for the witness of a proof may be looked for: 30, 30s, 2min"
        " (default: 5%% of what the run has taken, which is too little in short runs)",
    )
    group.add_argument(
        "--no-invariants",
        dest="invariants_time",
        action="store_const",
        const=0.0,
        help="a witness of a proof states no invariants",
    )
    group.add_argument(
        "--report",
        metavar="DIR",
        type=Path,
        help="write a page to read in a browser, DIR/index.html: the source beside the execution"
        " step by step, or what was proved where; abpress step DIR shows it in the terminal",
    )
    group.add_argument(
        "--alarms",
        dest="show_alarms",
        action="store_true",
        help="of what is unknown, list what facts leave open, and which fact is missing",
    )
    group.add_argument(
        "--explain-choice",
        action="store_true",
        help="tell the features of the program by which auto shares its time, and the rule",
    )


def add_core_option(group: argparse._ArgumentGroup) -> None:
    """Adds the option that says who searches concrete states."""
    group.add_argument(
        "--core",
        choices=CORES,
        default=DEFAULTS.search.core,
        help="who searches (explicit, with none and s-por; stateless, with none, sleep, persistent,"
        " source and optimal): native code, which the C compiler of this machine makes once, as far"
        " as it can, or Python; auto: Python, and native code if that takes long; the numbers are"
        " the same" + DEFAULT,
    )


def cluster_address(text: str) -> str:
    """The address of a cluster. Raises ArgumentTypeError where nothing can be asked of one."""
    if text and find_spec("distributed") is None:  # the default is looked at, too
        raise argparse.ArgumentTypeError(
            "Dask is not installed: pip install 'abpress[cluster]', here and on the cluster"
        )
    return text


def add_cluster_option(group: argparse._ArgumentGroup, what: str) -> None:
    """Adds --cluster; `what` is done there."""
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        type=cluster_address,
        default="",
        help=f"{what} the Dask cluster whose scheduler is at this address, as tcp://host:8786;"
        " see docs/scaling.md",
    )


def add_debug_option(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Adds the option that shows tracebacks."""
    parser.add_argument(
        "--debug", action="store_true", help="show the traceback of an internal error"
    )


def reductions_of(engines: Iterable[Engine]) -> tuple[str, ...]:
    """The values of `--por` for a choice among engines."""
    return ("auto", *dict.fromkeys(por for engine in engines for por in engine.reductions))


def preferred_by(engines: Iterable[Engine]) -> str:
    """What `--por auto` means for each engine, in words."""
    return ", ".join(f"{e.preferred} ({e.name})" for e in engines if not e.hunts)


def add_output_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Adds the options of what is printed and written; returns the group."""
    group = parser.add_argument_group("the output")
    add_result_options(group)
    add_debug_option(group)
    return group


def config_of(options: argparse.Namespace) -> Config:
    """The configuration that the options ask for.

    Raises InputError or UnsupportedError for a property that cannot be read or checked.
    """
    given = {name: value for name, value in vars(options).items() if name in PART_OF}
    for repeatable in ("defines", "include_dirs", "included"):
        given[repeatable] = tuple(given[repeatable])
    if hasattr(options, "files"):
        given |= _files_of(options)
    given["certificate"] = given.get("certificate") is not None
    given["line_markers"] = getattr(options, "witness", None) is None
    return asked_config(given, getattr(options, "property", None))


def _files_of(options: argparse.Namespace) -> dict[str, Any]:
    """The files of the program, each with what the compiler is told of it. Raises InputError."""
    own = (tuple(options.defines), tuple(options.include_dirs), tuple(options.included))
    databases = [file for file in options.files if file.suffix == ".json"]
    named = [Compilation(file, *own) for file in options.files if file not in databases]
    known: dict[Path, Compilation] = {}
    models = {options.data_model} - {None}
    for command in (its for database in databases for its in compiler.commands_of(database)):
        parser = Parser(prog=str(command.file))
        add_language_options(parser)
        theirs, _ = parser.parse_known_args(command.words)
        one = command.compilation(theirs)
        its = (own[0] + one.defines, own[1] + one.include_dirs, own[2] + one.included)
        known[one.file] = Compilation(one.file, *its)
        if options.data_model is None:
            models |= {theirs.data_model} - {None}
    if len(models) > 1:
        raise InputError("files are compiled for different data models; --data-model chooses one")
    wanted = [known.get(_plain(c.file), c) for c in named] if named else list(known.values())
    if len(wanted) > 1 and any(c.file.suffix == ".abp" for c in wanted):
        raise InputError("a program in textual IR is one file")
    first, *others = wanted
    return {
        "file": first.file,
        "defines": first.defines,
        "include_dirs": first.include_dirs,
        "included": first.included,
        "others": tuple(others),
        "data_model": next(iter(models), None),
    }


def _plain(file: Path) -> Path:
    """The path as compile commands are said to have it."""
    return Path(os.path.relpath(file)) if str(file) != "-" else file
