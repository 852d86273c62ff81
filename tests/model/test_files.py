"""Files are written whole, in the place of what was there and with its rights, or not at all."""

import errno
import os
import resource
import stat
import subprocess
import sys

import pytest

from torsor.errors import TorsorError
from torsor.model import files
from torsor.model.files import is_special, one_call, read_text, ready, whole, write_text


def test_a_replaced_file_keeps_its_mode(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "new")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    for mode in (0o600, 0o755, 0o664):
        path.chmod(mode)
        write_text(path, "newer")
        assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("newer", mode)
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_symbolic_link_stays_one(tmp_path):
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link.txt", tmp_path / "far" / "real.txt"
    link.symlink_to(os.path.join("far", "real.txt"))
    for text in ("first", "second"):  # where it leads nowhere yet, and where it leads to a file
        write_text(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert os.listdir(tmp_path / "far") == ["real.txt"]


def test_a_hard_link_stays_one(tmp_path):
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("a longer text than the next")
    os.link(first, second)
    write_text(first, "short")
    assert second.read_text() == "short"
    assert first.samefile(second)
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]


def test_what_does_not_fit_into_a_hard_link_is_not_lost(tmp_path, monkeypatch):
    first = tmp_path / "a.txt"
    first.write_text("old")
    os.link(first, tmp_path / "b.txt")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.shutil, "copyfile", full)
    with pytest.raises(TorsorError, match=r"No space left on device; the result is in .*a\.txt\.new"):
        write_text(first, "new")
    assert (tmp_path / "a.txt.new").read_text() == "new"


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    for kind in (ValueError, KeyboardInterrupt):
        with pytest.raises(kind), whole(path) as stream:  # noqa: PT012
            stream.write(b"half")
            raise kind
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_names_of_any_length_and_bytes(tmp_path):
    for name in ("x" * 255, os.fsdecode(b"caf\xe9 \xff.txt")):
        write_text(tmp_path / name, f"about {name}")
        assert (tmp_path / name).exists()
    assert len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda folder: folder, "this is a folder; give the path of a file"),
        (lambda folder: folder / "no" / "a.csv", "cannot write here: No such file or directory"),
        (lambda folder: folder / "plain" / "a.csv", "cannot write here: Not a directory"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path, make, problem):
    (tmp_path / "plain").write_text("")
    path = make(tmp_path)
    with pytest.raises(TorsorError) as caught:
        ready({"--csv": path})
    assert str(caught.value) == f"{path}: {problem}"
    assert os.listdir(tmp_path) == ["plain"]


def test_a_file_that_is_protected_is_told_before_the_work(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(TorsorError, match="cannot write here: Permission denied"):
        ready({"--csv": path})


FULL = """
import sys
from torsor.model.files import ready, write_text
from torsor.errors import TorsorError
for work in (lambda: ready({"--csv": sys.argv[1]}), lambda: write_text(sys.argv[1], "x" * 100_000)):
    try:
        work()
    except TorsorError as error:
        print(error)
"""


def test_a_full_disk_is_told_before_the_work_and_leaves_nothing(tmp_path):
    """No file may grow beyond 50 kB here, as if there were no more room."""
    path = tmp_path / "a.csv"
    path.write_text("old")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))  # noqa: E731
    said = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], preexec_fn=limit, capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines() == [
        f"{path}: cannot write here: File too large",
        f"{path}: cannot write the file: File too large",
    ]
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_two_outputs_are_two_files(tmp_path):
    path, link = tmp_path / "a.csv", tmp_path / "b.csv"
    link.symlink_to(path)
    same = f"{path}: --report and --csv are the same file; give each a file of its own"
    for other in (path, tmp_path / "." / "a.csv", link):
        with pytest.raises(TorsorError) as caught:
            ready({"--report": other, "--csv": path})
        assert str(caught.value) == same
    path.write_text("")
    os.link(path, tmp_path / "c.csv")
    with pytest.raises(TorsorError, match="are the same file"):
        ready({"--report": tmp_path / "c.csv", "--csv": path})
    ready({"--report": "/dev/null", "--csv": "/dev/null", "-o": None})


def test_in_one_call_no_output_takes_the_place_of_an_input_or_of_another_output(tmp_path):
    arm, other, link = tmp_path / "arm.toml", tmp_path / "new.toml", tmp_path / "link.toml"
    arm.write_text("name")
    link.symlink_to(arm)
    with one_call():
        read_text(arm)
        for path in (arm, link):
            for write in (lambda: ready({"-o": path}), lambda: write_text(path, "new")):  # noqa: B023
                with pytest.raises(TorsorError, match="was read by this command and would be lost; write to another"):
                    write()
        write_text(other, "first")
        with pytest.raises(TorsorError, match="is another output of this command and would be lost"):
            write_text(other, "second")
    assert (arm.read_text(), other.read_text()) == ("name", "first")
    write_text(arm, "in a call of its own")
    assert arm.read_text() == "in a call of its own"


def test_nothing_is_made_in_dev():
    assert is_special("/dev/null")
    assert is_special("/dev/stdout")
    assert is_special("/dev/torsor.h")
    assert not is_special("/dev/shm/a.csv")
    with pytest.raises(TorsorError, match="No such file or directory"):
        write_text("/dev/torsor.h", "text")
    assert not os.path.exists("/dev/torsor.h")
