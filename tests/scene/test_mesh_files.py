"""Meshes of every format: their volumes by closed form, their corners as coal reads them, and what hostile files do."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import coal
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from scene.solids import WRITERS, area, ascii_stl, ball, binary_stl, box, dae, obj, volume
from torsor.model import mesh_reading
from torsor.model.collada import read_dae
from torsor.model.triangles import MeshRefused, Triangles
from torsor.model.urdf import read_urdf
from torsor.scene import mesh_files
from torsor.scene.composing import scene_of
from torsor.scene.drawn_meshes import packed_mesh, thinned
from torsor.scene.mesh_files import read_meshes

SOLIDS = {"box": (*box(0.1, 0.2, 0.3), 0.006, 0.22), "ball": (*ball(0.5), np.pi / 6, np.pi)}


@pytest.mark.parametrize("solid", SOLIDS)
@pytest.mark.parametrize("file", WRITERS)
def test_volume_area_and_extent(tmp_path, file, solid):
    corners, triangles, V, A = SOLIDS[solid]
    (tmp_path / file).write_bytes(WRITERS[file](corners, triangles))
    found, said = read_meshes([tmp_path / file])
    ((mesh,),) = found.values()
    assert said == []
    # a ball of facets is smaller than the ball: by about (pi / 60)^2
    tolerance = 1e-6 if solid == "box" else 3e-3
    assert volume(mesh.corners, mesh.triples) == pytest.approx(V, rel=tolerance)
    assert area(mesh.corners, mesh.triples) == pytest.approx(A, rel=tolerance)
    np.testing.assert_allclose(np.ptp(mesh.corners, axis=0), np.ptp(corners, axis=0), rtol=1e-6)
    assert len(mesh.corners) == len(np.unique(corners.round(7), axis=0))  # each corner once


@pytest.mark.parametrize("file", WRITERS)
def test_corners_are_those_that_coal_reads(tmp_path, file):
    corners, triangles = ball(0.3, 8)
    (tmp_path / file).write_bytes(WRITERS[file](corners + 1.0, triangles))
    ((mine,),) = read_meshes([tmp_path / file])[0].values()
    theirs = coal.MeshLoader().load(str(tmp_path / file), np.ones(3)).vertices()
    apart = cdist(mine.corners, theirs)
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 1e-6


@pytest.mark.parametrize("kind", ["triangles", "polylist", "polygons"])
def test_collada_places_and_scales(kind):
    corners, triangles = box(100.0, 200.0, 300.0)
    node = "<translate>1000 0 0</translate><rotate>0 0 2 90</rotate><scale>2 1 1</scale>"
    (mesh,) = read_dae(dae(corners, triangles, unit=0.001, node=node, kind=kind))
    # 100 mm doubled lie along y after the turn, the middle is a metre out on x
    np.testing.assert_allclose(mesh.corners.min(axis=0), [0.9, -0.1, -0.15], atol=1e-12)
    np.testing.assert_allclose(mesh.corners.max(axis=0), [1.1, 0.1, 0.15], atol=1e-12)
    assert volume(mesh.corners, mesh.triples) == pytest.approx(0.012)
    assert mesh.color == (1.0, 0.5, 0.0, 1.0)


def test_collada_matrices_and_nodes_within_nodes():
    corners, triangles = box(1.0, 1.0, 1.0)
    matrix = "<matrix>0 -1 0 5  1 0 0 0  0 0 1 0  0 0 0 1</matrix>"
    inner = '<node><translate>2 0 0</translate><instance_geometry url="#solid"/></node>'
    first, second = read_dae(dae(corners, triangles, node=matrix, inner=inner))
    np.testing.assert_allclose(first.corners.mean(axis=0), [5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(second.corners.mean(axis=0), [5, 2, 0], atol=1e-12)
    assert second.color is None


@pytest.mark.parametrize("up", ["X_UP", "Y_UP", "Z_UP"])
def test_the_up_axis_changes_nothing_as_in_other_readers_of_urdf(tmp_path, up):
    corners, triangles = box(1.0, 2.0, 3.0)
    (tmp_path / "a.dae").write_bytes(dae(corners, triangles, up=up))
    (mesh,) = read_dae((tmp_path / "a.dae").read_bytes())
    theirs = coal.MeshLoader().load(str(tmp_path / "a.dae"), np.ones(3)).vertices()
    np.testing.assert_allclose(np.ptp(mesh.corners, axis=0), [1, 2, 3])
    np.testing.assert_allclose(np.ptp(theirs, axis=0), [1, 2, 3])


def test_obj_polygons_and_indices_from_the_end():
    text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4/1/1 -3/1/1 \\\n -2/1/1 -1/1/1\n"
    (mesh,) = mesh_reading.read_obj(text)
    assert area(mesh.corners, mesh.triples) == pytest.approx(1.0)


def test_binary_files_may_begin_as_text_does(tmp_path):
    corners, triangles = box(1, 1, 1)
    (tmp_path / "a.stl").write_bytes(binary_stl(corners, triangles, b"solid by a careless exporter"))
    ((mesh,),) = read_meshes([tmp_path / "a.stl"])[0].values()
    assert volume(mesh.corners, mesh.triples) == pytest.approx(1.0)


SMALL = box(1, 1, 1)
HOSTILE = {
    "empty.stl": b"",
    "short.stl": binary_stl(*SMALL)[:-10],
    "count.stl": binary_stl(*SMALL)[:80] + b"\xff\xff\xff\xff" + binary_stl(*SMALL)[84:],
    "nan.stl": binary_stl(SMALL[0] * np.nan, SMALL[1]),
    "huge.stl": binary_stl(SMALL[0] * 1e30, SMALL[1]),
    "words.stl": ascii_stl(*SMALL).replace(b"0.5", b"half"),
    "inf.stl": ascii_stl(*SMALL).replace(b"0.5", b"1e999"),
    "cut.stl": ascii_stl(*SMALL)[:130],
    "flat.stl": binary_stl(0.0 * SMALL[0], SMALL[1]),
    "index.obj": obj(*SMALL) + b"f 1 2 99\n",
    "negative.obj": obj(*SMALL) + b"f -1 -2 -99\n",
    "zero.obj": obj(*SMALL) + b"f 0 1 2\n",
    "words.obj": obj(*SMALL) + b"v one two three\n",
    "line.obj": b"v 1 2\n",
    "points.obj": b"v 1 2 3\n",
    "face.obj": b"v 1 2 3\nf\n",
    "not.dae": b"<COLLADA",
    "other.dae": b"<robot/>",
    "laughs.dae": b'<!DOCTYPE a [<!ENTITY b "c">]><COLLADA>&b;</COLLADA>',
    "outside.dae": b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><COLLADA/>',
    "encoding.dae": b'<?xml version="1.0" encoding="nobody-has-it"?><COLLADA/>',
    "index.dae": dae(SMALL[0], SMALL[1] + 5),
    "words.dae": dae(*SMALL).replace(b"0.5", b"half"),
    "array.dae": dae(*SMALL).replace(b'stride="3"', b'stride="-3"'),
    "stride.dae": dae(*SMALL).replace(b'stride="3"', b'stride="99999999999999999999"'),
    "offset.dae": dae(*SMALL).replace(b'offset="1"', b'offset="-7"'),
    "vcount.dae": dae(*SMALL, kind="polylist").replace(b"<vcount>3", b"<vcount>300000000"),
    "unit.dae": dae(*SMALL).replace(b'meter="1.0"', b'meter="nan"'),
    "matrix.dae": dae(*SMALL, node="<matrix>1 2 3</matrix>"),
    "round.dae": dae(*SMALL, inner='<instance_node url="#outer"/>'),
    "twice.dae": dae(*SMALL, inner='<instance_node url="#outer"/>' * 9),
    "deep.dae": dae(*SMALL, inner="<node>" * 5000 + "</node>" * 5000),
    "mesh.step": b"ISO-10303-21;",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_read_is_said_and_nothing_more(tmp_path, name):
    (tmp_path / name).write_bytes(HOSTILE[name])
    found, said = read_meshes([tmp_path / name])
    assert found == {}
    assert len(said) == 1
    assert said[0].startswith(f"mesh {name} ")
    assert said[0].endswith("; its link is drawn plainly")


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*WRITERS]), st.integers(0, 3000), st.binary(min_size=1, max_size=12))
@example("binary.stl", 128, b"\x00\x00\x81\x7f")  # a NaN that signals
def test_damaged_files_are_read_or_refused(name, at, damage):
    raw = bytearray(WRITERS[name](*SMALL))
    raw[at : at + len(damage)] = damage
    try:
        parts = mesh_reading.READERS[Path(name).suffix](bytes(raw))
    except MeshRefused:
        return
    assert all(np.isfinite(part.corners).all() for part in parts)


def test_a_mesh_that_is_too_large_or_gone_is_said(tmp_path, monkeypatch):
    (tmp_path / "a.stl").write_bytes(binary_stl(*SMALL))
    monkeypatch.setattr(mesh_reading, "LARGEST_MESH", 100)
    found, said = read_meshes([tmp_path / "a.stl", tmp_path / "b.stl"])
    assert found == {}
    assert said == [
        "mesh a.stl has more than 0 MB; its link is drawn plainly",
        "mesh b.stl cannot be read: No such file or directory; its link is drawn plainly",
    ]


def test_thinning_keeps_the_shape():
    corners, triangles = ball(1.0, 100)
    mesh = Triangles(corners, triangles)
    few = thinned(mesh, 5000)
    assert 500 < len(few.triples) <= 5000
    assert np.abs(np.linalg.norm(few.corners, axis=1) - 1.0).max() < 0.01
    assert volume(few.corners, few.triples) == pytest.approx(4 / 3 * np.pi, rel=0.03)
    assert thinned(mesh, 10**6) is mesh


def test_many_triangles_are_thinned_and_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(mesh_files, "MOST_DRAWN", 2000)
    (tmp_path / "a.stl").write_bytes(binary_stl(*ball(1.0, 40)))
    found, said = read_meshes([tmp_path / "a.stl"])
    ((mesh,),) = found.values()
    assert len(mesh.triples) <= 2000
    assert said == [f"mesh a.stl has 6240 triangles and is drawn with {len(mesh.triples)}"]


def unpacked(mesh):
    """Corners and triangles as the page has them."""
    raw = {name: zlib.decompress(base64.b64decode(mesh[name])) for name in ("vertices", "triangles")}
    share = np.frombuffer(raw["vertices"], "<u2").reshape(-1, 3) / 65535
    low, high = np.array(mesh["low"]), np.array(mesh["high"])
    return low + share * (high - low), np.frombuffer(raw["triangles"], "<u4").reshape(-1, 3)


def test_packed_meshes_are_off_by_less_than_a_hundred_thousandth():
    corners, triangles = ball(0.7)
    mine, triples = unpacked(packed_mesh(Triangles(corners, triangles)))
    assert np.abs(mine - corners).max() < 1e-5 * 1.4
    np.testing.assert_array_equal(triples, triangles)


URDF = """<robot name="arm"><material name="blue"><color rgba="0 0 1 0.5"/></material>
<link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
<link name="a"><visual><origin xyz="0 0 1"/><geometry><mesh filename="a.dae" scale="2 2 2"/></geometry></visual>
<visual><geometry><mesh filename="a.dae"/></geometry><material name="blue"/></visual></link>
<link name="b"><visual><geometry><mesh filename="bad.stl"/></geometry></visual></link>
<link name="c"/>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="j3" type="fixed"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/></joint></robot>"""


def test_visuals_of_a_urdf_in_a_scene(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "a.dae").write_bytes(dae(*box(0.1, 0.2, 0.3)))
    (tmp_path / "bad.stl").write_bytes(b"nothing")
    scene = scene_of(read_urdf(tmp_path / "arm.urdf"))
    a, b, c = scene["links"]
    first, second = a["shapes"]
    assert (first["kind"], first["mesh"], first["scale"], first["color"]) == ("mesh", 0, [2.0, 2.0, 2.0], "#ff8000")
    assert (second["mesh"], second["color"], second["opacity"]) == (0, "#0000ff", 0.5)  # the URDF's colour wins
    assert first["T"][11] == 1.0
    assert len(scene["meshes"]) == 1
    assert volume(*unpacked(scene["meshes"][0])) == pytest.approx(0.006, rel=1e-4)
    assert {shape["kind"] for shape in b["shapes"]} <= {"capsule", "cylinder", "sphere"}  # plainly
    assert b["shapes"]
    assert c["shapes"] == []
    assert [shape["kind"] for shape in scene["base_shapes"]] == ["box"]
    assert scene["notes"] == [
        "mesh bad.stl says that it has 0 triangles, and ends before them; its link is drawn plainly"
    ]
