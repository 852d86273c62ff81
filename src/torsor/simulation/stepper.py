"""What all ways of stepping share: a workspace, a loop over it, and how a state is put in and taken out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, less, maximum, select, sqrt
from torsor.emit.native_loop import Call, NativeLoop
from torsor.mechanics.loops import GUESS
from torsor.mechanics.newton import CLOSED
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats
from torsor.simulation.foreign import Foreign
from torsor.simulation.plant import Plant
from torsor.simulation.roots import crossing
from torsor.simulation.sampled import Controller
from torsor.simulation.workspace import Workspace

# Steps of Newton's method from where loops without a closed form were closed last to where they are asked for; kernels
# make one more. A joint that turns 0.05 rad in a step is then closed to rounding.
CLOSINGS = 3


class Stepper(ABC):
    """Steps of ``dt``. What is kept of a row are the first cells of the workspace: t, y, mode, u, a guess of loops.

    It holds nothing of a run: whatever a run remembers stands in its row of the workspace, so that one stepper serves
    many runs, and many threads.
    """

    many_lanes = True  # whether several rollouts can be stepped together
    variant = ""  # of its pages, where one way of stepping has several
    known = "closed"  # the cells of the guess that closes loops at the state that was reached

    def __init__(self, plant: Plant, dt: float, *, lanes: bool = False) -> None:
        self.plant, self.dt, self.lanes = plant, dt, lanes
        self.controller = None if plant.torque.sampled is None else Controller(plant, plant.torque.sampled, dt)
        kept = ("t", "y", "mode", "u", *(("closed",) if plant.guessed else ()))
        self.kept = kept[0], kept[-1]
        sizes = plant.sizes(*kept, "y0", "t0", "mode0", "dt", "halt", "steps", "g", "p", GUESS, "gap") | self.cells
        self.sizes = sizes | ({} if self.controller is None else self.controller.cells)
        self.space = Workspace(self.sizes)
        self.law: Foreign | None = None
        if plant.torque.kind == "called":
            self.law = Foreign("law", self._called, {"t": 1, "y": plant.size}, {"u": plant.inputs})
        self.loop: NativeLoop = self.make()

    @property
    @abstractmethod
    def cells(self) -> dict[str, int]:
        """What this way of stepping needs beside the rest."""

    @abstractmethod
    def make(self) -> NativeLoop:
        """The loop of one step."""

    def check(self, row: Floats) -> None:  # noqa: B027
        """Raises where a step did not come to its end."""

    # the parts of loops

    def call(self, kernel: Any, **renamed: str) -> Call:
        return self.space.call(kernel, **renamed)

    def page(
        self, function: Callable[..., dict[str, Any]], *more: str, name: str = "", general: bool = False, **renamed: str
    ) -> Call:
        """A call of a page whose arguments are cells of the workspace; those of ``more`` it takes by keyword.

        A ``general`` one is pure arithmetic, the same for all arms of one size.
        """
        taken = [word for word, each in signature(function).parameters.items() if each.kind is not each.VAR_KEYWORD]
        sizes = {word: self.sizes[renamed.get(word, word)] for word in (*taken, *more)}
        whole = f"{type(self).__name__}{self.variant}_{name or function.__name__.strip('_')}"
        return self.call(self.plant.kernel(whole, function, sizes, general=general), **renamed)

    def looped(
        self, *calls: Call, before: tuple[Call, ...] = (), after: tuple[Call, ...] = (), **options: Any
    ) -> NativeLoop:
        """The loop of these calls; a sampled controller ticks before them."""
        space, controller = self.space, self.controller
        given = (space.place["u"], self.plant.m if self.plant.torque.kind == "table" else 0)
        ticks: tuple[Call, ...] = ()
        if controller is not None:
            given, ticks = controller.given(space), (self.call(controller.kernel(), guess=self.known),)
        options = {"halt": None if self.lanes else space.place["halt"]} | options
        return NativeLoop(calls, given, space.span(*self.kept), before=(*ticks, *before), after=after, **options)

    def watch(self, t: str = "t", y: str = "y") -> tuple[Call, ...]:
        """After a step: loops closed where it ended, and whether something happened."""
        if self.lanes:
            return ()
        look = (*self.closings(y, GUESS), self.call(self.plant.watching, t=t, y=y))
        if not self.plant.guessed:
            return look
        return (*look, self.page(self._shut, general=True, closed=self.known, new_closed=self.known))

    def _shut(self, gap: Reals, halt: Reals, guess: Reals, closed: Reals) -> dict[str, Any]:
        """Goes on from here where loops close, and halts where they do not."""
        shut = less(gap[0], CLOSED**2)
        return {"new_halt": maximum(halt[0], 2.0 - 2.0 * shut), "new_closed": select(shut, guess, closed)}

    def known_at(self, t: str = "t", y: str = "y") -> tuple[Call, ...]:
        """Before a page is called at a state: its loops closed, and torques of a law that only runs in Python."""
        law = () if self.law is None else (self.call(self.law, t=t, y=y),)
        return (*self.closings(y, GUESS, CLOSINGS), *law)

    def closings(self, y: str = "y", to: str = "", count: int = CLOSINGS + 1) -> tuple[Call, ...]:
        """Loops without a closed form closed at a state, on from the state that was reached, into cells of a guess."""
        if not self.plant.guessed:
            return ()
        to = to or self.known
        starts = (self.known, *[to] * (count - 1))
        return tuple(self.call(self.plant.closing, y=y, guess=start, new_guess=to) for start in starts)

    def once(self, row: Floats, *calls: Call) -> None:
        """These calls alone."""
        replace(self.loop, calls=calls, before=(), after=(), again=None, given=(0, 0), halt=None).run(row, 1)

    def _called(self, t: Floats, y: Floats) -> Floats:
        return self.plant.torque.called(float(t[0]), *self.plant.joints(y))

    def advance(self, row: Floats, rows: int, given: Floats | None, inner: int) -> Floats:
        """Runs the loop; what was kept of complete rows."""
        return self.loop.run(row, rows, given=given, inner=inner)

    def bracket(self, row: Floats) -> tuple[float, Floats, float, Floats]:
        """Time and state before the last step, and after it."""
        at = self.space.at
        return float(at(row, "t0")[0]), at(row, "y0").copy(), float(at(row, "t")[0]), at(row, "y").copy()

    def jumped(self, row: Floats) -> None:  # noqa: B027
        """Parameters have changed between two steps."""

    def resume(self, row: Floats) -> None:
        """Goes on after a halt."""
        self.space.put(row, halt=0.0)

    def retaken(self, row: Floats, h: float) -> tuple[float, Floats, Floats]:
        """t, y and mode after a step of ``h`` from where the last step began: how events inside it are located."""
        again, at = row.copy(), self.space.at
        self.space.put(again, t=at(row, "t0"), dt=h)
        self.put(again, at(row, "y0"), at(row, "mode0"))
        ticks = 0 if self.controller is None else 1
        done = self.loop.after[: len(self.loop.after) - len(self.watch())]
        replace(self.loop, before=self.loop.before[ticks:], after=done, given=(0, 0), halt=None).run(again, 1)
        return float(at(again, "t")[0]), at(again, "y").copy(), at(again, "mode").copy()

    def located(
        self, row: Floats, numbers: Callable[[float, Floats], Floats], k: int, ends: tuple[Floats, Floats], whole: float
    ) -> float:
        """How long a step would be from where the last one began to where number ``k`` passes through zero."""
        before, after = (float(end[k]) for end in ends)
        return crossing(lambda h: float(numbers(*self.retaken(row, h)[:2])[k]), before, after, whole)

    # states in and out

    def start(self, y: Floats, mode: Floats, p: Floats, held: Floats | None, dt: float, end: float) -> Floats:
        """A workspace (width,), or (lanes, width) for states (lanes, size); steps of ``dt`` up to ``end``."""
        row = np.zeros((*y.shape[:-1], self.space.width))
        self.space.put(row, dt=dt, p=p, u=() if held is None else held, **{self.known: self.plant.guess(y)})
        if self.controller is not None:
            self.controller.start(self.space, row, y)
        self.put(row, y, mode)
        return row

    def put(self, row: Floats, y: Floats, mode: Floats) -> None:
        """A new state, and what it means to what is watched."""
        self.space.put(row, y=y, y0=y, mode=mode, mode0=mode, halt=0.0)
        if self.plant.guessed:
            self.once(row, *self.closings())
        if not self.lanes and self.plant.watch.thresholds:
            self.space.put(row, g=self.numbers(row, float(self.space.at(row, "t")[0]), y))

    def numbers(self, row: Floats, t: float, y: Floats) -> Floats:
        """What is watched, at a time and a state of the run in the row."""
        g, more = self.space.at(row, "g"), self.more(row, y)
        found: Floats = self.plant.watching.general(np.array([t]), y, g, np.zeros(1), *more)[0]
        return found

    def more(self, row: Floats, y: Floats) -> tuple[Floats, ...]:
        """What kernels take after all else at a state that is near to that of the run in the row."""
        p, guess = self.space.at(row, "p"), np.zeros(0)
        if self.plant.guessed:
            guess = self.space.at(row, self.known)
            for _ in range(CLOSINGS + 1):
                guess = self.plant.closing.general(y, *self.plant.more(p, guess))[0]
        return self.plant.more(p, guess)

    def end_at(self, row: Floats, t: float, y: Floats, mode: Floats) -> None:
        """What is kept last."""
        self.space.put(row, t=t, y=y, mode=mode)
        if self.plant.guessed:
            self.once(row, *self.closings(to="closed"))


class Staged(Stepper):
    """Runge-Kutta of fourth order: the cells that its stages go through."""

    # how far ahead the next point lies, the weight of this one, the time of the next
    STAGES = ((0.5, 1 / 6, 0.5), (0.5, 1 / 3, 0.5), (1.0, 1 / 3, 1.0), (0.0, 1 / 6, 1.0))

    @property
    def cells(self) -> dict[str, int]:
        return self.plant.sizes("ts", "ys", "ysum") | {f"stage{k}": 3 for k in range(4)}

    def put(self, row: Floats, y: Floats, mode: Floats) -> None:
        super().put(row, y, mode)
        stages = {f"stage{k}": stage for k, stage in enumerate(self.STAGES)}
        self.space.put(row, ys=y, ysum=y, ts=self.space.at(row, "t"), **stages)

    def ahead(self, t: Reals, y: Reals, ysum: Reals, ydot: Reals, h: Real, coefficients: Reals) -> dict[str, Any]:
        """What a stage leads to."""
        ahead, weight, following = coefficients
        new_ysum = ysum + (weight * h) * ydot
        return {"new_ys": y + (ahead * h) * ydot, "new_ysum": new_ysum, "new_ts": t + following * h}


def error_share(wrong: Reals, y: Reals, y1: Reals, tolerance: Real) -> Real:
    """Root mean square of what may be wrong over what may be; traced. Absolute below 1e-3, relative above."""
    total: Real = 0.0
    for i, each in enumerate(wrong):
        share = each / (tolerance * (1e-3 + maximum(absolute(y[i]), absolute(y1[i]))))
        total = total + share * share
    return sqrt(total * (1.0 / len(wrong)))
