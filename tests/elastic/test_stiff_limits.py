"""What an elastic arm tends to: closed forms of a bent arm at rest, and the rigid arm as it gets stiffer."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.elastic.elastic_newton_euler import residual

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())


def l_arm(path, given, spring=""):
    """Link 1 along x, link 2 along y at 90 degrees of the elbow; a joint about y at the base."""
    E = 7e10
    I, J = given["EI_both"] / E, given["GJ"] / (E / 2.6)
    beam = f"""
[link.beam]
section = {{ area = 1e-3, Iy = {I!r}, Iz = {I!r}, J = {J!r} }}
up = [0, 0, 1]
material = {{ E = {E!r}, nu = 0.3, rho = 2700 }}
elements = 1
modes = 1
"""
    path.write_text(
        f'name = "l"\nframes = "placements"\n[[link]]\njoint = "revolute"\naxis = [0, 1, 0]\n{spring}{beam}'
        f'[[link]]\njoint = "revolute"\nposition = [{given["L1"]}, 0, 0]\n{beam}'
        f"[tool]\nposition = [{given['L2']}, 0, 0]\n"
    )
    return torsor.load(path).elastic


def test_an_l_shaped_arm_twists_and_bends(tmp_path):
    """P L2^3 / 3 E I + P L1^3 / 3 E I + P L2^2 L1 / G J, and P L1^2 / k of the joint at its root."""
    oracle = ORACLE["l_arm_static"]
    given = oracle["inputs"]
    arm = l_arm(tmp_path / "l.toml", given)
    q, load = [0.0, np.pi / 2], [0.0, 0.0, given["P"], 0.0, 0.0, 0.0]
    bent = arm.deflection(q, drives="locked", gravity=[0.0, 0.0, 0.0], wrench=load)
    assert bent.tool[2] == pytest.approx(oracle["tip_z"], rel=1e-9)
    P, L1, L2, EI, GJ = (given[name] for name in ("P", "L1", "L2", "EI_both", "GJ"))
    turned = [P * L2**2 / (2 * EI) + P * L2 * L1 / GJ, -P * L1**2 / (2 * EI), 0.0]
    np.testing.assert_allclose(bent.tool[3:], turned, atol=1e-9 * np.abs(turned).max())
    soft = oracle["with_joint_1_about_y_of_stiffness_k1"]
    arm = l_arm(tmp_path / "l.toml", given, f"compliance = {{ stiffness = {soft['k1']!r} }}\n")
    bent = arm.deflection(q, gravity=[0.0, 0.0, 0.0], wrench=load)
    assert bent.tool[2] == pytest.approx(soft["tip_z"], rel=1e-9)
    assert bent.springs["joint1.spring"] == pytest.approx(-P * L1 / soft["k1"], rel=1e-9)
    assert arm.compliance(q)[2, 2] * P == pytest.approx(soft["tip_z"], rel=1e-9)


def stiffer(model, times):
    def beam(given):
        return given and replace(given, material=replace(given.material, E=times * given.material.E))

    return torsor.Arm(replace(model, links=tuple(replace(link, beam=beam(link.beam)) for link in model.links)))


@pytest.mark.parametrize("name", ["ur5-elastic", "rl15-elastic"])
def test_torques_tend_to_those_of_the_rigid_arm(name):
    """With one over the stiffness: modes follow as they must where nothing swings, torques are those of the joints."""
    model = torsor.load(name).model
    rigid = torsor.Arm(model)
    q, qd, qdd = np.random.default_rng(4).uniform(-1.5, 1.5, (3, rigid.n))
    right = rigid.inverse_dynamics(q, qd, qdd)
    off = []
    for times in (1.0, 1e3, 1e6):
        tree = stiffer(model, times).elastic.moving
        modes = np.zeros(tree.size - tree.n)
        xd, xdd = np.concatenate([qd, modes]), np.concatenate([qdd, modes])
        for _ in range(20):  # bent so that what pulls back carries what moves
            asked = residual(tree, np.concatenate([q, modes]), xd, xdd, tree.tree.gravity)
            modes = np.linalg.solve(tree.K[tree.n :, tree.n :], -asked[tree.n :])
        off.append(np.abs(asked[: tree.n] - right).max() / np.abs(right).max())
    assert off[0] / off[1] == pytest.approx(1e3, rel=0.05)
    assert off[1] / off[2] == pytest.approx(1e3, rel=0.05)
    assert off[2] < 1e-8


def test_frequencies_grow_with_the_root_of_the_stiffness():
    model, q = torsor.load("ur5-elastic").model, [0.3, -0.9, 1.2, -0.4, 0.5, 0.2]
    soft, stiff = (stiffer(model, times).elastic.frequencies(q) for times in (1.0, 1e6))
    np.testing.assert_allclose(stiff, 1e3 * soft, rtol=1e-6)
