"""Stress in a section against hand formulas, resultants, published coefficients, and many points of its edge."""

from math import hypot, pi, sqrt

import numpy as np
import pytest

from torsor.elastic import section_stress
from torsor.elastic.section_stress import MY, MZ, QY, QZ, N, T, outline_of
from torsor.elastic.stress import largest
from torsor.model.sections import bar, box, by_numbers, rod, tube

SECTIONS = {
    "tube": tube(0.08, 0.004, nu=0.3),
    "thick tube": tube(0.08, 0.02, nu=0.3),
    "rod": rod(0.03, nu=0.3),
    "box": box(0.06, 0.1, 0.004, nu=0.3),
    "flat bar": bar(0.05, 0.02),
    "upright bar": bar(0.02, 0.05),
    "numbers": by_numbers(area=9e-4, Iy=4e-8, Iz=3e-8, J=2e-8, shear=None, extent=(0.01, 0.012)),
}


def alone(which, size):
    forces = np.zeros(6)
    forces[which] = size
    return forces


def test_one_force_alone():
    """N / A; M c / I; of a torque 16 T / (pi d^3) in a rod, T / (2 b c t) in a box."""
    D, d = 0.08, 0.072
    I = pi / 64.0 * (D**4 - d**4)
    shear = sqrt(3.0)
    cases = [
        (SECTIONS["tube"], N, 5e3, 5e3 / (pi / 4.0 * (D * D - d * d))),
        (SECTIONS["tube"], MY, 700.0, 700.0 * D / 2.0 / I),
        (SECTIONS["tube"], MZ, -700.0, 700.0 * D / 2.0 / I),
        (SECTIONS["tube"], T, 700.0, shear * 700.0 * D / 2.0 / (2.0 * I)),
        (SECTIONS["rod"], T, 40.0, shear * 16.0 * 40.0 / (pi * 0.03**3)),
        (SECTIONS["rod"], MZ, 40.0, 32.0 * 40.0 / (pi * 0.03**3)),
        (SECTIONS["rod"], QY, 1e4, shear * 4.0 / 3.0 * 1e4 / (pi * 0.015**2)),
        (SECTIONS["box"], T, 300.0, shear * 300.0 / (2.0 * 0.056 * 0.096 * 0.004)),
        (SECTIONS["box"], MY, 300.0, 300.0 * 0.05 / ((0.06 * 0.1**3 - 0.052 * 0.092**3) / 12.0)),
        (SECTIONS["flat bar"], MY, 30.0, 6.0 * 30.0 / (0.05 * 0.02**2)),
        (SECTIONS["flat bar"], MZ, 30.0, 6.0 * 30.0 / (0.02 * 0.05**2)),
        (SECTIONS["flat bar"], QZ, 1e4, shear * 1.5 * 1e4 / (0.05 * 0.02)),
        (SECTIONS["numbers"], MY, 30.0, 30.0 * 0.012 / 4e-8),
        (SECTIONS["numbers"], MZ, 30.0, 30.0 * 0.01 / 3e-8),
        (SECTIONS["numbers"], T, 30.0, shear * 30.0 * hypot(0.01, 0.012) / 2e-8),
    ]
    for section, which, size, right in cases:
        assert largest(section, alone(which, size)) == pytest.approx(right, rel=1e-9), (section.text, which)
    assert largest(tube(0.08, 1e-6, nu=0.3), alone(QZ, 1.0)) == pytest.approx(shear * 2.0 / (pi * 0.08e-6), rel=1e-4)


