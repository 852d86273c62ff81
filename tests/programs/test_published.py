"""The two published programs, as printed and as corrected: their commands against expectations written by hand."""

from __future__ import annotations

from math import cos, pi, radians, sin
from pathlib import Path

import numpy as np
import pytest

from published_programs import LOLA_POINTS, SIMASEA_POINTS
from torsor.motion.commands import Dwell, Gripper, Joints, Move, Pose, Start
from torsor.programs import read

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples" / "programs"

POINTS = SIMASEA_POINTS  # Behi 1989, appendix A.1: x y z [m], phi theta psi [deg]


def euler_zyz(phi, theta, psi):
    """(B.1) of the thesis, entry by entry."""
    (cp, sp), (ct, st), (cs, ss) = ((cos(radians(x)), sin(radians(x))) for x in (phi, theta, psi))
    return np.array(
        [
            [cp * ct * cs - sp * ss, -cp * ct * ss - sp * cs, cp * st],
            [sp * ct * cs + cp * ss, -sp * ct * ss + cp * cs, sp * st],
            [-st * cs, st * ss, ct],
        ]
    )


def zyx(a, b, c):
    """R = Rz(A) Ry(B) Rx(C), entry by entry."""
    (ca, sa), (cb, sb), (cc, sc) = ((cos(radians(x)), sin(radians(x))) for x in (a, b, c))
    return np.array(
        [
            [ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc],
            [sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc],
            [-sb, cb * sc, cb * cc],
        ]
    )


def assert_point(pose, name):
    x, y, z, *angles = POINTS[name]
    assert pose.name == name
    assert pose.position == (x, y, z)
    np.testing.assert_allclose(pose.rotation, euler_zyz(*angles), atol=4e-16)


@pytest.mark.parametrize("path", [HERE / "simasea_published.v2", EXAMPLES / "simasea.v2"])
def test_simasea(path):
    program = read(path)
    assert program.errors == program.warnings == ()
    start, to_p2, to_p6, opening, to_p7, pause, to_p8 = program.commands()
    assert isinstance(start, Start)
    assert_point(start.target, "P1")
    for move, kind, target, via in (
        (to_p2, "joint", "P2", ["P3", "P4"]),
        (to_p6, "joint", "P6", []),
        (to_p7, "line", "P7", []),
        (to_p8, "line", "P8", ["P9", "P10"]),
    ):
        assert isinstance(move, Move)
        assert move.kind == kind
        assert_point(move.target, target)
        assert len(move.via) == len(via)
        for pose, name in zip(move.via, via, strict=True):
            assert_point(pose, name)
        assert move.pace.share == 1.0
        assert move.pace.speed is None
        assert move.blend.kind == "stop"  # ERRATA: the arm stops between commands
    assert isinstance(opening, Gripper)
    assert not opening.closed
    assert opening.seconds == 1.0
    assert isinstance(pause, Dwell)
    assert pause.seconds == 1.5


def test_simasea_knows_its_lines():
    program = read(HERE / "simasea_published.v2")
    assert [(command.place.line, command.place.text) for command in program.commands()][1] == (
        16,
        "3. MOVE P2 VIA P3 P4",
    )
    assert [str(note).split(":", 1)[1] for note in program.diagnostics] == ["7:7: note: P5 is never used"]


# Kvrgic & Vidakovic 2020, figure 8: the number that follows each pose
STATUS = {name: 4 if name in ("s0", "s5") else 8 for name, numbers in LOLA_POINTS.items() if len(numbers) == 6}
# kind, via, target, mm/s, mm/s^2, orientation, blend, radius in mm
PATH = [
    ("circle", "s1", "s2", 760, 1000, "path", "speed", None),
    ("circle", "s3", "s4", 350, 1000, "path-variable", "speed", None),
    ("line", None, "s5", 460, 1000, "variable", "speed", None),
    ("circle", "s6", "s7", 300, 800, "variable", "speed", None),
    ("line", None, "s8_a", 227.7, 900, "variable", "zone", 150),
    ("line", None, "s9", 225, 900, "variable", "speed", None),
    ("circle", "s10", "s11", 695, 1200, "variable", "speed", None),
    ("line", None, "s12", 620, 1200, "variable", "speed", None),
    ("circle", "s13", "s0", 570, 1000, "variable", "stop", None),
]


def assert_target(pose, name, corrected):
    position, angles = LOLA_POINTS[name][:3], LOLA_POINTS[name][3:]
    if not corrected:
        position = {"s6": (1317.2706, -249.063, 873.1763), "s9": (1276.7658, 149.4378, 890.2428 - 610)}.get(
            name, position
        )
    assert isinstance(pose, Pose)
    assert pose.name == name
    assert pose.position == tuple(x / 1000 for x in position)
    assert pose.status == STATUS.get(name)
    if not angles:
        assert pose.rotation is None
    else:
        np.testing.assert_allclose(pose.rotation, zyx(*angles), atol=4e-16)


@pytest.mark.parametrize(
    ("path", "corrected", "first_line"),
    [(HERE / "rl15_tour_published.irl", False, 26), (EXAMPLES / "rl15_tour.irl", True, 29)],
)
def test_lola(path, corrected, first_line):
    program = read(path)
    assert (program.name, program.language) == ("Lola15DD", "L-IRL")
    first, *moves, home, last = program.commands()
    assert (first.kind, first.pace.share, first.pace.acceleration_share) == ("joint", 0.6, 1.0)
    assert first.blend.kind == "joint"
    assert_target(first.target, "s0", corrected)
    assert len(moves) == len(PATH)
    for number, (move, expected) in enumerate(zip(moves, PATH, strict=True)):
        kind, via, target, speed, acceleration, orientation, blend, radius = expected
        assert (move.kind, move.orientation, move.blend.kind) == (kind, orientation, blend)
        assert (move.pace.speed, move.pace.acceleration) == (speed / 1000, acceleration / 1000)
        assert move.pace.share is None
        assert move.blend.radius == (None if radius is None else radius / 1000)
        assert_target(move.target, target, corrected)
        assert len(move.via) == (via is not None)
        if via is not None:
            assert_target(move.via[0], via, corrected)
        assert move.place.line == first_line + number
    assert (home.kind, home.target.q, home.pace.share) == ("joint", (0.0,) * 5, 1.0)
    assert isinstance(last.target, Joints)
    np.testing.assert_allclose(last.target.q, np.array([-115.70, 55.70, 68.70]) * pi / 180, rtol=2e-16)


def test_slips_of_the_print_are_warned_of():
    program = read(HERE / "rl15_tour_published.irl")
    assert program.errors == ()
    cut_off = "add it, or is the file cut off?"
    assert [(w.place.line, w.place.column, w.problem, w.hint) for w in program.warnings] == [
        (1, 9, "program is never closed by endprogram", cut_off),
        (10, 43, "the z of s6 is a known slip of the print", "873.6763 lies on the path"),
        (13, 43, "the z of s9 is a known slip of the print", "890.2428 lies on the path"),
        (22, 1, "seq is never closed by endseq", cut_off),
        (26, 1, "a '{' that is never closed", "it is read as if it were not there"),
        (
            36,
            1,
            "the printed listing ends with this move, the 12th of 13",
            "the last one was never printed; close the program with endseq and endprogram",
        ),
    ]


def test_corrected_examples_are_clean():
    for path in sorted(EXAMPLES.iterdir()):
        assert read(path).diagnostics == (), path
