"""Scenarios: what an arm does under a law, redrawn while a gain is turned."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.law import laws_of_files
from torsor.emit.recent import Recent
from torsor.errors import TorsorError, did_you_mean
from torsor.model.limits import position_limits
from torsor.model.transforms import Floats
from torsor.scenarios import Scenario, parse
from torsor.scenarios.tuning import Tuned
from torsor.studio import recipes
from torsor.studio.asked import AboutScenario, AboutTemplate
from torsor.studio.shelf import Shelf, Telling

POINTS = 800  # of a curve: as many as a screen shows
SCENARIO = "scenario.toml"
_KEPT: Recent[Tuned] = Recent(4)


def run(shelf: Shelf, progress: Telling, asked: AboutScenario) -> dict[str, Any]:
    """The run of a scenario with its gains turned: curves as a screen shows them, figures, the knobs there are."""
    tuned = _tuned(asked)
    scenario, done = turned(asked), tuned.run(asked.gains)
    kept = np.unique(np.linspace(0, len(done.time) - 1, POINTS).astype(int))
    target = scenario.target(done.time)
    return {
        "arm": scenario.arm.name,
        "time": done.time[kept],
        "joints": list(done.arm.joint_names),
        "motors": list(done.motors),
        "follows": "tool" if scenario.tool else "joints",
        "q": done.q[kept].T,
        "tree": _of_tree(done.arm, done.q[kept]).T,
        "target": None if target is None else target[kept].T,
        "torque": done.tau[kept].T,
        "figures": scenario.figures(done).document(),
        "knobs": [vars(knob) for knob in tuned.knobs],
        "python": recipes.script(*running(asked), "figures = scenario.figures(run)"),
        "command": recipes.command("torsor", "simulate", SCENARIO) + _noted(asked),
    }


def turned(asked: AboutScenario) -> Scenario:
    return _tuned(asked).with_gains(asked.gains)


def _tuned(asked: AboutScenario) -> Tuned:
    """Scenarios are kept by their text, so that a gain that is turned meets the loop that was compiled."""
    return _KEPT.get(asked.text, lambda: Tuned(parse(asked.text, SCENARIO)))


def _of_tree(arm: Arm, q: Floats) -> Floats:
    return arm.closure.positions(q) if arm.model.loops else q


def running(asked: AboutScenario) -> list[str]:
    turned = [f"scenario.law.{name} = {recipes.written(value)}" for name, value in asked.gains.items()]
    text = recipes.text_literal(asked.text)
    return ["from torsor.scenarios import parse", "", f"scenario = parse({text})", *turned, "run = scenario.run()"]


def _noted(asked: AboutScenario) -> str:
    """Gains that were turned: a file must say them before the command does the same."""
    said = ", ".join(f"{name} = {recipes.written(value)}" for name, value in asked.gains.items())
    return f"  # with {said} in [law]" if said else ""


def laws() -> list[dict[str, Any]]:
    """Every law that a scenario can say all of, with what its table holds."""
    return [
        {
            "kind": kind,
            "about": (law.__doc__ or "").partition("\n")[0],
            "follows": law.follows(),
            "fields": [
                {"name": name, "form": field.form, "unit": field.unit, "expected": field.expected}
                for name, field in fields.keys_of(law.fields).items()
            ],
        }
        for kind, law in laws_of_files().items()
    ]


def template(shelf: Shelf, progress: Telling, asked: AboutTemplate) -> dict[str, Any]:
    """A scenario to begin with: an arm of the library under a law, from home to a point, with gains of a fair size."""
    known = laws_of_files()
    if asked.law not in known:
        raise TorsorError(f"there is no law {asked.law!r}", hint=did_you_mean(asked.law, known))
    arm, law = shelf.arm(asked.arm), known[asked.law]
    low, high = position_limits(arm.model.links_on(arm.joint_names))
    home = arm.closure.free_of(arm.closure.reference) if arm.model.loops else np.clip(np.zeros(arm.n), low, high)
    goal = np.clip(home + 0.3 if asked.q is None else asked.q, low, high)
    inertia = np.diag(arm.mass_matrix(home, drives=bool(arm.model.drives)))
    gains = [
        f"{name} = {_fair(field.unit, inertia)}"
        for name, field in fields.keys_of(law.fields).items()
        if field.default is fields.REQUIRED and field.unsaid is fields.REQUIRED
    ]
    where = [f"q = {_row(goal)}"]
    if law.follows() == "tool":
        where = [f"position = {_row(arm.pose(goal)[:3, 3])}"]
    lines = [
        f'name = "{asked.law} of {arm.name}"',
        f'arm = "{asked.arm}"',
        "duration = 3",
        "",
        "[start]",
        f"q = {_row(home)}",
        "",
        "[law]",
        f'kind = "{asked.law}"',
        *gains,
        "",
        "[reference]",
        'kind = "point"',
        *where,
    ]
    return {"text": "\n".join(lines) + "\n", "python": "", "command": recipes.command("torsor", "simulate", SCENARIO)}


def _fair(unit: str, inertia: Floats) -> str:
    """A gain that makes joints of such inertia settle in about half a second, by its unit."""
    along = {"N m/rad": 100.0, "N m s/rad": 20.0, "N m/(rad s)": 100.0}
    if unit in along:
        return _row(along[unit] * inertia)
    return repr({"1/s^2": 100.0, "1/s": 20.0, "N/m": 500.0, "N s/m": 100.0, "N m": 10.0, "rad/s": 0.1}.get(unit, 1.0))


def _row(values: Floats) -> str:
    return "[" + ", ".join(f"{x + 0.0:.4g}" for x in values) + "]"
