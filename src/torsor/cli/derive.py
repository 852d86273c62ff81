"""``torsor derive``: equations of an arm, to read or to take away."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from cyclopts import Parameter

from torsor import loading
from torsor.cli.printing import give
from torsor.cli.progress import progress
from torsor.cli.shared_options import AllowNonphysical, EffortOption, OutputOption, Packages, Robot, Strict
from torsor.errors import Unsupported
from torsor.model.files import is_special, ready

if TYPE_CHECKING:
    from torsor.arm import Arm
    from torsor.derived import Equations
    from torsor.simulation.fmu_export import FmiVersion

WhatOption = Annotated[
    list[str],
    Parameter(
        negative="",
        help="inverse-dynamics, forward-dynamics, mass-matrix, coefficients, jacobian ...; several, with commas "
        "between, share one file of C or Python, or a folder of MATLAB's.",
    ),
]
By = Annotated[
    str | None, Parameter(help="The formulation: newton-euler, kane, closed-form ...; the cheapest, if not given.")
]
ParameterKind = Annotated[
    str, Parameter(help="numeric: folded in; symbolic: m2, rx2, Ixy3 stay symbols; base: the fewest combinations.")
]
Lengths = Annotated[bool, Parameter(negative="", help="Lengths of Denavit-Hartenberg rows are symbols too.")]
PayloadFlag = Annotated[bool, Parameter(negative="", help="What the arm holds is symbols: mp, rxp, Ixxp ...")]
WithDrives = Annotated[
    bool, Parameter(name="--drives", negative="", help="Motor torques: rotors, gears, couplings and friction counted.")
]
StatesOption = Annotated[Literal["joints", "motors"], Parameter(help="With --drives: whose motion it is.")]
Friction = Annotated[bool, Parameter(help="With --drives: friction of motors, gears and joints.")]
Cycle = Annotated[
    float | None, Parameter(help="In s: the controller's cycle, of achievable-motion; the step of an FMU.")
]
FmiOption = Annotated[Literal["2.0", "3.0"], Parameter(help="Of an FMU: the version of FMI.")]
WrenchFlag = Annotated[bool, Parameter(negative="", help="Force and moment at the tool are an input.")]
RealOption = Annotated[Literal["double", "float"], Parameter(help="Of C: the numbers it computes with.")]
TrigOption = Annotated[
    Literal["math.h", "inline"], Parameter(help="Of C: where sine and cosine come from; inline needs no library.")
]
LanguageOption = Annotated[
    Literal["text", "latex", "c", "matlab", "python", "json", "sympy", "fmu"], Parameter(help="What to write.")
]


SEVERAL = ("c", "matlab", "python", "text")  # languages in which several quantities stand in one file


def derive(
    robot: Robot,
    /,
    *,
    what: WhatOption | None = None,
    by: By = None,
    parameters: ParameterKind = "numeric",
    lengths: Lengths = False,
    payload: PayloadFlag = False,
    drives: WithDrives = False,
    states: StatesOption = "joints",
    friction: Friction = True,
    dt: Cycle = None,
    wrench: WrenchFlag = False,
    frame: Annotated[str, Parameter(help="Of poses and Jacobians: tool, a link, or a named frame.")] = "tool",
    tree: Annotated[
        bool, Parameter(negative="", help="Of an arm with loops: all its joints, with loops open.")
    ] = False,
    to: LanguageOption = "text",
    real: RealOption = "double",
    trig: TrigOption = "math.h",
    fmi: FmiOption = "3.0",
    effort: EffortOption = "high",
    output: OutputOption = None,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
    strict: Strict = False,
) -> None:
    """Derives the equations of an arm.

    Example: torsor derive puma560 --parameters base --to c -o puma560.c

    Operation counts stand in the head of every output; what depends on parameters only is computed once and not
    counted. C comes with a header file of the same name beside it, which tells units, joints, gravity and tool, and
    with a self-test. Of several --what, the first is not special: all become functions of one file.
    """
    from torsor import derived, deriving  # the other commands need not wait for it

    asked = [name.strip() for each in what or ["inverse-dynamics"] for name in each.split(",")]
    if to != "c" and (real, trig) != ("double", "math.h"):
        raise Unsupported(f"--real and --trig are of C, not of {to}", hint="add --to c, or leave them out")
    if len(asked) > 1 and to not in SEVERAL:
        raise Unsupported(f"{len(asked)} quantities for {to}", hint=f"several go together in {', '.join(SEVERAL)}")
    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical, strict=strict)
    if to == "fmu":
        if what is not None or by is not None or parameters != "numeric" or lengths or wrench or not friction:
            raise Unsupported("an FMU is the motion of an arm", hint="--drives, --payload, --dt and --fmi are for it")
        _write_fmu(arm.tree if tree else arm, output, drives=drives, payload=payload, dt=dt, fmi=fmi)
        return
    if output is not None:
        files = {"c": derived.c_files(output), "matlab": {}}  # of MATLAB the folder is made
        ready(files.get(to, {"-o": output}))
    kind = cast(Any, parameters)  # derive names what it does not know
    options: deriving.DeriveOptions = {
        "by": by,
        "parameters": kind,
        "lengths": lengths,
        "payload": payload,
        "frame": frame,
        "effort": effort,
        "drives": drives,
        "states": states,
        "friction": friction,
        "dt": dt,
        "wrench": wrench,
    }
    with progress("deriving", 1.0) as show:
        options["progress"] = show
        equations = deriving.derive(arm.tree if tree else arm, asked, **options)
    if to == "c":
        if output is not None and not is_special(output):
            equations.to_c(output, real=real, trig=trig)
        else:
            give(equations.to_c(real=real, trig=trig), output)
    elif to == "matlab":
        text = equations.to_matlab(output)
        if output is None:
            give(text, None)
    elif to == "python":
        give(equations.to_python(), output)
    else:
        give(_written(equations[0], to) if to != "text" else str(equations).rstrip("\n") + "\n", output)


def _write_fmu(
    arm: Arm, output: Path | None, *, drives: bool, payload: bool, dt: float | None, fmi: FmiVersion
) -> None:
    """Torques in, motion out; it starts at rest with all joints at zero, or where loops are assembled."""
    import numpy as np

    from torsor.simulation import Simulation

    if output is None or is_special(output):
        raise Unsupported("an FMU is a file", hint="name it: -o ur5.fmu")
    motors = len(arm.model.drives)
    if drives and not motors:
        raise Unsupported(f"{arm.name!r} has no drives", hint="describe them with [[drive]] in its arm file")
    start = arm.closure.free_of(arm.closure.reference) if arm.model.loops else np.zeros(arm.n)
    torques = np.zeros(motors if drives else arm.n)
    held = {"payload": 0.0 if arm.model.payload is None else arm.model.payload.mass} if payload else {}
    made = Simulation(arm, torques, drives=drives, limits="ignore", integrator="rk4")
    made.to_fmu(output, q0=start, dt=dt or 1e-3, parameters=held, fmi=fmi)


def _written(equations: Equations, to: str) -> str:
    if to == "json":
        return equations.to_json().rstrip("\n") + "\n"
    return equations.to_latex() if to == "latex" else sympy_script(equations)


def sympy_script(equations: Equations) -> str:
    """A Python program that makes the equations as SymPy expressions."""
    made = equations.to_sympy()
    names = [str(entry) for block in made.inputs.values() for entry in block]
    lines = [
        f"# {equations.robot}: {equations.quantity.replace('_', ' ')} by {equations.by}, generated by torsor",
        f"# operations: {equations.count()}",
        "from sympy import *",
        "",
        f'{", ".join(names)} = symbols("{" ".join(names)}", real=True)',
        *(f"{symbol} = {_rationals(str(expression))}" for symbol, expression in made.intermediates),
        *(f"{name} = {_rationals(str(block))}" for name, block in made.outputs.items()),
    ]
    return "\n".join(lines) + "\n"


def _rationals(text: str) -> str:
    """Python would divide 1/3 by itself, and round it.

    >>> _rationals("1/3 + 2*x1/3")
    'Rational(1, 3) + 2*x1/3'
    """
    return re.sub(r"(?<![\w.)*])(\d+)/(\d+)", r"Rational(\1, \2)", text)
