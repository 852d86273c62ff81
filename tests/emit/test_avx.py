"""Batches by instructions of our own, beside the scalar kernel and beside LLVM's: the same numbers to the last bit."""

import ctypes
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from emit_oracle import run_native, states, tapes
from emit_tracing import newton_euler
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from torsor.algebra import symbols, tape_from
from torsor.emit import avx_groups, native
from torsor.emit.angle_sums import with_angle_sums
from torsor.emit.avx_graph import LOADS, STORES, graph_of
from torsor.emit.avx_order import in_order
from torsor.emit.host import this_host
from torsor.emit.instructions import count_instructions
from torsor.emit.machine_tape import machine_tape
from torsor.emit.precision import DOUBLE, SINGLE

HOST = replace(this_host(), width=4)  # where there is AVX-512 too, these are computed without it
pytestmark = pytest.mark.skipif(not HOST.has_avx2_alone, reason="for x86-64 with AVX2, on Linux")
ONE_INSTRUCTION = ("add", "sub", "mul", "mul", "neg", "abs", "sqrt", "div", "sin", "cos")
SHAPES = st.lists(st.sampled_from([(2,), (3,), (5,), (2, 3)]), min_size=1, max_size=3)


@pytest.fixture(autouse=True)
def _of_any_size(monkeypatch):
    """Tapes of tests are small, and write much for that."""
    monkeypatch.setattr(avx_groups, "FEWEST_A_RESULT", 0)


def assembly(tape, host=HOST, real=DOUBLE):
    return avx_groups.assembly(tape, machine_tape(with_angle_sums(tape), fuse=True), host, real)


@settings(max_examples=10, deadline=None)
@given(st.data(), st.integers(1, 13), st.integers(0, 99))
def test_random_tapes(data, rows, seed):
    """Long ones, whose values do not all fit into registers."""
    tape = data.draw(tapes(ops=ONE_INSTRUCTION, longest=150, shapes=data.draw(SHAPES)))
    if any(array.size < 2 for array in tape.outputs):
        assert assembly(tape) is None
        return
    assert "torsor_groups" in assembly(tape)
    arrays = states(tape, rows, seed)
    for one, many in zip(run_native(tape, HOST, arrays, use="scalar"), run_native(tape, HOST, arrays), strict=True):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("joints", [2, 7, 12])
def test_beside_llvm(joints, monkeypatch):
    tape = newton_euler(joints)
    assert assembly(tape)
    arrays = [np.random.default_rng(k).uniform(-3, 3, (21, joints)) for k in range(3)]
    (found,) = run_native(tape, HOST, arrays)
    monkeypatch.setattr(avx_groups, "assembly", lambda *_: None)
    (by_llvm,) = run_native(tape, HOST, arrays)
    np.testing.assert_array_equal(found, by_llvm)


def test_angles_for_the_scalar_kernel():
    """Wherever they stand in a batch: in the first group, in the last, one after the other; and what is no number."""
    code = native.load(native.compiled(native.ir_of(newton_euler(3), HOST), HOST))
    scalar = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(code.scalar)
    rows = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p, ctypes.c_int64] * 4)(code.rows)
    rng = np.random.default_rng(5)
    for odd in (1e6, -2e5, np.inf, np.nan, 99_999.0):
        for at in ([0], [3, 4], [0, 1, 2, 3, 4, 5, 6, 7], [5, 13], [22], []):
            arrays = [rng.uniform(-3, 3, (23, 3)) for _ in range(3)]
            arrays[0][at, at and at[0] % 3] = odd
            found, want = np.zeros((2, 23, 3))
            rows(23, *(v for a in (*arrays, found) for v in (a.ctypes.data, a.strides[0])))
            for k in range(23):
                scalar(*(a[k].ctypes.data for a in (*arrays, want)))
            assert want.any()
            np.testing.assert_array_equal(found, want)


def test_what_is_no_number_hides_no_large_angle():
    """In one row or in rows of one group, whichever comes first."""
    x = symbols("x", 3)
    tape = tape_from("sines", {"x": x}, {"s": np.sin(x), "c": np.cos(x)})
    assert assembly(tape)
    rows = [*permutations([np.nan, 3e5, 0.5]), *permutations([-3e5, np.nan, np.inf]), *permutations([1e5, -1e5, 0.25])]
    angles = np.array(rows)
    arrays = [np.concatenate([angles, angles[::-1], np.full((2, 3), 1.0)])]
    for one, many in zip(run_native(tape, HOST, arrays, use="scalar"), run_native(tape, HOST, arrays), strict=True):
        np.testing.assert_array_equal(one, many)
        assert np.isfinite(one).sum() == 2 * (12 + 6 + 18) + 6


