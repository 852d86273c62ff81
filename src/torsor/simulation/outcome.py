"""``Run``: what a simulation found, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.arm import Arm
from torsor.emit import Kernel
from torsor.errors import Unsupported
from torsor.mechanics.pose_step import pose_difference
from torsor.model.transforms import Floats
from torsor.simulation import measures
from torsor.simulation.bending import bent_poses
from torsor.simulation.driving import Stopped
from torsor.simulation.events import Happening
from torsor.simulation.lyapunov import along, lyapunov
from torsor.simulation.plant import Plant
from torsor.simulation.run_columns import columns_of, dataset_of, write_csv, write_parquet

if TYPE_CHECKING:
    from torsor.scene.display import Display


@dataclass(frozen=True, eq=False)
class Run:
    """States at times, the first one included. For N rollouts all but ``time`` have N in front.

    ``stopped`` says why it ended early, or is None; ``notes`` what the simulation decided by itself.
    """

    arm: Arm
    time: Floats  # (times,) s
    q: Floats  # (times, n)
    qd: Floats
    x: Floats  # (times, k) states of the law
    stuck: NDArray[np.bool_]  # (times, elements) ...
    elements: tuple[str, ...]  # ... where dry friction acts
    events: tuple[Happening, ...]
    notes: tuple[str, ...]
    stopped: Stopped | None
    integrator: str
    parameters: Mapping[str, Floats]
    law: Any  # what drove the arm, as it was given; None for torques that were given as numbers
    _plant: Plant = field(repr=False)
    _y: Floats = field(repr=False)
    _mode: Floats = field(repr=False)
    _u: Floats = field(repr=False)
    _p: Floats = field(repr=False)
    _guess: Floats = field(repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"law": self._plant.torque.sent(self.law)}

    @property
    def rollouts(self) -> int | None:
        """How many, or None for a single run."""
        return None if self.q.ndim == 2 else len(self.q)

    @property
    def by(self) -> str | None:
        """The formulation that it was simulated by, where one was asked for."""
        return self._plant.setting.by

    @property
    def is_direct(self) -> bool:
        """Whether torques act at the joints themselves: the arm has no motors, or they were left out."""
        return self._plant.is_direct

    @property
    def motors(self) -> tuple[str, ...]:
        """Names of what ``tau`` is of: motors where the arm has drives, else joints."""
        return tuple(self.arm.joint_names if self._plant.is_direct else self._plant.drives.names)

    def along(self, function: Callable[..., Any]) -> Floats:
        """(times, ...): what ``function(t, q, qd)`` gives at every state, with x last where the law has states.

        It is traced as a law is, and may be written with the parameters of the run; else it is called.

        >>> import numpy as np, torsor
        >>> arm = torsor.load("planar2")
        >>> run = torsor.simulate(arm, [0.0, 0.0], q0=[0.5, -0.2], until=0.1)
        >>> run.along(lambda t, q, qd: arm.pose(q)[:3, 3]).shape
        (101, 3)
        """
        return along(self, function)

    @property
    def _t(self) -> Floats:
        """(times, 1)."""
        return np.broadcast_to(self.time[:, None], (*self.q.shape[:-1], 1))

    def _found(self, kernel: Kernel, *arrays: Floats) -> Any:
        """What a kernel of the plant gives at every state, with the parameters of the run."""
        given = *arrays, *self._plant.more(self._p, self._guess)
        return kernel.general(*(np.ascontiguousarray(array) for array in given))

    @cached_property
    def _moments(self) -> tuple[Floats, ...]:
        return tuple(self._found(self._plant.moments, self._t, self._y, self._mode, self._u))

    @cached_property
    def qdd(self) -> Floats:
        """(times, n) accelerations, in rad/s^2; that of the moment after a jump."""
        n, plant = self._plant.n, self._plant
        zdd = self._moments[0][..., n : 2 * n]
        return (zdd @ plant.coordinates.B.T if plant.many else zdd)[..., : plant.arm.n]

    @property
    def tau(self) -> Floats:
        """(times, m) torques given, after the limits of motors: of motors where the arm has drives, else of joints."""
        return self._moments[2]

    @property
    def rates(self) -> Floats:
        """(times, m) rad/s of what ``tau`` is of."""
        return self.qd if self._plant.is_direct else self._plant.drives.rates(self.q, self.qd)

    @property
    def angles(self) -> Floats:
        """(times, m) rad: q_a of the motors, of joints where the arm has no drives."""
        return self.q if self._plant.is_direct else self._plant.drives.positions(self.q)

    @property
    def currents(self) -> Floats | None:
        """(times, m) A that give ``tau``; None where not every motor has a torque constant."""
        drives = self._plant.drives
        known = not self._plant.is_direct and all(drive.motor.torque_constant for drive in drives.model.drives)
        return drives.currents(self.tau) if known else None

    @cached_property
    def bearing(self) -> Floats | None:
        """(times, bearings, 6) as `arm.bearing_loads`; None of an elastic arm, and where a wrench or parameters act."""
        plant = self._plant
        if plant.has_wrench or plant.inertia is not None or plant.payload or plant.elastic is not None:
            return None
        own = not plant.is_direct and plant.setting.drives
        return self.arm.bearing_loads(self.q, self.qd, self.qdd, drives=own, gravity=self.gravity)

    @property
    def gravity(self) -> ArrayLike | None:
        """(3,) in world axes, where it was not the arm's own."""
        return self._plant.setting.gravity

    @property
    def asked(self) -> Floats:
        """(times, m) torques that the law asked for."""
        return self._moments[1]

    @cached_property
    def saturated(self) -> NDArray[np.bool_]:
        """(times, m) where a motor did not give what was asked."""
        return np.asarray(self.tau != self.asked)

    @cached_property
    def _energies(self) -> tuple[Floats, Floats, Floats]:
        kinetic, potential, strain = self._found(self._plant.energies, self._y)
        return kinetic[..., 0], potential[..., 0], strain[..., 0]

    @property
    def kinetic(self) -> Floats:
        """(times,) in J, rotors included where the arm has them."""
        return self._energies[0]

    @property
    def potential(self) -> Floats:
        """(times,) in J, of weight and of what is strained."""
        return self._energies[1]

    @property
    def energy(self) -> Floats:
        """(times,) kinetic and potential energy together, in J."""
        return self._energies[0] + self._energies[1]

    # what bends

    @property
    def eta(self) -> Floats:
        """(times, e) what springs give way, rad or m, and modes of links bend, by name in ``eta_names``.

        >>> import torsor
        >>> arm = torsor.load("elastic-arm2")
        >>> run = torsor.simulate(arm, [0.1, 0.0], q0=[0.0, 0.5], until=0.1, dt=5e-4, elastic=True)
        >>> run.eta.shape, run.eta_names[0]
        ((201, 6), 'upper.mode1')
        """
        return self._bending.moving(self._y)[0][..., self._plant.bends_from :]

    @property
    def etad(self) -> Floats:
        """(times, e) rates of ``eta``."""
        return self._bending.moving(self._y)[1][..., self._plant.bends_from :]

    @property
    def eta_names(self) -> tuple[str, ...]:
        """Springs, then modes; none of a rigid arm."""
        return self._plant.names[self._plant.bends_from :]

    @cached_property
    def tip(self) -> Floats:
        """(times, 6) displacement over turn (a rotation vector) of the tool against the rigid arm at q, base axes."""
        bent = np.asarray(self._found(bent_poses(self._bending), self._y))
        rigid = self.arm.pose(self.q)
        return np.asarray(pose_difference(rigid[..., :3, :3], rigid[..., :3, 3], bent))

    @property
    def strain_energy(self) -> Floats:
        """(times,) in J, of springs and bent links; it is part of ``potential``."""
        return self._energies[2]

    @property
    def _bending(self) -> Plant:
        if self._plant.elastic is None:
            raise Unsupported("nothing bends in this run", hint="simulate with elastic=True")
        return self._plant

    @cached_property
    def lyapunov(self) -> Floats:
        """(times,) V, the Lyapunov function of the law along the run, which its proof says to fall.

        Every law of `torsor.control` with such a proof has it; one's own needs a method ``lyapunov(t, q, qd)``, or
        ``lyapunov(t, q, qd, x)`` where it has states.

        >>> import numpy as np, torsor
        >>> arm = torsor.load("planar2")
        >>> law = torsor.control.pd_gravity(arm, 50.0, 20.0, [0.0, 0.0])
        >>> run = torsor.simulate(arm, law, q0=[0.5, -0.2], until=1.0)
        >>> bool((np.diff(run.lyapunov) < 0.0).all())
        True
        """
        return lyapunov(self)

    # what engineers ask

    def settling_time(self, reference: ArrayLike, tolerance: ArrayLike = 0.02) -> Floats:
        """(n,) from when on ``|q - reference|`` stays within ``tolerance`` rad; NaN where it does not."""
        return measures.settling_time(self.time, self.q, reference, tolerance)

    def overshoot(self, reference: ArrayLike) -> Floats:
        """(n,) how far beyond the reference each joint goes, in rad, seen from where it started."""
        return measures.overshoot(self.q, reference)

    def rms_error(self, reference: ArrayLike) -> Floats:
        """(n,) root mean square of q - reference over the run, weighted by time."""
        return measures.rms_error(self.time, self.q, reference)

    @property
    def peak_torque(self) -> Floats:
        """(m,) torque of largest size, with its sign."""
        return measures.peak(self.tau)

    @property
    def work(self) -> Floats:
        """(m,) J that each motor gave and took back, the integral of ``|torque times speed|``."""
        return measures.work(self.time, self.tau, self.rates)

    # ways out

    def table(self) -> dict[str, Floats]:
        """All columns by name: time, q, qd, qdd of joints, tau, angles and currents of motors, what bends, energy."""
        self._single("a table")
        return columns_of(self)

    def to_csv(self, path: str | Path) -> None:
        """Writes all columns, with every digit, as a whole or not at all."""
        write_csv(self.table(), path)

    def to_parquet(self, path: str | Path) -> None:
        """Writes all columns as a Parquet file (needs pyarrow)."""
        write_parquet(self.table(), path)

    def to_xarray(self) -> Any:
        """An xarray.Dataset over time, joint and motor, and over rollout where there are several (needs xarray)."""
        return dataset_of(self)

    def plot(
        self,
        path: str | Path | None = None,
        *,
        reference: ArrayLike | None = None,
        title: str | None = None,
        compare: Sequence[Run] = (),
    ) -> Any:
        """Positions, rates and torques over time as a matplotlib figure, saved where a path is given.

        With a ``reference`` (n,) or (times, n) it is drawn dotted, and the error has a panel of its own. Other runs of
        the same joints and motors to ``compare`` are drawn over it, dark and dashed over wide and pale.
        """
        from torsor.simulation.plotting import plotted

        for each in (self, *compare):
            each._single("a plot")
            if (each.q.shape[-1], each.motors) != (self.q.shape[-1], self.motors):
                raise Unsupported("runs of other joints cannot be drawn over each other", hint="plot each by itself")
        return plotted(self, path, reference, title, compare)

    def plot_motors(self, path: str | Path | None = None, *, title: str | None = None) -> Any:
        """Currents (where torque constants are known), torques, angles and speeds of all motors over time, as a figure.

        A column for each motor, as Szkodny's figures 3 and 4 have them. Of an arm without motors they are the joints.
        """
        self._single("a plot")
        from torsor.simulation.motor_plotting import plotted_motors

        return plotted_motors(self, path, title)

    def animate(
        self,
        *,
        reference: ArrayLike | None = None,
        title: str | None = None,
        planes: Sequence[tuple[ArrayLike, ArrayLike]] = (),
        compare: Run | None = None,
    ) -> Display:
        """The motion in 3-D with its plots: positions, errors, speeds, torques, power, energy, loads, as a page.

        A notebook shows it; ``.open()`` shows it in the browser. With a ``reference`` (n,) or (times, n) it is drawn
        beside the motion, with its errors. ``planes`` are pairs of a point and a normal, in base axes, to draw. With
        another run to ``compare`` both arms move, both curves are in every plot, and a table says what differs.
        """
        self._single("an animation")
        from torsor.simulation.animating import animated, animated_both

        if compare is None:
            return animated(self, reference, title, planes)
        compare._single("an animation")
        return animated_both(self, compare, reference, title, planes)

    def report(
        self,
        path: str | Path,
        *,
        reference: ArrayLike | None = None,
        title: str | None = None,
        compare: Run | None = None,
    ) -> None:
        """Writes what ``animate`` shows: a page of one file that needs no other, as a whole or not at all."""
        self.animate(reference=reference, title=title, compare=compare).save(path)

    def _single(self, what: str) -> None:
        if self.rollouts is not None:
            raise Unsupported(f"{what} is of one run, not of {self.rollouts}", hint="take run[k]")

    def __getitem__(self, k: int) -> Run:
        """One of several rollouts."""
        if self.rollouts is None:
            raise Unsupported("this is a single run", hint="its states are run.q[k]")
        many = {name: np.ndim(value) and len(value) == self.rollouts for name, value in self.parameters.items()}
        known = {name: value[k] if many[name] else value for name, value in self.parameters.items()}
        rows = {name: getattr(self, name)[k] for name in ("q", "qd", "x", "stuck", "_y", "_mode", "_u", "_p", "_guess")}
        return replace(self, parameters=known, **rows)

    def __repr__(self) -> str:
        many = "" if self.rollouts is None else f"{self.rollouts} rollouts of "
        stuck = f", {int(self.stuck[..., -1, :].sum())} elements stuck" if self.elements else ""
        early = "" if self.stopped is None else f", {self.stopped.reason}"
        return f"<Run {many}{self.time[-1]:g} s, {len(self.time)} states, {self.integrator}{stuck}{early}>"

    def _repr_html_(self) -> str:
        """What became of each joint, and what the run has to say; of rollouts the same as text."""
        if self.rollouts is not None:
            return repr(self).replace("<", "&lt;")
        from torsor.report.markup import element
        from torsor.report.notebook_looks import captioned

        joints = [
            (name, *(f"{x:.5g}" for x in (self.q[0, j], self.q[-1, j], np.abs(self.qd[:, j]).max(initial=0.0))))
            for j, name in enumerate(self.arm.joint_names)
        ]
        motors = [
            (name, f"{np.abs(self.tau[:, j]).max(initial=0.0):.5g}", "yes" if self.saturated[:, j].any() else "")
            for j, name in enumerate(self.motors)
        ]
        said = [str(self.stopped)] if self.stopped is not None else []
        parts = [
            captioned(repr(self)[1:-1], ("joint", "from [rad, m]", "to", "fastest [/s]"), joints),
            captioned("", ("torque of", "largest [N m, N]", "saturated"), motors),
            *(element("p", text) for text in (*said, *self.notes)),
        ]
        return "".join(parts)
