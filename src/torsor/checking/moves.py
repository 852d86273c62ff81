"""What a move takes: its row in every table."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from torsor.checking.checked_arm import CheckedArm, Loads, MotorEffort
from torsor.checking.lagging import Reached
from torsor.checking.sampling import CommandSamples, SampleBlock
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Dwell, Gripper, Joints, Move, Place, Target

ROUNDING = 1e-6  # relative: a limit that is met is kept; time-optimal timing meets limits to 1e-7


@dataclass(eq=False)
class Peak:
    """The largest share of a limit for each motor or joint, and when."""

    share: Floats  # (k,)
    time: Floats  # (k,) s, of the program

    @classmethod
    def none(cls, count: int) -> Peak:
        return cls(np.zeros(count), np.zeros(count))

    def add(self, shares: Floats, time: Floats) -> None:
        """Samples (samples, k)."""
        if not shares.size:
            return
        at = shares.argmax(axis=0)
        most = shares[at, np.arange(shares.shape[1])]
        self.time = np.where(most > self.share, time[at], self.time)
        self.share = np.maximum(self.share, most)

    @property
    def worst(self) -> float:
        return float(self.share.max(initial=0.0))


@dataclass(frozen=True)
class Span:
    """Where a motor is asked for more than it gives."""

    motor: int
    start: float  # s, of the program
    end: float


@dataclass(eq=False)
class MoveTaken:
    """One command of the program, and what it takes. Shares are of limits: above 1 is too much."""

    index: int
    kind: str  # joint, line, circle, dwell, gripper, ...
    target: str
    place: Place
    start: float  # s
    duration: float
    torque: Peak  # of each motor
    motor_speed: Peak
    joint_torque: Peak  # of each joint
    speed: Peak
    acceleration: Peak
    beyond: Peak  # of each joint, those that loops move included: rad or m outside its position limits
    largest: Floats  # (m,) torque, N m (N where a joint slides)
    squared: Floats  # (m,) integral of torque squared
    rms_share: Floats  # (m,) root mean square torque as a share of the peak torque
    force: Floats  # (bearings,) N, the most
    moment: Floats  # (bearings,) N m
    energy: float = 0.0  # J that the motors give, what they take back subtracted
    drawn: float = 0.0  # J that they give, nothing taken back
    friction: float = 0.0  # J turned into heat by friction
    peak_power: float = 0.0  # W
    tool_speed: float = 0.0  # m/s, the most
    deviation: float = 0.0  # m from the planned path, caused by saturation
    turned: float = 0.0  # rad from the planned orientation
    saturated: list[Span] = field(default_factory=list)

    @classmethod
    def begun(cls, index: int, command: Command, start: float, machine: CheckedArm) -> MoveTaken:
        m, n, b = len(machine.motors), len(machine.joints), len(machine.bearing_names)
        of_motors, of_joints = (Peak.none(m), Peak.none(m)), (Peak.none(n), Peak.none(n), Peak.none(n))
        taken = np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(b), np.zeros(b)
        beyond = Peak.none(len(machine.ranged))
        return cls(index, *described(command), command.place, start, 0.0, *of_motors, *of_joints, beyond, *taken)

    @property
    def saturated_time(self) -> float:
        """Seconds in which some motor is asked for too much."""
        edges = sorted((span.start, span.end) for span in self.saturated)
        total, until = 0.0, -np.inf
        for start, end in edges:
            total += max(0.0, end - max(start, until))
            until = max(until, end)
        return total

    @property
    def feasible(self) -> bool:
        shares = (self.torque, self.motor_speed, self.joint_torque, self.speed, self.acceleration)
        held = self.kind in ("dwell", "gripper")  # where the arm rests is the business of the move before
        return all(peak.worst <= 1.0 + ROUNDING for peak in shares) and (held or self.beyond.worst <= ROUNDING)

    def add(
        self,
        part: CommandSamples,
        block: SampleBlock,
        effort: MotorEffort,
        shares: Shares,
        reached: Reached,
        tool_speed: Floats,
    ) -> None:
        """The samples of one part of a block."""
        rows = slice(part.first, part.last)
        time = block.time[rows]
        self.duration = float(time[-1]) - self.start
        for limit in fields(shares):
            peak: Peak = getattr(self, limit.name)
            peak.add(getattr(shares, limit.name)[rows], time)
        self.largest = np.maximum(self.largest, np.abs(effort.torque[rows]).max(axis=0))
        steps = np.diff(time)
        self.squared += _integral(effort.torque[rows] ** 2, steps)
        if self.duration > 0.0:
            self.rms_share = np.sqrt(self.squared / self.duration) / block.machine.peaks
        power = effort.power[rows]
        self.energy += float(_integral(power, steps))
        self.drawn += float(_integral(np.maximum(power, 0.0), steps))
        self.friction += float(_integral(effort.friction[rows], steps))
        self.peak_power = max(self.peak_power, float(power.max()))
        self.tool_speed = max(self.tool_speed, float(tool_speed[rows].max()))
        if effort.force.shape[1]:
            self.force = np.maximum(self.force, effort.force[rows].max(axis=0))
            self.moment = np.maximum(self.moment, effort.moment[rows].max(axis=0))
        over = shares.torque[rows] > 1.0 + ROUNDING
        if over.any():
            self._saturate(over, time)
        regular = np.cumsum(block.regular)
        cycles = slice(regular[part.first] - block.regular[part.first], regular[part.last - 1])
        self.deviation = max(self.deviation, float(reached.off[cycles].max(initial=0.0)))
        self.turned = max(self.turned, float(reached.turned[cycles].max(initial=0.0)))

    def _saturate(self, over: np.ndarray, time: Floats) -> None:
        """Samples in a row become a span, which reaches half a sample to either side."""
        edges = np.concatenate([[time[0]], 0.5 * (time[1:] + time[:-1]), [time[-1]]])
        for motor in np.flatnonzero(over.any(axis=0)):
            changes = np.flatnonzero(np.diff(np.concatenate([[0], over[:, motor].astype(np.int8), [0]])))
            for first, last in changes.reshape(-1, 2):
                start, end = float(edges[first]), float(edges[last])
                # what reaches the end of one part of a move goes on in the next
                joined = [k for k, s in enumerate(self.saturated) if s.motor == motor and s.end >= start]
                if joined:
                    start = self.saturated.pop(joined[-1]).start
                self.saturated.append(Span(int(motor), start, end))


@dataclass(frozen=True, eq=False)
class Shares:
    """Every sample as shares of the limits; zero where there is none."""

    torque: Floats  # (samples, m)
    motor_speed: Floats
    joint_torque: Floats  # (samples, n)
    speed: Floats
    acceleration: Floats
    beyond: Floats  # rad or m outside the position limits

    @classmethod
    def of(cls, block: SampleBlock, effort: Loads) -> Shares:
        machine = block.machine
        low, high = machine.positions
        whole = machine.whole(block.q)
        joint_torque = np.zeros_like(block.q)
        if machine.at_motors and np.isfinite(machine.joint_torques).any():
            # what the gears pass on to the links
            tau = machine.arm.inverse_dynamics(block.q, block.qd, block.qdd, wrench=machine.wrench)
            joint_torque = np.abs(tau) / machine.joint_torques
        return cls(
            torque=torque_shares(effort.torque, effort.lower, effort.upper),
            motor_speed=np.abs(effort.rate) / machine.motor_speeds,
            joint_torque=joint_torque,
            speed=np.abs(block.qd) / machine.speeds,
            acceleration=np.abs(block.qdd) / machine.accelerations,
            beyond=np.maximum(np.maximum(low - whole, whole - high), 0.0),
        )

    @property
    def worst(self) -> Floats:
        """(samples,) the largest share of any limit of torque, speed or acceleration."""
        parts = (self.torque, self.motor_speed, self.joint_torque, self.speed, self.acceleration)
        return np.asarray(np.max(np.hstack(parts), axis=1))

    @property
    def too_much(self) -> np.ndarray:
        """(samples,) where a motor or a speed is beyond its limit, which Algorithm 1 can tell more about."""
        over = 1.0 + ROUNDING
        hindered = (self.torque > over).any(axis=1) | (self.motor_speed > over).any(axis=1)
        return np.asarray(hindered | (self.speed > over).any(axis=1))


def torque_shares(torque: Floats, lower: Floats, upper: Floats) -> Floats:
    """Of what the motor gives in the torque's direction; infinite where it gives nothing.

    >>> torque_shares(np.array([5.0, -5.0, 1.0]), np.array([-10.0, -2.0, -1.0]), np.array([10.0, 10.0, 0.0])).tolist()
    [0.5, 2.5, inf]
    """
    limit = np.abs(np.where(torque >= 0.0, upper, lower))
    size = np.abs(torque)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size == 0.0, 0.0, size / limit)


def _integral(values: Floats, steps: Floats) -> Floats:
    """By the trapezoidal rule, along the first axis."""
    middle = 0.5 * (values[1:] + values[:-1])
    return np.asarray(steps @ middle)


def described(command: Command) -> tuple[str, str]:
    """Kind and target, as tables show them."""
    match command:
        case Move():
            return command.kind, ", ".join(_name(point) for point in (*command.via, command.target))
        case Dwell():
            return "dwell", f"{command.seconds:g} s"
        case Gripper():
            return "gripper", "close" if command.closed else "open"
    return type(command).__name__.lower(), ""


def _name(target: Target) -> str:
    if target.name:
        return target.name
    if isinstance(target, Joints):
        return "(" + ", ".join(f"{np.degrees(x):.4g}" for x in target.q) + ") deg"
    return "(" + ", ".join(f"{1e3 * x:.5g}" for x in target.position) + ") mm"
