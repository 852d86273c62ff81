"""Joint trajectories from files: JointTrajectory of ROS as JSON, YAML or in a recording, and tables as CSV."""

from __future__ import annotations

import itertools
import json
import math
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.programs.trajectory_joints import is_number, joints_meant
from torsor.programs.trajectory_messages import messages
from torsor.programs.trajectory_points import TOGETHER, lines_of, refuse
from torsor.programs.trajectory_tables import read_table
from torsor.programs.trajectory_times import in_seconds

RECORDINGS = (".mcap", ".bag", ".db3")
SUFFIXES = (".csv", ".json", ".jsonl", ".yaml", ".yml", *RECORDINGS)
# messages that hold what is to be done, goals of actions among them
PLANNED = (
    *("JointTrajectory", "DisplayTrajectory", "RobotTrajectory", "FollowJointTrajectoryGoal"),
    *("FollowJointTrajectoryActionGoal", "FollowJointTrajectory_Goal", "FollowJointTrajectory_SendGoal_Request"),
)
MOST_POINTS = 2_000_000
MOST_MESSAGES = 100  # that are counted
MOST_NAMED = 6  # files
TURNS = 4.0 * math.pi  # rad: what goes further is more likely written in degrees
MOVING = (
    "at the last point the arm still moves: ros2_control takes that only by allow_nonzero_velocity_at_trajectory_end"
)


@dataclass(frozen=True, eq=False)
class JointTrajectory:
    """Times (k,), joints (k, n), speeds and accelerations where they are given; ``lines`` of the file, one a point."""

    names: tuple[str, ...]
    time: Floats
    q: Floats
    qd: Floats | None
    qdd: Floats | None
    lines: tuple[int, ...]
    notes: tuple[str, ...] = ()
    nameless: bool = False  # columns of a table of which no line tells what they are
    ahead: float = 0.0  # s until the first point, where that is all there is: the way to it is the motion

    def of_joints(self, joints: Sequence[str], file: str) -> tuple[Floats, Floats | None, Floats | None, Any]:
        """Tables of an arm's joints, and which of them these are; those of a gripper beside it are left out."""
        try:
            order = joints_meant(self.names, joints)
        except TorsorError as error:
            error.file, error.line = file, 1
            raise
        if self.nameless and len(self.names) == len(joints) - 1:
            told = f"a table without names, of as many columns as the arm has joints ({len(joints)}): is there no time?"
            raise TorsorError(told, hint="a first line such as time,joint1,joint2,...", file=Path(file), line=1)
        lost = [name for name, index in zip(self.names, order, strict=True) if index is None]
        beyond = [name for name in lost if is_number(name)]
        if beyond and len(self.names) > len(joints) and all(is_number(name) for name in self.names):
            told = f"{len(self.names)} joints in the trajectory"
            raise TorsorError(told, hint=f"the arm has {len(joints)}", file=Path(file), line=1)
        there = len(order) - len(lost)
        if not there or (lost and 2 * there < len(joints)):
            hint = f"joints are {', '.join(joints)}"
            raise TorsorError(f"the arm has no joint {', '.join(lost)}", hint=hint, file=Path(file), line=1)
        kept = [k for k, index in enumerate(order) if index is not None]
        q, qd, qdd = (None if table is None else table[:, kept] for table in (self.q, self.qd, self.qdd))
        assert q is not None
        return q, qd, qdd, np.array([order[k] for k in kept])

    def left_out(self, joints: Sequence[str]) -> list[str]:
        """Names that are no joint of an arm."""
        return [name for name, index in zip(self.names, joints_meant(self.names, joints), strict=True) if index is None]


def read_trajectory(path: Path, raw: bytes) -> JointTrajectory:
    """The trajectory in a file, by its suffix."""
    match path.suffix.lower():
        case ".csv":
            table = read_table(path, _text(path, raw))
            found = _checked(path, table.names, table.time, table.tables, table.lines, table.notes)
            return replace(found, nameless=table.nameless)
        case ".json" | ".jsonl":
            text = _text(path, raw)
            return _from_message(path, _json(path, text), text)
        case ".yaml" | ".yml":
            text = _text(path, raw)
            return _from_message(path, _yaml(path, text), text)
    return _from_recording(path)


def _text(path: Path, raw: bytes) -> str:
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise TorsorError("this is no UTF-8", hint="a table or a message as text", file=path, line=line) from None


# Messages
def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also of a number of thousands of digits
        if (several := _one_a_line(text)) is not None:
            return several
        line = getattr(error, "lineno", 1)
        if not isinstance(error, json.JSONDecodeError | RecursionError):
            raise TorsorError("a number too large to be one", hint="numbers", file=path, line=line) from None
        raise TorsorError(
            f"this is no JSON: {getattr(error, 'msg', 'nested too deeply')}", file=path, line=line
        ) from None


