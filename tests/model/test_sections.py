"""Sections held against integrals over their area, published tables, and the equation of torsion solved on a grid."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.sparse import diags, kron
from scipy.sparse import eye as identity
from scipy.sparse.linalg import spsolve

from torsor.errors import ModelError
from torsor.model.beams import Section
from torsor.model.sections import bar, box, by_numbers, rod, tube


def integrated(inside, half: float, n: int = 1200) -> tuple[float, float, float]:
    """Area, Iy and Iz of the points of a square that are inside, by the midpoint rule."""
    edge = (np.arange(n) + 0.5) / n * 2 * half - half
    y, z = np.meshgrid(edge, edge, indexing="ij")
    cell = (2 * half / n) ** 2
    within = inside(y, z)
    return within.sum() * cell, (z**2)[within].sum() * cell, (y**2)[within].sum() * cell


def in_box(width: float, height: float):
    return lambda y, z: (np.abs(y) < width / 2) & (np.abs(z) < height / 2)


@pytest.mark.parametrize(
    ("section", "inside", "half"),
    [
        (rod(0.03, nu=0.3), lambda y, z: np.hypot(y, z) < 0.015, 0.015),
        (tube(0.08, 0.004, nu=0.3), lambda y, z: (np.hypot(y, z) < 0.04) & (np.hypot(y, z) > 0.036), 0.04),
        (tube(0.08, 0.03, nu=0.3), lambda y, z: (np.hypot(y, z) < 0.04) & (np.hypot(y, z) > 0.01), 0.04),
        (bar(0.06, 0.04), in_box(0.06, 0.04), 0.03),
        (box(0.06, 0.04, 0.005, nu=0.3), lambda y, z: in_box(0.06, 0.04)(y, z) & ~in_box(0.05, 0.03)(y, z), 0.03),
    ],
    ids=lambda each: each.text if isinstance(each, Section) else "",
)
def test_area_and_moments_are_integrals(section, inside, half):
    np.testing.assert_allclose((section.area, section.Iy, section.Iz), integrated(inside, half), rtol=2e-3)


def test_round_sections_are_polar():
    for section in (rod(0.05, nu=0.3), tube(0.05, 0.01, nu=0.3)):
        assert section.Iy + section.Iz == section.J
        assert section.torsion == pytest.approx(section.outer[0] / section.J, rel=1e-15)
    assert rod(0.05, nu=0.3).Iz == pytest.approx(pi * 0.05**4 / 64, rel=1e-14)
    assert tube(0.08, 0.004, nu=0.3).Iz == pytest.approx(pi / 64 * (0.08**4 - 0.072**4), rel=1e-14)
    assert pytest.approx(rod(0.05, nu=0.3).J, rel=1e-14) == tube(0.05, 0.025, nu=0.3).J  # a wall that fills it


# Timoshenko & Goodier, Theory of Elasticity, article 109: J = k1 a b^3, largest stress = torque / (k2 a b^2), a >= b
TORSION_OF_BARS = {
    1.0: (0.1406, 0.208),
    1.2: (0.166, 0.219),
    1.5: (0.196, 0.231),
    2.0: (0.229, 0.246),
    2.5: (0.249, 0.258),
    3.0: (0.263, 0.267),
    4.0: (0.281, 0.282),
    5.0: (0.291, 0.291),
    10.0: (0.312, 0.312),
}


@pytest.mark.parametrize("ratio", TORSION_OF_BARS)
def test_torsion_of_bars_as_published(ratio):
    b = 0.02
    a = ratio * b
    for section in (bar(a, b), bar(b, a)):
        k1, k2 = section.J / (a * b**3), 1.0 / (section.torsion * a * b**2)
        assert (k1, k2) == pytest.approx(TORSION_OF_BARS[ratio], abs=6e-4)


def test_torsion_of_a_flat_bar():
    assert pytest.approx(1e-12 / 3 * (1 - 0.63e-4), rel=1e-6) == bar(1.0, 1e-4).J


def prandtl(width: float, height: float, n: int) -> float:
    """J = 2 integral of phi, with -laplace(phi) = 2 inside and phi = 0 on the edge, by differences on a grid."""
    hy, hz = width / n, height / n
    line = diags([np.full(n - 2, -1.0), np.full(n - 1, 2.0), np.full(n - 2, -1.0)], [-1, 0, 1])
    A = kron(line / hy**2, identity(n - 1)) + kron(identity(n - 1), line / hz**2)
    return float(2.0 * spsolve(A.tocsc(), np.full((n - 1) ** 2, 2.0)).sum() * hy * hz)


@pytest.mark.parametrize(("width", "height"), [(1.0, 1.0), (1.7, 1.0), (0.4, 1.0)])
def test_torsion_of_bars_solves_prandtls_equation(width, height):
    coarse, fine = prandtl(width, height, 40), prandtl(width, height, 80)
    assert pytest.approx(fine + (fine - coarse) / 3, rel=1e-4) == bar(width, height).J


def test_torsion_of_boxes_is_bredts():
    b, c, t = 0.1, 0.06, 0.001
    section = box(b + t, c + t, t, nu=0.3)
    enclosed, around = b * c, 2 * (b + c) / t
    assert pytest.approx(4 * enclosed**2 / around, rel=1e-14) == section.J
    assert section.torsion == pytest.approx(1 / (2 * enclosed * t), rel=1e-14)


# Cowper, J. Appl. Mech. 33 (1966), table of coefficients for nu = 0 and 0.3
@pytest.mark.parametrize(
    ("section", "k"),
    [
        (rod(0.1, nu=0.0), 0.857),
        (rod(0.1, nu=0.3), 0.886),
        (tube(0.1, 1e-7, nu=0.0), 0.500),
        (tube(0.1, 1e-7, nu=0.3), 0.531),
        (box(0.1, 0.1, 1e-7, nu=0.0), 0.417),
        (box(0.1, 0.1, 1e-7, nu=0.3), 0.436),
        (bar(0.1, 0.2), 0.833),
    ],
    ids=lambda each: each.text if isinstance(each, Section) else "",
)
def test_shear_coefficients_as_published(section, k):
    assert section.shear == pytest.approx((k, k), abs=6e-4)


def test_shear_of_flat_boxes():
    """Sheared along its webs a box whose flanges are narrow is two plates; one whose webs are short carries little."""
    thin = 1e-9
    along_y, along_z = box(0.001, 1.0, thin, nu=0.0).shear
    assert along_z == pytest.approx(5 / 6, abs=2e-2)
    assert along_y < 0.01


def test_outer_fibres_and_texts():
    assert tube(0.08, 0.004, nu=0.3).text == "tube 80 mm x 4 mm"
    assert box(0.18, 0.12, 0.0125, nu=0.3).text == "box 180 mm x 120 mm x 12.5 mm"
    assert (bar(0.06, 0.04).text, rod(0.03, nu=0.3).text) == ("bar 60 mm x 40 mm", "rod 30 mm")
    assert box(0.06, 0.04, 0.005, nu=0.3).outer == bar(0.06, 0.04).outer == (0.03, 0.02)
    assert [s.hollow for s in (tube(1, 0.1, nu=0.3), box(1, 1, 0.1, nu=0.3), bar(1, 1), rod(1, nu=0.3))] == [
        True, True, False, False,
    ]  # fmt: skip
    plain = by_numbers(area=9e-4, Iy=4e-8, Iz=3e-8, J=2e-8, shear=None)
    assert (plain.text, plain.outer, plain.torsion, plain.can_shear) == ("section of 9 cm^2", None, None, False)
    assert plain.gyration == pytest.approx((4e-8 / 9e-4) ** 0.5)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tube(0.08, 0.05, nu=0.3), "a tube of 80 mm cannot have a wall of 50 mm"),
        (lambda: box(0.08, 0.05, 0.025, nu=0.3), "a box of 80 mm x 50 mm cannot have a wall of 25 mm"),
        (lambda: rod(0.0, nu=0.3), "the diameter of the rod is 0 m; it is above zero"),
        (lambda: bar(-0.1, 0.1), "the width of the bar is -0.1 m; it is above zero"),
        (lambda: bar(800.0, 400.0), 'the width of the bar is 800 m; sizes are in m: write "80 mm" or 0.08'),
        (lambda: rod(float("nan"), nu=0.3), "the diameter of the rod is nan m; it is above zero"),
    ],
)
def test_shapes_that_cannot_be(make, words):
    with pytest.raises(ModelError) as caught:
        make()
    assert str(caught.value).startswith(words)
