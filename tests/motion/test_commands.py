"""Commands given what is none of theirs: an error that names the field and says what to give."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import numpy as np
import pytest

from torsor import load
from torsor.errors import ShapeError, TorsorError
from torsor.motion import (
    Blend,
    Command,
    Dwell,
    Follow,
    Gripper,
    Joints,
    Move,
    Pace,
    Payload,
    Place,
    Pose,
    Signal,
    Start,
    Tool,
    plan,
)

HERE = Place("tour", 1, 1)
POSE = Pose((0.4, 0.1, 0.5))
RIGHT = {
    Place: {"file": "tour", "line": 1, "column": 1, "text": ""},
    Joints: {"q": (0.0,) * 6, "name": "home", "relative": False},
    Pose: {
        "position": (0.4, 0.1, 0.5),
        "rotation": np.eye(3),
        "name": "",
        "branch": "up",
        "status": 3,
        "within": ((0, -1.0, 1.0),),
        "beside": 0.5,
    },
    Pace: dict.fromkeys(
        ("share", "acceleration_share", "speed", "acceleration", "turn", "duration", "axis_speed", "axis_acceleration"),
        0.5,
    ),
    Blend: {"kind": "zone", "radius": 0.01},
    Move: {
        "kind": "circle",
        "target": POSE,
        "place": HERE,
        "via": (POSE,),
        "pace": Pace(),
        "blend": Blend(),
        "orientation": "path",
    },
    Follow: {"times": (0.0, 1.0), "q": np.eye(2), "place": HERE, "qd": np.eye(2), "qdd": None, "smooth": False},
    Start: {"target": POSE, "place": HERE},
    Dwell: {"seconds": 1.0, "place": HERE},
    Gripper: {"closed": True, "place": HERE, "seconds": 0.5},
    Payload: {"mass": 1.0, "place": HERE, "com": (0.0, 0.0, 0.1), "inertia": np.eye(3), "frame": "tool"},
    Tool: {"T": np.eye(4), "place": HERE},
    Signal: {"text": "OUT 1", "place": HERE},
}
WRONG = (object(), "?", 1.5, True, POSE, (POSE, "?"), np.eye(2), ("a", "b", "c"), {}, [[1.0], [1.0, 2.0]])
FIELDS = [(kind, each.name) for kind in RIGHT for each in fields(kind)]


def test_all_commands_are_here():
    assert set(get_args(Command)) < set(RIGHT)
    for kind, right in RIGHT.items():
        assert set(right) == {each.name for each in fields(kind)}
        kind(**right)


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_a_field_of_another_type(kind, name):
    told = []
    for value in WRONG:
        try:
            kind(**RIGHT[kind] | {name: value})
        except ShapeError as error:
            told.append(str(error))
    assert all(each.startswith(f"{name} of {kind.__name__} is ") and "; give " in each for each in told)
    # a text, a number or a truth value may be what is wanted
    assert len(told) >= len(WRONG) - 2


def test_a_via_point_on_its_own():
    with pytest.raises(ShapeError) as caught:
        Move("circle", POSE, HERE, via=POSE)  # type: ignore[arg-type]
    assert str(caught.value) == ("via of Move is a Pose; give a tuple of targets, such as (Pose((0.4, 0.1, 0.5)),)")
    with pytest.raises(ShapeError, match='kind of Move is \'arc\'; give one of "joint", "line", "circle"'):
        Move("arc", POSE, HERE)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers():
    Move("joint", Joints(np.zeros(6)), HERE, via=[Joints([0, 1, 2])], pace=Pace(speed=np.float32(0.2)))  # type: ignore[arg-type]
    Pose(np.zeros(3), status=np.int64(4))  # type: ignore[arg-type]
    Dwell(np.float64(1.0), HERE)


@pytest.mark.parametrize("commands", [["x"], [None], "moves", None, [POSE], 7])
def test_what_is_no_command(commands):
    with pytest.raises(TorsorError, match=r"is no command; give Start, Move|commands are .*; give a list of them"):
        list(plan(load("puma560"), commands))
