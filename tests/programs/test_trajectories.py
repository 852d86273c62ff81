"""Trajectories from files: what is read, how it is joined, and what a verdict makes of it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.interpolate import BPoly

import torsor
from torsor.errors import TorsorError
from torsor.motion.commands import Follow, Start
from torsor.motion.paths.sampled_motion import SampledMotion, smoothed
from torsor.programs import read

MESSAGE = {
    "joint_names": ["joint2", "joint1"],
    "points": [
        {"positions": [0.0, 0.1], "velocities": [0.0, 0.0], "time_from_start": {"sec": 0, "nanosec": 0}},
        {"positions": [0.5, 0.2], "velocities": [0.2, 0.0], "time_from_start": {"sec": 1, "nanosec": 500000000}},
        {"positions": [0.6, 0.1], "velocities": [0.0, 0.0], "time_from_start": {"sec": 3, "nanosec": 0}},
    ],
}


@pytest.mark.parametrize("given", [0, 1, 2])
def test_joined_as_ros2_control_does(given):
    """Against SciPy's Bernstein polynomials through the same values and derivatives."""
    rng = np.random.default_rng(given)
    time = np.cumsum([0.0, 0.4, 1.1, 0.3])
    tables = rng.normal(size=(3, 4, 2))
    motion = SampledMotion(time, *tables[: given + 1])
    t = np.linspace(0.0, time[-1], 101)
    for joint in range(2):
        peer = BPoly.from_derivatives(time, [[table[k, joint] for table in tables[: given + 1]] for k in range(4)])
        inside = np.abs(t[:, None] - time).min(axis=1) > 1e-9
        for order, values in enumerate(motion.at(t)[: given + 2]):
            np.testing.assert_allclose(values[inside, joint], peer(t, nu=order)[inside], atol=1e-9)


def test_smoothed_speeds_are_exact_for_parabolas():
    time = np.array([0.0, 0.3, 1.0, 1.2])
    q = (2.0 * time**2 - time)[:, None]
    np.testing.assert_allclose(smoothed(time, q)[1:-1], (4.0 * time - 1.0)[1:-1, None], atol=1e-12)


@pytest.fixture
def message(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"trajectory": [{"joint_trajectory": MESSAGE}]}))
    return path


def test_names_are_mapped_to_joints(message):
    arm = torsor.load("planar2")
    start, follow = read(message).commands(arm=arm)
    assert isinstance(start, Start)
    assert isinstance(follow, Follow)
    assert follow.q.tolist() == [[0.1, 0.0], [0.2, 0.5], [0.1, 0.6]]
    assert follow.times == (0.0, 1.5, 3.0)


def test_a_verdict(message):
    verdict = torsor.check(message, "planar2")
    assert verdict.time == pytest.approx(3.0)
    assert [move.kind for move in verdict.moves if move.duration] == ["follow"]
    assert any("joined by cubics" in note.text for note in verdict.notes)


@pytest.mark.parametrize(
    "text",
    [
        "time,joint1,joint2\n0,0.1,0\n1.5,0.2,0.5\n3,0.1,0.6\n",
        "0 0.1 0\n1.5 0.2 0.5\n3 0.1 0.6\n",
        "t;joint1.position;joint2.position;joint1.effort\n0;0.1;0;5\n1.5;0.2;0.5;5\n3;0.1;0.6;5\n",
    ],
)
def test_tables(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_text(text)
    _, follow = read(path).commands(arm=torsor.load("planar2"))
    assert follow.q.tolist() == [[0.1, 0.0], [0.2, 0.5], [0.1, 0.6]]
    assert follow.qd is None


def test_yaml(tmp_path, message):
    yaml = pytest.importorskip("yaml")
    path = tmp_path / "plan.yaml"
    path.write_text(yaml.safe_dump(MESSAGE))
    same, other = (list(read(each).commands())[1] for each in (path, message))
    np.testing.assert_array_equal(same.q, other.q)


@pytest.mark.parametrize("goals", [False, True])
def test_a_recording(tmp_path, goals):
    pytest.importorskip("rosbags")
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    types = store.types
    stamp = types["builtin_interfaces/msg/Duration"]
    point = types["trajectory_msgs/msg/JointTrajectoryPoint"]
    header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](0, 0), "")
    none = np.zeros(0)
    points = [
        point(
            np.array(each["positions"]),
            np.array(each["velocities"]),
            none,
            none,
            stamp(*each["time_from_start"].values()),
        )
        for each in MESSAGE["points"]
    ]
    kind = "trajectory_msgs/msg/JointTrajectory"
    said = types[kind](header, MESSAGE["joint_names"], points)
    if goals:
        kind = "control_msgs/msg/FollowJointTrajectoryActionGoal"
        store.register(get_types_from_msg("trajectory_msgs/JointTrajectory goal\n", kind))
        said = store.types[kind](said)
    folder = tmp_path / "bag"
    with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/arm/joint_trajectory", kind, typestore=store)
        for time in (1, 2):
            writer.write(connection, time, store.serialize_cdr(said, kind))
    (recording,) = folder.glob("*.mcap")
    _, follow = read(recording).commands()
    assert "of 2 trajectories in this file the first is read" in [each.problem for each in read(recording).diagnostics]
    assert follow.q.tolist() == [[0.0, 0.1], [0.5, 0.2], [0.6, 0.1]]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "", "a table without rows"),
        ("a.csv", "time,j1\n0,0\n0,1\n", r":3: point 2 is at 0 s, which is not after 0 s"),
        ("a.csv", "time,j1\n0,0\n1,x\n", ":3: a row that is no row of numbers"),
        ("a.csv", "j1,j2\n0,0\n1,1\n", "no column of times"),
        ("a.csv", "time,j1\n0,0\n1,nan\n", "not finite"),
        ("a.json", "{", "this is no JSON"),
        ("a.json", "{}", "there is no JointTrajectory"),
        ("a.json", '{"points": [{"positions": [1]}]}', "point 1 has no time_from_start"),
        ("a.mcap", "no recording", "cannot be read"),
    ],
)
def test_what_is_none(tmp_path, name, text, problem):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(TorsorError, match=problem):
        read(path)


