"""A trajectory from a file, as a program: it starts at its first point, and is followed as it is."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import TorsorError, Unsupported
from torsor.model.file_mark import FileMark
from torsor.motion.commands import Assumed, Command, Follow, Joints, Place, Start
from torsor.programs.diagnostics import Diagnostic, ProgramText
from torsor.programs.joint_trajectories import JointTrajectory, read_trajectory
from torsor.programs.program import Program
from torsor.programs.trajectory_joints import are_counted, is_number

if TYPE_CHECKING:
    from torsor.motion import Paul, Timing

JOINED = ("straight lines, at whose ends speeds jump", "cubics", "quintics")


class TrajectoryProgram(Program):
    """What `read` gives for a trajectory. It has no text that could be rewritten."""

    def __init__(self, file: str, raw: bytes) -> None:
        self.trajectory: JointTrajectory = read_trajectory(Path(file), raw)
        self.project = None
        self._raw_digest = sha256(raw).hexdigest()
        self._source = ProgramText(file, "")
        given = self.trajectory
        how = JOINED[0 if given.qd is None else 1 if given.qdd is None else 2]
        count = f"{len(given.time)} point{'s' * (len(given.time) != 1)}"
        notes = [*given.notes, f"{count}, joined by {how}, as ros2_control does"]
        self.diagnostics = tuple(Diagnostic("note", Place(file, 1, 1), note) for note in notes)

    @property
    def language(self) -> str:
        return "trajectory"

    dialect = language
    least_acceleration = 0.0

    @property
    def facts(self) -> tuple[object, ...]:
        return self.language, self.trajectory

    @property
    def mark(self) -> FileMark:
        return FileMark(self.file, self._raw_digest)

    @property
    def name(self) -> str:
        return Path(self.file).stem

    @property
    def timing(self) -> Timing | Paul:
        from torsor.motion import Timing

        return Timing()

    def commands(self, *, step_limit: int | None = None, cycles: int = 1, **options: Any) -> Iterator[Command]:
        """The start and the motion, in the order of the joints of ``arm``, or of the file without one."""
        given, arm = self.trajectory, options.get("arm")
        place = Place(self.file, given.lines[0], 1, self.name)
        q, qd, qdd = given.q, given.qd, given.qdd
        time = given.time
        if given.ahead and arm is None:
            hint = "the motion goes to it from where the arm stands"
            raise TorsorError("a trajectory of one point takes an arm", hint=hint, file=Path(self.file))
        if arm is not None:
            *tables, order = given.of_joints(arm.joint_names, self.file)
            start = options.get("start")
            rest = np.zeros(arm.n) if start is None else np.asarray(start, dtype=np.float64)
            q, qd, qdd = (_ordered(table, order, rest, k) for k, table in enumerate(tables))
            if given.ahead:
                time = np.array([0.0, given.ahead])
                q = np.vstack([rest, q])
                qd, qdd = (None if table is None else np.vstack([0.0 * rest, table]) for table in (qd, qdd))
        if not given.ahead:
            yield Start(Joints(tuple(q[0].tolist()), "the first point"), place)
        if arm is not None and (lost := given.left_out(arm.joint_names)):
            yield Assumed(f"{', '.join(lost)}: no joint of the arm, and left out", place)
        if arm is not None and (missing := [name for k, name in enumerate(arm.joint_names) if k not in order]):
            told = f"{', '.join(missing)}: not in the trajectory, and taken to stand still"
            in_a_row = max(order) == len(order) - 1 and all(is_number(name) for name in given.names)
            if in_a_row and not are_counted(arm.joint_names):
                first, last = arm.joint_names[0], arm.joint_names[len(order) - 1]
                taken = f"the first {len(order)} of {arm.n} joints, {first} to {last}"
                told = f"columns without names are taken for {taken}; the others stand still"
            yield Assumed(told, place)
        yield Follow(tuple(time.tolist()), q, place, qd, qdd)

    def repaced(self, *given: Any, **more: Any) -> Any:
        raise Unsupported("a trajectory has no pace that could be rewritten", hint="plan it anew, slower")

    def text(self) -> str:
        return ""

    __str__ = text


def _ordered(table: Any, order: Any, rest: Any, kind: int) -> Any:
    if table is None:
        return None
    whole = np.tile(rest if kind == 0 else np.zeros(len(rest)), (len(table), 1))
    whole[:, order] = table
    return whole
