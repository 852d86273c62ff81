"""An arm with sliders, as `arm.show` draws it: links where `arm.pose` has them, loops closed, ellipsoids true."""

import numpy as np
import pytest

import torsor
from torsor.errors import LoopOpen

ARMS = ("planar2", "ur5", "puma560")
LOOPED = ("delta", "asea-irb")


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    folder, known = tmp_path_factory.mktemp("arms"), {}

    def shown(name):
        if name not in known:
            known[name] = torsor.load(name), folder / f"{name}.html"
            known[name][0].show(file=known[name][1])
        return known[name]

    return shown


def assert_drawn(page, arm, q):
    """Every link as `arm.pose` says; arms with loops are asked as the tree that they are."""
    tree, found = (arm.tree if arm.model.loops else arm), page.poses()
    assert set(found) == {link.name for link in arm.model.links}
    for name, T in found.items():
        np.testing.assert_allclose(T, tree.pose(q, frame=name), atol=1e-6)


def assert_ellipsoid(page, arm):
    """What is drawn has the proportions and the axes of the Jacobian's singular values, at the tool."""
    page.run("document.getElementById('layer-manipulability').click()")
    page.frame()
    x = page.q() if not arm.model.loops else arm.closure.free_of(page.q())
    J = arm.jacobian(x)[:3]
    script = """
        const layer = torsor.view.layers.find((each) => each.key === "manipulability");
        return layer.ball.matrix.clone().transpose().toArray();
    """
    drawn = np.reshape(page.run(script), (4, 4))
    np.testing.assert_allclose(drawn[:3, 3], arm.pose(x)[:3, 3], atol=1e-6)
    wanted = np.sort(np.linalg.svd(J, compute_uv=False))
    found = np.sort(np.linalg.norm(drawn[:3, :3], axis=0))
    thick = wanted / wanted.max() > 0.02  # the page draws flat ones a little thicker
    np.testing.assert_allclose((found / found.max())[thick], (wanted / wanted.max())[thick], atol=1e-6)
    U, sizes, _ = np.linalg.svd(J)
    along = (drawn[:3, :3] / found.max()).T @ U  # an axis that is drawn lies along one of U, up to its sign
    np.testing.assert_allclose(np.sort(np.linalg.norm(along[:, : len(sizes)], axis=0)), found / found.max(), atol=1e-6)
    page.run("document.getElementById('layer-manipulability').click()")


def assert_layers(page):
    """All of the legend at once, and no word cut off at the edge."""
    page.run("document.querySelectorAll('.legend input').forEach((box) => box.click())")
    page.frame()
    assert page.run("return document.querySelectorAll('.label').length") > 5
    outside = """
        const { right, bottom } = document.getElementById("arm").getBoundingClientRect();
        return [...document.querySelectorAll(".label.beside")].filter((label) => label.style.visibility === "visible")
          .map((label) => label.getBoundingClientRect()).filter((box) => box.right > right + 1).length;
    """
    assert page.run(outside) == 0
    page.run("document.querySelectorAll('.legend input').forEach((box) => box.click())")


@pytest.mark.parametrize("name", ARMS)
def test_links_are_drawn_where_they_are(see, shown, name):
    arm, path = shown(name)
    page, rng = see(path), np.random.default_rng(4)
    assert_drawn(page, arm, page.q())
    for q in rng.uniform(-1.5, 1.5, (3, arm.n)):
        assert page.set_q(q)
        np.testing.assert_allclose(page.q(), q, atol=1e-12)
        assert_drawn(page, arm, q)


def test_a_slider_moves_its_joint_by_keyboard(see, shown):
    arm, path = shown("puma560")
    page = see(path)
    page.run("document.getElementById('joint-1').focus()")
    before = page.q()
    from selenium.webdriver.common.keys import Keys

    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT * 3)
    after = page.q()
    assert after[1] > before[1]
    np.testing.assert_array_equal(np.delete(after, 1), np.delete(before, 1))
    assert_drawn(page, arm, after)


def test_nothing_is_drawn_while_nothing_moves(see, shown):
    _, path = shown("puma560")
    page = see(path)
    page.run_async("await new Promise((done) => setTimeout(done, 600))")
    frames = page.run("return torsor.frames")
    page.run_async("await new Promise((done) => setTimeout(done, 400))")
    assert page.run("return torsor.frames") == frames


