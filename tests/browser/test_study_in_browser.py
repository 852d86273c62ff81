"""The cloud of a map: it stands where the tool was, is coloured by what was asked, and is cut open."""

import numpy as np
import pytest

from torsor.study import QuantityBase, Study


@pytest.fixture(scope="module")
def mapped(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "map.html"
    base = QuantityBase.of("puma560", quantities=("manipulability", "reach"))
    outputs = ("manipulability", "payload", "x", "y", "z")
    result = Study(base, base.whole("joint1", "joint2", "joint3"), 400, "sobol", outputs=outputs).run()
    result.report(path)
    return result, path


def test_points_are_drawn_where_the_tool_was(mapped, see):
    result, path = mapped
    page = see(path)
    drawn = page.run("return [...torsor.cloud.dots.geometry.attributes.position.array]")
    want = np.column_stack([result[axis] for axis in "xyz"])
    np.testing.assert_allclose(np.reshape(drawn, (-1, 3)), want, atol=2e-3)
    assert page.run("return torsor.frames") > 0


def test_it_is_coloured_by_what_is_chosen(mapped, see):
    result, path = mapped
    page = see(path)
    green = "return [...torsor.cloud.dots.geometry.attributes.color.array].filter((_, k) => k % 3 === 1)"
    for k, name in enumerate(("manipulability", "payload")):
        page.run("torsor.cloud.show(arguments[0])", k)
        low, high = np.quantile(result[name], (0.02, 0.98))
        shares = np.clip((result[name] - low) / (high - low), 0.0, 1.0)
        order = np.argsort(shares, kind="stable")
        shown = np.array(page.run(green))[order]
        assert (np.diff(shown) > -1e-3).all(), "more is brighter"
        assert page.run("return document.querySelector('.key').textContent").startswith(name)


def test_the_slider_cuts_it_and_the_choice_leaves_it_whole(mapped, see):
    _, path = mapped
    page = see(path)
    where = page.run("""
        const slider = document.getElementById("cloud-at");
        slider.value = 0.25 * slider.max;
        slider.dispatchEvent(new Event("input"));
        const { plane, low, high } = torsor.cloud;
        return [plane.normal.toArray(), plane.constant, low[1] + 0.25 * (high[1] - low[1])];
    """)
    assert where[0] == [0, 1, 0]
    assert -where[1] == pytest.approx(where[2])
    planes = page.run("""
        const choice = document.getElementById("cloud-cut");
        choice.selectedIndex = 3;
        choice.dispatchEvent(new Event("change"));
        return torsor.cloud.material.clippingPlanes.length;
    """)
    assert planes == 0
