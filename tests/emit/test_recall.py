"""recall_kernel: what was traced once is not traced again, and never at the price of a wrong kernel."""

import marshal
import os
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from emit_tracing import interpret, newton_euler

import torsor
from torsor import Arm
from torsor.algebra.tape import Instruction
from torsor.emit import disk, kernel, recall_kernel

TAPE = newton_euler(2)
ARRAYS = [np.random.default_rng(i).uniform(-3, 3, (5, 2)) for i in range(3)]


class Tracing:
    """Makes tapes, and counts how often it is asked."""

    __module__ = "torsor.mechanics.newton_euler"  # only what modules of Torsor make is kept

    def __init__(self, tape=TAPE):
        self.tape = tape
        self.times = 0

    def __call__(self):
        self.times += 1
        return self.tape


@pytest.fixture
def tracing():
    return Tracing()


def right(found, tape=TAPE):
    arrays = [a[:, : tape.inputs[0].shape[0]] for a in ARRAYS]
    np.testing.assert_allclose(found(*arrays), interpret(tape, *arrays)[0], rtol=1e-13, atol=1e-13)


def stored_tape(facts):
    """Where the tape of these facts lies."""
    return disk.folder() / (disk.key_of(b"tape", facts) + disk.SUFFIX)


def test_the_second_time_nothing_is_traced(own_cache, tracing):
    first = recall_kernel(b"two", tracing)
    second = recall_kernel(b"two", tracing)
    assert tracing.times == 1
    right(first)
    right(second)
    assert second.tape == first.tape == TAPE
    assert disk.size()[0] == 2


def test_a_tape_comes_back_as_it_went(own_cache):
    """Scalars, matrices, parameters, numbers that text would round, and -0."""
    tape = replace(TAPE, parameters=("qd",))
    odd = (
        *tape.code,
        Instruction("const", (), -0.0),
        Instruction("const", (), 0.1 + 0.2),
        Instruction("const", (), 5e-324),
    )
    tape = replace(tape, code=odd)
    back = kernel._tape_of(kernel.tape_facts(tape))
    assert back == tape
    assert [str(i.value) for i in back.code] == [str(i.value) for i in tape.code]


def test_other_facts_are_another_kernel(own_cache):
    two, three = Tracing(TAPE), Tracing(newton_euler(2, seed=5))
    for _ in range(2):
        right(recall_kernel(b"two", two))
        right(recall_kernel(b"other masses", three), three.tape)
    assert (two.times, three.times) == (1, 1)


MALFORMED = {
    "nothing": b"",
    "no marshal": b"hello",
    "cut": kernel.tape_facts(TAPE)[:-40],
    "another value": marshal.dumps(7, 2),
    "too few parts": marshal.dumps(("name", [[], []], []), 2),
    "no arrays": marshal.dumps(("name", [[("q", None)], []], [], (), ()), 2),
    "no operation": marshal.dumps(("name", [[("q", (2,))], [("y", ())]], [("frobnicate", (), 0.0)], (0,), ()), 2),
    "reads what is not there": marshal.dumps(("n", [[("q", (2,))], [("y", ())]], [("neg", (3,), 0.0)], (0,), ()), 2),
    "a word for a number": marshal.dumps(("n", [[("q", (2,))], [("y", ())]], [("neg", ("x",), 0.0)], (0,), ()), 2),
    "too few results": marshal.dumps(("n", [[("q", (2,))], [("y", (2,))]], [("input", (), 0.0)], (0,), ()), 2),
    "results of another kind": marshal.dumps(("n", [[("q", (2,))], [("y", ())]], [("input", (), 0.0)], ("a",), ()), 2),
}


@pytest.mark.parametrize("payload", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_tape_is_a_miss(own_cache, tracing, payload):
    """Whole, by its checksum, and still no tape: traced again and put right, without a word."""
    disk.write(disk.key_of(b"tape", b"two"), payload)
    assert disk.read(disk.key_of(b"tape", b"two")) == payload
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right(recall_kernel(b"two", tracing))
        right(recall_kernel(b"two", tracing))
    assert tracing.times == 1


def test_a_damaged_tape_is_a_miss(own_cache, tracing):
    recall_kernel(b"two", tracing)
    entry = stored_tape(b"two")
    content = bytearray(entry.read_bytes())
    content[len(content) // 2] ^= 1
    entry.write_bytes(content)
    right(recall_kernel(b"two", tracing))
    assert tracing.times == 2


def test_a_refused_cache_costs_time_only(own_cache, tracing, monkeypatch):
    monkeypatch.setattr(disk, "_said", set())
    recall_kernel(b"two", tracing)
    own_cache.chmod(0o777)
    with pytest.warns(disk.CacheRefused):
        right(recall_kernel(b"two", tracing))
    assert tracing.times == 2


def test_an_unwritable_cache_costs_time_only(own_cache, tmp_path, tracing, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TORSOR_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(disk, "_said", {disk.PROBLEMS["file"].format(disk.folder())})
    for times in (1, 2):
        right(recall_kernel(b"two", tracing))
        assert tracing.times == times


def test_what_cannot_be_traced_is_not_remembered(own_cache, tracing):
    def failing():
        raise RuntimeError("no such page")

    with pytest.raises(RuntimeError, match="no such page"):
        recall_kernel(b"two", failing)
    assert disk.size() == (0, 0)
    right(recall_kernel(b"two", tracing))


def test_what_other_packages_trace_is_not_kept(own_cache, tracing, monkeypatch):
    """Their files are not known here, so an edit of them would go unnoticed."""
    monkeypatch.setattr(Tracing, "__module__", __name__)
    for times in (1, 2):
        right(recall_kernel(b"two", tracing))
        assert tracing.times == times


def test_an_arm_recalls_its_kernels(own_cache, monkeypatch):
    from torsor.mechanics.asking import Question

    traced = []
    real = Question.__call__
    monkeypatch.setattr(Question, "__call__", lambda self, *a: (traced.append(self.quantity.name), real(self, *a))[1])
    model = torsor.load("planar2").model
    q = np.array([0.3, -0.4])
    first = Arm(model).gravity(q)
    np.testing.assert_array_equal(Arm(model).gravity(q), first)
    assert traced == ["gravity"]
    assert Arm(replace(model, gravity=2.0 * model.gravity)).gravity(q) == pytest.approx(2.0 * first)
    Arm(model).gravity(q, gravity=[0, 0, -1])
    Arm(model).mass_matrix(q)
    assert traced == ["gravity", "gravity", "gravity", "mass_matrix"]


HEAVY = {"llvmlite", "torsor.algebra.passes", "torsor.algebra.node"}
ELSEWHERE = {"torsor.mechanics.formulations", "torsor.mechanics.closed_stance", "torsor.drives.pages"}


def test_a_warm_start_brings_neither_algebra_nor_llvm(own_cache):
    program = (
        "import sys, torsor\n"
        "arm = torsor.load('planar2'); arm.inverse_dynamics([0.1, 0.2], [0, 0], [0, 0])\n"
        f"print(*sorted({HEAVY | ELSEWHERE} & set(sys.modules)))"
    )
    said = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True) for _ in range(2)]
    assert set(said[0].stdout.split()) == HEAVY, said[0].stderr
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        assert said[1].stdout.split() == [], said[1].stderr