def _one_a_line(text: str) -> list[Any] | None:
    """Documents of JSON one below the other, as logs have them; None where one of them is none."""
    lines = [each for each in text.split("\n") if each.strip()]
    try:
        return [json.loads(each) for each in lines] if len(lines) > 1 else None
    except (ValueError, RecursionError):
        return None


def _yaml(path: Path, text: str) -> Any:
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        hint = "pip install 'torsor[trajectories]', or save it as JSON"
        raise TorsorError("reading YAML takes PyYAML", hint=hint, file=path) from None
    try:
        documents = [each for each in yaml.safe_load_all(text) if each is not None]
    except (yaml.YAMLError, RecursionError, ValueError) as error:  # ValueError: a date or a number that is none
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise TorsorError(
            "this is no YAML", hint="a JointTrajectory, as 'ros2 topic echo' prints it", file=path, line=line
        ) from None
    return documents[0] if len(documents) == 1 else documents


def _from_message(path: Path, document: Any, text: str = "") -> JointTrajectory:
    found = list(itertools.islice(messages(document), MOST_MESSAGES))
    message = next(iter(found), None)
    if message is None:
        hint = "joint_names, and points with positions and time_from_start"
        raise TorsorError("there is no JointTrajectory in this file", hint=hint, file=path, line=1)
    points = message["points"]
    refuse(path, points, text)
    lines = lines_of(text, len(points))
    times: list[float] = []
    rows: dict[str, list[list[float]]] = {key: [] for key in TOGETHER}
    for k, point in enumerate(points):
        try:
            times.append(_seconds(point["time_from_start"]))
            for key in TOGETHER:
                rows[key].append([_number(x) for x in point.get(key) or ()])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            told = f"point {k + 1} has values that are no numbers"
            raise TorsorError(told, hint="numbers", file=path, line=lines[k]) from None
    tables = [_table(rows[key]) for key in TOGETHER]
    time, said = in_seconds(np.array(times))
    given = message.get("joint_names")
    if isinstance(given, str):
        raise TorsorError(f"joint_names is {given!r:.40}", hint="a list of names", file=path, line=1)
    names = tuple(map(str, given or range(1, len(rows["positions"][0]) + 1)))
    notes = [said] if said else []
    if len(time) == 1 and time[0] > 0.0 and "states" not in message and not said:
        notes.append(f"one point, at {time[0]:g} s: the motion goes to it from where the arm stands")
    elif time[0] != 0.0 and "states" not in message and not said:
        notes.append(f"the first point is at {time[0]:g} s: the arm is taken to be there, the way to it is not judged")
    if "states" in message:
        notes.append(
            f"{len(points)} of {message['states']} messages are joint states at rising times: they are followed"
        )
    if tables[1] is not None and "states" not in message and np.any(np.nan_to_num(tables[1][-1])):
        notes.append(MOVING)
    if len(found) > 1:
        many = f"{MOST_MESSAGES} or more" if len(found) == MOST_MESSAGES else len(found)
        notes.append(f"of {many} trajectories in this file the first is read")
    for key, table in zip(("velocities", "accelerations"), tables[1:], strict=True):
        if table is None and any(rows[key]):
            notes.append(f"{key} stand in some points only: they are not read")
    is_planned = "states" not in message and not said
    return _checked(path, names, time, tables, lines, tuple(notes), goes_there=is_planned)


def _seconds(stamp: Any) -> float:
    if isinstance(stamp, Mapping):
        whole = stamp.get("sec", stamp.get("secs", 0))
        part = stamp.get("nanosec", stamp.get("nsecs", 0))
        return _number(whole) + 1e-9 * _number(part)
    return _number(stamp)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError("a truth value")
    return float(value)


def _table(rows: list[list[float]]) -> Floats | None:
    """None where they do not stand in every point."""
    return np.array(rows) if all(rows) else None


