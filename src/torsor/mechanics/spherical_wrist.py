"""Inverse kinematics in closed form: which arms have it, and all their branches.

Six joints in a row carry the tool, and either the last three axes go through one point W (Pieper 1968), so that
``pieper.py`` places W with the first three joints and the last three turn the tool; or axes 2, 3 and 4 are parallel
(``three_parallel.py``). PUMA, IRB 140, RL15, the ASEA arm, the Stanford arm and the UR arms are among them. Nothing is
assumed of the other angles and offsets, so that every DH variant of these arms is the same case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from typing import Any, Literal

import numpy as np

from torsor.mechanics import pieper
from torsor.mechanics.kinematics import pose as forward
from torsor.mechanics.kinematics import rotate, stacked, vector
from torsor.mechanics.three_parallel import Found, three_parallel
from torsor.mechanics.tool_chain import ToolChain, tool_chain
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.mechanics.trigonometry import three_turns, turn, wrapped
from torsor.model.transforms import Floats, pose

TOLERANCE = 1e-9  # m and rad: how far axes may miss each other
NEARLY = 1e-6  # m: axes 1 and 2 this close are taken to meet, and the solutions are put right by Newton's method
MET = 1e-9  # m and of cosines: how far out of reach an equation may be by rounding
WristFamily = Literal["parallel", "coplanar", "quartic", "three parallel"]


@dataclass(frozen=True, eq=False)
class Geometry:
    """The constants of an arm that has a closed form."""

    chain: ToolChain
    family: WristFamily
    wrist_in_6: Floats  # W in body 6
    wrist_in_3: Floats  # ... and in body 3 (index 2)
    wrist_in_4: Floats

    @property
    def tree(self) -> Tree:
        return self.chain.tree

    @cached_property
    def first_three(self) -> pieper.FirstThree:
        return pieper.FirstThree(self.tree.bodies[:3], self.wrist_in_3)

    @cached_property
    def is_exact(self) -> bool:
        """Whether the formulas hold to rounding; else what they give is a start for Newton's method."""
        return "parallel" in self.family or (self.family == "coplanar" and abs(self.first_three.apart) <= TOLERANCE)

    @property
    def is_direct(self) -> bool:
        """Whether the branches are numbered by signs; else joint 3 comes from the roots of a quartic."""
        return self.family != "quartic"


def recognised(tree: Tree) -> Geometry | None:
    """The geometry of an arm with a closed form, None for others."""
    chain = tool_chain(tree)
    if chain is None or chain.tree.n != 6:
        return None
    bodies = chain.tree.bodies
    kinds = "".join("R" if not b.slide else "P" if not b.turn else "H" for b in bodies)
    if kinds not in ("RRRRRR", "RRPRRR"):
        return None
    T = list(accumulate((pose(b.rotation, b.position + b.rotation[:, 2] * b.along) for b in bodies), np.matmul))
    z, p = [t[:3, 2] for t in T], [t[:3, 3] for t in T]
    if (found := _family(z, p, kinds)) is None:
        return None
    family, wrist = found
    in_3, in_4, in_6 = (T[k][:3, :3].T @ (wrist - T[k][:3, 3]) for k in (2, 3, 5))
    geometry = Geometry(chain, family, in_6, in_3, in_4)
    if family == "coplanar" and pieper.degenerate(geometry.first_three):
        return None
    return geometry if _holds(geometry) else None


def _family(z: list[Floats], p: list[Floats], kinds: str) -> tuple[WristFamily, Floats] | None:
    """Which way the axes z through the points p are solved, and W; None where there is none."""

    def across(i: int, j: int) -> float:
        return float(np.linalg.norm(np.cross(z[i], z[j])))

    if across(4, 5) < 0.05:
        return None
    wrist = _crossing(p[3], z[3], p[4], z[4])
    if wrist is not None and np.linalg.norm(np.cross(wrist - p[5], z[5])) <= TOLERANCE:
        if kinds[2] == "R" and across(1, 2) <= TOLERANCE:
            return ("parallel", wrist) if across(0, 1) > 0.05 else None
        in_one_plane = abs(float(np.cross(z[0], z[1]) @ (p[1] - p[0]))) <= NEARLY
        return ("coplanar" if in_one_plane else "quartic"), wrist
    meeting = _crossing(p[4], z[4], p[5], z[5])
    if kinds[2] == "R" and meeting is not None and max(across(1, 2), across(1, 3)) <= TOLERANCE:
        return ("three parallel", meeting) if min(across(0, 1), across(3, 4)) > 0.05 else None
    return None


def _crossing(p: Floats, z: Floats, r: Floats, y: Floats) -> Floats | None:
    """Where two lines meet, None where they pass each other."""
    across = np.cross(z, y)
    sine2 = float(across @ across)
    if sine2 < 1e-4 or abs(float((r - p) @ across)) > TOLERANCE:
        return None
    return p + z * float(np.cross(r - p, y) @ across) / sine2


