"""``Monitor``: samples in, frames out. The engine of ``torsor monitor``, without files, sockets and threads.

All that is decided depends on the samples and their times alone, not on how many arrive together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from torsor.arm import Arm
from torsor.checking.checked_arm import CheckedArm, torque_shares
from torsor.errors import LoopOpen, ShapeError
from torsor.model.transforms import Floats
from torsor.monitoring.flags import FlagBook
from torsor.monitoring.frames import MonitorFrame
from torsor.monitoring.headroom import Achieving, Headroom
from torsor.monitoring.noise_level import LEARNING, NoiseLevel
from torsor.monitoring.observer import MomentumObserver, Observed
from torsor.monitoring.payload_fit import PayloadEstimate, PayloadFit
from torsor.monitoring.stream_clock import StreamClock
from torsor.monitoring.stream_samples import StreamSample, TorqueSide

GAIN = 30.0  # 1/s of the observer
RATE = 60.0  # 1/s of the filter of signals: they are late by 1 / RATE
TICK = 0.01  # s between steps of what changes slowly: noise, payload, Algorithm 1
ACCURACY = 0.01  # of a joint's peak torque: what a model is trusted to
SURE = 6.0  # standard deviations of the residual, beyond which it is no noise
SURE_OF_PAYLOAD = 3.0  # uncertainties, each of which is two standard deviations already
FOLLOWED = 0.5  # s that the payload is followed before residuals are judged
SETTLED = 1.0  # s: a push that lasts longer is taken for a load; a load that lasts so long is told
OVERLOAD = 0.95  # of what a motor gives at its speed: more than all it cannot show
BEYOND = 1e-4  # rad or m that a position may be past its limit
TOO_FAST = 1.01  # times a speed limit
LARGEST_BATCH = 1000  # samples that are computed together

SignalColumns = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Largest:
    """The largest sizes so far; NaN where nothing is known."""

    external: Floats  # (n,) N m (N), of the observer
    residual: Floats  # (m,) N m (N), measured minus model
    share: Floats  # (m,) of what motors give


class Monitor:
    """Holds the samples of a running arm against its model.

    - ``gain`` in 1/s of the momentum observer: the residual follows what acts on the arm in 1 / gain s;
    - ``rate`` in 1/s of the filter that accelerations, and speeds where the stream has none, are found by;
    - ``accuracy``: of a joint's peak torque (of the largest so far where no peak is known), by which the model may be
      wrong without a flag.

    >>> import numpy as np, torsor
    >>> from torsor.monitoring.stream_samples import StreamSample
    >>> arm = torsor.load("planar2")
    >>> monitor, q = Monitor(arm), np.array([0.5, -0.2])
    >>> held = arm.gravity(q) + [0.0, 3.0]  # something rests on the second link
    >>> monitor.take([StreamSample(k / 100, q, 0 * q, held, "joint") for k in range(300)])
    >>> frame = monitor.frame()
    >>> frame.signals["external"][-1].round(3) + 0.0, frame.time
    (array([ 0., -3.]), 2.99)
    """

    def __init__(self, arm: Arm, *, gain: float = GAIN, rate: float = RATE, accuracy: float = ACCURACY) -> None:
        for word, value in (("gain", gain), ("rate", rate)):
            if not 0.0 < value < 1e6:
                raise ShapeError(f"{word} is {value}", hint="in 1/s, above zero; 30 is usual")
        if not 0.0 <= accuracy < 1.0:
            raise ShapeError(f"accuracy is {accuracy}", hint="a share of the peak torque, from 0 to 1")
        self.arm, self.gain, self.rate, self.accuracy = arm, gain, rate, accuracy
        self.clock, self.book = StreamClock(), FlagBook()
        self._watch: _Side | None = None
        self._last: SignalColumns = {}
        self._worst: tuple[float, SignalColumns] = -1.0, {}
        self._waiting: float | None = None  # arrival of the oldest sample that no frame has shown
        self._shown = 0  # flags in frames already

    @property
    def machine(self) -> CheckedArm:
        """The arm where it is measured: at its motors, or at its joints."""
        return CheckedArm(self.arm) if self._watch is None else self._watch.machine

    @property
    def side(self) -> TorqueSide | None:
        """Which torques the stream has; None for none, and before the first sample."""
        return None if self._watch is None else self._watch.side

    @property
    def delay(self) -> float:
        """s by which speeds, and all that follows from them, are late where the stream has none."""
        return 0.0 if self._watch is None or self._watch.speeds else 1.0 / self.rate

    @property
    def payload(self) -> PayloadEstimate | None:
        """What the arm holds more than its model says."""
        return None if self._watch is None else self._watch.fit.estimate

    @property
    def largest(self) -> Largest | None:
        return None if self._watch is None else self._watch.largest

    def take(self, samples: Sequence[StreamSample]) -> None:
        """The next samples, in the order of their arrival."""
        for begin in range(0, len(samples), LARGEST_BATCH):
            self._take(samples[begin : begin + LARGEST_BATCH])

    def frame(self, now: float | None = None) -> MonitorFrame | None:
        """What there is to draw since the frame before; None before the first sample. ``now`` is of time.monotonic."""
        if self._watch is None or not self._last:
            return None
        if self._waiting is not None and now is None:
            now = monotonic()
        latency = None if self._waiting is None or now is None else now - self._waiting
        rows = [self._last]
        if self._worst[1] and self._worst[1]["time"] < self._last["time"]:
            rows.insert(0, self._worst[1])
        raised = tuple(self.book.flags[self._shown :])
        self._shown, self._worst, self._waiting = len(self.book.flags), (-1.0, {}), None
        last, watch = self._last, self._watch
        return MonitorFrame(
            time=float(last["time"]),
            samples=self.clock.samples,
            latency=latency,
            q=last["q"],
            qd=last["qd"],
            tool=self._pose(last["q"]),
            headroom=watch.headroom,
            payload=watch.fit.estimate,
            active=self.book.active,
            raised=raised,
            signals={name: np.stack([row[name] for row in rows]) for name in last},
        )

    def _pose(self, q: Floats) -> Floats:
        try:
            return self.arm.pose(q)
        except LoopOpen:
            return np.full((4, 4), np.nan)

    def _take(self, samples: Sequence[StreamSample]) -> None:
        good, steps = [], []
        for sample in samples:
            dt = self.clock.take(sample.t, sample.arrived)
            if dt is not None:
                good.append(sample)
                steps.append(dt)
        if not good:
            return
        arrived = [each.arrived for each in good if each.arrived is not None]
        if arrived:
            self._waiting = min(arrived) if self._waiting is None else min(self._waiting, *arrived)
        if self._watch is None:
            self._watch = _Side(self, good[0])
        columns, score = self._watch.take(good, np.array(steps))
        self._last = {name: values[-1] for name, values in columns.items()}
        worst = int(np.argmax(score))
        if score[worst] > self._worst[0]:
            self._worst = float(score[worst]), {name: values[worst] for name, values in columns.items()}


class _Side:
    """An arm at its motors or at its joints, as the first sample of a stream tells."""

    def __init__(self, monitor: Monitor, first: StreamSample) -> None:
        arm = monitor.arm
        if (
            first.side == "joint" and arm.model.drives
        ):  # a sensor behind the gear: motors and their friction are before it
            arm = Arm(replace(arm.model, drives=()))
        self.side, self.speeds = first.side, first.qd is not None
        self.machine = machine = CheckedArm(arm)
        self._monitor, self._drives = monitor, machine.driven.drives
        self._observer = MomentumObserver(self._drives, gain=monitor.gain, rate=monitor.rate, speeds=self.speeds)
        self._noise, self.fit = NoiseLevel(arm.n), PayloadFit(monitor.gain)
        self._achieving = Achieving(machine)
        self.headroom: Headroom | None = None
        peaks = np.abs(self._drives.N(first.q)).T @ np.nan_to_num(machine.peaks, posinf=0.0)
        self._scale, self._is_known = peaks, peaks > 0.0  # (n,) N m; where no peak is known the largest so far
        self._tick: int | None = None
        self._slow: tuple[Floats, ...] | None = None  # the last sample of the tick that runs
        self._heavy_since: float | None = None
        nothing = [np.full(size, np.nan) for size in (arm.n, self._drives.m, self._drives.m)]
        self.largest = Largest(*nothing)
        kinds = [link.joint.kind for link in machine.model.links_on(machine.joints)]
        self._units = tuple("N" if kind == "prismatic" else "N m" for kind in kinds)
        self._speed_units = tuple("m/s" if kind == "prismatic" else "rad/s" for kind in kinds)
        every = [link.joint.kind for link in machine.model.independent]
        self._position_units = tuple("m" if kind == "prismatic" else "rad" for kind in every)

    @property
    def _trusted(self) -> Floats:
        """(n,) N m by which the model may be wrong."""
        return self._monitor.accuracy * self._scale

    def take(self, samples: Sequence[StreamSample], steps: Floats) -> tuple[SignalColumns, Floats]:
        """Signals (samples, ...) by name, and how bad each sample is."""
        time, q = np.array([each.t for each in samples]), np.stack([each.q for each in samples])
        qd = np.stack([each.qd for each in samples]) if self.speeds else None  # type: ignore[misc]
        known = self.side is not None
        u = np.stack([each.torque for each in samples]) if known else np.zeros((len(q), self._drives.m))  # type: ignore[misc]
        seen = self._observer.step(q, qd, u, steps)
        model = self._model(seen)
        measured = seen.torque_slow if known else np.full_like(model, np.nan)
        external = seen.external if known else np.full_like(q, np.nan)
        shares = torque_shares(
            measured if known else model, *self._drives.available(self._drives.rates(seen.q_slow, seen.qd_slow))
        )
        threshold, pushed = np.empty_like(q), np.empty_like(q)
        ticks = np.floor(time / TICK)
        ends = [*np.flatnonzero(np.diff(ticks)) + 1, len(q)]
        begin = 0
        for end in ends:
            part = slice(begin, end)
            self._step_to(int(ticks[begin]), float(time[begin]))
            threshold[part] = SURE * self._noise.deviation + seen.band[part] + self._trusted
            pushed[part] = np.abs(external[part] - self.fit.mass * seen.unit[part])
            self._judge_push(time[part], pushed[part], threshold[part])
            rows = external, seen.unit, seen.band, seen.q_slow, seen.torque_slow
            self._slow = tuple(each[end - 1] for each in rows)
            begin = end
        self._judge_limits(time, seen, shares)
        lasts = np.array(ends) - 1
        head = self._achieving.at(seen.q_slow[lasts], seen.qd_slow[lasts], seen.qdd_slow[lasts])
        self.headroom = head[-1] if head else None
        residual = measured - model
        self.largest = Largest(*(
            np.fmax(before, np.fmax.reduce(np.abs(now), axis=0))
            for before, now in zip(vars(self.largest).values(), (external, residual, shares), strict=True)
        ))  # fmt: skip
        columns = {
            "time": time, "q": seen.q, "qd": seen.qd, "external": external, "threshold": threshold,
            "measured": measured, "model": model, "residual": residual, "share": shares,
        }  # fmt: skip
        score = np.nan_to_num(pushed / np.maximum(threshold, 1e-12)).max(axis=1) if known else shares.max(axis=1)
        return columns, np.nan_to_num(score)

    def _model(self, seen: Observed) -> Floats:
        """(samples, m) by inverse dynamics; unknown where motors are not as many as joints."""
        if not self._drives.gearing.square:
            return np.full_like(seen.torque_slow, np.nan)
        return self._drives.torques(seen.q_slow, seen.qd_slow, seen.qdd_slow)

    def _step_to(self, tick: int, now: float) -> None:
        """What changes slowly takes the last sample of a tick, once the next one has begun."""
        if self._tick is None or self._slow is None:
            self._tick = tick
            return
        if tick == self._tick:
            return
        dt, self._tick = min((tick - self._tick) * TICK, SETTLED), tick
        r, z, band, q, u = self._slow
        if self.side is None:
            return
        now_given = np.nan_to_num(np.abs(self._drives.gearing.to_joints(q, u)))
        self._scale = np.where(self._is_known, self._scale, np.maximum(self._scale, now_given))
        age = self._monitor.book.age("collision", now)
        if age is None or age > SETTLED:
            if self._noise.learned:
                floor_ = 0.1 * self._trusted + 1e-9
                self.fit.take(r, z, self._noise.deviation + floor_, band, dt)
            self._noise.take(r - self.fit.mass * z, dt)
        self._weigh(now)

    def _weigh(self, now: float) -> None:
        """A payload that is surely another one, for some time, and that matters beside what the model is trusted to."""
        found = self.fit.estimate
        if found is None:
            return
        limit = SURE_OF_PAYLOAD * found.uncertainty
        matters = bool((self.fit.torques > self._trusted).any())
        if not (abs(found.mass) > limit and matters):
            self._heavy_since = None
            return
        self._heavy_since = now if self._heavy_since is None else self._heavy_since
        if now - self._heavy_since >= SETTLED:
            one = np.array([now]), np.array([[abs(found.mass)]]), np.array([[limit]])
            self._monitor.book.judge("payload", ("tool",), *one, ("kg",))

    def _judge_push(self, time: Floats, pushed: Floats, threshold: Floats) -> None:
        judged = self._noise.learned and time[-1] - self._monitor.clock.first > LEARNING + FOLLOWED
        limit = threshold if judged else np.full_like(threshold, np.inf)
        self._monitor.book.judge("collision", self.machine.joints, time, pushed, limit, self._units)

    def _judge_limits(self, time: Floats, seen: Observed, shares: Floats) -> None:
        book, machine = self._monitor.book, self.machine
        of_motors = ("of what it gives",) * len(machine.motors)
        book.judge("overload", machine.motors, time, shares, np.full_like(shares, OVERLOAD), of_motors)
        limit = np.broadcast_to(TOO_FAST * machine.speeds, seen.qd.shape)
        book.judge("speed", machine.joints, time, np.abs(seen.qd), limit, self._speed_units)
        low, high = machine.positions
        try:
            whole = machine.whole(seen.q)
        except LoopOpen:
            return
        beyond = np.maximum(low - whole, whole - high)
        book.judge("position", machine.ranged, time, beyond, np.full_like(beyond, BEYOND), self._position_units)
