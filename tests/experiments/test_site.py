"""The pages of the site: links between them stay, links to what is no page become text."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
import yaml

from abpress.errors import InputError
from experiments import site


def test_links_are_those_of_the_site() -> None:
    text = (
        "[a](../README.md#install) [b](using.md) [c](../LICENSE) [d](#here) [e](https://x.org)\n"
        "```\n[f](../README.md)\n```\n[[g]](references.md)\n"
    )
    assert site.linked(text, site.ROOT / "docs" / "theory.md") == (
        "[a](index.md#install) [b](using.md) c [d](#here) [e](https://x.org)\n"
        "```\n[f](../README.md)\n```\n[[g]](references.md)\n"
    )
    assert site.linked("[a](docs/using.md)", site.ROOT / "README.md") == "[a](using.md)"


def test_every_page_is_in_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    index, first, second, *others = site.navigation(with_gallery=True)
    assert (index, *first, *second) == ("index.md", "Using", "Gallery")
    assert len(second["Gallery"]) == 11
    assert others == site.navigation(with_gallery=False)[2:]
    monkeypatch.setattr(site, "SECTIONS", {**site.SECTIONS, "Using": ("using.md",)})
    with pytest.raises(InputError, match=r"algorithms\.md"):
        site.navigation(with_gallery=False)


def test_the_pages_and_the_settings_are_written(tmp_path: Path) -> None:
    output = tmp_path / "pages"
    assert site.run(argparse.Namespace(output=output, no_gallery=True)) == 0
    assert {file.name for file in output.glob("*.md")} == set(site.pages().values())
    text = (tmp_path / "pages.yml").read_text(encoding="utf-8")
    settings = yaml.load(text, yaml.BaseLoader)
    (polyfill,) = settings["extra"]["polyfills"]  # the theme would add one from the network
    assert "iframe-worker" in polyfill
    assert (output / polyfill).is_file()
    assert settings["theme"]["font"] == "false"
    assert "offline" in settings["plugins"]
