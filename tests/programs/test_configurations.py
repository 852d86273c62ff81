"""RIGHTY, ABOVE, FLIP and their opposites choose branches of a PUMA 560; what is not said stays."""

import numpy as np
import pytest

import torsor
from torsor.motion import Timing, plan
from torsor.motion.paths.rotations import euler_zyz
from torsor.programs import parse

PLACES = {"a": [20, 50, -20, 20, 40, 10], "b": [30, 50, -30, 20, 40, 10], "c": [30, 45, -30, 20, 40, 10]}


@pytest.fixture(scope="module")
def puma():
    return torsor.load("puma560")


def branches(arm, words):
    """The branch after each of: a joint point, MOVE b, MOVES c, MOVE a; the words stand before the second."""
    points = []
    for name, degrees in PLACES.items():
        T = arm.pose(np.deg2rad(degrees))
        numbers = [*(1e3 * T[:3, 3]), *np.degrees(euler_zyz(T[:3, :3]))]
        points.append(f"POINT {name} " + " ".join(repr(float(x)) for x in numbers))
    start = " ".join(map(str, PLACES["a"]))
    text = ["POINT #s " + start, *points, "MOVE #s", *words, "MOVE b", "MOVES c", "MOVE a"]
    program = parse("\n".join([".PROGRAM main", *text, ".END"]), "VAL II")
    assert not program.diagnostics
    found = []
    for piece in plan(arm, list(program.commands()), strict=False, timing=Timing(acceleration=5.0)):
        q = piece.trajectory.at(np.array([piece.duration])).q[0]
        options = arm.inverse_kinematics(arm.pose(q))
        off = np.abs(np.angle(np.exp(1j * (options.q - q)))).max(axis=-1)
        found.append(options.names[int(off.argmin())])
    return found


def test_what_is_not_said_stays(puma):
    first, *rest = branches(puma, [])
    assert rest == [first] * 3


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["RIGHTY"], {"front"}),
        (["LEFTY"], {"back"}),
        (["BELOW"], {"down"}),
        (["ABOVE"], {"up"}),
        (["FLIP"], {"wrist -"}),
        (["LEFTY", "FLIP"], {"back", "wrist -"}),
        (["LEFTY", "RIGHTY"], {"front"}),
    ],
)
def test_only_what_is_said_changes(puma, words, wanted):
    opposite = {"front": "back", "up": "down", "wrist +": "wrist -"}
    opposite |= {b: a for a, b in opposite.items()}
    first, *rest = branches(puma, words)
    kept = {part for part in first.split(", ") if opposite[part] not in wanted}
    assert [set(name.split(", ")) for name in rest] == [kept | wanted] * 3


def test_righty_is_a_right_arm(puma):
    """Lee and Ziegler (1984): of a right arm, a growing joint 2 lifts the wrist while the others rest."""
    for q2 in (0.0, 0.01):
        assert "front" in {
            name.split(", ")[0] for name in puma.inverse_kinematics(puma.pose([0.3, q2, 0.2, 0, 1, 0])).names
        }
    low, high = (puma.pose([0.3, q2, 0.2, 0, 1, 0])[2, 3] for q2 in (0.0, 0.01))
    assert high > low
