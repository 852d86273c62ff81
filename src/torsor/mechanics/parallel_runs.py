"""Runs of parallel joints, taken together in a recursion, and what the first joint of an arm cannot feel.

Bodies of a run turn about one direction. Their turning comes from the body before the run by one turn, by the sum of
the angles, and the moments across that direction go back to it the same way; only forces go from one of them to the
next, where arms across the direction give them torques. On the way to the first joint of the arm each body leaves out
its own terms in the square of that joint's speed: of one body alone they cancel, as kinetic energy does not depend on
the first angle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from torsor.algebra.telling import told
from torsor.mechanics.body_motion import BodyMotion, BodyWrench, Turning, Way
from torsor.mechanics.kinematics import JointStep, matrix, parts, rotate, scaled, steps, vector
from torsor.mechanics.tree import Reals, Tree
from torsor.mechanics.turns import Turn, is_following, quarters_between
from torsor.model.parts import BASE


class ParallelRuns:
    """The runs of a tree at a state: for each body the first of its run, and the way from the root before that."""

    def __init__(self, tree: Tree, q: Reals, qd: Reals, qdd: Reals) -> None:
        self.tree, self.joints = tree, steps(tree, q)
        self.first: list[int] = []
        self.ways: list[Way] = []
        self.heights: list[Any] = []  # of origins over the joint of the first, along their own z
        turns: list[tuple[Turn, float]] = []  # since the root, and whether z is that of the first
        coordinates, rates, accelerations = tree.expand(q), tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
        for i, (body, joint) in enumerate(zip(tree.bodies, self.joints, strict=True)):
            own = Turn.by(coordinates[..., i]) if body.turn else Turn()
            rate, acceleration = rates[..., i], accelerations[..., i]
            joined = body.parent != BASE and self._turns(i, body.parent)
            # sums with angles of which only sine and cosine are known cost more than they save in derivatives
            joined = joined and not any(is_following(coordinates[..., k]) for k in (i, body.parent))
            between = quarters_between(body) if joined else None
            if between is None:
                self.first.append(i)
                self.ways.append(Way(body.parent, joint, rate, acceleration))
                self.heights.append(joint.reach)
                turns.append((own, 1.0))
                continue
            quarters, side = between
            up, (before, is_up) = self.ways[body.parent], turns[body.parent]
            turn = before.then(quarters.then(own.seen_from(side)).seen_from(is_up))
            turns.append((turn, is_up * side))
            self.first.append(self.first[body.parent])
            step = self._step(self.first[i], *turns[i])
            self.ways.append(Way(up.root, step, side * up.rate + rate, side * up.acceleration + acceleration))
            self.heights.append(side * (self.heights[body.parent] + body.position[2]) + body.along)

    def _turns(self, *bodies: int) -> bool:
        return all(self.tree.bodies[i].turn and not self.tree.bodies[i].slide for i in bodies)

    def _step(self, first: int, turn: Turn, side: float) -> JointStep:
        """From the root's axes by the rotation of the first and a turn; half a turn about x first, if z is opposite."""
        body, (c, s) = self.tree.bodies[first], turn.unit
        flipped = body.rotation * np.array([1.0, side, side])
        return JointStep(replace(body, rotation=flipped), c, side * s, 0.0)

    def continues(self, i: int) -> bool:
        """Whether a body belongs to the run of its parent."""
        return self.first[i] != i

    def quiet(self, moving: list[BodyMotion]) -> list[BodyMotion]:
        """Motions without the square of the first joint's speed, of bodies of which it does not feel that."""
        if not any(map(self.is_second, range(len(moving)))):
            return moving
        found: list[BodyMotion] = []
        for i, m in enumerate(moving):
            found.append(self._quiet(i, moving, found) if self.is_second(i) else m)
        return found

    def _quiet(self, i: int, moving: list[BodyMotion], found: list[BodyMotion]) -> BodyMotion:
        body, way, m = self.tree.bodies[i], self.ways[i], moving[i]
        (x, y, _), (dx, dy, dz), W = parts(m.w), parts(m.wd), way.rate
        xz, yz, zz = x * W, y * W, W * W
        still = np.zeros_like(zz)
        U = matrix((-zz, -dz, xz + dy), (dz, -zz, yz - dx), (xz - dy, yz + dx, still))
        root = moving[way.root]
        before = found[body.parent] if self.continues(i) else BodyMotion.starting(root.wd, root.a)
        a = self.joints[i].into(before.a + rotate(before.turning.U, body.position))
        if body.along:
            a = a + U[..., :, 2] * body.along
        return BodyMotion(m.w, m.wd, a, Turning(U, (zz, -zz, still)))

    def is_second(self, i: int) -> bool:
        """Whether a body belongs to a run across the first joint of the arm, which carries it."""
        root, first = self.ways[i].root, self.tree.bodies[self.first[i]]
        if root == BASE or self.tree.bodies[root].parent != BASE or not self._turns(i, root):
            return False
        return bool(first.rotation[2, 2] == 0.0)

    def torques(self, wrenches: list[BodyWrench], quiet: list[BodyWrench]) -> list[Any]:
        """Of the joints, from what each body needs; ``quiet`` is what it hands on to the root of its run."""
        bodies, size = self.tree.bodies, len(self.tree.bodies)
        found: list[Any] = [None] * size
        beyond: list[Reals] = [force for force, _ in wrenches]  # forces that joints of runs exert, in axes of the body
        lifts: list[Any] = [None] * size  # along z alone, of what is handed on
        own, handed = list(wrenches), list(quiet)
        for i in reversed(range(size)):
            (force, moment), (hand, turn) = own[i], handed[i]
            found[i], beyond[i], lifts[i] = bodies[i].along_axis(force, moment), force, hand[..., 2]
            last = True
            for k in range(i + 1, size):
                if bodies[k].parent == i and self.continues(k):
                    last = False
                    (x, y, _), f = bodies[k].position, self.joints[k].out_of(beyond[k])
                    side, beyond[i] = bodies[k].rotation[2, 2], beyond[i] + f
                    found[i] = found[i] + side * found[k] + x * f[..., 1] - y * f[..., 0]
                    lifts[i], turn = lifts[i] + side * lifts[k], turn + side * scaled(lifts[k], vector(y, -x, 0.0))
            told("f", self.tree.numbered(i), beyond[i])
            if last:  # else only what its own joint feels is ever known
                told("n", self.tree.numbered(i), moment)
            root, step = self.ways[i].root, self.ways[i].step
            if root == BASE:
                continue
            # about the point where the run stands on its root; along its axis the first hands on what all need
            across = turn[..., :2] + np.asarray(self.heights[i])[..., None] * vector(-hand[..., 1], hand[..., 0])
            along = turn[..., 2] if bodies[i].slide or not bodies[i].turn else 0.0 if self.continues(i) else found[i]
            hand = step.out_of(hand)
            turn = step.out_of(vector(across[..., 0], across[..., 1], along)) + np.cross(step.body.position, hand)
            for sums in (own, handed):
                sums[root] = sums[root][0] + hand, sums[root][1] + turn
        return found
