"""The certificate: its box holds every arm that is stated, its bounds hold, its promise is kept, and it can say no."""

import re
from dataclasses import replace

import numpy as np
import pytest
from closed_loop import roll

import torsor
from torsor import control
from torsor.control import reference, verifying
from torsor.control.bounds import Family, bounds_of
from torsor.control.uncertainty import Performance, Uncertainty
from torsor.errors import Unsupported
from torsor.model.mass import Mass

EVERYTHING = Uncertainty(
    payload=(0.5, 2.0),
    com=(0.02, -0.01, 0.05),
    com_spread=(0.03, 0.02, 0.04),
    gyration=0.06,
    link_mass=0.1,
    link_inertia=0.2,
)


@pytest.fixture(scope="module")
def held(irb140):
    """The task: an IRB 140 with an unknown payload of 0 to 6 kg."""
    asked = Performance(error=0.02, speed=1.5, acceleration=4.0)
    return control.design(irb140, Uncertainty(payload=(0.0, 6.0)), asked, rollouts=50)


@pytest.fixture(scope="module")
def flat(planar3):
    known = Uncertainty(payload=(0.0, 1.0), link_mass=0.1, disturbance=[3.0, 2.0, 0.5])
    asked = Performance(error=0.01, speed=1.0, acceleration=3.0)
    return control.design(planar3, known, asked, rollouts=50)


def some_arm(arm, known, rng):
    """A physical arm that is allowed, with what was drawn."""
    mass = rng.uniform(*known.payload)
    com = np.asarray(known.com) + np.asarray(known.com_spread) * rng.uniform(-1.0, 1.0, 3)
    points = rng.standard_normal((5, 3))
    points -= points.mean(axis=0)
    second = points.T @ points
    inertia = np.trace(second) * np.eye(3) - second
    inertia *= mass * known.gyration**2 * rng.uniform() / np.diag(inertia).max()
    shares = {
        name: getattr(known, name) * rng.choice([-1.0, 1.0, rng.uniform(-1.0, 1.0)], len(arm.model.links))
        for name in ("link_mass", "link_inertia")
    }
    return known.perturbed(arm, payload=mass, com=com, inertia=inertia, **shares)


@pytest.mark.parametrize("seed", range(25))
def test_every_arm_that_is_stated_lies_in_the_box(irb140, seed):
    from scipy.optimize import linprog

    true = some_arm(irb140, EVERYTHING, np.random.default_rng(seed))
    box = EVERYTHING.directions(irb140)
    off = true.parameters - EVERYTHING.centre(irb140).parameters
    # is there a theta within its reach with B theta = off? To rounding: each row within 1e-12
    rows = np.concatenate([box.B, -box.B])
    sides = np.concatenate([off, -off]) + 1e-12
    limits = list(zip(-box.reach * (1 + 1e-9), box.reach * (1 + 1e-9), strict=True))
    assert linprog(np.zeros(box.k), A_ub=rows, b_ub=sides, bounds=limits).status == 0
    # and one that is heavier than stated does not
    heavy = true.with_payload(2.6, EVERYTHING.com)
    off = heavy.parameters - EVERYTHING.centre(irb140).parameters
    sides = np.concatenate([off, -off]) + 1e-12
    assert linprog(np.zeros(box.k), A_ub=rows, b_ub=sides, bounds=limits).status == 2


def test_arms_that_are_drawn_lie_in_the_box_and_can_be(irb140):
    box = EVERYTHING.directions(irb140)
    theta = box.draw(np.random.default_rng(5), 400)
    assert theta.shape == (400, 18)
    assert (np.abs(theta) <= box.reach * (1 + 1e-12)).all()
    assert (np.abs(theta).max(axis=0) > 0.5 * box.reach).all()
    for row in theta[:60]:
        pi = (EVERYTHING.centre(irb140).parameters + box.B @ row).reshape(-1, 10)
        for m, mx, my, mz, xx, yy, zz, xy, xz, yz in pi:
            if m > 0.0:
                inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
                body = Mass.about_origin(m, np.array([mx, my, mz]) / m, inertia)
                assert not list(body.impossibilities())


def test_the_family_moves_as_its_arms_do(irb140):
    known = Uncertainty(payload=(0.0, 6.0), com=(0.0, 0.03, 0.04), link_mass=0.2)
    family = Family(known.centre(irb140), known.directions(irb140))
    true = known.perturbed(irb140, payload=4.5, link_mass=[0.1, -0.2, 0.0, 0.15, 0.0, 0.05])
    theta = np.array([0.1, -0.2, 0.15, 0.05, 1.5])  # links 3 and 5 have no mass
    q = np.random.default_rng(0).uniform(-2.0, 2.0, size=(20, 6))
    want = true.mass_matrix(q)
    assert np.abs(family.mass_matrix(q, theta) - want).max() <= 1e-12 * np.abs(want).max()


PLANE = ["payload mass", "payload moment x", "payload moment y", "payload inertia zz"]


