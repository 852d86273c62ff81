"""What the five works can do, with the command that does it here, its state, and the test that runs it.

Nothing is marked as working without a test: ``tests/reproducing/test_capabilities.py`` looks for each, and the docs
print this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CapabilityState = Literal["works", "partly", "missing", "lost"]


@dataclass(frozen=True)
class Capability:
    work: str
    what: str
    command: str
    state: CapabilityState
    test: str = ""  # file::function that runs it; what is missing has none
    left: str = ""  # what is not there yet, or lost


CAPABILITIES = (
    Capability("fedorov", "dynamics by Newton-Euler and by exponentials, alike", "torsor compare irb140", "works",
               "tests/mechanics/test_formulations.py"),
    Capability("fedorov", "the holding torque (5.18)", "arm.gravity(q)", "works", "tests/mechanics/test_oracles.py"),
    Capability("fedorov", "open loop 1, Figure 6.1", "torsor simulate irb140_open_loop_holding.toml", "works",
               "tests/scenarios/test_examples.py::test_open_loop_held"),
    Capability("fedorov", "open loop 2, Figure 6.2, by both formulations", "torsor simulate irb140_open_loop_2.toml",
               "works", "tests/scenarios/test_examples.py::test_open_loop_2_by_both_formulations"),
    Capability("fedorov", "closed loop 1, Figures 6.3 and 6.4, by both formulations",
               "torsor simulate irb140_closed_loop_1.toml --plot", "works",
               "tests/scenarios/test_examples.py::test_closed_loop_1_is_the_same_by_exponentials"),
    Capability("fedorov", "closed loops 2 and 3, Figures 6.5 to 6.8", "torsor simulate irb140_closed_loop_2.toml",
               "works", "tests/scenarios/test_examples.py::test_closed_loops_2_and_3_agree_with_radau"),
    Capability("fedorov", "Table 6.1, four simulations by both formulations", "torsor compare --papers fedorov",
               "works", "tests/test_comparing.py::test_the_simulations_of_table_6_1"),
    Capability("fedorov", "saturated torques", "saturated in [law]", "works",
               "tests/scenarios/test_scenarios.py::test_an_observer_finds_what_nobody_said"),
    Capability("fedorov", "a rate limit of actuator torque", "rate_limit in [law], control.rate_limited", "works",
               "tests/control/test_rate_limited.py::test_no_torque_changes_faster"),
    Capability("fedorov", "viscous friction at joints, M qdd + C qd + F_v qd + g = u", "drives=True", "works",
               "tests/mechanics/test_joint_friction.py::test_it_is_what_the_thesis_adds_to_the_torques"),
    Capability("fedorov", "links as cylinders (Table 3.1), boxes and meshes", "shape in arm files", "works",
               "tests/model/test_solids.py::test_the_cylinders_of_the_thesis_are_the_links_of_the_library"),
    Capability("fedorov", "payload, tool speed and tool acceleration of the data sheet", "torsor check", "works",
               "tests/checking/test_tool_limits.py::test_a_payload_too_heavy_is_one_problem"),
    Capability("fedorov", "curves of Figures 6.1 to 6.8 as numbers", "", "lost", left="not printed"),
    Capability("kvrgic", "forward dynamics by mRNEA in base and link axes", 'by="mrnea"', "works",
               "tests/mechanics/test_formulations.py"),
    Capability("kvrgic", "Tables 1 and 2, operations", "torsor compare --papers kvrgic", "partly",
               "tests/test_comparing.py", "rows of DeNOC"),
    Capability("kvrgic", "Table C1, which vector costs what", "", "missing", left="our tape is not counted by vector"),
    Capability("kvrgic", "the program of Figure 8, L-IRL", "torsor check rl15_tour.irl --robot rl15", "works",
               "tests/checking/test_checking.py"),
    Capability("kvrgic", "Algorithm 1, achievable motion (corrected)", "torsor.drives.achievable", "works",
               "tests/drives/test_achieving.py"),
    Capability("kvrgic", "Figures A3 to A7", "torsor reproduce kvrgic", "works",
               "tests/reproducing/test_pages.py::test_every_page"),
    Capability("kvrgic", "csv of motors, planned and achieved motion, bearing loads", "torsor check --csv", "works",
               "tests/checking/test_signals.py::test_motors_and_achieved_motion_are_in_the_table"),
    Capability("kvrgic", "the 3-axis centrifuge", "", "missing", left="no arm file"),
    Capability("szkodny", "exact rotors on moving links, couplings, linkages", "arm.drives.torques", "works",
               "tests/drives/test_exactness.py::test_rotors_as_bodies"),
    Capability("szkodny", "stages with mass, axis and carrier of their own", "stages in [[drive]]", "works",
               "tests/drives/test_exactness.py::test_a_stage_may_sit_elsewhere"),
    Capability("szkodny", "friction that sticks", "torsor.simulate", "works", "tests/simulation/test_sticking.py"),
    Capability("szkodny", "tables of currents or torques over time, Figure 3", "torsor simulate irb6_currents.toml",
               "works", "tests/scenarios/test_open_loop.py::test_currents_are_torques_by_the_constants"),
    Capability("szkodny", "currents, torques, angles and speeds of all motors drawn, Figure 4",
               "torsor simulate --motors", "works",
               "tests/scenarios/test_open_loop.py::test_the_stand_in_comes_to_the_printed_angles"),
    Capability("szkodny", "effective inertia over postures, servo settings", "torsor servo", "works",
               "tests/control/test_servo_settings.py::test_no_posture_is_worse"),
    Capability("szkodny", "a grasped object with centre and inertia, on the way and per rollout", "payload=", "works",
               "tests/simulation/test_grasped.py::test_it_changes_on_the_way"),
    Capability("szkodny", "data and currents of the IRb-6", "", "lost", left="not in the paper; irb6 is a stand-in"),
    Capability("behi", "the closed chain: kinematics and dynamics", 'torsor.load("asea-irb")', "works",
               "tests/mechanics/test_loops_asea.py"),
    Capability("behi", "the sample program, times and torques", "torsor check simasea.v2 --robot asea-irb", "works",
               "tests/checking/test_checking.py::test_simasea"),
    Capability("behi", "graphs of eight joints, gripper, links, torques and joint loads", "torsor reproduce behi",
               "works",
               "tests/reproducing/test_pages.py::test_every_page"),
    Capability("behi", "vibration of the links", "torsor vibrate simasea.v2 --robot asea-irb", "works",
               "tests/vibration"),
    Capability("behi", "inputs of A.3 (t_acc, t_inc, t_open, t_close, rates) from the command line", "", "missing",
               left="in Python: Timing"),
    Capability("behi", "Kane's listing with the numbering of the thesis", "", "missing", left="ours has its own"),
    Capability("behi", "graphs and Appendix F", "", "lost", left="not in the scan"),
    Capability("burdick", "coefficients M, c, b, g in closed form", "torsor derive puma560-burdick --what coefficients",
               "works", "tests/test_deriving.py"),
    Capability("burdick", "operations beside EMDEG's", "torsor compare --operations", "works",
               "tests/test_comparing.py"),
    Capability("burdick", "Appendix II beside ours", "docs/puma560-appendix.md", "works", "tests/test_docs.py"),
)  # fmt: skip


def capability_table() -> str:
    """As Markdown."""
    head = "| work | what | command | state | test |\n| --- | --- | --- | --- | --- |\n"
    lines = []
    for each in CAPABILITIES:
        command = f"`{each.command}`" if each.command else ""
        state = f"{each.state}: {each.left}" if each.left else each.state
        test = f"`{each.test}`" if each.test else ""
        lines.append(f"| {each.work} | {each.what} | {command} | {state} | {test} |\n")
    return head + "".join(lines)