# Timoshenko & Goodier, Theory of Elasticity, article 109: largest stress = torque / (k2 a b^2), a >= b; handbooks have
# 0.795 of it in the middle of the short side of 1:2
def test_torsion_of_bars_along_their_sides():
    for ratio, k2 in {1.0: 0.208, 1.5: 0.231, 2.0: 0.246, 4.0: 0.282, 10.0: 0.312}.items():
        a, b = 0.02 * ratio, 0.02
        for section in (bar(a, b), bar(b, a)):
            edge = outline_of(section).shear[T]
            assert 1.0 / (np.abs(edge).max() * a * b**2) == pytest.approx(k2, abs=6e-4)
            assert np.abs(edge).max() == pytest.approx(section.torsion, rel=1e-9)
            assert edge[[0, section_stress.SIDE - 1]] == pytest.approx(0.0)  # corners
    edge = outline_of(bar(0.02, 0.04)).shear[T].reshape(4, -1)[:, section_stress.SIDE // 2]
    assert edge[1] / edge[0] == pytest.approx(0.795, abs=2e-3)


@pytest.mark.parametrize("name", ["box", "tube"])
def test_shear_along_thin_walls_adds_up_to_the_force(name):
    """And makes no torque of its own; that of a torque makes no force."""
    section = box(0.06, 0.1, 1e-4, nu=0.3) if name == "box" else tube(0.08, 1e-5, nu=0.3)
    outline = outline_of(section)
    y, z = -outline.axial[MZ] * section.Iz, outline.axial[MY] * section.Iy
    if name == "box":
        step = np.diff(np.stack([y, z]).reshape(2, 4, -1), axis=2)
        weights = np.array([1.0, 4.0, 1.0]) / 3.0  # Simpson's, of pairs of steps: flow is a parabola
        flows = outline.shear.reshape(6, 4, -1) * section.wall

        def along(direction, flow):
            total = 0.0
            for side in range(4):
                for k in range(0, step.shape[2], 2):
                    total += direction[side, k] * (weights @ flow[side, k : k + 3])
            return total

        sums = np.array([[along(each, flows[which]) for each in step] for which in (QY, QZ, T)])
    else:
        flow = outline.shear * section.wall
        tangent = np.stack([-z, y]) * 2.0 * pi / section_stress.ROUND
        sums = np.array([[flow[which] @ each for each in tangent] for which in (QY, QZ, T)])
        torques = flow @ (np.hypot(y, z) ** 2 * 2.0 * pi / section_stress.ROUND)
        np.testing.assert_allclose(torques[[QY, QZ, T]], [0.0, 0.0, 1.0], atol=1e-3)
    np.testing.assert_allclose(sums, [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], atol=1e-2)


@pytest.mark.parametrize("name", SECTIONS)
def test_the_largest_of_many_points(name, monkeypatch):
    forces = np.random.default_rng(0).normal(size=(300, 6)) * [1e3, 2e3, 2e3, 300.0, 300.0, 300.0]
    section = SECTIONS[name]
    outline = outline_of(section)
    found = outline.von_mises(forces)
    assert (outline.most(forces) >= found * (1.0 - 1e-12)).all()
    monkeypatch.setattr(section_stress, "SIDE", 4001)
    monkeypatch.setattr(section_stress, "ROUND", 20000)
    fine = outline_of.__wrapped__(section)
    np.testing.assert_allclose(found, np.sqrt(fine.squares(forces).max(axis=-1)), rtol=1e-4 if section.shape else 1e-12)


def test_a_round_section_has_no_corner():
    """It does not matter which way its y points."""
    a, forces = 0.3, np.array([100.0, 200.0, -300.0, 40.0, 50.0, -60.0])
    turned = forces.copy()
    for y, z in ((QY, QZ), (MY, MZ)):
        turned[y] = np.cos(a) * forces[y] + np.sin(a) * forces[z]
        turned[z] = np.cos(a) * forces[z] - np.sin(a) * forces[y]
    for name in ("tube", "rod"):
        assert largest(SECTIONS[name], turned) == pytest.approx(largest(SECTIONS[name], forces), rel=1e-12)


def test_what_is_not_known_is_not_zero():
    section = by_numbers(area=9e-4, Iy=4e-8, Iz=3e-8, J=2e-8, shear=None)
    assert outline_of(section) is None
    assert np.isnan(largest(section, np.ones((2, 6)))).all()
