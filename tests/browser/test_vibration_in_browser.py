"""The report of a vibration: the arm bends as Python has it, swings in its modes, and plots and stops move it."""

import numpy as np
import pytest

import torsor
from torsor.elastic.elastic_kinematics import BentArm, jacobian, node_displacements
from torsor.elastic.elastic_tree import straight
from torsor.scene.drawn_bends import most_bent

PROGRAM = """program swing;
var
joint:far=joint(mainjoint(20, 10, -10, 0, 15));
joint:near=joint(mainjoint(0, 0, 0, 0, 0));
endvar
seq
move ptp far speed_ptp=1 acc_ptp=1 act_rob="lola_15";
move ptp near speed_ptp=1 acc_ptp=1 act_rob="lola_15";
endseq
endprogram
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vibration") / "a_folder_of_a_very_long_name_which_no_phone_shows_in_one_line"
    folder.mkdir()
    (folder / "swing.irl").write_text(PROGRAM)
    found = torsor.vibrate(folder / "swing.irl", "rl15-elastic", shape="ZV", tolerance=2e-5)
    found.report(folder / "vibration.html")
    return found, folder / "vibration.html"


def drawn(page):
    """Coordinates, factor, and nodes as they are drawn."""
    page.frame()
    x, factor, nodes = page.run(
        "const { bending } = torsor.bends; return [bending.x, bending.factor, bending.nodes()];"
    )
    return np.array(x), factor, {name: np.array(each) for name, each in nodes.items()}


def rigid_nodes(tree, q):
    stance = BentArm.at(tree, straight(tree, q))
    return {
        tree.tree.bodies[i].name: mesh.nodes @ stance.bodies[i][0].T + stance.bodies[i][1]
        for i, mesh in tree.meshes.items()
    }


def assert_bent(page, tree):
    """Nodes and links are where small displacements, exaggerated, have them."""
    q = page.q()
    x, factor, nodes = drawn(page)
    moved = node_displacements(tree, q, x)
    assert nodes.keys() == moved.keys() == {"link2", "link4"}
    for name, rest in rigid_nodes(tree, q).items():
        np.testing.assert_allclose(nodes[name], rest + factor * moved[name], atol=1e-6)
    for name, T in page.poses().items():
        if name in nodes:  # its frame is at its far end, and bends; what is drawn of it is where it is clamped
            continue
        J = jacobian(tree, straight(tree, q), name)
        rigid = torsor.load("rl15-elastic").pose(q, frame=name)
        small = factor * (J @ x)
        np.testing.assert_allclose(T[:3, 3], rigid[:3, 3] + small[:3], atol=1e-6)
        np.testing.assert_allclose(T[:3, 2], rigid[:3, 2] + np.cross(small[3:], rigid[:3, 2]), atol=1e-6)
    return x, factor


def test_the_arm_bends_as_python_has_it(see, report):
    found, path = report
    page, elastic = see(path), found.arm.elastic
    for k in (140, 500, 1200):
        page.run("torsor.setTime(arguments[0])", found.time[k])
        x, _ = assert_bent(page, elastic.tree)
        right = found.swing.u[k] - found.swing.hanging(k)
        np.testing.assert_allclose(x[elastic.tree.n :], right, atol=5e-4 * np.abs(found.swing.e).max())
        assert not x[: elastic.tree.n].any()
    page.run("torsor.bends.setHeavy(true); torsor.setTime(arguments[0])", found.time[500])
    x, _ = assert_bent(page, elastic.tree)
    np.testing.assert_allclose(x[elastic.tree.n :], found.swing.e[500], atol=5e-4 * np.abs(found.swing.e).max())
    page.run("torsor.bends.setHeavy(false)")


def test_how_much_is_chosen_and_said(see, report):
    found, path = report
    page = see(path)
    page.run("torsor.setTime(arguments[0])", found.time[500])
    proposed = page.run("return torsor.bends.bending.factor")
    told = "return document.querySelector('.exaggerated').textContent"
    assert page.run(told) == f"bent {proposed:g} times as much as it is"
    for factor in (1.0, 1000.0):
        script = "const e = document.getElementById('exaggeration'); e.value = arguments[0];"
        page.run(f"{script} e.dispatchEvent(new Event('input'))", np.log10(factor))
        found_factor = assert_bent(page, found.arm.elastic.tree)[1]
        assert found_factor == pytest.approx(min(factor, 20.0 * proposed))
    page.run("torsor.bends.setFactor(arguments[0])", proposed)
    shadow = "return torsor.view.shadow_.visible"
    assert page.run(shadow) is True
    page.run("document.getElementById('bends-rigid').click()")
    assert page.run(shadow) is False
    page.run("document.getElementById('bends-rigid').click()")


def test_what_bends_is_drawn_through_its_nodes(see, report):
    """Vertices of a tube around a node go where the node goes, and keep their distance from it."""
    found, path = report
    page = see(path)
    around = """
        const skin = torsor.bends.bending.skins[0], node = skin.drawn.at(-1);
        torsor.view.world.updateMatrixWorld(true);
        const base = torsor.view.base.matrixWorld.clone().invert();
        const mesh = skin.meshes.find(({ mesh }) => mesh.userData.shape.kind === "capsule").mesh;
        const at = mesh.geometry.attributes.position, point = torsor.view.camera.position.clone();
        const off = Array.from({ length: at.count }, (_, k) =>
          point.fromBufferAttribute(at, k).applyMatrix4(mesh.matrixWorld).applyMatrix4(base)
            .distanceTo({ x: node[0], y: node[1], z: node[2] }));
        return Math.min(...off);
    """
    page.run("torsor.bends.setFactor(1e-6); torsor.setTime(arguments[0])", found.time[500])
    page.frame()
    straight_ = page.run(around)
    page.run("torsor.bends.setFactor(arguments[0])", 100.0)
    page.frame()
    assert page.run(around) == pytest.approx(straight_, rel=0.02)
    page.run("torsor.bends.setFactor(torsor.bends.given.factor)")


def test_it_swings_in_its_modes(see, report):
    found, path = report
    page, elastic = see(path), found.arm.elastic
    stop = found.stops[0]
    page.run("torsor.bends.show(0, 1); torsor.bends.setPhase(0.0)")
    assert page.time() == pytest.approx(stop.end, abs=1e-6)
    q, tree = page.q(), elastic.tree
    mode = elastic.modes(q, 2, drives="held")[1]
    shape = {name: each / most_bent(tree, q, mode.x) for name, each in node_displacements(tree, q, mode.x).items()}
    reach, rest = page.run("return torsor.bends.reach"), rigid_nodes(tree, q)
    assert reach == pytest.approx(0.1 * page.run("return torsor.view.scene.size"))
    for phase in (0.0, np.pi / 2, 4.0):
        page.run("torsor.bends.setPhase(arguments[0])", phase)
        _, _, nodes = drawn(page)
        for name in nodes:
            right = rest[name] + reach * np.sin(phase) * shape[name]
            np.testing.assert_allclose(nodes[name], right, atol=2e-4 * reach)  # q of the page is rounded
        assert_bent(page, tree)
    said = page.run("return document.querySelector('.exaggerated').textContent")
    assert said.startswith(f"mode 2, {mode.frequency:.2f} Hz, shown ")
    assert page.run("return document.querySelectorAll('.modes button')[1].ariaPressed") == "true"
    page.run("torsor.bends.play()")
    page.until("torsor.bends.phase > 4.4")
    page.run("torsor.setTime(0.3)")  # whoever goes on leaves the mode
    assert page.run("return torsor.bends.mode") is None
    x, _ = assert_bent(page, tree)
    assert np.abs(x).max() < 1e-2
    page.run("document.querySelectorAll('.modes button')[0].click()")
    page.until("torsor.bends.phase > 1.7")
    page.run("torsor.bends.back.click()")
    assert page.run("return [torsor.bends.mode, torsor.bends.back.hidden]") == [None, True]


def test_plots_have_both_programs_and_the_moves_beneath(see, report):
    found, path = report
    page = see(path)
    curves = page.run_async("""
        const panel = torsor.plots.groups[0].panels[0], [own, before] = await torsor.plots.of(panel);
        const known = (curve) => [...curve].filter(Number.isFinite);
        return [panel.limits, Math.max(...known(own)), Math.max(...known(before)), panel.series[1].run];
    """)
    limits, after, before, run = curves
    assert limits == [None, pytest.approx(1e3 * found.tolerance)]
    assert after == pytest.approx(1e3 * found.swing.deviation.max(), rel=2e-2)
    assert before == pytest.approx(1e3 * found.before.swing.deviation.max(), rel=2e-2)
    assert run == 1
    assert page.run("return torsor.plots.spans.map((span) => span[2])") == [7, 8]
    page.box("#plots-frequencies")
    page.until("document.querySelector('#plots-frequencies .u-over')")
    lines = "return [...torsor.plots.live].find((each) => each.box.closest('#plots-frequencies')).plot.series.length"
    assert page.run(lines) == 1 + 6


def test_a_stop_of_the_table_goes_there(see, report):
    found, path = report
    page = see(path)
    links = "return [...document.querySelectorAll('.stops [data-time]')].map((link) => +link.dataset.time)"
    assert page.run(links) == [pytest.approx(stop.end, abs=1e-6) for stop in found.stops]
    page.run("document.querySelectorAll('.stops [data-time]')[1].click()")
    assert page.time() == pytest.approx(found.stops[1].end, abs=1e-5)
    page.run("document.getElementById('line7').click()")  # and a line of the program plays
    page.until("torsor.clock.playing || torsor.time() > 0")


def test_colours_may_be_given(see, report, tmp_path):
    """Along the nodes: numbers, as stress at its most, or curves over time."""
    found, _ = report
    from torsor.report.frame import page as html
    from torsor.report.frame import stage
    from torsor.scene.drawn_bends import moving_bends
    from torsor.vibration.shown.vibration_page import document

    made, tree, at = document(found), found.arm.elastic.tree, slice(0, 400)
    zero = np.zeros((400, tree.size))
    ramp = np.linspace(0.0, 50.0, 400)[:, None] * np.ones(9)
    colours = [
        {"name": "most stress", "unit": "MPa", "most": 80.0, "links": {"link2": np.arange(9.0), "link4": [np.nan] * 9}},
        {"name": "stress", "unit": "MPa", "most": 80.0, "links": {"link2": ramp}},
    ]
    given = [found.time[at], found.swing.q[at], zero, zero]
    bends = moving_bends(found.arm.model, tree, *given, size=1.0, modes=[], colours=colours)
    (tmp_path / "page.html").write_text(html("colours", [stage()], made | {"bends": bends}))
    page = see(tmp_path / "page.html")
    told = "const { values, most } = torsor.bends.bending; return [values[1], most];"
    page.run("torsor.bends.setColour(1)")
    assert page.run(told) == [list(range(9)), 80.0]
    page.run("torsor.bends.setColour(2); torsor.setTime(arguments[0])", found.time[200])
    values, _ = page.run(told)
    np.testing.assert_allclose(values, ramp[200], atol=0.02)
    assert page.run("return document.querySelector('.key').textContent") == "stress 080.00 MPa"
    options = "return [...document.getElementById('bends-by').options].map(({ text }) => text)"
    assert page.run(options) == ["swings by", "most stress", "stress"]


def test_an_arm_at_one_posture(see, tmp_path):
    arm = torsor.load("ur5-elastic")
    q = np.array([0.3, -0.9, 1.2, -0.4, 0.5, 0.2])
    page = see(arm.show(q, bent=True).save(tmp_path / "bent.html"))
    _, factor, nodes = drawn(page)
    np.testing.assert_allclose(page.q(), q)
    right = arm.elastic.deflection(q)
    for name, rest in rigid_nodes(arm.elastic.tree, q).items():
        # statics have shapes of their own, motion has five: near, not the same
        np.testing.assert_allclose(
            (nodes[name] - rest) / factor, right.nodes[name], atol=2e-2 * np.abs(right.tool).max()
        )
    assert page.run("return document.querySelectorAll('.slider').length") == 1
    page = see(arm.show(q, mode=2).save(tmp_path / "mode.html"))
    assert page.run("return torsor.bends.mode.k") == 1


def test_a_loop_swings_closed(see, tmp_path):
    """SIMASEA's arm in a mode: beams of its loop too are where Python has them, passive joints moved along."""
    arm = torsor.load("asea-irb")
    q = np.radians([45.46, 106.92, -165.0, 60.0, 40.0, 131.95])
    page = see(arm.show(q, mode=3).save(tmp_path / "asea.html"))
    page.run("torsor.bends.setPhase(Math.PI / 2)")
    x, factor, nodes = drawn(page)
    held = arm.elastic.at(q, drives="held")
    assert np.abs(x[: held.tree.n]).max() > 0.0
    moved, rest = node_displacements(held.tree, held.q, x), rigid_nodes(held.tree, held.q)
    assert nodes.keys() == moved.keys()
    for name in nodes:
        np.testing.assert_allclose(nodes[name], rest[name] + factor * moved[name], atol=1e-6)


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_is_wider_than_a_phone(see, report, width):
    _, path = report
    page = see(path)
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wide = f"""
        return [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > {width})
          .map((each) => each.cloneNode().outerHTML.slice(0, 120));
    """
    page.until(f"innerWidth === {width} && document.documentElement.scrollWidth <= {width}", otherwise=wide)


