"""What a header says is what ran: which formulation stands behind each quantity of each arm."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import cache

import pytest

import torsor
from torsor.arm import Arm
from torsor.measuring.chains import chain
from torsor.mechanics import articulated, composite, coriolis, kinematics, regressor
from torsor.mechanics import energy as energies
from torsor.mechanics.asking import Question
from torsor.mechanics.formulations import FORMULATIONS, formulations_of
from torsor.mechanics.quantities import QUANTITIES
from torsor.model.parts import Mimic

FORMULATED = [name for name, each in QUANTITIES.items() if "by" in each.knows]
OTHERS = [name for name in QUANTITIES if name not in FORMULATED]


@cache
def arm_of(which: str) -> Arm:
    if which.startswith("chain"):
        return Arm(chain(int(which.removeprefix("chain"))))
    if which == "mimic":
        model = chain(4)
        last = model.links[-1]
        follower = replace(last, joint=replace(last.joint, mimic=Mimic(model.links[0].joint.name, 0.5, 0.1)))
        return Arm(replace(model, links=(*model.links[:-1], follower)))
    return torsor.load(which)


ARMS = ["chain2", "chain6", "chain14", pytest.param("chain20", marks=pytest.mark.slow), "mimic", "fourbar", "asea-irb"]


@pytest.mark.parametrize("quantity", FORMULATED)
@pytest.mark.parametrize("which", ARMS)
def test_what_is_said_is_what_ran(which, quantity):
    """Asked for by the name that the equations give themselves, they are the same, instruction for instruction."""
    arm = arm_of(which)
    mine = torsor.derive(arm, quantity, effort="none")
    assert mine.by in formulations_of(quantity)
    same = torsor.derive(arm, quantity, by=mine.by, effort="none")
    assert mine.tape == same.tape
    if quantity == "forward_dynamics":
        others = [name for name in ("composite", "articulated") if name != mine.by]
        for name in others if arm.n <= 16 and which.startswith("chain") else ():
            other = torsor.derive(arm, quantity, by=name, effort="none")
            assert other.tape.code != mine.tape.code
            assert other.before.total >= mine.before.total
    assert f"formulation  {mine.by}\n" in mine.to_c().replace("\r", "")
    assert mine.sheet.formulation == mine.by


def test_a_long_chain_is_articulated():
    assert torsor.derive(arm_of("chain20"), "forward_dynamics", effort="none").by == "articulated"
    assert torsor.derive(arm_of("mimic"), "forward_dynamics", effort="none").by == "composite"


# The file of each label that others do not run through.
FILES = {
    "composite": composite,
    "articulated": articulated,
    "christoffel": coriolis,
    "body velocities": energies,
    "body wrenches": regressor,
    "kinematics": kinematics,
}


@pytest.mark.parametrize("quantity", OTHERS)
@pytest.mark.parametrize("which", ["chain2", "chain6", "mimic", "fourbar"])
def test_labels_of_what_has_no_choice(which, quantity):
    """By watching which pages run: those that the label names, and no other but kinematics, which all walk through."""
    ran = set()

    def watch(frame, event, _):
        if event == "call":
            ran.add((frame.f_code.co_filename, frame.f_code.co_name))

    asked = Question(arm_of(which)._trees, QUANTITIES[quantity])
    asked.trees.lean  # noqa: B018  found before, which is no part of the page
    sys.setprofile(watch)
    try:
        label = asked.traced().by
    finally:
        sys.setprofile(None)
    said = {each.removesuffix(" differentiated") for each in label.split(", ")}
    assert label not in FORMULATIONS or label == "newton-euler"
    files = {os.path.basename(name) for name, _ in ran}
    for name, module in FILES.items():
        if name in said:
            assert os.path.basename(module.__file__) in files, label
        elif name not in ("kinematics", "articulated", "composite"):
            assert os.path.basename(module.__file__) not in files, label
    wrenches = any(name.endswith("newton_euler.py") and of in ("joint_wrenches", "split_torques") for name, of in ran)
    differentiated = any(of == "jacobian" and "differentiate" in name for name, of in ran)
    if quantity.endswith("_derivatives"):  # both ways are traced, and the cheaper one is told
        assert wrenches or "newton-euler" not in said
        assert differentiated or "differentiated" not in label
    else:
        assert ("newton-euler" in said) == wrenches
        assert ("differentiated" in label) == differentiated
