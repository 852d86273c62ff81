"""What the arm holds and which tool it has, as a program changes it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor.arm import Arm
from torsor.checking.checked_arm import CheckedArm
from torsor.model import ranges
from torsor.motion.commands import Command, Dwell, Payload, Tool
from torsor.programs.holding import holding, require_sensible


class Equipped:
    """The arm as the program changes it: what it holds, which tool it has. The same again is the same arm."""

    def __init__(self, machine: CheckedArm) -> None:
        self.bare = self.now = machine
        self._tool = machine.tool
        self._held: Payload | None = None  # what the program said of it last
        self._arms: dict[tuple[object, object], Arm] = {}  # mass and its place, tool -> the arm that holds it
        self._known = {(machine.arm, self._mounted): machine}

    @property
    def _mounted(self) -> bytes | None:
        return None if self._tool is None else self._tool.tobytes()

    def after(self, command: Command) -> CheckedArm:
        match command:
            case Payload():
                self._held = command
            case Dwell():
                require_sensible(command, "the time to wait", command.seconds, ranges.WAITING)
                return self.now
            case Tool():
                self._tool = np.asarray(command.T, dtype=np.float64)
            case _:
                return self.now
        arm = self._holding()
        if (arm, self._mounted) not in self._known:
            self._known[arm, self._mounted] = replace(self.bare, arm=arm, tool=self._tool)
        self.now = self._known[arm, self._mounted]
        return self.now

    def _holding(self) -> Arm:
        held = self._held
        about = None if held is None or held.inertia is None else held.inertia.tobytes()
        key = None if held is None else (held.mass, held.com, about, held.frame), self._mounted
        if key not in self._arms:
            self._arms[key] = holding(self.bare.arm, held, self._tool)
        return self._arms[key]