@pytest.mark.parametrize("name", ["planar2", "planar3", "scara"])
def test_directions_that_no_torque_feels_are_left_out(name):
    """An arm whose axes are parallel never shows Ixx, Iyy or where along its axes a payload is."""
    arm = torsor.load(name)
    known = Uncertainty(payload=(0.0, 2.0), com_spread=0.1, gyration=0.2)
    box = known.directions(arm)
    assert list(box.names) == PLANE
    assert box.B.shape == (len(arm.parameters), box.k)
    true = known.perturbed(arm, payload=1.3, com=(0.05, -0.04, 0.09), inertia=np.diag([0.01, 0.02, 0.015]))
    off = true.parameters - known.centre(arm).parameters
    Y = arm.regressor(*np.random.default_rng(3).uniform(-2.0, 2.0, (3, 50, arm.n))).reshape(-1, len(off))
    theta, *_ = np.linalg.lstsq(Y @ box.B, Y @ off, rcond=None)
    np.testing.assert_allclose(Y @ box.B @ theta, Y @ off, atol=1e-11)
    assert (np.abs(theta) <= box.reach * (1 + 1e-9)).all()


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("planar2", {"com_spread": 0.1}),
        ("planar2", {"com_spread": [0.0, 0.0, 0.1]}),
        ("planar3", {"gyration": 0.2}),
        ("scara", {"com_spread": 0.1, "gyration": 0.1}),
    ],
)
def test_a_design_for_what_only_some_torques_feel(name, unknown):
    arm, asked = torsor.load(name), Performance(error=0.02, speed=1.5, acceleration=4.0)
    found = control.design(arm, Uncertainty(payload=(0.0, 2.0), **unknown), asked, rollouts=2, boxes=100)
    assert (found.boundary > 0.0).all()
    assert (found.error <= 0.02).all()
    assert found.verification.kept


@pytest.mark.parametrize(("name", "share"), [pytest.param("irb140", 0.0, marks=pytest.mark.slow), ("scara", 0.1)])
def test_bounds_hold_for_arms_and_states_that_the_search_has_not_seen(name, share):
    arm = torsor.load(name)
    known = replace(EVERYTHING, link_mass=share, link_inertia=0.0, gyration=0.0, com_spread=0.0)
    family = Family(known.centre(arm), known.directions(arm))
    box = Performance(0.1).box(arm)
    found = bounds_of(family, box, boxes=100)
    rng = np.random.default_rng(7)
    for _ in range(4):
        true = some_arm(arm, known, rng).reference  # uncompiled
        q = rng.uniform(box[:, 0], box[:, 1], size=(200, arm.n))
        qd = rng.standard_normal((200, arm.n))
        M, g = true.mass_matrix(q), true.gravity(q)
        slack = 1.0 + 1e-12
        assert (np.abs(M).max(axis=0) <= found.M * slack + 1e-15).all()
        assert (np.abs(g).max(axis=0) <= found.g * slack + 1e-12).all()
        assert np.linalg.eigvalsh(M).max() <= found.largest * slack
        assert np.linalg.eigvalsh(M).min() >= found.least
        assert np.linalg.eigvalsh(np.diag(found.heaviest) - M).min() >= 0.0
        C = true.coriolis_matrix(q, qd)
        assert (np.linalg.norm(C, ord=2, axis=(1, 2)) <= found.coriolis * np.linalg.norm(qd, axis=1)).all()
        most = np.einsum("ijk,sj,sk->si", found.christoffel, np.abs(qd), np.abs(qd))
        assert (np.abs((C @ qd[..., None])[..., 0]) <= most * slack + 1e-12).all()
    # and they are not idle
    assert np.median(found.M[found.M_seen > 1e-9] / found.M_seen[found.M_seen > 1e-9]) < 2.5


def test_the_argument_holds_as_a_matrix_inequality(held):
    """W - 2 alpha V is a quadratic form in (r, e) that must be semidefinite for every M of the family."""
    lam, alpha, K = held.bandwidth, held.alpha, np.diag(held.K)
    rng = np.random.default_rng(0)
    for _ in range(50):
        q = rng.uniform(held.workspace[:, 0], held.workspace[:, 1])
        M = held.family.mass_matrix(q, rng.choice([-3.0, 3.0], 1))
        form = np.block([[K - alpha * M, -lam * K], [-lam * K, 2 * lam**2 * K - 2 * alpha * lam * K]])
        scale = np.sqrt(np.diag(form))
        assert np.linalg.eigvalsh(form / np.outer(scale, scale)).min() >= -1e-9
    assert held.level == pytest.approx(held.slack / (2 * alpha))
    assert (held.bandwidth * held.K * held.error**2 <= held.level * (1 + 1e-9)).all()


def test_the_promise_is_as_small_as_asked_and_kept(held):
    assert (held.error <= 0.02).all()
    assert held.error.max() == pytest.approx(0.02, rel=1e-6)
    assert held.verification.rollouts == 50
    assert held.verification.kept
    assert held.verification.share > 0.3  # the bound is not empty words
    assert (held.verification.torque <= control.certificate.torque(held)).all()


