"""Trajectories as tables: which column of a CSV file is the time, which are joints, and what is left out."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass, field
from datetime import datetime
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
COUNTED = re.compile(rf"(?:{WORDS}|joint|axis|j)?[_ ]?\[?(\d+)\]?", re.IGNORECASE)
OTHER = {"effort", "efforts", "eff", "torque", "torques", "tau", "header", "stamp", "seq", "current", "currents",
         "moment", "mode", "tcp", "force", "temperature", "error"}  # fmt: skip
ROWS = {"index", "idx", "step", "frame", "sample", "row", "episode", "iteration", "reward", "done"}  # as whole names
STAMPS = ("ts", "timestamp", "time")  # how names of times may end
NUMBERED = re.compile(
    r"(?:\S*/|field\.|observation\.)?(target_|actual_|desired_|command_)?(q|qd|qdd|position|velocity|state)"
    r"[._]?\[?(\d+)\]?", re.I,
)  # fmt: skip
DEGREE = math.pi / 180.0
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "rad": 1.0, "radians": 1.0, "deg": DEGREE, "degrees": DEGREE,
         "°": DEGREE}  # fmt: skip
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
    nameless: bool  # no line tells what the columns are


def read_table(path: Path, text: str) -> TrajectoryTable:
    text = io.StringIO(text, newline=None).read()  # lines end in any of the three ways
    delimiter = _delimiter(text)
    if delimiter == " ":  # columns may be aligned
        text = "\n".join(line.strip() for line in text.split("\n"))
    cells = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
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
    if nameless and (above := _named_above(text, rows[0][0], delimiter, len(head))):
        head, nameless = above, False
    elif nameless:
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
    rows = _since_the_first(rows, columns.time)
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
    return TrajectoryTable(tuple(names), time, tables, tuple(number for number, _ in rows), notes, nameless)


def _delimiter(text: str) -> str:
    sample = "\n".join(line for line in text[:4096].split("\n") if not line.lstrip().startswith("#"))
    try:
        return csv.Sniffer().sniff(sample, ",;\t ").delimiter if sample.strip() else ","
    except csv.Error:
        return ","


def _named_above(text: str, line: int, delimiter: str, count: int) -> list[str]:
    """Names of columns in the comment above the first row, as `numpy.savetxt` writes them; none where it has others."""
    above = [each.strip() for each in text.split("\n")[: line - 1] if each.strip()]
    if not above or not above[-1].startswith("#"):
        return []
    said = above[-1].lstrip("# ")
    names = [each.strip() for each in (said.split(delimiter) if delimiter in said.strip() else said.split())]
    return names if len(names) == count == len(set(names)) and not any(map(_is_number, names)) else []


def _since_the_first(rows: list[tuple[int, list[str]]], time: int) -> list[tuple[int, list[str]]]:
    """Dates and times of day become seconds since the first of them."""
    if not rows or len(rows[0][1]) <= time or _is_number(rows[0][1][time]):
        return rows
    begin, found = None, []
    for number, row in rows:
        try:
            now = datetime.fromisoformat(row[time].strip())
            begin = begin or now
            found.append((number, [*row[:time], repr((now - begin).total_seconds()), *row[time + 1 :]]))
        except (ValueError, IndexError, TypeError):  # TypeError: some have a zone, and some have none
            found.append((number, row))  # which is no row of numbers
    return found


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
    if found.time is None:
        found.time = _time_of(head)
    for k, name in enumerate(head):
        words = [word for word in re.split(r"[^a-z]+", name.lower()) if word]
        match = NUMBERED.fullmatch(name)
        if k in (found.time, found.part):
            continue
        if _time_of([name]) is not None and found.time is not None:
            found.ignored.append(name)  # of another clock
        elif not name:
            found.ignored.append(f"column {k + 1}, which has no name")
        elif k < len(first) and not _is_number(first[k].strip()):
            if words[-1:] == ["name"]:
                found.names.append(first[k].strip())
            else:
                found.ignored.append(name)
        elif numbered and (match is None or (ahead and (match[1] or "").lower() != ahead.lower())):
            found.ignored.append(name)  # beside joints that are counted nothing else is a joint
        else:
            kind = next((kind for kind in ("qdd", "qd") if set(words) & set(KINDS[kind])), None)
            if kind is None and (set(words) & OTHER or name.lower() in ROWS):
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


def _time_of(head: list[str]) -> int | None:
    """The column of times: one that is called so, else one whose name begins or ends so."""
    words = [[word for word in re.split(r"[^a-z]+", name.lower()) if word] for name in head]
    called = (k for k, name in enumerate(head) if name.lower() in TIMES)
    begun = (k for k, each in enumerate(words) if each and (each[0] in TIMES[:3] or each[-1] in STAMPS[:2]))
    ended = (k for k, each in enumerate(words) if each and each[-1] in STAMPS)
    return next(chain(called, begun, ended), None)


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
