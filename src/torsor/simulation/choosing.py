"""Which integrator: the one asked for, or the one that suits the loop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import ceil, pi

from torsor.emit.recent import Recent
from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.simulation.plant import Plant
from torsor.simulation.stepper import Stepper
from torsor.simulation.stiffness import EXPLICIT, fastest, pole_text

TIGHT, STIFF = 1e-9, 1e-8  # tolerances without a word: of dormand-prince, and where stiffness chose rosenbrock
LARGEST_IMPLICIT = 24  # equations that are factored in straight code; with more, shorter explicit steps are cheaper
LARGEST_WITH_LOOPS = 12  # the same where forces of loops act, whose slopes cost more
FASTEST_POLE = 1e12  # 1/s
BEARS = {"rk4": 2.83, "semi-implicit-euler": 2.0, "euler": 2.0}  # |w| dt of what swings; Euler bears less
MOST = 400  # steps of rk4 for one dt, where nothing else can be used
SWINGING, FEW = 2.0, 40  # |pole| dt of rk4 for what swings, and so many steps cost less than those of rosenbrock


@dataclass(frozen=True)
class Choice:
    """How a run is stepped; why, where that is not what was asked for."""

    integrator: str
    tolerance: float | None = None
    substeps: int = 1  # for one of dt
    why: str | None = None


IMPLICIT = Choice("rosenbrock", STIFF)
_SWINGS: Recent[tuple[float, str]] = Recent(64)  # rad/s of what swings fastest: runs are made again and again


def chosen(plant: Plant, dt: float, y: Floats, p: Floats, held: Floats | None) -> Choice:
    """As the setting says; else rk4, or what a stiff loop needs, seen at states y (starts, size)."""
    asked, tolerance = plant.setting.integrator, plant.setting.tolerance
    if asked is not None:
        require_short_steps(plant, asked, dt, y)
        return Choice(asked, tolerance or TIGHT if asked == "dormand-prince" else tolerance)
    pole = fastest(plant, y, p, held)
    if abs(pole) * dt <= EXPLICIT:
        return Choice("rk4") if tolerance is None else Choice("dormand-prince", tolerance)
    if not abs(pole) < FASTEST_POLE:
        text = f"the loop has a pole at {pole_text(pole)} 1/s, which nothing that moves has"
        raise Unsupported(text, hint=f"smaller gains, larger masses: poles below {FASTEST_POLE:g} 1/s are stepped")
    most = EXPLICIT / abs(pole)
    why = f"the loop is stiff: a pole at {pole_text(pole)} 1/s asks rk4 for steps below {most:.2g} s"
    if plant.elastic is not None:
        return _swinging(plant, dt, pole, why)
    if plant.torque.kind == "sampled":
        return Choice("rk4", why=f"{why}; choose dt accordingly")
    if not plant.has_slopes or plant.n + plant.k > LARGEST_IMPLICIT:
        substeps = min(MOST, ceil(abs(pole) * dt / EXPLICIT))
        return Choice("rk4", None, substeps, f"{why}; {substeps} steps of rk4 are made for each dt of {dt:g} s")
    reach = tolerance or STIFF
    why += f"; it is stepped by the implicit rosenbrock to a tolerance of {reach:g}"
    return Choice("rosenbrock", reach, why=why)


def _swinging(plant: Plant, dt: float, pole: complex, why: str) -> Choice:
    """What swings asks for short steps whoever makes them: explicit ones are the cheapest then."""
    tolerance, sampled = plant.setting.tolerance, plant.torque.kind == "sampled"
    if tolerance is not None and not (sampled and plant.many):
        return Choice("dormand-prince", tolerance)
    substeps = ceil(abs(pole) * dt / SWINGING)
    largest = LARGEST_WITH_LOOPS if plant.has_multipliers else LARGEST_IMPLICIT
    implicit = not sampled and plant.has_slopes and plant.n + plant.k <= largest
    if substeps <= (FEW if implicit else MOST):
        return Choice("rk4", None, substeps, f"{why}; {substeps} steps of rk4 are made for each dt of {dt:g} s")
    if implicit:
        why += "; it is stepped by the implicit rosenbrock, which damps what is faster than its steps"
        return Choice("rosenbrock", STIFF, why=why)
    text = f"dt = {dt:g} s is too long for what swings in {plant.arm.name!r}, with a pole at {pole_text(pole)} 1/s"
    raise Unsupported(text, hint=f"dt of {MOST * SWINGING / abs(pole):.2g} s or less, fewer modes, or softer springs")


def again(plant: Plant, dt: float, pole: complex) -> Choice:
    """How a run is stepped again that became stiff on its way."""
    why = f"the loop becomes stiff on its way, with a pole at {pole_text(pole)} 1/s"
    if plant.elastic is None:
        return replace(IMPLICIT, why=f"{why}; it was stepped again by the implicit rosenbrock")
    choice = _swinging(plant, dt, 1.2 * pole, why)
    shorter = f" in {choice.substeps} steps for each dt" if choice.substeps > 1 else ""
    return replace(choice, why=f"{why}; it was stepped again by {choice.integrator}{shorter}")


def require_short_steps(plant: Plant, integrator: str, dt: float, y: Floats) -> None:
    """Refuses explicit steps that are asked for and too long for the fastest mode of an elastic arm."""
    elastic = plant.elastic
    if elastic is None or integrator not in BEARS:
        return
    for x in plant.moving(y)[0]:
        swings, name = _SWINGS.get((elastic, x.tobytes()), partial(elastic.fastest, x))
        if swings * dt > BEARS[integrator]:
            what = f"{name!r}, which swings at {swings / (2.0 * pi):.4g} Hz"
            hint = f"dt of {BEARS[integrator] / swings:.2g} s or less, or leave integrator out, which chooses for you"
            raise Unsupported(f"dt = {dt:g} s is too long for {integrator} and {what}", hint=hint)


def stepper_of(plant: Plant, choice: Choice, dt: float, lanes: bool) -> Stepper:
    from torsor.simulation import dormand_prince, explicit, rosenbrock, sticking, symplectic

    name = choice.integrator
    if name == "dormand-prince":
        return dormand_prince.DormandPrince(plant, dt, tolerance=choice.tolerance or TIGHT)
    if plant.many:
        if name != "rk4":
            text = f"{name} does not know friction that sticks, which acts on {plant.arm.name!r}"
            raise Unsupported(text, hint="integrator='rk4' or 'dormand-prince' do; drives=False leaves it out")
        return sticking.Sticking(plant, dt, lanes=lanes)
    if name == "symplectic" and plant.has_multipliers:
        text = f"symplectic does not know forces of loops, which {plant.arm.name!r} has while it bends"
        raise Unsupported(text, hint="integrator='rk4', 'dormand-prince' or 'rosenbrock'")
    if name in ("rosenbrock", "symplectic") and not plant.has_slopes:
        raise Unsupported(f"{name} needs derivatives of the law", hint="write it so that it can be traced, or rk4")
    if name == "rosenbrock":
        return rosenbrock.Rosenbrock(plant, dt, lanes=lanes, tolerance=choice.tolerance)
    kinds: dict[str, type[Stepper]] = {"rk4": explicit.RungeKutta, "symplectic": symplectic.Symplectic}
    kinds |= {"euler": explicit.Euler, "semi-implicit-euler": explicit.SemiImplicitEuler}
    return kinds[name](plant, dt, lanes=lanes)
