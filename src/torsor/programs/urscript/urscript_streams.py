"""Motion that a program gives bit by bit, by targets (servoj) or by speeds (speedj): gathered, and made one motion."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.commands import Follow, Place
from torsor.motion.paths.sampled_motion import smoothed

LOOKAHEAD = 0.2  # s, the longest lookahead_time of servoj
STOPS_AT = 2.0  # rad/s^2 of the leading joint, where no stopj says it: as in the example that the manual has of stopj
SOON = 1e-9  # s: what is over sooner takes no time
JointNumbers = tuple[float, ...]


@dataclass
class Stream:
    """Joints at times from 0 on; their speeds where they are given, None where the targets around tell them.

    It may begin and end at speed: what stops it is asked for (`stop`), or is not in the program.
    """

    times: list[float] = field(default_factory=list)
    q: list[JointNumbers] = field(default_factory=list)
    qd: list[JointNumbers | None] = field(default_factory=list)
    has_targets: bool = False  # of servoj
    tool: JointNumbers | None = None  # the speed of the tool that it ends with, where that is what leads (speedl)

    def begin(self, q: JointNumbers, qd: JointNumbers | None = None) -> None:
        self.times, self.q, self.qd = [0.0], [q], [qd or (0.0,) * len(q)]

    def target(self, q: JointNumbers, seconds: float) -> None:
        self._add(q, None, seconds)

    def speed(self, qd: JointNumbers, acceleration: float, seconds: float | None) -> None:
        """All joints get to their speeds at once, the one that has farthest to go with ``acceleration``.

        It lasts ``seconds``, be the speeds reached or not; without, until they are.
        """
        now, wanted = np.array(self.end_speed), np.array(qd)
        change = float(np.abs(wanted - now).max())
        takes = change / acceleration
        lasts = takes if seconds is None else seconds
        ramp = min(takes, lasts)
        if ramp > SOON:
            reached = wanted if takes <= lasts else now + (wanted - now) * (ramp / takes)
            self._straight(now, reached, ramp)
        if lasts - ramp > SOON:
            self.hold(lasts - ramp)

    def hold(self, seconds: float) -> None:
        """Goes on as fast as it is."""
        now = np.array(self.end_speed)
        self._straight(now, now, seconds)

    def stop(self, deceleration: float) -> None:
        self.speed((0.0,) * len(self.q[0]), deceleration, None)

    def _straight(self, before: Floats, after: Floats, seconds: float) -> None:
        """Speeds change evenly: cubics between the two ends are that very parabola."""
        self.qd[-1] = tuple(map(float, before))
        q = np.array(self.q[-1]) + 0.5 * (before + after) * seconds
        self._add(tuple(map(float, q)), tuple(map(float, after)), seconds)

    def _add(self, q: JointNumbers, qd: JointNumbers | None, seconds: float) -> None:
        self.times.append(self.times[-1] + seconds)
        self.q.append(q)
        self.qd.append(qd)
        self.tool = None

    @property
    def end_speed(self) -> JointNumbers:
        """At the last sample: as given, or of the parabola through the last three targets.

        So a stream that slows down evenly ends at rest, and one that does not ends as fast as it was. A target that is
        alone, or longer under way than servoj looks ahead, is arrived at.
        """
        if (given := self.qd[-1]) is not None:
            return given
        time, q = np.array(self.times[-3:]), np.array(self.q[-3:])
        slopes = np.diff(q, axis=0) / np.diff(time)[:, None]
        now = slopes[-1]
        if len(slopes) == 1 or time[-1] - time[-2] > LOOKAHEAD:
            return (0.0,) * len(now)
        now = now + (now - slopes[-2]) * (time[-1] - time[-2]) / (time[-1] - time[-3])
        now = np.where(now * slopes[-1] > 0.0, now, 0.0)
        return tuple(map(float, now))

    @property
    def keeps_speed(self) -> bool:
        """Whether it ends with a speed that the joints hold until they are asked for something else."""
        return bool(self.qd) and self.qd[-1] is not None and any(self.qd[-1])

    @property
    def is_moving(self) -> bool:
        """Whether it takes longer than between its last two targets to come to rest."""
        fastest = max(map(abs, self.end_speed), default=0.0) if self.times else 0.0
        if fastest > 0.0 and self.qd[-1] is None:
            return fastest > STOPS_AT * (self.times[-1] - self.times[-2])
        return fastest > 0.0

    def motion(self, place: Place) -> Follow:
        """The whole as one command."""
        time, q = np.array(self.times), np.array(self.q)
        qd = smoothed(time, q)
        if self.is_moving:
            qd[-1] = self.end_speed
        for k, given in enumerate(self.qd):
            if given is not None:
                qd[k] = given
        return Follow(tuple(self.times), q, place, qd=qd)
