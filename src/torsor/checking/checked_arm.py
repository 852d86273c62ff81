"""The arm as it is checked: what each motor must give, and what it can.

An arm with drives is checked at its motors. One without is checked at its joints, as if each had a motor of its own
without a gear, whose torque and speed are the joint's limits; where loops are closed, at its free joints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.cell.arm_in_cell import ArmInCell
from torsor.drives.motors import is_bounded
from torsor.drives.stepping import DriveStepper
from torsor.model.limits import largest, position_limits
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, Link, Motor
from torsor.model.transforms import Floats, dots_of, sizes_of


@dataclass(frozen=True, eq=False)
class Loads:
    """What a motion asks of the motors, per sample."""

    torque: Floats  # (samples, m) at the motors, N m (N where a joint slides)
    rate: Floats  # (samples, m) of the motors
    lower: Floats  # (samples, m) least torque that the motor gives at its rate; -inf where unknown
    upper: Floats

    @property
    def given(self) -> Floats:
        """(samples, m) what motors give of it."""
        return np.clip(self.torque, self.lower, self.upper)

    @property
    def power(self) -> Floats:
        """(samples,) W that the motors give."""
        return np.asarray((self.torque * self.rate).sum(axis=-1))


# columns held as shares
LIMITS = ("torque", "motor_speed", "joint_torque", "speed", "acceleration", "at_tool", "contact")
NEAR = 0.1  # m: at this distance what may be run into counts as half of a contact
OF_MASSES = ("torque", "largest", "peak_power", "joint_torque", "force", "moment")  # columns known where masses are

Measure = Callable[[Floats, Floats, Floats], Floats]  # of q, qd, qdd (samples, n): columns


@dataclass(frozen=True, eq=False)
class CheckedArm:
    """An arm with what it holds and what acts on its tool."""

    arm: Arm
    wrench: Floats | None = None  # (6,) on the tool, base axes
    tool: Floats | None = None  # (4, 4) T_flange_tool of a tool that the program mounts, on the arm's own tool frame
    left_out: tuple[str, ...] = ()  # links whose unknown mass counts as none, at the ends of the arm
    surroundings: ArmInCell | None = None  # what it may run into; None: that is not looked at
    harder: float = 1.0  # what if joints were allowed this many times their acceleration

    @property
    def model(self) -> Model:
        return self.arm.model

    @cached_property
    def at_motors(self) -> bool:
        """Whether the arm has drives of its own, as many as joints: fewer cannot be told what joints take."""
        return bool(self.model.drives) and self.arm.drives.gearing.square

    @cached_property
    def unweighed(self) -> tuple[str, ...]:
        """Links whose mass is not known: what motors must give cannot be told then."""
        masses = [link.mass.mass for k, link in enumerate(self.model.links) if link.mass and self.model.moving(k)]
        if any(masses):
            return self.model.links_without_inertia
        return tuple(link.name for link in self.model.links if link.joint.moves)

    @property
    def weighed(self) -> bool:
        return not self.unweighed

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Columns that are no numbers, because masses are not known."""
        return () if self.weighed else OF_MASSES

    @property
    def judged(self) -> tuple[str, ...]:
        """Columns that are held as shares of limits."""
        return tuple(name for name in LIMITS if name not in self.unjudged)

    @cached_property
    def of_joints(self) -> tuple[str, ...]:
        """Motors without a torque limit of their own that have that of the joint they drive, through its gear."""
        if not self.at_motors:
            return ()
        pairs = zip(self.model.drives, self.driven.model.drives, strict=True)
        return tuple(own.name for own, used in pairs if used.motor is not own.motor)

    @cached_property
    def driven(self) -> Arm:
        """The arm with drives: its own, or a motor without a gear at each joint.

        A joint's torque limit counts where its motor has none, if no other joint feels the motor.
        """
        if self.at_motors:
            drives = tuple(self._limited(drive) for drive in self.model.drives)
            same = all(new is old for new, old in zip(drives, self.model.drives, strict=True))
            return self.arm if same else Arm(replace(self.model, drives=drives))
        motors, z = [], np.array([0.0, 0.0, 1.0])
        for joint, ratio in zip((link.joint for link in self.model.independent), np.eye(self.model.n), strict=True):
            if joint.name in self.joints:
                motor = Motor(torque=joint.limits.torque, speed=joint.limits.speed)
                motors.append(Drive(joint.name, ratio, 0.0, 0.0, BASE, z, motor))
        return Arm(replace(self.model, drives=tuple(motors)))

    def _limited(self, drive: Drive) -> Drive:
        (felt,) = np.nonzero(drive.ratio)
        if is_bounded(drive.motor) or drive.transmission is not None or len(felt) != 1:
            return drive
        limit = self.model.independent[felt[0]].joint.limits.torque
        if limit is None:
            return drive
        return replace(drive, motor=replace(drive.motor, torque=limit / abs(float(drive.ratio[felt[0]]))))

    @cached_property
    def joints(self) -> tuple[str, ...]:
        return self.arm.joint_names

    @cached_property
    def motors(self) -> tuple[str, ...]:
        return self.driven.drives.names if self.at_motors else self.joints

    @cached_property
    def _links(self) -> tuple[Link, ...]:
        return self.model.links_on(self.joints)

    @cached_property
    def positions(self) -> tuple[Floats, Floats]:
        """Lowest and highest positions (tree joints,) of all joints, infinite where there is no limit."""
        return position_limits(self.model.independent)

    @property
    def ranged(self) -> tuple[str, ...]:
        """The joints that have positions: those of q, and with closed loops those that the loops move."""
        return self.model.joint_names

    def whole(self, q: Floats) -> Floats:
        """Positions (..., tree joints) of all joints."""
        return self.arm.closure.positions(q) if self.model.loops else q

    @cached_property
    def speeds(self) -> Floats:
        return largest(self._links, "speed")

    @cached_property
    def accelerations(self) -> Floats:
        """(n,), infinite where there is none."""
        return self.harder * largest(self._links, "acceleration")

    @cached_property
    def joint_torques(self) -> Floats:
        return largest(self._links, "torque")

    @cached_property
    def motor_speeds(self) -> Floats:
        """(m,), infinite where unknown; where there are no motors the joints' limits speak for themselves."""
        if not self.at_motors:
            return np.full(len(self.motors), np.inf)
        return np.array([np.inf if d.motor.speed is None else d.motor.speed for d in self.model.drives])

    @cached_property
    def bounded(self) -> tuple[bool, ...]:
        """Of each motor, whether its torque has a known limit."""
        return tuple(is_bounded(drive.motor) for drive in self.driven.model.drives)

    @property
    def unbounded(self) -> tuple[str, ...]:
        """Motors without a known limit of torque, of which nothing can be said."""
        return tuple(name for name, known in zip(self.motors, self.bounded, strict=True) if not known)

    @cached_property
    def peaks(self) -> Floats:
        """Peak torques (m,) at standstill, infinite where unknown."""
        return self.driven.drives.available(np.zeros(len(self.motors)))[1]

    @cached_property
    def continuous(self) -> Floats:
        """Torques (m,) that may be given for ever, NaN where unknown."""
        from torsor.drives import motors

        return motors.continuous(self.model) if self.at_motors else np.full(len(self.motors), np.nan)

    @cached_property
    def rms_limits(self) -> Floats:
        """Torques (m,) that root mean squares are shares of: continuous ones, else peaks; infinite where unknown."""
        return np.where(np.isnan(self.continuous), self.peaks, self.continuous)

    @cached_property
    def rms_of(self) -> tuple[Literal["continuous", "peak"] | None, ...]:
        """Of which torque each root mean square is a share, None where neither is known."""
        known = zip(np.isfinite(self.continuous), np.isfinite(self.peaks), strict=True)
        return tuple("continuous" if for_ever else "peak" if at_most else None for for_ever, at_most in known)

    @property
    def rms_said(self) -> str:
        """The same in a word, for a column of a table; empty where none is known."""
        kinds = {kind for kind in self.rms_of if kind}
        return next(iter(kinds)) if len(kinds) == 1 else "continuous, or peak" if kinds else ""

    @property
    def units(self) -> tuple[str, ...]:
        """Of the motors' torques."""
        if self.at_motors:
            return ("N m",) * len(self.motors)
        return tuple("N" if link.joint.kind == "prismatic" else "N m" for link in self._links)

    def motor_angles(self, q: Floats) -> Floats:
        """(..., m) rad; of joints where the arm has no motors."""
        return self.driven.drives.positions(q)

    def pose(self, q: Floats) -> Floats:
        """T_base_tool (..., 4, 4) of the tool that is mounted."""
        T = self.arm.pose(q)
        return T if self.tool is None else T @ self.tool

    def tool_speed(self, q: Floats, qd: Floats) -> Floats:
        """(...) m/s."""
        twist = (self.arm.jacobian(q) @ qd[..., None])[..., 0]
        velocity = twist[..., :3]
        if self.tool is not None:
            velocity = velocity + np.cross(twist[..., 3:], self._arm_to_tool(q))
        return sizes_of(velocity)

    def tool_acceleration(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """(...) m/s^2, without gravity."""
        J = self.arm.jacobian(q)
        rates = (J @ qdd[..., None])[..., 0] + self.arm.jacobian_dot_qd(q, qd)
        acceleration = rates[..., :3]
        if self.tool is not None:
            r, w = self._arm_to_tool(q), (J @ qd[..., None])[..., 3:, 0]
            acceleration = acceleration + np.cross(rates[..., 3:], r) + np.cross(w, np.cross(w, r))
        return sizes_of(acceleration)

    def _arm_to_tool(self, q: Floats) -> Floats:
        """(..., 3) from the arm's own tool point to that of the tool that is mounted, base axes."""
        assert self.tool is not None
        return np.asarray((self.arm.pose(q)[..., :3, :3] @ self.tool[:3, 3:])[..., 0])

    def _at_tool(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """Shares of what the data sheet allows at the tool, zero where it says nothing; then its speed."""
        limits, held, speed = self.model.tool_limits, self.model.payload, self.tool_speed(q, qd)
        load = 0.0 if held is None or limits.payload is None else held.mass / limits.payload
        fast = np.zeros(len(q)) if limits.speed is None else speed / limits.speed
        limit = limits.acceleration
        hard = np.zeros(len(q)) if limit is None else self.tool_acceleration(q, qd, qdd) / (self.harder * limit)
        return np.column_stack([np.full(len(q), load), fast, hard, speed])

    def loads(self, q: Floats, qd: Floats, qdd: Floats) -> Loads:
        """What a motion (samples, n) asks of the motors."""
        drives = self.driven.drives
        rate = drives.rates(q, qd)
        unknown = np.full(rate.shape, np.nan)
        torque = drives.torques(q, qd, qdd, wrench=self.wrench) if self.weighed else unknown
        return Loads(torque, rate, *drives.available(rate))

    def friction(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """(samples,) W that turn into heat."""
        if not self.weighed:
            return np.full(len(q), np.nan)
        return np.broadcast_to(self.driven.drives.power(q, qd, qdd, wrench=self.wrench).friction, (len(q),))

    # what is judged of a motion, as columns

    @cached_property
    def columns(self) -> dict[str, slice]:
        """Where each stands; shares of limits, unless it says something else."""
        m, n, b = len(self.motors), len(self.joints), len(self.bearing_names)
        sizes = {"torque": m, "motor_speed": m, "largest": m, "peak_power": 1}  # largest: N m (N), peak_power: W
        sizes |= {"speed": n, "acceleration": n, "beyond": len(self.ranged)}  # beyond: rad or m outside position limits
        sizes |= {"joint_torque": n, "force": b, "moment": b}  # N, N m
        sizes |= {"contact": int(self.surroundings is not None)}  # 1 where links touch, less where they are apart
        sizes |= {"at_tool": 3, "tool_speed": 1}  # payload, speed, acceleration; m/s
        ends = pairwise(np.cumsum([0, *sizes.values()]).tolist())
        return {name: slice(*pair) for name, pair in zip(sizes, ends, strict=True)}

    @cached_property
    def held(self) -> NDArray[np.intp]:
        """The columns that are held as shares of limits."""
        return np.concatenate([np.arange(self.columns[name].start, self.columns[name].stop) for name in self.judged])

    @property
    def measures(self) -> list[tuple[slice, Measure]]:
        """What all columns are computed by, in their order, and which each computes."""
        found = [("torque", "peak_power", self._at_motors), ("speed", "beyond", self._at_joints)]
        found += [("joint_torque", "joint_torque", self._passed_on), ("force", "moment", self._carried)]
        if self.surroundings is not None:
            found.append(("contact", "contact", lambda q, qd, qdd: self.contact(q)))
        found.append(("at_tool", "tool_speed", self._at_tool))
        return [(slice(self.columns[a].start, self.columns[b].stop), measure) for a, b, measure in found]

    def clearance(self, q: Floats) -> Floats:
        """(samples,) m between what comes nearest, less the margin; NaN where that is not looked at."""
        return np.full(len(q), np.nan) if self.surroundings is None else self.surroundings.clearance(q)

    def contact(self, q: Floats, group: NDArray[np.intp] | None = None) -> Floats:
        """(samples, 1) by `nearness`; of a ``group`` of samples (samples,) the most is exact, others are less."""
        assert self.surroundings is not None
        return nearness(self.surroundings.clearance(q, group))[:, None]

    def _at_motors(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        loads = self.loads(q, qd, qdd)
        shares = torque_shares(loads.torque, loads.lower, loads.upper)
        return np.column_stack([shares, np.abs(loads.rate) / self.motor_speeds, np.abs(loads.torque), loads.power])

    def _at_joints(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        (low, high), whole = self.positions, self.whole(q)
        beyond = np.maximum(np.maximum(low - whole, whole - high), 0.0)
        return np.hstack([np.abs(qd) / self.speeds, np.abs(qdd) / self.accelerations, beyond])

    def _passed_on(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """What gears pass on to the links, where the joints say how much that may be."""
        if not (self.at_motors and np.isfinite(self.joint_torques).any()):
            return np.zeros_like(q)
        if not self.weighed:
            return np.full(q.shape, np.nan)
        return np.abs(self.arm.inverse_dynamics(q, qd, qdd, wrench=self.wrench)) / self.joint_torques

    @cached_property
    def bearing_names(self) -> tuple[str, ...]:
        return tuple(link.joint.name for link in self.model.links if link.joint.moves)

    def bearing_loads(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """(samples, bearings, 6): force over moment that each moving joint exerts on its link, in the link's axes."""
        if not self.weighed:
            return np.full((len(q), len(self.bearing_names), 6), np.nan)
        return self.driven.bearing_loads(q, qd, qdd, wrench=self.wrench, drives=self.at_motors)

    def loop_forces(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """(samples, loops, 6): force over moment where loops are closed, as `arm.closure.forces` has them."""
        if not self.model.loops:
            return np.zeros((len(q), 0, 6))
        if not self.weighed:
            return np.full((len(q), len(self.model.loops), 6), np.nan)
        return self.arm.closure.forces(q, qd, qdd, wrench=self.wrench)

    def _carried(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        return np.hstack(self.carried(self.bearing_loads(q, qd, qdd)))

    def carried(self, loads: Floats) -> tuple[Floats, Floats]:
        """Force and moment (samples, bearings) that bearings carry: all but the part along the axis, the motor's."""
        joints = [link.joint for link in self.model.links if link.joint.moves]
        axes = np.array([joint.after[:3, :3].T @ joint.axis for joint in joints])
        slides = np.array([joint.kind == "prismatic" for joint in joints])

        def size(part: Floats, driven: np.ndarray) -> Floats:
            own = np.where(driven[:, None], axes, 0.0)
            return sizes_of(part - dots_of(part, own)[..., None] * own)

        return size(loads[..., :3], slides), size(loads[..., 3:], ~slides)

    @property
    def not_stepped(self) -> str | None:
        """Why Algorithm 1 does not tell what this arm reaches where its motors saturate; None where it does."""
        return None if self.weighed and not self.left_out else "masses of its links are not known"

    def stepper(self, dt: float) -> DriveStepper | None:
        """Algorithm 1 for this arm; none where no motor has a limit, or where it is ``not_stepped``."""
        if not any(self.bounded) or self.not_stepped:
            return None
        return DriveStepper(self.driven.drives, dt, wrench=self.wrench)


def nearness(clearance: Floats) -> Floats:
    """1 where two touch, less where they are apart, more where they are in each other; smooth, as peaks like it.

    >>> nearness(np.array([-0.1, 0.0, 0.1, np.inf])).tolist()
    [2.0, 1.0, 0.5, 0.0]
    """
    return np.asarray(
        np.where(clearance < 0.0, 1.0 - clearance / NEAR, 1.0 / (1.0 + np.maximum(clearance, 0.0) / NEAR))
    )


def torque_shares(torque: Floats, lower: Floats, upper: Floats) -> Floats:
    """Of what the motor gives in the torque's direction; infinite where it gives nothing.

    >>> torque_shares(np.array([5.0, -5.0, 1.0]), np.array([-10.0, -2.0, -1.0]), np.array([10.0, 10.0, 0.0])).tolist()
    [0.5, 2.5, inf]
    """
    limit = np.abs(np.where(torque >= 0.0, upper, lower))
    size = np.abs(torque)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size == 0.0, 0.0, size / limit)
