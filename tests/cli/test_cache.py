"""torsor cache: what is kept, where, and away with it."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.emit import disk


@pytest.fixture
def filled(own_cache):
    torsor.load("planar2").gravity(np.zeros(2))
    assert disk.size()[0] == 2  # the tape and its code
    return own_cache


def test_an_empty_cache(run, own_cache):
    ran = run("cache", width=300)
    assert (ran.code, ran.err) == (0, "")
    lines = [f"folder   {own_cache} (TORSOR_CACHE)", "entries  0", "size     0 MB of 256 MB"]
    assert ran.out.splitlines() == lines


def test_entries_are_counted_and_removed(run, filled):
    (filled / "notes.txt").write_text("not ours")
    assert "entries  2\n" in run("cache").out
    ran = run("cache", "--clear")
    assert ran.code == 0
    assert "removed  2\nentries  0\nsize     0 MB of" in ran.out
    assert [path.name for path in filled.iterdir()] == ["notes.txt"]
    assert "removed  0\n" in run("cache", "--clear").out


def test_json(run, filled):
    count, size = disk.size()
    found = json.loads(run("cache", "--json").out)
    assert found == {
        "folder": str(filled),
        "state": "ready",
        "entries": count,
        "bytes": size,
        "most_bytes": disk.MOST_BYTES,
    }
    found = json.loads(run("cache", "--clear", "--json").out)
    assert (found["entries"], found["bytes"], found["removed"]) == (0, 0, 2)


def test_no_folder_yet(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TORSOR_CACHE", str(tmp_path / "later"))
    for options in ((), ("--clear",)):
        ran = run("cache", *options)
        assert ran.code == 0
        assert "state    not there yet" in ran.out
    assert not (tmp_path / "later").exists()


def test_a_file_instead_of_a_folder(run, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TORSOR_CACHE", str(tmp_path / "file"))
    assert "state    not used: it is a file, or below one" in run("cache", width=200).out
    assert json.loads(run("cache", "--json").out)["state"] == "file"


def test_the_usual_folder(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TORSOR_CACHE", "")
    monkeypatch.setattr(disk, "folder", lambda: tmp_path)
    assert run("cache", width=300).out.splitlines()[0] == f"folder   {tmp_path}"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX permissions")
def test_a_refused_folder_says_so(run, filled):
    filled.chmod(0o777)
    ran = run("cache", width=200)
    assert "others may write to it" in ran.out
    assert json.loads(run("cache", "--json").out)["state"] == "refused"


def test_what_cannot_be_removed_is_named(run, filled, monkeypatch):
    def refused(path, missing_ok=False):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "unlink", refused)
    ran = run("cache", "--clear")
    assert ran.code == 2
    assert ran.err.startswith(str(filled))
    assert ran.err.endswith(": Permission denied\n")