def test_paper_and_dark(see, report):
    _, path = report
    page = see(path)
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.until("document.querySelectorAll('.plot canvas').length >= 5")
    assert page.run("return document.querySelectorAll('.pictures canvas').length") == 3
    page.run("dispatchEvent(new Event('afterprint'))")
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    page.frame()
    assert page.run("return torsor.view.looks.dark") is True
    coloured = "return torsor.bends.bending.skins[0].meshes.some(({ mesh }) => mesh.material.vertexColors)"
    assert page.run(coloured) is True
    page.run("document.getElementById('bends-colour').click()")
    assert page.run(coloured) is False
    page.run("document.getElementById('bends-colour').click()")


def test_all_of_it_is_reached_by_keyboard_and_has_a_name(see, report):
    _, path = report
    page = see(path)
    missing = """
        const named = (each) =>
          each.getAttribute("aria-label") || each.textContent.trim() || each.title || each.labels?.length;
        const asked = "button, select, input, canvas[tabindex], [role=img], [role=group], summary, a";
        const lost = (each) => each.tabIndex < 0 && each.matches("button, select, input, a");
        return [...document.querySelectorAll(asked)].filter((each) => !named(each) || lost(each))
          .map((each) => each.outerHTML.slice(0, 80));
    """
    assert page.run(missing) == []


def test_who_asked_for_less_motion_sees_a_mode_stand_still(see, report):
    _, path = report
    page = see(path)
    calm = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", calm)
    page.run("torsor.bends.show(0, 0)")
    page.frame()
    assert page.run("return [torsor.bends.held, torsor.bends.phase]") == [True, pytest.approx(np.pi / 2)]
    page.run("torsor.bends.end()")
