"""What a path and a trajectory are to each other, to timing and to whoever samples them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from torsor.model.transforms import Floats


class Along(NamedTuple):
    """A joint path at parameters s: q and its exact derivatives by s, each (len(s), n)."""

    q: Floats
    dq: Floats
    ddq: Floats
    dddq: Floats


class Path(Protocol):
    """A smooth path in joints. ``length`` is the range of its parameter, from 0; its unit is the path's own."""

    @property
    def length(self) -> float: ...

    def at(self, s: Floats) -> Along: ...


class Motion(NamedTuple):
    """A trajectory at times t: positions and their exact derivatives by time, each (len(t), n)."""

    q: Floats
    qd: Floats
    qdd: Floats
    qddd: Floats


class Trajectory(Protocol):
    """Joints as a function of time, from 0 to ``duration``."""

    @property
    def duration(self) -> float: ...

    def at(self, t: Floats) -> Motion: ...
