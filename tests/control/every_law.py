"""Each law that there is, made from its declaration alone: a new one is tried without a word in the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor import Arm, control, load
from torsor.control.fields import REQUIRED, Situation, keys_of
from torsor.control.reference import quintic
from torsor.model.parts import BASE, Drive, Motor

# of each form of a gain one that goes for every law
EXAMPLES = {"rows": 20.0, "each": 0.5, "pair": (1.0, 2.0), "number": 0.1, "flag": True}


def arm_with_motors() -> Arm:
    """The scara, whose 4 joints are enough for the tool's position, with a motor at each."""
    model = load("scara").model
    eye, z = np.eye(model.n), np.array([0.0, 0.0, 1.0])
    drives = [Drive(f"motor{k}", 50.0 * eye[k], 0.0, 0.0, BASE, z, Motor()) for k in range(model.n)]
    return Arm(replace(model, drives=tuple(drives)))


def moving(n, speed=1.5, acceleration=3.0):
    rng = np.random.default_rng(3)
    return quintic(rng.uniform(-1.0, 1.0, size=(3, n)), speed=speed, acceleration=acceleration)


def touch(t, x, xd):
    return np.array([1.0, 0.0, 2.0]) - 3.0 * xd


def made(law, arm, *, rotation=None):
    """With a gain of its form for each field, following what it is there to follow."""
    q0 = np.linspace(0.2, 0.8, arm.n)
    follows = arm.pose(q0)[:3, 3] if law.follows() == "tool" else moving(arm.n)
    now = Situation(arm, q0, follows, rotation, touch)
    given = {key: EXAMPLES[field.form] for key, field in keys_of(law.fields).items()}
    inner = control.pd_gravity(arm, 50.0, 20.0, moving(arm.n))
    values = {}
    for name, field in law.fields.items():
        if field.in_files:
            values[name] = field.said_by(name, given, now)
        elif field.default is REQUIRED:
            values[name] = inner
    return law(**values)
