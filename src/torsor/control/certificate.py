"""The certificate of a design: each step of the argument with its numbers and how it was found, and what it covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torsor.control.bounds import MARGIN, SAMPLES
from torsor.control.gains import SAME, vector
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.control.designing import Design


from typing import TYPE_CHECKING, Any

from torsor.control.gains import numbers
from torsor.control.reference import Reference, as_reference
from torsor.errors import Unsupported, did_you_mean

if TYPE_CHECKING:
    from torsor.control.designing import Design


TIMES = 2001  # at which a reference is looked at
ROUNDING = 1e-9  # the promise is kept by this share even if the last digits of the arithmetic are wrong
CERTAIN, SAMPLED, ALGEBRA = "intervals", "sampled", "algebra"


@dataclass(frozen=True)
class Claim:
    """One line: what is claimed, with numbers, and whether it is certain."""

    claim: str
    value: str
    how: str


@dataclass(frozen=True)
class Certificate:
    """``str`` for a terminal, ``markdown`` for a page."""

    title: str
    stated: tuple[Claim, ...]
    argument: tuple[Claim, ...]
    promise: tuple[str, ...]

    def __str__(self) -> str:
        rows = [*self.stated, *self.argument]
        first, second = (max(len(getattr(row, name)) for row in rows) for name in ("claim", "value"))
        lines = [self.title, "stated"]
        lines += [f"  {row.claim:<{first}}  {row.value}" for row in self.stated]
        lines.append("argument")
        lines += [f"  {row.claim:<{first}}  {row.value:<{second}}  {row.how}".rstrip() for row in self.argument]
        return "\n".join([*lines, "promise", *(f"  {line}" for line in self.promise)])

    def markdown(self) -> str:
        rows = [*self.stated, *self.argument]
        lines = [f"**{self.title}**", "", "| claim | value | how |", "| --- | --- | --- |"]
        lines += [f"| {row.claim} | {row.value} | {row.how} |" for row in rows]
        return "\n".join([*lines, "", *(f"- {line}" for line in self.promise)])


def certificate_of(design: Design) -> Certificate:
    b, known, n = design.bounds, design.family.directions, design.arm.n
    c = design.bandwidth * float((b.heaviest / design.K).max())
    gap = b.M[b.M_seen > 0.0] / b.M_seen[b.M_seen > 0.0]
    left = 2.0 * (1.0 - design.alpha / design.bandwidth * c) * (1.0 - design.alpha / design.bandwidth)
    stated = [
        *(Claim(name, f"+- {reach:.4g}", "") for name, reach in zip(known.names, known.reach, strict=True)),
        *([Claim("disturbance", f"{_row(known.disturbance)} N m", "")] if known.disturbance.any() else []),
        Claim("workspace, least", f"{_row(design.workspace[:, 0])} rad", ""),
        Claim("workspace, most", f"{_row(design.workspace[:, 1])} rad", ""),
        Claim("speed of references", f"{_row(vector('speed', design.performance.speed, n))} rad/s", ""),
        Claim("acceleration", f"{_row(vector('acceleration', design.performance.acceleration, n))} rad/s^2", ""),
    ]
    argument = [
        Claim(
            "M_ii at most", _row(np.diag(b.M)), f"{CERTAIN}, {b.boxes} boxes; entries {gap.max():.2f} x seen at most"
        ),
        Claim("M <= D = diag", _row(b.heaviest), f"{ALGEBRA}: diagonal dominance of those bounds"),
        Claim("lambda_max(M) at most", f"{b.largest:.4g}", f"{CERTAIN}: row sums"),
        Claim("lambda_min(M) at least", f"{b.least:.4g}", f"{SAMPLED} at {SAMPLES} states, times {MARGIN:g}"),
        Claim("|C(q, qd)| / |qd| at most", f"{b.coriolis:.4g}", f"{CERTAIN}: slopes of M"),
        Claim("|g_i| at most", _row(b.g), f"{CERTAIN}"),
        Claim("lambda", f"{design.bandwidth:.4g} 1/s", "chosen" if design.performance.bandwidth is None else "stated"),
        Claim("K = diag", _row(design.K), "chosen"),
        Claim("eps", _row(design.boundary), "chosen"),
        *([Claim("phi", _row(design.disturbance_boundary), "chosen")] if known.disturbance.any() else []),
        Claim("lambda mu, M <= mu K", f"{c:.4g}", f"{ALGEBRA}"),
        Claim("alpha", f"{design.alpha:.4g} 1/s", f"{ALGEBRA}: 2 (1 - alpha mu)(1 - alpha/lambda) = {left:.6f} >= 1"),
        Claim("delta = (rho.eps + d.phi) / 4", f"{design.slack:.4g} W", f"{ALGEBRA}"),
        Claim("V <= delta / (2 alpha)", f"{design.level:.4g} J", f"{ALGEBRA}: Vd <= -2 alpha V + delta"),
        Claim("|e_i| <= sqrt(V / (lambda k_i))", f"{_row(design.error)} rad", f"{ALGEBRA}"),
        Claim("|ed_i| at most", f"{_row(speed_error(design))} rad/s", f"{SAMPLED} M^-1, times {1 / MARGIN:g}"),
        Claim("|tau_i| at most", f"{_row(torque(design))} N m", f"M, C, g {CERTAIN}; |ed| {SAMPLED}"),
        Claim("fastest pole about", f"-{design.fastest:.4g} 1/s", f"{SAMPLED}"),
    ]
    done = design.verification
    promise = [
        f"no joint is off its reference by more than {_row(design.error)} rad, for every arm stated,",
        "if it starts on the reference, the reference keeps to what is stated, and the torques are given in continuous",
        "time. Outside of that there is no promise.",
        f"Simulated: {done}." if done is not None else "Not simulated: say design.verify().",
    ]
    return Certificate(f"robust design for {design.arm.name}", tuple(stated), tuple(argument), tuple(promise))


def speed_error(design: Design) -> Floats:
    """(n,) |ed_i| <= |r_i| + lambda |e_i|, |r_i| <= sqrt(2 V (M^-1)_ii)."""
    return np.asarray(np.sqrt(2.0 * design.level * design.bounds.easiest) + design.bandwidth * design.error)


def torque(design: Design) -> Floats:
    """(n,) |tau_i|: M a + C v + g of an arm of the box, and K r."""
    n, performance = design.arm.n, design.performance
    ed, e, lam = speed_error(design), design.error, design.bandwidth
    speed = vector("speed", performance.speed, n)
    a = vector("acceleration", performance.acceleration, n) + lam * ed
    v, qd, r = speed + lam * e, speed + ed, np.sqrt(2.0 * design.level * design.bounds.easiest)
    moving = np.einsum("ijk,j,k->i", design.bounds.christoffel, v, qd)
    found: Floats = design.bounds.M @ a + moving + design.bounds.g + design.K * r
    return found + design.family.directions.disturbance


def _row(values: Floats) -> str:
    """Four digits each; one number where all are the same."""
    if np.allclose(values, values[:1], rtol=SAME, atol=0.0) and values.size:
        return f"{values[0]:.4g}"
    return " ".join(f"{value:.4g}" for value in values)


CASES = ("payload", "com", "gyration", "link_mass", "link_inertia", "disturbance", "reference", "q")


def reasons(design: Design, **case: Any) -> list[str]:
    """Why a case is not covered; see ``Design.covers``."""
    return [reason for name, value in case.items() for reason in _uncovered(design, name, value)]


def _uncovered(design: Design, name: str, value: Any) -> Iterator[str]:
    known, arm = design.uncertainty, design.arm
    match name:
        case "payload":
            mass, own = float(vector(name, value, 1)[0]), arm.model.payload
            low, high = known.payload or (0.0 if own is None else own.mass,) * 2
            if not low <= mass <= high:
                yield f"a payload of {mass:g} kg is outside the stated {low:g} to {high:g} kg"
        case "com":
            off = np.abs(vector(name, value, 3) - vector(name, known.com, 3))
            if not (off <= vector("com_spread", known.com_spread, 3) + SAME).all():
                yield f"a payload {off.max():g} m off its stated place is further than the stated spread"
        case "gyration":
            radius = float(vector(name, value, 1)[0])
            if radius > known.gyration:
                yield f"a radius of gyration of {radius:g} m is above the stated {known.gyration:g} m"
        case "link_mass" | "link_inertia":
            share, most = float(getattr(known, name)), float(np.abs(numbers(name, value)).max())
            if most > share:
                words = name.replace("_", " ")
                yield f"a {words} off by {100 * most:g} % is beyond the stated {100 * share:g} %"
        case "disturbance":
            given, stated = np.abs(vector(name, value, arm.n)), design.family.directions.disturbance
            for i in np.flatnonzero(given > stated)[:1]:
                yield f"{given[i]:g} N m on {arm.joint_names[i]} are more than the stated {stated[i]:g} N m"
        case "q":
            yield from _outside(design, numbers(name, value))
        case "reference":
            yield from _too_fast(design, as_reference(value, arm.n))
        case _:
            raise Unsupported(f"there is no case {name!r}", hint=did_you_mean(name, CASES))


def _too_fast(design: Design, reference: Reference) -> Iterator[str]:
    # beyond its end a reference rests; a wave repeats
    end = reference.duration if np.isfinite(reference.duration) else 100.0
    n, asked, names = design.arm.n, design.performance, design.arm.joint_names
    q, qd, qdd = (np.broadcast_to(part, (TIMES, n)) for part in reference.at(np.linspace(0.0, end, TIMES)))
    yield from _outside(design, q)
    for word, rates, stated, unit in (
        ("speed", qd, asked.speed, "rad/s"),
        ("acceleration", qdd, asked.acceleration, "rad/s^2"),
    ):
        peak, most = np.abs(rates).max(axis=0), vector(word, stated, n)
        i = int(np.argmax(peak / most))
        if peak[i] > most[i] * (1.0 + ROUNDING):
            yield f"its {word} of {peak[i]:.4g} {unit} on {names[i]} is above the stated {most[i]:g} {unit}"


def _outside(design: Design, q: Floats) -> Iterator[str]:
    lo, hi = design.workspace.T
    off = np.maximum(lo - q, q - hi).reshape(-1, design.arm.n).max(axis=0)
    i = int(np.argmax(off))
    if off[i] > SAME:
        yield f"{design.arm.joint_names[i]} leaves the stated workspace {lo[i]:.4g} to {hi[i]:.4g} by {off[i]:.4g} rad"
