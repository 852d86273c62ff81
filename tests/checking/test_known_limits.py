"""The limit that is known: joints' limits where motors have none, unknown is never 0 %, arms without masses."""

import json
import re
import warnings

import numpy as np
import pytest

import torsor
from flawed_urdfs import FLAWED, arm, content, joint, link, transmission

PROGRAM = """program joints;
seq
  move ptp joint(mainjoint(12, -17, 23));
  move ptp joint(mainjoint(5, 5, 5)) speed_ptp=0.5;
endseq
endprogram
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "joints.irl"
    path.write_text(PROGRAM)
    return path


def judged(tmp_path, program, text, **options):
    path = tmp_path / "arm.urdf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", torsor.errors.DescriptionWarning)
        return torsor.check(program, path, **options)


QUICK = ("effort and velocity 0", "no masses, effort 0", "masses of 0", "a transmission to nothing", "no limits")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in FLAWED]
)
def test_every_arm_gets_a_verdict_and_none_says_zero_infinity_or_nan(name, tmp_path, program):
    verdict = judged(tmp_path, program, content(name))
    verdict.report(tmp_path / "r.html")
    page = re.sub("<script.*?</script>|<style.*?</style>", "", (tmp_path / "r.html").read_text(), flags=re.DOTALL)
    for text in (verdict.headline, *(note.text for note in verdict.notes), re.sub("<.*?>", " ", page)):
        assert not re.search(r"\b0 %|\binf\b|\bnan\b|∞", text), text
    json.loads(verdict.to_json())
    assert verdict.time > 0.0


def test_an_arm_without_masses_is_judged_by_what_is_known(tmp_path, program):
    verdict = judged(tmp_path, program, FLAWED["no masses"])
    assert verdict.feasible
    assert verdict.known.document == {
        "torque": False,
        "speed": True,
        "acceleration": False,
        "position": True,
        "masses": False,
    }
    assert verdict.headline.startswith("flawed moves along joints: 2 moves in ")
    assert verdict.headline.endswith("torques are not judged, for masses of its links are not known")
    motors = verdict.document()["motors"]
    assert json.loads(verdict.to_json())["energy"] is None
    assert [json.loads(verdict.to_json())["motors"][k]["torque"] for k in range(3)] == [None] * 3
    assert [motor["speed"] for motor in motors] == [0.0] * 3  # of motors, of which there are none
    assert 0.5 < verdict.peak("speed").max() <= 1.0


def test_without_masses_limits_of_position_and_speed_still_say_no(tmp_path):
    path = tmp_path / "far.irl"
    path.write_text(PROGRAM.replace("12, -17, 23", "12, -17, 140"))
    verdict = judged(tmp_path, path, FLAWED["no masses"])
    assert {problem.kind for problem in verdict.problems} == {"position"}
    assert verdict.advice is None


def test_a_joints_limit_counts_where_its_motor_has_none(tmp_path, program):
    geared = "".join(
        transmission(f"t{k}", f"joint_{k}", "<mechanicalReduction>50</mechanicalReduction>") for k in (1, 2, 3)
    )
    plain, driven = judged(tmp_path, program, arm()), judged(tmp_path, program, arm(geared))
    np.testing.assert_allclose(driven.machine.peaks, plain.machine.peaks / 50.0, rtol=1e-15)
    np.testing.assert_allclose(driven.peak("torque"), plain.peak("torque"), rtol=1e-9)
    said = "t1_motor, t2_motor, t3_motor has no limit of torque of its own: that of its joint counts, through its gear"
    assert said in [note.text for note in driven.notes]


def test_fewer_drives_than_joints_are_judged_at_the_joints(tmp_path, program):
    plain = judged(tmp_path, program, arm())
    some = judged(tmp_path, program, FLAWED["a transmission of some joints"])
    np.testing.assert_allclose(some.peak("torque"), plain.peak("torque"), rtol=1e-12)
    assert any(note.text.startswith("its 1 drives are not one for each of its 3 joints") for note in some.notes)


def test_a_finger_of_unknown_mass_is_left_out_and_said(tmp_path, program):
    verdict = judged(tmp_path, program, FLAWED["one link without mass"])
    assert verdict.known.torque
    assert verdict.headline.endswith("; without finger, whose mass is not known")
    fixed = judged(tmp_path, program, arm(link("finger", ""), joint("finger_joint", "link_3", "finger", "", "fixed")))
    np.testing.assert_allclose(verdict.peak("torque")[:3], fixed.peak("torque"), rtol=1e-9)


def test_a_link_of_unknown_mass_that_carries_others_is_not_left_out(tmp_path, program):
    text = arm(link("hand", ""), joint("wrist", "link_3", "hand"), link("tip"), joint("tilt", "hand", "tip"))
    assert not judged(tmp_path, program, text).known.masses


def test_partly_known_limits_are_told_by_name(tmp_path, program):
    text = arm().replace('effort="50"', 'effort="0"', 1)
    verdict = judged(tmp_path, program, text)
    assert verdict.machine.unbounded == ("joint_1",)
    assert "no limit of torque is known of joint_1" in " ".join(note.text for note in verdict.notes)
    assert "(joint_1," not in verdict.headline
    assert verdict.document()["limits_unknown"]["torque"] == ["joint_1"]


def test_the_remarks_of_the_reader_are_in_the_verdict(tmp_path, program):
    notes = [note.text for note in judged(tmp_path, program, FLAWED["effort 0"]).notes]
    assert any("taken as not known, as ROS-Industrial means it" in text for text in notes)


def test_a_body_is_known_by_what_is_fixed_to_it():
    from torsor.model.urdf import parse_urdf

    assert parse_urdf(FLAWED["a frame between joints"]).links_without_inertia == ()


def test_rounding_is_no_torque(program):
    """The last joint of irb140 carries a body whose weight is on its axis: it holds nothing, not 1e-17 N m."""
    verdict = torsor.check(program, "irb140")
    assert (verdict.rms <= verdict.largest).all()
    assert all(torque == 0.0 or torque > 1e-13 * verdict.largest.max() for torque in verdict.largest)
