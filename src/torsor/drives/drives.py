"""``arm.drives``: the arm as its motors see it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from torsor.drives import motors
from torsor.drives.driven_model import driven_model
from torsor.drives.friction import Contact, contacts_of
from torsor.drives.gearing import Gearing
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.mechanics.canonical import Trees
from torsor.mechanics.looped_tree import AnyTrees
from torsor.mechanics.loops import loops_of
from torsor.mechanics.tree import RotorKind, lower
from torsor.model.model import Model
from torsor.model.transforms import Floats

if TYPE_CHECKING:  # the compiler is imported when the first quantity is asked for
    from torsor.emit import Kernel

Variant = Literal["exact", "as-published"]


@dataclass(frozen=True, eq=False)
class Power:
    """Where power goes, in W, each (...): motor = friction + stored + tool."""

    motor: Floats  # u_a . qd_a, given by the motors
    friction: Floats  # turned into heat
    stored: Floats  # rate of kinetic energy (rotors included) and potential energy
    tool: Floats  # given to the surroundings at the tool


class Drives:
    """Motors, gears and friction of an arm. Arrays of motors are (..., m), in the order of ``names``.

    Rotors are exact: they feel their carriers turn. Friction is that of the arm file, on its side of the gear; at rest
    inverse and forward dynamics have none (`torsor.simulation` makes axes stick).

    >>> import torsor
    >>> drives = torsor.load("rl15").drives
    >>> drives.rates([0.0] * 6, [0.0, 0.1, 0.0, 0.0, 0.0, 0.0]).round(6).tolist()
    [0.0, 11.9, 0.1, 0.0, 0.0, 0.0]
    """

    def __init__(self, model: Model) -> None:
        if not model.drives:
            raise Unsupported(f"{model.name!r} has no drives", hint="describe them with [[drive]] in its arm file")
        self._whole = model
        self.model = driven_model(model)
        self.gearing = Gearing(self.model)
        self._trees: dict[RotorKind, AnyTrees] = {}
        self._kernels: dict[object, Kernel] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(drive.name for drive in self.model.drives)

    @property
    def m(self) -> int:
        """How many motors."""
        return len(self.model.drives)

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        """Where friction acts."""
        return contacts_of(self.model)

    def trees(self, rotors: RotorKind = True) -> AnyTrees:
        """The arm with its rotors; of an arm with loops in its free joints."""
        if rotors not in self._trees:
            plain = lower(self._whole, drives=rotors)
            self._trees[rotors] = AnyTrees(Trees(plain, loops=loops_of(self._whole, plain)))
        return self._trees[rotors]

    # motion

    def N(self, q: ArrayLike | None = None) -> Floats:
        """N = dq_a/dq (..., m, n). Gears need no q: N is constant; that of a linkage changes with q."""
        if q is None:
            if self.gearing.constant is None:
                raise TypeError(f"N(q) of {self.model.name!r} needs q: it has a linkage")
            return self.gearing.constant.copy()
        return np.array(self.gearing.slopes(*self._joints(q=q)))

    def positions(self, q: ArrayLike) -> Floats:
        """q_a (..., m), motor angles in rad."""
        return np.asarray(self.gearing.positions(*self._joints(q=q)))

    def rates(self, q: ArrayLike, qd: ArrayLike) -> Floats:
        """qd_a = N(q) qd (..., m) in rad/s."""
        return np.asarray(self.gearing.rates(*np.broadcast_arrays(*self._joints(q=q, qd=qd))))

    # torques

    def torques(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None, friction: bool = True, variant: Variant = "exact", dt: float | None = None,
    ) -> Floats:  # fmt: skip
        """Motor torques u_a = N^-T (tau + joint friction) + motor friction, (..., m) in N m.

        ``variant="as-published"`` is the discretisation of Kvrgic & Vidakovic (D.3), corrected, which needs their
        cycle ``dt``: u_a = N^-T (u + mu abs(u) sign(qd)) + (I_a + f_v dt) N qdd + f_v N qd.
        """
        self.gearing.require_square()
        states = self._joints(q=q, qd=qd, qdd=qdd)
        if variant == "as-published":
            if not friction:
                raise Unsupported("the published formula has friction in it", hint='variant="exact" can do without')
            if dt is None or not dt > 0.0:
                hint = "the published formula needs its cycle, above zero; the paper's is 0.01 s"
                raise ShapeError(f"dt is {dt}", hint=hint)
            return np.asarray(self._answer("published", states, gravity, wrench, dt=float(dt)))
        if variant != "exact":
            raise Unsupported(f"there is no variant {variant!r}", hint=did_you_mean(variant, get_args(Variant)))
        if dt is not None:
            raise TypeError('dt belongs to variant="as-published"')
        return np.asarray(self._answer("torques", states, gravity, wrench, friction=friction))

    def forward(
        self, q: ArrayLike, qd: ArrayLike, *, torque: ArrayLike | None = None, current: ArrayLike | None = None,
        wrench: ArrayLike | None = None, gravity: ArrayLike | None = None, friction: bool = True,
    ) -> Floats:  # fmt: skip
        """qdd (..., n) of motor torques, or of motor currents. Friction is that of motion: at rest there is none."""
        if (torque is None) == (current is None):
            raise TypeError("forward() takes torque or current, one of them")
        given = torque if current is None else self.torques_of(current)
        arrays = [*self._joints(q=q, qd=qd), self._motors("torque", given)]
        return np.asarray(self._answer("forward", arrays, gravity, wrench, friction=friction))

    def torques_of(self, current: ArrayLike | None) -> Floats:
        """Torques k_t i of motor currents (..., m)."""
        return self._motors("current", current) * self._torque_constants

    def currents(self, torque: ArrayLike) -> Floats:
        """Currents u_a / k_t of motor torques (..., m)."""
        return self._motors("torque", torque) / self._torque_constants

    @cached_property
    def _torque_constants(self) -> Floats:
        missing = [d.name for d in self.model.drives if not d.motor.torque_constant]
        if missing:
            text = f"{', '.join(missing)} of {self.model.name!r} have no torque constant"
            raise Unsupported(text, hint="give motor.torque_constant in N m/A, or speak of torques")
        return np.array([d.motor.torque_constant for d in self.model.drives])

    def effective_inertia(
        self, q: ArrayLike, *, side: Literal["motor", "joint"] = "motor", others: Literal["locked", "free"] = "locked"
    ) -> Floats:
        """What each motor has to accelerate, (..., m) in kg m^2, its own rotor included.

        ``others="locked"`` is the diagonal of N^-T M N^-1: the torque for a unit acceleration while the other motors
        hold still. Servo engineers tune by it, because the other loops do hold. ``"free"`` is 1 / (N M^-1 N^T)_ii: the
        other motors give no torque and are dragged along. ``side="joint"`` sees the same through the gear, times the
        square of the ratio to the joint the motor drives.
        """
        self.gearing.require_square()
        if side not in ("motor", "joint") or others not in ("locked", "free"):
            raise Unsupported(f"side {side!r}, others {others!r}", hint="motor or joint; locked or free")
        M, N = np.asarray(self._answer("mass", self._joints(q=q), None, None)), self.N(q)
        if others == "locked":
            inverse = np.linalg.inv(N)
            inertia = np.einsum("...ij,...ik,...kj->...j", inverse, M, inverse)
        else:
            inertia = 1.0 / np.einsum("...ij,...jk,...ik->...i", N, np.linalg.inv(M), N)
        ratio = N[..., np.arange(self.m), list(self.gearing.main_joints)]
        return np.asarray(inertia * ratio**2 if side == "joint" else inertia)

    def power(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> Power:  # fmt: skip
        """The balance of power in a motion. ``stored`` is found from the rest, by the exactness of the dynamics."""
        self.gearing.require_square()
        states = self._joints(q=q, qd=qd, qdd=qdd)
        u, lost, tau, unloaded = self._answer("power", states, gravity, wrench)
        pairs = (u, self.rates(q, qd)), (unloaded, states[1]), (tau - unloaded, states[1])
        motor, stored, tool = ((torque * rate).sum(axis=-1) for torque, rate in pairs)
        return Power(motor, np.asarray(lost), stored, tool)

    # motors

    def available(self, rate: ArrayLike) -> tuple[Floats, Floats]:
        """Least and greatest motor torque (..., m) at motor speeds: peak, current, torque-speed curve, voltage."""
        rates = self._motors("rate", rate)
        return motors.all_bounds(self.model, rates)

    def joint_speed_limits(self) -> Floats:
        """Per joint, the smaller of its own limit and what its motor allows; published limits may exceed that."""
        limits = motors.speed_limits(self.model)
        speeds = motors.motor_speeds(self.model)
        for drive, joint, speed in zip(self.model.drives, self.gearing.main_joints, speeds, strict=True):
            if drive.ratio[joint]:
                limits[joint] = min(limits[joint], speed / abs(drive.ratio[joint]))
        return limits

    def rms(self, torques: ArrayLike) -> Floats:
        """Root mean square (..., m) over a motion's samples (samples, ..., m)."""
        return np.asarray(np.sqrt((self._samples(torques) ** 2).mean(axis=0)))

    def duty(self, torques: ArrayLike) -> Floats:
        """rms / continuous torque: above 1 the motor overheats if the motion goes on for ever. NaN where unknown."""
        return np.asarray(self.rms(torques) / motors.continuous(self.model))

    def warming(self, torques: ArrayLike, dt: float, *, start: ArrayLike = 0.0) -> Floats:
        """Winding temperatures (samples, ..., m) in K above the surroundings, after each sample of ``dt``.

        One body per winding: T' = (rise (u / continuous)^2 - T) / time_constant. NaN where the arm file has no model.
        """
        if not dt > 0.0:
            raise ShapeError(f"dt is {dt}", hint="above zero")
        return motors.warming(self.model, self._samples(torques), dt, np.asarray(start, dtype=float))

    @cached_property
    def temperature_limits(self) -> Floats:
        """Of the windings, in K above the surroundings; NaN where unknown."""
        return np.array([np.nan if d.motor.thermal is None else d.motor.thermal.limit for d in self.model.drives])

    def __repr__(self) -> str:
        return f"<Drives of {self.model.name}: {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        from torsor.report.notebook_looks import captioned

        rows = []
        for drive in self.model.drives:
            turns = " + ".join(f"{r:.6g} {n}" for n, r in zip(self.model.joint_names, drive.ratio, strict=True) if r)
            law, motor = drive.friction, drive.motor
            rubs = [f"{text} {value:g}" for text, value in (("viscous", law.viscous), ("load", law.load)) if value]
            rubs += [f"coulomb {max(law.coulomb):g}"] if any(law.coulomb) else []
            known = ("" if value is None else f"{value:.5g}" for value in (motor.torque, motor.speed))
            rows.append((drive.name, turns or "linkage", f"{drive.rotor_inertia:g}", *known, ", ".join(rubs)))
        titles = ("motor", "turns [rad]", "rotor [kg m^2]", "torque [N m]", "speed [rad/s]", "friction")
        return captioned(f"drives of {self.model.name}", titles, rows)

    # the way to kernels

    def kernel(self, page: str, *, gravity: bool = False, wrench: bool = False, **options: Any) -> Kernel:
        """The compiled kernel of a page; ``options`` are folded into it."""
        key = page, gravity, wrench, tuple(sorted(options.items()))
        if key not in self._kernels:
            from torsor.drives.tracing import page_of

            self.model.require_inertia()
            self._kernels[key] = page_of(self, page, gravity=gravity, wrench=wrench, **options).kernel
        return self._kernels[key]

    @property
    def facts(self) -> tuple[object, ...]:
        """All that the pages of drives depend on."""
        limits = [link.joint.limits for link in self.model.independent]
        return self.trees().plain.facts("tool"), self.model.drives, self.contacts, limits

    def _answer(
        self, page: str, states: list[Floats], gravity: ArrayLike | None, wrench: ArrayLike | None, **options: Any
    ) -> Any:
        kernel = self.kernel(page, gravity=gravity is not None, wrench=wrench is not None, **options)
        arrays = list(states)
        if gravity is not None:
            arrays.append(floats("gravity", gravity, 3, "a vector in world axes") @ self.model.base[:3, :3])
        if wrench is not None:
            arrays.append(floats("wrench", wrench, 6, "force over moment at the tool, in base axes"))
        return self.called(kernel, *arrays)

    def called(self, kernel: Kernel, q: Floats, *arrays: Floats) -> Any:
        """A kernel of these drives at numbers, with the guess that it takes where loops have no closed form."""
        return kernel.general(q, *arrays, *self.trees().plain.guesses(q))

    def _joints(self, **states: ArrayLike) -> list[Floats]:
        whose = f"{self.model.name!r} has {self.model.n} joints"
        return [floats(name, value, self.model.n, whose) for name, value in states.items()]

    def _samples(self, torques: ArrayLike) -> Floats:
        given = self._motors("torques", torques)
        if given.ndim < 2:
            raise ShapeError(f"torques has shape {given.shape}", hint=f"give samples of a motion, (samples, {self.m})")
        return given

    def _motors(self, name: str, value: ArrayLike | None) -> Floats:
        if value is None:
            raise TypeError(f"{name} is missing")
        return floats(name, value, self.m, f"{self.model.name!r} has {self.m} motors")
