"""Looking at loops: exact linearisation, poles, frequency responses, ellipsoids, energy and V along runs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import vector
from torsor.control.law import Law
from torsor.control.linear_loop import Complexes, Linearisation
from torsor.errors import ShapeError
from torsor.mechanics.arguments import floats
from torsor.mechanics.ellipsoid import Ellipsoid
from torsor.model.transforms import Floats
from torsor.report.notebook_looks import captioned, drawn


def linearise(
    arm: Arm,
    law: Law | None,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    *,
    t: float = 0.0,
    x: ArrayLike | None = None,
    tau: ArrayLike | None = None,
) -> Linearisation:
    """The loop near a state, or near the states (..., n) of a trajectory, by exact derivatives of the graph.

    A = d(qd, qdd, xd)/d(q, qd, x). Without a law, the arm under constant torques ``tau`` (none: those that hold it).

    >>> import torsor
    >>> from torsor.control import pd_gravity
    >>> arm = torsor.load("planar2")
    >>> loop = linearise(arm, pd_gravity(arm, 50.0, 20.0, [0.0, 0.0]), [0.0, 0.0])
    >>> bool(loop.stable), loop.poles.real.round(2).tolist()
    (True, [-299.23, -3.41, -3.41, -2.52])
    """
    n = arm.n
    joints = f"{arm.name!r} has {n} joints"
    q = floats("q", q, n, joints)
    qd = np.zeros_like(q) if qd is None else floats("qd", qd, n, joints)
    q, qd = np.broadcast_arrays(q, qd)
    batch = q.shape[:-1]
    if law is None:
        held = arm.gravity(q) if tau is None else np.broadcast_to(floats("tau", tau, n, joints), q.shape)
        slopes, own = np.zeros((*batch, n, 2 * n)), np.zeros((*batch, 0, 2 * n))
    else:
        if law.states and x is None:
            x = law.initial_state(q, qd) if not batch else None
        if law.states and x is None:
            raise ShapeError(f"{type(law).__name__} has {law.states} states", hint="give x= along the trajectory")
        state = np.broadcast_to(np.zeros(0) if x is None else np.asarray(x, dtype=np.float64), (*batch, law.states))
        held, slopes, own = _slopes(law, t, q, qd, state)
    dq, dqd, inverse = arm.forward_dynamics_derivatives(q, qd, held)
    size = slopes.shape[-1]
    A = np.zeros((*batch, size, size))
    A[..., :n, n : 2 * n] = np.eye(n)
    A[..., n : 2 * n, :] = inverse @ slopes
    A[..., n : 2 * n, :n] += dq
    A[..., n : 2 * n, n : 2 * n] += dqd
    A[..., 2 * n :, :] = own
    B = np.zeros((*batch, size, n))
    B[..., n : 2 * n, :] = inverse
    return Linearisation(A, B, slopes, n)


def _slopes(law: Law, t: float, q: Floats, qd: Floats, x: Floats) -> tuple[Floats, Floats, Floats]:
    """tau, d tau/d(q, qd, x) and d xd/d(q, qd, x)."""
    from torsor.algebra import jacobian, symbols, tape_from

    n = law.n
    z = symbols("z", 2 * n + law.states)
    tau, rates = law.torque_and_rates(t, z[:n], z[n : 2 * n], z[2 * n :])
    outputs = {"tau": tau, "slopes": jacobian(np.asarray(tau, dtype=object), z)}
    if law.states:
        outputs["own"] = jacobian(np.asarray(rates, dtype=object), z)
    found = tape_from("slopes", {"z": z}, outputs).evaluate(np.concatenate([q, qd, x], axis=-1))
    own = found[2] if law.states else np.zeros((*q.shape[:-1], 0, z.size))
    return found[0], found[1], own


def frequency_response(loop: Linearisation, omega: ArrayLike) -> Complexes:
    """Joint positions per torque that disturbs the loop, G(jw) (len(omega), n, n) in rad/(N m).

    >>> import numpy as np, torsor
    >>> from torsor.control import pd_gravity
    >>> arm = torsor.load("planar2")
    >>> loop = linearise(arm, pd_gravity(arm, [50.0, 40.0], 20.0, [0.0, 0.0]), [0.0, 0.0])
    >>> np.abs(frequency_response(loop, [1e-6])[0]).round(6)
    array([[0.02 , 0.   ],
           [0.   , 0.025]])
    """
    return _answers(loop, loop.B, omega)[1][:, : loop.n, :]


def _answers(loop: Linearisation, B: Floats, omega: ArrayLike) -> tuple[Floats, Complexes]:
    """Frequencies, and (jw - A)^-1 B at each."""
    w = np.asarray(omega, dtype=np.float64)
    if w.ndim != 1 or not (w > 0.0).all():
        raise ShapeError(f"omega has shape {w.shape}", hint="a row of frequencies above zero, in rad/s")
    inside = 1j * w[:, None, None] * np.eye(loop.A.shape[-1]) - loop.A
    return w, np.asarray(np.linalg.solve(inside, np.broadcast_to(B, (len(w), *B.shape))))


class Bode(NamedTuple):
    """Of one joint's loop, opened at its torque while the others stay closed."""

    omega: Floats  # rad/s
    response: Complexes  # L(jw)
    magnitude: Floats  # dB
    phase: Floats  # degrees, unwrapped

    @property
    def crossover(self) -> float:
        """The frequency at which |L| last falls through 1, rad/s; NaN if it does not in this range."""
        below = np.flatnonzero((self.magnitude[:-1] >= 0.0) & (self.magnitude[1:] < 0.0))
        if not below.size:
            return float("nan")
        k = int(below[-1])
        share = self.magnitude[k] / (self.magnitude[k] - self.magnitude[k + 1])
        return float(np.exp(np.log(self.omega[k]) + share * np.log(self.omega[k + 1] / self.omega[k])))

    @property
    def phase_margin(self) -> float:
        """How many degrees of phase may be lost before the loop is unstable."""
        return 180.0 + float(np.interp(np.log(self.crossover), np.log(self.omega), self.phase))

    def __repr__(self) -> str:
        return f"<Bode crossover {self.crossover:.4g} rad/s, phase margin {self.phase_margin:.4g} deg>"

    def _repr_html_(self) -> str:
        rows = [("crossover", f"{self.crossover:.4g} rad/s"), ("phase margin", f"{self.phase_margin:.4g} deg")]
        from_to = f"{self.omega[0]:.4g} to {self.omega[-1]:.4g} rad/s"
        return captioned(f"loop gain, {from_to}", ("", ""), rows)

    def plot(self) -> Any:
        """Magnitude over phase, as a matplotlib figure, with the crossover marked."""
        figure = drawn(figsize=(7.0, 4.4), dpi=130, layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        for axes, values, label in ((above, self.magnitude, "|L| [dB]"), (below, self.phase, "phase [deg]")):
            axes.semilogx(self.omega, values, color="#0072B2", linewidth=1.4)
            axes.set_ylabel(label)
            axes.grid(color="#E6E6E6", linewidth=0.6)
            if np.isfinite(self.crossover):
                axes.axvline(self.crossover, color="#333333", linewidth=0.8, linestyle=(0, (4, 3)))
        above.axhline(0.0, color="#B0B0B0", linewidth=0.8)
        below.axhline(-180.0, color="#B0B0B0", linewidth=0.8)
        below.set_xlabel("frequency [rad/s]")
        return figure


def loop_gain(loop: Linearisation, joint: int, omega: ArrayLike) -> Bode:
    """Bode data of a joint's loop: L(jw) is what the law answers to a torque there, with the loop opened at it.

    From the closed loop: H = C (jw - A)^-1 B at the joint is what the law adds to a torque on top, L = -H / (1 + H).

    >>> import numpy as np, torsor
    >>> from torsor.control import computed_torque
    >>> arm = torsor.load("planar2")
    >>> loop = linearise(arm, computed_torque(arm, 100.0, 20.0, [0.0, 0.0]), [0.3, 0.4])
    >>> bool(loop_gain(loop, 0, np.geomspace(0.1, 1000.0, 200)).phase_margin > 45.0)
    True
    """
    if not 0 <= joint < loop.n:
        raise ShapeError(f"there is no joint {joint}", hint=f"from 0 to {loop.n - 1}")
    w, answers = _answers(loop, loop.B[:, joint, None], omega)
    H = (loop.C[joint] @ answers)[..., 0]
    L = -H / (1.0 + H)
    return Bode(w, L, 20.0 * np.log10(np.abs(L)), np.degrees(np.unwrap(np.angle(L))))


def manipulability(arm: Arm, q: ArrayLike, *, frame: str = "tool", rows: int = 3) -> Floats:
    """sqrt(det J J^T) (Yoshikawa 1985) of the first ``rows`` rows of the Jacobian: 3 for position, 6 for all.

    >>> import torsor
    >>> manipulability(torsor.load("planar2"), [0.0, 0.0], rows=2).round(6) + 0.0
    np.float64(0.0)
    """
    radii = velocity_ellipsoid(arm, q, frame=frame, rows=rows).radii
    return np.asarray(radii.prod(axis=-1))[()]


def velocity_ellipsoid(arm: Arm, q: ArrayLike, *, frame: str = "tool", rows: int = 3) -> Ellipsoid:
    """Velocities of the tool that joint speeds of norm one give."""
    return Ellipsoid.of(_rows(arm, q, frame, rows))


def dynamic_ellipsoid(
    arm: Arm, q: ArrayLike, *, torque: ArrayLike = 1.0, frame: str = "tool", rows: int = 3
) -> Ellipsoid:
    """Accelerations of the tool at rest that torques within an ellipsoid of half axes ``torque`` give (Yoshikawa 1985).

    The torques are on top of those that hold the arm. xdd = J M^-1 tau.
    """
    q = floats("q", q, arm.n, f"{arm.name!r} has {arm.n} joints")
    limits = vector("torque", torque, arm.n, positive=True)
    return Ellipsoid.of(_rows(arm, q, frame, rows) @ np.linalg.inv(arm.mass_matrix(q)) * limits)


def _rows(arm: Arm, q: ArrayLike, frame: str, rows: int) -> Floats:
    if not 1 <= rows <= 6:
        raise ShapeError(f"rows is {rows}", hint="3 for position, 6 for position and rotation")
    return arm.jacobian(q, frame=frame)[..., :rows, :]


def lyapunov_along(law: Law, run: Any) -> Floats:
    """V at the times of a run, which has time, q, qd and, of a law with states, x."""
    return np.asarray(law.lyapunov(run.time, run.q, run.qd, getattr(run, "x", None)), dtype=np.float64)


class Audit(NamedTuple):
    """Where energy went in a run, each (times,), J."""

    kinetic: Floats
    potential: Floats
    work: Floats  # that torques did since the start
    missing: Floats  # work that became neither: friction, and the error of stepping


def energy_audit(arm: Arm, run: Any, law: Law | None = None) -> Audit:
    """The balance of a run: kinetic + potential energy against the work of joint torques, integral tau . qd dt.

    Torques are the run's ``tau``, or what ``law`` gives along it. The integral is Simpson's over the run's times, so
    ``missing`` shrinks with the fourth power of their spacing where nothing rubs.
    """
    from scipy.integrate import cumulative_simpson

    tau = getattr(run, "tau", None)
    if law is not None:
        tau, _ = law.torque_and_rates(run.time, run.q, run.qd, getattr(run, "x", np.zeros((len(run.time), 0))))
    if tau is None:
        raise ShapeError("the run has no torques", hint="give law=")
    kinetic, potential = arm.energy(run.q, run.qd)
    power = (np.broadcast_to(tau, run.q.shape) * run.qd).sum(axis=-1)
    work = np.concatenate([[0.0], cumulative_simpson(power, x=run.time)])
    stored = kinetic + potential
    return Audit(kinetic, potential, work, work - (stored - stored[0]))
