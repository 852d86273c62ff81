"""What must hold for every arm, whatever its numbers. Derivatives are by complex steps: exact to the last digits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from random_arms import SEEDS, arms_and_states, dh_arms, models, random_mass, random_pose, random_rotation, random_state
from torsor import Arm
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model.armfile import parse_arm_file
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame
from torsor.model.transforms import inverse, pose, rpy_of

STEP = 1e-30
few = settings(max_examples=40, deadline=None)


def reference(model: Model) -> ReferenceQuantities:
    return ReferenceQuantities(lower(model))


def speed_of(arm: ReferenceQuantities, qd: np.ndarray) -> float:
    """Sum of the joints' speeds, followers included: the scale of velocities anywhere."""
    return float(np.abs(arm.tree.coupling @ qd).sum())


def load_of(arm: ReferenceQuantities, *state: np.ndarray) -> float:
    """The largest force or moment in any joint: the scale of what torques are the rest of."""
    return max(1.0, float(np.abs(arm.bearing_loads(*state)).max()))


@few
@given(arms_and_states())
def test_mass_matrix_is_symmetric(case):
    model, (q, _, _) = case
    M = reference(model).mass_matrix(q)  # column by column, so nothing makes it symmetric but the mechanics
    assert np.abs(M - M.T).max() <= 1e-12 * np.abs(M).max()
    assert np.linalg.eigvalsh((M + M.T) / 2)[0] >= -1e-12 * np.abs(M).max()


@few
@given(arms_and_states(massless=False))
def test_mass_matrix_is_positive_definite(case):
    model, (q, _, _) = case
    np.linalg.cholesky(reference(model).mass_matrix(q))


@few
@given(arms_and_states(max_links=8))
def test_coriolis_matrix_is_of_christoffel_symbols(case):
    """C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) qd_k; then Md - 2C is skew."""
    model, (q, qd, _) = case
    arm = reference(model)
    M = arm.mass_matrix
    C = arm.coriolis_matrix(q, qd)
    dM = np.moveaxis(M(q + 1j * STEP * np.eye(model.n)).imag / STEP, 0, -1)  # [i, j, k] = dM_ij / dq_k
    symbols = 0.5 * (dM + dM.transpose(0, 2, 1) - dM.transpose(2, 1, 0))
    scale = np.abs(M(q)).max() * max(1.0, speed_of(arm, qd))
    assert np.abs(C - symbols @ qd).max() <= 1e-12 * scale
    skew = M(q + 1j * STEP * qd).imag / STEP - 2.0 * C
    assert np.abs(skew + skew.T).max() <= 1e-12 * scale
    velocity = arm.inverse_dynamics(q, qd, np.zeros(model.n), gravity=np.zeros(3))
    assert np.abs(C @ qd - velocity).max() <= 1e-12 * scale * max(1.0, speed_of(arm, qd))


@few
@given(arms_and_states())
def test_torque_is_sum_of_its_parts(case):
    model, (q, qd, qdd) = case
    arm = reference(model)
    parts = arm.mass_matrix(q) @ qdd + arm.coriolis_matrix(q, qd) @ qd + arm.gravity(q)
    assert np.abs(arm.inverse_dynamics(q, qd, qdd) - parts).max() <= 1e-11 * load_of(arm, q, qd, qdd) * model.n


@few
@given(arms_and_states())
def test_energy_balance(case):
    """d(T + V)/dt = qd . tau along any motion, and T = 1/2 qd M qd."""
    model, (q, qd, qdd) = case
    arm = reference(model)
    kinetic, potential = arm.energy(q + 1j * STEP * qd, qd + 1j * STEP * qdd)
    power = (kinetic + potential).imag / STEP
    scale = load_of(arm, q, qd, qdd) * max(1.0, speed_of(arm, qd))
    assert abs(power - qd @ arm.inverse_dynamics(q, qd, qdd)) <= 1e-11 * scale
    assert abs(kinetic.real - 0.5 * qd @ arm.mass_matrix(q) @ qd) <= 1e-12 * (1.0 + kinetic.real)


@few
@given(arms_and_states())
def test_gravity_is_gradient_of_potential(case):
    model, (q, qd, _) = case
    arm = reference(model)
    _, potential = arm.energy(q + 1j * STEP * np.eye(model.n), qd)
    still = np.zeros(model.n)
    assert np.abs(potential.imag / STEP - arm.gravity(q)).max() <= 1e-12 * load_of(arm, q, still, still) * model.n


