"""How a program is planned on an arm: timing, limits and cycle are settled here, for checks and for scenarios alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import ShapeError
from torsor.model.parts import Limits
from torsor.model.transforms import Floats
from torsor.motion import Paul, Plan, Timing, plan
from torsor.motion.commands import Command
from torsor.motion.planning.passage import chain_of
from torsor.programs.pace import Factor
from torsor.programs.program import Program

TimeLawName = Literal["trapezoid", "s-curve", "quintic", "quartic", "paul"]
CYCLE = 0.01  # s between the samples of a plan
SPEED, SLIDE, START = 1.0, 0.25, 0.5  # rad/s, m/s; s to full speed: where an arm file says nothing


@dataclass(frozen=True, eq=False)
class Planner:
    """An arm as plans see it, and how they are timed; ``every`` is on all that is asked for."""

    arm: Arm
    timing: Timing | Paul
    every: Factor = field(default_factory=Factor)

    @classmethod
    def of(
        cls,
        arm: Arm,
        program: Program | None = None,
        timing: Timing | Paul | TimeLawName | None = None,
        *,
        overlap: bool = False,
        every: Factor | None = None,
    ) -> Planner:
        """With the timing that is asked for, else that of the program's language, else trapezoids.

        ``overlap``, of Paul's timing: each motion starts before the one before it ends.
        """
        if timing is None:
            timing = Timing() if program is None else program.timing
        if isinstance(timing, str):
            own = None if program is None else program.timing  # which may have been told times and rates
            paul = own if isinstance(own, Paul) else Paul()
            timing = paul if timing == "paul" else Timing(timing)
        if overlap:
            if not isinstance(timing, Paul):
                raise ShapeError("overlap belongs to Paul's timing", hint='timing="paul", or leave it out')
            timing = replace(timing, overlap=True)
        return cls(arm, timing, every or Factor())

    def plan(self, commands: Iterable[Command], *, start: ArrayLike | None = None, strict: bool = False) -> Plan:
        """Of commands at their pace as it is; ``strict`` raises where a move cannot be done."""
        return plan(self.seen, commands, start=start, timing=self.timing, strict=strict)

    @cached_property
    def home(self) -> Floats:
        """Joints (n,) from which plans start where nothing is said."""
        chain = chain_of(self.seen, self.timing)
        return np.asarray(chain.to_arm(chain.home()))

    @property
    def assuming(self) -> bool:
        """Whether plans need limits that the arm may lack. A timing with numbers of its own does not."""
        return isinstance(self.timing, Timing) and self.timing.speed is None and self.timing.acceleration is None

    @cached_property
    def seen(self) -> Arm:
        """The arm as if it were ``every`` times faster, with limits of speed and acceleration where it has none."""
        links = tuple(
            replace(link, joint=replace(link.joint, limits=self._limits(link.joint.kind, link.joint.limits)))
            for link in self.arm.model.links
        )
        if all(new.joint.limits == old.joint.limits for new, old in zip(links, self.arm.model.links, strict=True)):
            return self.arm
        return Arm(replace(self.arm.model, links=links))

    def _limits(self, kind: str, limits: Limits) -> Limits:
        speed, acceleration = limits.speed, limits.acceleration
        if self.assuming and speed is None:
            speed = SLIDE if kind == "prismatic" else SPEED
        if self.assuming and acceleration is None and speed is not None:
            acceleration = speed / START
        return replace(
            limits,
            speed=None if speed is None else speed * self.every.speed,
            acceleration=None if acceleration is None else acceleration * self.every.acceleration,
        )

    @property
    def assumed(self) -> list[str]:
        """What is assumed of the arm, in words."""
        if not self.assuming:
            return []
        limits = [link.joint.limits for link in self.arm.model.links_on(self.arm.joint_names)]
        said = []
        if any(limit.speed is None for limit in limits):
            said.append(f"assumed in planning: {SPEED:g} rad/s ({SLIDE:g} m/s) for joints without a limit of speed")
        if any(limit.acceleration is None for limit in limits):
            said.append(f"assumed in planning: {START:g} s to full speed for joints without a limit of acceleration")
        return said
