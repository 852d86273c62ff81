"""``arm.show``, ``run.animate``, ``run.report``: what is on the page is what the arm does."""

from __future__ import annotations

import html
import json
import re
import webbrowser
from dataclasses import replace

import numpy as np
import pytest

import torsor
from elastic_arms import bending_fourbar
from report.unpacking import unpack
from scene.drawn import Drawn
from torsor import Arm
from torsor.errors import LoopOpen, ShapeError, TorsorError, Unsupported


@pytest.fixture(scope="module")
def planar():
    return torsor.load("planar2")


@pytest.fixture(scope="module")
def run(planar):
    law = torsor.control.pd_gravity(planar, 50.0, 10.0, [0.5, -0.3])
    return torsor.simulate(planar, law, q0=[0.0, 0.0], until=1.0)


def document(page: str) -> dict:
    """The data that stands in a page."""
    found = re.findall(r'<script type="application/json" id="torsor">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    return json.loads(found[0])


def joints_of(motion):
    return np.stack([unpack(joint) for joint in motion["joints"]], axis=-1)


def test_sliders_alone(planar):
    shown = planar.show()
    assert shown.data["kind"] == "arm"
    assert shown.data["motions"] == []
    assert document(shown.html)["scene"]["name"] == "planar2"
    assert repr(shown) == "<Display planar2: 0 motions>"


def test_at_a_posture(planar):
    scene = planar.show([0.3, -0.4]).data["scene"]
    assert [joint["home"] for joint in scene["joints"]] == [0.3, -0.4]
    np.testing.assert_allclose(Drawn(scene).frame(scene["tool"]), planar.pose([0.3, -0.4]), atol=1e-14)


def test_through_many(planar):
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (200, 2))
    shown = planar.show(q)
    (motion,) = shown.data["motions"]
    assert np.abs(joints_of(motion) - q).max() < 1e-4 * 6.0
    time = unpack(motion["time"])
    assert (time[0], time[-1]) == (0.0, pytest.approx(0.02 * 199))
    assert shown.data["end"] == pytest.approx(time[-1])
    (motion,) = planar.show(q[:3], time=[0.0, 1.0, 5.0]).data["motions"]
    np.testing.assert_allclose(unpack(motion["time"]), [0, 1, 5], atol=1e-3)


def test_with_loops_all_joints_of_the_tree_move():
    arm = torsor.load("fourbar")
    x = np.linspace(0.2, 1.5, 40)[:, None]
    shown = arm.show(x)
    (motion,) = shown.data["motions"]
    q = joints_of(motion)
    np.testing.assert_allclose(q, arm.closure.positions(x), atol=1e-3)
    at = Drawn(shown.data["scene"], arm.closure.positions(x[7]))
    (loop,) = shown.data["scene"]["loops"]
    np.testing.assert_allclose(at.frame(loop["first"])[:3, 3], at.frame(loop["second"])[:3, 3], atol=1e-12)


@pytest.mark.parametrize("q", [[0.0], [[0.0, np.nan]], np.zeros((2, 2, 2)), np.zeros((0, 2)), [np.inf, 0.0]])
def test_what_is_no_posture_is_refused(planar, q):
    with pytest.raises(ShapeError):
        planar.show(q)


@pytest.mark.parametrize("time", [[0.0], [0.0, np.nan], [1.0, 0.0]])
def test_times_fit_their_postures(planar, time):
    with pytest.raises(ShapeError, match=r"\(2,\) in s"):
        planar.show(np.zeros((2, 2)), time=time)


@pytest.mark.parametrize("q", [[3.0, 0.0, 0.0], [[0.3, 0.3, 0.3], [3.0, 0.0, 0.0]]])
def test_a_loop_that_does_not_close_is_not_shown(q):
    with pytest.raises(LoopOpen):
        torsor.load("delta").show(q)


def test_a_notebook_holds_the_same_page(planar):
    shown = planar.show()
    frame = shown._repr_html_()
    (inside,) = re.findall(r'<iframe srcdoc="([^"]*)"', frame)
    assert html.unescape(inside) == shown.html


def test_names_are_text_on_the_page(planar):
    model = replace(planar.model, name='</script><script>alert("1")</script>')
    page = Arm(model).show().html
    assert "<script>alert" not in page
    assert document(page)["title"] == model.name
    assert "<script>alert" not in Arm(model).show()._repr_html_()


def test_files_appear_whole(planar, tmp_path):
    path = tmp_path / "arm.html"
    shown = planar.show(file=path)
    assert path.read_text() == shown.html
    with pytest.raises(TorsorError, match="cannot write"):
        shown.save(tmp_path / "none" / "arm.html")


