"""What is said of loops that cannot be: the exact words."""

# ruff: noqa: E501  (messages are kept whole)

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import torsor
from torsor.algebra import symbols
from torsor.arm import Arm
from torsor.errors import ModelError, Unsupported
from torsor.model.armfile import parse_arm_file

FOURBAR = (files("torsor.model") / "library" / "fourbar.toml").read_text()
ASEA = (files("torsor.model") / "library" / "asea-irb.toml").read_text()
SECOND = 'second = { link = "rocker", position = [0.40, 0, 0] }'
NEAR = 'near = { crank = "60 deg", coupler = "-30 deg", rocker = "100 deg" }'
DRIVEN = '["joint1", "joint2", "joint4", "joint5", "joint6", "joint7"]'

BAD_LOOPS = {
    "too many driven joints": (
        FOURBAR.replace('["crank"]', '["crank", "rocker"]'),
        "2 joints are driven, but the loops of 'fourbar' leave 1 free; for example driven = [\"crank\"]",
    ),
    "no driven joint": (
        FOURBAR.replace('["crank"]', "[]"),
        "0 joints are driven, but the loops of 'fourbar' leave 1 free; for example driven = [\"crank\"]",
    ),
    "joints outside of the loop are left out": (
        ASEA.replace(DRIVEN, '["joint2", "joint7"]'),
        '2 joints are driven, but the loops of \'asea-irb\' leave 6 free; for example driven = ["joint1", "joint2", "joint4", "joint5", "joint6", "joint7"]',
    ),
    "the right number, but the wrong ones": (
        ASEA.replace(DRIVEN, '["joint1", "joint2", "joint3", "joint5", "joint6", "joint7"]'),
        'the driven joints of \'asea-irb\' do not say where its other joints are; for example driven = ["joint1", "joint2", "joint3", "joint4", "joint5", "joint6"]',
    ),
    "too far apart": (
        FOURBAR.replace("position = [0.60, 0, 0] ", "position = [6.0, 0, 0] "),
        "'fourbar' cannot be assembled: loop 'rocker pin': it stays open by 4.9 m at least; check the lengths of its links and the frames of its ends",
    ),
    "ends beside each other": (
        FOURBAR.replace(SECOND, SECOND.replace("0.40, 0, 0]", "0.40, 0, 0.01]")),
        "'fourbar' cannot be assembled: loop 'rocker pin': it stays open by 0.01 m at least; check the lengths of its links and the frames of its ends",
    ),
    "axes that are not parallel": (
        FOURBAR.replace(SECOND, SECOND.replace(" }", ', rpy = ["5 deg", 0, 0] }')),
        "'fourbar' cannot be assembled: loop 'rocker pin': its ends stay turned by 5 deg at least; check the lengths of its links and the frames of its ends",
    ),
    "upside down": (
        FOURBAR.replace(SECOND, SECOND.replace(" }", ', rpy = ["180 deg", 0, 0] }')),
        "loop 'rocker pin' of 'fourbar' closes with its ends the wrong way round; turn one of its frames, so that both z axes point the same way",
    ),
}


@pytest.mark.parametrize("case", BAD_LOOPS)
def test_bad_loops(case):
    text, message = BAD_LOOPS[case]
    arm = Arm(parse_arm_file(text, "bad.toml"))
    with pytest.raises(ModelError) as raised:
        arm.gravity(np.zeros(arm.n))
    line = text.splitlines().index("[[loop]]") + 1
    assert str(raised.value) == f"bad.toml:{line}: {message}"
    assert raised.value.part is not None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            NEAR,
            "near = { crnk = 1 }",
            "near of loop 'rocker pin' speaks of joint 'crnk', which does not exist; did you mean 'crank'? known: crank, coupler, rocker",
        ),
        (
            'joint = "hinge"',
            'joint = "distance"',
            "loop 'rocker pin', a distance, has no length; give a distance its length in m, above zero, and other loops none",
        ),
        (
            'joint = "hinge"',
            'joint = "hinge"\nlength = 1',
            "loop 'rocker pin', a hinge, has the length 1; give a distance its length in m, above zero, and other loops none",
        ),
        (
            'joint = "hinge"',
            'joint = "distance"\nlength = -1',
            "loop 'rocker pin', a distance, has the length -1; give a distance its length in m, above zero, and other loops none",
        ),
    ],
)
def test_bad_loops_in_files(old, new, message):
    assert old in FOURBAR
    with pytest.raises(ModelError) as raised:
        parse_arm_file(FOURBAR.replace(old, new))
    assert str(raised.value).split(": ", 1)[1] == message


def test_arms_without_loops_have_no_closure():
    with pytest.raises(Unsupported, match="'planar2' has no loops"):
        _ = torsor.load("planar2").closure


def test_what_is_not_for_loops_says_so():
    arm = torsor.load("asea-irb")
    x = arm.closure.free_of(arm.closure.reference)
    with pytest.raises(
        Unsupported, match="'mrnea' is not for 'asea-irb': it does not know loops; it is computed by composite"
    ):
        arm.forward_dynamics(x, x, x, by="mrnea")
    with pytest.raises(Unsupported, match="coefficients is not derived of an arm with loops"):
        torsor.derive(arm, "coefficients")
    with pytest.raises(Unsupported, match="are closed with numbers for their lengths"):
        torsor.derive(arm, "inverse_dynamics", parameters="symbolic", lengths=True)
    with pytest.raises(Unsupported, match="has no joint 'joint9'; did you mean 'joint8'"):
        arm.closure.given(["joint9"])
    with pytest.raises(Unsupported, match="closed by Newton's method"):
        torsor.load("delta").closure.assembly_modes([0.3, 0.3, 0.3])
    with pytest.raises(Unsupported, match="which is not recorded as a graph"):
        torsor.load("delta").gravity(symbols("x", 3))
