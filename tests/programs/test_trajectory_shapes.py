"""Trajectories that are no JointTrajectory of ROS: points by themselves, lists, joint states, tables of recorders."""

from __future__ import annotations

import json

import numpy as np
import pytest

import torsor
from torsor.errors import TorsorError
from torsor.programs import read

Q = [[0.1, 0.0], [0.2, 0.5], [0.1, 0.6]]
TIMES = [0.0, 1.5, 3.0]
NAMES = ["joint2", "joint1"]  # as joint states come: by the alphabet, or in no order at all


def followed(path):
    return list(read(path).commands(arm=torsor.load("planar2")))[-1]


def states(twice=False):
    stamps = [(1_700_000_000, 0), (1_700_000_001, 500_000_000), (1_700_000_003, 0)]
    said = [
        {"header": {"stamp": {"sec": sec, "nanosec": part}}, "name": NAMES, "position": q[::-1], "velocity": []}
        for (sec, part), q in zip(stamps, Q, strict=True)
    ]
    gripper = {"header": said[0]["header"], "name": ["finger"], "position": [0.0], "velocity": []}
    return [said[0], gripper, *said] if twice else said


@pytest.mark.parametrize(
    "document",
    [
        {"t": TIMES, "q": Q, "qd": [[0, 0]] * 3},
        {"joint_names": ["joint1", "joint2"], "times": TIMES, "positions": Q},
        [{"time": t, "positions": q} for t, q in zip(TIMES, Q, strict=True)],
        {"waypoints": [{"timestamp": t, "joint_positions": q} for t, q in zip(TIMES, Q, strict=True)]},
        {"joint_names": NAMES, "trajectory": [{"t": t, "q": q[::-1]} for t, q in zip(TIMES, Q, strict=True)]},
        {"dt": 1.5, "trajectory": Q},
        states(),
        {"messages": states(twice=True)},
    ],
)
def test_documents(tmp_path, document):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(document))
    follow = followed(path)
    np.testing.assert_allclose(follow.q, Q)
    assert follow.times == pytest.approx(TIMES)


def test_what_a_topic_prints(tmp_path):
    yaml = pytest.importorskip("yaml")
    path = tmp_path / "states.yaml"
    path.write_text("---\n".join(yaml.safe_dump(each) for each in states(twice=True)) + "---\n")
    np.testing.assert_allclose(followed(path).q, Q)
    told = " ".join(str(each) for each in read(path).diagnostics)
    assert "3 of 5 messages are joint states at rising times" in told


def test_a_recording_of_joint_states(tmp_path):
    pytest.importorskip("rosbags")
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store, kind = get_typestore(Stores.ROS2_HUMBLE), "sensor_msgs/msg/JointState"
    types, none = store.types, np.zeros(0)
    folder = tmp_path / "bag"
    with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/joint_states", kind, typestore=store)
        for k, each in enumerate(states()):
            stamp = types["builtin_interfaces/msg/Time"](*each["header"]["stamp"].values())
            header = types["std_msgs/msg/Header"](stamp, "")
            message = types[kind](header, each["name"], np.array(each["position"]), none, none)
            writer.write(connection, k + 1, store.serialize_cdr(message, kind))
    (recording,) = folder.glob("*.mcap")
    np.testing.assert_allclose(followed(recording).q, Q)
    np.testing.assert_allclose(followed(folder).q, Q)
    (folder / "bag_1.mcap").write_bytes(recording.read_bytes())
    with pytest.raises(TorsorError, match=r"bag: 2 recordings are here: bag.mcap, bag_1.mcap; name one of them"):
        followed(folder)