@few
@given(arms_and_states(), st.sampled_from(["tool", "camera", "link0"]))
def test_jacobian_is_derivative_of_pose(case, frame):
    model, (q, qd, _) = case
    arm = reference(model)
    T = arm.pose(q + 1j * STEP * np.eye(model.n), frame=frame)  # (n, 4, 4)
    dT, R = T.imag / STEP, T[0, :3, :3].real
    J = arm.jacobian(q, frame=frame)
    scale = 1.0 + np.abs(J).max()
    assert np.abs(J[:3] - dT[:, :3, 3].T).max() <= 1e-13 * scale
    spin = dT[:, :3, :3] @ R.T  # the skew matrix of each joint's angular part
    assert np.abs(J[3:] - np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]])).max() <= 1e-13 * scale
    Jd = arm.jacobian(q + 1j * STEP * qd, frame=frame).imag / STEP
    difference = np.abs(arm.jacobian_dot_qd(q, qd, frame=frame) - Jd @ qd).max()
    assert difference <= 1e-12 * scale * (1.0 + speed_of(arm, qd)) ** 2


@few
@given(arms_and_states(), SEEDS)
def test_regressor_times_parameters_is_torque(case, seed):
    """Also for other masses: Y is of the kinematics alone."""
    model, (q, qd, qdd) = case
    arm = reference(model)
    Y = arm.regressor(q, qd, qdd)
    rng = np.random.default_rng(seed)
    others = tuple(replace(link, mass=random_mass(rng, "solid")) for link in model.links)
    for each in (Arm(model), Arm(replace(model, links=others))):
        added = (np.abs(Y) @ np.abs(each.parameters)).max()  # the sum without cancellation
        assert np.abs(Y @ each.parameters - each.reference.inverse_dynamics(q, qd, qdd)).max() <= 1e-12 * added
        assert len(each.parameter_names) == each.parameters.size == Y.shape[-1]


@few
@given(arms_and_states(), SEEDS)
def test_wrench_is_transpose_of_jacobian(case, seed):
    model, (q, qd, qdd) = case
    arm = reference(model)
    wrench = np.random.default_rng(seed).uniform(-10.0, 10.0, 6)
    difference = arm.inverse_dynamics(q, qd, qdd) - arm.inverse_dynamics(q, qd, qdd, wrench=wrench)
    J = arm.jacobian(q)
    scale = load_of(arm, q, qd, qdd) + (np.abs(J).T @ np.abs(wrench)).max()
    assert np.abs(difference - J.T @ wrench).max() <= 1e-12 * scale


@few
@given(arms_and_states(), SEEDS)
def test_moving_the_whole_cell_changes_nothing(case, seed):
    model, (q, qd, qdd) = case
    rng = np.random.default_rng(seed)
    X = pose(random_rotation(rng), rng.uniform(-5.0, 5.0, 3))
    moved = reference(replace(model, base=X @ model.base, gravity=X[:3, :3] @ model.gravity))
    arm = reference(model)
    load = load_of(arm, q, qd, qdd)
    assert np.abs(moved.inverse_dynamics(q, qd, qdd) - arm.inverse_dynamics(q, qd, qdd)).max() <= 1e-12 * load
    np.testing.assert_array_equal(moved.pose(q), arm.pose(q))


@few
@given(arms_and_states(), SEEDS)
def test_link_frames_are_a_matter_of_taste(case, seed):
    """Every link frame moved to anywhere on its link: other numbers for the same arm."""
    model, (q, qd, qdd) = case
    other = reference(reframed(model, np.random.default_rng(seed)))
    arm = reference(model)
    load = load_of(arm, q, qd, qdd)
    # the frames are moved by up to 2 m, so that larger numbers cancel than before
    assert np.abs(other.inverse_dynamics(q, qd, qdd) - arm.inverse_dynamics(q, qd, qdd)).max() <= 1e-11 * load
    size = np.abs(arm.pose(q)).max()
    assert np.abs(other.pose(q) - arm.pose(q)).max() <= 1e-13 * size * len(model.links)
    assert np.abs(other.mass_matrix(q) - arm.mass_matrix(q)).max() <= 1e-11 * np.abs(arm.mass_matrix(q)).max()


def reframed(model: Model, rng: np.random.Generator) -> Model:
    X = {i: random_pose(rng, "general") for i in range(len(model.links))} | {BASE: np.eye(4)}
    on = lambda frame: Frame(frame.link, inverse(X[frame.link]) @ frame.placement)  # noqa: E731
    links = tuple(
        replace(
            link,
            joint=replace(
                link.joint, before=inverse(X[link.parent]) @ link.joint.before, after=link.joint.after @ X[i]
            ),
            mass=link.mass.moved(inverse(X[i])),
        )
        for i, link in enumerate(model.links)
    )
    return replace(model, links=links, tool=on(model.tool), frames={name: on(f) for name, f in model.frames.items()})


@few
@given(dh_arms(), SEEDS)
def test_denavit_hartenberg_poses(dh, seed):
    arm = reference(dh.model())
    q, _, _ = random_state(arm.tree.n, seed)
    for i, T in enumerate(dh.poses(q)):
        assert np.abs(arm.pose(q, frame=f"link{i + 1}") - T).max() <= 1e-14 * (1 + np.abs(T).max()) * arm.tree.n


