"""Cross sections of beams by their shape: tube, box, bar and rod, sizes in m.

Second moments are exact. Torsion: exact for round sections, Bredt's thin wall for a box, Saint-Venant's series for a
bar. Shear coefficients: Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966), of the
material's nu; of a bar 5/6, his value for nu = 0, with which most handbooks compute.
"""

from __future__ import annotations

from math import pi, sqrt

from torsor.errors import ModelError
from torsor.model.beams import STIFF_IN_SHEAR, Section

WIDEST = 100.0  # m, of any size of a section


def rod(diameter: float, *, nu: float) -> Section:
    """A solid round bar.

    >>> rod(0.03, nu=0.3).text, round(rod(0.03, nu=0.3).shear[0], 3)
    ('rod 30 mm', 0.886)
    """
    _sized("rod", {"diameter": diameter})
    return _round("rod", diameter, 0.5 * diameter, nu, f"rod {_mm(diameter)}")


def tube(diameter: float, wall: float, *, nu: float) -> Section:
    """A round tube by its outer diameter."""
    _sized("tube", {"outer diameter": diameter, "wall": wall})
    if 2.0 * wall > diameter:
        problem = f"a tube of {_mm(diameter)} cannot have a wall of {_mm(wall)}"
        raise ModelError(problem, hint="the wall is at most half the outer diameter: tube = [outer diameter, wall]")
    return _round("tube", diameter, wall, nu, f"tube {_mm(diameter)} x {_mm(wall)}")


def _round(shape: str, outer: float, wall: float, nu: float, text: str) -> Section:
    inner = outer - 2.0 * wall
    D2, d2 = outer * outer, inner * inner
    area = pi / 4.0 * (D2 - d2)
    I = pi / 64.0 * (D2 - d2) * (D2 + d2)  # of D^4 - d^4, without cancellation
    m2 = d2 / D2
    both = (1.0 + m2) * (1.0 + m2)
    k = 6.0 * (1.0 + nu) * both / ((7.0 + 6.0 * nu) * both + (20.0 + 12.0 * nu) * m2)
    radius = 0.5 * outer
    extent, torsion = (radius, radius), radius / (2.0 * I)
    return Section(area, I, I, 2.0 * I, (k, k), extent, torsion, text, hollow=inner > 0.0, shape=shape, wall=wall)


def box(width: float, height: float, wall: float, *, nu: float) -> Section:
    """A rectangular tube: width along y, height along z, one wall all round."""
    _sized("box", {"width": width, "height": height, "wall": wall})
    if 2.0 * wall >= min(width, height):
        problem = f"a box of {_mm(width)} x {_mm(height)} cannot have a wall of {_mm(wall)}"
        raise ModelError(problem, hint="the wall is below half the smaller side; a solid one is a bar")
    w, h = width - 2.0 * wall, height - 2.0 * wall  # inside
    b, c = width - wall, height - wall  # to the middle of the walls
    Iy = (width * height * height * height - w * h * h * h) / 12.0
    Iz = (height * width * width * width - h * w * w * w) / 12.0
    J = 2.0 * wall * b * b * c * c / (b + c)  # Bredt: 4 A^2 / (integral of ds / wall)
    shear = _shear_of_box(c, b, nu), _shear_of_box(b, c, nu)
    text = f"box {_mm(width)} x {_mm(height)} x {_mm(wall)}"
    stress = 1.0 / (2.0 * b * c * wall)
    outer = (0.5 * width, 0.5 * height)
    area = width * height - w * h
    return Section(area, Iy, Iz, J, shear, outer, stress, text, hollow=True, shape="box", wall=wall)


def _shear_of_box(across: float, along: float, nu: float) -> float:
    """Cowper's thin-walled box of one wall, sheared along its second side: his m and n are both b / h."""
    n = across / along
    top = 10.0 * (1.0 + nu) * (1.0 + 3.0 * n) * (1.0 + 3.0 * n)
    n2 = n * n
    n3 = n2 * n
    plain = 12.0 + 72.0 * n + 150.0 * n2 + 90.0 * n3
    with_nu = 11.0 + 66.0 * n + 135.0 * n2 + 90.0 * n3
    return top / (plain + nu * with_nu + 10.0 * n2 * ((3.0 + nu) * n + 3.0 * n2))


def bar(width: float, height: float) -> Section:
    """A solid rectangle: width along y, height along z."""
    _sized("bar", {"width": width, "height": height})
    area = width * height
    a, b = max(width, height), min(width, height)
    # Saint-Venant: sums over n = 1, 3, 5, ... with x = n pi a / (2 b), of which tanh is 1 soon
    odd = range(1, 200, 2)
    tanhs = [_tanh(0.5 * pi * n * a / b) for n in odd]
    halves = [_tanh(0.25 * pi * n * a / b) for n in odd]
    twisted = sum(t / (n * n * n * n * n) for n, t in zip(odd, tanhs, strict=True))
    J = a * b * b * b * (1.0 - 192.0 * b / (pi * pi * pi * pi * pi * a) * twisted) / 3.0
    # 1 / cosh(x) = (1 - t^2) / (1 + t^2), t = tanh(x / 2)
    middle = sum((1.0 - t * t) / ((1.0 + t * t) * n * n) for n, t in zip(odd, halves, strict=True))
    stress = b * (1.0 - 8.0 / (pi * pi) * middle) / J  # in the middle of the longer side
    Iy, Iz = area * (height * height) / 12.0, area * (width * width) / 12.0
    text = f"bar {_mm(width)} x {_mm(height)}"
    outer = (0.5 * width, 0.5 * height)
    return Section(area, Iy, Iz, J, (5.0 / 6.0, 5.0 / 6.0), outer, stress, text, shape="bar")


def _tanh(x: float) -> float:
    """Lambert's continued fraction x / (1 + x^2 / (3 + ...)), by + * / alone: the same bits on every machine."""
    if x > 20.0:
        return 1.0
    value = 0.0
    for odd in range(121, 0, -2):
        value = x * x / (odd + value)
    return value / x


def _sized(shape: str, sizes: dict[str, float]) -> None:
    for name, size in sizes.items():
        if not size > 0.0:
            raise ModelError(f"the {name} of the {shape} is {size:g} m", hint="it is above zero")
        if not size <= WIDEST:
            raise ModelError(f"the {name} of the {shape} is {size:g} m", hint='sizes are in m: write "80 mm" or 0.08')


def _mm(size: float) -> str:
    return f"{1e3 * size:.10g} mm"


def by_numbers(
    *,
    area: float,
    Iy: float,
    Iz: float,
    J: float,
    shear: tuple[float, float] | None,
    extent: tuple[float, float] | None = None,
) -> Section:
    """A section of any shape. Without shear coefficients it does not shear, as Euler and Bernoulli have it.

    ``extent`` are the distances of its outermost fibres along y and z, without which stress is not known. The stress of
    a torque is then taken for T r / J at the corner of the extent: more than a tube, box, bar or ellipse has there.
    """
    text = f"section of {1e4 * area:.6g} cm^2"
    torsion = None
    if extent is not None and J > 0.0:
        torsion = sqrt(extent[0] * extent[0] + extent[1] * extent[1]) / J
    return Section(area, Iy, Iz, J, STIFF_IN_SHEAR if shear is None else shear, extent, torsion, text)