@pytest.mark.parametrize(
    "text",
    [
        "pc_ts,mode,q_0,q_1,tq_0,tq_1\n9,1,0.1,0,7,7\n10.5,1,0.2,0.5,7,7\n12,1,0.1,0.6,7,7\n",
        "__time,/joint_states/position[0],/joint_states/position[1]\n5,0.1,0\n6.5,0.2,0.5\n8,0.1,0.6\n",
        "timestamp,frame_index,observation.state.0,observation.state.1,action.0,action.1\n"
        "0,0,0.1,0,7,7\n1.5,1,0.2,0.5,7,7\n3,2,0.1,0.6,7,7\n",
        'timestamp,observation.state,action\n0,"[0.1, 0]","[7, 7]"\n1.5,"[0.2, 0.5]","[7, 7]"\n3,"[0.1 0.6]","[7 7]"\n',
        "step,sim_time,joint1,joint2,reward\n0,0,0.1,0,9\n1,1.5,0.2,0.5,9\n2,3,0.1,0.6,9\n",
        "execution_time,time,joint1_pos,joint2_pos,joint1_eff,joint2_eff\n9,0,0.1,0,7,7\n9,1.5,0.2,0.5,7,7\n9,3,0.1,0.6,7,7\n",
        "# of today\n# t joint1 joint2\n0 0.1 0\n1.5 0.2 0.5\n3 0.1 0.6\n",  # as numpy.savetxt writes them
        "   0.0   0.1   0.0\n   1.5   0.2   0.5\n   3.0   0.1   0.6\n",
        "time,Joint 1,Axis 2\n2024-05-01 12:00,0.1,0\n2024-05-01 12:00:01.5,0.2,0.5\n2024-05-01 12:00:03,0.1,0.6\n",
        "time,joint1,joint2\n0,0.1,0\n0,0.1,0\n1.5,0.2,0.5\n3,0.1,0.6\n",
    ],
)
def test_tables(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_text(text)
    follow = followed(path)
    np.testing.assert_allclose(follow.q, Q)
    assert follow.times == pytest.approx(TIMES)


def test_joints_without_times(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("0.1,0\n0.2,0.5\n0.1,0.6\n")
    with pytest.raises(TorsorError, match=r"run\.csv:3: a table without names, whose first column does not rise"):
        read(path)


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("time_ms,{0}_deg,{1}_deg", ("0,0,90", "500,45,180")),
        ("t [s];{0} [°];{1} (°)", ("0,0;0,0;90", "0,5;45,0;180,0")),
        ("t [s];{0} [deg];{1} [degrees]", ("0,0;0,0;90", "0,5;45,0;180,0")),
        ("timestamp_ns,{0} (rad),{1} (rad)", ("1700000000000000000,0,1.57080", "1700000000500000000,0.78540,3.14159")),
        ("Time (s),{0}_position,{1}_position", ("7.0,0,1.5707963", "7.5,0.7853982,3.1415927")),
    ],
)  # fmt: skip
def test_units_behind_names(tmp_path, head, rows):
    path = tmp_path / "run.csv"
    path.write_text("\n".join([head.format("joint1", "joint2"), *rows]))
    follow = followed(path)
    assert follow.times == pytest.approx([0.0, 0.5], abs=1e-9)
    np.testing.assert_allclose(follow.q, [[0.0, np.pi / 2], [np.pi / 4, np.pi]], atol=1e-5)


@pytest.mark.parametrize("faulty", [1, 2])
@pytest.mark.parametrize(
    ("planted", "line", "told"),
    [
        ('"postions": [', 4, "point {} has 'postions', which is no word of a point"),
        ('"positions": [9, ', 4, "point {} has 3 positions, the first has 2"),
        ('"effort": [], "other": [', 7, "point {} has no positions"),
    ],
)
def test_a_point_with_a_fault(tmp_path, faulty, planted, line, told):
    points = [{"positions": q, "time_from_start": {"sec": 2 * k, "nanosec": 0}} for k, q in enumerate(Q)]
    rows = [json.dumps(point).replace(', "time', ',\n\n\n"time') for point in points]
    rows[faulty] = rows[faulty].replace('"positions": [', planted)
    path = tmp_path / "plan.json"
    path.write_text('{"joint_names": ["joint1", "joint2"],\n\n"points": [\n' + ",\n\n".join(rows) + "]}")
    with pytest.raises(TorsorError) as caught:
        followed(path)
    assert told.format(faulty + 1) in str(caught.value)
    assert f"plan.json:{line + 5 * faulty}:" in str(caught.value)


UR = ["shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"]


def follow_of(path, arm="ur5e"):
    return list(read(path).commands(arm=torsor.load(arm)))


