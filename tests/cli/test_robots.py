import json

import numpy as np
import pytest

import torsor


@pytest.mark.parametrize("width", [80, 120])
def test_one_line_for_each_arm(run, width):
    ran = run("robots", width=width)
    head, rule, *rows = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert [row.split()[0] for row in rows] == list(torsor.robots())
    assert max(map(len, ran.out.splitlines())) <= width
    assert set(rule) == {"─"}
    at = head.index("source")
    assert all(row[at - 1] == " " != row[at] for row in rows)


def test_json_has_the_same_arms(run):
    document = json.loads(run("robots", "--json").out)
    assert [row["name"] for row in document] == list(torsor.robots())
    row = next(row for row in document if row["name"] == "planar2")
    assert (row["joints"], row["mass"], row["drives"], row["loops"]) == ("RR", 2.0, 0, 0)


@pytest.mark.parametrize("name", torsor.robots())
def test_reach_is_reached_and_never_exceeded(name):
    from torsor.reach import reach

    arm = torsor.load(name)
    found = reach(arm)
    assert np.linalg.norm(arm.pose(found.q)[:3, 3]) == pytest.approx(found.distance, rel=1e-12)
    # all joints within their limits, of an arm with loops also those that the loops move
    everywhere = arm.closure.positions if arm.model.loops else np.asarray
    low, high = np.array([link.joint.limits.position or (-np.inf, np.inf) for link in arm.model.independent]).T
    q = everywhere(found.q)
    assert ((low <= q) & (q <= high)).all()
    least, most = np.array([_limits(arm, joint) for joint in arm.joint_names]).T
    others = np.random.default_rng(1).uniform(least, most, (20_000, arm.n))  # not the samples the search begins with
    q = everywhere(others)
    allowed = ((low <= q) & (q <= high)).all(axis=-1)  # and the loops close, else q is NaN
    assert allowed.mean() > 0.01
    farthest = np.linalg.norm(arm.pose(others[allowed])[:, :3, 3], axis=-1).max()
    assert farthest <= found.distance * (1 + 1e-9)


def _limits(arm, name):
    joint = next(link.joint for link in arm.model.links if link.joint.name == name)
    return joint.limits.position or (-np.pi, np.pi)


def test_reach_known_in_closed_form():
    from torsor.reach import reach

    assert reach(torsor.load("planar2")).distance == pytest.approx(2.0, rel=1e-9)


def test_reach_of_an_endless_slide(run, tmp_path):
    file = tmp_path / "slide.toml"
    file.write_text('name = "slide"\nframes = "placements"\n[[link]]\njoint = "prismatic"\nmass = 1\n')
    assert "reach    unbounded" in run("show", file).out
    assert json.loads(run("show", file, "--json").out)["reach"]["distance"] is None
