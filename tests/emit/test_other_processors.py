"""Machine code and generated C on 64-bit ARM, run by QEMU, and C for the Cortex-M of controllers, compiled.

Nothing is installed here: `make sweep` sees to it, and what is missing is said.
"""

import numpy as np
import pytest
from cross_compiling import STRICT, done, run_on_arm64
from emit_oracle import SINCOS, angles, check, exact, states, tapes, ulps
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from outside_programs import require
from torsor.emit.c99 import to_c
from torsor.emit.precision import SINGLE

pytestmark = pytest.mark.slow
QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "pose")
ROBOTS = ("planar2", "scara", "ur5", "panda", "stanford")


@pytest.fixture(scope="module")
def on_arm64():
    require("aarch64-linux-gnu-gcc", "qemu-aarch64")


def same_in_all_ways(ways):
    for other in ways[1:]:
        for mine, one in zip(other, ways[0], strict=True):
            np.testing.assert_array_equal(mine, one)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("robot", ROBOTS)
def test_kernels(on_arm64, robot, quantity, tmp_path):
    """To 1e-12 of the largest element, in single precision to 1e-5; single calls, rows and NumPy's loop alike."""
    arm = torsor.load(robot)
    tape = arm.kernel(quantity).tape
    arrays = [np.random.default_rng(k).uniform(-3, 3, (11, a.size)) for k, a in enumerate(tape.inputs)]
    ways = run_on_arm64(tape, arrays, tmp_path)
    same_in_all_ways(ways)
    right = getattr(arm.reference, quantity)(*arrays)
    assert np.abs(ways[0][0] - right).max() <= 1e-12 * np.abs(right).max()
    ways = run_on_arm64(tape, arrays, tmp_path, SINGLE)
    same_in_all_ways(ways)
    right = getattr(arm.reference, quantity)(*[a.astype(np.float32).astype(float) for a in arrays])
    assert np.abs(ways[0][0] - right).max() <= 1e-5 * np.abs(right).max()


@settings(max_examples=15, deadline=None)
@given(tapes(), st.integers(1, 7), st.integers(0, 99))
def test_random_tapes(on_arm64, tmp_path_factory, tape, rows, seed):
    arrays = states(tape, rows, seed)
    ways = run_on_arm64(tape, arrays, tmp_path_factory.mktemp("arm64"))
    same_in_all_ways(ways)
    check(tape, arrays, ways[1])


def test_blocks(on_arm64, tmp_path):
    tape = torsor.load("ur5").kernel("inverse_dynamics").tape
    arrays = [np.random.default_rng(k).uniform(-3, 3, (9, 6)) for k in range(3)]
    whole = run_on_arm64(tape, arrays, tmp_path)
    cut = run_on_arm64(tape, arrays, tmp_path, longest=10, block=100)
    same_in_all_ways([*whole, *cut])


def test_sines(on_arm64, tmp_path):
    x = np.concatenate([angles(), [1.00001e5, -3e7, 1e22, np.nan, np.inf, -np.inf]])
    ways = run_on_arm64(SINCOS, [x], tmp_path)
    same_in_all_ways(ways)
    s, c = ways[1]
    assert np.isnan(s[-3:]).all()
    assert np.isnan(c[-3:]).all()
    for k, angle in enumerate(x[:-3]):
        es, ec = exact(float(angle))
        assert ulps(c[k], ec) <= 1.0
        assert not angle or ulps(s[k], es) <= 1.0


def written(robot, quantity, folder, real, trig):
    tape = torsor.load(robot).kernel(quantity).tape
    return to_c(tape, name="tried", real=real, trig=trig).write(folder)[1]


@pytest.mark.parametrize("trig", ["math.h", "inline"])
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("robot", ROBOTS)
def test_c_on_arm64(on_arm64, robot, real, trig, tmp_path):
    """The self-test of the file says so itself."""
    for quantity in QUANTITIES:
        source = written(robot, quantity, tmp_path, real, trig)
        for level in ("-O0", "-O2"):
            command = ["aarch64-linux-gnu-gcc", *STRICT, level, "-static", "-DTORSOR_SELFTEST"]
            done([*command, source, "-o", tmp_path / "tried", "-lm"])
            assert done(["qemu-aarch64", tmp_path / "tried"]) == "torsor_tried: ok\n"


CORTEX = {
    "M4": ["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"],
    "M7": ["-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard"],
    "M0": ["-mcpu=cortex-m0", "-mfloat-abi=soft"],
}


@pytest.mark.parametrize("trig", ["math.h", "inline"])
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("core", CORTEX)
def test_c_for_controllers(core, real, trig, tmp_path):
    """Compiled, and linked with newlib. In single precision nothing is computed in double, which a Cortex-M4 has no
    instructions for: neither does the compiler promote, nor is one of its routines for doubles called."""
    require("arm-none-eabi-gcc")
    for quantity in QUANTITIES:
        source = written("ur5", quantity, tmp_path, real, trig)
        promoted = ["-Wdouble-promotion"] if real == "float" else []
        command = ["arm-none-eabi-gcc", *STRICT, *promoted, "-O2", "-mthumb", *CORTEX[core]]
        done([*command, "-c", source, "-o", tmp_path / "tried.o"])
        called = done(["arm-none-eabi-nm", "--undefined-only", tmp_path / "tried.o"]).split()
        assert real == "double" or not any(name.startswith("__aeabi_d") for name in called)
        done([*command, "--specs=rdimon.specs", "-DTORSOR_SELFTEST", "-Wno-double-promotion", source,
              "-o", tmp_path / "tried.elf", "-lm"])  # fmt: skip
