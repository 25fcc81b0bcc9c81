"""Pictures of the page that `abpress verify --report` writes, as a browser shows it.

Of programs of docs/gallery: a race, a deadlock, a use after free, and a proof, each in light and in
dark. The browser is Chromium or one of its kin, found by name or given.

Exit status: 0; 1 if a page cannot be written or shown.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from experiments.gallery import GALLERY, REPAIRED

SHOWN = {
    "race": ("missing_lock.c", "no-data-race"),
    "deadlock": ("lock_order.c", "no-deadlock"),
    "use_after_free": ("use_after_free.c", "valid-deref"),
    "proof": (f"missing_lock{REPAIRED}", "no-data-race"),
}
"""Name of a picture -> program and property."""

COLOURS = {"light": "1", "dark": "0"}
"""Scheme -> what Blink calls it."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go, and how they are taken."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="for NAME.light.png and so on")
    parser.add_argument(
        "--browser", metavar="FILE", default=next(filter(shutil.which, BROWSERS), "")
    )
    parser.add_argument("--size", metavar="W,H", default="1400,1000", help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    """Takes the pictures, and tells their names; 1 if one is missing."""
    if not options.browser:
        print(f"screenshots: none of these is installed: {', '.join(BROWSERS)}", file=sys.stderr)
        return 1
    options.folder.mkdir(parents=True, exist_ok=True)
    missing = False
    for name, (program, asked) in SHOWN.items():
        with tempfile.TemporaryDirectory() as folder:
            verify = [sys.executable, "-m", "abpress", "verify", "--quiet", "--property", asked]
            subprocess.run([*verify, "--report", folder, str(GALLERY / program)], check=False)
            page = (Path(folder) / "index.html").as_uri()
            for scheme, colour in COLOURS.items():
                picture = (options.folder / f"{name}.{scheme}.png").absolute()
                picture.unlink(missing_ok=True)
                take = [options.browser, "--headless", "--no-sandbox", "--disable-gpu"]
                take += [f"--user-data-dir={folder}/profile", f"--window-size={options.size}"]
                take += [f"--blink-settings=preferredColorScheme={colour}"]
                take += [f"--screenshot={picture}", page]
                subprocess.run(take, check=False, capture_output=True, timeout=120)
                missing |= not picture.exists()
                print(picture if picture.exists() else f"missing: {picture}")
    return int(missing)
