"""Simulated arms of a family under the designed law, random and adversarial, held against what was promised.

All rollouts go in one batch through a kernel of the closed loop in which parameters, references and pushes are inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.control.gains import form, vector
from torsor.control.reference import Sine
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.control.designing import Design
    from torsor.emit import Kernel


@dataclass(frozen=True, eq=False)
class Case:
    """What a rollout is made of, each (rollouts, ...): a wave for each joint, an arm, a push along r."""

    centre: Floats
    amplitude: Floats
    frequency: Floats
    phase: Floats
    theta: Floats
    push: Floats  # N m, in the direction in which it harms most at each moment
    offset: Floats  # of q from the reference at the start

    def __len__(self) -> int:
        return len(self.centre)

    def pick(self, rows: Any) -> Case:
        return Case(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))

    def joined(self, other: Case) -> Case:
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__)
        return Case(*(np.concatenate(pair) for pair in pairs))


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
    cases: Case

    @property
    def kept(self) -> bool:
        """Whether every promise was kept, to rounding and the error of integration."""
        return self.share <= 1.0 and self.level <= 1.0 and self.rise <= 1e-3

    def __str__(self) -> str:
        verdict = "kept" if self.kept else "BROKEN"
        return (
            f"{self.rollouts} rollouts of {self.until:g} s: promise {verdict}; largest error {100 * self.share:.1f} %"
            f" of the bound, V at most {100 * self.level:.1f} % of its level"
        )


def verify(design: Design, rollouts: int, *, until: float, seed: int) -> Verification:
    """Half the rollouts are random, arms at corners of the box among them; half are the worst of those made worse."""
    rng = np.random.default_rng(seed)
    first = _random_cases(design, (rollouts + 1) // 2, rng)
    kernel = _closed_loop(design)
    done = _run(design, kernel, first, until)
    if rollouts > len(first):
        worst = np.argsort(-done.shares, kind="stable")[: max(1, len(first) // 5)]
        second = _made_worse(design, first.pick(rng.choice(worst, rollouts - len(first))), rng)
        done = _joined(done, _run(design, kernel, second, until))
    return done


def _random_cases(design: Design, count: int, rng: np.random.Generator) -> Case:
    n, known = design.arm.n, design.family.directions
    theta = known.draw(rng, count)
    lowest, highest = _frequencies(design)
    frequency = np.exp(rng.uniform(np.log(lowest), np.log(highest), size=(count, n)))
    push = known.disturbance * rng.choice([0.0, 1.0, -1.0], size=(count, 1))
    waves = _waves(design, rng.uniform(0.0, 1.0, size=(count, n)), frequency, rng.uniform(0.0, 2.0 * np.pi, (count, n)))
    offset = np.zeros((count, n))
    offset[-max(1, count // 8) :] = rng.choice([-1.0, 1.0], size=(max(1, count // 8), n)) * design.error
    return Case(*waves, theta, push, offset)


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


def _made_worse(design: Design, cases: Case, rng: np.random.Generator) -> Case:
    """Cases near those given: waves shifted, retuned, some joints' moved; the push turned round in some."""
    n = design.arm.n
    lowest, highest = _frequencies(design)
    frequency = np.clip(cases.frequency * np.exp(0.2 * rng.standard_normal(cases.frequency.shape)), lowest, highest)
    lo, hi = design.workspace.T
    room = np.maximum(hi - lo - 2.0 * cases.amplitude, 1e-12)
    where = np.clip((cases.centre - lo - cases.amplitude) / room, 0.0, 1.0)
    where = np.clip(where + 0.1 * rng.standard_normal(where.shape), 0.0, 1.0)
    phase = cases.phase + 0.5 * rng.standard_normal((len(cases), n))
    turned = np.where(rng.uniform(size=(len(cases), 1)) < 0.2, -1.0, 1.0)
    return Case(*_waves(design, where, frequency, phase), cases.theta, cases.push * turned, cases.offset)


