"""How warm the windings get, of motors whose arm file says how they warm."""

from __future__ import annotations

import numpy as np

from torsor.checking.between_samples import JudgedBlock
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.moves import Peak
from torsor.drives import motors


class Warming:
    """Goes through blocks in order: K above the surroundings; 0 where there is no model."""

    def __init__(self, machine: CheckedArm) -> None:
        self.peak = Peak(np.zeros(len(machine.motors)), np.zeros(len(machine.motors)))
        self._now = self.peak.share

    def add(self, judged: JudgedBlock) -> None:
        """By the torque that motors give of what they are asked for, constant between samples."""
        block = judged.block
        machine = block.machine
        if not (machine.at_motors and any(drive.motor.thermal for drive in machine.model.drives)):
            return
        loads, time = machine.loads(block.q, block.qd, block.qdd), block.time
        squared = loads.given**2
        torque, steps = np.sqrt(0.5 * (squared[1:] + squared[:-1])), np.diff(time)
        warm = np.nan_to_num(motors.warming(machine.model, torque, steps[:, None], self._now), nan=0.0)
        if len(warm):
            at = warm.argmax(axis=0)
            most = warm[at, np.arange(warm.shape[1])]
            higher = most > self.peak.share
            self.peak = Peak(np.maximum(most, self.peak.share), np.where(higher, time[1:][at], self.peak.time))
            self._now = warm[-1]
