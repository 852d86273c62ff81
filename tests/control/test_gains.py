"""What is wrong with gains, references and limits is said by name, with what would be right."""

import re
from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor import control
from torsor.control import reference
from torsor.control.uncertainty import Performance, Uncertainty
from torsor.errors import ShapeError, Unsupported
from torsor.model.parts import Limits


@pytest.fixture(scope="module")
def arm():
    return torsor.load("planar2")


def says(message):
    return pytest.raises((ShapeError, Unsupported), match=re.escape(message) + "$")


Z = [0.0, 0.0]


def sliding_without_limits():
    model = torsor.load("stanford").model
    joint = replace(model.links[2].joint, limits=Limits())
    links = (*model.links[:2], replace(model.links[2], joint=joint), *model.links[3:])
    return torsor.Arm(replace(model, links=links))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda a: control.pd_gravity(a, [50.0, -1.0], 20.0, Z),
            "Kp is not positive definite: its eigenvalues begin at -1; the proof of stability needs it",
        ),
        (
            lambda a: control.pd_gravity(a, 50.0, 0.0, Z),
            "Kd is not positive definite: its eigenvalues begin at 0; the proof of stability needs it",
        ),
        (
            lambda a: control.pd_gravity(a, [1.0, 2.0, 3.0], 20.0, Z),
            "Kp has shape (3,); give a number, 2 of them, or (2, 2)",
        ),
        (lambda a: control.pd_gravity(a, np.nan, 20.0, Z), "Kp is not finite: nan"),
        (lambda a: control.pd_gravity(a, "stiff", 20.0, Z), "Kp is not made of numbers: 'stiff'"),
        (
            lambda a: control.pd_gravity(a, [[1.0, 1.0], [0.0, 1.0]], 1.0, Z),
            "Kp is not symmetric; the proof of stability needs it",
        ),
        (lambda a: control.pd_gravity(a, 1.0, 1.0, [0.0] * 3), "reference is of 3 numbers; give 2"),
        (
            lambda a: control.pid(a, 1.0, -1.0, 1.0, Z),
            "Ki is not positive semidefinite: its eigenvalues begin at -1; the proof of stability needs it",
        ),
        (lambda a: control.pid(a, 1.0, 1.0, 1.0, Z, windup=0.0), "windup is 0.0; above zero"),
        (
            lambda a: control.passivity_based(a, [[2.0, 1.0], [1.0, 2.0]], [1.0, 5.0], Z),
            "Lambda @ K is not symmetric; make both diagonal, or one a number",
        ),
        (lambda a: control.sliding_mode(a, 1.0, 1.0, 1.0, [0.1, 0.0], Z), "boundary is [0.1, 0.0]; above zero"),
        (lambda a: control.sliding_mode(a, 1.0, 1.0, [-1.0, 1.0], 0.1, Z), "switching is [-1.0, 1.0]; zero or more"),
        (
            lambda a: control.slotine_li(a, 1.0, 1.0, 1.0, Z, initial=[1.0]),
            "initial has shape (1,); 'planar2' has 6 base parameters",
        ),
        (
            lambda a: control.lyapunov_redesign(a, 1.0, 1.0, 6.0, 0.1, Z),
            "6.0 is no Uncertainty; say control.Uncertainty(payload=(0, 6))",
        ),
        (
            lambda a: control.operational_space(a, 1.0, 1.0, [0.0] * 3),
            "'planar2' has 2 joints for a task of 3; leave the rotation free",
        ),
        (lambda a: control.saturated(control.pd_gravity(a, 1.0, 1.0, Z), -5.0), "limits is -5.0; above zero"),
        (lambda a: control.saturated(5.0, 5.0), "5.0 is no law; give a law of torsor.control"),
        (lambda a: control.feed_forward(a, Z) + 3.0, "3.0 is no law of 2 joints; add laws of torsor.control"),
        (
            lambda a: control.disturbance_observer(a, 3.0, 5.0),
            "3.0 is no law of 2 joints; give a law of torsor.control",
        ),
        (
            lambda a: control.pid(a, 1.0, 1.0, 1.0, Z)(0.0, Z, Z),
            "Pid has 2 states; call law(t, q, qd, x), from initial_state",
        ),
        (
            lambda a: control.feed_forward(a, Z).lyapunov(0.0, Z, Z),
            "FeedForward comes with no Lyapunov function; see its docstring",
        ),
        (
            lambda a: reference.quintic([[0.0], [1.0]]),
            "no durations, speed or acceleration; give durations=, or limits of speed and so on",
        ),
        (
            lambda a: reference.quintic([[0.0]], durations=1.0),
            "points have shape (1, 1); give two or more rows, one number a joint in each",
        ),
        (lambda a: reference.trapezoid([[0.0], [1.0]], speed=-1.0, acceleration=1.0), "speed is -1.0; above zero"),
        (
            lambda a: reference.table([0.0, 0.0], [[0.0], [1.0]]),
            "times have shape (2,); 2 that rise, one for each row of q",
        ),
        (lambda a: Uncertainty(payload=(6, 0)), "payload is (6, 0); give (least, most) in kg, zero or more"),
        (lambda a: Uncertainty(link_mass=1.5), "link_mass is 1.5; a share from 0 to below 1"),
        (lambda a: control.design(a, Uncertainty(), Performance(error=-0.1)), "error is -0.1; above zero"),
        (
            lambda a: control.design(a, Performance(error=0.1), Uncertainty()),
            "design takes an arm, an Uncertainty and a Performance; in this order",
        ),
        (
            lambda a: control.design(a, Uncertainty(), Performance(0.1, workspace=[[0, 1]])),
            "workspace has shape (1, 2); 2 rows of (least, most)",
        ),
        (
            lambda a: control.design(sliding_without_limits(), Uncertainty(), Performance(0.1)),
            "joint 'joint3' has no position limits; give workspace=",
        ),
    ],
)
def test_what_is_wrong_is_named(arm, make, message):
    with says(message):
        make(arm)


def test_gains_may_be_a_number_a_row_or_a_matrix(arm):
    for Kp in (7.0, [7.0, 7.0], [[7.0, 0.0], [0.0, 7.0]]):
        law = control.pd_gravity(arm, Kp, 1.0, Z)
        assert law.Kp.tolist() == [[7.0, 0.0], [0.0, 7.0]]


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(AttributeError, match=r"module 'torsor\.control' has no attribute 'lqr'"):
        control.lqr  # noqa: B018