@few
@given(dh_arms(), SEEDS)
def test_four_ways_in_give_the_same_arm(dh, seed):
    arm = reference(dh.model())
    q, qd, qdd = random_state(arm.tree.n, seed)
    tau, T = arm.inverse_dynamics(q, qd, qdd), arm.pose(q)
    load = load_of(arm, q, qd, qdd)
    others = {
        "origin": dh.model("origin"),
        "screws": parse_arm_file(as_screws(dh)),
        "placements": parse_arm_file(as_placements(dh)),
    }
    for way, model in others.items():
        other = reference(model)
        assert np.abs(other.inverse_dynamics(q, qd, qdd) - tau).max() <= 1e-12 * load, way
        assert np.abs(other.pose(q) - T).max() <= 1e-13 * (1 + np.abs(T).max()), way


def axes(dh):
    """Direction and a point of every joint axis in the base at q = 0, and the home of every link."""
    homes = dh.poses(np.zeros(len(dh.kinds)))
    frames = [np.eye(4), *homes[:-1]] if dh.frames == "standard-dh" else homes
    return [(T[:3, 2], T[:3, 3]) for T in frames], homes


def body_text(mass) -> str:
    I = mass.inertia
    six = [float(I[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return f"mass = {mass.mass!r}\ncom = {mass.com.tolist()}\ninertia = {six}\n"


def pose_text(T, between: str = "\n") -> str:
    return f"position = {T[:3, 3].tolist()}{between}rpy = {[float(x) for x in rpy_of(T[:3, :3])]}"


def as_screws(dh) -> str:
    text = 'name = "dh"\nframes = "screws"\n'
    screws, homes = axes(dh)
    for kind, mass, (z, p), home in zip(dh.kinds, dh.masses, screws, homes, strict=True):
        twist = [*z, 0.0, 0.0, 0.0] if kind == "prismatic" else [*np.cross(p, z), *z]
        twist = [float(x) for x in twist]
        text += f'[[link]]\njoint = "{kind}"\ntwist = {twist}\nhome = {{ {pose_text(home, ", ")} }}\n{body_text(mass)}'
    return text


def as_placements(dh) -> str:
    """Link frames on the joint axes, turned as the DH frames are; mass and tool move with them."""
    text = 'name = "dh"\nframes = "placements"\n'
    screws, homes = axes(dh)
    last = np.eye(4)
    for kind, mass, (z, p), home in zip(dh.kinds, dh.masses, screws, homes, strict=True):
        frame = pose(home[:3, :3], p)
        place = inverse(last) @ frame
        axis = [float(x) for x in frame[:3, :3].T @ z]
        moved = mass.moved(inverse(frame) @ home)
        text += f'[[link]]\njoint = "{kind}"\naxis = {axis}\n{pose_text(place)}\n{body_text(moved)}'
        last = frame
    return text + f"[tool]\n{pose_text(inverse(last) @ homes[-1])}\n"


@settings(max_examples=25, deadline=None)
@given(models(max_links=6), SEEDS)
def test_batches_equal_loops(model, seed):
    """(3, 1, n) against (2, n): every entry is what its own row alone gives; NaN stays in its own row."""
    arm, n = reference(model), model.n
    q = random_state(n, seed, (3, 1))[0]
    _, qd, qdd = random_state(n, seed + 1, (2,))
    q[1] = np.nan
    wrench = np.random.default_rng(seed).uniform(-1.0, 1.0, (2, 6))

    def quantities(q, qd, qdd, wrench):
        kinetic, potential = arm.energy(q, qd)
        return {
            "tau": arm.inverse_dynamics(q, qd, qdd, wrench=wrench),
            "M": arm.mass_matrix(q),
            "g": arm.gravity(q),
            "C": arm.coriolis_matrix(q, qd),
            "Y": arm.regressor(q, qd, qdd),
            "loads": arm.bearing_loads(q, qd, qdd, wrench=wrench),
            "kinetic": kinetic,
            "potential": potential,
            "J": arm.jacobian(q),
            "Jd qd": arm.jacobian_dot_qd(q, qd),
            "T": arm.pose(q),
        }

    batched = quantities(q, qd, qdd, wrench)
    assert batched["kinetic"].shape == batched["potential"].shape == (3, 2)
    for i in (0, 2):
        for j in range(2):
            alone = quantities(q[i, 0], qd[j], qdd[j], wrench[j])
            load = max(1.0, float(np.abs(alone["loads"]).max()))
            for what, value in alone.items():
                # what does not depend on a state may lack its dimensions; compiled kernels have them all
                mine = np.broadcast_to(batched[what], (3, 2, *value.shape))[i, j]
                # matmul may add in another order for other shapes
                assert np.abs(mine - value).max() <= 1e-12 * max(load, float(np.abs(value).max())), what
