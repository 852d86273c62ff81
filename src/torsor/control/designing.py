"""``design``: from what is not known of an arm and what is asked of it to gains with a certificate.

The law is ``lyapunov_redesign`` with Lambda = lambda 1 and K diagonal. For every arm of the family

    V = 1/2 r^T M r + lambda e^T K e,    Vd <= -ed^T K ed - lambda^2 e^T K e + delta.

With M <= D <= mu K (D diagonal, by intervals) the right side is at most -2 alpha V + delta as soon as
2 (1 - alpha mu)(lambda - alpha) >= lambda. So V <= delta / (2 alpha) for ever if it is so at the start, and
lambda k_i e_i^2 <= V gives each joint's error. The gains are those that need the least stiff loop for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.bounds import Bounds, Family, bounds_of, sampled_states
from torsor.control.certificate import ROUNDING, Certificate, certificate_of, reasons
from torsor.control.gains import vector
from torsor.control.law import shaped
from torsor.control.reference import Reference, as_reference
from torsor.control.robust import LyapunovRedesign
from torsor.control.uncertainty import Performance, Uncertainty
from torsor.control.verifying import Verification, verify
from torsor.errors import ShapeError, Unsupported
from torsor.model.transforms import Floats

DAMPED = 2.0  # K >= DAMPED lambda D
STATES, FEW = 1000, 60  # at which the chosen stiffness is estimated, and those in between


@dataclass(frozen=True, eq=False)
class Design:
    """Gains, what they promise, and why. ``print(design)`` is the certificate."""

    arm: Arm
    uncertainty: Uncertainty
    performance: Performance
    family: Family = field(repr=False)
    bounds: Bounds = field(repr=False)
    workspace: Floats  # (n, 2) of references
    bandwidth: float  # lambda
    K: Floats  # (n,)
    boundary: Floats  # (k,)
    disturbance_boundary: Floats  # (n,)
    fastest: float  # 1/s, estimated fastest pole of the loop
    verification: Verification | None = None

    @property
    def alpha(self) -> float:
        """Rate of V, 1/s: the largest with 2 (1 - alpha mu)(lambda - alpha) >= lambda."""
        return _rate(self.bandwidth, self.bounds.heaviest, self.K)

    @property
    def slack(self) -> float:
        """delta, W."""
        known = self.family.directions
        parts = known.reach @ self.boundary + known.disturbance @ self.disturbance_boundary
        return 0.25 * float(parts)

    @property
    def level(self) -> float:
        """The value that V does not exceed, J."""
        return self.slack / (2.0 * self.alpha) * (1.0 + ROUNDING)

    @property
    def error(self) -> Floats:
        """(n,) what no joint's tracking error exceeds, for arms that start on the reference."""
        return self.error_after(self.level)

    def error_after(self, V: float) -> Floats:
        """(n,) errors that a value of V allows. From V0 > level it falls as level + (V0 - level) exp(-2 alpha t).

        That holds as long as no joint leaves the workspace by more than the error that was asked for.
        """
        return np.asarray(np.sqrt(V / (self.bandwidth * self.K)))

    def start(self, e: ArrayLike, ed: ArrayLike = 0.0) -> float:
        """The most that V can be at the start with errors e and ed (n,), whichever arm it is."""
        e, ed = vector("e", e, self.arm.n), vector("ed", ed, self.arm.n)
        r = np.abs(ed + self.bandwidth * e)
        kinetic = 0.5 * min(float(r @ self.bounds.M @ r), float(r @ (self.bounds.heaviest * r)))
        return kinetic + self.bandwidth * float(e @ (self.K * e))

    @property
    def certificate(self) -> Certificate:
        return certificate_of(self)

    def law(
        self, reference: Reference | ArrayLike, *, promise: bool = True, plant: Arm | None = None
    ) -> LyapunovRedesign:
        """The law for a reference. One that leaves the stated bounds is refused, unless ``promise=False``."""
        found = as_reference(reference, self.arm.n)
        if promise and (why := self.why_not(reference=found)):
            raise Unsupported(f"no promise for this reference: {why[0]}", hint="design for it, or say promise=False")
        gains = self.bandwidth, self.K, self.uncertainty, self.boundary
        return LyapunovRedesign(self.arm, *gains, found, disturbance_boundary=self.disturbance_boundary, plant=plant)

    def covers(self, **case: Any) -> bool:
        """Whether the promise holds: payload=, com=, link_mass=, link_inertia=, disturbance=, reference=, q=."""
        return not self.why_not(**case)

    def why_not(self, **case: Any) -> list[str]:
        """Why there is no promise for a case, a sentence each; none where there is one."""
        return reasons(self, **case)

    def verify(self, rollouts: int = 100, *, until: float = 2.0, seed: int = 0) -> Verification:
        """Simulates arms of the family, random and adversarial, and compares with the promise."""
        return verify(self, rollouts, until=until, seed=seed)

    def __str__(self) -> str:
        return str(self.certificate)

    def _repr_markdown_(self) -> str:
        return self.certificate.markdown()


