"""Many motions at once: rows of different paths in one go.

A program of thousands of short moves is asked for a few points of each, and a call of NumPy costs the same for one as
for a hundred. So time laws are stacked, and paths of the same make, a row of numbers for each point; tool paths of the
same make are followed together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.motion.curves import STILL, Along, JointPath, Motion, Trajectory, chain_rule
from torsor.motion.paths.blends import PathCorner, ToolCorner, added_up, joined_ways
from torsor.motion.paths.chain import corrected
from torsor.motion.paths.following import Followed, between_nodes, with_derivatives
from torsor.motion.paths.tool_paths import Carried, Circle, Line
from torsor.motion.paths.trajectories import Joined, JointLine, TimedPath
from torsor.motion.time_laws.polynomials import Stacked

Which = NDArray[np.intp]  # of several, for each row
_STACKED = Line, Circle, ToolCorner, Carried, JointLine, PathCorner
_NAMES = {kind: tuple(each.name for each in fields(kind)) for kind in _STACKED}
_SHARED = str | bool  # what paths of one make have in common


class ManyMotions:
    """Trajectories, asked together: as asking each of them, but for rounding."""

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        parts = [list(_parts(trajectory)) for trajectory in trajectories]
        self._owner = np.repeat(np.arange(len(parts)), [len(each) for each in parts])
        self._starts = np.array([start for each in parts for start, _ in each])
        self._parts = [part for each in parts for _, part in each]

    def at(self, which: Which, t: Floats) -> Motion:
        """Positions and rates (k, n) of trajectories at times t (k,) of their own, ``which`` of them in each row."""
        part = self._part_at(which, t)
        t = np.clip(t - self._starts[part], 0.0, self._durations[part])
        timed, place, laws, paths = self._timed
        rows = np.flatnonzero(timed[part])
        found: list[tuple[Which, Sequence[Floats]]] = []
        if len(rows):
            own = place[part[rows]]
            s, *rates = laws.at(own, t[rows])
            q, *by_s = paths.at(own, np.clip(self._firsts[own] + s, 0.0, paths.lengths[own]))
            found.append((rows, (q, *chain_rule(by_s, rates))))
        for k, rows in _split(part, ~timed[part]):
            found.append((rows, self._parts[k].at(t[rows])))
        return Motion(*_put_together(found, len(t)))

    @cached_property
    def _durations(self) -> Floats:
        return np.array([part.duration for part in self._parts])

    @cached_property
    def _timed(self) -> tuple[NDArray[np.bool_], Which, Stacked, ManyPaths]:
        """Which parts are paths run through in time, the how manieth of these each is, their laws and their paths."""
        timed = np.array([isinstance(part, TimedPath) for part in self._parts], dtype=bool)
        own = [part for part in self._parts if isinstance(part, TimedPath)]
        self._firsts = np.array([part.first for part in own])
        return timed, np.cumsum(timed) - 1, Stacked([part.time_law for part in own]), ManyPaths([p.path for p in own])

    def _part_at(self, which: Which, t: Floats) -> Which:
        """The last part of each trajectory that begins no later than a time; its first part before."""
        count = len(self._parts)
        owner, time = np.concatenate([self._owner, which]), np.concatenate([self._starts, t])
        order = np.lexsort([np.arange(len(time)) >= count, time, owner])  # parts before the rows that they begin with
        found = np.empty(len(order), dtype=np.intp)
        found[order] = np.cumsum(order < count) - 1
        return np.maximum(found[count:], np.searchsorted(self._owner, which))


class ManyPaths:
    """Paths in joints, asked together."""

    def __init__(self, paths: Sequence[JointPath]) -> None:
        self.paths = paths
        self.lengths = np.array([path.length for path in paths])
        makes: dict[Hashable, list[int]] = {}
        for k, path in enumerate(paths):
            makes.setdefault(_make(path) or k, []).append(k)
        self._make, self._place = np.zeros(len(paths), dtype=np.intp), np.zeros(len(paths), dtype=np.intp)
        self._families: list[_Straight | _Corners | _Followed | None] = []
        for make, members in makes.items():
            self._make[members], self._place[members] = len(self._families), np.arange(len(members))
            own = [paths[k] for k in members]
            self._families.append(_family(make, own) if len(own) > 1 else None)

    def at(self, which: Which, s: Floats) -> Along:
        """Paths at parameters s (k,) of their own, ``which`` of them in each row."""
        found: list[tuple[Which, Sequence[Floats]]] = []
        for make, rows in _split(self._make[which]):
            family = self._families[make]
            together = None if family is None else family.at(self._place[which[rows]], s[rows])
            if together is not None:
                found.append((rows, together))
                continue
            for k, each in _split(which[rows]):  # whatever it is, or to be told which of them does not converge
                found.append((rows[each], self.paths[k].at(s[rows[each]])))
        return Along(*_put_together(found, len(s)))


def _family(make: Hashable, paths: Sequence[Any]) -> _Straight | _Corners | _Followed:
    if isinstance(paths[0], Followed):
        return _Followed(paths)
    return _Corners(paths) if make is PathCorner else _Straight(paths)


class _Straight:
    """Straight paths in joints, or corners of two of them."""

    def __init__(self, paths: Sequence[Any]) -> None:
        self.paths = stacked(paths)

    def at(self, which: Which, s: Floats) -> Along:
        return cast(Along, chosen(self.paths, which).at(s))


class _Corners:
    """Corners of any two paths."""

    def __init__(self, paths: Sequence[Any]) -> None:
        self.before, self.after = (ManyPaths([getattr(path, side) for path in paths]) for side in ("before", "after"))
        self.out, self.into = (np.array([getattr(path, share) for path in paths]) for share in ("out", "into"))
        self.joints = self.after.at(np.arange(len(paths)), np.zeros(len(paths))).q

    def at(self, which: Which, s: Floats) -> Along:
        ways = joined_ways(s, self.out[which], self.into[which])
        return added_up(_Each(self.before, which), _Each(self.after, which), *ways, self.joints[which])


class _Each:
    """Of some paths one for each parameter."""

    def __init__(self, paths: ManyPaths, which: Which) -> None:
        self.paths, self.which, self.length = paths, which, paths.lengths[which]

    def at(self, s: Floats) -> Along:
        return self.paths.at(self.which, s)


class _Followed:
    """Followed tool paths of one make."""

    def __init__(self, paths: Sequence[Any]) -> None:
        self.chain, self.free = paths[0].chain, paths[0].free
        self.tool = stacked([path.tool for path in paths])
        self.q, self.dq = (np.stack([getattr(path, name) for path in paths]) for name in ("q", "dq"))
        self.lengths = np.array([path.length for path in paths])

    def at(self, which: Which, s: Floats) -> Along | None:
        """None where Newton's method does not converge in one of the rows."""
        tool = chosen(self.tool, which).at(s)
        guess = between_nodes(s, self.lengths[which], self.q, self.dq, which)
        q, _, converged = corrected(self.chain, self.free, tool.T, guess)
        return with_derivatives(self.chain, self.free, q, tool) if converged else None


