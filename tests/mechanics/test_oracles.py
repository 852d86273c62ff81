"""Published numbers: the oracles of the five works, each to the tolerance it was computed with."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.model.mass import Mass

ORACLES = Path(__file__).parent.parent / "oracles"
IRB140 = json.loads((ORACLES / "irb140.json").read_text())
RL15 = json.loads((ORACLES / "rl15.json").read_text())
PUMA = json.loads((ORACLES / "puma560.json").read_text())
ASEA = json.loads((ORACLES / "asea-simasea.json").read_text())
BURDICK = PUMA["burdick_appendix_II_corrected"]
load = cache(torsor.load)  # so that each kernel is compiled once


def near(mine: np.ndarray, published: list, tolerance: float) -> None:
    np.testing.assert_allclose(mine, published, rtol=0.0, atol=tolerance)


def test_irb140_holding_torque():
    """Fedorov (5.18)."""
    arm, q = load("irb140"), IRB140["holding"]["q"]
    near(arm.gravity(q), IRB140["holding"]["u"], 1e-9)
    near(arm.inverse_dynamics(q, np.zeros(6), np.zeros(6)), IRB140["holding"]["u"], 1e-9)


def test_irb140_flange():
    arm = load("irb140")
    near(arm.pose(np.zeros(6))[:3, 3], IRB140["fk"]["q0_flange"], 1e-15)
    near(arm.pose(IRB140["holding"]["q"])[:3, 3], IRB140["fk"]["stretched_flange"], 1e-15)


@pytest.mark.parametrize("state", IRB140["states"], ids=["state1", "state2"])
def test_irb140_states(state):
    arm = load("irb140")
    near(arm.inverse_dynamics(state["q"], state["qd"], state["qdd"]), state["tau"], 1e-9)
    near(arm.gravity(state["q"]), state["g"], 1e-9)
    near(arm.mass_matrix(state["q"]), state["M"], 1e-10)
    near(arm.pose(state["q"]), state["T06"], 1e-14)


@pytest.mark.parametrize("state", RL15["states"], ids=["state1", "state2"])
def test_rl15_states(state):
    """f_e is the force of the robot on its surroundings, at p_e: the tool feels the opposite."""
    arm = load("rl15")
    q, qd, qdd = state["q"], state["qd"], state["qdd"]
    wrench = np.concatenate([-np.array(state["f_e"]), np.zeros(3)])
    near(arm.inverse_dynamics(q, qd, qdd), state["u_no_external"], 1e-6)
    near(arm.inverse_dynamics(q, qd, qdd, wrench=wrench), state["u"], 1e-6)
    near(arm.inverse_dynamics(q, qd, np.zeros(6), wrench=wrench), state["u_bias"], 1e-6)
    near(arm.gravity(q), state["g"], 1e-6)
    H = arm.mass_matrix(q)
    near(H, state["H"], 1e-8)
    assert np.linalg.eigvalsh(H)[0] == pytest.approx(state["eig_min"], rel=1e-9)
    assert np.linalg.cond(H) == pytest.approx(state["cond"], rel=1e-6)
    near(arm.pose(q, frame="link6"), state["T06"], 1e-14)


@pytest.mark.parametrize("pose", RL15["holding"])
def test_rl15_holding(pose):
    arm, expected = load("rl15"), RL15["holding"][pose]
    near(arm.gravity(expected["q"]), expected["g"], 1e-6)
    if "wrist" in expected:
        near(arm.pose(expected["q"], frame="link6")[:3, 3], expected["wrist"], 1e-14)


@pytest.mark.parametrize("target", RL15["ik"]["targets"])
def test_rl15_reaches_its_program_with_the_assumed_tool(target):
    """Poses in mm and degrees, R = Rz(A) Ry(B) Rx(C)."""
    expected = RL15["ik"]["targets"][target]
    T = load("rl15").pose(expected["q_rad"])
    near(T[:3, 3] * 1e3, expected["pose_mm_deg"][:3], 1e-9)
    c, b, a = np.deg2rad(expected["pose_mm_deg"][:2:-1])
    Rz = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    Ry = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    Rx = np.array([[1, 0, 0], [0, np.cos(c), -np.sin(c)], [0, np.sin(c), np.cos(c)]])
    near(T[:3, :3], Rz @ Ry @ Rx, 1e-12)


def test_rl15_variant_with_the_other_inertia_of_link_2():
    """The English text has Ixx2 = 1: a second oracle for the same arm."""
    model = load("rl15").model
    link = model.links[1]
    inertia = np.diag([1.0, 21.185, 21.75])
    links = (model.links[0], replace(link, mass=Mass(link.mass.mass, link.mass.com, inertia)), *model.links[2:])
    arm = torsor.Arm(replace(model, links=links))
    for state in RL15["states"]:
        wrench = np.concatenate([-np.array(state["f_e"]), np.zeros(3)])
        near(arm.inverse_dynamics(state["q"], state["qd"], state["qdd"], wrench=wrench), state["u_Ix2_1"], 1e-6)


@pytest.mark.parametrize(
    ("robot", "key", "pose"),
    [("puma560", "standard_DH_puma560", pose) for pose in PUMA["standard_DH_puma560"]]
    + [("puma560-akb", "modified_DH_akb", pose) for pose in PUMA["modified_DH_akb"]],
)
def test_puma560(robot, key, pose):
    """Links alone; the rotors belong to the drives."""
    arm, state = load(robot), PUMA[key][pose]
    q, qd, qdd = state["q"], state["qd"], state["qdd"]
    near(arm.inverse_dynamics(q, qd, qdd), state["tau_link"], 1e-9)
    near(arm.mass_matrix(q), state["M_link"], 1e-9)
    near(arm.gravity(q), state["g"], 1e-9)
    C = arm.coriolis_matrix(q, qd)
    near(C, state["C_christoffel"], 1e-9)
    near(C @ qd, state["Cqd"], 1e-9)


def test_burdick_mass_matrix_and_gravity():
    arm, q = load("puma560-burdick"), BURDICK["q"]
    near(arm.mass_matrix(q), BURDICK["M"], 1e-9)
    near(arm.gravity(q) / 9.81, BURDICK["dVdq_over_g"], 1e-9)
    printed = BURDICK["g_printed_convention(-dV/dq / g)"]
    near(-arm.gravity(q) / 9.81, [printed[f"g{i}"] for i in range(1, 7)], 1e-9)


def test_burdick_velocity_terms():
    """tau_i = ... + sum_j c_ijj qd_j^2 + sum_(j<k) b_ijk qd_j qd_k: Christoffel symbols, b twice for the two orders.

    C is linear in qd, so C(q, e_k) has the symbols with last index k.
    """
    arm, q = load("puma560-burdick"), BURDICK["q"]
    symbols = arm.coriolis_matrix(q, np.eye(6)).transpose(1, 2, 0)  # [i, j, k]
    names = [*BURDICK["c_nonzero"], *BURDICK["b_nonzero"]]
    index = {name: tuple(int(digit) - 1 for digit in name[1:]) for name in names}
    for name, published in BURDICK["c_nonzero"].items():
        assert symbols[index[name]] == pytest.approx(published, abs=1e-9), name
    for name, published in BURDICK["b_nonzero"].items():
        assert 2.0 * symbols[index[name]] == pytest.approx(published, abs=1e-9), name
    # the centripetal list is complete: all others vanish
    others = [symbols[i, j, j] for i in range(6) for j in range(6) if f"c{i + 1}{j + 1}{j + 1}" not in index]
    near(np.array(others), [0.0] * len(others), 1e-9)


def test_burdick_wrist_links_are_symmetric():
    """Section 6 writes I5 and I6 as diag(Ixx, Ixx, Izz): no other Iyy reproduces the corrected appendix."""
    numbers = BURDICK["params"]
    for name, letter in (("link5", "5"), ("link6", "6")):
        model = load("puma560-burdick").model
        inertia = model.links[model.link_index(name)].mass.inertia
        expected = [numbers[f"Ixx{letter}"], numbers[f"Ixx{letter}"], numbers[f"Izz{letter}"]]
        assert np.diag(inertia).tolist() == expected


@pytest.mark.parametrize("state", ASEA["random_dynamics"], ids=["state1", "state2"])
def test_asea_open_tree(state):
    """The eight torques of the tree at states that satisfy the loop."""
    tree = load("asea-irb").tree
    keys = ("q6", "theta78"), ("qd6", "thetad78"), ("qdd6", "thetadd78")
    q, qd, qdd = (np.array(state[six] + state[two]) for six, two in keys)
    near(tree.inverse_dynamics(q, qd, qdd), state["tau_tree8"], 1e-12)
    loop = load("asea-irb").model.loops[0]
    first = tree.pose(q, frame="link8") @ loop.first.placement
    second = tree.pose(q, frame="link3") @ loop.second.placement
    near(first[:3, 3], second[:3, 3], 1e-14)  # the hinge holds: same point, same axis
    near(first[:3, 2], second[:3, 2], 1e-14)
    # and so do the rates of the tree at the hinge
    J = tree.jacobian(q, frame="link8") - hinge_jacobian(tree, q, loop)
    near(J[:3] @ qd, np.zeros(3), 1e-12)


def hinge_jacobian(tree, q, loop):
    T = tree.pose(q, frame="link3")
    J = tree.jacobian(q, frame="link3")
    lever = T[:3, :3] @ loop.second.placement[:3, 3]
    linear = J[:3] + np.cross(J[3:].T, lever).T
    return np.concatenate([linear, J[3:]])


def test_asea_points():
    """Joints and tool of the published first point, as the vibration model's nodes have them."""
    tree, expected = load("asea-irb").tree, ASEA["fem_P1"]
    q, nodes = np.deg2rad(expected["theta_deg"]), expected["nodes"]
    for frame, node in (("tool", "14"), ("link2", "8"), ("link5", "11"), ("link7", "2"), ("link8", "7")):
        near(tree.pose(q, frame=frame)[:3, 3], nodes[node], 1e-12)
    centres = {"link2": "6", "link3": "9", "link4": "10", "link5": "12", "link6": "13", "link7": "3", "link8": "5"}
    for link, node in centres.items():
        com = tree.model.links[tree.model.link_index(link)].mass.com
        near((tree.pose(q, frame=link) @ [*com, 1.0])[:3], nodes[node], 1e-12)
