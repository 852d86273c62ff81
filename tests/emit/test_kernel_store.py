"""Kernels are shared by content and freed with their last user; threads and forked processes do not disturb them."""

import ctypes
import errno
import gc
import pickle
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from emit_tracing import interpret, newton_euler

import torsor
from torsor.arm import Arm
from torsor.emit import arena, compile_kernel, image, kernel, native
from torsor.emit.kernel import NoMachineCode
from torsor.emit.recent import Shared
from torsor.errors import CompileError

needs_images = pytest.mark.skipif(not image.supported(), reason="code is loaded by LLVM here")
Q, QD, QDD = np.random.default_rng(0).uniform(-3, 3, (3, 1))


def tape(number: int):
    return newton_euler(1, seed=number)


def right(call, number: int) -> None:
    np.testing.assert_allclose(call(Q, QD, QDD), interpret(tape(number), Q, QD, QDD)[0], rtol=1e-13)


@pytest.fixture
def few(monkeypatch):
    """A store of two kernels, and none from before."""
    monkeypatch.setattr(kernel, "_KERNELS", Shared(2))
    gc.collect()
    return arena.in_use()


def push_out() -> None:
    """Put other things into the store instead of kernels."""
    for key in "ab":
        kernel._KERNELS.get(key, threading.Event)


def maps() -> list[str]:
    return Path("/proc/self/maps").read_text().splitlines()


def test_the_same_arm_again_costs_nothing():
    model = torsor.load("planar2").model
    q = np.array([0.1, 0.2])
    first = Arm(model)
    want = first.gravity(q)
    gc.collect()
    before = arena.in_use()
    for _ in range(200):
        arm = Arm(model)
        assert arm.kernel("gravity") is first.kernel("gravity")
        np.testing.assert_array_equal(arm.gravity(q), want)
    assert arena.in_use() == before
    other = Arm(replace(model, gravity=2.0 * model.gravity))
    assert other.kernel("gravity") is not first.kernel("gravity")
    assert other.gravity(q) == pytest.approx(2.0 * want)


@needs_images
def test_many_different_kernels_in_bounded_memory(few):
    """The small twin of benchmarks/kernel_memory.py."""
    held = compile_kernel(tape(0))
    right(held, 0)
    pages = arena.in_use() - few
    begun = len(maps())
    for k in range(1, 25):
        right(compile_kernel(tape(k)), k)
        assert arena.in_use() - few <= 4 * pages  # the one held, two in the store, and the new one
    assert len(maps()) <= begun + 4
    assert compile_kernel(tape(0)) is held
    right(held, 0)
    del held
    push_out()
    assert arena.in_use() == few


USERS = {
    "call": lambda k: k.call,
    "gufunc": lambda k: k.gufunc,
    "general": lambda k: k.general,
    "in front": lambda k: k.in_front_of(right),
}


@pytest.mark.parametrize("user", USERS.values(), ids=USERS)
def test_whoever_uses_code_keeps_it(few, user):
    call = user(compile_kernel(tape(0)))
    for k in range(1, 8):  # code of others goes where it would have been
        right(compile_kernel(tape(k)), k)
    right(call, 0)
    if image.supported():
        del call
        gc.collect()
        push_out()
        assert arena.in_use() == few


@needs_images
def test_garbage_in_circles_can_be_called_to_its_end(few):
    """A finalizer that runs while its arm is collected with it: the code is there yet."""
    said = []

    class Robot:
        def __init__(self):
            self.kernel, self.itself = compile_kernel(tape(0)), self
            self.call = self.kernel.in_front_of(self.answer)

        def answer(self, *arrays):
            raise AssertionError("not by machine code")

        def __del__(self):
            compile_kernel(tape(9))  # would take the place of what is free
            right(self.call, 0)
            said.append(1)

    for _ in range(3):
        Robot()
        gc.collect()
    assert said == [1, 1, 1]
    push_out()
    assert arena.in_use() == few


def test_an_address_keeps_its_code(few):
    address = compile_kernel(tape(0)).scalar_address
    for k in range(1, 8):
        right(compile_kernel(tape(k)), k)
    out = np.empty(1)
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
    right(lambda *given: (function(*(a.ctypes.data for a in (*given, out))), out)[1], 0)


