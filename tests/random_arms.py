"""Random arms and states for property tests, as hypothesis strategies.

The structure of an arm (which joints, where on the tree, along which kind of axis) is drawn by hypothesis and shrinks;
its numbers come from a generator with a drawn seed, which is much faster than drawing each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from torsor.model.armfile import parse_arm_file
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Joint, Link, Mimic
from torsor.model.transforms import pose

KINDS = ("revolute", "prismatic", "continuous", "screw", "fixed")
AXES = {
    "z": (0.0, 0.0, 1.0),
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
}
PLACES = ("none", "shifted", "quarter", "general")
BODIES = ("solid", "point", "massless")
SEEDS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class LinkShape:
    """What is drawn, and shrinks, of one link."""

    kind: str
    parent: int
    axis: str
    before: str
    after: str
    body: str
    follows: int | None


@st.composite
def shapes(
    draw: Any,
    max_links: int = 12,
    kinds: tuple[str, ...] = KINDS,
    branches: bool = True,
    mimics: bool = True,
    massless: bool = True,
) -> list[LinkShape]:
    """The structure of a tree; a link's parent comes before it, and at least one joint moves freely."""
    found: list[LinkShape] = []
    for i in range(draw(st.integers(1, max_links))):
        kind = draw(st.sampled_from([k for k in kinds if k != "fixed"] if i == 0 else kinds))
        back = draw(st.integers(0, i)) if branches and draw(st.integers(0, 3)) == 3 else 0
        moving = [j for j, shape in enumerate(found) if shape.kind != "fixed"]
        may_follow = mimics and kind != "fixed" and moving
        follows = draw(st.sampled_from(moving)) if may_follow and draw(st.integers(0, 7)) == 7 else None
        found.append(
            LinkShape(
                kind=kind,
                parent=i - 1 - back,
                axis=draw(st.sampled_from([*AXES, "general"])),
                before=draw(st.sampled_from(PLACES)),
                after=draw(st.sampled_from(("none", "none", *PLACES))),
                body=draw(st.sampled_from(BODIES if massless else ("solid",))),
                follows=follows,
            )
        )
    return found


@st.composite
def models(draw: Any, shuffled: bool = True, **structure: Any) -> Model:
    """Any arm: all joints, branches, massless links inside, mimics, tool and payload, children before parents."""
    tree = draw(shapes(**structure))
    rng = np.random.default_rng(draw(SEEDS))
    count = len(tree)
    order = rng.permutation(count).tolist() if shuffled and draw(st.booleans()) else list(range(count))
    place_in_file = {i: k for k, i in enumerate(order)}  # shape -> link
    tips = _tips(tree)

    def link(i: int) -> Link:
        shape = tree[i]
        factor, offset = float(rng.choice([1.0, -1.0, 0.5, rng.uniform(-2.0, 2.0)])), float(rng.uniform(-1.0, 1.0))
        joint = Joint(
            name=f"joint{i}",
            kind=shape.kind,  # type: ignore[arg-type]
            axis=random_axis(rng, shape.axis),
            before=random_pose(rng, shape.before),
            after=random_pose(rng, shape.after),
            pitch=float(rng.choice([-1.0, 1.0]) * rng.uniform(0.05, 0.5)) if shape.kind == "screw" else 0.0,
            mimic=None if shape.follows is None else Mimic(f"joint{shape.follows}", factor, offset),
        )
        parent = BASE if shape.parent < 0 else place_in_file[shape.parent]
        return Link(f"link{i}", parent, joint, random_mass(rng, "solid" if i in tips else shape.body))

    links = tuple(link(i) for i in order)
    on_link = draw(st.integers(0, count))
    tool_link = BASE if on_link == 0 else place_in_file[on_link - 1]
    return Model(
        name="random",
        links=links,
        tool=Frame(tool_link, random_pose(rng, draw(st.sampled_from(PLACES)))),
        gravity=np.array([0.0, 0.0, -9.81]) if draw(st.booleans()) else rng.uniform(-10.0, 10.0, 3),
        base=random_pose(rng, draw(st.sampled_from(PLACES))),
        payload=random_mass(rng, "solid") if draw(st.booleans()) else None,
        frames={"camera": Frame(int(rng.integers(-1, count)), random_pose(rng, "general"))},
    )


@st.composite
def arms_and_states(draw: Any, batch: tuple[int, ...] = (), **structure: Any) -> tuple[Model, tuple[np.ndarray, ...]]:
    """An arm with q, qd, qdd of shape (*batch, n)."""
    model = draw(models(**structure))
    return model, random_state(model.n, draw(SEEDS), batch)


