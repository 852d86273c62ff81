"""Trajectories in documents of any shape, as JointTrajectory of ROS has them: ``joint_names`` and ``points``.

Beside that message: points without one around them, tables as lists (``{"t": [...], "q": [[...]]}``), and a stream of
JointState, whose stamps are the times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

DEEPEST = 8  # levels of a document
TIMES = ("time_from_start", "time", "times", "t", "timestamp", "timestamps", "time_s", "time_sec")
STEPS = ("dt", "time_step", "timestep", "sample_time")  # s between two rows, where there are no times
NAMES = ("joint_names", "names", "name", "joints")
ALIKE = {
    "positions": (
        "positions",
        "position",
        "q",
        "joint_positions",
        "joint_angles",
        "joints",
        "joint_values",
        "qpos",
        "trajectory",
    ),
    "velocities": ("velocities", "velocity", "qd", "dq", "joint_velocities", "qvel"),
    "accelerations": ("accelerations", "acceleration", "qdd", "ddq", "joint_accelerations"),
}
Message = Mapping[str, Any]


def messages(document: Any) -> Iterator[Message]:
    """Whatever looks like a JointTrajectory, however deep it lies."""
    yield from _inside(document, DEEPEST, {})


def _inside(document: Any, depth: int, seen: dict[int, int]) -> Iterator[Message]:
    """``seen``: how much depth was left where something was met before. In YAML one thing may stand in many places."""
    if depth == 0 or seen.get(id(document), 0) >= depth:
        return
    if isinstance(document, Mapping) or _is_list(document):
        seen[id(document)] = depth
    if isinstance(document, Mapping):
        if _is_list(document.get("points")) and document["points"]:
            yield document
            return
        if (lists := _of_lists(document)) is not None:
            yield lists
            return
        for each in document.values():
            found = _of_points(each) if _is_list(each) else None
            if found is not None:
                yield {**found, "joint_names": found["joint_names"] or _names(document)}
            else:
                yield from _inside(each, depth - 1, seen)
    elif _is_list(document):
        found = _of_states(document) or _of_points(document)
        if found is not None:
            yield found
            return
        for each in document:
            yield from _inside(each, depth - 1, seen)


def _of_lists(document: Message) -> Message | None:
    """``{"t": [...], "q": [[...], ...]}``, or with ``dt``"""
    time, rows = _first(document, TIMES), _first(document, ALIKE["positions"])
    step = _first(document, STEPS)
    if time is None and isinstance(step, float | int) and not isinstance(step, bool) and _is_list(rows):
        time = [k * step for k in range(len(rows))]
    if not _is_list(time) or not _is_list(rows) or len(time) != len(rows) or len(rows) < 2 or not _is_list(rows[0]):
        return None
    tables = {key: _first(document, names) for key, names in ALIKE.items()}
    kept = {key: table for key, table in tables.items() if _is_list(table) and len(table) == len(time)}
    points = [{"time_from_start": t, **{key: table[k] for key, table in kept.items()}} for k, t in enumerate(time)]
    return {"joint_names": _names(document), "points": points}


def _of_points(items: Sequence[Any]) -> Message | None:
    """``[{"time": 0.0, "positions": [...]}, ...]``"""
    if len(items) < 2 or not all(isinstance(each, Mapping) for each in items):
        return None
    points = []
    for each in items:
        time, rows = _first(each, TIMES), {key: _first(each, names) for key, names in ALIKE.items()}
        if time is None or not _is_list(rows["positions"]) or not rows["positions"]:
            return None
        points.append({"time_from_start": time, **{key: row for key, row in rows.items() if row is not None}})
    return {"joint_names": _names(items[0]), "points": points}


def _of_states(items: Sequence[Any]) -> Message | None:
    """JointState, one after the other; of several that name other joints those that there are most of."""
    states = [each for each in items if isinstance(each, Mapping) and _is_list(each.get("position")) and "name" in each]
    if len(states) < 2:
        return None
    kinds: dict[tuple[str, ...], list[Message]] = {}
    for each in states:
        kinds.setdefault(tuple(map(str, each["name"])), []).append(each)
    names, same = max(kinds.items(), key=lambda pair: len(pair[1]))
    points: list[Message] = []
    last: float | None = None
    begin: int | None = None  # whole seconds: a stamp has more digits than a float
    for each in same:
        stamp = each.get("header", {}).get("stamp") if isinstance(each.get("header"), Mapping) else None
        if not isinstance(stamp, Mapping):
            return None
        whole = int(stamp.get("sec", stamp.get("secs", 0)))
        begin = whole if begin is None else begin
        time = whole - begin + 1e-9 * float(stamp.get("nanosec", stamp.get("nsecs", 0)))
        if last is not None and time <= last:
            continue  # it was sent twice
        last = time
        points.append({"time_from_start": time, "positions": each["position"], "velocities": each.get("velocity")})
    return {"joint_names": list(names), "points": points, "states": len(items)}


def _names(document: Message) -> list[str]:
    found = _first(document, NAMES)
    return [str(name) for name in found] if _is_list(found) and all(isinstance(each, str) for each in found) else []


def _first(document: Message, keys: Sequence[str]) -> Any:
    return next((document[key] for key in keys if document.get(key) is not None), None)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