@needs_images
def test_pages(monkeypatch):
    monkeypatch.setattr(arena, "_pieces", [])
    page = arena.mmap.PAGESIZE
    at, first = arena.place(b"\xc3" * (page + 1))
    assert arena.place(b"\xc3")[0] == at + 2 * page
    del first
    assert arena.in_use() == 0
    kept = [arena.place(b"\xc3" * page)[1] for _ in range(arena.PIECE)]
    assert len(arena._pieces) == 1
    begin = arena._pieces[0].address
    del kept[5], kept[4]
    again = arena.place(b"\xc3" * 2 * page)  # only now it is seen that nobody holds two neighbours
    assert again[0] == begin + 4 * page
    large = arena.place(bytes(page * (arena.PIECE + 1)))
    assert len(arena._pieces) == 2
    del large, kept[2:]
    assert arena.in_use() == 4 * page
    assert len(arena._pieces) == 1
    at = begin
    ends = [tuple(int(x, 16) for x in line.split()[0].split("-")) for line in maps()]
    (ours,) = [line for (low, high), line in zip(ends, maps(), strict=True) if low <= at < high]
    assert ours.split()[1] == "r-xp"  # never to be written and run at once


def test_threads_make_use_and_drop_kernels(few):
    wrong = []

    def work(seed):
        try:
            for k in np.random.default_rng(seed).integers(0, 6, 25):
                right(compile_kernel(tape(int(k))), int(k))
        except BaseException as error:
            wrong.append(error)

    for k in range(6):
        compile_kernel(tape(k))  # on disk from here on
    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
    assert arena.in_use() <= few + 3 * 4096 * 6


FORKING = """
import sys, threading, time
sys.path.insert(0, {here!r})
from test_kernel_store import *
from multiprocessing import get_context
from torsor.emit import recent
def child(k):
    for each in (k, 0, k + 1):  # its own, one of its parent's, one of both
        right(compile_kernel(tape(each)), each)
    right(mine.call, 0)
    return threading.active_count()
mine = compile_kernel(tape(0))
def hold():
    for lock in (arena.LOCK, recent._LOCK):
        with lock:
            held.set()
            time.sleep(0.3)
held = threading.Event()
threading.Thread(target=hold).start()
held.wait()
with get_context("fork").Pool(2) as pool:  # while another thread has the lock
    found = pool.map_async(child, range(1, 5)).get(timeout=60)
for k in range(8):
    right(compile_kernel(tape(k)), k)
right(mine.call, 0)
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_forked_processes_have_code_of_their_own():
    program = FORKING.format(here=str(Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "done\n", done.stderr


def test_a_kernel_can_be_sent_elsewhere():
    for backend in ("llvm", "python"):
        made = compile_kernel(tape(3), backend=backend)
        back = pickle.loads(pickle.dumps(made))
        assert back.backend == backend
        right(back, 3)


@needs_images
@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.EACCES, "this system does not let a process make memory executable"),
        (errno.ENOMEM, "no memory is left for code"),
    ],
)
def test_without_executable_memory_the_true_reason_is_said(own_cache, monkeypatch, number, reason):
    def refused(*_):
        ctypes.set_errno(number)
        return -1

    monkeypatch.setattr(arena, "_mprotect", lambda: refused)
    monkeypatch.setattr(kernel, "_warned", set())
    with pytest.warns(NoMachineCode, match=reason) as seen:
        made = compile_kernel(tape(0))
    assert "pip install" not in str(seen[0].message)
    right(made, 0)
    assert made.backend == "python"
    right(compile_kernel(tape(1)), 1)  # said once: a second warning would be an error here
    with pytest.raises(CompileError, match=reason):
        compile_kernel(tape(0), backend="llvm")
    monkeypatch.undo()
    assert compile_kernel(tape(0)).backend == "llvm"


def test_a_broken_llvm_is_told_apart_from_a_missing_one(own_cache, monkeypatch):
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    monkeypatch.setattr(kernel, "_warned", set())
    with pytest.warns(NoMachineCode, match=r"cannot be imported.*--force-reinstall"):
        right(compile_kernel(tape(0)), 0)


def test_numpy_of_tomorrow(own_cache, monkeypatch):
    monkeypatch.setattr(native.gufunc, "usable", lambda: False)
    monkeypatch.setattr(kernel, "_warned", set())
    with pytest.warns(NoMachineCode, match=r"NumPy .* is not known to work \(NumPy 1.23 to 2.x"):
        right(compile_kernel(tape(0)), 0)
