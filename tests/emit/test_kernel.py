"""compile_kernel: what it gives, what it refuses, what it imports."""

import ctypes
import os
import subprocess
import sys

import numpy as np
import pytest
from emit_oracle import check, run_native, states, tapes
from emit_tracing import interpret, newton_euler
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.algebra import tape_from
from torsor.algebra.node import const
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit import compile_kernel, image, native
from torsor.emit.host import host_of, this_host
from torsor.errors import CompileError, Unsupported


@settings(max_examples=30, deadline=None)
@given(tapes(), st.integers(0, 99), st.sampled_from(["llvm", "python"]), st.integers(0, 10))
def test_random_tapes(tape, seed, backend, rows):
    kernel = compile_kernel(tape, backend=backend)
    arrays = states(tape, rows, seed)
    check(tape, arrays, kernel(*arrays))
    if rows:
        found = kernel(*(a[0] for a in arrays))
        found = found if isinstance(found, tuple) else (found,)
        check(tape, arrays, tuple(np.asarray(f)[None] for f in found), rows=[0])


def test_native_functions_can_be_called():
    tape = newton_euler(2)
    k = compile_kernel(tape, backend="llvm")
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 2))
    out = np.empty(2)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (q, qd, qdd, out)]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(k.scalar_address)(*pointers)
    np.testing.assert_array_equal(out, k(q, qd, qdd))


def test_text_of_a_kernel():
    k = compile_kernel(newton_euler(2), backend="llvm")
    assert "define hidden void @torsor_scalar" in k.ir
    assert "torsor_scalar" in k.assembly
    assert repr(k) == "<Kernel inverse_dynamics_2r (2),(2),(2)->(2) llvm>"
    python = compile_kernel(newton_euler(2), backend="python")
    assert "np.sin" in python.ir
    with pytest.raises(Unsupported):
        _ = python.assembly


def test_the_code_holds_no_addresses():
    """Two compilations give the same bytes, whatever the process: that is what the cache may keep."""
    tape = newton_euler(3)
    ir = native.ir_of(tape, this_host())
    assert "inttoptr" not in ir
    assert native.compiled(ir, this_host()) == native.compiled(ir, this_host())


def test_loading_through_llvm_instead(monkeypatch, own_cache):
    """As on systems where flat images do not apply."""
    monkeypatch.setattr(image, "supported", lambda: False)
    tape = newton_euler(3)
    arrays = [np.random.default_rng(i).normal(size=(9, 3)) for i in range(3)]
    for _ in range(2):  # compiled, then from the cache
        k = compile_kernel(tape, backend="llvm")
        np.testing.assert_allclose(k(*arrays), interpret(tape, *arrays)[0], rtol=1e-13, atol=1e-13)


def test_damaged_images_are_refused():
    code = native.compiled(native.ir_of(newton_euler(1), this_host()), this_host())
    if code.startswith(image.MAGIC):
        with pytest.raises(OSError, match="damaged"):
            image.load(code[:-1], bytes(1000))
    assert image.image_from(b"not an object file, whatever it is, of sixty bytes or a little more", ()) is None


def test_what_is_refused():
    with pytest.raises(CompileError, match="did you mean 'llvm'"):
        compile_kernel(newton_euler(1), backend="llmv")
    bad = Tape("bad", (Array("x", ()),), (Array("y", ()),), (Instruction("input"), Instruction("tan", (0,))), (1,))
    with pytest.raises(CompileError, match="tan"):
        compile_kernel(bad)
    deep = Tape("deep", (Array("x", (1, 1, 1, 1)),), (Array("y", ()),), (Instruction("input"),), (0,))
    with pytest.raises(Unsupported, match="4 dimensions"):
        compile_kernel(deep, backend="llvm")


def test_tapes_with_nothing_in_or_out():
    one = Tape("one", (), (Array("y", (2,)),), (Instruction("const", (), 3.0),), (0, 0))
    assert compile_kernel(one)().tolist() == [3.0, 3.0]
    empty = Tape("empty", (Array("x", (0,)),), (Array("y", (0,)),), (), ())
    assert compile_kernel(empty)(np.zeros((4, 0))).shape == (4, 0)


def test_outputs_that_are_inputs_or_numbers():
    code = (Instruction("input", (), 1.0), Instruction("const", (), 2.5))
    tape = Tape("copy", (Array("x", (3,)),), (Array("y", (2, 2)),), code, (0, 1, 1, 0))
    x = np.arange(30.0).reshape(10, 3)
    found = compile_kernel(tape)(x)
    np.testing.assert_array_equal(found[:, 0, 0], x[:, 1])
    np.testing.assert_array_equal(found[:, 0, 1], 2.5)


def test_long_tapes_are_cut_into_blocks():
    tape = newton_euler(20)
    options = {"longest": 800, "block": 300}
    assert "torsor_block_1_0" not in native.ir_of(tape, this_host())
    assert "torsor_block_1_4" in native.ir_of(tape, this_host(), **options)
    arrays = [np.random.default_rng(i).uniform(-3, 3, (11, 20)) for i in range(3)]
    (want,) = interpret(tape, *arrays)
    for use in ("rows", "scalar"):
        (found,) = run_native(tape, this_host(), arrays, use=use, **options)
        assert np.abs(found - want).max() < 1e-13 * np.abs(want).max()


def test_the_stack_of_long_tapes_is_bounded(monkeypatch):
    """Wide batches give way when the scratch buffer of a long tape would be large."""
    from torsor.emit import llvm

    tape = newton_euler(12)
    monkeypatch.setattr(llvm, "MOST_SCRATCH", 1500)
    ir = llvm.kernel_ir(tape, this_host(), longest=10, block=100)
    assert "torsor_block_1_0" in ir
    assert "torsor_block_8_0" not in ir


def test_widths_of_hosts():
    x86 = "x86_64-unknown-linux-gnu"
    assert host_of(x86, "", "", {"avx2", "fma", "avx512f", "avx512dq", "avx512vl"}).width == 8
    assert host_of(x86, "", "", {"avx2", "fma"}).width == 4
    assert not host_of(x86, "", "", {"sse2"}).fma
    assert host_of("arm64-apple-darwin", "", "", set()).fma


def test_importing_is_light():
    program = "import sys, torsor.emit; print('llvmlite' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ))
    assert said.stdout.strip() == "False", said.stderr


def test_in_front_of_another_function():
    """What the kernel does not take at once, another function may have."""
    k = compile_kernel(newton_euler(2), backend="llvm")
    seen = []

    def other(*arrays, **options):
        seen.append(options)
        return "other"

    call = k.in_front_of(other)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 2))
    np.testing.assert_array_equal(call(q, qd, qdd), k(q, qd, qdd))
    assert call(q.tolist(), qd, qdd) == "other"
    assert call(q, qd, qdd, gravity=3) == "other"
    assert seen == [{}, {"gravity": 3}]
    np.testing.assert_array_equal(k(q.tolist(), qd, qdd), k(q, qd, qdd))  # the kernel's own way is as before
    assert compile_kernel(newton_euler(2), backend="python").in_front_of(other) is other


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_what_takes_nothing(backend):
    tape = tape_from("constants", {}, {"y": np.array([const(1.0), const(2.0)], dtype=object)})
    np.testing.assert_array_equal(compile_kernel(tape, backend=backend).call(), [1.0, 2.0])
