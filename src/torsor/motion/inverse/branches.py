"""The solutions of one pose, and the names of branches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from torsor.errors import TorsorError, did_you_mean
from torsor.mechanics.kinematics import body_poses, rotate
from torsor.mechanics.spherical_wrist import Geometry
from torsor.model.transforms import Floats

SINGULAR = 1e-14  # of squared margins: 1e-7
PARTS = ("shoulder", "elbow", "wrist")
SIDES = ({"front", "back"}, {"up", "down"})
Feature = tuple[tuple[str, ...], Any]  # the words it can be named by, and which of them each solution has


@dataclass(frozen=True, eq=False)
class Branches:
    """The solutions of one pose, those within the joint limits first. Iterating gives the joint vectors.

    ``singular`` names, for each, what is singular there, as "wrist" or "shoulder, wrist"; empty where nothing is.
    ``assembled`` is False for a solution that an arm with loops reaches only if it is taken apart and put together
    another way.
    """

    q: Floats  # (branches, n)
    names: tuple[str, ...]
    within_limits: tuple[bool, ...]
    singular: tuple[str, ...] = ()
    assembled: tuple[bool, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Floats]:
        return iter(self.q)

    def __getitem__(self, which: int | str) -> Floats:
        """The joints of a branch by number or by name."""
        if isinstance(which, str):
            if which not in self.names:
                raise TorsorError(f"no branch {which!r} reaches the pose", hint=did_you_mean(which, self.names))
            which = self.names.index(which)
        return np.asarray(self.q[which])

    def __str__(self) -> str:
        return "\n".join(self._line(k) for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<Branches {len(self)}: {'; '.join(self.names)}>"

    def _repr_html_(self) -> str:
        from torsor.report.notebook_looks import captioned

        joints = [f"q{j + 1}" for j in range(self.q.shape[-1])]
        listed = enumerate(zip(self.names, self.q, strict=True))
        rows = [(name, *(f"{x:.4f}" for x in q), self._marks(k)) for k, (name, q) in listed]
        return captioned(f"{len(self)} branches [rad, m]", ("branch", *joints, ""), rows)

    def _marks(self, k: int) -> str:
        marks = [] if self.within_limits[k] else ["out of limits"]
        marks += ["other assembly"] if self.assembled and not self.assembled[k] else []
        marks += [f"{self.singular[k]} singular"] if self.singular and self.singular[k] else []
        return ", ".join(marks)

    def _line(self, k: int) -> str:
        marks = self._marks(k)
        line = f"{self.names[k]:22s} {np.array2string(self.q[k], precision=4)}"
        return f"{line}  {marks}" if marks else line


def features(geometry: Geometry, q: Floats) -> list[Feature]:
    """What the branches of an arm are named by, for all its solutions q (..., 8, 6) in the joints of the tool's chain.

    Where the second and third axes are parallel: *front* is the side of the wrist at q = 0, *up* an elbow above the
    line from shoulder to wrist, and the sign is that of sin q5. Else signs number the two solutions of an equation, and
    arms are numbered by their joint 3.
    """
    count = np.arange(q.shape[-2]) % 8
    if geometry.family == "quartic":
        return [(tuple(f"arm {k + 1}" for k in range(4)), count // 2), (("wrist +", "wrist -"), count % 2)]
    if geometry.family == "coplanar":
        third = "boom" if geometry.first_three.slides else "elbow"
        signed = zip(("shoulder", third, "wrist"), (4, 2, 1), strict=True)
        return [((f"{part} +", f"{part} -"), count // weight % 2) for part, weight in signed]
    home = np.zeros((*q.shape[:-2], 1, 6))
    places = _places(geometry, np.concatenate([q, home], axis=-2))  # at once: what takes time is to walk the chain
    _, z2, _, shoulder, elbow, wrist = (each[..., :-1, :] for each in places)
    if geometry.family == "three parallel":  # joint 1 turns W, which is beside the plane of the arm, to either side
        front = np.broadcast_to(count // 4, q.shape[:-1])
    else:
        side = _beside(*places)
        front = (side[..., -1:] * side[..., :-1] < 0.0).astype(int)
    up = -geometry.tree.gravity if geometry.tree.gravity.any() else np.array([0.0, 0.0, 1.0])
    up = up / np.linalg.norm(up)
    chord = wrist - shoulder
    bend = (np.cross(chord, elbow - shoulder) * z2).sum(axis=-1)
    tilt = (np.cross(chord, up) * z2).sum(axis=-1)
    # upright, both elbows are as high: then the way it bends tells them apart
    above = bend * np.where(np.abs(tilt) > 1e-9, tilt, 1.0)
    return [
        (("front", "back"), front),
        (("up", "down"), (above < 0.0).astype(int)),
        (("wrist +", "wrist -"), (np.sin(q[..., 4]) < 0.0).astype(int)),
    ]


def _places(geometry: Geometry, q: Floats) -> tuple[Floats, ...]:
    """z1, z2, a point of axis 1, shoulder, elbow, wrist."""
    poses = body_poses(geometry.tree, q)
    R3, p3 = poses[2]
    wrist = p3 + rotate(R3, geometry.wrist_in_3) if geometry.family == "parallel" else poses[3][1]
    found = poses[0][0][..., :, 2], poses[1][0][..., :, 2], poses[0][1], poses[1][1], p3, wrist
    return tuple(np.broadcast_to(each, (*q.shape[:-1], 3)) for each in found)


def _beside(z1: Floats, z2: Floats, base: Floats, shoulder: Floats, elbow: Floats, wrist: Floats) -> Any:
    """On which side of the plane through axis 1 along z2 the wrist is."""
    side = (np.cross(z2, z1) * (wrist - base)).sum(axis=-1)
    return np.where(side == 0.0, 1.0, side)


def names_of(found: list[Feature], count: int) -> list[str]:
    """The names of the solutions of one pose."""
    columns = [np.broadcast_to(index, (count,)) for _, index in found]
    return [", ".join(found[i][0][int(column[k])] for i, column in enumerate(columns)) for k in range(count)]


def meant(found: list[Feature], branch: str) -> Any:
    """Which solutions (..., 8) are on a branch, named by all of its words or by some, in any order."""
    chosen: Any = True
    for word in (part.strip() for part in branch.split(",")):
        feature = next((each for each in found if word in each[0]), None)
        if feature is None:
            known = [", ".join(words) for words in product(*(words for words, _ in found))]
            raise TorsorError(f"there is no branch {branch!r}", hint=did_you_mean(branch, known))
        chosen = chosen & (feature[1] == feature[0].index(word))
    return chosen


def excludes(one: str, other: str) -> bool:
    """Whether no branch is named by both words.

    >>> excludes("front", "back"), excludes("wrist +", "wrist -"), excludes("front", "up"), excludes("up", "up")
    (True, True, False, False)
    """
    return {one, other} in SIDES or (one != other and one[-1:] in "+-" and one[:-1] == other[:-1])


def singular_parts(margins: Floats) -> list[str]:
    """What is singular at solutions (m, 3)."""
    return [", ".join(part for part, small in zip(PARTS, row < SINGULAR, strict=True) if small) for row in margins]


def distinct(q: Floats, turning: Any) -> list[int]:
    """Which of the solutions (m, n) differ from all before them."""
    kept: list[int] = []
    for k, each in enumerate(q):
        apart = np.abs(q[kept] - each)
        apart = np.where(turning, np.abs(np.angle(np.exp(1j * apart))), apart)
        if not kept or apart.max(axis=-1).min() > 1e-6:
            kept.append(k)
    return kept
