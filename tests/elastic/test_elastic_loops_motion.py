"""Elastic arms with loops: forces that rigid bodies cannot share out, and motion in both fidelities."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from elastic_arms import DENSITY, NU, RADIUS, E, bending_fourbar, cranked, from_chord, slider_crank
from torsor.elastic import swaying
from torsor.elastic.elastic_composite import mass_matrix
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.hanging import page_of, told_inputs
from torsor.elastic.held_arm import HeldArm
from torsor.elastic.linear_vibration import step_page
from torsor.elastic.motion_shapes import global_motions
from torsor.elastic.moving_stress import stress_at
from torsor.elastic.swinging import follow, hanging
from torsor.errors import TorsorError, Unsupported

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())
MODES = 8
AT = np.array([1.0])


@pytest.fixture(scope="module")
def arm():
    return bending_fourbar()


def weightless(arm):
    return torsor.Arm(replace(arm.model, gravity=np.zeros(3)))


def motion(until, dt, share=1.0, period=1.0):
    """The crank out and back, from rest, smooth to the third derivative."""
    t = np.arange(0.0, until + 0.5 * dt, dt)
    w = np.pi / period
    s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
    return t, AT + share * s**4, share * 4.0 * w * s**3 * c, share * 4.0 * w**2 * (3.0 * s**2 * c**2 - s**4)


# forces at rest


def test_weight_in_the_plane_is_carried_as_by_rigid_links(arm):
    found = arm.elastic.deflection(AT).loops["rocker pin"]
    still = np.zeros(1)
    np.testing.assert_allclose(found, arm.closure.forces(AT, still, still)[0], rtol=1e-9, atol=1e-9)


def cantilever(length, direction, load):
    """(compliance, bent by its own weight): of its end, displacement along z over turns about x and y.

    Closed forms of a beam that is clamped at its root, out of the plane: F L^3/3EI and so on.
    """
    inertia, twist = np.pi * RADIUS**4 / 4.0, np.pi * RADIUS**4 / 2.0
    EI, GJ, L = E * inertia, E / (2.0 * (1.0 + NU)) * twist, length
    along, across = np.array([np.cos(direction), np.sin(direction)]), np.array([-np.sin(direction), np.cos(direction)])
    # displacement and slope for force and bending moment; a slope is a turn about -across
    bend = np.array([[L**3 / 3.0, L**2 / 2.0], [L**2 / 2.0, L]]) / EI
    turns = np.zeros((3, 3))  # what force, and moments about x and y, do to displacement, slope and twist
    turns[0, 0], turns[1, 1:], turns[2, 1:] = 1.0, -across, along
    local = np.zeros((3, 3))
    local[:2, :2], local[2, 2] = bend, L / GJ
    own = np.array([load * L**4 / (8.0 * EI), load * L**3 / (6.0 * EI), 0.0])
    return turns.T @ local @ turns, turns.T @ own


def test_forces_across_the_plane_have_values(arm):
    """Two cantilevers whose ends meet in a hinge: compatibility of their ends says what it transmits."""
    field = np.array([0.0, 5.0, 0.0])  # in world axes; along -z of the base
    found = arm.elastic.deflection(AT, gravity=field).loops["rocker pin"]
    _, coupler, rocker = arm.closure.positions(AT)
    directions, lengths = (AT[0] + coupler, rocker), (0.5, 0.4)
    load = DENSITY * np.pi * RADIUS**2 * float((arm.model.base[:3, :3].T @ field)[2])
    (C1, own1), (C2, own2) = (cantilever(*each, load) for each in zip(lengths, directions, strict=True))
    force = np.linalg.solve(C1 + C2, own2 - own1)  # on the coupler, base axes
    turn = np.array([[np.cos(rocker), np.sin(rocker)], [-np.sin(rocker), np.cos(rocker)]])
    right = [0.0, 0.0, force[0], *(turn @ force[1:]), 0.0]
    np.testing.assert_allclose(found, right, rtol=1e-8, atol=1e-9)
    assert np.abs(found[3:5]).max() > 1e-3
    still = np.zeros(1)
    assert not arm.closure.forces(AT, still, still, gravity=field)[0, 2:].any()


# at rest along motions


@pytest.mark.parametrize("fidelity", [1, 2])
def test_without_motion_it_hangs(arm, fidelity):
    elastic = arm.elastic
    found = follow(elastic, *motion(0.02, 1e-3, share=0.0), fidelity=fidelity, modes=MODES)
    np.testing.assert_allclose(found.u, found.u[:1] + 0.0 * found.u, atol=1e-9 * np.abs(found.u).max())
    # the same shapes at rest: as far as loads do not make it softer
    sway = elastic.swaying(MODES)
    held = HeldArm.of(arm.model, sway.tree, elastic.told(AT)[0], sway.unknown)
    bent = held.deflection(sway.tree.tree.gravity, np.zeros(6))
    np.testing.assert_allclose(found.tip[0], bent.tool, atol=3e-3 * np.abs(bent.tool).max())
    carried = bent.loops["rocker pin"]
    np.testing.assert_allclose(found.loops["rocker pin"][-1], carried, atol=2e-3 * np.abs(carried).max())
    # sections carry what they carry at rest, the loop's forces counted in
    right = arm.elastic.stress(AT).links["rocker"].forces
    np.testing.assert_allclose(stress_at(found, 0).links["rocker"].forces, right, atol=5e-3 * np.abs(right).max())
    assert found.deviation.max() < 1e-3 * np.abs(bent.tool).max()


# in motion


def test_loops_stay_closed(arm):
    given = motion(0.3, 1e-3)
    one, two = (follow(arm.elastic, *given, fidelity=fidelity, modes=MODES) for fidelity in (1, 2))
    sway = one.arm
    G = sway.rows(sway.x(one.told[0], 0.0 * one.u))[..., sway.unknown]
    assert np.abs(np.einsum("tij,tj->ti", G, one.u)).max() < 1e-14
    assert np.abs(sway.left(two.x)).max() < 1e-14
    rates = np.einsum("tij,tj->ti", sway.rows(two.x), two.xd)
    assert np.abs(rates).max() < 1e-12
    # and so both are the same motion, as far as it is small
    assert np.abs(one.tip - two.tip).max() < 0.02 * np.abs(two.tip).max()


def test_both_agree_as_amplitudes_shrink(arm):
    """Their difference is of second order in what bends: half of a motion leaves a quarter of it, or less."""
    apart, elastic = [], weightless(arm).elastic
    for share in (0.8, 0.4, 0.2):
        one = follow(elastic, *motion(0.2, 1e-4, share, period=0.2), modes=MODES)
        two = follow(elastic, *motion(0.2, 2e-4, share, period=0.2), fidelity=2, modes=MODES)
        apart.append(np.abs(one.e[::2] - two.e).max())
        assert apart[-1] < 2e-3 * np.abs(two.e).max()
    rates = np.log2(np.array(apart[:-1]) / apart[1:])
    assert (rates > 1.7).all()


def test_the_linear_one_is_of_second_order(arm):
    tips, forces = [], []
    for dt in (2e-3, 1e-3, 5e-4, 2.5e-4):
        found = follow(arm.elastic, *motion(0.4, dt, period=0.4), modes=MODES)
        tips.append(found.tip[:: round(2e-3 / dt), :3])
        forces.append(found.loops["rocker pin"][:: round(2e-3 / dt)])
    for seen in (tips, forces):
        errors = [np.abs(each - seen[-1]).max() for each in seen[:-1]]
        assert np.log2(errors[1] / errors[2]) > 1.8


def test_work_is_what_energy_there_is(arm):
    """Of the coupled motion: the drive's torque times its rate is what energy changes by, and what damping takes.

    The torque is what remains in the row of the driven joint once the loop's force is counted in.
    """
    given = motion(0.5, 2e-4, period=0.5)
    found = follow(arm.elastic, *given, fidelity=2, modes=MODES)
    tree, x, xd, xdd = found.tree, found.x, found.xd, found.xdd
    g, still = tree.tree.gravity, np.zeros_like(x)
    asked = residual(tree, x, xd, xdd, g) + x @ tree.K + xd @ tree.D
    asked = asked - np.einsum("tij,ti->tj", found.arm.rows(x), found.balance[1])
    unknown = asked[:, found.arm.unknown]
    assert np.abs(unknown).max() < 1e-9 * np.abs(asked).max()
    torque = asked[:, 0]
    energy = 0.5 * np.einsum("ti,tij,tj->t", xd, mass_matrix(tree, x), xd) + found.strain_energy
    lost = np.einsum("ti,ij,tj->t", xd, tree.D, xd)
    lifted = np.einsum("ti,ti->t", xd, residual(tree, x, still, still, g))
    power = torque * found.told[1][:, 0] - lost - lifted
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(found.time))])
    np.testing.assert_allclose(energy - energy[0], work, atol=2e-5 * np.abs(energy - energy[0]).max())


def test_it_swings_at_its_own_frequencies(arm):
    """Small free vibration of the linear steps, mode by mode, against cos w t."""
    elastic = weightless(arm).elastic
    sway, dt, steps = elastic.swaying(MODES), 1e-5, 2000
    undamped = replace(sway, tree=replace(sway.tree, flexible={
        body: replace(link, D=0.0 * link.D) for body, link in sway.tree.flexible.items()
    }))  # fmt: skip
    joints, m = elastic.told(AT)[0], sway.size
    inputs = {"dt": (), **told_inputs(sway), "udd": m, "averaged": m, "force": len(sway.kept)}
    step = page_of(elastic, undamped, "vibration", inputs, step_page)
    squares, shapes = next(iter(global_motions(sway, joints[None])))
    near = elastic.frequencies(AT)
    still = np.zeros(len(joints))
    for k in (0, 1, 2):
        w = np.sqrt(squares[k])
        assert w / (2.0 * np.pi) == pytest.approx(near[k], rel=3e-3)
        u = 1e-6 * shapes[:, k]
        now = u, 0.0 * u, -squares[k] * u, -squares[k] * u, np.zeros(len(sway.kept))
        for _ in range(steps):
            now = step(dt, joints, still, still, *now)
        np.testing.assert_allclose(now[0], u * np.cos(w * dt * steps), atol=3e-4 * np.abs(u).max())


def test_coupled_motion_is_what_joints_are_told(arm, monkeypatch):
    """Torques of the told motion, given to the free joint, move everything as it was told."""
    monkeypatch.setattr(swaying, "SHAPES", MODES)
    elastic = torsor.Arm(arm.model).elastic
    found = follow(elastic, *motion(0.1, 1e-3, period=0.2), fidelity=2)
    k = 60
    x, xd, xdd = found.x[k], found.xd[k], found.xdd[k]
    assert elastic.coordinates == found.tree.names
    tree = found.tree
    asked = residual(tree, x, xd, xdd, tree.tree.gravity) + x @ tree.K + xd @ tree.D
    torque = (asked - found.balance[1][k] @ found.arm.rows(x))[:1]
    np.testing.assert_allclose(elastic.forward_dynamics(x, xd, torque), xdd, atol=1e-8 * np.abs(xdd).max())
    pushed = elastic.forward_dynamics(x + 1e-9, xd, torque, stabilise=1e3)
    assert np.abs(pushed - xdd).max() > 1e-6


# the oracle


@pytest.mark.parametrize("fidelity", [1, 2])
def test_slider_crank_with_an_elastic_rod(fidelity, tmp_path):
    t, *told = cranked(dt := 2e-4)
    elastic = slider_crank(tmp_path).elastic
    found = follow(elastic, t, *told, fidelity, modes=9)
    for when, right in ORACLE["slider_crank_elastic_rod"]["midpoint_from_chord_mm"].items():
        assert 1e3 * from_chord(found)[round(float(when) / dt)] == pytest.approx(right, abs=5e-4)
    # the slider has next to no mass: nothing pushes along its way
    along = found.loops["pin"][:, 0]
    assert np.abs(along).max() < 1e-3 * np.abs(found.loops["pin"][:, 1]).max()


# bad input


def test_bad_input(arm, tmp_path):
    given = motion(0.01, 1e-3)
    for modes in (1, 25):
        with pytest.raises(TorsorError, match="give 2 to 24"):
            follow(arm.elastic, *given, modes=modes)
    with pytest.raises(TorsorError, match="not finite"):
        follow(arm.elastic, given[0], given[1] * np.nan, *given[2:])
    idle = slider_crank(tmp_path, slider_mass="0")
    with pytest.raises(Unsupported, match="'slider' of 'elastic-slider-crank' moves no mass"):
        hanging(idle.elastic, np.array([0.3]))
    asea = torsor.load("asea-irb")
    t, q = np.arange(3) * 1e-3, np.tile(np.radians([33.0, 102.0, -171.0, 74.0, 69.0, 125.0]), (3, 1))
    q[2, 5] -= 0.4
    with pytest.raises(TorsorError, match="loop 'parallel' cannot close"):
        follow(asea.elastic, t, q, 0.0 * q, 0.0 * q)
