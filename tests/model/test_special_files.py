"""What is no plain file is written to, never replaced: for root, in containers, replacing would succeed."""

import os
import stat
import threading

import pytest

from torsor.errors import TorsorError
from torsor.model.files import write_text


def test_a_pipe_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "verdict")
    reader.join(10)
    assert read == ["verdict"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.skipif(not os.access("/dev/null", os.W_OK), reason="there is no /dev/null here")
def test_a_device_stays_a_device(monkeypatch):
    def replaced(*_):
        raise AssertionError("a device was about to be replaced")

    monkeypatch.setattr(os, "replace", replaced)
    write_text("/dev/null", "verdict")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_told(monkeypatch):
    monkeypatch.setattr(os, "replace", lambda *_: None)
    with pytest.raises(TorsorError, match="/dev/full: cannot write the file: No space left"):
        write_text("/dev/full", "verdict")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
