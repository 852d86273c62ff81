"""Trajectories as tables: which column of a CSV file is the time, which are joints, and what is left out."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from pathlib import Path

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.programs.trajectory_times import in_seconds

TIMES = ("time", "t", "time_from_start", "timestamp", "sec", "secs", "seconds", "time_s", "t_s", "elapsed")
SECONDS = re.compile(r"(.*?)(?:secs?|seconds)")
PARTS = ("nsec", "nsecs", "nanosec", "nanoseconds")  # beside a column of whole seconds
KINDS = {"q": ("q", "pos", "position", "positions", "joint"), "qd": ("qd", "vel", "velocity", "velocities", "dq"),
         "qdd": ("qdd", "acc", "accel", "acceleration", "accelerations", "ddq")}  # fmt: skip
WORDS = "|".join(word for each in KINDS.values() for word in each if word != "joint")
COUNTED = re.compile(rf"(?:{WORDS}|joint|j)?_?\[?(\d+)\]?", re.IGNORECASE)
OTHER = {"effort", "torque", "header", "stamp", "seq", "current", "moment", "mode", "tcp", "force", "temperature"}
STAMPS = ("ts", "timestamp")  # how names of times may end
NUMBERED = re.compile(
    r"(?:\S*/|field\.|observation\.)?(target_|actual_|desired_|command_)?(q|qd|qdd|position|velocity|state)"
    r"[._]?\[?(\d+)\]?", re.I,
)  # fmt: skip
DEGREE = math.pi / 180.0
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "rad": 1.0, "radians": 1.0, "deg": DEGREE, "degrees": DEGREE}
# behind a name: `t [ms]`, `time_ms`, `elbow (deg/s)`; a lone s is a unit between brackets only
UNIT = re.compile(
    rf"\s*[\[(]\s*({'|'.join(UNITS)})(?:/s(?:\^?2)?)?\s*[\])]$|[\s_.-]({'|'.join([*UNITS][1:])})$", re.IGNORECASE
)
COMMA = re.compile(r"\s*[-+]?\d*,\d+(?:[eE][-+]?\d+)?\s*")  # a decimal one


@dataclass
class TableColumns:
    """Numbers of columns; ``names`` of joints, where another column tells them."""

    time: int | None = None
    part: int | None = None
    tables: dict[str, list[int]] = field(default_factory=lambda: {"q": [], "qd": [], "qdd": []})
    names: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class TrajectoryTable:
    names: tuple[str, ...]
    time: Floats
    tables: list[Floats | None]
    lines: tuple[int, ...]
    notes: tuple[str, ...]


def read_table(path: Path, text: str) -> TrajectoryTable:
    try:
        sample = text[:4096]
        delimiter = csv.Sniffer().sniff(sample, ",;\t ").delimiter if sample.strip() else ","
    except csv.Error:
        delimiter = ","
    cells = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter)  # lines end in any of the three ways
    try:
        every = [(cells.line_num, row) for row in cells if "".join(row).strip()]
        rows = [(number, row) for number, row in every if not row[0].lstrip().startswith("#")]
    except csv.Error as error:
        raise TorsorError(f"this is no table: {error}", file=path, line=cells.line_num) from None
    if delimiter == ";":
        rows = [(number, [each.replace(",", ".") if COMMA.fullmatch(each) else each for each in row])
                for number, row in rows]  # fmt: skip
    if not rows:
        raise TorsorError("a table without rows", hint="time and a column for each joint", file=path)
    head = [cell.strip() for cell in rows[0][1]]
    nameless = _is_number(head[0])
    if nameless:
        head = ["time", *map(str, range(1, len(head)))]
    else:
        head, rows = _spread(head, rows[1:])
    units = [UNITS[(unit[1] or unit[2]).lower()] if (unit := UNIT.search(name)) else None for name in head]
    head = [UNIT.sub("", name) or name for name in head]
    first = rows[0][1] if rows else []
    columns = _columns(head, first)
    if not rows:
        raise TorsorError("a table with names and no rows", hint="a row for each point", file=path, line=1)
    if columns.time is None or not columns.tables["q"]:
        hint = "a first line such as time,joint1,joint2,..."
        raise TorsorError("the table has no column of times, or none of joints", hint=hint, file=path, line=1)
    used = [columns.time, *([] if columns.part is None else [columns.part]), *chain(*columns.tables.values())]
    numbers = _numbers(path, rows, len(head), used)
    if len(numbers) < 2:
        raise TorsorError("a trajectory of one point", hint="two or more", file=path)
    if units[columns.time] is not None:
        numbers[:, columns.time] -= numbers[0, columns.time]  # of a clock in ns many digits are lost else
    numbers *= [1.0 if unit is None else unit for unit in units]
    time = numbers[:, columns.time]
    if nameless and np.any(np.diff(time) <= 0.0):
        k = int(np.flatnonzero(np.diff(time) <= 0.0)[0]) + 1
        text = "a table without names, whose first column does not rise: it is no time"
        raise TorsorError(text, hint="a first line such as time,joint1,joint2,...", file=path, line=rows[k][0])
    said = ""
    if columns.part is not None:
        time = time - time[0] + 1e-9 * numbers[:, columns.part]
    elif units[columns.time] is None:
        time, said = in_seconds(time)
    tables = [numbers[:, each] if each else None for each in columns.tables.values()]
    names = columns.names or [joint_name(head[k]) for k in columns.tables["q"]]
    left = f"columns that are not read: {', '.join(columns.ignored)}" if columns.ignored else ""
    notes = tuple(note for note in (said, left) if note)
    return TrajectoryTable(tuple(names), time, tables, tuple(number for number, _ in rows), notes)


def _spread(head: list[str], rows: list[tuple[int, list[str]]]) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """A cell that holds a list, ``"[0.1, 0.2]"``, becomes so many columns."""
    sizes = [len(_listed(cell)) if _LIST.fullmatch(cell) else 0 for cell in rows[0][1]] if rows else []
    if not any(sizes) or len(sizes) != len(head):
        return head, rows
    names = [f"{name}.{k}" if size else name for name, size in zip(head, sizes, strict=True) for k in range(size or 1)]

    def spread(row: list[str]) -> list[str]:
        cells = zip(row, sizes, strict=False)
        return list(chain.from_iterable(_listed(cell) if size else [cell] for cell, size in cells))

    return names, [(number, spread(row)) for number, row in rows]


_LIST = re.compile(r"\s*\[[^\[\]]*\]\s*")


def _listed(cell: str) -> list[str]:
    return cell.strip(" []\n").replace(",", " ").split()


def _columns(head: list[str], first: list[str]) -> TableColumns:
    found = TableColumns()
    numbered = [match for name in head if (match := NUMBERED.fullmatch(name))]
    ahead = next((match[1] for match in numbered if match[1] and match[1].lower() in ("target_", "desired_")), None)
    found.time, found.part = _clock(head)
    for k, name in enumerate(head):
        words = [word for word in re.split(r"[^a-z]+", name.lower()) if word]
        match = NUMBERED.fullmatch(name)
        if k in (found.time, found.part):
            continue
        if not name:
            found.ignored.append(f"column {k + 1}, which has no name")
        elif found.time is None and (
            name.lower() in TIMES or (words and (words[0] in TIMES[:3] or words[-1] in STAMPS))
        ):
            found.time = k
        elif k < len(first) and not _is_number(first[k].strip()):
            if words[-1:] == ["name"]:
                found.names.append(first[k].strip())
            else:
                found.ignored.append(name)
        elif numbered and (match is None or (ahead and (match[1] or "").lower() != ahead.lower())):
            found.ignored.append(name)  # beside joints that are counted nothing else is a joint
        else:
            kind = next((kind for kind in ("qdd", "qd") if set(words) & set(KINDS[kind])), None)
            if kind is None and set(words) & OTHER:
                found.ignored.append(name)
            else:
                found.tables[kind or "q"].append(k)
    joints = [joint_name(head[k]) for k in found.tables["q"]]
    for kind in ("qd", "qdd"):  # each in the order of its positions
        own = {joint_name(head[k]): k for k in found.tables[kind]}
        whole = len(own) == len(found.tables[kind]) == len(joints) and all(name in own for name in joints)
        found.ignored += [] if whole else [head[k] for k in found.tables[kind]]
        found.tables[kind] = [own[name] for name in joints] if whole else []
    if len(found.names) != len(found.tables["q"]):
        found.names = []
    return found


def _is_time(name: str, words: list[str]) -> bool:
    return name in TIMES or (len(words) > 0 and (words[0] in TIMES[:3] or words[-1] in STAMPS))


def _clock(head: list[str]) -> tuple[int | None, int | None]:
    """The columns of whole seconds and of nanoseconds beside them, ``stamp.sec`` and ``stamp.nanosec``."""
    low = [name.lower() for name in head]
    for k, name in enumerate(low):
        if (found := SECONDS.fullmatch(name)) is None:
            continue
        part = next((low.index(found[1] + word) for word in PARTS if found[1] + word in low), None)
        if part is not None:
            return k, part
    return None, None


def joint_name(head: str) -> str:
    """The joint of a column; its number, where joints are only counted.

    >>> joint_name("shoulder_pan_joint.position"), joint_name("q3"), joint_name("target_q_2"), joint_name("dq[1]")
    ('shoulder_pan_joint', '3', '2', '1')
    """
    if (found := NUMBERED.fullmatch(head)) is not None:
        return found[3]
    if (counted := COUNTED.fullmatch(head)) is not None:
        return counted[1]
    name = re.sub(rf"(^|[._/ \[\]])({WORDS})([._/ \[\]]|$)", " ", head, flags=re.IGNORECASE).strip(" ._/[]")
    counted = COUNTED.fullmatch(name)
    return counted[1] if counted is not None else name


def _numbers(path: Path, rows: list[tuple[int, list[str]]], width: int, used: list[int]) -> Floats:
    """(rows, width), zero where a column is not ``used``."""
    cells = chain.from_iterable(map(itemgetter(*used), map(itemgetter(1), rows)))
    found = np.zeros((len(rows), width))
    try:
        if any(len(row) != width for _, row in rows):
            raise ValueError
        found[:, used] = np.fromiter(map(float, cells), np.float64, len(rows) * len(used)).reshape(len(rows), -1)
    except ValueError:  # one by one, to be told which row is none; some have blanks behind them
        return np.array([_row(path, number, row, width, used) for number, row in rows])
    return found


def _row(path: Path, number: int, row: list[str], width: int, used: list[int]) -> list[float]:
    try:
        if len(row) < width or any(cell.strip() for cell in row[width:]):
            raise ValueError
        return [float(row[k]) if k in used else 0.0 for k in range(width)]
    except ValueError:
        hint = f"{width} numbers, as the first line has names"
        raise TorsorError("a row that is no row of numbers", hint=hint, file=path, line=number) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
