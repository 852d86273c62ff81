"""An arm under torques, ready to be stepped: its right-hand side as a page, and kernels traced from it.

The state y is z, zd and the states x of the law. z are the coordinates in which friction sticks (``coordinates.py``):
the joints themselves where no dry friction acts, and of an elastic arm what springs and bends after them. Laws, events
and limits see the joints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from inspect import signature
from typing import Any

import numpy as np

from torsor.algebra import Node, substitute, symbols
from torsor.algebra.functions import absolute, less, maximum, minimum
from torsor.arm import Arm
from torsor.drives.drives import Drives
from torsor.drives.friction import require_reversible, stacked
from torsor.drives.pages import Mechanism, row_of
from torsor.elastic.coupled_equations import coupled_equations
from torsor.emit import Kernel
from torsor.emit.page import Page
from torsor.errors import Unsupported
from torsor.mechanics.asking import require_invertible
from torsor.mechanics.canonical import regrouped
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.equations_of_motion import EquationsOfMotion
from torsor.mechanics.formulations import formulations_of
from torsor.mechanics.loops import GUESS
from torsor.mechanics.newton import CLOSED
from torsor.mechanics.regressor import with_parameters
from torsor.mechanics.tree import Real, Reals, Tree
from torsor.model.limits import position_limits
from torsor.model.transforms import Floats
from torsor.simulation import described_arm as described
from torsor.simulation.coordinates import Coordinates, coordinates_of, is_dry
from torsor.simulation.described_arm import HeldAs, described_for
from torsor.simulation.dynamics import Moment, moment
from torsor.simulation.events import Watch
from torsor.simulation.recorded import Recorded, parameters_in, recording_at
from torsor.simulation.setting import Setting
from torsor.simulation.surroundings import Buffers
from torsor.simulation.torque_limits import least_and_most
from torsor.simulation.torques import Torque

PageFunction = Callable[..., dict[str, Any]]


FASTEST, FARTHEST = 1e6, 1e9  # beyond which rates and positions are no motion: rad/s and rad


@dataclass(frozen=True, eq=False)
class RightSide:
    """What holds at one moment: ydot, the torques asked for and given, and of each element of dry friction ..."""

    ydot: Reals
    asked: Reals
    given: Reals
    moment: Moment | None = None  # ... whether it breaks away or sticks


def compiled(page: PageFunction) -> cached_property[Kernel]:
    """A method of a plant that is a page, as the kernel of that page, made when it is first asked for."""
    return cached_property(lambda plant: plant.page(page.__name__, partial(page, plant)).kernel)


class Plant:
    """``payload`` and ``friction``: what the tool holds, and a factor of all friction, are parameters of the run."""

    def __init__(
        self, arm: Arm, torque: Torque, watch: Watch, setting: Setting, wrench: Recorded | None,
        inertia: Recorded | None, *, payload: HeldAs | None, friction: bool,
    ) -> None:  # fmt: skip
        self.arm, self.torque, self.watch, self.setting, self._wrench = arm, torque, watch, setting, wrench
        self.inertia, self.payload, self.friction = inertia, payload, friction
        own = described_for(arm.model, setting)
        if payload:  # a parameter takes the place of what the arm holds
            own = replace(own, payload=None)
        self.drives = Drives(described.direct(own))
        self.model = self.drives.model  # of an arm with loops in its free joints
        self.is_direct = not own.drives and not self.drives.contacts  # torques act at the joints themselves
        self.model.require_inertia()
        self.elastic = coupled_equations(arm.elastic, own) if setting.elastic else None
        if self.elastic is None:
            require_invertible(self.drives.trees().plain)
        require_reversible(self.drives.contacts)
        if self.has_multipliers and any(is_dry(contact) for contact in self.drives.contacts):
            text = f"{arm.name!r} has loops, links that bend and dry friction, which sticks"
            raise Unsupported(text, hint="two of them go together: drives=False leaves friction out, or elastic=False")
        changed = payload is not None or inertia is not None
        described.require_described(setting, changed, inertia is not None, direct=self.is_direct)
        self.n = self.trees[0].n
        self.m, self.k = len(self.model.drives), torque.states if torque.kind != "sampled" else 0
        self.size = 2 * self.n + self.k  # of the state y
        # numbers that the right-hand side takes beside the state: torques, and rates of a law that is called
        self.inputs = self.m + (self.k if torque.kind == "called" else 0)
        given = setting.gravity
        self.gravity = self.trees[0].gravity if given is None else np.array(given) @ arm.model.base[:3, :3]
        self._made: dict[str, Kernel] = {}

    @property
    def many(self) -> int:
        """How many elements of dry friction there are."""
        return len(self.coordinates.elements)

    @property
    def has_multipliers(self) -> bool:
        """Whether loops restrict the coordinates: of an elastic arm that has some."""
        return self.elastic is not None and self.elastic.multipliers > 0

    @property
    def bends_from(self) -> int:
        """Which of all coordinates is the first spring or mode."""
        return self.n if self.elastic is None else self.elastic.bends_from

    @property
    def has_slopes(self) -> bool:
        """Whether the right-hand side can be differentiated: no dry friction, no law that is called."""
        return not self.many and self.torque.kind != "called"

    @cached_property
    def coordinates(self) -> Coordinates:
        return coordinates_of(self.mechanism.gearing, self.drives.contacts)

    @cached_property
    def trees(self) -> tuple[EquationsOfMotion, EquationsOfMotion]:
        """As described, and the one that costs least; the mass at the tool is a symbol where it is a parameter."""
        if self.elastic is not None:
            bending = self.elastic.changed(self._loaded) if self.payload else self.elastic
            return bending, bending
        both = self.drives.trees()
        plain, lean = both.plain, both.lean
        if self.is_direct:
            plain, lean = (tree.changed(lambda t: replace(t, rotors=())) for tree in (plain, lean))
        if self.inertia is None and not self.payload:
            return plain, lean
        return plain.changed(self._loaded), lean.changed(lambda tree: regrouped(self._loaded(tree)))

    def _loaded(self, tree: Tree) -> Tree:
        """With the bodies and the mass at the tool that parameters say."""
        if self.inertia is not None:
            tree = with_parameters(tree, self.inertia.outputs)
        return described.holding(tree, self.arm.model, self.payload) if self.payload else tree

    @cached_property
    def parameters(self) -> tuple[Node, ...]:
        """All that stays during a run and may differ between rollouts."""
        own = described.own_parameters(self.payload, friction=self.friction)
        for graph in (self.torque.graph, self._wrench, self.watch.numbers, self.inertia):
            own |= {} if graph is None else {node.name: node for node in parameters_in(graph.outputs)}
        return tuple(own.values())

    @cached_property
    def taken(self) -> dict[str, Reals]:
        """What pages take beside all else: where Newton's method, which closes some loops, starts."""
        return self.trees[0].taken()

    @property
    def guessed(self) -> int:
        """How many joints of the tree are found by it."""
        return sum(len(each) for each in self.taken.values())

    def guess(self, y: Floats) -> Floats:
        """(..., guessed): these joints at states (..., size), found on from the reference posture."""
        return self.arm.closure.guess(self.joints(y)[0]) if self.guessed else np.zeros((*y.shape[:-1], 0))

    def closed_at(self, q: Reals, values: Reals) -> Reals:
        """Values that take loops for closed at other joints q, near to those at which they are; traced."""
        for known in self.taken.values():
            once = self.trees[0].closing(q, known)[0]
            values = substitute(values, dict(zip(known, self.trees[0].closing(q, once)[0], strict=True)))
        return values

    def more(self, p: Floats, guess: Floats) -> tuple[Floats, ...]:
        """What kernels take after all else: parameters, and the guess of loops."""
        return ((p,) if self.parameters else ()) + ((guess,) if self.guessed else ())

    def moving(self, y: Reals) -> tuple[Reals, Reals, Reals]:
        """All coordinates, joints first, their rates, and the law's states, of states (..., size)."""
        n = self.n
        z, zd, x = y[..., :n], y[..., n : 2 * n], y[..., 2 * n : self.size]
        if not self.many:
            return z, zd, x
        B = self.coordinates.B
        return (B * z[..., None, :]).sum(axis=-1), (B * zd[..., None, :]).sum(axis=-1), x

    def joints(self, y: Reals) -> tuple[Reals, Reals, Reals]:
        """q, qd and the law's states."""
        c, cd, x = self.moving(y)
        return c[..., : self.arm.n], cd[..., : self.arm.n], x

    def state(self, c: Floats, cd: Floats, x: Floats) -> Floats:
        """(..., size): the other way, from all coordinates."""
        if self.many:
            c, cd = c @ self.coordinates.T.T, cd @ self.coordinates.T.T
        return np.concatenate([c, cd, x], axis=-1)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all coordinates."""
        return self.arm.joint_names if self.elastic is None else self.elastic.names

    def rates(self, t: Real, y: Reals, mode: Reals, u: Reals) -> RightSide:
        """The right-hand side. ``u`` is what torques are where no law is traced into it."""
        n = self.n
        c, cd, _ = self.moving(y)
        if not self.many:
            tau, wrench, xdot, asked, given = self.pushed(t, y, u)
            return RightSide(np.concatenate([cd, self._forward(c, cd, tau, wrench), xdot]), asked, given)
        asked, given, xdot = self.torques(t, y, u)
        now = moment(
            self.mechanism, self.coordinates, y[:n], y[n : 2 * n], mode, given, self.gravity, self.wrench(t, c, cd),
            extra=self._buffered(c, cd), factor=self._friction_factor,
        )  # fmt: skip
        return RightSide(np.concatenate([y[n : 2 * n], now.zdd, xdot]), asked, given, now)

    def torques(self, t: Real, y: Reals, u: Reals) -> tuple[Reals, Reals, Reals]:
        """Asked for, given, and the rates of the law's states."""
        q, qd, x = self.joints(y)
        if self.torque.kind == "traced":
            asked, xdot = self.torque(t, q, qd, x)
        else:  # what was given, and after it the rates of a law that is called
            asked, xdot = u[: self.m], u[self.m :]
        if self.setting.torques == "joint" and not self.is_direct:
            asked = self.drives.gearing.to_motors(q, asked)
        return asked, self.limited(q, qd, asked) if self.setting.saturation else asked, xdot

    def pushed(self, t: Real, y: Reals, u: Reals) -> tuple[Reals, Reals | None, Reals, Reals, Reals]:
        """Without dry friction: joint torques of all origin, the wrench at the tool, xdot, torques asked and given."""
        c, cd, _ = self.moving(y)
        asked, given, xdot = self.torques(t, y, u)
        at, extra = self.mechanism.gearing, self._buffered(c, cd)
        if self.is_direct:
            tau = self._widened(given)
        else:
            tau, N, turning = at.to_joints(c, given), at.slopes(c), at.rates(c, cd)
            for contact in self.drives.contacts:
                viscous = self._friction_factor * contact.law.viscous
                tau = tau - row_of(contact, N, self.n) * (viscous * contact.pick(turning, cd))
        return tau if extra is None else tau + extra, self.wrench(t, c, cd), xdot, asked, given

    def _widened(self, of_joints: Reals) -> Reals:
        """Torques of the joints as those of all coordinates: nothing acts on springs and shapes from outside."""
        return np.concatenate([of_joints, np.zeros(self.n - self.arm.n)]) if self.elastic is not None else of_joints

    @property
    def _friction_factor(self) -> Real:
        return described.friction_factor() if self.friction else 1.0

    def mass(self, c: Reals) -> Reals:
        """M (n, n), with the rotors."""
        return self.trees[1].mass_matrix(c)

    def resisting(self, c: Reals, cd: Reals, cdd: Reals, wrench: Reals | None) -> Reals:
        """M qdd + C qd + g - J^T wrench, of all coordinates."""
        return self.trees[1].inverse_dynamics(c, cd, cdd, self.gravity, wrench)

    @compiled
    def moments(self, t: Reals, y: Reals, mode: Reals, u: Reals) -> dict[str, Any]:
        """Of `rates`: ydot, torques asked and given, and of each element of dry friction its pushes."""
        now = self.rates(t[0], y, mode, u)
        found = {"ydot": now.ydot, "asked": now.asked, "given": now.given}
        if now.moment is not None:
            found |= {"push": now.moment.push, "excess": now.moment.excess, "back": now.moment.back}
        return found

    @compiled
    def closing(self, y: Reals) -> dict[str, Any]:
        """Of loops without a closed form: a guess brought nearer to where they close, and squares of what it left."""
        guess, left = self.trees[0].closing(self.joints(y)[0], self.taken[GUESS])
        return {"new_guess": guess, "new_gap": left}

    @compiled
    def watching(self, t: Reals, y: Reals, g: Reals, steps: Reals) -> dict[str, Any]:
        """The numbers that are watched, and whether one has passed through zero or the state is no motion."""
        q, qd, _ = self.joints(y)
        numbers, halt = self.watch.traced(t[0], q, qd, g)
        sane: Real = 1.0
        for i in range(self.n):
            sane = sane * less(absolute(y[i]), FARTHEST) * less(absolute(y[self.n + i]), FASTEST)
        x = self.joints(y)[2] if self.k else np.zeros(self.torque.states)  # those of a sampled law are its own
        seen = (self.torque.graph, (q, qd, x)), (self._wrench, self.moving(y)[:2]), (self.watch.numbers, (q, qd))
        for graph, state in seen:
            for left in () if graph is None else graph.left_open(t[0], *state):
                sane = sane * less(left, CLOSED**2)
        return {"new_g": numbers, "new_halt": maximum(halt, 2.0 - 2.0 * sane), "new_steps": steps + 1.0}

    @compiled
    def energies(self, y: Reals) -> dict[str, Any]:
        """Kinetic, potential, and what of that is strain, (1,) each."""
        c, cd, _ = self.moving(y)
        kinetic, potential = self.trees[0].energy(c, cd, self.gravity)
        strain = np.zeros(1) if self.elastic is None else self.elastic.strain_energy(c)
        return {"kinetic": kinetic, "potential": potential, "strain": strain}

    @cached_property
    def mechanism(self) -> Mechanism:
        gearing = replace(self.drives.gearing, more=self.n - self.arm.n)
        return Mechanism(self.trees[1], gearing, self.drives.contacts)

    def _forward(self, q: Reals, qd: Reals, tau: Reals, wrench: Reals | None) -> Reals:
        """By a formulation; from its inverse dynamics, column by column of M, where it has no forward dynamics."""
        by = self.setting.by
        if by is None:
            return self.trees[1].forward_dynamics(q, qd, tau, self.gravity, wrench)
        # methods of the arm take gravity in world axes
        given = {"by": by, "wrench": wrench, "gravity": self.setting.gravity}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        with recording_at(self.arm, q):
            if by in formulations_of("forward_dynamics"):
                return np.asarray(self.arm.forward_dynamics(q, qd, tau, **options))
            still, still3 = np.zeros(self.n), np.zeros(3)
            columns = [self.arm.inverse_dynamics(q, still, unit, by=by, gravity=still3) for unit in np.eye(self.n)]
            h = self.arm.inverse_dynamics(q, qd, still, **options)
        return solve_dense(np.stack(columns, axis=-1), tau - h)

    @property
    def has_wrench(self) -> bool:
        """Whether something acts on the tool."""
        return self._wrench is not None

    def wrench(self, t: Real, c: Reals, cd: Reals) -> Reals | None:
        """On the tool, which is where all coordinates have it."""
        return None if self._wrench is None else self._wrench(t, c, cd)

    def _torque_bounds(self, q: Reals, qd: Reals) -> list[tuple[Any, Any] | None]:
        return least_and_most(self.arm, None if self.is_direct else self.drives, q, qd)

    def limited(self, q: Reals, qd: Reals, u: Reals) -> Reals:
        """Torques within what motors give at their speed, or within what the joints' own limits say."""
        limits = enumerate(self._torque_bounds(q, qd))
        return stacked([u[k] if b is None else minimum(maximum(u[k], b[0]), b[1]) for k, b in limits])

    @property
    def limits_torques(self) -> bool:
        """Whether motors may give less than they are asked for."""
        still = np.zeros(self.arm.n)
        return self.setting.saturation and any(b is not None for b in self._torque_bounds(still, still))

    @cached_property
    def without_limits(self) -> Plant:
        """The same with motors that give whatever they are asked for."""
        setting = replace(self.setting, saturation=False)
        parts = self.arm, self.torque, self.watch, setting, self._wrench, self.inertia
        return Plant(*parts, payload=self.payload, friction=self.friction)

    @cached_property
    def position_limits(self) -> tuple[Floats, Floats]:
        """Of the joints, infinite where there is none."""
        return position_limits(self.arm.model.links_on(self.arm.joint_names))

    def _buffered(self, c: Reals, cd: Reals) -> Reals | None:
        n, limits = self.arm.n, self.setting.limits
        if not isinstance(limits, Buffers):
            return None
        return self._widened(limits.torques(*self.position_limits, c[:n], cd[:n]))

    def kernel(self, name: str, function: PageFunction, sizes: Mapping[str, int], *, general: bool = False) -> Kernel:
        """Of a page that depends on the plant alone: its name says all, and it is made once."""
        if name not in self._made:
            self._made[name] = self.page(name, function, sizes, general=general).kernel
        return self._made[name]

    def page(
        self, name: str, function: PageFunction, sizes: Mapping[str, int] | None = None, *, general: bool = False
    ) -> Page:
        """``function`` of named inputs of these sizes, the parameters last, as ``p``, where there are any.

        A ``general`` one is pure arithmetic, the same for all arms of one size, and takes no parameters.
        """
        taken = self.sizes(*signature(function).parameters) if sizes is None else sizes
        inputs: dict[str, Any] = {word: symbols(word, max(size, 1)) for word, size in taken.items()}
        if self.parameters and not general:
            inputs["p"] = np.array(self.parameters, dtype=object)
        if not general:
            inputs |= self.taken

        def outputs(*arrays: Reals) -> dict[str, Any]:
            given = {word: array[:size] for (word, size), array in zip(taken.items(), arrays, strict=False)}
            # a number is an array of one; kernels have no empty ones
            found = {word: np.atleast_1d(value) for word, value in function(**given).items()}
            return {word: value if value.size else np.zeros(1) for word, value in found.items()}

        return Page(name if general else f"{self.arm.name}_{name}", inputs, outputs, facts=None, simplified=not general)

    def sizes(self, *names: str) -> dict[str, int]:
        """Of the inputs that all integrators know."""
        known = {"q": self.arm.n, "qd": self.arm.n, "x": self.k, "u": self.inputs, "g": len(self.watch.thresholds)}
        known |= dict.fromkeys(("y", "y0", "ys", "ysum", "ydot"), self.size)
        known |= dict.fromkeys(("mode", "mode0", "push", "excess", "back"), self.many)
        known |= {"p": len(self.parameters), "asked": self.m, "given": self.m}
        known |= dict.fromkeys((GUESS, "closed"), self.guessed)
        return {name: known.get(name, 1) for name in names}