def test_the_promise_is_kept_by_arms_simulated_on_their_own(flat, planar3):
    """Not the family's kernel: arms made of changed masses, the law as users get it, stepped by the tests' own loop."""
    goal = reference.quintic([[0.0, 0.5, -0.5], [1.0, -0.5, 0.5], [-0.3, 0.2, 0.9]], speed=1.0, acceleration=3.0)
    for payload, share, push in ((0.0, -0.1, 1.0), (1.0, 0.1, -1.0), (1.0, [0.1, -0.1, 0.1], 1.0)):
        case = {"payload": payload, "link_mass": share, "disturbance": push * np.array([3.0, 2.0, 0.5])}
        assert flat.covers(reference=goal, **case)
        true = flat.uncertainty.perturbed(planar3, payload=payload, link_mass=share)
        law = flat.law(goal, plant=true)
        dt = min(5e-4, 1.0 / flat.fastest)
        run = roll(true, law, goal.at(0.0)[0], until=goal.duration, dt=dt, disturbance=case["disturbance"])
        assert (np.abs(run.q - goal.at(run.time)[0]).max(axis=0) <= flat.error).all()
        assert control.lyapunov_along(law, run).max() <= flat.level


def test_from_a_start_off_the_reference_the_error_falls_as_promised(flat, planar3):
    goal = reference.point([0.3, 0.4, -0.2])
    e0 = 3.0 * flat.error
    true = flat.uncertainty.perturbed(planar3, payload=1.0, link_mass=0.1)
    law = flat.law(goal, plant=true)
    run = roll(true, law, goal.q + e0, until=0.5, dt=min(5e-4, 1.0 / flat.fastest))
    V = control.lyapunov_along(law, run)
    assert V[0] <= flat.start(e0)
    most = flat.level + (flat.start(e0) - flat.level) * np.exp(-2 * flat.alpha * run.time)
    assert (most >= V).all()


def test_outside_of_what_was_stated_there_is_no_promise(held):
    assert held.covers(payload=6.0)
    assert not held.covers(payload=8.0)
    assert held.why_not(payload=8.0) == ["a payload of 8 kg is outside the stated 0 to 6 kg"]
    assert held.why_not(payload=3.0, link_mass=0.02) == ["a link mass off by 2 % is beyond the stated 0 %"]
    assert held.why_not(com=[0.0, 0.0, 0.1]) == [
        "a payload 0.1 m off its stated place is further than the stated spread"
    ]
    assert held.why_not(disturbance=1.0) == ["1 N m on joint1 are more than the stated 0 N m"]
    assert held.why_not(gyration=0.1) == ["a radius of gyration of 0.1 m is above the stated 0 m"]
    assert held.why_not(q=[0, 2.0, 0, 0, 0, 0]) == ["joint2 leaves the stated workspace -1.571 to 1.92 by 0.08014 rad"]
    fast = reference.quintic([[0.0] * 6, [0.5] * 6], durations=0.25)
    assert held.why_not(reference=fast) == [
        "its speed of 3.75 rad/s on joint1 is above the stated 1.5 rad/s",
        "its acceleration of 46.19 rad/s^2 on joint1 is above the stated 4 rad/s^2",
    ]
    message = "no promise for this reference: its speed of 3.75 rad/s on joint1 is above the stated 1.5 rad/s"
    with pytest.raises(Unsupported, match=re.escape(message)):
        held.law(fast)
    assert held.law(fast, promise=False).reference is fast
    with pytest.raises(Unsupported, match="there is no case 'payloads'; did you mean 'payload'"):
        held.covers(payloads=3.0)


def test_far_outside_the_promise_is_broken_so_the_check_can_fail(held):
    cases = verifying._random_cases(held, 8, np.random.default_rng(0))
    loop = verifying._closed_loop(held)
    heavy = cases._replace(theta=np.full_like(cases.theta, 12.0))  # 15 kg
    inside, outside = (
        verifying._verification(held, each, verifying._measured(held, loop, each, 1.0), 1.0) for each in (cases, heavy)
    )
    assert inside.kept
    assert not outside.kept
    assert "BROKEN" in str(outside)


def test_the_certificate_prints(held):
    text = str(held)
    assert text.startswith("robust design for irb140\nstated\n  payload mass")
    assert "intervals" in text
    assert "sampled" in text
    assert "Outside of that there is no promise." in text
    assert "50 rollouts of 2 s: promise kept" in text
    table = held.certificate.markdown()
    assert table.startswith("**robust design for irb140**\n\n| claim | value | how |\n| --- | --- | --- |\n")
    assert held._repr_markdown_() == table


def test_a_stated_bandwidth_is_taken(planar3):
    found = control.design(planar3, Uncertainty(), Performance(0.05, bandwidth=7.0), rollouts=0, boxes=200)
    assert found.bandwidth == 7.0
    assert "Not simulated" in str(found)


@pytest.mark.slow
def test_a_thousand_rollouts_keep_the_promise(held, flat):
    for made in (held, flat):
        done = made.verify(1000, seed=11)
        assert done.rollouts == 1000
        assert done.kept, str(done)