def _checked(
    path: Path, names: tuple[str, ...], time: Floats, tables: Sequence[Floats | None], lines: tuple[int, ...],
    notes: tuple[str, ...], *, goes_there: bool = False,
) -> JointTrajectory:  # fmt: skip
    """``goes_there``: times are since the motion begins, so that a single point is gone to."""
    q, qd, qdd = tables
    ahead = float(time[0]) if goes_there and len(time) == 1 and time[0] > 0.0 else 0.0
    if q is None or (len(q) < 2 and not ahead):
        raise TorsorError("a trajectory of fewer than two points with positions", hint="two or more", file=path)
    if len(q) > MOST_POINTS:
        raise TorsorError(f"{len(q):,} points", hint=f"at most {MOST_POINTS:,}", file=path)
    if len(names) != len(q[0]):
        raise TorsorError(f"{len(names)} joint_names for {len(q[0])} positions", hint="one for each", file=path, line=1)
    for name, table in (("velocities", qd), ("accelerations", qdd)):
        if table is not None and np.isnan(table).all():  # a driver that does not measure them says so
            qd, qdd = None if name == "velocities" else qd, None
            notes = (*notes, f"{name} are no numbers in all points: they are not read")
    for table in (time, q, qd, qdd):
        if table is not None and not np.isfinite(table).all():
            k = int(np.flatnonzero(~np.isfinite(table.reshape(len(table), -1)).all(axis=1))[0])
            told = f"point {k + 1} has a number that is not finite"
            raise TorsorError(told, hint="numbers in every point", file=path, line=lines[k])
    again = np.r_[False, (np.diff(time) == 0.0) & (np.diff(q, axis=0) == 0.0).all(axis=1)]
    if again.any() and len(q) - np.count_nonzero(again) > 1:
        notes = (*notes, f"points that repeat the one before are left out: {np.count_nonzero(again)}")
        time, q = time[~again], q[~again]
        qd, qdd = (None if table is None else table[~again] for table in (qd, qdd))
        lines = tuple(itertools.compress(lines, ~again))
    late = np.flatnonzero(np.diff(time) <= 0.0)
    if len(late):
        k = int(late[0]) + 1
        text = f"point {k + 1} is at {time[k]:g} s, which is not after {time[k - 1]:g} s"
        raise TorsorError(text, hint="times rise from point to point", file=path, line=lines[k])
    if qd is None and qdd is not None:
        qdd, notes = None, (*notes, "accelerations without speeds are not read")
    for name, table in (("velocities", qd), ("accelerations", qdd)):
        if table is not None and table.shape != q.shape:
            raise TorsorError(f"{name} for {table.shape[1]} joints, positions for {q.shape[1]}", file=path, line=1)
    far = float(np.abs(q).max())
    if far > TURNS:
        notes = (*notes, f"positions go up to {far:.4g}: they are read as radians, are they degrees?")
    return JointTrajectory(names, time - time[0], q, qd, qdd, lines, notes, ahead=ahead)


# Recordings
def recording_in(folder: Path) -> Path | None:
    """The file of a folder that `ros2 bag record` made."""
    found = sorted(each for each in folder.iterdir() if each.suffix.lower() in RECORDINGS)
    if len(found) > 1:
        names = ", ".join(each.name for each in found[:MOST_NAMED])
        raise TorsorError(f"{len(found)} recordings are here: {names}", hint="name one of them", file=folder)
    return found[0] if found else None


def _from_recording(path: Path) -> JointTrajectory:
    """The first JointTrajectory in a recording of ROS, .mcap, .bag, .db3; its joint states where there is none."""
    try:
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import Stores, get_typestore
    except ImportError:
        hint = "pip install 'torsor[trajectories]'"
        raise TorsorError("reading a recording takes rosbags", hint=hint, file=path) from None
    states: list[Any] = []
    planned: list[Any] = []
    try:
        with AnyReader([path], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
            kinds = [each for each in reader.connections if each.msgtype.endswith(PLANNED)]
            kinds = kinds or [each for each in reader.connections if each.msgtype.endswith("/JointState")]
            for connection, _, raw in reader.messages(connections=kinds) if kinds else ():
                message = _plain(reader.deserialize(raw, connection.msgtype))
                if connection.msgtype.endswith("/JointState"):
                    states.append(message)
                    if len(states) >= MOST_POINTS:
                        break
                else:
                    planned += itertools.islice(messages(message), MOST_MESSAGES)
                    if len(planned) >= MOST_MESSAGES:
                        break
        if planned:
            return _from_message(path, planned)
        if len(states) > 1:
            return _from_message(path, states)
    except TorsorError:
        raise
    except Exception as error:  # whatever a file that is none makes the reader of others raise
        raise TorsorError(f"this recording cannot be read: {error!s:.200}", file=path) from None
    raise TorsorError("there is no JointTrajectory in this recording", hint="topics of that type are read", file=path)


def _plain(message: Any, depth: int = 8) -> Any:
    """A message as dicts and lists."""
    if depth and hasattr(message, "__dataclass_fields__"):
        return {name: _plain(getattr(message, name), depth - 1) for name in message.__dataclass_fields__}
    if isinstance(message, np.ndarray):
        return message.tolist()
    if isinstance(message, list):
        return [_plain(each, depth - 1) for each in message]
    return message if not isinstance(message, float) or math.isfinite(message) else None
