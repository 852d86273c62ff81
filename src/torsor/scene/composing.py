"""From a model to the scene that the page draws: joints, links with their shapes, loops, tool, ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import Unsupported
from torsor.mechanics.assembly import free_names
from torsor.mechanics.tree import lower
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, BallShape, BoxShape, CylinderShape, Frame, MeshShape, Visual
from torsor.model.transforms import Floats
from torsor.model.triangles import Triangles
from torsor.motion.loop_closure import LoopClosure
from torsor.scene.drawn_meshes import packed_mesh
from torsor.scene.link_shapes import DrawnShape, ball, box, cylinder
from torsor.scene.mesh_files import read_meshes
from torsor.scene.skeleton import Skeleton, flat, link_poses
from torsor.scene.standing import Standing

LARGEST_ARM = 1e6  # m
VEIL = (0.45, 0.55, 0.7, 0.3)  # of solids around links
DENSITY = 2700.0  # kg/m^3, of aluminium: how large a payload is drawn


def scene_of(
    model: Model, closure: LoopClosure | None = None, *, home: ArrayLike | None = None, planes: Sequence[Any] = ()
) -> dict[str, Any]:
    """The scene of an arm; ``closure`` is ``arm.closure`` where it has loops.

    ``home`` are joints (n,) of the tree at which it stands; without it all at zero, or in the middle of limits that
    leave zero out, or as the loops are assembled. ``planes`` are pairs of a point and a normal, in base axes.
    """
    skeleton = Skeleton(model)
    if not skeleton.size < LARGEST_ARM:
        problem = f"{model.name!r} is {skeleton.size:.3g} m long"
        raise Unsupported(problem, hint=f"arms are drawn up to {LARGEST_ARM:g} m")
    stands = home_posture(model, closure) if home is None else np.asarray(home, dtype=np.float64)
    meshes = _Meshes(model)
    standing = Standing(skeleton, stands)
    plain = standing.plain
    return {
        "name": model.name,
        "base": flat(model.base),
        "size": skeleton.size,
        "ground": standing.ground,
        "gravity": _numbers(model.gravity @ model.base[:3, :3]),
        "joints": _joints(model, stands),
        "links": [
            {
                **description,
                "shapes": meshes.shapes(model.links[i].visuals)
                if meshes.draw(i)
                else [*plain.of(i), *meshes.solids(model.links[i].visuals)],
                "screw": screw,
            }
            for i, (description, screw) in enumerate(zip(_links(model), _screws(model), strict=True))
        ],
        "base_shapes": meshes.shapes(model.base_visuals) if meshes.draw(BASE) else standing.shapes(),
        "loops": [
            {
                "name": loop.name,
                "kind": loop.kind,
                "first": _frame(loop.first),
                "second": _frame(loop.second),
                "length": loop.length,
            }
            for loop in model.loops
        ],
        "modes": _modes(model, closure, stands),
        "tool": _frame(model.tool),
        "frames": [{"name": name, **_frame(frame)} for name, frame in model.frames.items()],
        "payload": None if model.payload is None else _payload(model.payload, skeleton.size),
        "planes": [{"point": _numbers(point), "normal": _numbers(normal)} for point, normal in planes],
        "meshes": meshes.packed,
        "notes": meshes.notes,
    }


def bare_scene(name: str, size: float, *, ground: float) -> dict[str, Any]:
    """A scene without an arm, for what is so large (m), with the ground at a height."""
    nothing: dict[str, Any] = {key: [] for key in
        ("joints", "links", "base_shapes", "loops", "modes", "frames", "planes", "meshes", "notes")}  # fmt: skip
    place = {"base": flat(np.eye(4)), "tool": {"link": BASE, "placement": flat(np.eye(4))}, "payload": None}
    return {**nothing, **place, "name": name, "size": size, "ground": ground, "gravity": [0.0, 0.0, -1.0]}


def _joints(model: Model, home: Floats) -> list[dict[str, Any]]:
    free = free_names(model) if model.loops else model.joint_names
    found = []
    for link, at in zip(model.independent, home.tolist(), strict=True):
        lower_limit, upper_limit = link.joint.limits.position or (None, None)
        found.append(
            {
                "name": link.joint.name,
                "unit": "m" if link.joint.kind == "prismatic" else "rad",
                "lower": lower_limit,
                "upper": upper_limit,
                "free": link.joint.name in free,
                "home": at,
            }
        )
    return found


def _links(model: Model) -> list[dict[str, Any]]:
    moved = {body.place: body for body in lower(model).bodies}
    found = []
    for i, link in enumerate(model.links):
        joint, mass, body = link.joint, link.mass, moved.get(i)
        found.append(
            {
                "name": link.name,
                "parent": link.parent,
                "kind": joint.kind,
                "axis": _numbers(joint.axis),
                "before": flat(joint.before),
                "after": flat(joint.after),
                "pitch": float(joint.pitch),
                "joint": -1 if body is None else body.source,
                "factor": 1.0 if body is None else body.factor,
                "offset": 0.0 if body is None else body.shift,
                "mass": None if mass is None else mass.mass,
                "com": None if mass is None else _numbers(mass.com),
                "ellipsoid": None if mass is None else ellipsoid(mass),
                "dh": None if link.dh is None else dict(vars(link.dh)),
            }
        )
    return found


def _screws(model: Model) -> list[dict[str, Any] | None]:
    """Of each joint (omega, v), in base axes with all joints at zero: T = exp([S1] q1) exp([S2] q2) ... T(0)."""
    T = link_poses(model, np.zeros(model.n))
    found: list[dict[str, Any] | None] = []
    for link in model.links:
        at = (np.eye(4) if link.parent == BASE else T[link.parent]) @ link.joint.before
        axis, point = at[:3, :3] @ link.joint.axis, at[:3, 3]
        if not link.joint.moves:
            found.append(None)
        elif link.joint.kind == "prismatic":
            found.append({"omega": [0.0, 0.0, 0.0], "v": _numbers(axis)})
        else:
            v = np.cross(point, axis) + link.joint.pitch * axis
            found.append({"omega": _numbers(axis), "v": _numbers(v)})
    return found


def ellipsoid(mass: Mass) -> dict[str, Any] | None:
    """The ellipsoid of even density with this mass and inertia: I_x = m (b^2 + c^2) / 5, and so on.

    Radii of a body that cannot be are zero where their squares would be below. None where there is no mass.
    """
    if not mass.mass > 0.0:
        return None
    moments, axes = np.linalg.eigh(mass.inertia)
    if np.linalg.det(axes) < 0.0:
        axes = axes * [1.0, 1.0, -1.0]
    squares = 2.5 / mass.mass * (moments.sum() - 2.0 * moments)
    return {"axes": _numbers(axes.ravel()), "radii": _numbers(np.sqrt(np.maximum(squares, 0.0)))}


def home_posture(model: Model, closure: LoopClosure | None) -> Floats:
    """All joints at zero, or in the middle of limits that leave zero out; with loops, as they are assembled."""
    if closure is not None:
        return closure.reference
    spans = [link.joint.limits.position or (0.0, 0.0) for link in model.independent]
    return np.array([0.0 if low <= 0.0 <= high else 0.5 * low + 0.5 * high for low, high in spans])


def _modes(model: Model, closure: LoopClosure | None, home: Floats) -> list[dict[str, Any]]:
    if closure is None or not closure.is_closed_form:
        return []
    _, *others = closure.assembly_modes(closure.free_of(home))
    return [{"name": f"assembly {k + 2}", "q": _numbers(q)} for k, q in enumerate(others)]


def _payload(mass: Mass, size: float) -> dict[str, Any]:
    radius = (0.75 * max(mass.mass, 0.0) / (np.pi * DENSITY)) ** (1.0 / 3.0)
    return {"mass": mass.mass, "com": _numbers(mass.com), "radius": float(np.clip(radius, 0.01 * size, 0.1 * size))}


def _frame(frame: Frame) -> dict[str, Any]:
    return {"link": frame.link, "placement": flat(frame.placement)}


def _numbers(values: Any) -> list[float]:
    return [float(x) for x in np.asarray(values, dtype=np.float64).tolist()]


class _Meshes:
    """The visuals of a model as shapes, meshes read and packed once each."""

    def __init__(self, model: Model) -> None:
        self.model = model
        every = [visual for link in model.links for visual in link.visuals] + [*model.base_visuals]
        paths = [v.shape.path for v in every if isinstance(v.shape, MeshShape) and v.shape.path is not None]
        self.read, self.notes = read_meshes(paths)
        missing = [v.shape for v in every if isinstance(v.shape, MeshShape) and v.shape.missing is not None]
        if missing:
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            self.notes.append(f"mesh {missing[0].uri!r} {missing[0].missing}{more}; links are drawn plainly")
        self.any = any(self._is_drawn(visual) and not visual.is_mass for visual in every)
        self.packed: list[dict[str, Any]] = []
        self.first: dict[Path, int] = {}
        for path, parts in self.read.items():
            self.first[path] = len(self.packed)
            self.packed += [packed_mesh(part) for part in parts]

    def draw(self, index: int) -> bool:
        """Whether a link is drawn by its visuals: not where they could not be read; else where any link has some.

        Solids that arm files give for mass stand around a link that is drawn plainly.
        """
        visuals = self.model.base_visuals if index == BASE else self.model.links[index].visuals
        return self.any and (not visuals or any(self._is_drawn(visual) for visual in visuals))

    def _is_drawn(self, visual: Visual) -> bool:
        return not isinstance(visual.shape, MeshShape) or visual.shape.path in self.read

    def solids(self, visuals: Sequence[Visual]) -> list[DrawnShape]:
        """What masses were found from, as a veil."""
        held = [replace(visual, color=visual.color or VEIL) for visual in visuals if visual.is_mass]
        return self.shapes(held)

    def shapes(self, visuals: Sequence[Visual]) -> list[DrawnShape]:
        return [shape for visual in visuals if self._is_drawn(visual) for shape in self._of(visual)]

    def _of(self, visual: Visual) -> list[DrawnShape]:
        match visual.shape:
            case BoxShape(size):
                return [_painted(box(visual.placement, size, "visual"), visual.color)]
            case CylinderShape(radius, length):
                return [_painted(cylinder(visual.placement, radius, length, "visual"), visual.color)]
            case BallShape(radius):
                shape = ball(np.zeros(3), radius, "visual") | {"T": flat(visual.placement)}
                return [_painted(shape, visual.color)]
            case MeshShape(_, path, scale):
                assert path is not None
                placed = {"role": "visual", "kind": "mesh", "T": flat(visual.placement), "scale": [*scale]}
                parts: list[Triangles] = self.read[path]
                return [
                    _painted({**placed, "mesh": self.first[path] + k}, visual.color or part.color)
                    for k, part in enumerate(parts)
                ]


def _painted(shape: DrawnShape, color: tuple[float, float, float, float] | None) -> DrawnShape:
    if color is None:
        return {**shape, "color": None}
    return {**shape, "color": "#" + "".join(f"{round(255 * c):02x}" for c in color[:3]), "opacity": color[3]}
