"""Whether what AbPress writes for others is what they take: SARIF, JUnit XML, standard witnesses.

The judges are not part of this repository: SARIF's schema is `sarif-schema-2.1.0.json` of OASIS,
one of JUnit XML is `junit-10.xsd` of Jenkins' xunit-plugin, and `witnesslinter.py` of
sosy-lab/sv-witnesses looks at GraphML witnesses. The last two need lxml, which another Python may
have. YAML witnesses are judged by commands that read them as another verifier does: status 0 says
that the last word, a file, is a witness to them. What has no judge is not looked at.

Exit status: 0; 1 if something is not valid.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema


def arguments(parser: argparse.ArgumentParser) -> None:
    """The programs, and the schemas."""
    parser.add_argument("programs", metavar="FILE", nargs="+", type=Path, help="programs in C")
    parser.add_argument("--property", default="all", help="default: %(default)s")
    parser.add_argument("--sarif-schema", metavar="FILE", type=Path)
    parser.add_argument("--junit-schema", metavar="FILE", type=Path)
    parser.add_argument("--witness-linter", metavar="FILE", type=Path)
    parser.add_argument(
        "--witness-reader",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="a command that reads a YAML witness; may be given several times",
    )
    parser.add_argument("--witness-format", default="auto", help="of YAML; default: %(default)s")
    parser.add_argument(
        "--lxml-python", metavar="FILE", default=sys.executable, help="a Python that has lxml"
    )
    parser.add_argument("--time-limit", metavar="TIME", default="60s", help="default: 60s")


def run(options: argparse.Namespace) -> int:
    """Verifies the programs, and prints what is wrong, and how many files are valid."""
    valid: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for program in options.programs:
        with tempfile.TemporaryDirectory() as folder:
            kinds = ("sarif", "xml", "graphml", "yml")
            files = {kind: Path(folder) / f"result.{kind}" for kind in kinds}
            wanted = ["--sarif", files["sarif"], "--junit", files["xml"]]
            runs = [[*wanted, "--witness", files["graphml"]]] if _judges_others(options) else []
            if options.witness_reader:
                form = ["--witness-format", options.witness_format]
                runs.append([*form, "--witness", files["yml"]])
            for words in runs:
                asked = [sys.executable, "-m", "abpress", "verify", "--quiet", *map(str, words)]
                asked += ["--property", options.property, "--time-limit", options.time_limit]
                run = subprocess.run([*asked, str(program)], capture_output=True, check=False)
                verdicts[str(run.returncode)] += 1
            for kind, wrong in _judged(program, files, options):
                seen[kind] += 1
                valid[kind] += not wrong
                for text in wrong:
                    print(f"{program}: {kind}: {text}", flush=True)
    for kind in seen:
        print(f"{kind}: {valid[kind]} of {seen[kind]} are valid")
    print(
        "exit statuses: " + ", ".join(f"{n} x {status}" for status, n in sorted(verdicts.items()))
    )
    return int(valid != seen)


def _judges_others(options: argparse.Namespace) -> bool:
    return any((options.sarif_schema, options.junit_schema, options.witness_linter))


_XSD = """
import sys
from lxml import etree
schema = etree.XMLSchema(etree.parse(sys.argv[1]))
schema.validate(etree.parse(sys.argv[2]))
print(*schema.error_log, sep="\\n")
sys.exit(len(schema.error_log) > 0)
"""


def _judged(
    program: Path, files: dict[str, Path], options: argparse.Namespace
) -> Iterator[tuple[str, list[str]]]:
    """The kinds of files that were written and have a judge, with what is wrong in each."""
    if options.sarif_schema is not None and files["sarif"].exists():
        data = json.loads(files["sarif"].read_text(encoding="utf-8"))
        yield "SARIF", complaints(data, json.loads(options.sarif_schema.read_text("utf-8")))
    python = options.lxml_python
    if options.junit_schema is not None and files["xml"].exists():
        yield "JUnit", _said(python, "-c", _XSD, options.junit_schema, files["xml"])
    if options.witness_linter is not None and files["graphml"].exists():
        linter, witness = options.witness_linter, files["graphml"]
        yield "GraphML", _said(python, linter, "--witness", witness, program)
    if files["yml"].exists():
        for reader in options.witness_reader:
            name, _, command = reader.partition("=")
            yield f"YAML, {name}", _said(*shlex.split(command), files["yml"])


def _said(*command: str | Path) -> list[str]:
    """What a judge says, the first three lines, if it fails."""
    run = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return []
    said = [*run.stdout.splitlines(), *run.stderr.splitlines()][:3]
    return said or [f"exit status {run.returncode}"]


def complaints(data: Any, schema: Any) -> list[str]:
    """What is wrong with the data, the first three."""
    validator = jsonschema.validators.validator_for(schema)(schema)
    found = sorted(validator.iter_errors(data), key=lambda error: list(map(str, error.path)))
    return [f"{'/'.join(map(str, e.path))}: {e.message:.200}" for e in found[:3]]
