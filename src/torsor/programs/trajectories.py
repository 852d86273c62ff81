"""Joint trajectories from files: JointTrajectory of ROS as JSON, YAML or in a recording, and tables as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats

SUFFIXES = (".csv", ".json", ".yaml", ".yml", ".mcap", ".bag", ".db3")
MOST_POINTS = 2_000_000
TIMES = ("time", "t", "time_from_start", "timestamp", "sec", "seconds", "time_s", "t_s")
KINDS = {"q": ("q", "pos", "position", "positions", "joint"), "qd": ("qd", "vel", "velocity", "velocities", "dq"),
         "qdd": ("qdd", "acc", "accel", "acceleration", "accelerations", "ddq")}  # fmt: skip


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

    def of_joints(self, joints: Sequence[str], file: str) -> tuple[Floats, Floats | None, Floats | None, Any]:
        """Tables in the order of an arm's joints, and which of them are given."""
        own = [name for name in self.names if name]
        if not own:
            if len(self.q[0]) > len(joints):
                raise TorsorError(
                    f"{len(self.q[0])} joints in the trajectory", hint=f"the arm has {len(joints)}", file=Path(file)
                )
            return self.q, self.qd, self.qdd, np.arange(len(self.q[0]))
        order = [_index_of(name, joints) for name in self.names]
        lost = [name for name, k in zip(self.names, order, strict=True) if k is None]
        if lost:
            hint = f"joints are {', '.join(joints)}"
            raise TorsorError(f"the arm has no joint {', '.join(lost)}", hint=hint, file=Path(file), line=1)
        return self.q, self.qd, self.qdd, np.array(order)


def _index_of(name: str, joints: Sequence[str]) -> int | None:
    """The joint of that name; prefixes and underscores are of no matter, if what is left is one joint's name."""
    if name in joints:
        return joints.index(name)

    def plain(text: str) -> str:
        return re.sub(r"[^a-z0-9]", "", text.lower().replace("_joint", "").replace("joint_", "").replace("joint", ""))

    alike = [
        k for k, joint in enumerate(joints) if plain(name).endswith(plain(joint)) or plain(joint).endswith(plain(name))
    ]
    return alike[0] if len(alike) == 1 and plain(name) else None


def read_trajectory(path: Path, raw: bytes) -> JointTrajectory:
    """The trajectory in a file, by its suffix."""
    match path.suffix.lower():
        case ".csv":
            return _from_table(path, _text(path, raw))
        case ".json":
            return _from_message(path, _json(path, _text(path, raw)))
        case ".yaml" | ".yml":
            return _from_message(path, _yaml(path, _text(path, raw)))
    return _from_recording(path)


def _text(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TorsorError("this is no UTF-8", hint="a table or a message as text", file=path) from None


# Tables
def _from_table(path: Path, text: str) -> JointTrajectory:
    try:
        sample = text[:4096]
        delimiter = csv.Sniffer().sniff(sample, ",;\t ").delimiter if sample.strip() else ","
    except csv.Error:
        delimiter = ","
    rows = [(number, row) for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), start=1)
            if row and any(cell.strip() for cell in row) and not row[0].lstrip().startswith("#")]  # fmt: skip
    if not rows:
        raise TorsorError("a table without rows", hint="time and a column for each joint", file=path)
    head = [cell.strip() for cell in rows[0][1]]
    if _is_number(head[0]):
        head = ["time", *[""] * (len(head) - 1)]
    else:
        rows = rows[1:]
    columns, ignored = _columns(head)
    if columns["time"] is None or not columns["q"]:
        hint = "a first line such as time,joint1,joint2,..."
        raise TorsorError("the table has no column of times, or none of joints", hint=hint, file=path, line=1)
    numbers = np.array([_row(path, number, row, len(head)) for number, row in rows])
    if len(numbers) < 2:
        raise TorsorError("a trajectory of one point", hint="two or more", file=path)
    tables = [numbers[:, columns[kind]] if columns[kind] else None for kind in ("q", "qd", "qdd")]
    names = tuple(_joint_name(head[k]) for k in columns["q"])
    notes = (f"columns that are not read: {', '.join(ignored)}",) if ignored else ()
    return _checked(path, names, numbers[:, columns["time"]], tables, tuple(number for number, _ in rows), notes)


def _columns(head: list[str]) -> tuple[dict[str, Any], list[str]]:
    found: dict[str, Any] = {"time": None, "q": [], "qd": [], "qdd": []}
    ignored = []
    for k, name in enumerate(head):
        words = [word for word in re.split(r"[^a-z]+", name.lower()) if word]
        if found["time"] is None and (name.lower() in TIMES or (words and words[0] in TIMES[:3])):
            found["time"] = k
            continue
        kind = next((kind for kind in ("qdd", "qd") if set(words) & set(KINDS[kind])), None)
        if kind is None and ("effort" in words or "torque" in words or "header" in words or "stamp" in words):
            ignored.append(name)
        else:
            found[kind or "q"].append(k)
    for kind in ("qd", "qdd"):
        if found[kind] and len(found[kind]) != len(found["q"]):
            ignored += [head[k] for k in found[kind]]
            found[kind] = []
    return found, ignored


