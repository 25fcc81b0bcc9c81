"""AbPress: a verifier of multi-threaded C programs.

    >>> import abpress
    >>> result = abpress.verify("docs/examples/account.c", "unreach-call")
    >>> result.verdict.value, result.diagnosis.cause
    ('false', 'check then act')

What stands in `__all__` is the Python API (docs/python.md), and is loaded when it is first asked
for; names of other modules may change.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import abpress.verify as _package
from abpress.version import __version__ as __version__

if TYPE_CHECKING:
    from abpress.api.asking import RunOptions, Source
    from abpress.api.proofs import ProofCheck
    from abpress.api.results import PropertyResult, Result, TraceLine
    from abpress.api.run import check_proof, verify
    from abpress.errors import AbPressError, InputError, Position, UnsupportedError
    from abpress.result import Verdict
    from abpress.witness.trace import Diagnosis

_MODULES = {
    "RunOptions": "abpress.api.asking",
    "Source": "abpress.api.asking",
    "ProofCheck": "abpress.api.proofs",
    "PropertyResult": "abpress.api.results",
    "Result": "abpress.api.results",
    "TraceLine": "abpress.api.results",
    "check_proof": "abpress.api.run",
    "AbPressError": "abpress.errors",
    "InputError": "abpress.errors",
    "Position": "abpress.errors",
    "UnsupportedError": "abpress.errors",
    "Verdict": "abpress.result",
    "Diagnosis": "abpress.witness.trace",
}
"""Name -> the module that has it; `verify` is below."""

__all__ = [
    "AbPressError",
    "Diagnosis",
    "InputError",
    "Position",
    "ProofCheck",
    "PropertyResult",
    "Result",
    "RunOptions",
    "Source",
    "TraceLine",
    "UnsupportedError",
    "Verdict",
    "check_proof",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _CalledPackage(ModuleType):
    """The package `abpress.verify`, as the function of that name: importing any of its modules
    puts it in the place where users look for the function."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return import_module("abpress.api.run").verify(*arguments, **options)


sys.modules[_package.__name__].__class__ = _CalledPackage
