"""The arm as it is checked: what each motor must give, and what it can.

An arm with drives is checked at its motors. One without is checked at its joints, as if each had a motor of its own
without a gear, whose torque and speed are the joint's limits; where loops are closed, at its free joints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from torsor.arm import Arm
from torsor.drives.motors import is_bounded
from torsor.drives.stepping import DriveStepper
from torsor.model.limits import largest, position_limits
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, Link, Motor
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Payload, Tool


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


@dataclass(frozen=True, eq=False)
class MotorEffort(Loads):
    """All that a motion takes, per sample."""

    power: Floats  # (samples,) W that the motors give
    friction: Floats  # (samples,) W of it that turn into heat
    force: Floats  # (samples, joints) N that each joint's bearing carries
    moment: Floats  # (samples, joints) N m


@dataclass(frozen=True, eq=False)
class CheckedArm:
    """An arm with what it holds and what acts on its tool."""

    arm: Arm
    wrench: Floats | None = None  # (6,) on the tool, base axes
    tool: Floats | None = None  # (4, 4) T_flange_tool of a tool that the program mounts, on the arm's own tool frame
    harder: float = 1.0  # what if joints were allowed this many times their acceleration

    @property
    def model(self) -> Model:
        return self.arm.model

    @property
    def at_motors(self) -> bool:
        """Whether the arm has drives of its own."""
        return bool(self.model.drives)

    @property
    def closed(self) -> bool:
        return bool(self.model.loops)

    @cached_property
    def driven(self) -> Arm:
        """The arm with drives: its own, or a motor without a gear at each joint."""
        if self.model.drives:
            return self.arm
        motors = tuple(
            Drive(
                name=link.joint.name,
                ratio=np.eye(self.model.n)[self.model.joint_names.index(link.joint.name)],
                offset=0.0,
                rotor_inertia=0.0,
                carrier=BASE,
                axis=np.array([0.0, 0.0, 1.0]),
                motor=Motor(torque=link.joint.limits.torque, speed=link.joint.limits.speed),
            )
            for link in self.model.independent
            if link.joint.name in self.joints
        )
        return Arm(replace(self.model, drives=motors))

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
        return self.arm.closure.positions(q) if self.closed else q

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

    @cached_property
    def peaks(self) -> Floats:
        """Peak torques (m,) at standstill, infinite where unknown."""
        still = np.zeros(len(self.motors))
        return self.available(still)[1]

    @cached_property
    def continuous(self) -> Floats:
        """Torques (m,) that may be given for ever, NaN where unknown."""
        from torsor.drives import motors

        return motors.continuous(self.model) if self.at_motors else np.full(len(self.motors), np.nan)

    @property
    def units(self) -> tuple[str, ...]:
        """Of the motors' torques."""
        if self.at_motors:
            return ("N m",) * len(self.motors)
        return tuple("N" if link.joint.kind == "prismatic" else "N m" for link in self._links)

    def available(self, rate: Floats) -> tuple[Floats, Floats]:
        """Least and greatest torque (..., m) at motor speeds."""
        return self.driven.drives.available(rate)

    def pose(self, q: Floats) -> Floats:
        """T_base_tool (..., 4, 4) of the tool that is mounted."""
        T = self.arm.pose(q)
        return T if self.tool is None else T @ self.tool

    def tool_speed(self, q: Floats, qd: Floats) -> Floats:
        """(...) m/s."""
        twist = (self.arm.jacobian(q) @ qd[..., None])[..., 0]
        velocity = twist[..., :3]
        if self.tool is not None:
            arm_to_tool = (self.arm.pose(q)[..., :3, :3] @ self.tool[:3, 3:])[..., 0]
            velocity = velocity + np.cross(twist[..., 3:], arm_to_tool)
        return np.asarray(np.linalg.norm(velocity, axis=-1))

    def loads(self, q: Floats, qd: Floats, qdd: Floats) -> Loads:
        """What a motion (samples, n) asks of the motors."""
        drives = self.driven.drives
        torque, rate = drives.torques(q, qd, qdd, wrench=self.wrench), drives.rates(q, qd)
        return Loads(torque, rate, *self.available(rate))

    def effort(self, q: Floats, qd: Floats, qdd: Floats) -> MotorEffort:
        """What a motion (samples, n) takes."""
        loads = self.loads(q, qd, qdd)
        power = (loads.torque * loads.rate).sum(axis=-1)
        balance = self.driven.drives.power(q, qd, qdd, wrench=self.wrench)
        friction = np.broadcast_to(balance.friction, (len(q),))
        force, moment = self._bearings(q, qd, qdd)
        return MotorEffort(**vars(loads), power=power, friction=friction, force=force, moment=moment)

    @cached_property
    def bearing_names(self) -> tuple[str, ...]:
        return tuple(link.joint.name for link in self.model.links if link.joint.moves)

    def _bearings(self, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, Floats]:
        """What bearings carry: all of a joint's wrench but the part along its axis, which is the motor's."""
        loads = self.driven.bearing_loads(q, qd, qdd, wrench=self.wrench, drives=self.at_motors)
        axes = np.array([link.joint.after[:3, :3].T @ link.joint.axis for link in self.model.links if link.joint.moves])
        slides = np.array([link.joint.kind == "prismatic" for link in self.model.links if link.joint.moves])
        force, moment = loads[..., :3], loads[..., 3:]
        along_force, along_moment = ((part * axes).sum(axis=-1, keepdims=True) for part in (force, moment))
        force = np.where(slides[:, None], force - along_force * axes, force)
        moment = np.where(slides[:, None], moment, moment - along_moment * axes)
        return np.linalg.norm(force, axis=-1), np.linalg.norm(moment, axis=-1)

    @property
    def not_stepped(self) -> str | None:
        """Why Algorithm 1 does not tell what this arm reaches where its motors saturate; None where it does."""
        if not self.driven.drives.gearing.square:
            return "it has not as many motors as joints"
        return None

    def stepper(self, dt: float) -> DriveStepper | None:
        """Algorithm 1 for this arm; none where no motor has a limit, or where it is ``not_stepped``."""
        if not any(self.bounded) or self.not_stepped:
            return None
        return DriveStepper(self.driven.drives, dt, wrench=self.wrench)

    def holding(self, mass: float, com: tuple[float, float, float]) -> CheckedArm:
        """The same with another payload, given in the frame of the mounted tool."""
        place = np.array(com) if self.tool is None else self.tool[:3, :3] @ com + self.tool[:3, 3]
        return replace(self, arm=self.arm.with_payload(mass, place))

    def with_tool(self, T: Floats) -> CheckedArm:
        """The same with another tool."""
        return replace(self, tool=T)


class Equipped:
    """The arm as the program changes it: what it holds, which tool it has. The same again is the same arm."""

    def __init__(self, machine: CheckedArm) -> None:
        self.bare = self.now = machine
        self._tool, self._held = machine.tool, (0.0, (0.0, 0.0, 0.0))
        self._known = {self._key: machine}

    @property
    def _key(self) -> tuple[object, object]:
        return self._held, None if self._tool is None else self._tool.tobytes()

    def after(self, command: Command) -> CheckedArm:
        match command:
            case Payload():
                self._held = command.mass, command.com
            case Tool():
                self._tool = np.asarray(command.T, dtype=np.float64)
            case _:
                return self.now
        if self._key not in self._known:
            mounted = self.bare if self._tool is None else self.bare.with_tool(self._tool)
            self._known[self._key] = mounted.holding(*self._held) if self._held[0] > 0.0 else mounted
        self.now = self._known[self._key]
        return self.now