def design(
    arm: Arm,
    uncertainty: Uncertainty,
    performance: Performance,
    *,
    rollouts: int = 40,
    boxes: int = 4000,
    seed: int = 0,
) -> Design:
    """Gains for every arm that ``uncertainty`` allows, with a certificate that ``performance`` is kept.

    Bounds of M, C and g are found with certainty by interval arithmetic, with at most ``boxes`` boxes for each entry;
    then the gains; then so many ``rollouts`` of random and adversarial arms and references are simulated and compared
    with the promise (0: none). The method is that of Spong 1992 with numbers put in; see ``lyapunov_redesign``.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> found = design(arm, Uncertainty(payload=(0.0, 0.5)), Performance(error=0.02), rollouts=0)
    >>> bool((found.error <= 0.02).all()), found.covers(payload=0.4), found.covers(payload=1.0)
    (True, True, False)
    """
    if not isinstance(uncertainty, Uncertainty) or not isinstance(performance, Performance):
        raise ShapeError("design takes an arm, an Uncertainty and a Performance", hint="in this order")
    n = arm.n
    error = vector("error", performance.error, n, positive=True)
    vector("speed", performance.speed, n, positive=True)
    vector("acceleration", performance.acceleration, n, positive=True)
    workspace = performance.box(arm)
    family = Family(uncertainty.centre(arm), uncertainty.directions(arm))
    # an arm that keeps the promise is within its error of the reference
    reached = _once_round(arm, workspace + np.stack([-error, error], axis=1))
    bounds = bounds_of(family, reached, boxes=boxes, seed=seed)
    gains = _least_stiff(family, bounds, workspace, performance, error, np.random.default_rng(seed))
    found = Design(arm, uncertainty, performance, family, bounds, workspace, **gains)
    if not (found.error <= error).all():
        raise Unsupported(f"no gains keep an error of {performance.error!r}", hint="allow a larger error")
    return replace(found, verification=found.verify(rollouts, seed=seed)) if rollouts else found


def _once_round(arm: Arm, box: Floats) -> Floats:
    """A joint that turns more than once round shows nothing new after the first time; not where others follow it."""
    if any(link.joint.mimic for link in arm.model.links):
        return box
    turns = [link.joint.kind in ("revolute", "continuous") for link in arm.model.links_on(arm.joint_names)]
    wide = turns & (box[:, 1] - box[:, 0] > 2.0 * np.pi)
    return np.where(wide[:, None], [-np.pi - ROUNDING, np.pi + ROUNDING], box)


def _least_stiff(
    family: Family, bounds: Bounds, workspace: Floats, performance: Performance, error: Floats, rng: np.random.Generator
) -> dict[str, Any]:
    """lambda, K, eps and phi that keep the error and make the fastest pole slowest, on a grid."""
    many = _sampled_sensitivities(family, workspace, performance, rng)
    few = many[0][:FEW], many[1][:FEW]
    known = family.directions
    reach = np.concatenate([known.reach, known.disturbance])
    weight = np.sqrt((many[1] ** 2).sum(axis=1).max(axis=0))  # (k + n,) how stiff a unit of 1/eps makes it
    D = bounds.heaviest
    wide = [performance.bandwidth] if performance.bandwidth is not None else np.geomspace(1.0, 200.0, 20)
    best: dict[str, Any] = {}
    for bandwidth in (float(vector("bandwidth", each, 1, positive=True)[0]) for each in wide):
        for floor in np.geomspace(1e-6, 1.0, 19):
            K = DAMPED * bandwidth * np.maximum(D, floor * (D * error**2).max() / error**2)
            alpha = _rate(bandwidth, D, K)
            allowed = 2.0 * alpha * bandwidth * float((K * error**2).min()) * (1.0 - 4.0 * ROUNDING)
            # eps_i proportional to weight_i costs least stiffness for sum reach eps / 4 = allowed
            spent = float(reach @ weight)
            eps = 4.0 * allowed * weight / spent if spent > 0.0 else np.ones_like(weight)
            fastest = _fastest(few, K, reach / eps)
            if not best or fastest < best["fastest"]:
                best = {"bandwidth": bandwidth, "K": K, "fastest": fastest, "eps": eps}
    eps = best.pop("eps")
    best["fastest"] = _fastest(many, best["K"], reach / eps)
    return {**best, "boundary": eps[: known.k], "disturbance_boundary": eps[known.k :]}


def _rate(bandwidth: float, D: Floats, K: Floats) -> float:
    """The largest alpha with 2 (1 - alpha c / lambda)(1 - alpha / lambda) >= 1, and a little less."""
    c = bandwidth * float((D / K).max())
    return bandwidth * (1.0 + c - float(np.sqrt(1.0 + c * c))) / (2.0 * c) * (1.0 - ROUNDING)


def _fastest(states: tuple[Floats, Floats], K: Floats, steepness: Floats) -> float:
    """Largest eigenvalue of M^-1 (K + Y B diag(rho / eps) (Y B)^T + diag(d / phi)) at the states."""
    roots, y = states
    S = roots * K @ np.swapaxes(roots, -1, -2) + (y * steepness) @ np.swapaxes(y, -1, -2)
    return float(np.linalg.eigvalsh(S)[:, -1].max())


def _sampled_sensitivities(
    family: Family, workspace: Floats, performance: Performance, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """L^-1 with M = L L^T, (states, n, n), and L^-1 [Y B, 1] (states, n, k + n), at states of arms that can be."""
    arm, known, n = family.centre, family.directions, family.centre.n
    q, theta = sampled_states(known, workspace, rng, STATES)
    M = family.mass_matrix(q, theta)
    v = rng.uniform(-1.0, 1.0, q.shape) * vector("speed", performance.speed, n)
    a = rng.uniform(-1.0, 1.0, q.shape) * vector("acceleration", performance.acceleration, n)
    Y = shaped(arm.regressor, q, v, a, v) @ known.B
    both = np.concatenate([Y, np.broadcast_to(np.eye(n), (*Y.shape[:-1], n))], axis=-1)
    roots = np.linalg.inv(np.linalg.cholesky(M))
    return roots, roots @ both
