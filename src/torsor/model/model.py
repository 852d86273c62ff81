"""What an arm is: an immutable tree of links, checked once when it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from html import escape
from types import MappingProxyType

import numpy as np

from torsor.errors import MissingInertia, ModelError, did_you_mean
from torsor.model.arm_checks import check
from torsor.model.file_mark import FileMark
from torsor.model.immutable import Immutable
from torsor.model.mass import Mass
from torsor.model.parts import BASE, Drive, Frame, Link, Loop, ToolLimits, Visual
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Model(Immutable):
    """An arm as data. Links come in the order of the file, which is the order of q; parents may follow children.

    Poses are T_a_b, gravity is in world axes, ``base`` is T_world_base. Frames other than links and tool have names of
    their own in ``frames``.
    """

    name: str
    links: tuple[Link, ...]
    tool: Frame
    gravity: Floats = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))
    base: Floats = field(default_factory=lambda: np.eye(4))
    base_name: str = "base"
    base_mass: Mass | None = None
    payload: Mass | None = None  # in the tool frame
    tool_limits: ToolLimits = field(default_factory=ToolLimits)
    frames: Mapping[str, Frame] = field(default_factory=dict)
    drives: tuple[Drive, ...] = ()
    loops: tuple[Loop, ...] = ()
    convention: str = "placements"
    source: str = ""
    corrections: tuple[str, ...] = ()
    allow_nonphysical: bool = False
    base_visuals: tuple[Visual, ...] = ()
    base_collisions: tuple[Visual, ...] = ()
    remarks: tuple[str, ...] = field(default=(), compare=False)  # what was said when it was read
    read_from: FileMark | None = field(default=None, compare=False)  # what computes does not depend on it

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "frames", MappingProxyType(dict(self.frames)))
        check(self)

    def __reduce__(self) -> tuple[type[Model], tuple[object, ...]]:
        known = vars(self) | {"frames": dict(self.frames)}  # a view of a dict cannot go into a pickle
        return type(self), tuple(known[f.name] for f in fields(self))

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """The joints of q: those that move and follow no other, in file order."""
        return tuple(link.joint.name for link in self.independent)

    @property
    def n(self) -> int:
        return len(self.joint_names)

    @cached_property
    def independent(self) -> tuple[Link, ...]:
        """The links whose joints make up q."""
        return tuple(link for link in self.links if link.joint.moves and link.joint.mimic is None)

    def links_on(self, joints: Iterable[str]) -> tuple[Link, ...]:
        """The links on the joints of these names."""
        by_name = {link.joint.name: link for link in self.links}
        return tuple(by_name[name] for name in joints)

    @cached_property
    def kinds(self) -> str:
        """A letter for each joint of q: R turns, P slides, H is a screw."""
        letter = {"revolute": "R", "continuous": "R", "prismatic": "P", "screw": "H"}
        return "".join(letter[link.joint.kind] for link in self.independent)

    def link_index(self, name: str) -> int:
        """Index of a link by name, BASE for the base."""
        known = [self.base_name, *(link.name for link in self.links)]
        if name not in known:
            raise ModelError(f"arm {self.name!r} has no link {name!r}", hint=did_you_mean(name, known))
        return BASE + known.index(name)

    def link_name(self, index: int) -> str:
        """Name of a link by index, also of the base."""
        return self.base_name if index == BASE else self.links[index].name

    def children(self, index: int) -> tuple[int, ...]:
        return tuple(i for i, link in enumerate(self.links) if link.parent == index)

    def moving(self, index: int) -> bool:
        """Whether a link moves against the base."""
        while index != BASE:
            if self.links[index].joint.moves:
                return True
            index = self.links[index].parent
        return False

    @cached_property
    def links_without_inertia(self) -> tuple[str, ...]:
        """Links on a moving joint of which, with all that is fixed to them, the description gives no mass.

        On a fixed joint a link without mass is just a named frame.
        """
        weighed: set[int] = set()
        for index, link in enumerate(self.links):
            at = index if link.mass is not None else BASE
            while at != BASE and at not in weighed:
                weighed.add(at)
                at = BASE if self.links[at].joint.moves else self.links[at].parent
        return tuple(link.name for i, link in enumerate(self.links) if i not in weighed and link.joint.moves)

    def require_inertia(self) -> None:
        if self.links_without_inertia:
            names = ", ".join(map(repr, self.links_without_inertia))
            hint = "add its mass and inertia to the description; kinematics work without"
            raise MissingInertia(f"dynamics of {self.name!r} need the inertia of link {names}", hint=hint)

    @cached_property
    def total_mass(self) -> float:
        """Mass of all that moves, payload included."""
        bodies = [link.mass.mass for i, link in enumerate(self.links) if link.mass is not None and self.moving(i)]
        return sum(bodies) + (self.payload.mass if self.payload is not None else 0.0)

    def nonphysical(self) -> dict[str, list[str]]:
        """Per link (and "the payload"), what no real body could have; empty for physical data."""
        bodies = {"the payload": self.payload} | {link.name: link.mass for link in self.links}
        found = {name: list(mass.impossibilities()) for name, mass in bodies.items() if mass is not None}
        return {name: problems for name, problems in found.items() if problems}

    def __repr__(self) -> str:
        loops = f", {len(self.loops)} loop{'s' * (len(self.loops) > 1)}" if self.loops else ""
        drives = f", {len(self.drives)} drives" if self.drives else ""
        size = f"{self.n} joints {self.kinds}, {len(self.links)} links, {self.total_mass:.6g} kg"
        return f"<Model {self.name}: {size}{drives}{loops}>"

    def _repr_html_(self) -> str:
        rows = [("th", "link", "parent", "joint", "kind", "mass [kg]", "com [m]")]
        for link in self.links:
            m = link.mass
            mass, com = ("", "") if m is None else (f"{m.mass:g}", ", ".join(f"{x:g}" for x in m.com))
            rows.append(("td", link.name, self.link_name(link.parent), link.joint.name, link.joint.kind, mass, com))
        cells = ("".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, *row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><caption>{escape(repr(self))}</caption>{body}</table>"