@pytest.mark.parametrize(
    ("head", "order"),
    [
        ("time,j2,j1,j3,j4,j5,j6", [1, 0, 2, 3, 4, 5]),
        ("time,joint_5,joint_4,joint_3,joint_2,joint_1,joint_0", [5, 4, 3, 2, 1, 0]),
        (",time," + ",".join(UR[::-1]), [5, 4, 3, 2, 1, 0]),  # as pandas writes it
        ("time," + ",".join(f"left_{name}" for name in UR), [0, 1, 2, 3, 4, 5]),
    ],
)
def test_columns_are_the_joints_they_name(tmp_path, head, order):
    path = tmp_path / "run.csv"
    index = "7," if head.startswith(",") else ""
    path.write_text(f"{head}\n{index}0,1,2,3,4,5,6\n{index}1,1,2,3,4,5,6\n")
    follow = follow_of(path)[-1]
    assert [follow.q[0, joint] for joint in order] == [1, 2, 3, 4, 5, 6]


def test_speeds_stand_with_the_joints_they_name(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("time,joint1.position,joint2.position,joint2.velocity,joint1.velocity\n0,0,0,2,1\n1,0,0,2,1\n")
    assert followed(path).qd.tolist() == [[1, 2], [1, 2]]


def test_joints_that_are_not_in_the_file_are_told(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("time," + ",".join(UR[:4]) + ",finger_1_joint\n0,0,0,0,0,9\n1,0,0,0,0,9\n")
    assert [each.text for each in follow_of(path)[1:-1]] == [
        "finger_1_joint: no joint of the arm, and left out",
        "wrist_2_joint, wrist_3_joint: not in the trajectory, and taken to stand still",
    ]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([f"{side}_{name}" for side in ("left", "right") for name in UR], "left_shoulder_pan_joint and right_shoulder"),
        ([*UR[:5], UR[4]], "wrist_2_joint stands twice"),
        ([f"joint_{k}" for k in range(1, 7)], "the arm has no joint joint_1, joint_2"),  # of another arm
    ],
)
def test_names_that_are_not_the_joints_of_one_arm(tmp_path, names, told):
    path = tmp_path / "plan.json"
    points = [{"positions": [0.1] * len(names), "time_from_start": t} for t in (0, 1)]
    path.write_text(json.dumps({"joint_names": names, "points": points}))
    with pytest.raises(TorsorError, match=rf"plan\.json:1: {told}"):
        follow_of(path)


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([0, 500_000_000, 2_000_000_000], "nanoseconds"),
        ([1_700_000_000_000, 1_700_000_000_500, 1_700_000_002_000], "milliseconds of a clock"),
        ([1_700_000_000_000_000, 1_700_000_000_500_000, 1_700_000_002_000_000], "microseconds of a clock"),
        ([1_700_000_000, 1_700_000_000.5, 1_700_000_002], ""),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_times_without_a_unit(tmp_path, times, told, suffix):
    path = tmp_path / f"run{suffix}"
    rows = "".join(f"{t},0.1,0.2\n" for t in times)
    points = [{"positions": [0.1, 0.2], "time_from_start": t} for t in times]
    path.write_text("time,joint1,joint2\n" + rows if suffix == ".csv" else json.dumps({"points": points}))
    assert followed(path).times == pytest.approx([0.0, 0.5, 2.0], abs=1e-6)
    assert [each.problem for each in read(path).diagnostics if each.problem.startswith("times are")] == (
        [f"times are read as {told}"] if told else []
    )


