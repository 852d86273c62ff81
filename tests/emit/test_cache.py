"""The cache makes the next start quick and can never make it wrong."""

import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from emit_tracing import interpret, newton_euler

from torsor.emit import compile_kernel, disk, native

TAPE = newton_euler(2)
ARRAYS = [np.random.default_rng(i).uniform(-3, 3, (5, 2)) for i in range(3)]


def right(kernel):
    np.testing.assert_allclose(kernel(*ARRAYS), interpret(TAPE, *ARRAYS)[0], rtol=1e-13, atol=1e-13)


@pytest.fixture
def compilations(monkeypatch):
    """Counts how often LLVM is asked."""
    asked = []
    real = native.compiled
    monkeypatch.setattr(native, "compiled", lambda *asking: (asked.append(1), real(*asking))[1])
    return asked


def test_second_time_from_the_cache(own_cache, compilations):
    for _ in range(3):
        right(compile_kernel(TAPE))
    assert len(compilations) == 1
    count, size = disk.size()
    assert count == 1
    assert size > 1000
    assert disk.clear() == 1
    assert disk.size() == (0, 0)
    right(compile_kernel(TAPE))
    assert len(compilations) == 2


def test_different_tapes_have_different_entries(own_cache):
    for joints in (1, 2, 3):
        compile_kernel(newton_euler(joints))
    compile_kernel(newton_euler(2, seed=5))  # other numbers, same structure
    assert disk.size()[0] == 4


def test_keys_do_not_run_together():
    assert disk.key_of(b"ab", b"c") != disk.key_of(b"a", b"bc")


@pytest.mark.parametrize("damage", ["empty", "cut", "bit", "text", "foreign"])
def test_damaged_entries_are_compiled_again(own_cache, compilations, damage):
    compile_kernel(TAPE)
    (entry,) = own_cache.glob("*" + disk.SUFFIX)
    content = bytearray(entry.read_bytes())
    if damage == "bit":
        content[len(content) // 2] ^= 1
    entry.write_bytes(
        {
            "empty": b"",
            "cut": bytes(content[:-9]),
            "bit": bytes(content),
            "text": b"hello",
            "foreign": disk.MAGIC + disk._digest(entry.stem, b"no code") + b"no code",
        }[damage]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right(compile_kernel(TAPE))
    assert len(compilations) == 2
    right(compile_kernel(TAPE))
    assert len(compilations) == 2


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_others_may_write_to_is_refused(own_cache, compilations, monkeypatch, mode):
    monkeypatch.setattr(disk, "_said", set())
    compile_kernel(TAPE)
    own_cache.chmod(mode)
    with pytest.warns(disk.CacheRefused, match="others may write"):
        right(compile_kernel(TAPE))
    right(compile_kernel(TAPE))  # warned once; a second warning would be an error here
    assert len(compilations) == 3


def test_an_entry_others_may_write_to_is_refused(own_cache, compilations, monkeypatch):
    monkeypatch.setattr(disk, "_said", set())
    compile_kernel(TAPE)
    (entry,) = own_cache.glob("*" + disk.SUFFIX)
    entry.chmod(0o666)
    with pytest.warns(disk.CacheRefused):
        right(compile_kernel(TAPE))
    assert len(compilations) == 2


def test_a_folder_of_somebody_else_is_refused(own_cache, monkeypatch):
    monkeypatch.setattr(disk, "_said", set())
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.warns(disk.CacheRefused, match="somebody else"):
        right(compile_kernel(TAPE))


def test_a_link_is_not_followed(own_cache, compilations, tmp_path):
    compile_kernel(TAPE)
    (entry,) = own_cache.glob("*" + disk.SUFFIX)
    entry.rename(tmp_path / "elsewhere")
    entry.symlink_to(tmp_path / "elsewhere")
    right(compile_kernel(TAPE))
    assert len(compilations) == 2


def test_a_full_disk_is_survived(own_cache, monkeypatch):
    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk.os, "replace", full)
    right(compile_kernel(TAPE))
    assert list(own_cache.iterdir()) == []


def test_entries_in_the_place_of_others_are_compiled_again(own_cache, compilations):
    """Each is whole, but not what it is called: numbers of one kernel must not come out of another."""
    other = newton_euler(2, seed=5)
    for tape in (TAPE, other):
        compile_kernel(tape)
    one, two = own_cache.glob("*" + disk.SUFFIX)
    aside = own_cache / "aside"
    one.rename(aside)
    two.rename(one)
    aside.rename(two)
    right(compile_kernel(TAPE))
    np.testing.assert_allclose(compile_kernel(other)(*ARRAYS), interpret(other, *ARRAYS)[0], rtol=1e-13, atol=1e-13)
    assert len(compilations) == 4


@pytest.mark.parametrize("below", ["", "cache"])
def test_a_file_where_the_folder_should_be_is_told(own_cache, tmp_path, monkeypatch, below):
    monkeypatch.setattr(disk, "_said", set())
    place = tmp_path / "file" / below
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TORSOR_CACHE", str(place))
    with pytest.warns(disk.CacheRefused, match="is not a folder.*set TORSOR_CACHE") as seen:
        right(compile_kernel(TAPE))
    assert [str(each.message).split(" is not")[0] for each in seen] == [str(place)]
    right(compile_kernel(TAPE))  # told once
    assert disk.state() == "file"
    assert disk.size() == (0, 0)
    assert disk.clear() == 0
    assert (tmp_path / "file").read_text() == "not a folder"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="homes are found otherwise there")
