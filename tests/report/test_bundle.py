"""The page's script and style are what `make web` makes of web/ now."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
WEB, BUILT = ROOT / "web", ROOT / "src" / "torsor" / "report"
SOURCES = (".js", ".mjs", ".css", ".json")


@pytest.mark.parametrize("name", ["page.js", "page.css"])
def test_it_names_the_sources_it_was_built_from(name):
    total = hashlib.sha256()
    for path in sorted(WEB.iterdir(), key=lambda path: path.name):
        if path.suffix in SOURCES:
            total.update(f"{path.name}\n".encode() + path.read_bytes())
    first = (BUILT / name).read_text(encoding="utf-8").splitlines()[0]
    assert total.hexdigest() in first, "web/ has changed: make web"


def test_built_again_it_is_the_same(tmp_path):
    if shutil.which("node") is None or not (WEB / "node_modules" / "esbuild").is_dir():
        pytest.skip("no Node, or npm fetched nothing: make bundler")
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=WEB, check=True, timeout=60)
    for name in ("page.js", "page.css"):
        assert (tmp_path / name).read_bytes() == (BUILT / name).read_bytes(), "make web"


def test_the_page_has_the_licences_of_what_it_is_built_with():
    kept = (BUILT / "page-licences.txt").read_text(encoding="utf-8")
    assert "Leon Sorokin" in kept
    assert "three.js authors" in kept
    assert kept.count("Permission is hereby granted") == 2
    assert "--" not in kept  # it stands in a comment
