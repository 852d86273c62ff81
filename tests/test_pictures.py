"""Pictures of README and docs: each is there, small enough, used, and made by ``make pictures``."""

import re
import struct
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from library_page import picture_of  # noqa: E402
from pictures import LARGEST, LOOKS, PICTURES  # noqa: E402

from torsor.loading import robots  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


def named():
    """Pictures that pages name, with their words for who cannot see them."""
    found = [(page.parent / path, alt) for page in PAGES for alt, path in NAMED.findall(page.read_text())]
    return found + [(ROOT / "docs" / picture_of(name), name) for name in robots()]


def test_every_picture_is_there_and_used_and_made():
    used = {path for path, _ in named()}
    assert used == set(FOLDER.iterdir()) == {FOLDER / name for name in PICTURES}
    assert not list((ROOT / "docs").glob("*.png"))


def test_every_picture_has_words():
    assert [path.name for path, alt in named() if not alt.strip()] == []


def test_every_arm_of_the_library_has_a_posture():
    assert sorted(LOOKS) == sorted(robots())


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_small_files_of_many_pixels(name):
    content = (FOLDER / name).read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width >= 400
    assert height >= 300
    assert len(content) < LARGEST