def test_strides_and_outputs_that_are_inputs():
    tape = newton_euler(5)
    code = native.load(native.compiled(native.ir_of(tape, HOST), HOST))
    rows = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p, ctypes.c_int64] * 4)(code.rows)
    rng = np.random.default_rng(6)
    plain = [rng.uniform(-3, 3, (14, 5)) for _ in range(3)]
    (want,) = run_native(tape, HOST, plain, use="scalar")

    def called(*arrays):
        rows(14, *(v for a in arrays for v in (a.ctypes.data, a.strides[0])))

    padded = [np.zeros((14, 9 + k)) for k in range(4)]
    for own, given_ in zip(padded, plain, strict=False):
        own[:, 2:7] = given_
    called(*(a[:, 2:7] for a in padded))
    np.testing.assert_array_equal(padded[3][:, 2:7], want)
    assert not padded[3][:, :2].any()  # nothing beside the columns is written
    assert not padded[3][:, 7:].any()
    out = np.zeros((14, 5))
    called(*(a[::-1].copy()[::-1] for a in plain), out)  # backwards in memory
    np.testing.assert_array_equal(out, want)
    same = np.broadcast_to(plain[2][0], (14, 5))  # one row for all
    called(plain[0], plain[1], same, out)
    np.testing.assert_array_equal(out, run_native(tape, HOST, [*plain[:2], np.array(same)], use="scalar")[0])
    called(*plain, plain[0])
    np.testing.assert_array_equal(plain[0], want)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix"])
def test_order(quantity):
    """Each after what it needs; nothing is stored before all is loaded and nobody leaves."""
    tape = torsor.load("panda").kernel(quantity).tape
    graph = graph_of(tape, machine_tape(with_angle_sums(tape), fuse=True))
    order = in_order(graph)
    place = {k: at for at, k in enumerate(order)}
    assert len(place) == len(order)
    for k in order:
        assert all(place[a] < place[k] for a in graph.nodes[k].args if graph.nodes[a].op != "const")
    of = {
        kind: [place[k] for k in order if graph.nodes[k].op in kind] for kind in (LOADS, STORES, frozenset(["leave"]))
    }
    assert len(of[STORES]) == sum((a.size + 1) // 2 * 2 for a in tape.outputs)
    assert max(of[LOADS] + of[frozenset(["leave"])]) < min(of[STORES])


def test_what_is_left_to_llvm():
    x, y = symbols("x", 3), symbols("y", 2)
    known = tape_from("known", {"x": x}, {"z": x * x[0] - np.sin(x)})
    assert assembly(known)
    assert assembly(known, real=SINGLE) is None
    assert assembly(known, replace(HOST, width=8)) is None
    assert assembly(known, replace(HOST, fma=False)) is None
    assert assembly(known, replace(HOST, triple="x86_64-pc-windows-msvc")) is None
    assert assembly(known, replace(HOST, triple="aarch64-unknown-linux-gnu")) is None
    assert assembly(tape_from("other", {"x": x}, {"z": np.exp(x)})) is None
    assert assembly(tape_from("number", {"x": x}, {"z": x @ x})) is None
    assert assembly(tape_from("two", {"x": x, "y": y}, {"z": x * y[0], "w": y}))


def test_what_is_too_large_or_mostly_writes_is_left_to_llvm(monkeypatch):
    tape = newton_euler(3)
    assert assembly(tape)
    nodes = len(graph_of(tape, machine_tape(with_angle_sums(tape), fuse=True)).nodes)
    for name, limit in (("FEWEST_A_RESULT", nodes // 3 + 1), ("LARGEST", nodes - 1)):
        with monkeypatch.context() as patch:
            patch.setattr(avx_groups, name, limit)
            assert assembly(tape) is None


def test_more_arrays_than_registers_for_them(monkeypatch):
    """Derivatives: three arrays in, three out, each with a stride of its own, and angles for the scalar kernel."""
    tape = torsor.load("ur5").kernel("inverse_dynamics_derivatives").tape
    assert assembly(tape)
    code = native.load(native.compiled(native.ir_of(tape, HOST), HOST))
    rows = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p, ctypes.c_int64] * 6)(code.rows)
    rng = np.random.default_rng(8)
    plain = [rng.uniform(-3, 3, (23, 6)) for _ in range(3)]
    plain[0][[0, 9, 10], [1, 5, 0]] = 1e6, np.inf, -2e5
    want = run_native(tape, HOST, plain, use="scalar")
    padded = [np.full((23, size + 1 + k), np.nan) for k, size in enumerate((6, 6, 6, 36, 36, 36))]
    for own, given_ in zip(padded, plain, strict=False):
        own[:, 1:7] = given_
    rows(23, *(v for a in padded for v in (a[:, 1:].ctypes.data, a.strides[0])))
    for own, one in zip(padded[3:], want, strict=True):
        np.testing.assert_array_equal(own[:, 1:37], one.reshape(23, 36))
        assert np.isnan(own[:, 0]).all()
        assert np.isnan(own[:, 37:]).all()


def test_instructions_are_counted():
    kernel = torsor.load("ur5").kernel("inverse_dynamics")
    count = count_instructions(native.assembly(native.ir_of(kernel.tape, HOST), HOST), 4)
    if this_host() == HOST:
        assert kernel.instructions == count
    steps = machine_tape(with_angle_sums(kernel.tape), fuse=True).steps
    products = sum(getattr(step, "op", "") in ("mul", "fma", "fms", "fnma") for step in steps)
    angles = sum(len(step.args) for step in steps if hasattr(step, "sines"))
    assert products < count.multiplications <= products + 24 * angles  # so many has a sine with its cosine
    assert count.lanes == 4
    assert count.instructions < 700