def test_joints_that_the_arm_has_not(message):
    with pytest.raises(TorsorError, match="the arm has no joint joint2, joint1"):
        list(read(message).commands(arm=torsor.load("scara")))


@pytest.mark.parametrize(
    "text",
    [
        # as RTDE records: targets and what was reached
        "timestamp target_q_0 target_q_1 actual_q_0 actual_q_1 robot_mode\n"
        "9.0 0.1 0 7 7 5\n10.5 0.2 0.5 7 7 5\n12 0.1 0.6 7 7 5\n",
        # as rostopic echo -p prints a JointState: nanoseconds, and names in columns of their own
        "%time,field.header.seq,field.name0,field.name1,field.position0,field.position1\n"
        "1600000000000000000,1,joint1,joint2,0.1,0\n1600000001500000000,2,joint1,joint2,0.2,0.5\n"
        "1600000003000000000,3,joint1,joint2,0.1,0.6\n",
        "secs,nsecs,j1,j2\n0,0,0.1,0\n1,500000000,0.2,0.5\n3,0,0.1,0.6\n",
        "time,joint1,joint2,gripper\n0,0.1,0,5\n1.5,0.2,0.5,5\n3,0.1,0.6,5\n",
    ],
)
def test_tables_of_others(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_text(text)
    commands = list(read(path).commands(arm=torsor.load("planar2")))
    follow = commands[-1]
    assert follow.q.tolist() == [[0.1, 0.0], [0.2, 0.5], [0.1, 0.6]]
    assert follow.times == pytest.approx((0.0, 1.5, 3.0), abs=1e-6)
    assert any("gripper" in getattr(each, "text", "") for each in commands) is ("gripper" in text)


def test_what_is_not_read_is_said(tmp_path):
    point = {"positions": [0.0, 0.0], "time_from_start": {"secs": 0, "nsecs": 0}}
    other = {"positions": [90.0, 0.1], "velocities": [0.0, 0.0], "time_from_start": {"secs": 1, "nsecs": 0}}
    whole = {"joint_trajectory": {"joint_names": ["joint1", "joint2"], "points": [point, other]}}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"trajectory": [whole, whole], "multi": {"points": []}}))
    told = " ".join(str(each) for each in read(path).diagnostics)
    assert "of 2 trajectories in this file the first is read" in told
    assert "velocities stand in some points only" in told
    assert "are they degrees?" in told


def test_the_hash_is_that_of_the_file(message):
    from hashlib import sha256

    assert read(message).mark.digest == sha256(message.read_bytes()).hexdigest()


def test_columns_by_number_say_which_joints_they_are_taken_for(tmp_path):
    """Of an arm with more joints of other names; joints that are numbered themselves are those that are meant."""
    path = tmp_path / "some.csv"
    path.write_text("time,q1,q2\n0,0,0\n1,0.1,0.1\n")
    (said,) = torsor.check(path, "ur5").assumed
    assert said.text == (
        "columns without names are taken for the first 2 of 6 joints, shoulder_pan_joint to shoulder_lift_joint; "
        "the others stand still"
    )
    (said,) = torsor.check(path, "planar3").assumed
    assert said.text == "joint3: not in the trajectory, and taken to stand still"
