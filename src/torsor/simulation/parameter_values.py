"""Numbers that stay during a run and may differ between rollouts: gains, references, payload, friction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra import node
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.model.mass import Mass
from torsor.model.transforms import Floats
from torsor.simulation.described_arm import FRICTION, GRASPED, HUGE, PAYLOAD, grasped
from torsor.simulation.plant import Plant


def parameter(name: str, shape: int | tuple[int, ...] = ()) -> Any:
    """A number, or an array of them, to write a law with; ``simulate(..., parameters={name: values})`` gives it values.

    >>> import numpy as np, torsor
    >>> arm, Kp = torsor.load("planar2"), parameter("Kp")
    >>> law = lambda t, q, qd: arm.gravity(q) - Kp * q - 20.0 * qd
    >>> runs = torsor.simulate(arm, law, q0=[0.5, -0.2], until=0.5, parameters={"Kp": np.linspace(20, 80, 8)})
    >>> runs.q.shape
    (8, 501, 2)
    """
    if not name.isidentifier() or name in (PAYLOAD, GRASPED, FRICTION):
        raise ShapeError(f"a parameter cannot be called {name!r}", hint="a word of its own, such as Kp")
    return node.parameter(name) if shape == () else node.parameters(name, shape)


Changes = Mapping[int, Mapping[str, float]]  # by step: numbers that hold from there on
Schedule = Mapping[str, tuple[ArrayLike, ArrayLike]]  # by name: times (k,) and the values (k, ...) from then on


Payloads = ArrayLike | Mass | Sequence[tuple[float, float | Mass]]  # what is held, or pairs (time, what is held)


def with_bodies(parameters: Mapping[str, Any]) -> dict[str, ArrayLike]:
    """Parameters with the bodies that are held, one for all rollouts or one for each, as numbers."""
    found, held = dict(parameters), parameters.get(PAYLOAD)
    if isinstance(held, Mass):
        del found[PAYLOAD]
        found[GRASPED] = grasped(held)
    elif isinstance(held, list | tuple) and any(isinstance(each, Mass) for each in held):
        del found[PAYLOAD]
        found[GRASPED] = np.array([grasped(_body(each)) for each in held])
    return found


def _is_listed(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _body(held: Any) -> Mass:
    """A mass alone is a point."""
    return held if isinstance(held, Mass) else Mass(float(held), np.zeros(3), np.zeros((3, 3)))


def _held_over_time(payload: Any) -> tuple[Floats, Floats] | None:
    """Times and parameters of bodies, where some are given; before the first nothing is held."""
    if isinstance(payload, Mass):
        return np.zeros(1), grasped(payload)[None]
    pairs = list(payload) if _is_listed(payload) else []
    if not any(_is_listed(pair) and len(pair) == 2 and isinstance(pair[1], Mass) for pair in pairs):
        return None
    try:
        times = np.array([float(time) for time, _ in pairs])
        rows = np.array([grasped(_body(held)) for _, held in pairs])
    except (TypeError, ValueError):
        raise ShapeError(
            f"payload is {payload!r:.60}", hint="pairs (time, torsor.model.Mass) with rising times"
        ) from None
    if not (times >= 0.0).all() or not (np.diff(times) > 0.0).all():
        raise ShapeError(f"payload changes at {times.tolist()}", hint="rising times, from 0 on")
    if times[0] > 0.0:
        times, rows = np.append(0.0, times), np.vstack([np.zeros((1, 10)), rows])
    return times, rows


def with_payload(schedule: Schedule, payload: Payloads | None) -> Schedule:
    """What the tool holds, one or pairs (time, mass or body), beside what else changes on the way."""
    if payload is None:
        return schedule
    bodies = _held_over_time(payload)
    if bodies is not None:
        return {**schedule, GRASPED: bodies}
    hint = f"a mass in kg, or pairs (time, mass) with rising times; zero or more, below {HUGE:g}"
    wrong = ShapeError(f"payload is {payload!r:.60}", hint=hint)
    try:
        pairs = np.asarray(payload, dtype=np.float64)
    except (TypeError, ValueError):
        raise wrong from None
    if pairs.ndim == 0:
        pairs = np.array([[0.0, float(pairs)]])
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        hint += "; for each rollout: parameters={'payload': masses}"
        raise ShapeError(f"payload has shape {pairs.shape}", hint=hint)
    if not (pairs >= 0.0).all() or not (pairs < HUGE).all() or (np.diff(pairs[:, 0]) <= 0.0).any():
        raise wrong
    if pairs[0, 0] > 0.0:
        pairs = np.vstack([np.zeros((1, 2)), pairs])
    return {**schedule, PAYLOAD: (pairs[:, 0], pairs[:, 1])}


def at_first(schedule: Schedule) -> dict[str, ArrayLike]:
    """The values that a run begins with."""
    first = {}
    for name, (times, values) in schedule.items():
        t, rows = np.asarray(times, dtype=np.float64), np.asarray(values, dtype=np.float64)
        if t.ndim != 1 or rows.shape[:1] != t.shape or not len(t) or t[0] != 0.0 or (np.diff(t) <= 0.0).any():
            hint = "times (k,) that rise from 0, and values (k, ...)"
            raise ShapeError(f"the schedule of {name} has shapes {t.shape} and {rows.shape}", hint=hint)
        if not np.isfinite(t).all() or not np.isfinite(rows).all():
            raise ShapeError(f"the schedule of {name} holds something that is no number")
        first[name] = rows[0]
    return first


@dataclass(frozen=True, eq=False)
class ParameterValues:
    """All parameters of a plant in a row (P,), or (N, P)."""

    named: Mapping[str, Floats]
    flat: Floats
    names: tuple[str, ...]

    def of(self, lane: Any) -> Floats:
        """(P,), or (..., P) for some lanes."""
        return self.flat if self.flat.ndim == 1 else self.flat[lane]

    def along(self, time: Floats, changes: Changes, dt: float) -> Floats:
        """(times, P), or (N, times, P): with those that change."""
        rows = [self.flat, *self.after(changes).values()]
        begins = (np.array(sorted(changes)) - 0.5) * dt
        return np.stack(rows, axis=-2)[..., np.searchsorted(begins, time, side="right"), :]

    def after(self, changes: Changes, lane: int | None = None) -> dict[int, Floats]:
        """All parameters that hold from each step on, in the order of steps."""
        p, found = self.flat if lane is None else self.of(lane), {}
        for step in sorted(changes):
            p = p.copy()
            for name, value in changes[step].items():
                p[..., self.names.index(name)] = value
            found[step] = p
        return found

    def scheduled(self, schedule: Schedule, dt: float, steps: int) -> dict[int, dict[str, float]]:
        """What changes at which step, by the names of single numbers."""
        found: dict[int, dict[str, float]] = {}
        for name, (times, values) in schedule.items():
            columns = [(node, _index(node)) for node in self.names if _base(node) == name]
            for t, value in zip(np.asarray(times, dtype=np.float64).tolist(), np.asarray(values), strict=True):
                if 0 < round(t / dt) < steps:
                    found.setdefault(round(t / dt), {}).update({node: float(value[index]) for node, index in columns})
        return found


def values_of(plant: Plant, given: Mapping[str, ArrayLike]) -> ParameterValues:
    """Refuses what is missing, unknown, or of the wrong shape."""
    names = tuple(node.name for node in plant.parameters)
    groups = {_base(name): [own for own in names if _base(own) == _base(name)] for name in names}
    for name in given:
        if name not in groups:
            hint = did_you_mean(name, [*groups, PAYLOAD, FRICTION])
            raise Unsupported(f"nothing here has a parameter {name!r}", hint=hint)
    missing = ", ".join(name for name in groups if name not in given)
    if missing:
        raise ShapeError(f"the law has parameters without values: {missing}", hint="parameters={name: value}")
    named: dict[str, Floats] = {}
    columns: dict[str, Any] = {}
    count = None
    for name, numbers in groups.items():
        indices = [_index(number) for number in numbers]
        shape = tuple(np.max(indices, axis=0) + 1) if indices[0] else ()
        value = np.asarray(given[name], dtype=np.float64)
        extra = value.ndim - len(shape)
        if extra not in (0, 1) or any(a < b for a, b in zip(value.shape[extra:], shape, strict=True)):
            raise ShapeError(f"{name} has shape {value.shape}", hint=f"{shape} for all rollouts, or (N, ...) for each")
        if not np.isfinite(value).all() or (name in (PAYLOAD, FRICTION) and (value < 0.0).any()):
            raise ShapeError(f"{name} holds {value.min()}", hint="finite numbers; masses and friction zero or more")
        if name in (PAYLOAD, FRICTION) and not (value < HUGE).all():
            raise ShapeError(f"{name} holds {value.max():g}", hint=f"below {HUGE:g}")
        if extra and count not in (None, len(value)):
            text = f"{name} is for {len(value)} rollouts, another for {count}"
            raise ShapeError(text, hint="one number of rollouts")
        count = len(value) if extra else count
        named[name] = value
        last = np.moveaxis(value, 0, -1) if extra else value  # rollouts
        columns |= {number: last[index] for number, index in zip(numbers, indices, strict=True)}
    parts = [np.broadcast_to(columns[name], () if count is None else (count,)) for name in names]
    return ParameterValues(named, np.stack(parts, axis=-1) if parts else np.zeros(0), names)


def _base(name: str) -> str:
    return name.split("[")[0]


def _index(name: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", name[len(_base(name)) :]))