def stops(trajectory: Trajectory) -> bool:
    """Whether it may end at rest: false only of what is run through faster at its end than rounding is."""
    last = trajectory.parts[-1] if isinstance(trajectory, Joined) else trajectory
    if not isinstance(last, TimedPath):
        return True
    rate = last.time_law.at(last.duration)[1]
    return bool(rate * last.duration <= STILL * last.path.length)


def _parts(trajectory: Trajectory, start: float = 0.0) -> Iterator[tuple[float, Trajectory]]:
    """The trajectories that one is joined from, and when they begin."""
    if not isinstance(trajectory, Joined):
        yield start, trajectory
        return
    for part in trajectory.parts:
        yield from _parts(part, start)
        start += part.duration


def _split(which: Which, among: NDArray[np.bool_] | None = None) -> Iterator[tuple[int, Which]]:
    """Each that occurs ``among`` the rows, with its rows."""
    rows = np.arange(len(which)) if among is None else np.flatnonzero(among)
    order = rows[np.argsort(which[rows], kind="stable")]
    for each in np.split(order, np.flatnonzero(np.diff(which[order])) + 1) if len(order) else ():
        yield int(which[each[0]]), each


def _put_together(found: Sequence[tuple[Which, Sequence[Floats]]], count: int) -> Sequence[Floats]:
    """Columns (count, n) from those of rows."""
    if len(found) == 1:
        return found[0][1]  # of all rows, in order
    columns = np.empty((4, count, found[0][1][0].shape[1] if found else 0))
    for rows, own in found:
        columns[:, rows] = own
    return list(columns)


def _make(path: JointPath) -> Hashable:
    """What paths that are followed together have in common; None of one that is asked alone."""
    if not isinstance(path, Followed):
        return make_of_numbers(path) or (PathCorner if isinstance(path, PathCorner) else None)
    if path.make is None:
        tool = make_of_numbers(path.tool)
        path.make = path if tool is None else (path.chain, str(path.free), len(path.nodes), tool)
    return path.make


def make_of_numbers(path: Any) -> Hashable:
    """What paths that can be stacked have in common; None of one that cannot."""
    if not isinstance(path, _STACKED):
        return None
    make: list[Any] = [type(path)]
    for name in _NAMES[type(path)]:
        value = getattr(path, name)
        if isinstance(value, np.ndarray | float):
            continue
        if hasattr(value, "at"):
            part = make_of_numbers(value)
            if part is None:
                return None
            make.append(part)
        elif isinstance(value, _SHARED):
            make.append(value)
    return tuple(make)


def stacked(paths: Sequence[Any]) -> Any:
    """Paths of one make as one, whose numbers have a row for each."""
    rows: dict[str, Any] = {}
    for name in _NAMES[type(paths[0])]:
        values = [getattr(path, name) for path in paths]
        if isinstance(values[0], _STACKED):
            rows[name] = stacked(values)
        elif not isinstance(values[0], _SHARED):
            rows[name] = np.array(values)
    return replace(paths[0], **rows)


def chosen(path: Any, which: Which) -> Any:
    """Stacked paths as one, whose numbers have a row for each of ``which``."""
    numbers = {name: getattr(path, name) for name in _NAMES[type(path)]}
    rows = {
        name: chosen(value, which) if isinstance(value, _STACKED) else value[which]
        for name, value in numbers.items()
        if not isinstance(value, _SHARED)
    }
    return replace(path, **rows)
