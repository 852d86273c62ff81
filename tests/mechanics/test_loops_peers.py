"""Loops against MuJoCo's equality constraints and against a solution with Lagrange multipliers on Pinocchio's tree."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import torsor
from loop_arms import guided, welded
from random_loops import ORDERS, bars, sliders
from torsor.arm import Arm
from torsor.model.mjcf_writer import write_mjcf

pin = pytest.importorskip("pinocchio")
mujoco = pytest.importorskip("mujoco")

LIBRARY = ["asea-irb", "fourbar", "five-bar", "slider-crank", "parallelogram5", "delta"]
AGREE = 1e-8


def arms():
    yield from (pytest.param(torsor.load(name), id=name) for name in LIBRARY)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        yield pytest.param(Arm(bars(rng, 1 + seed % 2)), id=f"bars{seed}")
    for order in ORDERS:
        drawn = (Arm(sliders(np.random.default_rng(seed), order)) for seed in range(100))
        arm = next(arm for arm in drawn if far_from_singular(arm))
        yield pytest.param(arm, id=f"random {order}")
    yield pytest.param(guided(), id="slider cut")
    yield pytest.param(welded(foot=0.3), id="welded")


def far_from_singular(arm):
    return arm.closure.distance_to_singularity(arm.closure.free_of(arm.closure.reference)) > 0.5


ARMS = list(arms())


def state(arm, seed):
    rng = np.random.default_rng(seed)
    x = arm.closure.free_of(arm.closure.reference) + rng.uniform(-0.1, 0.1, arm.n)
    return x, rng.normal(size=arm.n), rng.normal(size=arm.n)


def multiplier_solution(M, h, J, drift):
    """[M J^T; J 0] (qdd, -lambda) = (-h, -drift), repeated equations and all."""
    m = len(J)
    K = np.block([[M, J.T], [J, np.zeros((m, m))]])
    return np.linalg.lstsq(K, np.r_[-h, -drift], rcond=1e-12)[0][: len(M)]


@pytest.mark.parametrize("arm", ARMS)
def test_lagrange_multipliers_on_pinocchios_tree(arm):
    from pinocchio_oracle import PinocchioArm

    tree = arm.tree.model
    peer = PinocchioArm(tree)
    x, xd, xdd = state(arm, 1)
    tau = arm.inverse_dynamics(x, xd, xdd)
    q, qd = arm.closure.positions(x), arm.closure.velocities(x, xd)
    n = tree.n
    h = peer.inverse_dynamics(q, qd, np.zeros(n))
    M = np.stack(
        [peer.inverse_dynamics(q, np.zeros(n), e) - peer.inverse_dynamics(q, np.zeros(n), 0 * e) for e in np.eye(n)], 1
    )
    rows, drift = [], []
    for loop in arm.model.loops:
        moves = [end_motion(peer, tree, frame, q, qd) for frame in (loop.first, loop.second)]
        (p1, R1, J1, a1, w1), (p2, R2, J2, a2, w2) = moves
        z1, z2 = R1[:, 2], R2[:, 2]
        if loop.kind == "distance":
            d, dd = p1 - p2, (J1 - J2)[:3] @ qd
            rows.append((d @ (J1 - J2)[:3])[None])
            drift.append([dd @ dd + d @ (a1 - a2)[:3]])
            continue
        if loop.kind in ("slider", "rigid"):  # both ends turn alike
            rows.append((J1 - J2)[3:])
            drift.append((a1 - a2)[3:])
        if loop.kind == "slider":  # n . (p1 - p2) = 0 for the two axes n across z2, and twice in time
            d, dd = p1 - p2, (J1 - J2)[:3] @ qd
            for axis in R2[:, :2].T:
                spin = np.cross(w2, axis)
                rows.append((axis @ (J1 - J2)[:3] + d @ np.cross(J2[3:].T, axis).T)[None])
                turned = np.cross(a2[3:], axis) + np.cross(w2, spin)
                drift.append([axis @ (a1 - a2)[:3] + 2 * spin @ dd + turned @ d])
            continue
        rows.append((J1 - J2)[:3])
        drift.append((a1 - a2)[:3])
        if loop.kind == "rigid":
            continue

        # z1 x z2 = 0 in time: (w1 x z1) x z2 + z1 x (w2 x z2), and once more
        def rate(J, z):
            return np.stack([np.cross(J[3:, k], z) for k in range(n)], 1)

        D1, D2 = rate(J1, z1), rate(J2, z2)
        rows.append(np.stack([np.cross(D1[:, k], z2) + np.cross(z1, D2[:, k]) for k in range(n)], 1))
        dz1, dz2 = np.cross(w1, z1), np.cross(w2, z2)
        ddz1 = np.cross(a1[3:], z1) + np.cross(w1, dz1)
        ddz2 = np.cross(a2[3:], z2) + np.cross(w2, dz2)
        drift.append(np.cross(ddz1, z2) + 2 * np.cross(dz1, dz2) + np.cross(z1, ddz2))
    motors = np.zeros(n)
    motors[[tree.joint_names.index(name) for name in arm.joint_names]] = tau
    if arm.name == "delta":  # its slides have no mass, which the multipliers do not mind
        assert np.linalg.matrix_rank(M) == n
    qdd = multiplier_solution(M, h - motors, np.concatenate(rows), np.concatenate(drift))
    ours = arm.closure.accelerations(x, xd, arm.forward_dynamics(x, xd, tau))
    np.testing.assert_allclose(ours, qdd, atol=AGREE * (1.0 + np.abs(qdd).max()))
    found, _ = arm.closure.forward_dynamics(q, qd, tau)
    np.testing.assert_allclose(found, qdd, atol=AGREE * (1.0 + np.abs(qdd).max()))


def end_motion(peer, tree, frame, q, qd):
    """Of a loop's end: place, axes, Jacobian, acceleration without qdd, angular velocity; all by Pinocchio."""
    name = tree.base_name if frame.link < 0 else tree.links[frame.link].name
    if frame.link < 0:
        n = tree.n
        return frame.placement[:3, 3], frame.placement[:3, :3], np.zeros((6, n)), np.zeros(6), np.zeros(3)
    T, J, a = peer.pose(q, name), peer.jacobian(q, name), peer.jacobian_dot_qd(q, qd, name)
    R = T[:3, :3]
    lever = R @ frame.placement[:3, 3]
    w = J[3:] @ qd
    shifted = np.concatenate([J[:3] - np.stack([np.cross(lever, J[3:, k]) for k in range(tree.n)], 1), J[3:]])
    drift = np.r_[a[:3] + np.cross(a[3:], lever) + np.cross(w, np.cross(w, lever)), a[3:]]
    return T[:3, 3] + lever, R @ frame.placement[:3, :3], shifted, drift, w


