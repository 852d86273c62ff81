"""Every bad file is refused with the words the table has for it."""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from pathlib import Path

import pytest

from bad_files import BAD_ARM_FILES, BAD_FILES, BAD_URDFS, BadFile
from torsor.errors import DescriptionWarning, ModelError
from torsor.model.armfile import parse_arm_file, read_arm_file
from torsor.model.files import read_text
from torsor.model.model import Model
from torsor.model.urdf import parse_urdf, read_urdf


def read(path: Path) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DescriptionWarning)
        return read_urdf(path, strict=True) if path.suffix == ".urdf" else read_arm_file(path)


@pytest.mark.parametrize("bad", BAD_FILES, ids=str)
def test_the_message(bad: BadFile, tmp_path):
    path = bad.write(tmp_path)
    with pytest.raises(ModelError) as caught:
        read(path)
    assert str(caught.value) == f"{path}{bad.message}"


def test_the_table_is_large_and_its_names_are_unique():
    assert len(BAD_ARM_FILES) >= 40
    assert len(BAD_URDFS) >= 40
    assert len({str(bad) for bad in BAD_FILES}) == len(BAD_FILES)


def test_nearly_all_say_the_line_and_what_would_be_right():
    for bad in BAD_FILES:
        assert bad.name in WHOLE_FILE or re.match(r":\d+(:\d+)?: ", bad.message), bad
        assert "; " in bad.message, bad


WHOLE_FILE = {
    "an empty file",
    "a blank file",
    "nothing but a comment",
    "100 MB",
    "a folder",
}


@pytest.mark.parametrize("suffix", [".toml", ".urdf"])
def test_a_file_that_is_not_there(tmp_path, suffix):
    path = tmp_path / f"arm{suffix}"
    with pytest.raises(ModelError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: cannot read the file: No such file or directory"


NOBODY = 65534


@contextlib.contextmanager
def not_root():
    """Root may read everything: for a moment this process is somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "arm.toml"
    path.touch(mode=0o000)
    with not_root(), pytest.raises(ModelError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: cannot read the file: Permission denied"


def test_a_path_through_a_file(tmp_path):
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "arm.toml"
    with pytest.raises(ModelError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: cannot read the file: Not a directory"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of Linux")
def test_a_file_without_end():
    with pytest.raises(ModelError) as caught:
        read_text(Path("/dev/zero"))
    assert str(caught.value) == "/dev/zero: the file does not end; arm descriptions are read up to 17 MB"


def test_text_that_was_never_a_file():
    with pytest.raises(ModelError) as caught:
        parse_urdf('<robot name="\ud800"/>')
    assert str(caught.value) == "<text>: the text holds a lone surrogate; save the file as UTF-8"
    with pytest.raises(ModelError) as caught:
        parse_arm_file("mass = " + "9" * 5000)
    assert str(caught.value) == "<text>: a number has thousands of digits; this is no arm file"


@pytest.mark.parametrize("bad", [bad for bad in BAD_URDFS if "nonphysical" in bad.message], ids=str)
def test_published_data_may_be_accepted(bad: BadFile, tmp_path):
    assert read_urdf(bad.write(tmp_path), allow_nonphysical=True).n == 1


def test_a_byte_order_mark_is_no_error(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text('\ufeffname = "arm"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\n', encoding="utf-8")
    assert read(path).n == 1


@pytest.mark.parametrize(("name", "parse"), [("puma560.toml", parse_arm_file), ("ur5.urdf", parse_urdf)])
def test_what_is_left_of_a_file_is_an_arm_or_refused_in_words(name, parse):
    text = (Path(__file__).parents[2] / "src" / "torsor" / "model" / "library" / name).read_text()
    refused = 0
    for end in range(0, len(text), 97):
        with warnings.catch_warnings(), contextlib.suppress(ModelError):
            warnings.simplefilter("ignore", DescriptionWarning)
            refused += 1
            parse(text[:end])
            refused -= 1
    assert refused > 20
