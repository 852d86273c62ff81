"""One program takes the same time wherever it is asked: in ``torsor check`` and as the reference of a scenario."""

from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor import scenarios
from torsor.model.limits import position_limits
from torsor.programs.planner import Planner

EXAMPLES = Path(__file__).parents[2] / "examples" / "programs"
SCENARIO = """
name = "a program"
arm = "{arm}"
law = {{ kind = "computed-torque", Kp = 100, Kd = 20 }}
reference = {{ kind = "program", file = "{file}"{more} }}
limits = "ignore"
"""
VAL2 = """.PROGRAM demo()
  SPEED 50 ALWAYS
  MOVE #PPOINT({first})
  MOVE #PPOINT({second})
.END
"""
SIMASEA = "SPEED 50\nMOVE #PPOINT({first})\nDELAY 0.333\nMOVE #PPOINT({second})\n"
IRL = """program demo;
seq
  move ptp joint(mainjoint({first})) speed_ptp=0.5;
  move ptp joint(mainjoint({second})) acc_ptp=0.3 c_ptp;
  move ptp joint(mainjoint({first}));
endseq
endprogram
"""


def same_time(path, arm, **options):
    verdict = torsor.check(path, arm, signals=False, **options)
    more = "".join(f', {word} = "{value}"' for word, value in options.items())
    scenario = scenarios.parse(SCENARIO.format(arm=arm, file=path.name, more=more), folder=path.parent)
    assert 0.0 <= scenario.duration - verdict.time < scenario.dt  # references end on a step
    return scenario, verdict


@pytest.mark.parametrize(
    ("file", "arm"),
    [("palletise.v2", "puma560"), ("simasea.v2", "rl15"), ("deburr.irl", "rl15"), ("rl15_tour.irl", "rl15")],
)
def test_examples_take_the_same_time(file, arm):
    scenario, _ = same_time(EXAMPLES / file, arm)
    last = scenario.reference.at(scenario.duration)
    assert not last[1].any()


def test_payloads_of_a_program_are_told_as_not_held():
    """What is held is the scenario's to say; each place is told once, however often the program comes by."""
    scenario, _ = same_time(EXAMPLES / "palletise.v2", "puma560")
    assert [remark.split(" of " + str(EXAMPLES))[0] for remark in scenario.remarks] == [
        "does not hold the payload of 1.5 kg at line 50",
        "does not hold the payload of 0 kg at line 63",
    ]
    assert all(remark.endswith("palletise.v2: see [[payload]]") for remark in scenario.remarks)


def test_what_leaves_the_range_of_a_joint_is_refused_where_a_check_says_so():
    """A verdict lists it and goes on; there is nothing to go on with in a simulation."""
    problems = torsor.check(EXAMPLES / "simasea.v2", "asea-irb", signals=False).problems
    problem = next(each for each in problems if each.kind == "position")
    with pytest.raises(torsor.TorsorError, match="takes joint4 to") as caught:
        scenarios.parse(SCENARIO.format(arm="asea-irb", file="simasea.v2", more=""), folder=EXAMPLES)
    assert caught.value.line == problem.place.line


def places(arm):
    """Two, within the ranges of the joints and near each other, as programs write joints: in degrees."""
    low, high = position_limits(arm.model.links_on(arm.joint_names))
    low, high = np.maximum(low, -1.0), np.minimum(high, 1.5)
    for share in (0.5, 0.45):
        yield ", ".join(f"{angle:.6f}" for angle in np.degrees(low + share * (high - low)))


# arms with limits and without, of revolute and prismatic joints, open and with loops
@pytest.mark.parametrize("arm", ["rl15", "irb140", "scara", "planar2", "parallelogram5"])
@pytest.mark.parametrize("suffix", ["v2", "val", "irl"])
def test_both_languages_take_the_same_time_on_every_arm(tmp_path, arm, suffix):
    first, second = places(torsor.load(arm))
    path = tmp_path / f"demo.{suffix}"
    path.write_text({"v2": VAL2, "val": SIMASEA, "irl": IRL}[suffix].format(first=first, second=second))
    same_time(path, arm)
    same_time(path, arm, timing="s-curve")


def test_the_program_of_the_probe(tmp_path):
    """1.29 s in torsor check, and once 12.0 s in a scenario, which took VAL II for SIMASEA."""
    path = tmp_path / "real.v2"
    path.write_text(VAL2.format(first="10, 20, -30, 0, 10, 0", second="-10, 30, -40, 0, 20, 0"))
    scenario, verdict = same_time(path, "rl15")
    assert verdict.time == pytest.approx(1.2947, abs=1e-4)
    # and it is the same motion, sampled
    time = np.arange(0.0, verdict.time, 0.01)
    program = torsor.programs.read(path)
    plan = Planner.of(torsor.load("rl15"), program).plan(program.commands()).at(0.01)
    np.testing.assert_allclose(scenario.target(time), plan.q[: len(time)], atol=1e-12)