def random_state(n: int, seed: int, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, qd, qdd of shape (*batch, n)."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.uniform(-3.0, 3.0, (3, *batch, n))
    return q, qd, qdd


def random_axis(rng: np.random.Generator, axis: str) -> np.ndarray:
    direction = np.array(AXES[axis]) if axis in AXES else rng.normal(size=3)
    return direction / np.linalg.norm(direction)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


def random_pose(rng: np.random.Generator, place: str) -> np.ndarray:
    """None, a shift, a shift with exact quarter turns, or anything."""
    if place == "none":
        return np.eye(4)
    if place == "shifted":
        return pose(position=rng.uniform(-1.0, 1.0, 3))
    if place == "quarter":
        R = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
        return pose(R * np.linalg.det(R).round(), rng.uniform(-1.0, 1.0, 3))
    return pose(random_rotation(rng), rng.uniform(-1.0, 1.0, 3))


def random_mass(rng: np.random.Generator, body: str) -> Mass:
    """A body that can exist: its second moments of mass are positive."""
    if body == "massless":
        return Mass.none()
    mass, com = float(rng.uniform(0.2, 5.0)), rng.uniform(-0.5, 0.5, 3)
    if body == "point":
        return Mass(mass, com, np.zeros((3, 3)))
    R = random_rotation(rng)
    second = mass * R @ np.diag(rng.uniform(0.001, 0.1, 3)) @ R.T
    inertia = np.trace(second) * np.eye(3) - second
    return Mass(mass, com, (inertia + inertia.T) / 2)


def _tips(tree: list[LinkShape]) -> set[int]:
    """Moving links with no moving link beyond them: without mass their joints would move nothing."""
    moved_beyond: set[int] = set()
    for shape in tree:
        if shape.kind != "fixed":
            j = shape.parent
            while j >= 0:
                moved_beyond.add(j)
                j = tree[j].parent
    return {i for i, shape in enumerate(tree) if shape.kind != "fixed" and i not in moved_beyond}


@dataclass(frozen=True, eq=False)
class DhArm:
    """A serial arm by its Denavit-Hartenberg rows, with its text as an arm file."""

    frames: str
    kinds: tuple[str, ...]
    rows: np.ndarray  # (n, 4): a, alpha, d, and the constant part of theta
    starts: np.ndarray  # (n,) where a sliding joint is at q = 0
    masses: tuple[Mass, ...]

    def text(self, about: str = "com") -> str:
        parts = [f'name = "dh"\nframes = "{self.frames}"\n']
        for kind, row, start, mass in zip(self.kinds, self.rows, self.starts, self.masses, strict=True):
            a, alpha, d, theta = (float(x) for x in row)
            turn = f"theta = {theta!r}\noffset = {float(start)!r}" if kind == "prismatic" else f"offset = {theta!r}"
            I = mass.inertia if about == "com" else mass.inertia_about_origin
            six = [float(I[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            parts.append(
                f'[[link]]\njoint = "{kind}"\na = {a!r}\nalpha = {alpha!r}\nd = {d!r}\n{turn}\n'
                f'mass = {mass.mass!r}\ncom = {mass.com.tolist()}\ninertia = {six}\nabout = "{about}"\n'
            )
        return "\n".join(parts)

    def model(self, about: str = "com") -> Model:
        return parse_arm_file(self.text(about))

    def poses(self, q: np.ndarray) -> list[np.ndarray]:
        """T_base_link of every link from the textbook matrices (Spong 3.10; Craig 3.6)."""
        T, found = np.eye(4), []
        for kind, (a, alpha, d, theta), start, value in zip(self.kinds, self.rows, self.starts, q, strict=True):
            theta, d = (theta, d + start + value) if kind == "prismatic" else (theta + value, d)
            ct, s_t, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
            if self.frames == "standard-dh":
                rows = [[ct, -s_t * ca, s_t * sa, a * ct], [s_t, ct * ca, -ct * sa, a * s_t], [0, sa, ca, d]]
            else:
                rows = [[ct, -s_t, 0, a], [s_t * ca, ct * ca, -sa, -sa * d], [s_t * sa, ct * sa, ca, ca * d]]
            T = T @ np.array([*rows, [0.0, 0.0, 0.0, 1.0]])
            found.append(T)
        return found


@st.composite
def dh_arms(draw: Any, max_joints: int = 7) -> DhArm:
    """Serial arms in either Denavit-Hartenberg convention, with the quarter turns that real arms have."""
    frames = draw(st.sampled_from(("standard-dh", "modified-dh")))
    kinds = tuple(draw(st.lists(st.sampled_from(("revolute", "prismatic")), min_size=1, max_size=max_joints)))
    quarters = [draw(st.sampled_from((0.0, 0.5, -0.5, 1.0, None))) for _ in kinds]
    rng = np.random.default_rng(draw(SEEDS))
    rows = rng.uniform(-1.0, 1.0, (len(kinds), 4)) * rng.integers(0, 2, (len(kinds), 4))
    rows[:, 1] = [rng.uniform(-3.0, 3.0) if quarter is None else quarter * np.pi for quarter in quarters]
    masses = tuple(random_mass(rng, "solid") for _ in kinds)
    return DhArm(frames, kinds, rows, rng.uniform(-0.5, 0.5, len(kinds)), masses)
