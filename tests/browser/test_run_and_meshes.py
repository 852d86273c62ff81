"""A run, an arm of meshes, and an exported notebook, as they are drawn."""

import warnings

import numpy as np
import pytest

import torsor
from elastic_arms import bending_fourbar
from scene.solids import ball, binary_stl, box, dae, obj
from torsor.elastic.elastic_kinematics import BentArm, node_displacements
from torsor.motion.commands import Joints, Move, Place

MESHES = {"a.dae": dae(*ball(0.15)), "b.stl": binary_stl(*box(0.1, 0.1, 0.6)), "c.obj": obj(*ball(0.1))}
URDF = """<robot name="meshes">
<link name="base"><visual><geometry><cylinder radius="0.2" length="0.2"/></geometry></visual></link>
<link name="a"><visual><geometry><mesh filename="a.dae"/></geometry></visual>
<visual><origin xyz="0 0 0.4"/><geometry><mesh filename="b.stl"/></geometry></visual></link>
<link name="b"><visual><geometry><mesh filename="c.obj" scale="1 1 -2"/></geometry></visual></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint>
</robot>"""


def test_a_run_moves_as_it_did(see, tmp_path):
    arm = torsor.load("planar2")
    run = torsor.simulate(arm, [0.0, 0.0], q0=[0.4, -0.2], until=0.5)
    run.report(tmp_path / "run.html")
    page = see(tmp_path / "run.html")
    for k in (0, 130, 500):
        page.run("torsor.setTime(arguments[0])", run.time[k])
        np.testing.assert_allclose(page.q(), run.q[k], atol=1e-4)
        for name, T in page.poses().items():
            np.testing.assert_allclose(T, arm.pose(page.q(), frame=name), atol=1e-6)


@pytest.mark.slow
def test_a_run_that_bends(see, tmp_path):
    """With its weight it is drawn where small displacements of the run's own coordinates, exaggerated, have it."""
    run = torsor.simulate(bending_fourbar(modes=4), [0.0], q0=[1.0], until=0.3, elastic=True)
    run.report(tmp_path / "bends.html")
    page, at = see(tmp_path / "bends.html"), run._plant.elastic
    page.run("torsor.bends.setHeavy(true)")
    for k in (0, 130, 300):
        page.run("torsor.setTime(arguments[0])", run.time[k])
        page.frame()
        x, factor, nodes = page.run(
            "const { bending } = torsor.bends; return [bending.x, bending.factor, bending.nodes()];"
        )
        x, q = np.array(x), np.array(page.q())
        np.testing.assert_allclose(x[3:], run.eta[k], atol=1e-3 * np.abs(run.eta).max())
        bent = BentArm.at(at.tree, np.concatenate([q, np.zeros(at.n - 3)]))
        moved = node_displacements(at.tree, q, x)
        for i, mesh in at.tree.meshes.items():
            R, p = bent.bodies[i]
            name = at.tree.tree.bodies[i].name
            np.testing.assert_allclose(nodes[name], mesh.nodes @ R.T + p + factor * moved[name], atol=1e-6)


def test_forces_where_a_loop_is_closed(see, tmp_path):
    """Of a four-bar that falls: what `arm.closure.forces` says, turned into base axes."""
    arm = torsor.load("fourbar")
    run = torsor.simulate(arm, [0.0], q0=arm.closure.free_of(arm.closure.reference), until=0.3)
    run.report(tmp_path / "fourbar.html")
    page, k = see(tmp_path / "fourbar.html"), 200
    page.run("document.getElementById('layer-loads').click()")
    page.run("torsor.setTime(arguments[0])", run.time[k])
    found = page.run("return torsor.view.layers.find((each) => each.key === 'loads').drawn")[-1]
    (loop,) = arm.model.loops
    q = arm.closure.positions(run.q[k])

    def end(frame):
        T = np.eye(4) if frame.link < 0 else arm.tree.pose(q, frame=arm.model.links[frame.link].name)
        return T @ frame.placement

    wanted = end(loop.second)[:3, :3] @ arm.closure.forces(run.q[k], run.qd[k], run.qdd[k])[0, :3]
    assert found["name"] == loop.name
    np.testing.assert_allclose(found["force"], wanted, atol=2e-3 * np.linalg.norm(wanted))
    np.testing.assert_allclose(found["point"], end(loop.first)[:3, 3], atol=1e-4)


@pytest.fixture
def meshed(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    for name, raw in MESHES.items():
        (tmp_path / name).write_bytes(raw)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # continuous joints have no limits to speak of
        return torsor.load(tmp_path / "arm.urdf")


def test_meshes_are_drawn(see, meshed, tmp_path):
    page = see(meshed.show([0.3, 0.5]).save(tmp_path / "arm.html"))
    np.testing.assert_allclose(page.q(), [0.3, 0.5])
    for name, T in page.poses().items():
        np.testing.assert_allclose(T, meshed.pose([0.3, 0.5], frame=name), atol=1e-6)


def test_what_could_not_be_drawn_is_said(see, tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    for name, raw in MESHES.items():
        (tmp_path / name).write_bytes(raw[:40] if name == "b.stl" else raw)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arm = torsor.load(tmp_path / "arm.urdf")
    shown = arm.show([0.3, 0.5])
    page = see(shown.save(tmp_path / "arm.html"))
    assert (
        page.run("return [...document.querySelectorAll('.noted li')].map((note) => note.textContent)")
        == (shown.data["scene"]["notes"])
    )
    assert "b.stl" in shown.data["scene"]["notes"][0]


def test_a_view_that_is_replaced_listens_no_more(see, tmp_path):
    page = see(torsor.load("planar2").show().save(tmp_path / "arm.html"))
    page.run("torsor.view.close()")
    before = page.run("return [torsor.frames, torsor.view.endings.length]")
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    page.run_async("await new Promise((done) => setTimeout(done, 400))")
    assert page.run("return torsor.view.looks.dark") is False
    assert page.run("return [torsor.frames, torsor.view.endings.length]") == before


def test_an_exported_notebook_shows_the_pages(driver, opened, tmp_path):
    """`arm.show()`, `run.animate()` and a verdict, as a notebook keeps them, in one file."""
    arm = torsor.load("planar2")
    run = torsor.simulate(arm, [0.0, 0.0], q0=[0.4, -0.2], until=0.5)
    verdict = torsor.check([Move("joint", Joints((0.1,) * 6, "goal"), Place("tour", 1, 1))], "rl15")
    cells = [arm.show(), arm.show(np.linspace([0.0, 0.0], [1.0, 0.5], 50)), run.animate(), verdict]
    text = "".join(cell._repr_html_() for cell in cells)
    (tmp_path / "notebook.html").write_text(f"<!doctype html><meta charset=utf-8><body>{text}")
    opened.show(tmp_path, lambda: driver.get((tmp_path / "notebook.html").as_uri()))
    wanted = [np.zeros(2), [0.2, 0.1], run.q[run.time.searchsorted(0.4)], None]
    for k, q in enumerate(wanted):
        driver.switch_to.frame(k)
        try:
            driver.execute_async_script("torsor.ready.then(arguments[0])")
            driver.execute_script("torsor.setTime(0.4)")
            if q is not None:
                np.testing.assert_allclose(driver.execute_script("return torsor.q()"), q, atol=1e-3)
            assert driver.execute_script("return torsor.errors") == []
            assert driver.execute_script("return torsor.frames + Number(torsor.view != null)") > 0
        finally:
            driver.switch_to.default_content()
    assert [said for said in driver.get_log("browser") if said["level"] == "SEVERE"] == []