def _joint_name(head: str) -> str:
    """
    >>> _joint_name("shoulder_pan_joint.position"), _joint_name("q3"), _joint_name("positions_2")
    ('shoulder_pan_joint', '', '')
    """
    words = "|".join(word for each in KINDS.values() for word in each if word != "joint")
    name = re.sub(rf"(^|[._/ \[\]])({words})([._/ \[\]]|$)", " ", head, flags=re.IGNORECASE).strip(" ._/[]")
    return "" if re.fullmatch(r"(q|joint|positions?|j)?_?\[?\d*\]?", name, re.IGNORECASE) else name


def _row(path: Path, number: int, row: list[str], width: int) -> list[float]:
    try:
        if len(row) < width:
            raise ValueError
        return [float(cell) for cell in row[:width]]
    except ValueError:
        hint = f"{width} numbers, as the first line has names"
        raise TorsorError("a row that is no row of numbers", hint=hint, file=path, line=number) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# Messages
def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise TorsorError(
            f"this is no JSON: {getattr(error, 'msg', 'nested too deeply')}", file=path, line=line
        ) from None


def _yaml(path: Path, text: str) -> Any:
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        hint = "pip install 'torsor[trajectories]', or save it as JSON"
        raise TorsorError("reading YAML takes PyYAML", hint=hint, file=path) from None
    try:
        documents = [each for each in yaml.safe_load_all(text) if each is not None]
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise TorsorError(
            "this is no YAML", hint="a JointTrajectory, as 'ros2 topic echo' prints it", file=path, line=line
        ) from None
    return documents[0] if len(documents) == 1 else documents


def _messages(document: Any, depth: int = 8) -> Iterator[Mapping[str, Any]]:
    """Whatever looks like a JointTrajectory, however deep it lies."""
    if depth == 0:
        return
    if isinstance(document, Mapping):
        if isinstance(document.get("points"), Sequence) and document["points"]:
            yield document
            return
        for each in document.values():
            yield from _messages(each, depth - 1)
    elif isinstance(document, Sequence) and not isinstance(document, str | bytes):
        for each in document:
            yield from _messages(each, depth - 1)


def _from_message(path: Path, document: Any) -> JointTrajectory:
    message = next(_messages(document), None)
    if message is None:
        hint = "joint_names, and points with positions and time_from_start"
        raise TorsorError("there is no JointTrajectory in this file", hint=hint, file=path, line=1)
    points = message["points"]
    try:
        time = [_seconds(point["time_from_start"]) for point in points]
        tables = [_table([point.get(key) for point in points]) for key in ("positions", "velocities", "accelerations")]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise TorsorError(
            "a point without positions and time_from_start", hint="both in every point, numbers", file=path, line=1
        ) from None
    names = tuple(
        str(name) for name in message.get("joint_names") or [""] * (0 if tables[0] is None else len(tables[0][0]))
    )
    return _checked(path, names, np.array(time), tables, (1,) * len(time), ())


def _seconds(stamp: Any) -> float:
    if isinstance(stamp, Mapping):
        whole = stamp.get("sec", stamp.get("secs", 0))
        part = stamp.get("nanosec", stamp.get("nsecs", 0))
        return float(whole) + 1e-9 * float(part)
    return float(stamp)


def _table(rows: list[Any]) -> Floats | None:
    if any(row is None or len(row) == 0 for row in rows):
        return None
    table = np.array([[float(x) for x in row] for row in rows])
    return table if table.ndim == 2 else None


def _checked(
    path: Path, names: tuple[str, ...], time: Floats, tables: Sequence[Floats | None], lines: tuple[int, ...],
    notes: tuple[str, ...],
) -> JointTrajectory:  # fmt: skip
    q, qd, qdd = tables
    if q is None or len(q) < 2:
        raise TorsorError("a trajectory of fewer than two points with positions", hint="two or more", file=path)
    if len(q) > MOST_POINTS:
        raise TorsorError(f"{len(q):,} points", hint=f"at most {MOST_POINTS:,}", file=path)
    if len(names) != len(q[0]):
        raise TorsorError(f"{len(names)} joint_names for {len(q[0])} positions", hint="one for each", file=path, line=1)
    for table in (time, q, qd, qdd):
        if table is not None and not np.isfinite(table).all():
            raise TorsorError("numbers that are not finite", file=path, line=1)
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
    return JointTrajectory(names, time - time[0], q, qd, qdd, lines, notes)


# Recordings
def _from_recording(path: Path) -> JointTrajectory:
    """The first JointTrajectory in a recording of ROS: .mcap, .bag, .db3."""
    try:
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import Stores, get_typestore
    except ImportError:
        hint = "pip install 'torsor[trajectories]'"
        raise TorsorError("reading a recording takes rosbags", hint=hint, file=path) from None
    try:
        with AnyReader([path], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
            for connection, _, raw in reader.messages():
                if connection.msgtype.endswith(("JointTrajectory", "DisplayTrajectory", "RobotTrajectory")):
                    message = reader.deserialize(raw, connection.msgtype)
                    found = next(_messages(_plain(message)), None)
                    if found is not None:
                        return _from_message(path, found)
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