@pytest.mark.parametrize(
    "text",
    [
        "time\tjoint1\tjoint2\r0\t0.1\t0\r1.5\t0.2\t0.5\r3\t0.1\t0.6\r",
        "time_from_start.sec,time_from_start.nanosec,joint1,joint2\n0,0,0.1,0\n1,500000000,0.2,0.5\n3,0,0.1,0.6\n",
        "stamp.sec,stamp.nanosec,joint1,joint2,\n7,250000000,0.1,0,\n8,750000000,0.2,0.5,\n10,250000000,0.1,0.6,\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_ends_of_lines_and_parts_of_seconds(tmp_path, text, encoding):
    path = tmp_path / "run.csv"
    path.write_bytes(text.encode(encoding))
    follow = followed(path)
    np.testing.assert_allclose(follow.q, Q)
    assert follow.times == pytest.approx(TIMES)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "time,joint1,joint2\n0,0,0\n1,inf,0\n", ":3: point 2 has a number that is not finite"),
        ("a.csv", "time,joint1,joint2\n0,0,0\n1,0,0,5\n", ":3: a row that is no row of numbers"),
        ("a.csv", "time,joint1,joint2\n", ":1: a table with names and no rows"),
        ("a.csv", 'time,joint1\n0,"' + "1" * 200_000, ":2: this is no table: field larger than"),
        ("a.json", '{"points":\n[{"time_from_start":0,"positions":[0]},\n{"time_from_start":1,"positions":[true]}]}',
         ":3: point 2 has values that are no numbers"),
        ("a.json", '{"points":\n[{"time_from_start":0,"positions":[0]},\n{"time_from_start":1,"positions":['
         + "9" * 400 + "]}]}", ":3: point 2 has values that are no numbers"),
        ("a.json", "[1" + 5000 * "0" + "]", ":1: a number too large to be one"),
        ("a.json", '{"joint_names": "ab", "points": [{"time_from_start":0,"positions":[0, 1]}]}',
         "joint_names is 'ab'"),
    ],
)  # fmt: skip
def test_where_a_fault_is(tmp_path, name, text, told):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(TorsorError, match=told):
        read(path)


def test_a_document_that_holds_itself_many_times(tmp_path):
    pytest.importorskip("yaml")
    path = tmp_path / "laughs.yaml"
    levels = [f"{b}: &{b} [{', '.join([f'*{a}'] * 40)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)]
    path.write_text("a: &a [1]\n" + "".join(levels))
    with pytest.raises(TorsorError, match="there is no JointTrajectory"):
        read(path)


def test_what_a_message_leaves_open_is_told(tmp_path):
    path = tmp_path / "plan.json"
    points = [{"positions": [0, 0], "velocities": [0, 0.1], "time_from_start": t} for t in (2, 3)]
    path.write_text(json.dumps({"points": points}))
    told = [each.problem for each in read(path).diagnostics]
    assert told[0] == "the first point is at 2 s: the arm is taken to be there, the way to it is not judged"
    assert told[1].startswith("at the last point the arm still moves")


def test_documents_one_a_line(tmp_path):
    points = [json.dumps({"time": t, "positions": q}) for t, q in zip(TIMES, Q, strict=True)]
    for name in ("run.json", "run.jsonl"):
        (tmp_path / name).write_text("\n".join(points) + "\n")
        np.testing.assert_allclose(followed(tmp_path / name).q, Q)


def test_speeds_that_nobody_measured(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps([{**each, "velocity": [float("nan")] * 2} for each in states()]))
    assert followed(path).qd is None
    assert "velocities are no numbers in all points: they are not read" in [
        each.problem for each in read(path).diagnostics
    ]


def test_as_many_columns_as_joints_are_joints_without_a_time(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("0.0 0.5\n0.1 0.6\n")
    with pytest.raises(TorsorError, match=r"as many columns as the arm has joints \(2\): is there no time\?"):
        followed(path)


def test_a_single_point_is_gone_to_from_where_the_arm_stands(tmp_path):
    path, arm = tmp_path / "goal.json", torsor.load("planar2")
    point = {"positions": [0.4, -0.2], "velocities": [0.0, 0.0], "time_from_start": {"sec": 2, "nanosec": 0}}
    path.write_text(json.dumps({"joint_names": NAMES, "points": [point]}))
    (follow,) = read(path).commands(arm=arm, start=[0.1, 0.3])
    assert follow.times == (0.0, 2.0)
    np.testing.assert_allclose(follow.q, [[0.1, 0.3], [-0.2, 0.4]])
    np.testing.assert_allclose(follow.qd, np.zeros((2, 2)))
    assert "1 move in 2.00 s" in torsor.check(path, arm).headline
    with pytest.raises(TorsorError, match="a trajectory of one point takes an arm"):
        list(read(path).commands())
