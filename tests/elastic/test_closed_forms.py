"""Beams against what textbooks know, by their rates of convergence."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg

from torsor.elastic.beam_mesh import BeamMesh
from torsor.model.beams import Beam, BeamDamping, Material, Section

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())
UP = np.array([0.0, 0.0, 1.0])


def beam_of(points, section, material, elements, **options):
    points = np.array(points, dtype=float)
    return Beam(points, (section,) * (len(points) - 1), UP, material, elements=elements, modes=1, **options)


def mesh_of(*given, **options):
    return BeamMesh.of(beam_of(*given, **options), np.eye(4), UP)


def hz(K, M):
    return np.sqrt(np.abs(scipy.linalg.eigh(K, M, eigvals_only=True))) / (2.0 * np.pi)


def test_a_cantilever_converges_with_the_fourth_power():
    given = ORACLE["cantilever"]
    i = given["inputs"]
    errors = []
    for elements in (2, 4, 8, 16):
        section = Section(i["A"], 2.0 * i["I"], i["I"], 2.0 * i["I"])
        mesh = mesh_of(
            [[0, 0, 0], [i["L"], 0, 0]], section, Material("", i["E"], 0.3, i["rho"]), elements, rotary=False
        )
        at = [k for k in range(6, mesh.size) if k % 6 in (1, 5)]
        found = hz(mesh.stiffness[np.ix_(at, at)], mesh.mass[np.ix_(at, at)])
        errors.append(found[0] / given["freq_hz"][0] - 1.0)
        named = given["error_of_frequency_by_elements"][str(elements)][0]
        assert errors[-1] == pytest.approx(named, rel=1e-3)
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert rates[-1] == pytest.approx(4.0, abs=0.05)


def test_one_element_is_exact_in_statics():
    E, nu, L, F = 7e10, 0.33, 0.8, 120.0
    section = Section(3e-4, 4e-8, 9e-8, 1e-7, shear=(0.6, 0.7))
    for theory in ("euler-bernoulli", "timoshenko"):
        mesh = mesh_of([[0, 0, 0], [L, 0, 0]], section, Material("", E, nu, 2700.0), 1, theory=theory)
        loads = np.eye(6) * [F, F, F, 1.0, 1.0, 1.0]
        found = np.linalg.solve(mesh.stiffness[6:, 6:], loads)
        G, stout = E / (2.0 * (1.0 + nu)), theory == "timoshenko"
        right = [
            F * L / (E * section.area),
            F * L**3 / (3.0 * E * section.Iz) + stout * F * L / (0.6 * G * section.area),
            F * L**3 / (3.0 * E * section.Iy) + stout * F * L / (0.7 * G * section.area),
            L / (G * section.J),
            L / (E * section.Iy),
            L / (E * section.Iz),
        ]
        np.testing.assert_allclose(np.diag(found), right, rtol=1e-12)


def test_timoshenko_converges_with_the_square():
    given = ORACLE["timoshenko_pinned_pinned"]
    i = given["inputs"]
    b, h = i["width"], i["height"]
    section = Section(b * h, h * b**3 / 12.0, b * h**3 / 12.0, 1e-5, shear=(i["shear_coefficient"],) * 2)
    first = []
    for elements in (8, 16, 32, 64):
        material = Material("", i["E"], i["nu"], i["rho"])
        mesh = mesh_of([[0, 0, 0], [i["L"], 0, 0]], section, material, elements, theory="timoshenko")
        pinned = {1, mesh.size - 5}  # no displacement at the ends
        at = [k for k in range(mesh.size) if k % 6 in (1, 5) and k not in pinned]
        first.append(hz(mesh.stiffness[np.ix_(at, at)], mesh.mass[np.ix_(at, at)])[:3])
    first = np.array(first)
    errors = np.abs(first / given["freq_hz"] - 1.0)
    assert np.log2(errors[:-1] / errors[1:])[-1] == pytest.approx(2.0, abs=0.05)
    np.testing.assert_allclose((4.0 * first[-1] - first[-2]) / 3.0, given["freq_hz"], rtol=2e-6)


def test_a_portal_frame():
    """Two columns and a beam, feet clamped: the second foot is a node like any other until it is held."""
    given = ORACLE["portal_frame"]
    i = given["inputs"]
    section = Section(i["A"], i["I_both"], i["I_both"], i["J"])
    material = Material("", i["E"], 0.3, i["rho"])
    corners = [[0, 0, 0], [0, i["height"], 0], [i["width"], i["height"], 0], [i["width"], 0, 0]]
    mesh = mesh_of(corners, section, material, 16, rotary=False)
    at = slice(6, mesh.size - 6)
    np.testing.assert_allclose(hz(mesh.stiffness[at, at], mesh.mass[at, at])[:3], given["freq_hz"], rtol=1e-5)


def test_mass_of_the_elements_is_that_of_the_beam():
    """Against the rigid body that the model makes of it: a rigid motion has the same energy."""
    rng = np.random.default_rng(0)
    points = np.cumsum(rng.uniform(-0.5, 0.5, (4, 3)), axis=0)
    section = Section(3e-4, 4e-8, 9e-8, 1e-7)
    beam = beam_of(points, section, Material("", 7e10, 0.3, 2700.0), 3, damping=BeamDamping())
    mesh = BeamMesh.of(beam, np.eye(4), UP)
    for v, w in rng.uniform(-1.0, 1.0, (5, 2, 3)):
        moving = np.concatenate([np.concatenate([v + np.cross(w, node), w]) for node in mesh.nodes])
        rigid = beam.mass
        at = v + np.cross(w, rigid.com)
        right = 0.5 * rigid.mass * at @ at + 0.5 * w @ rigid.inertia @ w
        assert 0.5 * moving @ mesh.mass @ moving == pytest.approx(right, rel=1e-12)