def _holds(geometry: Geometry) -> bool:
    """Whether the formulas give back a few poses: lengths that vanish can leave a family without its equations."""
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (4, 6))
    T = forward(geometry.tree, q)
    with np.errstate(all="ignore"):
        if geometry.is_direct:
            found, miss, _ = branches(geometry, T, np.zeros(6))
        else:
            found, miss, _ = with_third(geometry, T[:, None], thirds(geometry, T), np.zeros(6))
            found, miss = found.reshape(4, -1, 6), miss.reshape(4, -1)
        error = np.abs(forward(geometry.tree, found) - T[:, None]).max(axis=(-1, -2))
    allowed = 1e-6 if geometry.is_exact else 1e-2
    return bool((np.where(miss < MET, error, np.inf).min(axis=-1) < allowed).all())


def branches(geometry: Geometry, T: Reals, near: Reals, closing: bool = False) -> tuple[Reals, Reals, Reals]:
    """All solutions (..., 8, 6) for T_base_tool (..., 4, 4); by how much each misses (..., 8); margins (..., 8, 3).

    The miss is zero for a solution; otherwise the target is out of reach. Margins are how far shoulder, elbow and wrist
    are from singular, squared, of about one at most. Where a direction is undefined (wrist straight, W on axis 1) the
    joint that is free stays where it is in ``near`` (..., 6); with ``closing``, as near to that as the links allow.
    """
    W, R_last = _wrist(geometry, T)
    near = _angles(geometry, near)
    if geometry.family == "three parallel":
        R = geometry.tree.bodies[0].rotation.T @ geometry.tree.root.T @ R_last
        return _together(geometry, three_parallel(geometry.tree, geometry.wrist_in_4, W, R, near, closing))
    way = pieper.parallel if geometry.family == "parallel" else pieper.coplanar
    solutions = (way(geometry.first_three, W, near, signs) for signs in product((1.0, -1.0), (1.0, -1.0)))
    return _together(geometry, [one for each in solutions for one in _with_wrists(geometry, each, R_last, near)])


def thirds(geometry: Geometry, T: Floats) -> Floats:
    """(..., 4): joint 3 (without its offset) from the quartic, NaN where a root is not real."""
    W, _ = _wrist(geometry, T)
    return pieper.roots(geometry.first_three, pieper.quartic(geometry.first_three, W))


def with_third(geometry: Geometry, T: Reals, third: Any, near: Reals) -> tuple[Reals, Reals, Reals]:
    """The two solutions (..., 2, 6) with this joint 3, their miss and margins as for ``branches``."""
    W, R_last = _wrist(geometry, T)
    near = _angles(geometry, near)
    solution = pieper.from_third(geometry.first_three, W, third, near)
    return _together(geometry, _with_wrists(geometry, solution, R_last, near))


def _with_wrists(geometry: Geometry, solution: pieper.Solution, R_last: Reals, near: Reals) -> list[Found]:
    q1, q2, q3, miss, shoulder, elbow = solution
    first, second, third, fourth, fifth, sixth = geometry.tree.bodies
    turned = turn(q3) if third.turn else np.eye(3)
    R03 = geometry.tree.root @ first.rotation @ turn(q1) @ second.rotation @ turn(q2) @ third.rotation @ turned
    R36 = np.swapaxes(R03, -1, -2) @ R_last
    both = three_turns(fourth.rotation, fifth.rotation, sixth.rotation, R36, near[..., 3])
    return [([q1, q2, q3, q4, q5, q6], miss + off, shoulder, elbow, straight) for q4, q5, q6, off, straight in both]


def _wrist(geometry: Geometry, T: Reals) -> tuple[Reals, Reals]:
    """W in the axes of joint 1 at rest, and R_base_body6."""
    tool = geometry.tree.mount("tool")
    R_last = T[..., :3, :3] @ tool.rotation.T
    wrist = T[..., :3, 3] + rotate(R_last, geometry.wrist_in_6 - tool.position)
    return geometry.first_three.from_joint_1(wrist, geometry.tree.root), R_last


def _angles(geometry: Geometry, q: Reals) -> Reals:
    """What the bodies turn by, from the joints of the chain."""
    return np.asarray(q * geometry.chain.factors + geometry.chain.shifts)


def _together(geometry: Geometry, found: list[Found]) -> tuple[Reals, Reals, Reals]:
    def joint(body: Body, angle: Any) -> Any:
        q = (angle - body.shift) * body.factor
        return wrapped(q) if body.turn else q

    rows = stacked(vector(*map(joint, geometry.tree.bodies, each[0])) for each in found)
    return rows, vector(*(each[1] for each in found)), stacked(vector(*each[2:]) for each in found)
