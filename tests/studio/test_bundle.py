"""The pages that are served are built from the sources that are here."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import torsor

WEB = Path("web")
PAGES = ("studio", "monitor")
STATIC = Path(torsor.__file__).parent / "studio" / "static"


def stamp(page: str) -> str:
    found = hashlib.sha256()
    for folder in ("", page):
        names = sorted(each.name for each in (WEB / folder).iterdir())
        for name in (name for name in names if re.search(r"\.(js|mjs|css|json|html)$", name)):
            found.update(f"{folder}/{name}\n".encode() + (WEB / folder / name).read_bytes())
    return found.hexdigest()


@pytest.mark.parametrize("suffix", [".js", ".css"])
@pytest.mark.parametrize("page", PAGES)
def test_it_is_built_from_these_sources(page, suffix):
    assert stamp(page) in (STATIC / (page + suffix)).read_text().partition("\n")[0], "run: make web"


@pytest.mark.parametrize("page", PAGES)
def test_built_again_it_is_the_same(page, tmp_path):
    if shutil.which("node") is None or not (WEB / "studio" / "node_modules" / "katex").is_dir():
        pytest.skip("no Node, or npm fetched nothing: make bundler")
    subprocess.run(["node", WEB / page / "build.mjs", tmp_path], check=True, timeout=60)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (STATIC / path.name).read_bytes(), "run: make web"


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_the_one_of_the_sources(page):
    text = (STATIC / f"{page}.html").read_text()
    assert text == (WEB / page / f"{page}.html").read_text()
    assert not re.search(r"<script>|<style|\son\w+=|style=", text)  # nothing that its policy would refuse


def test_licences_come_along():
    told = (STATIC / "licences.txt").read_text()
    assert all(word in told for word in ("three.js", "uPlot", "KaTeX", "MIT"))


def test_no_addresses_of_elsewhere():
    for name in (f"{page}{suffix}" for page in PAGES for suffix in (".js", ".css")):
        found = set(re.findall(r"https?://[\w.-]+", (STATIC / name).read_text()))
        # names of XML's own vocabularies, which nobody fetches
        assert found <= {"http://www.w3.org", "http://127.0.0.1"}, found
