"""Pages of studies: the cloud is where the runs were, pictures leave nothing out without a word."""

import json
import re

import numpy as np
import pytest

import torsor
from report.unpacking import unpack
from torsor.study import Grid1D, QuantityBase, Study, opened
from torsor.study.shown.over_steps import over_steps
from torsor.study.shown.parallel_coordinates import parallel
from torsor.study.shown.reached_space import in_plane, in_space
from torsor.study.shown.study_figures import CLOUD, by_lot, figure_of


@pytest.fixture(scope="module")
def postures():
    base = QuantityBase.of("puma560", quantities=("manipulability",))
    return Study(base, base.whole("joint1", "joint2", "joint3"), 500, "sobol", name="postures")


def document(path):
    found = re.search(r'<script type="application/json" id="torsor">(.*?)</script>', path.read_text())
    return json.loads(found[1])


def test_the_page_has_a_point_for_each_run_and_the_arm(postures, tmp_path):
    result = postures.run()
    result.report(tmp_path / "a.html")
    drawn = document(tmp_path / "a.html")
    assert [each["name"] for each in drawn["clouds"]] == ["manipulability"]
    cloud = drawn["clouds"][0]
    q = np.column_stack([result[f"q.joint{k}"] for k in (1, 2, 3)] + [np.zeros(500)] * 3)
    at = torsor.load("puma560").pose(q)[:, :3, 3]
    for own, want in zip(cloud["points"], at.T, strict=True):
        assert np.allclose(unpack(own), want, atol=2e-3)  # as fine as curves are packed
    assert np.allclose(unpack(cloud["values"]), result["manipulability"], atol=1e-3)
    assert [link["name"] for link in drawn["scene"]["links"]] == [f"link{k}" for k in range(1, 7)]


def test_results_from_a_folder_have_the_cloud_without_the_arm(postures, tmp_path):
    assert postures.run(tmp_path / "kept").base is postures.base
    opened(tmp_path / "kept").report(tmp_path / "a.html")
    drawn = document(tmp_path / "a.html")
    assert drawn["scene"]["links"] == []
    assert drawn["clouds"][0]["points"][0]["count"] == 500


def test_a_tool_in_a_plane_is_drawn_in_it():
    base = QuantityBase.of("planar2")
    result = Study(base, base.whole(), 2000, "sobol").run()
    assert in_space(result) is None
    assert len(list(in_plane(result))) == 1


def test_what_is_drawn_of_many_meets_no_pattern():
    """Steps of ten through Sobol's points would show half of a range."""
    base = QuantityBase.of("planar2")
    result = Study(base, base.whole(), 20_000, "sobol").run()
    shown = result["q.joint1"][by_lot(result.runs, 2000)]
    whole = result["q.joint1"]
    assert np.allclose([shown.min(), shown.max()], [whole.min(), whole.max()], atol=0.02)
    assert len(np.unique(by_lot(10**9, CLOUD))) == CLOUD


def test_parallel_coordinates_say_what_they_leave_out():
    base = QuantityBase.of("planar2")
    result = Study(base, base.whole(), 3000, "sobol").run()
    axes = figure_of(parallel(result, "manipulability")).axes[0]
    assert axes.get_title(loc="left") == "every run a line, coloured by manipulability (2000 of 3000 runs)"
    said = [label.get_text() for label in axes.get_xticklabels()]
    assert said == ["q.\njoint1\nrad", "q.\njoint2\nrad", "manipulability", "x\nm", "y\nm", "r\nm", "reach\nm"]  # no z
    beside = {text.get_text() for text in axes.texts}
    assert {"-3.14", "3.14"} <= {f"{float(each):.3g}" for each in beside}  # of all runs, not of those drawn


def test_grids_are_drawn_over_their_steps():
    base = QuantityBase.of("planar2")
    one = Study(base, {"q.joint2": Grid1D(0.1, 3.0, 7)}).run()
    axes = figure_of(over_steps(one, ["manipulability"])[0]).axes[0]
    assert axes.get_xlabel() == "q.joint2 (rad)"
    assert np.allclose(axes.lines[0].get_ydata(), np.sin(one["q.joint2"]))  # l1 l2 sin q2
    two = Study(base, {"q.joint1": Grid1D(0.0, 1.0, 3), "q.joint2": Grid1D(0.1, 3.0, 4)}).run()
    axes = figure_of(over_steps(two, ["manipulability"])[0]).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("q.joint1 (rad)", "q.joint2 (rad)")
