"""Generated C: compiled by gcc with every warning an error, run, and compared with plain interpretation."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from emit_oracle import SINCOS, angles, check, exact, states, tapes, ulps
from emit_tracing import interpret, newton_euler
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.c99 import comment, to_c
from torsor.errors import CompileError, Unsupported

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
COMPILERS = ["gcc"] + (["clang"] if shutil.which("clang") else [])  # gcc must be there
GOLDEN = Path(__file__).parent / "golden"


def built(files, folder, *flags, compiler="gcc"):
    folder.mkdir(exist_ok=True)
    _, source = files.write(folder)
    binary = folder / "built"
    command = [compiler, *STRICT, "-O1", *flags, str(source), "-o", str(binary), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return binary


def run_c(tape, files, folder, arrays, kind=np.float64):
    """The function in a shared library, row by row."""
    library = ctypes.CDLL(str(built(files, folder, "-shared", "-fPIC")))
    function = getattr(library, files.name)
    rows = len(arrays[0])
    given_ = [np.ascontiguousarray(a, dtype=kind) for a in arrays]
    outs = [np.zeros((rows, *a.shape), kind) for a in tape.outputs]
    for r in range(rows):
        function(*(ctypes.c_void_p(a.ctypes.data + r * a.strides[0]) for a in given_ + outs))
    return tuple(outs)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("trig", ["math.h", "inline"])
@pytest.mark.parametrize("real", ["double", "float"])
def test_selftest_passes(tmp_path, real, trig, compiler):
    files = to_c(newton_euler(4), real=real, trig=trig, robot="four", formulation="newton-euler", version="1")
    said = subprocess.run(
        [built(files, tmp_path, "-DTORSOR_SELFTEST", compiler=compiler)], capture_output=True, text=True
    )
    assert said.returncode == 0
    assert said.stdout == "torsor_inverse_dynamics_4r: ok\n"


def test_selftest_can_fail(tmp_path):
    files = to_c(newton_euler(2), name="two")
    _, source = files.write(tmp_path)
    source.write_text(files.source.replace("9.81", "9.80"))
    subprocess.run(["gcc", "-DTORSOR_SELFTEST", str(source), "-o", str(tmp_path / "t"), "-lm"], check=True)
    said = subprocess.run([tmp_path / "t"], capture_output=True, text=True)
    assert said.returncode == 1
    assert "expected" in said.stdout
    assert "wrong" in said.stdout


@settings(max_examples=25, deadline=None)
@given(tapes(), st.integers(0, 99), st.sampled_from(["math.h", "inline"]))
def test_random_tapes(tmp_path_factory, tape, seed, trig):
    arrays = states(tape, 4, seed)
    check(tape, arrays, run_c(tape, to_c(tape, trig=trig), tmp_path_factory.mktemp("c"), arrays))


def test_dynamics_in_both_precisions(tmp_path):
    tape = newton_euler(6)
    arrays = [np.random.default_rng(i).uniform(-3, 3, (20, 6)) for i in range(3)]
    (want,) = interpret(tape, *arrays)
    for trig in ("math.h", "inline"):
        (found,) = run_c(tape, to_c(tape, trig=trig), tmp_path / f"d{trig}", arrays)
        assert np.abs(found - want).max() < 1e-13 * np.abs(want).max()
        (found,) = run_c(tape, to_c(tape, real="float", trig=trig), tmp_path / f"f{trig}", arrays, np.float32)
        assert np.abs(found - want).max() < 1e-5 * np.abs(want).max()


def test_inline_sine_is_as_exact(tmp_path):
    x = angles()
    s, c = run_c(SINCOS, to_c(SINCOS, trig="inline"), tmp_path, [x])
    worst = max(max(ulps(s[k], exact(float(a))[0]), ulps(c[k], exact(float(a))[1])) for k, a in enumerate(x) if a)
    assert worst <= 1.0
    s, c = run_c(SINCOS, to_c(SINCOS, trig="inline"), tmp_path, [np.array([np.nan, np.inf, -np.inf, 2e5, 0.0])])
    assert np.isnan(s[:4]).all()
    assert np.isnan(c[:4]).all()
    assert s[4] == 0
    assert c[4] == 1


def test_inline_sine_in_single_precision(tmp_path):
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-7, 7, 2000), rng.uniform(-1e4, 1e4, 2000)]).astype(np.float32)
    s, c = run_c(SINCOS, to_c(SINCOS, real="float", trig="inline"), tmp_path, [x], np.float32)
    wide = x.astype(float)
    for found, want in ((s, np.sin(wide)), (c, np.cos(wide))):
        assert np.abs(found - want).max() < 1e-7
    small = np.abs(wide) < 7
    error = np.abs(s - np.sin(wide)) / np.spacing(np.abs(np.sin(wide)).astype(np.float32))
    assert error[small].max() < 1.5


def test_an_output_may_be_an_input(tmp_path):
    code = (
        Instruction("input", (), 0.0),
        Instruction("input", (), 1.0),
        Instruction("add", (0, 1)),
        Instruction("mul", (0, 1)),
    )
    tape = Tape("swap", (Array("x", (2,)),), (Array("y", (4,)),), code, (1, 0, 2, 3))
    library = ctypes.CDLL(str(built(to_c(tape), tmp_path, "-shared", "-fPIC")))
    x = np.array([3.0, 5.0, 0.0, 0.0])
    library.torsor_swap(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(x.ctypes.data))
    assert x.tolist() == [5.0, 3.0, 8.0, 15.0]


HOSTILE = [
    "*/ #error escaped /*",
    'x"; system("true"); //',
    "back\\slash\\",
    "new\nline\r#error escaped",
    "??/",
    "??/\n#error",
    "/* nested",
    "double",
    "t1",
    "",
    "été 机器人",
    "main",
    "a" * 500,
    "%s%n",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("standard", ["-std=c99", "-std=gnu99 -trigraphs"])
def test_hostile_names(tmp_path, text, standard):
    code = (Instruction("input", (), 0.0), Instruction("input", (), 1.0), Instruction("add", (0, 1)))
    tape = Tape(text, (Array(text, (1,)), Array(text + "0", ())), (Array("y", ()),), code, (2,))
    files = to_c(tape, robot=text, formulation=text, version=text, licence=text)
    (tmp_path / "d").mkdir()
    _, source = files.write(tmp_path / "d")
    command = [
        "gcc",
        *standard.split(),
        *STRICT[1:],
        "-DTORSOR_SELFTEST",
        str(source),
        "-o",
        str(tmp_path / "t"),
        "-lm",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert subprocess.run([tmp_path / "t"], capture_output=True).returncode == 0
    assert files.source.isascii()
    assert files.header.isascii()
    for c_text in (files.header, files.source):
        assert c_text.count("/*") == c_text.count("*/")
        assert "#error" not in c_text
        assert "\\\n" not in c_text
        assert "??" not in c_text
        assert "system(" not in c_text.replace("( ", "(").split("*/")[-1]


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_comment_text_is_harmless(text):
    safe = comment(text)
    assert safe.isascii()
    assert safe.isprintable()
    assert "*/" not in safe
    assert "/*" not in safe
    assert "\\" not in safe
    assert "??" not in safe
    assert "//" not in safe


def test_what_c_cannot_do():
    with pytest.raises(CompileError, match="did you mean 'double'"):
        to_c(newton_euler(1), real="doubel")
    empty = Tape("e", (Array("x", (0,)),), (Array("y", (0,)),), (), ())
    with pytest.raises(Unsupported, match="no elements"):
        to_c(empty)


def test_golden(tmp_path):
    """Regenerate with `python tests/emit/test_c99.py`."""
    files = golden_files()
    assert files.header == (GOLDEN / "two_link.h").read_text()
    assert files.source == (GOLDEN / "two_link.c").read_text()
    assert subprocess.run([built(files, tmp_path, "-DTORSOR_SELFTEST")]).returncode == 0


def golden_files():
    return to_c(newton_euler(2, name="two_link"), robot="two-link arm", formulation="newton-euler", version="0.0")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    made = golden_files()
    (GOLDEN / "two_link.h").write_text(made.header)
    (GOLDEN / "two_link.c").write_text(made.source)
