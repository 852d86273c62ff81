"""Which integrator: the one asked for, or the one that suits the loop."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.simulation.plant import Plant
from torsor.simulation.stepper import Stepper
from torsor.simulation.stiffness import EXPLICIT, fastest, pole_text

TIGHT, STIFF = 1e-9, 1e-8  # tolerances without a word: of dormand-prince, and where stiffness chose rosenbrock
LARGEST_IMPLICIT = 24  # equations that are factored in straight code; with more, shorter explicit steps are cheaper
FASTEST_POLE = 1e12  # 1/s
MOST = 400  # steps of rk4 for one dt, where nothing else can be used


@dataclass(frozen=True)
class Choice:
    """How a run is stepped; why, where that is not what was asked for."""

    integrator: str
    tolerance: float | None = None
    substeps: int = 1  # for one of dt
    why: str | None = None


IMPLICIT = Choice("rosenbrock", STIFF)


def chosen(plant: Plant, dt: float, y: Floats, p: Floats, held: Floats | None) -> Choice:
    """As the setting says; else rk4, or what a stiff loop needs, seen at states y (starts, size)."""
    asked, tolerance = plant.setting.integrator, plant.setting.tolerance
    if asked is not None:
        return Choice(asked, tolerance or TIGHT if asked == "dormand-prince" else tolerance)
    pole = fastest(plant, y, p, held)
    if abs(pole) * dt <= EXPLICIT:
        return Choice("rk4") if tolerance is None else Choice("dormand-prince", tolerance)
    if not abs(pole) < FASTEST_POLE:
        text = f"the loop has a pole at {pole_text(pole)} 1/s, which nothing that moves has"
        raise Unsupported(text, hint=f"smaller gains, larger masses: poles below {FASTEST_POLE:g} 1/s are stepped")
    most = EXPLICIT / abs(pole)
    why = f"the loop is stiff: a pole at {pole_text(pole)} 1/s asks rk4 for steps below {most:.2g} s"
    if plant.torque.kind == "sampled":
        return Choice("rk4", why=f"{why}; choose dt accordingly")
    if not plant.has_slopes or plant.n + plant.k > LARGEST_IMPLICIT:
        substeps = min(MOST, ceil(abs(pole) * dt / EXPLICIT))
        return Choice("rk4", None, substeps, f"{why}; {substeps} steps of rk4 are made for each dt of {dt:g} s")
    reach = tolerance or STIFF
    why += f"; it is stepped by the implicit rosenbrock to a tolerance of {reach:g}"
    return Choice("rosenbrock", reach, why=why)


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
    if name in ("rosenbrock", "symplectic") and not plant.has_slopes:
        raise Unsupported(f"{name} needs derivatives of the law", hint="write it so that it can be traced, or rk4")
    if name == "rosenbrock":
        return rosenbrock.Rosenbrock(plant, dt, lanes=lanes, tolerance=choice.tolerance)
    kinds: dict[str, type[Stepper]] = {"rk4": explicit.RungeKutta, "symplectic": symplectic.Symplectic}
    kinds |= {"euler": explicit.Euler, "semi-implicit-euler": explicit.SemiImplicitEuler}
    return kinds[name](plant, dt, lanes=lanes)
