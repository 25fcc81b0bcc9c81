"""Builds the native core with the compiler of the system, or one that the checkout has got where
there is none, once for each version of its sources.

The library is kept in the user's cache (`ABPRESS_CACHE`, else `XDG_CACHE_HOME/abpress`, else
`~/.cache/abpress`), or where that cannot be written, in a folder of the user's own among temporary
files; under a name that depends on the sources, the options, the compiler and the machine.
Processes that build at once do so side by side; each moves what it has made into place. A wheel for
one platform has the library with it (`scripts/wheels`): then nothing is built.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

SOURCES = Path(__file__).parent / "native"
OPTIONS = (
    "-std=c11",
    "-O2",
    "-fPIC",
    "-shared",
    "-fvisibility=default",
    "-fno-semantic-interposition",
)
COMPILERS = ("cc", "gcc", "clang")
OF_CHECKOUT = "zig-cc"
"""The compiler that a checkout gets where the system has none, beside Python."""

SUFFIX = "dll" if sys.platform == "win32" else "so"
TIMEOUT = 120
"""Seconds that the compiler may take; it takes two, that of the checkout ten."""


class NotBuilt(Exception):
    """There is no library: why. `is_news`: nobody was told yet."""

    def __init__(self, why: str, is_news: bool) -> None:
        super().__init__(why)
        self.is_news = is_news


def library() -> Path:
    """The path of the library, which is built if it is not there. Raises NotBuilt.

    A build that fails leaves its reason, so that the next run does not try again.
    """
    made = made_before()
    if made is not None:
        return made
    compiler = find_compiler()
    if compiler is None:
        raise NotBuilt("no C compiler (cc, gcc, clang; or set CC)", is_news=False)
    name = f"core-{_key(compiler)}.{SUFFIX}"
    why: NotBuilt | None = None
    for folder in _folders():
        try:
            _make(folder)
            return _kept(folder / name, compiler)
        except OSError as error:
            why = why or NotBuilt(f"the cache cannot be used: {error}", is_news=True)
    raise why or NotBuilt("there is no folder for it", is_news=True)


def is_built() -> bool:
    """Whether the library is there."""
    if made_before() is not None:
        return True
    compiler = find_compiler()
    if compiler is None:
        return False
    name = f"core-{_key(compiler)}.{SUFFIX}"
    return any(_is_there(folder / name) for folder in _folders())


def made_before() -> Path | None:
    """The library that came with these sources; None where none did, or CC names a compiler."""
    if os.environ.get("CC") or not any(SOURCES.glob(f"core-*.{SUFFIX}")):
        return None  # without a look into the sources
    its = SOURCES / name_beside(SOURCES)
    return its if its.exists() else None


def name_beside(sources: Path, suffix: str = SUFFIX) -> str:
    """The name of a library that comes with its sources: it is that of no others."""
    return f"core-{_digest(sources, '')}.{suffix}"


def _digest(sources: Path, more: str) -> str:
    """Depends on these files, and more."""
    found = hashlib.sha256(more.encode())
    for source in sorted(sources.glob("*.[ch]")):
        found.update(source.name.encode() + source.read_bytes())
    return found.hexdigest()[:20]


def _folders() -> Iterator[Path]:
    """Where the library may be kept: the first place is the best."""
    yield cache()
    temporary = _temporary()
    if temporary is not None and not os.environ.get("ABPRESS_CACHE"):
        yield temporary


def _temporary() -> Path | None:
    if not hasattr(os, "getuid"):
        return None
    return Path(tempfile.gettempdir()) / f"abpress-{os.getuid()}"


def _is_there(target: Path) -> bool:
    try:
        return target.exists()
    except OSError:
        return False


def _kept(target: Path, compiler: str) -> Path:
    """The library at a path, built if it is not there. Raises NotBuilt, and OSError where nothing
    can be kept there."""
    if target.exists():
        return target
    failed = target.with_suffix(".failed")
    if failed.exists():
        raise NotBuilt(failed.read_text(encoding="utf-8"), is_news=False)
    with tempfile.TemporaryDirectory(dir=target.parent) as own:
        made = Path(own) / target.name
        try:
            build(made, compiler)
        except NotBuilt as why:
            failed.write_text(str(why), encoding="utf-8")
            raise
        os.replace(made, target)
    return target


def _make(folder: Path) -> None:
    """Makes a folder that is not there. Raises OSError where that cannot be done, and for one among
    temporary files that others can write to: what lies there is executed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder != _temporary():
        return
    its = folder.lstat()
    if its.st_uid != os.getuid() or its.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"{folder} is not the user's own")


def build(target: Path, compiler: str, more: Sequence[str] = (), folder: Path = SOURCES) -> None:
    """Compiles the sources of a folder to a shared library, with more options. Raises NotBuilt."""
    sources = [str(source) for source in sorted(folder.glob("*.c"))]
    command = [compiler, *OPTIONS, *more, "-o", str(target), *sources, "-lm"]
    try:
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
            errors="replace",
            start_new_session=True,  # a Ctrl-C is for the search
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NotBuilt(f"{compiler} does not run: {error}", is_news=True) from error
    if ran.returncode != 0:
        line = next((line for line in ran.stderr.splitlines() if "error" in line), "no reason told")
        raise NotBuilt(f"{compiler} fails: {line.strip()}", is_news=True)


def find_compiler() -> str | None:
    """The path of a compiler; None if there is none."""
    return next(iter(find_compilers()), None)


def find_compilers() -> tuple[str, ...]:
    """The paths of the compilers that there are, or of the one that CC names, each once; if there
    are none, of that of the checkout."""
    named = os.environ.get("CC", "").split()
    paths = [*filter(None, map(shutil.which, named[:1] or COMPILERS))]
    beside = Path(sys.executable).parent / OF_CHECKOUT
    if not (paths or named) and beside.exists():
        paths = [str(beside)]
    return tuple({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def cache() -> Path:
    """The folder of the user's cache."""
    own = os.environ.get("ABPRESS_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "abpress"


def _key(compiler: str) -> str:
    """Depends on everything that the library depends on."""
    its = Path(compiler).resolve().stat()
    parts = (compiler, its.st_size, its.st_mtime_ns, sys.platform, platform.machine(), OPTIONS)
    return _digest(SOURCES, repr(parts))
