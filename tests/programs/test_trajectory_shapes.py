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


@pytest.mark.parametrize(
    "text",
    [
        "pc_ts,mode,q_0,q_1,tq_0,tq_1\n9,1,0.1,0,7,7\n10.5,1,0.2,0.5,7,7\n12,1,0.1,0.6,7,7\n",
        "__time,/joint_states/position[0],/joint_states/position[1]\n5,0.1,0\n6.5,0.2,0.5\n8,0.1,0.6\n",
        "timestamp,frame_index,observation.state.0,observation.state.1,action.0,action.1\n"
        "0,0,0.1,0,7,7\n1.5,1,0.2,0.5,7,7\n3,2,0.1,0.6,7,7\n",
        'timestamp,observation.state,action\n0,"[0.1, 0]","[7, 7]"\n1.5,"[0.2, 0.5]","[7, 7]"\n3,"[0.1 0.6]","[7 7]"\n',
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
