"""Makes wheels with the native core; `scripts/wheels` calls it. Only the standard library,
setuptools and ziglang are there.

Each has the sources, too: with `CC` the core is built from them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from abpress.core.build import OPTIONS, name_beside  # noqa: E402

PLATFORMS: Mapping[str, str] = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
}
"""Tags of wheels, and what the compiler calls these platforms."""

PARTS = ("pyproject.toml", "README.md", "LICENSE", "abpress", "frontend")

BUILD = """
import sys
from setuptools.build_meta import build_wheel
build_wheel(sys.argv[1], {"--build-option": [f"--plat-name={sys.argv[2]}"]})
"""


def compiled(sources: Path, target: str) -> None:
    """Compiles the core beside its sources, for a platform. Raises CalledProcessError."""
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, *OPTIONS, "-s"]
    files = sorted(map(str, sources.glob("*.c")))
    made = sources / name_beside(sources, "dll" if "windows" in target else "so")
    subprocess.run([*command, "-o", str(made), *files, "-lm"], check=True)


def wheel(platform: str) -> None:
    """Makes the wheel of a platform in dist/."""
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            its = ROOT / part
            if its.is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
                shutil.copytree(its, Path(folder, part), ignore=ignored)
            else:
                shutil.copy(its, folder)
        compiled(Path(folder, "abpress", "core", "native"), PLATFORMS[platform])
        command = [sys.executable, "-c", BUILD, str(ROOT / "dist"), platform]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    print(platform, flush=True)


def main(platforms: list[str]) -> int:
    """Makes those of some platforms, or of all. Exit status 3 if there is none of a name."""
    if platforms == ["--list"]:
        print(*PLATFORMS, sep="\n")
        return 0
    unknown = [platform for platform in platforms if platform not in PLATFORMS]
    if unknown:
        print(f"no platform {unknown[0]}: {', '.join(PLATFORMS)}", file=sys.stderr)
        return 3
    (ROOT / "dist").mkdir(exist_ok=True)
    for platform in platforms or PLATFORMS:
        wheel(platform)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
