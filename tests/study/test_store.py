"""Results on disk: whatever happens, no wrong number, no finished chunk lost, a reason, and resume completes."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from studied import Squares, studies
from torsor.errors import StudyError
from torsor.study import Study, Uniform, opened
from torsor.study import store as stored
from torsor.study.store import ARRAYS, RECORDS, StudyStore

COUNT = 12


def squares(**changed):
    given = {"base": Squares(), "vary": {"x": np.arange(float(COUNT))}, "chunk": 3, "name": "squares"}
    return Study(**{**given, **changed})


def evaluated(monkeypatch):
    """Counts the chunks that are computed."""
    seen, usual = [], Study.evaluate
    monkeypatch.setattr(Study, "evaluate", lambda self, k: seen.append(k) or usual(self, k))
    return seen


def complete(result):
    np.testing.assert_array_equal(result["x"], np.arange(float(COUNT)))
    np.testing.assert_array_equal(result["y"], np.arange(float(COUNT)) ** 2)


def test_what_is_kept_is_what_came_out(tmp_path):
    study = studies()["check"]
    kept, plain = study.run(tmp_path / "kept"), study.run()
    for name in (*plain.inputs, *plain.values):
        np.testing.assert_array_equal(kept[name], plain[name])
    assert (kept.shape, kept.units, kept.about) == (plain.shape, plain.units, plain.about)
    xarray = pytest.importorskip("xarray")
    whole = kept.to_xarray()
    assert whole.torque.dims == ("payload", "sample")
    assert whole.identical(plain.to_xarray())
    flat = xarray.open_zarr(tmp_path / "kept" / ARRAYS, consolidated=False)
    np.testing.assert_array_equal(flat.torque.values, kept["torque"])


def test_signals_are_kept_too(tmp_path):
    base = replace(studies()["simulation"].base, signals=("q",), moments=5)
    study = Study(base, {"Kp": [20.0, 50.0]})
    found = study.run(tmp_path / "kept")
    assert found.folded("q").shape == (2, 5, 2)
    assert found.to_xarray().q.dims == ("Kp", "moment", "joint")


def test_only_what_is_missing_is_computed(tmp_path, monkeypatch):
    folder = tmp_path / "kept"
    squares().run(folder, workers=1)
    for k in (1, 2):
        (folder / RECORDS / f"{k:08d}.json").unlink()  # a power cut between the chunk and its record
    with pytest.raises(StudyError, match=r"2 of 4 chunks are missing \(chunk 1: not computed yet\); resume"):
        opened(folder)
    seen = evaluated(monkeypatch)
    complete(squares().run(folder, workers=1, resume=True))
    assert seen == [1, 2]
    seen.clear()
    complete(squares().run(folder, workers=1, resume=True))
    assert seen == []


@pytest.mark.parametrize("harm", ["flipped", "cut", "gone", "record", "record of another"])
def test_damage_is_found_told_and_mended(tmp_path, monkeypatch, harm):
    folder = tmp_path / "kept"
    squares().run(folder, workers=1)
    chunk, record = folder / ARRAYS / "y" / "c" / "2", folder / RECORDS / "00000002.json"
    raw = bytearray(chunk.read_bytes())
    if harm == "flipped":
        raw[len(raw) // 2] ^= 0x10
        chunk.write_bytes(raw)
    elif harm == "cut":
        chunk.write_bytes(raw[: len(raw) // 2])
    elif harm == "gone":
        chunk.unlink()
    elif harm == "record":
        record.write_text("{")
    else:
        shutil.copy(folder / RECORDS / "00000001.json", record)
    with pytest.raises(StudyError, match=r"chunk 2: (y|its record)"):
        opened(folder)
    seen = evaluated(monkeypatch)
    found = squares().run(folder, workers=1, resume=True)
    assert seen == [2]
    assert "chunk 2 is computed again" in found.notes[0]
    complete(found)


def every_file(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")


def harmed(path, harm, place):
    raw = bytearray(path.read_bytes())
    if harm == "flipped":
        raw[place % len(raw)] ^= 1 << place % 8
        path.write_bytes(raw)
    elif harm == "cut":
        path.write_bytes(raw[: place % len(raw)])
    else:
        path.unlink()


@pytest.mark.parametrize("harm", ["flipped", "cut", "gone"])
def test_whatever_file_is_damaged_nothing_wrong_is_told_and_no_other_chunk_is_lost(tmp_path, monkeypatch, harm):
    """All files of the folder, one after the other; what is told is right, or that it is not there."""
    squares().run(tmp_path / "whole", workers=1)
    seen = evaluated(monkeypatch)
    for count, path in enumerate(every_file(tmp_path / "whole")):
        folder = tmp_path / f"{count}"
        shutil.copytree(tmp_path / "whole", folder)
        own = folder / path.relative_to(tmp_path / "whole")
        harmed(own, harm, 7919 * (count + 1))
        try:
            complete(opened(folder))
            told = "resume is not needed"
        except StudyError as error:
            told = str(error)
        assert "resume" in told
        seen.clear()
        complete(squares().run(folder, workers=1, resume=True))
        assert len(seen) <= 1, f"{own.relative_to(folder)} took {len(seen)} chunks with it"
        complete(opened(folder))


def test_settings_that_are_lost_are_not_taken_for_those_of_another_study(tmp_path):
    squares().run(tmp_path / "kept", workers=1)
    (tmp_path / "kept" / stored.SETTINGS).unlink()
    with pytest.raises(StudyError, match="there are results here already"):
        squares().run(tmp_path / "kept", workers=1)
    with pytest.raises(StudyError, match="is lost, and what is here was computed with another study"):
        squares(seed=3).run(tmp_path / "kept", workers=1, resume=True)
    with pytest.raises(StudyError, match=r"study.json is damaged, or lost; resume makes it anew"):
        opened(tmp_path / "kept")
    found = squares(name="another name").run(tmp_path / "kept", workers=1, resume=True)
    assert found.notes == ("study.json did not hold what was written, and is made anew",)
    complete(found)


def test_a_damaged_name_of_an_arm_is_found(tmp_path):
    """What describes an array is as good as its numbers: names of arms and units stand in it."""
    folder = tmp_path / "kept"
    squares().run(folder, workers=1)
    path = folder / ARRAYS / "y" / "zarr.json"
    path.write_text(path.read_text().replace('"output"', '"outpvt"'))
    with pytest.raises(StudyError, match=r"results.zarr/y/zarr.json is not what was written; resume makes it anew"):
        opened(folder)
    found = squares().run(folder, workers=1, resume=True)
    assert found.notes == ("results.zarr/y/zarr.json did not hold what was written, and is made anew",)
    complete(opened(folder))


def test_what_is_complete_reaches_the_disk(tmp_path, monkeypatch):
    """Each file of a chunk, its record, and what describes the arrays, with the folders that name them."""
    asked, usual = set(), os.fsync
    monkeypatch.setattr(os, "fsync", lambda place: asked.add(os.readlink(f"/proc/self/fd/{place}")) or usual(place))
    folder = (tmp_path / "kept").resolve()
    squares().run(folder, workers=1)
    assert {str(path) for path in every_file(folder)} <= asked
    assert str(folder / RECORDS) in asked


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"vary": {"x": np.arange(COUNT) + 1.0}}, "the study changed since these results were begun"),
        ({"seed": 1}, "the study changed"),
        ({"chunk": 4}, "chunk = 3, or a new folder"),
        ({"base": Squares(arm="another")}, "the arm changed"),
    ],
)
def test_what_changed_is_refused(tmp_path, changed, said):
    squares().run(tmp_path / "kept", workers=1)
    with pytest.raises(StudyError, match=said):
        squares(**changed).run(tmp_path / "kept", resume=True)


def test_another_version_is_refused(tmp_path, monkeypatch):
    squares().run(tmp_path / "kept", workers=1)
    own = stored.code_version()
    monkeypatch.setattr(stored, "code_version", lambda: own | {"torsor": "9.9", "code": "other"})
    with pytest.raises(StudyError, match="the version of Torsor and Torsor's own code changed"):
        squares().run(tmp_path / "kept", resume=True)


def test_folders_that_are_not_for_it(tmp_path):
    squares().run(tmp_path / "kept", workers=1)
    with pytest.raises(StudyError, match="there are results here already; resume"):
        squares().run(tmp_path / "kept")
    (tmp_path / "file").touch()
    with pytest.raises(StudyError, match="this is a file"):
        squares().run(tmp_path / "file")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thing").touch()
    with pytest.raises(StudyError, match="holds something else"):
        squares().run(tmp_path / "other")
    with pytest.raises(StudyError, match="there are no results here"):
        opened(tmp_path / "nowhere")
    with (
        StudyStore.opened(squares(), tmp_path / "held", resume=False),
        pytest.raises(StudyError, match="somebody else"),
    ):
        squares().run(tmp_path / "held", resume=True)


def test_a_disk_that_fills_up(tmp_path, monkeypatch):
    """Told with what is safe; when there is room again the rest is computed."""
    usual, written = StudyStore.write, []

    def full(self, k, inputs, outcome):
        if len(written) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        usual(self, k, inputs, outcome)
        written.append(k)

    monkeypatch.setattr(StudyStore, "write", full)
    with pytest.raises(StudyError, match="No space left on device; 2 of 4 chunks are complete and kept"):
        squares().run(tmp_path / "kept", workers=1)
    monkeypatch.setattr(StudyStore, "write", usual)
    complete(squares().run(tmp_path / "kept", workers=1, resume=True))


KILLED = """
import sys, time
sys.path.insert(0, {tests!r})
from studied import Squares
from torsor.study import Study
from torsor.study.definition import Study as S
import numpy as np
usual = S.evaluate
S.evaluate = lambda self, k: (time.sleep(0.05), usual(self, k))[1]
Study(Squares(), {{"x": np.arange({count}.0)}}, chunk=3, name="squares").run({folder!r}, workers=1)
"""


@pytest.mark.parametrize("after", [1, 2])
def test_killed_at_any_moment(tmp_path, monkeypatch, after):
    """kill -9 after so many records, in the midst of what comes next: what was complete stays."""
    folder = tmp_path / "kept"
    text = KILLED.format(tests=str(Path(__file__).parents[1]), count=COUNT, folder=str(folder))
    process = subprocess.Popen([sys.executable, "-c", text])
    deadline = time.monotonic() + 120
    while len(list(folder.glob(f"{RECORDS}/*.json"))) < after and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = {path.stem for path in folder.glob(f"{RECORDS}/*.json")}
    assert len(done) >= after
    before = {name: (folder / RECORDS / f"{name}.json").stat().st_mtime_ns for name in done}
    seen = evaluated(monkeypatch)
    complete(squares().run(folder, workers=1, resume=True))
    assert sorted(seen) == sorted(set(range(4)) - {int(name) for name in done})
    assert before == {name: (folder / RECORDS / f"{name}.json").stat().st_mtime_ns for name in done}


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk is mounted")
@pytest.mark.parametrize("kilobytes", [16, 48, 96, 160])
def test_a_small_disk(tmp_path, kilobytes):
    """A real one, full wherever it happens to be: at the beginning, within a chunk, at a record."""
    disk, room = tmp_path / "disk", tmp_path / "room"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        study = squares(vary={"x": np.arange(40_000.0)}, chunk=4000)
        with pytest.raises(StudyError, match="No space left on device"):
            study.run(disk / "kept", workers=1)
        shutil.copytree(disk / "kept", room) if (disk / "kept").exists() else None
    finally:
        subprocess.run(["umount", disk], check=True)
    done = len(list(room.glob(f"{RECORDS}/*.json"))) if room.exists() else 0
    found = study.run(room, workers=1, resume=True)
    np.testing.assert_array_equal(found["y"], np.arange(40_000.0) ** 2)
    assert not found.notes, f"{done} chunks were complete, and are"


def test_failures_are_kept_by_their_runs(tmp_path):
    base = studies()["check"].base
    study = Study(base, {"payload": [1.0, -1.0]}, outputs=("torque",))
    found = study.run(tmp_path / "kept")
    assert list(found.failures) == [1]
    assert "payload is -1" in found.failures[1]
    assert found.summary().document()["failed"] == 1
    assert json.dumps(found.summary().document()["failures"])


def test_xarray_of_names(tmp_path):
    one = Uniform(0.0, 1.0)
    study = Study(Squares(), {"x": one}, samples=4)
    assert study.run(tmp_path / "kept").to_xarray().y.dims == ("sample",)
