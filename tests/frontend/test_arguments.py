"""Each argument of a call of the library is evaluated once, or the call is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from abpress.config import ProgramOptions
from abpress.errors import AbPressError, UnsupportedError
from abpress.ir.expr import Addr
from abpress.ir.program import Store
from abpress_frontend.library import LIBRARY
from abpress_frontend.load import load_program
from abpress_frontend.lower.entries import Refused
from tests.frontend.prototypes import INCLUDES, prototypes
from tests.sampling import sample

NOT_EVALUATED = {
    "__builtin_constant_p", "__builtin_types_compatible_p", "__builtin_offsetof", "offsetof",
    "__builtin_choose_expr",
}  # fmt: skip
"""Operators on types and constants."""

OWN = ("__abp_",)
FUNCTIONS = sorted(
    name
    for name, entry in LIBRARY.items()
    if not (name.startswith(OWN) or name in NOT_EVALUATED or isinstance(entry, Refused))
)
MOST = 6
ENOUGH = 3
"""Lists of arguments that a function accepts."""

PROGRAM = """{includes}
static long long space[64];
static int cell;
static int {counters};
void *run(void *p) {{ return p; }}
int main(void) {{
  {call};
  return 0;
}}
"""


def calls(name: str, folder: Path) -> list[list[str]]:
    """Lists of arguments with which the function may be called, short ones first."""
    if name in prototypes(folder):
        fixed, variadic = prototypes(folder)[name]
        return [fixed, [*fixed, "1"], [*fixed, "&cell", "1"]] if variadic else [fixed]
    values = [["1"] * n for n in range(MOST + 1)]
    pointers = [["&cell"] + ["1"] * n for n in range(MOST)]
    swaps = [["&cell", "&cell"] + ["1"] * n for n in range(MOST - 1)]
    triples = [["&cell"] * 3 + ["1"] * n for n in range(MOST - 2)]
    return sorted([*values, *pointers, *swaps, *triples, ["1", "1", "&cell"]], key=len)


def evaluations(name: str, arguments: list[str], folder: Path) -> list[int] | None:
    """How often the program evaluates each of the arguments; None if it is refused."""
    counters = [f"n{k}" for k in range(MOST + 2)]
    given = ", ".join(f"({n}++, {a})" for n, a in zip(counters, arguments, strict=False))
    file = folder / "a.c"
    includes = INCLUDES if name in prototypes(folder) else ""
    text = PROGRAM.format(includes=includes, counters=", ".join(counters), call=f"{name}({given})")
    file.write_text(text)
    try:
        program = load_program(ProgramOptions(file)).program
    except AbPressError:
        return None
    written = Counter(
        effect.address.object
        for template in program.templates.values()
        for location in template.locations
        for edge in location.edges
        for effect in edge.effects
        if isinstance(effect, Store) and isinstance(effect.address, Addr)
    )
    return [written[n] for n in counters[: len(arguments)]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arguments")


def test_arguments_are_evaluated_once(folder: Path) -> None:
    accepted = Counter[str]()
    names = sample(FUNCTIONS, every=96)
    for name in names:
        for arguments in calls(name, folder):
            counts = evaluations(name, arguments, folder) if accepted[name] < ENOUGH else None
            if counts is not None:
                assert counts == [1] * len(arguments), f"{name}({', '.join(arguments)})"
                accepted[name] += 1
    assert len(+accepted) > 0.9 * len(names), sorted({*names} - {*+accepted})


@pytest.mark.parametrize("name", sorted(NOT_EVALUATED - {"__builtin_choose_expr"}))
def test_operators_evaluate_nothing(folder: Path, name: str) -> None:
    assert not any(evaluations(name, ["1"], folder) or [])


def test_an_argument_that_is_left_out_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int x;\nint main(void) {\n  __sync_fetch_and_add(&x, 1, x++);\n}\n")
    with pytest.raises(UnsupportedError, match="argument 3 of __sync_fetch_and_add") as raised:
        load_program(ProgramOptions(file))
    assert str(raised.value.position).endswith("a.c:3:31")
