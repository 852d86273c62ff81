"""Controllers as they are: sampled, late, with encoders that count steps and velocities found from differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, pi
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import equal, floor, less, select
from torsor.errors import ShapeError
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.simulation.plant import Plant
    from torsor.simulation.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Encoder:
    """What a controller sees of q: steps of ``resolution``, after normal noise of deviation ``noise``, in rad.

    Both are numbers or (n,). The noise follows from ``seed`` and the number of the sample alone.
    """

    resolution: ArrayLike = 0.0
    noise: ArrayLike = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for word, value in (("resolution", self.resolution), ("noise", self.noise)):
            array = np.asarray(value, dtype=np.float64)
            if not (array >= 0.0).all() or not np.isfinite(array).all() or array.ndim > 1:
                raise ShapeError(f"{word} of the encoder is {value}", hint="zero or more, in rad; one for each joint")
            object.__setattr__(self, word, tuple(array.tolist()) if array.ndim else float(array))
        if not 0 <= self.seed < 2**64:
            raise ShapeError(f"seed of the encoder is {self.seed}", hint="zero or more")


@dataclass(frozen=True)
class FilteredDifference:
    """Velocity as the difference of two samples over the period, behind a low pass of first order at ``cutoff`` Hz."""

    cutoff: float

    def __post_init__(self) -> None:
        if not 0.0 < self.cutoff < np.inf:
            raise ShapeError(f"cutoff is {self.cutoff}", hint="in Hz, above zero")


@dataclass(frozen=True, eq=False)
class Sampled:
    """A law that runs every ``period`` seconds and whose torques come ``delay`` seconds later and are then held.

    Until the first ones come, for ``delay`` seconds, the torques are ``before``: a number for all or (m,), zero without
    a word, as of amplifiers that wait for their first command. ``encoder`` and ``velocity`` say what it sees of q and
    qd; exactly these without a word. Its states, where the law has any, are stepped by Euler's rule at the period, as
    on a controller.

    >>> law = Sampled(lambda t, q, qd: -20 * q - 4 * qd, period=4e-3, delay=1e-3, velocity=FilteredDifference(40.0))
    """

    law: Callable[..., Any]
    period: float = 1e-3
    delay: float = 0.0
    encoder: Encoder | None = None
    velocity: FilteredDifference | None = None
    before: ArrayLike = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.period < np.inf or not 0.0 <= self.delay < np.inf:
            raise ShapeError(f"period is {self.period}, delay {self.delay}", hint="in s, the period above zero")
        array = np.asarray(self.before, dtype=np.float64)
        if not np.isfinite(array).all() or array.ndim > 1:
            raise ShapeError(f"torques before the first command are {self.before}", hint="in N m, finite; one a motor")
        object.__setattr__(self, "before", tuple(array.tolist()) if array.ndim else float(array))

    def __call__(self, *now: Any) -> Any:
        """The law itself, of what it is given."""
        return self.law(*now)


class Controller:
    """The cells of a sampled controller in a workspace, and its kernel, which is called before every step of ``dt``."""

    def __init__(self, plant: Plant, how: Sampled, dt: float) -> None:
        self.plant, self.how, self.k = plant, how, plant.torque.states
        self.encoder = how.encoder or Encoder()
        for word in ("resolution", "noise"):
            shape = np.shape(getattr(self.encoder, word))
            if shape not in ((), (plant.arm.n,)):
                hint = f"a number, or {plant.arm.n} of them"
                raise ShapeError(f"{word} of the encoder has shape {shape}", hint=hint)
        if np.shape(how.before) not in ((), (plant.m,)):
            text = f"torques before the first command have shape {np.shape(how.before)}"
            raise ShapeError(text, hint=f"a number, or {plant.m} of them")
        # steps in a period; whole periods of delay, and steps beyond them
        self.steps, late = _whole("period", how.period, dt), _whole("delay", how.delay, dt)
        if self.steps < 1:
            raise ShapeError(f"the period of {how.period} s is shorter than dt, {dt} s", hint="choose a smaller dt")
        self.periods, self.rest = divmod(late, self.steps)

    @property
    def cells(self) -> dict[str, int]:
        n, queue = self.plant.arm.n, (self.periods + 2) * self.plant.m
        return {"phase": 1, "ticks": 1, "seen": n, "slope": n, "xl": self.k, "queue": queue, "noise": n}

    def given(self, space: Workspace) -> tuple[int, int]:
        return space.place["noise"], self.plant.arm.n if self.noisy else 0

    @property
    def noisy(self) -> bool:
        return bool(np.any(np.asarray(self.encoder.noise) > 0.0))

    def noise(self, first: int, count: int, lane: int = 0) -> Floats:
        """Normal numbers (count, n) for steps from ``first`` on: the same however a run is cut into pieces."""
        n = self.plant.arm.n
        pairs = (n + 1) // 2
        blocks = -(-2 * pairs // 4)  # the generator counts in blocks of four numbers
        generator = np.random.Philox(key=np.array([self.encoder.seed, lane], dtype=np.uint64))
        generator.advance(first * blocks)
        uniform = np.random.Generator(generator).random((count, 4 * blocks))
        radius = np.sqrt(-2.0 * np.log1p(-uniform[:, :pairs]))
        angle = 2.0 * pi * uniform[:, pairs : 2 * pairs]
        normal = np.hstack([radius * np.cos(angle), radius * np.sin(angle)])[:, :n]
        return np.asarray(normal * np.broadcast_to(np.asarray(self.encoder.noise, dtype=np.float64), (n,)))

    def start(self, space: Workspace, row: Floats, y: Floats) -> None:
        q, qd, _ = self.plant.joints(y)
        waiting = np.tile(np.broadcast_to(np.asarray(self.how.before), (self.plant.m,)), self.periods + 2)
        space.put(row, seen=q, slope=qd, xl=self.plant.torque.initial(q, qd), queue=waiting)

    def kernel(self) -> Any:
        plant, how, m = self.plant, self.how, self.plant.m
        keep = 0.0 if how.velocity is None else exp(-2.0 * pi * how.velocity.cutoff * how.period)

        def page(
            t: Any, y: Any, u: Any, phase: Any, ticks: Any, seen: Any, slope: Any, xl: Any, queue: Any, noise: Any
        ) -> dict[str, Any]:
            q, qd, _ = plant.joints(y)
            now, first = equal(phase[0], 0.0), equal(ticks[0], 0.0)
            measured = self._measured(q, noise)
            difference = (measured - seen) * (1.0 / how.period)
            filtered = select(first, slope, keep * slope + (1.0 - keep) * difference)
            rates = qd if how.velocity is None else filtered
            both = plant.closed_at(measured, np.concatenate(plant.torque(t[0], measured, rates, xl)))
            asked, xdot = both[:m], both[m:]
            shifted = np.concatenate([asked, queue[:-m]])
            queued = np.asarray(select(now, shifted, queue))
            newer, older = queued[self.periods * m : (self.periods + 1) * m], queued[(self.periods + 1) * m :]
            due = select(less(phase[0], float(self.rest)), older, newer)
            following = select(less(phase[0], self.steps - 1.5), phase[0] + 1.0, 0.0)
            stepped = select(now, xl + how.period * np.asarray(xdot, dtype=object), xl) if self.k else []
            found = {"new_phase": following, "new_ticks": ticks + now, "new_xl": stepped, "new_queue": queued}
            found |= {"new_seen": select(now, measured, seen), "new_slope": select(now, rates, slope)}
            return found | {"new_u": due}

        sizes = plant.sizes("t", "y", "u") | self.cells
        return plant.kernel(f"tick_{self.steps}_{self.periods}_{self.rest}", page, sizes)

    def _measured(self, q: Any, noise: Any) -> Any:
        steps = np.broadcast_to(np.asarray(self.encoder.resolution, dtype=np.float64), (self.plant.arm.n,)).tolist()
        seen = zip(q + noise if self.noisy else q, steps, strict=True)
        return np.array([x if step == 0.0 else step * floor(x * (1.0 / step) + 0.5) for x, step in seen], dtype=object)


def _whole(word: str, seconds: float, dt: float) -> int:
    """Steps of dt in it."""
    count = seconds / dt
    if abs(count - round(count)) > 1e-6:
        raise ShapeError(f"the {word} of {seconds} s is no multiple of dt, {dt} s", hint="choose dt to fit")
    return round(count)
