"""What the studio answers is what Python answers: numbers are held against the arm's own methods and its reference."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import torsor
from studio_texts import STEP, SWING
from torsor.errors import TorsorError, UnknownRobot
from torsor.studio.questions import QUESTIONS
from torsor.studio.shelf import Shelf
from torsor.studio.worker import as_json


@pytest.fixture(scope="module")
def shelf():
    return Shelf({})


def ask(shelf, question, **asked):
    """The answer as the page gets it: through JSON."""
    return json.loads(as_json(QUESTIONS[question].answer(shelf, lambda text: None, asked)))


def test_a_state_is_that_of_the_reference(shelf):
    q, qd, qdd = [0.3, -0.5, 0.4, 0.2, 0.7, -0.1], [0.5] * 6, [-1.0] * 6
    found = ask(shelf, "state", arm="rl15", q=q, qd=qd, qdd=qdd)
    arm = torsor.load("rl15")
    plain = arm.reference
    q, qd, qdd = map(np.array, (q, qd, qdd))
    np.testing.assert_allclose(found["torque"], plain.inverse_dynamics(q, qd, qdd), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found["mass_matrix"], plain.mass_matrix(q), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found["gravity"], plain.gravity(q), rtol=1e-9, atol=1e-9)
    # the Jacobian's own determinant, not the ellipsoid that the studio asks
    J = plain.jacobian(q)[:3]
    assert found["manipulability"] == pytest.approx(np.sqrt(np.linalg.det(J @ J.T)), rel=1e-9)
    N = arm.drives.N(q)
    M = arm.mass_matrix(q, drives=True)
    locked = np.diag(np.linalg.inv(N).T @ M @ np.linalg.inv(N))
    np.testing.assert_allclose(found["effective_inertia"], locked, rtol=1e-9)
    assert found["unknown"] == []


def test_a_payload_weighs(shelf):
    bare, held = (ask(shelf, "state", arm="planar2", q=[0.0, 0.0], payload=p) for p in (None, 2.0))
    np.testing.assert_allclose(np.subtract(held["gravity"], bare["gravity"]), [2 * 2 * 9.81, 2 * 9.81], rtol=1e-9)


def test_an_arm_with_a_loop_tells_all_its_joints(shelf):
    about = ask(shelf, "about", arm="fourbar")
    home = [joint["home"] for joint in about["joints"]]
    found = ask(shelf, "state", arm="fourbar", q=home)
    assert len(found["tree"]) == len(about["tree_joints"]) > len(home)


def test_what_the_arm_does_not_tell_is_not_zero(shelf):
    found = ask(shelf, "state", arm="planar2", q=[0.1, 0.2])
    assert found["effective_inertia"] is None
    assert found["motor_torque"] is None


def test_a_pose_is_reached_on_every_branch(shelf):
    arm, q = torsor.load("puma560"), [0.1, 0.8, -0.6, 0.4, 0.5, -0.6]
    T = arm.reference.pose(np.array(q))
    found = ask(shelf, "reach", arm="puma560", pose=T.ravel().tolist(), near=q, branches=True)
    np.testing.assert_allclose(found["q"], q, atol=1e-8)
    assert len(found["branches"]) == 8
    assert [each["now"] for each in found["branches"]].count(True) == 1
    for each in found["branches"]:
        np.testing.assert_allclose(arm.reference.pose(np.array(each["q"])), T, atol=1e-8)
    other = next(each for each in found["branches"] if not each["now"])
    switched = ask(shelf, "reach", arm="puma560", pose=T.ravel().tolist(), near=q, branch=other["name"])
    np.testing.assert_allclose(switched["q"], other["q"], atol=1e-8)


def test_out_of_reach_is_as_near_as_it_can_be(shelf):
    T = np.eye(4)
    T[0, 3] = 5.0
    found = ask(shelf, "reach", arm="puma560", pose=T.ravel().tolist(), near=[0.0] * 6)
    assert not found["reached"]
    assert "cannot reach" in found["text"]
    np.testing.assert_allclose(torsor.load("puma560").pose(found["q"]), found["pose"], atol=1e-9)


def test_mistakes_have_their_place(shelf):
    wrong = SWING.replace("move ptp far;", "move ptp fra;")
    found = ask(shelf, "diagnose", text=wrong)
    assert found["language"] == "L-IRL"
    (first,) = (each for each in found["diagnostics"] if each["severity"] == "error")
    assert (first["severity"], first["line"], first["column"]) == ("error", 6, 12)
    assert "far" in first["hint"]
    assert ask(shelf, "diagnose", text="POINT P1 0 0 1 0 0 0\nMOVE P2")["language"] == "VAL II"
    assert {each["severity"] for each in ask(shelf, "diagnose", text=SWING)["diagnostics"]} <= {"note"}


def test_a_check_is_the_verdict(shelf):
    found = ask(shelf, "check", arm="rl15", text=SWING, payload=2.0)
    from torsor.programs import parse

    verdict = torsor.check(parse(SWING, "L-IRL"), "rl15", payload=2.0)
    assert found["document"]["time"] == verdict.time
    assert found["document"]["verdict"] == verdict.headline
    assert found["command"] == "torsor check program.irl --robot rl15 --payload 2.0"


def test_a_check_of_a_program_with_mistakes_says_them_all(shelf):
    with pytest.raises(TorsorError, match="fra"):
        ask(shelf, "check", arm="rl15", text=SWING.replace("ptp far", "ptp fra"))


def test_two_checks_side_by_side(shelf):
    asked = {"arm": "rl15", "text": SWING}
    found = ask(shelf, "compare", before=asked, after=asked | {"speed": 0.5, "acceleration": 0.5})
    assert found["longer"] > 0.1
    assert found["longer"] == pytest.approx(found["after"]["time"] - found["before"]["time"])
    (line,) = [row for row in found["lines"] if row["line"] == 6]
    assert line["after"] < line["before"]


def test_a_scenario_runs_as_it_does_in_python(shelf):
    from torsor.scenarios import parse

    found = ask(shelf, "run", text=STEP)
    run = parse(STEP).run()
    np.testing.assert_allclose(np.array(found["q"])[:, -1], run.q[-1], rtol=1e-9, atol=1e-12)
    turned = ask(shelf, "run", text=STEP, gains={"Kp": [80.0, 60.0]})
    stiffer = parse(STEP.replace("Kp = 50", "Kp = [80, 60]")).run()
    np.testing.assert_allclose(np.array(turned["q"])[:, -1], stiffer.q[-1], rtol=1e-9, atol=1e-12)
    assert abs(turned["q"][0][-1] - found["q"][0][-1]) > 1e-4


@pytest.mark.parametrize(
    ("gains", "said"), [({"Kp": -1.0}, "positive definite"), ({"Kq": 1.0}, "Kp"), ({"Kp": "x"}, "Kp")]
)
def test_gains_are_checked_by_their_law(shelf, gains, said):
    with pytest.raises(TorsorError, match=said):
        ask(shelf, "run", text=STEP, gains=gains)


def test_equations_come_in_blocks_that_together_are_the_whole(shelf):
    found = ask(shelf, "equations", arm="planar2", quantity="gravity")
    whole = torsor.derive(torsor.load("planar2"), "gravity", effort="normal").to_latex()
    assert found["text"] == whole
    displays = [block["text"] for block in found["blocks"] if block["kind"] == "display"]
    assert displays
    assert all(display in whole for display in displays)
    assert sum(display.count("&=") for display in displays) == whole.count("&=")


@pytest.mark.parametrize("to", ["html", "csv", "json"])
def test_exports_of_a_check(shelf, to):
    found = ask(shelf, "export", to=to, check={"arm": "rl15", "text": SWING, "name": "../<b>.irl"})
    assert found["name"] == f"swing-rl15.{to}"
    if to == "html":
        assert found["text"].startswith("<!doctype html>")
        assert "<b>.irl" not in found["text"]
    if to == "json":
        assert json.loads(found["text"])["feasible"]
    if to == "csv":
        assert found["text"].startswith("time,line,")


def test_exports_of_equations_and_runs(shelf):
    found = ask(shelf, "export", to="c", equations={"arm": "planar2", "quantity": "gravity"})
    assert "planar2_gravity" in found["text"]
    assert found["command"] == "torsor derive planar2 --what gravity --effort normal --to c -o planar2-gravity.c"
    rows = ask(shelf, "export", to="csv", scenario={"text": STEP})["text"].splitlines()
    assert len(rows) == 1002


@pytest.mark.parametrize(
    ("question", "asked", "said"),
    [
        ("state", {"arm": "puma56", "q": [0] * 6}, "puma560"),
        ("state", {"arm": "puma560", "q": [0] * 5}, "6 joints"),
        ("equations", {"arm": "planar2", "quantity": "gravit"}, "gravity"),
        ("template", {"arm": "planar2", "law": "pd"}, "pd-gravity"),
    ],
)
def test_errors_name_the_cure(shelf, question, asked, said):
    with pytest.raises(TorsorError, match=said):
        ask(shelf, question, **asked)


def test_uploads_are_arms_by_their_text(shelf):
    own = Shelf({})
    text = Path(torsor.__file__).parent.joinpath("model/library/planar2.toml").read_text()
    own.upload("mine.toml", text.replace('"planar2"', '"<script>alert(1)</script>"'))
    assert ask(own, "about", arm="mine.toml")["name"] == "<script>alert(1)</script>"
    with pytest.raises(UnknownRobot):
        ask(own, "about", arm="pyproject.toml")