def test_what_is_drawn_over_a_tree(see, shown):
    arm, path = shown("puma560")
    page = see(path)
    assert_ellipsoid(page, arm)
    assert_layers(page)


@pytest.mark.parametrize("name", LOOPED)
def test_loops_close_where_and_as_the_arm_closes_them(see, shown, name):
    arm, path = shown(name)
    page, rng = see(path), np.random.default_rng(5)
    x0 = arm.closure.free_of(arm.closure.reference)
    free = [arm.tree.joint_names.index(joint) for joint in arm.joint_names]
    for x in x0 + rng.uniform(-0.2, 0.2, (3, arm.n)):
        before = page.q()
        q = before.copy()
        q[free] = x
        try:
            closed = arm.closure.positions(x)
        except LoopOpen:
            assert not page.set_q(q)
            closed = before
        else:
            assert page.set_q(q)
        np.testing.assert_allclose(page.q(), closed, atol=1e-7)
        assert_drawn(page, arm, page.q())


def test_where_loops_do_not_close_the_page_says_so(see, shown):
    arm, path = shown("asea-irb")
    page = see(path)
    before = page.q()
    assert page.run("return document.querySelector('.refused').hidden")
    far = arm.closure.free_of(before)
    far[1] = 2.2
    with pytest.raises(LoopOpen):
        arm.closure.positions(far)
    slide = "const s = document.getElementById('joint-1'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))"
    page.run(slide, float(np.rad2deg(2.2)))
    assert not page.run("return document.querySelector('.refused').hidden")
    np.testing.assert_array_equal(page.q(), before)
    page.run(slide, float(np.rad2deg(before[1] + 0.05)))
    assert page.run("return document.querySelector('.refused').hidden")
    assert page.q()[1] == pytest.approx(before[1] + 0.05)


def test_what_is_drawn_over_a_loop(see, shown):
    arm, path = shown("asea-irb")
    page = see(path)
    assert_ellipsoid(page, arm)
    assert_layers(page)


@pytest.mark.parametrize("name", ["puma560", "ur5"])
def test_joints_hold_the_weight_that_the_arm_says(see, shown, name):
    arm, path = shown(name)
    page, rng = see(path), np.random.default_rng(6)
    page.run("document.getElementById('layer-loads').click()")
    for q in rng.uniform(-1.5, 1.5, (2, arm.n)):
        page.set_q(q)
        assert_loads(page, arm, q, arm.bearing_loads(q, 0.0 * q, 0.0 * q), 1e-9)
    assert " N" in page.run("return document.querySelector('.told').textContent")
    page.run("document.getElementById('layer-loads').click()")
    assert page.run("return document.querySelector('.told').hidden")


def assert_loads(page, arm, q, loads, within):
    """Arrows in base axes against loads (bearings, 6) in link axes, as shares of the largest; drawn as long as told."""
    script = """
        const layer = torsor.view.layers.find((each) => each.key === "loads"), { scale } = layer;
        return layer.drawn.map(({ name, force, moment }, k) => [name, force, moment,
          layer.arrows[k].force.shaft.scale.z / scale.force, layer.arrows[k].force.object.visible]);
    """
    found = page.run(script)
    assert len(found) == len(loads)
    for (name, force, moment, length, visible), load in zip(found, loads, strict=True):
        R = arm.pose(q, frame=name)[:3, :3]
        np.testing.assert_allclose(force, R @ load[:3], atol=within * np.abs(loads[:, :3]).max())
        np.testing.assert_allclose(moment, R @ load[3:], atol=within * np.abs(loads[:, 3:]).max())
        if visible:
            assert length == pytest.approx(np.linalg.norm(force), rel=1e-9)


def test_a_name_is_only_text(see, tmp_path):
    from dataclasses import replace

    hostile = "</script><img src=x onerror=alert(1)>"
    arm = torsor.load("planar2")
    path = tmp_path / "hostile.html"
    torsor.Arm(replace(arm.model, name=hostile)).show(file=path)
    page = see(path)
    assert page.run("return document.querySelectorAll('img').length") == 0
    assert page.run("return document.querySelector('h1').textContent") == hostile