@pytest.mark.parametrize("arm", [each for each in ARMS if each.id not in ("delta", "slider cut")])
def test_mujocos_equality_constraints(arm):
    """MuJoCo's mass matrix, bias and constraint Jacobian of the exported file, solved without its softness.

    MuJoCo has no equality for a cut joint that slides.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = write_mjcf(arm.model)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    x, xd, xdd = state(arm, 2)
    q, qd = arm.closure.positions(x), arm.closure.velocities(x, xd)
    places = [model.joint(name).id for name in arm.tree.joint_names]

    def jacobian(at):
        data.qpos[places], data.qvel[places] = at, qd
        mujoco.mj_forward(model, data)
        dense = np.zeros((data.nefc, model.nv))
        if mujoco.mj_isSparse(model):
            mujoco.mju_sparse2dense(dense, data.efc_J.ravel(), data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
        else:
            dense[:] = data.efc_J.reshape(data.nefc, model.nv)
        return dense[:, places]

    h = 1e-6
    drift = (jacobian(q + h * qd) - jacobian(q - h * qd)) / (2 * h) @ qd
    J = jacobian(q)
    equalities = [k for k in range(data.nefc) if data.efc_type[k] == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    assert np.abs(data.efc_pos[equalities]).max() < 1e-12
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    M, bias = M[np.ix_(places, places)], data.qfrc_bias[places]
    motors = np.zeros(model.nv)
    motors[[arm.tree.joint_names.index(name) for name in arm.joint_names]] = xdd
    qdd = multiplier_solution(M, bias - motors, J[equalities], drift[equalities])
    ours = arm.closure.accelerations(x, xd, arm.forward_dynamics(x, xd, xdd))
    np.testing.assert_allclose(ours, qdd, atol=AGREE * (1.0 + np.abs(qdd).max()))
