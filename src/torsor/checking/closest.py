"""Where the arm of a program comes nearest to something, and to what."""

from __future__ import annotations

from collections.abc import Sequence

from torsor.checking.between_samples import JudgedBlock
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.moves import MoveTaken
from torsor.checking.problems import Remark
from torsor.model.transforms import Floats


class Closest:
    """The posture that is nearest to a contact, of all blocks that were added."""

    def __init__(self, machine: CheckedArm) -> None:
        self.machine = machine
        self._most, self._time, self._move = 0.0, 0.0, 0
        self._posture: Floats | None = None

    def add(self, judged: JudgedBlock, owners: Sequence[int]) -> None:
        """``owners`` are the moves of the block's sections."""
        if self.machine.surroundings is None or not owners:
            return
        where = self.machine.columns["contact"]
        peaks = judged.peaks[:, where][:, 0]
        k = int(peaks.argmax())
        if peaks[k] > self._most:
            time = judged.times[k, where]
            self._most, self._time, self._move = float(peaks[k]), float(time[0]), owners[k]
            self._posture = judged.block.planned(time)[0][0]

    def told(self, moves: Sequence[MoveTaken]) -> Remark | None:
        """In words; None where nothing is looked at, or nothing is there."""
        if self.machine.surroundings is None or self._posture is None:
            return None
        found = self.machine.surroundings.nearest(self._posture)
        apart = 1e3 * (found.distance + self.machine.surroundings.cell.margin)
        what = f"{found.first} and {found.second} come nearest: {apart:.3g} mm, at {self._time:.2f} s"
        return Remark(f"collision: {what}", moves[self._move].place)