def _closed_loop(design: Design) -> Kernel:
    """qdd, V, tau and e of the loop, with everything that a case says as inputs."""
    from torsor.algebra import sign, simplify, symbols, tape_from
    from torsor.emit import compile_kernel
    from torsor.mechanics.composite import solve_dense

    family, n = design.family, design.arm.n
    t, push = symbols("t", 1), symbols("push", n)
    wave = {name: symbols(name, n) for name in ("centre", "amplitude", "frequency", "phase")}
    law = design.law(design.workspace.mean(axis=1))
    law.reference = Sine(wave["centre"], wave["amplitude"], wave["frequency"], wave["phase"])
    q, qd = family.q, family.qd
    tau = law.torque(t[0], q, qd)
    r, _, _ = law.sliding(t[0], q, qd)
    e = q - law.reference.at(t[0])[0]
    qdd = solve_dense(family.M, tau + push * sign(r) - family.h)
    V = 0.5 * form(family.M, r) + form(law.Lambda @ law.K, e)
    inputs = {"t": t, "q": q, "qd": qd, **wave, "push": push}
    if family.directions.k:
        inputs["theta"] = family.theta
    outputs = simplify({"qdd": qdd, "V": np.array([V]), "tau": tau, "e": e})
    return compile_kernel(tape_from(f"{design.arm.name}_rollout", inputs, outputs))


def _run(design: Design, kernel: Kernel, cases: Case, until: float) -> Verification:
    n = design.arm.n
    steps = int(np.ceil(until * max(500.0, design.fastest / 1.2)))  # Runge and Kutta hold to 2.7 / fastest
    h = until / steps
    waves = cases.centre, cases.amplitude, cases.frequency, cases.phase, cases.push
    known = (*waves, cases.theta) if design.family.directions.k else waves
    q, qd, _ = Sine(*waves[:4]).at(np.zeros(len(cases)))
    q = q + cases.offset
    on = ~cases.offset.any(axis=1)  # those that start on the reference

    def look(t: float, q: Floats, qd: Floats) -> Any:
        return kernel(np.full((len(q), 1), t), q, qd, *known)

    errors, level, rise, torque = np.zeros((len(cases), n)), 0.0, 0.0, np.zeros(n)
    fall = np.exp(-2.0 * design.alpha * h)
    before = None
    for step in range(steps + 1):
        a1, V, tau, e = look(step * h, q, qd)
        V = V[:, 0] / design.level
        if before is not None:
            rise = max(rise, float((V - before * fall - (1.0 - fall)).max()))
        before = V
        errors = np.maximum(errors, np.abs(e))
        level = max(level, float(V[on].max(initial=0.0)))
        torque = np.maximum(torque, np.abs(tau).max(axis=0))
        if step == steps or not np.isfinite(V).all():
            break
        q2, v2 = q + 0.5 * h * qd, qd + 0.5 * h * a1
        a2 = look((step + 0.5) * h, q2, v2)[0]
        q3, v3 = q + 0.5 * h * v2, qd + 0.5 * h * a2
        a3 = look((step + 0.5) * h, q3, v3)[0]
        q4, v4 = q + h * v3, qd + h * a3
        a4 = look((step + 1) * h, q4, v4)[0]
        q, qd = q + h / 6.0 * (qd + 2.0 * (v2 + v3) + v4), qd + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)
    level = level if np.isfinite(before).all() else np.inf  # type: ignore[arg-type]
    on_error = errors[on].max(axis=0, initial=0.0)
    shares = np.where(on, (errors / design.error).max(axis=1), 0.0)
    share = float(shares.max())
    return Verification(len(cases), until, on_error, share, level, rise, torque, shares, cases)


def _joined(a: Verification, b: Verification) -> Verification:
    return Verification(
        rollouts=a.rollouts + b.rollouts,
        until=a.until,
        error=np.maximum(a.error, b.error),
        share=max(a.share, b.share),
        level=max(a.level, b.level),
        rise=max(a.rise, b.rise),
        torque=np.maximum(a.torque, b.torque),
        shares=np.concatenate([a.shares, b.shares]),
        cases=a.cases.joined(b.cases),
    )
