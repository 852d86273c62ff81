"""What velocities and gravity ask of joints, by composite bodies, where those of runs stand on their roots.

As in `composite_bias.py`, with one thing more. An earlier joint of a run, at rate u, moves all that comes later in the
run along by its arm l, and so accelerates it, as a whole, beside what the root does, by

    v x (z x l) = 2 u (w . l) z - u (u + 2 w . z) l      w how fast the root turns
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torsor.mechanics.body_motion import BodyWrench, Turning
from torsor.mechanics.composite_bias import CompositeBias, Footing, asked, seen_before_turning, summed
from torsor.mechanics.composite_bodies import CompositeBodies, SecondMoments
from torsor.mechanics.kinematics import JointStep, parts, rotate, scaled, vector
from torsor.mechanics.standing_runs import StandingRuns
from torsor.mechanics.tree import Reals
from torsor.model.parts import BASE

_none = np.zeros(3)


class StandingBias(CompositeBias):
    """Bodies in motion without accelerations of joints, and what that asks of the forces of absolute angles."""

    def __init__(self, runs: StandingRuns, qd: Reals, gravity: Reals, *, bending: bool = False) -> None:
        """``gravity`` in the axes of the root; ``bending`` as in `motion`."""
        self.arms = runs.arms
        self.rides: list[Reals] = []  # how bodies accelerate with the arms that they ride on, before they turn
        super().__init__(CompositeBodies.of(SecondMoments, runs.joints), {}, qd, gravity, bending=bending)

    def _stands(self, i: int, joint: JointStep, under: Footing) -> tuple[Any, Footing]:
        rate, own = self.qd[..., i], under.seen(joint.unturned)
        wx, wy, wz = parts(under.w)
        ride, along = _none, _none
        for arm in self.arms[i]:
            u, (x, y, _) = self.rates[arm.joint], parts(arm.still)
            rise, back = arm.side * 2.0 * u * (wx * x + wy * y), u * (u + arm.side * 2.0 * wz)
            ride = ride + vector(-back * x, -back * y, rise)
            along = along + vector(-back * arm.own[..., 0], -back * arm.own[..., 1], rise)
        self.rides.append(ride)
        if not self.arms[i]:
            return rate, own
        last = self.arms[i][-1]
        return rate + last.side * self.rates[last.joint], own._replace(a=own.a + along)

    def _ways(self, at_tip: bool) -> Iterator[set[int]]:
        """With bodies of runs in their own axes, with the first of each before it turns, and with all."""
        ridden = {arm.joint for arms in self.arms for arm in arms}
        later = {i for i, arms in enumerate(self.arms) if arms}
        for at_origins in (False, True):
            alone = self._asked_before_turning(at_tip, at_origins)
            yield from (alone - ridden - later, alone - later, alone)

    def _forces(self, spin: Reals | None, before_turning: set[int]) -> list[Any]:
        joints, size = self.bodies.joints, len(self.bodies.joints)
        beyond: list[BodyWrench] = [(_none, _none)] * size
        if spin is not None:
            beyond[-1] = _none, spin
        found: list[Any] = [0.0] * size
        for i in reversed(range(size)):
            joint, body, wrench, arms = joints[i], joints[i].body, beyond[i], self.arms[i]
            still = self.bodies.turning[i].before_turning(joint)
            found[i] = found[i] + body.along_axis(*wrench)
            if i in before_turning:
                under, carries = self.joint_axes[i], still
                moving = under = under._replace(a=under.a + self.rides[i])
                wrench = seen_before_turning(joint, wrench)
            else:
                under, carries = self.own_axes[i], self.bodies.turning[i]
                moving = Footing(self.w[i], self.wd[i], self.a[i])
            found[i] = found[i] + asked(body, carries, moving)
            wrench = summed(wrench, carries.thrown(body, self._v(i, under)))
            if arms:
                held = rotate(Turning.of(under.w, under.wd).U, carries.moment)
                force = scaled(carries.mass, moving.a) + held + wrench[0]
                for arm in arms:
                    felt = arm.feels_still(force) if i in before_turning else arm.feels(force)
                    found[arm.joint] = found[arm.joint] + felt
            if i not in before_turning:
                wrench = seen_before_turning(joint, wrench)
            if arms:
                ride = self.rides[i]
                wrench = summed(wrench, (scaled(still.mass, ride), np.cross(still.moment, ride)))
            force, moment = (rotate(body.rotation, each) for each in wrench)
            if body.parent != BASE:
                more = force, moment + np.cross(body.position, force)
                beyond[body.parent] = summed(beyond[body.parent], more)
        return found
