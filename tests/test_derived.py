"""C for controllers: parameters in a struct, constants computed once, several quantities in one header."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import numpy as np
import pytest

import torsor
from c_running import CLibrary, compiled, proves_itself
from outside_programs import require
from random_arms import random_state
from torsor.errors import Unsupported
from torsor.mechanics.quantities import QUANTITIES

load = cache(torsor.load)
SEVERAL = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "gravity", "pose", "jacobian"]
DOUBLE, FLOAT = 1e-12, 1e-4


@cache
def several(robot: str, parameters: str = "numeric", payload: bool = False):
    wanted = SEVERAL if parameters == "numeric" else SEVERAL[:4]
    return torsor.derive(load(robot), wanted, parameters=parameters, payload=payload, effort="normal")


def near(found, right, tolerance):
    found, right = np.asarray(found, dtype=float), np.asarray(right)
    axes = tuple(range(1, right.ndim))
    size = np.maximum(1.0, np.abs(right).max(axis=axes, keepdims=True))
    assert (np.abs(found - right) / size).max() < tolerance


@pytest.mark.parametrize(("real", "tolerance"), [("double", DOUBLE), ("float", FLOAT)])
@pytest.mark.parametrize("trig", ["math.h", "inline"])
def test_one_header_of_several_quantities(tmp_path, real, trig, tolerance):
    arm = load("ur5")
    equations = several("ur5")
    library = CLibrary(equations, tmp_path, real=real, trig=trig)
    states = [each.astype(library.kind) for each in random_state(arm.n, 1, (1000,))]
    for k, quantity in enumerate(SEVERAL):
        given = [state.astype(float) for state in states[: len(QUANTITIES[quantity].states)]]
        right = getattr(arm, quantity)(*given)
        if quantity == "forward_dynamics":  # what a rounded torque changes grows with the inverse of M
            M = arm.mass_matrix(given[0])
            back = np.einsum("kij,kj->ki", M, library(k, *given) - right)
            assert np.abs(back).max() < tolerance * max(1.0, np.abs(M).max()) * 10
        else:
            near(library(k, *given), right, tolerance)
    assert library.files.header.count("void torsor_lib_") == len(SEVERAL)
    proves_itself(library.files, tmp_path)


def test_parameters_are_a_struct_whose_constants_are_computed_once(tmp_path):
    arm = load("scara")
    equations = several("scara", "symbolic")
    library = CLibrary(equations, tmp_path)
    q, qd, qdd = random_state(arm.n, 2, (50,))
    near(library(0, q, qd, qdd), arm.inverse_dynamics(q, qd, qdd), DOUBLE)
    library.set(m2=9.5, rx1=-0.11, m3=2.5)
    near(library(0, q, qd, qdd), equations[0](q, qd, qdd, m2=9.5, rx1=-0.11, m3=2.5), DOUBLE)
    near(library(3, q), equations[3](q, m3=2.5), DOUBLE)
    header, source = library.files.header, library.files.source
    assert "double m2; " in re.sub(" +", " ", header)
    assert "/* kg, mass of link 2 */" in header
    assert "double K_inverse_dynamics[" in header
    body = source[source.index("void torsor_lib_inverse_dynamics(const torsor_lib_parameters *p, const") :]
    body = body[: body.index("\n}\n")]
    assert "p->m2" not in body
    assert "p->K_inverse_dynamics[0]" in body
    proves_itself(library.files, tmp_path)


def test_the_payload_is_a_parameter(tmp_path):
    arm = load("ur5")
    library = CLibrary(several("ur5", "numeric", True), tmp_path)
    states = random_state(arm.n, 3, (40,))
    near(library(0, *states), arm.inverse_dynamics(*states), DOUBLE)
    inertia = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.04]])
    held = arm.with_payload(3.0, [0.02, -0.05, 0.1], inertia)
    library.set(
        mp=3.0, rxp=0.02, ryp=-0.05, rzp=0.1, Ixxp=0.02, Iyyp=0.03, Izzp=0.04, Ixyp=0.001, Ixzp=-0.002, Iyzp=0.003
    )
    near(library(0, *states), held.inverse_dynamics(*states), DOUBLE)
    near(library(2, states[0]), held.mass_matrix(states[0]), DOUBLE)
    assert "payload      a parameter, tool axes" in library.files.header


@pytest.mark.parametrize("parameters", ["symbolic", "base"])
def test_payload_beside_other_symbols(parameters):
    arm = torsor.load("scara").with_payload(0.5, [0.0, 0.01, 0.02])
    states = random_state(arm.n, 4, (5,))
    found = torsor.derive(arm, parameters=parameters, payload=True, effort="normal")
    assert found.values["mp"] == 0.5
    near(found(*states), arm.inverse_dynamics(*states), 1e-11)
    held = arm.with_payload(2.0, [0.0, 0.01, 0.02])
    near(found(*states, mp=2.0), held.inverse_dynamics(*states), 1e-11)


def test_the_header_tells_the_arm():
    header = torsor.derive(torsor.load("rl15").with_payload(5.0, [0.0, 0.0, 0.1]), "gravity", effort="normal")
    text = header.c_files().header
    for line in (
        " * joints       q[0] joint1, turns, rad",
        " * gravity      (0, 0, -9.81) m/s^2, base axes",
        " * payload      5 kg at (0, 0, 0.1) m, tool axes",
        " * in   q  q, 6: rad",
        " * out  g  g, 6: N m",
    ):
        assert line in text, text
    assert " * tool         on link6 at (0.12, 0.12, 0.35) m" in text
    slides = torsor.derive(load("scara"), "gravity", effort="normal").c_files().header
    assert "rad, m of joints that slide" in slides


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_the_stack_is_bounded_as_printed(tmp_path, level):
    for robot, parameters in (("ur5", "numeric"), ("scara", "symbolic")):
        folder = tmp_path / robot
        folder.mkdir()
        files = several(robot, parameters).c_files("lib")
        _, source = files.write(folder)
        subprocess.run(["gcc", level, "-fstack-usage", "-c", source.name], cwd=folder, check=True)
        used = re.findall(r":torsor_lib_(\w+)\t(\d+)\t(\w+)", (folder / "torsor_lib.su").read_text())
        said = dict(re.findall(r"Stack: at most (\d+) bytes.*\n \*/\nvoid torsor_lib_(\w+)\(", files.header))
        bounds = {word: int(size) for size, word in said.items()}
        assert bounds
        checked = [
            word for word, size, kind in used if word in bounds and int(size) <= bounds[word] and kind == "static"
        ]
        assert sorted(checked) == sorted(bounds)


@pytest.mark.slow
def test_cppcheck_finds_nothing(tmp_path):
    require("cppcheck")
    for robot, parameters in (("ur5", "numeric"), ("scara", "symbolic")):
        folder = tmp_path / robot
        folder.mkdir()
        _, source = several(robot, parameters).c_files("lib").write(folder)
        options = [
            "--enable=warning,style,performance,portability",
            "--error-exitcode=1",
            "--inline-suppr",
            "--std=c99",
        ]
        done = subprocess.run(["cppcheck", "-q", *options, source], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_on_another_processor(tmp_path):
    require("aarch64-linux-gnu-gcc", "qemu-aarch64")
    files = several("scara", "symbolic").c_files("lib")
    made = compiled(files, tmp_path, "-O2", "-static", "-DTORSOR_SELFTEST", compiler="aarch64-linux-gnu-gcc")
    said = subprocess.run(["qemu-aarch64", made], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, "torsor_lib: ok\n")


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["cortex-m4", "cortex-m7"])
def test_for_controllers(tmp_path, processor):
    require("arm-none-eabi-gcc")
    unit = {"cortex-m4": "fpv4-sp-d16", "cortex-m7": "fpv5-d16"}[processor]
    files = several("scara", "symbolic").c_files("lib", real="float", trig="inline")
    flags = ["-c", "-O2", f"-mcpu={processor}", "-mthumb", "-mfloat-abi=hard", f"-mfpu={unit}", "-ffreestanding"]
    compiled(files, tmp_path, *flags, compiler="arm-none-eabi-gcc")


def test_several_in_python():
    arm = load("scara")
    space: dict[str, object] = {}
    exec(several("scara").to_python(), space)
    q, qd, qdd = random_state(arm.n, 0, (3,))
    near(space["scara_inverse_dynamics"](q, qd, qdd), arm.inverse_dynamics(q, qd, qdd), 1e-12)
    near(space["scara_gravity"](q), arm.gravity(q), 1e-12)


def test_what_does_not_go_together():
    with pytest.raises(Unsupported, match="gravity is given twice"):
        torsor.derive(load("planar2"), ["gravity", "gravity"], effort="none")
    with pytest.raises(Unsupported, match="equations of nothing are put together"):
        torsor.derive(load("planar2"), [])
    with pytest.raises(TypeError, match=r"derive\(\) has no option 'efort'; did you mean 'effort'"):
        torsor.derive(load("planar2"), efort="none")
