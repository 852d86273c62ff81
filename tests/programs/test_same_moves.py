"""The same ten moves in three languages: the same commands, and the same verdict on the same arm."""

from __future__ import annotations

import math

import numpy as np
import pytest

import torsor
from torsor.motion.commands import Move
from torsor.programs import parse
from torsor.programs.urscript.urscript_values import vector_of

NEAR = np.radians([0, -90, 90, -90, -90, 0])
DOWN = np.array([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
# mm; tool down; the second number of each pair is the zone
POINTS = [((-450, -130, 400), 0), ((-450, -230, 400), 10), ((-380, -230, 380), 10), ((-380, -150, 380), 0),
          ((-420, -150, 330), 5), ((-420, -200, 330), 20), ((-480, -200, 360), 0), ((-480, -100, 360), 10),
          ((-400, -100, 420), 10), ((-450, -130, 400), 0)]  # fmt: skip
SPEED = 150  # mm/s


def rapid():
    point = "[[{},{},{}],[0,0.7071067811865476,-0.7071067811865476,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"
    zone = "[FALSE,{0},{0},{0},1,{0},1]"
    lines = [
        f"MoveL {point.format(*p)}, [{SPEED},5000,5000,1000], {zone.format(z) if z else 'fine'}, tool0;"
        for p, z in POINTS
    ]
    return parse("MODULE m\nPROC main()\nConfL\\Off;\n" + "\n".join(lines) + "\nENDPROC\nENDMODULE", "RAPID")


def krl():
    lines = [
        f"$APO.CDIS={z}\nLIN {{X {x},Y {y},Z {h},A -90,B 0,C 180}}{' C_DIS' if z else ''}" for (x, y, h), z in POINTS
    ]
    text = f"DEF m( )\n$VEL.CP={SPEED / 1e3}\n$VEL.ORI1=5000\n" + "\n".join(lines) + "\nEND"
    return parse(text, "KRL", file="m.src")


def urscript():
    turned = ", ".join(repr(float(x)) for x in vector_of(DOWN))
    lines = [
        f"  movel(p[{x / 1e3}, {y / 1e3}, {h / 1e3}, {turned}], a=100000, v={SPEED / 1e3}, r={z / 1e3})"
        for (x, y, h), z in POINTS
    ]
    return parse("def m():\n" + "\n".join(lines) + "\nend", "URScript")


def moves(program):
    assert not program.errors, program.errors
    return [command for command in program.commands() if isinstance(command, Move)]


@pytest.mark.parametrize("other", [krl, urscript])
def test_the_same_commands(other):
    for a, b in zip(moves(rapid()), moves(other()), strict=True):
        assert a.target.position == pytest.approx(b.target.position, abs=1e-15)
        np.testing.assert_allclose(a.target.rotation, b.target.rotation, atol=1e-12)
        assert (a.kind, a.pace.speed, a.blend.kind) == (b.kind, b.pace.speed, b.blend.kind)
        assert a.blend.radius == pytest.approx(b.blend.radius, abs=1e-15)


@pytest.mark.slow
def test_the_same_verdict():
    arm = torsor.load("ur5e")
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = DOWN, np.array(POINTS[0][0]) / 1e3 + [0, 0, 0.05]
    start = arm.inverse_kinematics(T, nearest=NEAR)
    verdicts = [torsor.check(make(), arm, start=start, signals=False) for make in (rapid, krl, urscript)]
    first = verdicts[0]
    assert first.feasible, first.problems
    for other in verdicts[1:]:
        assert other.feasible
        assert other.time == pytest.approx(first.time, rel=1e-9)
        np.testing.assert_allclose(other.peak("torque"), first.peak("torque"), rtol=1e-9, atol=1e-12)
        assert other.energy == pytest.approx(first.energy, rel=1e-9)


def test_poses_of_a_ur_are_those_of_its_controller():
    """Against the Denavit-Hartenberg parameters that Universal Robots publishes for the UR5e."""
    rows = [(0, math.pi / 2, 0.1625), (-0.425, 0, 0), (-0.3922, 0, 0), (0, math.pi / 2, 0.1333),
            (0, -math.pi / 2, 0.0997), (0, 0, 0.0996)]  # fmt: skip
    q, T = np.array([0.3, -1.1, 1.2, -0.7, -1.4, 0.5]), np.eye(4)
    for (a, alpha, d), th in zip(rows, q, strict=True):
        c, s, ca, sa = math.cos(th), math.sin(th), math.cos(alpha), math.sin(alpha)
        T = T @ [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
    np.testing.assert_allclose(torsor.load("ur5e").reference.pose(q), T, atol=1e-9)  # the URDF is rounded
