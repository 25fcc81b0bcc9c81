"""What functions of the library read, they access."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from abpress.analysis.points_to import PointsTo, Static
from abpress.config import ProgramOptions
from abpress.ir.program import Load, edges
from abpress_frontend.library import LIBRARY
from abpress_frontend.load import load_program
from abpress_frontend.lower.entries import NotModelled, Refused
from abpress_frontend.tokens import OWN_PREFIX
from tests.frontend.prototypes import INCLUDES, prototypes
from tests.sampling import sample

PROGRAM = """{includes}
static char space[512];
{objects}
int main(void) {{
  {calls}
}}
"""
READ = {"(const char *)space": "char", "(const struct timespec *)space": "struct timespec"}
NOT_READ = {
    "__assert", "__assert_fail",  # the program has ended
}  # fmt: skip


def calls(folder: Path) -> Iterator[tuple[str, str]]:
    """A call for each argument that is read, in which @ stands for it; and the type behind it."""
    for name, (arguments, _) in prototypes(folder).items():
        entry = LIBRARY.get(name)
        if entry is None or isinstance(entry, Refused | NotModelled) or name.startswith(OWN_PREFIX):
            continue
        given = [a[:-1] + "2" if a.endswith(")0") else a for a in arguments]
        for k, argument in enumerate(given):
            if argument in READ and name not in NOT_READ:
                yield f"{name}({', '.join([*given[:k], '@', *given[k + 1 :]])})", READ[argument]


def read_objects(file: Path) -> set[str]:
    """The names of what the program may read."""
    program = load_program(ProgramOptions(file, reads_text=True)).program
    points_to = PointsTo(program)
    return {
        target.object.name
        for template in program.templates.values()
        for _, edge in edges(template)
        for effect in edge.effects
        if isinstance(effect, Load)
        for target in points_to.targets(template.name, effect.address)
        if isinstance(target.object, Static)
    }


def test_texts_and_deadlines_are_read(tmp_path: Path) -> None:
    every = list(calls(tmp_path))
    assert len(every) > 60
    its = sample(every, 5)
    file = tmp_path / "a.c"
    text = PROGRAM.format(
        includes=INCLUDES,
        objects="\n".join(f"static {type} object{k}[2];" for k, (_, type) in enumerate(its)),
        calls="\n  ".join(
            f"if (__VERIFIER_nondet_int()) {call.replace('@', f'object{k}')};"
            for k, (call, _) in enumerate(its)
        ),
    )
    file.write_text(text)
    read = read_objects(file)
    assert [call for k, (call, _) in enumerate(its) if f"object{k}" not in read] == []
