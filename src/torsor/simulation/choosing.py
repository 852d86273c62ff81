"""Which integrator: the one asked for, or the one that suits the loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.simulation.events import Guard
from torsor.simulation.plant import Plant
from torsor.simulation.stepping import Stepper
from torsor.simulation.stiffness import Start, judged

CHOICES = ("rk4", "dormand-prince", "rosenbrock", "symplectic", "semi-implicit-euler", "euler")
TIGHT, STIFF = 1e-9, 1e-8  # tolerances without a word: of dormand-prince, and where stiffness chose rosenbrock


def chosen(
    plant: Plant,
    integrator: str | None,
    tolerance: float | None,
    dt: float,
    starts: Sequence[Start],
    held: Floats | None,
    notes: list[str],
) -> tuple[str, float | None, int]:
    """Name, tolerance, and how many steps are made for one of ``dt``."""
    if integrator is not None:
        if integrator == "dormand-prince":
            return integrator, tolerance or TIGHT, 1
        return integrator, tolerance, 1
    return judged(plant, tolerance, dt, starts, held, notes)


def stepper_of(name: str, plant: Plant, guards: tuple[Guard, ...], lanes: bool, tolerance: float | None) -> Stepper:
    from torsor.simulation import dormand_prince, explicit, sticking

    if name == "dormand-prince":
        return dormand_prince.DormandPrince(plant, guards, tolerance=tolerance or TIGHT)
    if plant.many:
        if name != "rk4":
            raise Unsupported(
                f"{name} does not know friction that sticks, which acts on {plant.arm.name!r}",
                hint="integrator='rk4' or 'dormand-prince' do; drives=False leaves it out",
            )
        return sticking.Sticking(plant, guards, lanes=lanes)
    if name in ("rosenbrock", "symplectic"):
        if plant.torque.kind == "called":
            raise Unsupported(f"{name} needs derivatives of the law", hint="write it so that it can be traced, or rk4")
        if name == "rosenbrock":
            from torsor.simulation.rosenbrock import Rosenbrock

            return Rosenbrock(plant, guards, lanes=lanes, tolerance=tolerance)
        from torsor.simulation.symplectic import Symplectic

        return Symplectic(plant, guards, lanes=lanes)
    kinds: dict[str, Any] = {
        "rk4": explicit.RungeKutta,
        "euler": explicit.Euler,
        "semi-implicit-euler": explicit.SemiImplicitEuler,
    }
    made: Stepper = kinds[name](plant, guards, lanes=lanes)
    return made
