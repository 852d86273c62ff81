"""`arm.elastic.stress` and along motions: what is worst, what is not known, and that no peak is passed over."""

from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.elastic import LargeDeflection, stress_along, stress_at
from torsor.elastic.swinging import follow
from torsor.errors import ShapeError, Unsupported

LIBRARY = Path(torsor.__file__).parent / "model" / "library"
ARM2 = (LIBRARY / "elastic-arm2.toml").read_text().replace("gravity = [0, 0, 0]", "gravity = [0, -9, 0]")
SECTION = "section = { area = 1.8e-4, Iy = 5.4e-7, Iz = 5.4e-10, J = 5.4e-7 }"


def arm2(path, first=SECTION, second=SECTION, *, yields=("", "")):
    material = "material = { E = 7e10, nu = 0.33, rho = 2700 }"
    _, *parts = ARM2.split("[link.beam]")
    made = ARM2.split("[link.beam]")[0]
    for part, section, value in zip(parts, (first, second), yields, strict=True):
        more = f", yield = {value}" if value else ""
        made += "[link.beam]" + part.replace(SECTION, section).replace(material, material[:-2] + more + " }")
    path.write_text(made)
    return torsor.load(path)


def extent(cy, cz):
    return SECTION[:-2] + f", extent = [{cy}, {cz}] }}"


def test_what_is_not_known_is_said(tmp_path):
    found = arm2(tmp_path / "arm.toml").elastic.stress([0.0, 0.5])
    assert found.worst is None
    assert np.isnan(found.links["upper"].von_mises).all()
    assert np.isfinite(found.links["upper"].forces).all()
    assert found.notes[0] == (
        "the stress of upper is not known: its section was given by numbers, and extent, how far it reaches, is missing"
    )
    half = arm2(tmp_path / "arm.toml", second=extent(0.003, "0.06")).elastic.stress([0.0, 0.5])
    assert half.worst.link == "lower"
    assert half.worst.share is None
    assert half.notes[1:] == [
        "the material of lower has no yield: shares of it are not known",
        "0.5 kg of lower count as rigid at its joint: no section of it carries them",
        "shear across lower is left out: of sections given by numbers it is not known",
    ]


def test_the_worst_is_nearest_to_yield(tmp_path):
    """By stress the lower link is ahead, whose section is the weaker one, by share of yield the upper."""
    given = {"first": extent(0.003, "0.06"), "second": extent(0.02, "0.06")}
    by_stress = arm2(tmp_path / "arm.toml", **given).elastic.stress([0.0, 0.5]).worst
    assert (by_stress.link, by_stress.place, by_stress.share) == ("lower", 0.0, None)
    arm = arm2(tmp_path / "arm.toml", **given, yields=('"50 MPa"', '"500 MPa"'))
    many = arm.elastic.stress([[[0.0, 0.5], [1.5, 0.0]]])
    assert many.links["upper"].von_mises.shape == (1, 2, 9)
    worst = many.worst
    assert (worst.link, worst.index) == ("upper", (0, 0))
    upper = many.links["upper"]
    assert worst.share == pytest.approx(worst.stress / 50e6) == pytest.approx(upper.share.max())
    moment = 9.0 * (0.486 * 0.5 + 0.5 + 0.5 * (1.0 + np.cos(0.5)) + 0.486 * (1.0 + 0.5 * np.cos(0.5)))
    assert worst.stress == pytest.approx(moment * 0.003 / 5.4e-10, rel=1e-4)
    assert str(worst) == f"{worst.stress / 1e6:.3g} MPa in upper 0 m from its joint, {100 * worst.share:.3g} % of yield"
    one = arm.elastic.stress([1.5, 0.0])
    np.testing.assert_allclose(many.links["lower"].von_mises[0, 1], one.links["lower"].von_mises, rtol=1e-12)


