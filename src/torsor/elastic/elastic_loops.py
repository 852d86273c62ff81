"""Loops of an arm whose links bend: what keeps them closed, and the motions that are left at a posture.

Elastic coordinates take part in the closure, c(x) = 0 with C = dc/dx. At a posture the motions that keep loops closed
are its null space, found by rank: a planar loop, which has more equations than it needs while it is rigid, needs all of
them once it bends. Each end is followed from where the ways to both part: what moves both alike does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

import numpy as np
import scipy.linalg

from torsor.elastic.elastic_composite import mass_matrix
from torsor.elastic.elastic_newton_euler import TipStep, elastic_steps, tip_rotation, tip_turning
from torsor.elastic.elastic_tree import ElasticTree
from torsor.errors import Unsupported
from torsor.mechanics.kinematics import JointStep, dot, joined, rotate, unrotate
from torsor.mechanics.tree import Mount, Reals
from torsor.model.parts import BASE, Loop
from torsor.model.transforms import Floats, times

# Of the twist of one frame against the other, in the axes of the other, what each kind of joint keeps zero.
KEPT = {"hinge": [0, 1, 2, 3, 4], "ball": [0, 1, 2], "slider": [0, 1, 3, 4, 5], "rigid": [0, 1, 2, 3, 4, 5]}
RANK = 1e-8  # of the largest: smaller singular values are zero

WayPart = tuple[int, int | None]  # of the way to a frame: the joint of a body (body, None), or its tip (body, tip)


@dataclass(frozen=True, eq=False)
class LoopEnd:
    """One end of a loop, from where the ways to both ends part: where it is, and what moves it."""

    R: Reals
    p: Reals
    movers: list[tuple[int, Any, Reals, Reals, Reals]]  # coordinate, its share, velocity, turning, and at which point

    def add_to(self, columns: list[Any], point: Reals, sign: float) -> None:
        """What a unit of each coordinate does to the link of this end, at a point."""
        for at, share, v, w, origin in self.movers:
            moved = joined(v + np.cross(w, point - origin), w)
            columns[at] = columns[at] + (sign * share) * moved


@dataclass(frozen=True, eq=False)
class RelativeEnds:
    """The first end of a loop as its second one sees it."""

    kind: str
    length: float
    first: LoopEnd
    second: LoopEnd
    d: Reals  # (..., 3) from the second to the first, in the axes of the second

    @classmethod
    def at(cls, tree: ElasticTree, number: int, loop: Loop, x: Reals) -> RelativeEnds:
        joints, _ = elastic_steps(tree, x)
        ends = list(zip(tree.tree.ends[number], tree.ends[number], strict=True))
        ways = [_way(tree, mount, tip) for mount, tip in ends]
        both = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ways, strict=False)))
        last = ways[0][both - 1] if both else None
        first, second = (
            _end(tree, x, joints, last, way[both:], mount) for way, (mount, _) in zip(ways, ends, strict=True)
        )
        return cls(loop.kind, loop.length or 0.0, first, second, unrotate(second.R, first.p - second.p))

    def twists(self, size: int) -> Reals:
        """(..., 6, x): how the first frame moves against the second, at its own origin, in the axes of the second."""
        columns: list[Any] = [np.zeros(6)] * size
        self.first.add_to(columns, self.first.p, 1.0)
        self.second.add_to(columns, self.first.p, -1.0)
        shape = (*np.shape(self.d)[:-1], 6)
        apart = np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1)
        back = np.swapaxes(self.second.R, -1, -2)
        return np.concatenate([times(back, apart[..., :3, :]), times(back, apart[..., 3:, :])], axis=-2)

    def rows(self, size: int, *, welded: bool = False) -> Reals:
        """(..., equations, x): C."""
        apart = self.twists(size)
        if self.kind == "distance":
            along = self.d / np.asarray(np.sqrt(dot(self.d, self.d)))[..., None]
            return times(along[..., None, :], apart[..., :3, :])
        return apart[..., KEPT["rigid" if welded else self.kind], :]

    def left(self) -> list[Any]:
        """c: what the equations leave, in m, or as sines of angles."""
        if self.kind == "distance":
            return [np.sqrt(dot(self.d, self.d)) - self.length]
        turn = times(np.swapaxes(self.second.R, -1, -2), self.first.R)
        if self.kind == "hinge":
            turned = [-turn[..., 1, 2], turn[..., 0, 2], None]
        else:
            turned = [0.5 * (turn[..., i, j] - turn[..., j, i]) for i, j in ((2, 1), (0, 2), (1, 0))]
        return [[*(self.d[..., k] for k in range(3)), *turned][k] for k in KEPT[self.kind]]


def _way(tree: ElasticTree, mount: Mount, tip: int | None) -> list[WayPart]:
    """Joints and tips from the base out to a frame."""
    found: list[WayPart] = []
    for i in tree.tree.path(mount.body) if mount.body != BASE else ():
        if (ride := tree.rides[i]) is not None:
            found.append((tree.tree.bodies[i].parent, ride))
        found.append((i, None))
    return found if tip is None else [*found, (mount.body, tip)]


def _end(
    tree: ElasticTree, x: Reals, joints: list[JointStep], before: WayPart | None, way: list[WayPart], mount: Mount
) -> LoopEnd:
    R: Reals = np.eye(3)
    p: Reals = np.zeros(3)  # in the axes of the part that carries both
    onto = _tip_position(tree, before)
    movers: list[tuple[int, Any, Reals, Reals, Reals]] = []
    for part in way:
        body, tip = part
        if tip is None:
            joint = joints[body]
            p = p + rotate(R, joint.p - onto)
            R = times(R, joint.R)
            z, own = R[..., :, 2], tree.tree.bodies[body]
            movers += [
                (k, tree.turns[body, k], own.slide * z, own.turn * z, p)
                for k in np.flatnonzero(tree.turns[body]).tolist()
            ]
        else:
            step = TipStep.at(tree.flexible[body].tips[tip], tree.own(body, x))
            p = p + rotate(R, step.r - onto)
            turning = tip_turning(step)
            for k in range(step.tip.Phi.shape[1]):
                v, w = rotate(R, step.columns[..., k, :]), rotate(R, turning[..., k, :])
                movers.append((tree.slices[body].start + k, 1.0, v, w, p))
            R = times(R, tip_rotation(step))
        onto = _tip_position(tree, part)
    return LoopEnd(times(R, mount.rotation), p + rotate(R, mount.position - onto), movers)


def _tip_position(tree: ElasticTree, part: WayPart | None) -> Floats:
    """From the origin of the body that a part of a way ends on, in its axes at rest."""
    if part is None or part[1] is None:
        return np.zeros(3)
    return tree.flexible[part[0]].tips[part[1]].position


def closing_rows(tree: ElasticTree, loops: Sequence[Loop], x: Reals, *, welded: bool = False) -> Reals:
    """C (..., rows, x) with C xd = 0; ``welded``: as if no joint of a loop turned."""
    each = [RelativeEnds.at(tree, k, loop, x).rows(tree.size, welded=welded) for k, loop in enumerate(loops)]
    return np.concatenate(each, axis=-2)


def closed_motions(C: Floats) -> Floats:
    """(x, motions): an orthonormal basis of what C leaves."""
    return np.asarray(scipy.linalg.null_space(C / row_sizes(C)[:, None], rcond=RANK))


def row_sizes(C: Floats) -> Floats:
    """(rows,): what equations C (..., rows, x) are to be divided by, so that all that say something are of one size.

    Infinite where one says nothing: of a plane loop that stands askew rounding leaves a little of what it cannot say.
    """
    size = np.linalg.norm(C.reshape(-1, *C.shape[-2:]), axis=(0, -1))
    return np.where(size > RANK * size.max(initial=0.0), size, np.inf)


@dataclass(frozen=True, eq=False)
class SwayingArm:
    """An elastic tree about joints that are told, with its loops.

    Unknown are u: by how much joints that no drive holds (``passive``) are elsewhere, then springs and shapes. Where an
    arm has no loops these are springs and shapes alone. ``kept`` are the equations of loops that say everything once.
    """

    tree: ElasticTree
    loops: tuple[Loop, ...]
    passive: tuple[int, ...]
    kept: tuple[int, ...]

    @classmethod
    def of(
        cls, name: str, tree: ElasticTree, loops: tuple[Loop, ...], passive: tuple[int, ...], at: Floats
    ) -> SwayingArm:
        """``at`` (postures, joints) are some at which loops are closed: there equations are ranked."""
        whole = cls(tree, loops, passive, ())
        if not loops:
            return whole
        straight = whole.x(at, np.zeros((len(at), whole.size)))
        moved = np.diagonal(mass_matrix(tree, straight[:1]), axis1=-2, axis2=-1)[0]
        if idle := [tree.names[k] for k in passive if not moved[k] > 1e-12 * moved.max()]:
            raise Unsupported(f"joint {idle[0]!r} of {name!r} moves no mass", hint="give the link that it moves one")
        C = closing_rows(tree, loops, straight)[..., whole.unknown]
        C = C / row_sizes(C)[:, None]
        several = np.swapaxes(C, 0, 1).reshape(C.shape[1], -1)
        values = np.linalg.svd(several, compute_uv=False)
        rank = int((values > RANK * values[0]).sum())
        _, _, order = scipy.linalg.qr(several.T, mode="economic", pivoting=True)
        kept = tuple(sorted(order[:rank].tolist()))
        least = np.linalg.svd(C[:, kept], compute_uv=False)[:, -1].min()
        if not least > RANK:
            raise Unsupported(
                f"which equations of the loops of {name!r} say the same changes with its posture",
                hint="let more of its links bend, or give them more modes",
            )
        return cls(tree, loops, passive, kept)

    @property
    def facts(self) -> tuple[object, ...]:
        """All that its motion depends on."""
        return (
            *self.tree.facts,
            [(loop.kind, loop.length) for loop in self.loops],
            self.tree.ends,
            self.passive,
            self.kept,
        )

    @cached_property
    def unknown(self) -> Any:
        """Which of the coordinates x are unknown."""
        return np.array([*self.passive, *range(self.tree.n, self.tree.size)], dtype=int)

    @property
    def size(self) -> int:
        return len(self.unknown)

    def x(self, q: Reals, u: Reals) -> Reals:
        """All coordinates (..., x), of joints of the tree as they are told and what is unknown; also of rates."""
        away = len(self.passive)
        joints = [
            q[..., k] + u[..., self.passive.index(k)] if k in self.passive else q[..., k] for k in range(self.tree.n)
        ]
        return np.stack(np.broadcast_arrays(*joints, *(u[..., k] for k in range(away, self.size))), axis=-1)

    def rows(self, x: Reals) -> Reals:
        """C (..., kept, x)."""
        return closing_rows(self.tree, self.loops, x)[..., self.kept, :]

    def left(self, x: Reals) -> Reals:
        """c (..., kept)."""
        found = list(self._left(x))
        return np.stack(np.broadcast_arrays(*(found[k] for k in self.kept)), axis=-1)

    def _left(self, x: Reals) -> Iterator[Any]:
        for number, loop in enumerate(self.loops):
            yield from RelativeEnds.at(self.tree, number, loop, x).left()

    def forces(self, x: Floats, multipliers: Floats) -> dict[str, Floats]:
        """By loop (..., 6): force over moment on the link of its first end, there, in the axes of its second end."""
        found, start = {}, 0
        for number, loop in enumerate(self.loops):
            count = 1 if loop.kind == "distance" else len(KEPT[loop.kind])
            own = {k - start: multipliers[..., at] for at, k in enumerate(self.kept) if start <= k < start + count}
            wrench = np.zeros((*multipliers.shape[:-1], 6))
            if loop.kind == "distance" and own:
                d = RelativeEnds.at(self.tree, number, loop, x).d
                wrench[..., :3] = own[0][..., None] * d / np.linalg.norm(d, axis=-1, keepdims=True)
            else:
                for row, value in own.items():
                    wrench[..., KEPT[loop.kind][row]] = value
            found[loop.name] = wrench
            start += count
        return found


def closed_bases(arm: SwayingArm, x: Floats) -> Floats:
    """(..., u, motions): orthonormal, of what keeps loops closed."""
    if not arm.loops:
        return np.broadcast_to(np.eye(arm.size), (*x.shape[:-1], arm.size, arm.size))
    C = arm.rows(x)[..., arm.unknown]
    return np.swapaxes(np.linalg.svd(C)[2][..., len(arm.kept) :, :], -1, -2)