@pytest.mark.parametrize(("display", "opened"), [("", 0), (":0", 1)])
def test_a_browser_is_opened_where_there_is_a_display(planar, tmp_path, monkeypatch, display, opened):
    asked = []
    monkeypatch.setattr(webbrowser, "open", asked.append)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    path = planar.show().open(tmp_path / "a b.html")
    assert path.exists()
    assert asked == [path.as_uri()] * opened
    assert planar.show().open().name == "arm.html"


def test_a_run(run, planar):
    data = run.animate(reference=[0.5, -0.3], title="two links").data
    assert (data["kind"], data["title"], data["end"]) == ("run", "two links", 1.0)
    moved, asked = data["motions"]
    np.testing.assert_allclose(joints_of(moved), run.q, atol=1e-4)
    np.testing.assert_allclose(joints_of(asked), np.broadcast_to([0.5, -0.3], run.q.shape), atol=1e-9)
    np.testing.assert_allclose(unpack(data["time"]), run.time, atol=1e-4)
    planned, reached = data["paths"]
    assert (planned["kind"], reached["kind"]) == ("planned", "reached")
    base = planar.model.base
    tool = planar.pose(run.q)[:, :3, 3] @ base[:3, :3].T + base[:3, 3]
    np.testing.assert_allclose(np.stack([unpack(each) for each in reached["points"]], -1), tool, atol=1e-3)


def test_the_curves_of_a_run(run):
    data = run.animate(reference=[0.5, -0.3]).data
    curves = {
        (group["key"], panel["name"], series["label"]): unpack(series)
        for group in data["groups"]
        for panel in group["panels"]
        for series in panel["series"]
    }
    for j, name in enumerate(run.arm.joint_names):
        close(curves["positions", name, "position"], run.q[:, j])
        close(curves["errors", name, "error"], run.q[:, j] - [0.5, -0.3][j])
        close(curves["speeds", name, "speed"], run.qd[:, j])
        close(curves["torques", name, "given"], run.tau[:, j])
    close(curves["energy", "energy", "together"], run.energy)
    of_bearings, others = ["force", "moment"], ["positions", "speeds", "accelerations", "torques", "power", "energy"]
    assert [group["key"] for group in run.animate().data["groups"]] == [*others, "tool", *of_bearings]


def test_a_run_that_bends():
    """Rigid joints, what it hangs by and what it swings by are together the run's coordinates; the tool is bent."""
    arm = bending_fourbar(modes=4)
    run = torsor.simulate(arm, [0.0], q0=[1.0], until=0.2, elastic=True)
    data = run.animate(reference=[1.0]).data
    bends = data["bends"]
    hangs, swings = (np.stack([unpack(each) for each in bends[word]], -1) for word in ("weight", "swing"))
    c, _, _ = run._plant.moving(run._y)
    together = joints_of(data["motions"][0]) + hangs[:, :3] + swings[:, :3]
    np.testing.assert_allclose(together, c[:, :3], atol=1e-3)  # the crank is driven, and stands first
    assert not hangs[:, 0].any()
    assert not swings[:, 0].any()
    np.testing.assert_allclose(hangs[:, 3:] + swings[:, 3:], run.eta, atol=1e-3 * np.abs(run.eta).max())
    assert np.abs(swings[0]).max() < 1e-3 * np.abs(swings).max()  # it starts where it hangs
    base, reached = arm.model.base, data["paths"][1]
    tool = (arm.pose(run.q)[:, :3, 3] + run.tip[:, :3]) @ base[:3, :3].T + base[:3, 3]
    np.testing.assert_allclose(np.stack([unpack(each) for each in reached["points"]], -1), tool, atol=1e-3)
    speed = next(group for group in data["groups"] if group["key"] == "tool")["panels"][0]["series"][0]
    moved = np.linalg.norm(np.gradient(tool, run.time, axis=0), axis=-1)
    np.testing.assert_allclose(unpack(speed)[5:-5], moved[5:-5], atol=2e-3 * moved.max())


def close(packed, values):
    assert np.abs(packed - values).max() <= 1e-4 * np.ptp(values)


def test_the_report_of_a_run(run, tmp_path):
    run.report(tmp_path / "run.html", title="two links")
    assert document((tmp_path / "run.html").read_text())["title"] == "two links"


def test_rollouts_are_shown_one_by_one(planar):
    many = torsor.simulate(planar, [0.0, 0.0], q0=np.zeros((2, 2)), until=0.1)
    with pytest.raises(Unsupported, match="an animation is of one run, not of 2"):
        many.animate()
    assert many[1].animate().data["motions"]


def test_a_long_run_is_thinned(run, monkeypatch):
    from torsor.simulation import animating

    monkeypatch.setattr(animating, "MOST_TIMES", 100)
    data = run.animate().data
    assert data["time"]["count"] <= 100
    np.testing.assert_allclose(joints_of(data["motions"][0])[1], run.q[11], atol=1e-4)