def test_no_peak_is_passed_over(tmp_path):
    """Peaks over blocks against every sample; a section without an edge keeps where its moment was largest."""
    arm = arm2(tmp_path / "arm.toml", first='section = { bar = ["6 mm", "30 mm"] }').elastic
    t = np.arange(0.0, 1.0, 1e-3)
    s, c, w = np.sin(3.0 * t), np.cos(3.0 * t), 3.0
    moved = np.array([s**3, 3.0 * w * s**2 * c, 3.0 * w * w * (2.0 * s * c**2 - s**3)])[..., None] * [0.5, -1.0]
    swing = follow(arm, t, *moved)
    found, every = stress_along(swing), stress_at(swing, slice(None))
    upper, lower = found.links["upper"], found.links["lower"]
    np.testing.assert_allclose(upper.von_mises, every.links["upper"].von_mises.max(axis=0), rtol=1e-12)
    np.testing.assert_array_equal(upper.time, t[every.links["upper"].von_mises.argmax(axis=0)])
    when = every.links["upper"].von_mises[:, 0].argmax()
    np.testing.assert_allclose(upper.forces[0], every.links["upper"].forces[when, 0], rtol=1e-9, atol=1e-12)
    assert found.worst.time == t[when]
    assert np.isnan(lower.von_mises).all()
    moments = np.hypot(*np.moveaxis(every.links["lower"].forces[..., 4:], -1, 0))
    np.testing.assert_allclose(np.hypot(*lower.forces[:, 4:].T)[:-1], moments.max(axis=0)[:-1], rtol=1e-9)


def test_deflection_that_is_not_small_is_warned_of(tmp_path):
    arm = arm2(tmp_path / "arm.toml").elastic
    words = "elastic-arm2: lower bends by 0.128 m at (1, 0, 0) m, 13 % of its length: too much for theory of small"
    with pytest.warns(LargeDeflection) as caught:
        arm.deflection([1.2, -0.9], payload=1.0)
    assert str(caught[-1].message) == f"{words} deflections"
    assert caught[-1].filename == __file__
    arm.deflection([np.pi / 2, 0.0], payload=1.0)


def test_what_has_no_stress(tmp_path):
    text = (LIBRARY / "ur5-elastic.toml").read_text()
    bending = text.split("[link.beam]")
    rigid = bending[0] + "".join(part[part.index("[link.compliance]") :] for part in bending[1:])
    (tmp_path / "arm.toml").write_text(rigid)
    arm = torsor.load(tmp_path / "arm.toml").elastic
    with pytest.raises(Unsupported, match=r"'ur5-elastic' has no elastic links; describe them with \[link.beam\]"):
        arm.stress(np.zeros(6))
    with pytest.raises(ShapeError, match="6 joints"):
        torsor.load("ur5-elastic").elastic.stress([0.0, 1.0])


def test_forces_that_nothing_determines(tmp_path):
    """A planar loop of which only one link bends: across its plane equilibrium does not say what each hinge carries."""
    text = (LIBRARY / "asea-irb.toml").read_text()
    assert text.count("[link.beam]") >= 5
    _, *parts = text.split("[[link]]")
    kept = text.split("[[link]]")[0] + "".join(
        "[[link]]" + (part if k == 0 else _without_beam(part)) for k, part in enumerate(parts)
    )
    (tmp_path / "arm.toml").write_text(kept)
    arm = torsor.load(tmp_path / "arm.toml").elastic
    with pytest.raises(Unsupported, match="the forces in 'parallel' of 'asea-irb' are not determined"):
        arm.stress(np.radians([45.46, 106.92, -165.0, 60.0, 40.0, 131.95]))


def _without_beam(part):
    before, beam, rest = part.partition("[link.beam]")
    after = rest.find("\n[") if beam else -1
    while beam and rest[after + 1 :].startswith("[[link.beam"):
        after = rest.find("\n[", after + 1)
    return before + (rest[after:] if beam and after >= 0 else "")


def test_a_row_of_a_batch_equals_the_single_call():
    arm = torsor.load("ur5-elastic").elastic
    q = np.random.default_rng(1).uniform(-2.0, 2.0, size=(50, 6))
    many = arm.stress(q, payload=3.0).links
    for k, each in enumerate(q):
        for name, link in arm.stress(each, payload=3.0).links.items():
            np.testing.assert_array_equal(link.von_mises, many[name].von_mises[k])
