"""Simulated arms of a family under the designed law, random and adversarial, held against what was promised.

All are rollouts of one `Simulation` in which the arm, its reference and what pushes it are parameters.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from torsor.control.bounds import tree_with
from torsor.control.gains import form, vector
from torsor.control.reference import Sine
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.control.designing import Design
    from torsor.simulation import Simulation

BLOCK = 128  # rollouts that are kept at once
OfRollouts = TypeVar("OfRollouts", bound=tuple[Floats, ...])


class RolloutCase(NamedTuple):
    """What a rollout is made of, each (rollouts, ...): a wave for each joint, an arm, a push along r."""

    centre: Floats
    amplitude: Floats
    frequency: Floats
    phase: Floats
    theta: Floats
    push: Floats  # N m, in the direction in which it harms most at each moment
    offset: Floats  # of q from the reference at the start

    def pick(self, rows: Any) -> RolloutCase:
        return RolloutCase(*(part[rows] for part in self))


class RolloutPeaks(NamedTuple):
    """Of each rollout (rollouts, ...): its largest errors, torques, V and rise of V."""

    error: Floats
    torque: Floats
    level: Floats
    rise: Floats


@dataclass(frozen=True, eq=False)
class Verification:
    """What simulated arms did."""

    rollouts: int
    until: float
    error: Floats  # (n,) largest tracking errors of arms that started on the reference
    share: float  # of the promised error, the largest of any joint
    level: float  # largest V of them, as a share of the level
    rise: float  # most that V rose above V exp(-2 alpha h) + (1 - exp(-2 alpha h)) level in a step, over the level
    torque: Floats  # (n,) largest torques
    shares: Floats  # (rollouts,) largest share of the promised error in each
    cases: RolloutCase

    @property
    def kept(self) -> bool:
        """Whether every promise was kept, to rounding and the error of integration."""
        return self.share <= 1.0 and self.level <= 1.0 and self.rise <= 1e-3

    def __str__(self) -> str:
        verdict = "kept" if self.kept else "BROKEN"
        return (
            f"{self.rollouts} rollouts of {self.until:g} s: promise {verdict}; largest error {100 * self.share:.0f} %"
            f" of the bound, V at most {100 * self.level:.0f} % of its level"
        )


def verify(design: Design, rollouts: int, *, until: float, seed: int) -> Verification:
    """Half the rollouts are random, arms at corners of the box among them; half are the worst of those made worse."""
    rng = np.random.default_rng(seed)
    loop = _closed_loop(design)
    cases = _random_cases(design, (rollouts + 1) // 2, rng)
    found = _measured(design, loop, cases, until)
    if more := rollouts // 2:
        shares = _verification(design, cases, found, until).shares
        worst = np.argsort(-shares, kind="stable")[: max(1, len(shares) // 5)]
        second = _made_worse(design, cases.pick(rng.choice(worst, more)), rng)
        found = _together(RolloutPeaks, [found, _measured(design, loop, second, until)])
        cases = _together(RolloutCase, [cases, second])
    return _verification(design, cases, found, until)


def _measured(design: Design, loop: VerifiedLoop, cases: RolloutCase, until: float) -> RolloutPeaks:
    """In blocks, so that no more states are kept at once than fit a small machine."""
    starts = range(0, len(cases.centre), BLOCK)
    return _together(RolloutPeaks, [_run(design, loop, cases.pick(slice(k, k + BLOCK)), until) for k in starts])


def _together(kind: Callable[..., OfRollouts], parts: Sequence[OfRollouts]) -> OfRollouts:
    return kind(*map(np.concatenate, zip(*parts, strict=True)))


def _random_cases(design: Design, count: int, rng: np.random.Generator) -> RolloutCase:
    n, known = design.arm.n, design.family.directions
    theta = known.draw(rng, count)
    lowest, highest = _frequencies(design)
    frequency = np.exp(rng.uniform(np.log(lowest), np.log(highest), size=(count, n)))
    push = known.disturbance * rng.choice([0.0, 1.0, -1.0], size=(count, 1))
    waves = _waves(design, rng.uniform(0.0, 1.0, size=(count, n)), frequency, rng.uniform(0.0, 2.0 * np.pi, (count, n)))
    offset = np.zeros((count, n))
    offset[-max(1, count // 8) :] = rng.choice([-1.0, 1.0], size=(max(1, count // 8), n)) * design.error
    return RolloutCase(*waves, theta, push, offset)


def _frequencies(design: Design) -> tuple[Floats, Floats]:
    """Between a slow wave and one that reaches the largest speed and acceleration at once, Hz."""
    speed = vector("speed", design.performance.speed, design.arm.n)
    corner = vector("acceleration", design.performance.acceleration, design.arm.n) / speed / (2.0 * np.pi)
    return 0.3 * corner, 3.0 * corner


def _waves(design: Design, where: Floats, frequency: Floats, phase: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Waves as large as speed, acceleration and workspace allow."""
    n = design.arm.n
    w = 2.0 * np.pi * frequency
    lo, hi = design.workspace.T
    fast = vector("speed", design.performance.speed, n) / w
    amplitude = np.minimum(fast, vector("acceleration", design.performance.acceleration, n) / w**2)
    amplitude = np.minimum(amplitude, 0.5 * (hi - lo))
    return lo + amplitude + where * (hi - lo - 2.0 * amplitude), amplitude, frequency, phase