def test_a_user_without_a_home(own_cache, compilations, monkeypatch):
    """As services and containers have it: no HOME, and no line in the table of users."""
    import pwd

    def unknown(uid):
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.setattr(disk, "_said", set())
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("TORSOR_CACHE", "HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(own_cache))
    place = own_cache / f"torsor-cache-{os.getuid()}"
    with pytest.warns(disk.CacheRefused, match="no home folder, so kernels are kept in .*set TORSOR_CACHE") as seen:
        right(compile_kernel(TAPE))
    assert len(seen) == 1
    right(compile_kernel(TAPE))
    assert len(compilations) == 1
    assert disk.folder() == place
    assert place.stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_cache / "theirs"))
    assert disk.folder() == own_cache / "theirs" / "torsor"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("TMPDIR")
    with pytest.warns(disk.CacheRefused, match="kept in /tmp"):
        assert disk.folder() == Path(f"/tmp/torsor-cache-{os.getuid()}")


def test_the_oldest_entries_give_way(own_cache, monkeypatch):
    for k in range(6):
        disk.write(f"entry{k}", bytes(1000))
        os.utime(own_cache / f"entry{k}{disk.SUFFIX}", (k + 1, k + 1))
    monkeypatch.setattr(disk, "MOST_BYTES", 3500)
    disk.write("new", bytes(1000))
    assert sorted(p.stem for p in own_cache.glob("*" + disk.SUFFIX)) == ["entry4", "entry5", "new"]
    assert disk.read("new") == bytes(1000)
    assert disk.read("entry0") is None


def test_many_writes_look_at_the_folder_now_and_then(own_cache, monkeypatch):
    looked = []
    real = disk._entries
    monkeypatch.setattr(disk, "_entries", lambda place: (looked.append(1), real(place))[1])
    monkeypatch.setattr(disk, "MOST_BYTES", 64_000)
    for k in range(200):
        disk.write(f"entry{k}", bytes(480))
        assert sum(each.stat().st_size for each in own_cache.iterdir()) < 64_000 + 64_000 // 64 + 600
    assert 60 < len(looked) < 120


def test_places(monkeypatch, tmp_path):
    monkeypatch.setenv("TORSOR_CACHE", str(tmp_path))
    assert disk.folder() == tmp_path
    monkeypatch.delenv("TORSOR_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    import platformdirs

    assert disk.folder() == Path(platformdirs.user_cache_dir("torsor", appauthor=False))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert disk.folder() == Path.home() / ".cache" / "torsor"


def test_threads_and_processes_at_once(own_cache):
    found = []
    workers = [threading.Thread(target=lambda: found.append(compile_kernel(TAPE)(*ARRAYS))) for _ in range(6)]
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_cache import *\nright(compile_kernel(TAPE))"
    )
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert [p.wait() for p in processes] == [0, 0]
    assert len(found) == 6
    assert all(np.array_equal(f, found[0]) for f in found)
    assert disk.size()[0] == 1


def test_a_warm_start_does_not_import_llvm(own_cache):
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_cache import *\nright(compile_kernel(TAPE)); print('llvmlite' in sys.modules)"
    )
    said = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout for _ in range(2)]
    assert said[0].strip() == "True"
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        assert said[1].strip() == "False"