def _made_worse(design: Design, cases: RolloutCase, rng: np.random.Generator) -> RolloutCase:
    """Cases near those given: waves shifted, retuned, some joints' moved; the push turned round in some."""
    lowest, highest = _frequencies(design)
    frequency = np.clip(cases.frequency * np.exp(0.2 * rng.standard_normal(cases.frequency.shape)), lowest, highest)
    lo, hi = design.workspace.T
    room = np.maximum(hi - lo - 2.0 * cases.amplitude, 1e-12)
    where = np.clip((cases.centre - lo - cases.amplitude) / room, 0.0, 1.0)
    where = np.clip(where + 0.1 * rng.standard_normal(where.shape), 0.0, 1.0)
    phase = cases.phase + 0.5 * rng.standard_normal(cases.phase.shape)
    turned = np.where(rng.uniform(size=(len(cases.phase), 1)) < 0.2, -1.0, 1.0)
    return RolloutCase(*_waves(design, where, frequency, phase), cases.theta, cases.push * turned, cases.offset)


@dataclass(frozen=True, eq=False)
class VerifiedLoop:
    """Any arm of the family under the designed law on any waves, pushed: all that a case says are parameters."""

    simulation: Simulation
    look: Callable[[Any, Any, Any], Any]  # V, torques of the law (n,), tracking errors (n,)
    names: tuple[str, ...]  # of the parameters


def _closed_loop(design: Design) -> VerifiedLoop:
    from torsor.algebra import sign
    from torsor.mechanics.composite import mass_matrix
    from torsor.simulation import Simulation, parameter

    family, n = design.family, design.arm.n
    known = {name: parameter(name, n) for name in ("centre", "amplitude", "frequency", "phase", "push")}
    if family.directions.k:
        known["theta"] = parameter("theta", family.directions.k)
    law = design.law(design.workspace.mean(axis=1))
    law.reference = Sine(*(known[name] for name in ("centre", "amplitude", "frequency", "phase")))
    pi = family.parameters(known.get("theta"))
    tree = tree_with(family.centre, pi)

    def pushed(t: Any, q: Any, qd: Any) -> Any:
        return law.torque(t, q, qd) + known["push"] * sign(law.sliding(t, q, qd)[0])

    def look(t: Any, q: Any, qd: Any) -> Any:
        r, e = law.sliding(t, q, qd)[0], q - law.reference.at(t)[0]
        V = 0.5 * form(mass_matrix(tree, q), r) + form(law.Lambda @ law.K, e)
        return np.concatenate([[V], law.torque(t, q, qd), e])

    simulation = Simulation(
        family.centre, pushed, inertia=pi, drives=False, saturation=False, limits="ignore", integrator="rk4"
    )
    return VerifiedLoop(simulation, look, tuple(known))


def _run(design: Design, loop: VerifiedLoop, cases: RolloutCase, until: float) -> RolloutPeaks:
    from torsor.simulation import SimulationNotice

    n = design.arm.n
    steps = int(np.ceil(until * max(500.0, design.fastest / 1.2)))  # Runge and Kutta hold to 2.7 / fastest
    h = until / steps
    known = {name: getattr(cases, name) for name in loop.names}
    q, qd, _ = Sine(cases.centre, cases.amplitude, cases.frequency, cases.phase).at(np.zeros(len(cases.centre)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)  # of rollouts that diverge, which is counted below
        run = loop.simulation.run(q0=q + cases.offset, qd0=qd, until=until, dt=h, parameters=known)
    seen = run.along(loop.look)  # (rollouts, times, 1 + 2 n)
    V, tau, e = seen[..., 0] / design.level, np.abs(seen[..., 1 : 1 + n]), np.abs(seen[..., 1 + n :])
    fall = np.exp(-2.0 * design.alpha * h)
    rise = V[:, 1:] - V[:, :-1] * fall - (1.0 - fall)
    return RolloutPeaks(np.nanmax(e, axis=1), np.nanmax(tau, axis=1), V.max(axis=1), np.fmax.reduce(rise, axis=1))


def _verification(design: Design, cases: RolloutCase, found: RolloutPeaks, until: float) -> Verification:
    on = ~cases.offset.any(axis=1)  # those that start on the reference
    shares = np.where(on, (found.error / design.error).max(axis=1), 0.0)
    return Verification(
        rollouts=len(shares),
        until=until,
        error=found.error[on].max(axis=0, initial=0.0),
        share=float(shares.max()),
        level=float(found.level[on].max(initial=0.0)) if np.isfinite(found.level).all() else np.inf,
        rise=max(0.0, float(np.nanmax(found.rise))),
        torque=found.torque.max(axis=0),
        shares=shares,
        cases=cases,
    )
