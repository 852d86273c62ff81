"""``torsor robots``: the arms of the library."""

from __future__ import annotations

from torsor import loading
from torsor.cli.printing import number, numbers, print_json, print_table
from torsor.cli.shared_options import Json
from torsor.model import Model
from torsor.reach import reach

KEYS = ("name", "joints", "mass", "reach", "drives", "loops", "source")


def robots(*, json: Json = False) -> None:
    """Lists the arms of the library.

    Example: torsor robots

    Joints are R (turning), P (sliding) and H (screw). Reach is the largest distance of the tool from the base origin
    within the position limits.
    """
    facts = [_facts(arm.model, reach(arm).distance) for arm in map(loading.load, loading.robots())]
    if json:
        print_json([dict(zip(KEYS, each, strict=True)) for each in facts])
        return
    head = ["name", "joints", *numbers("mass kg", "reach m", "drives", "loops"), "~source"]
    rows = [
        (
            name,
            kinds,
            "-" if mass is None else number(mass),
            "any" if far is None else f"{far:.3f}",
            drives or "-",
            loops or "-",
            source,
        )
        for name, kinds, mass, far, drives, loops, source in facts
    ]
    print_table("", head, rows)


def _facts(model: Model, far: float | None) -> tuple[str, str, float | None, float | None, int, int, str]:
    mass = None if model.links_without_inertia else model.total_mass  # unknown is not zero
    return model.name, model.kinds, mass, far, len(model.drives), len(model.loops), model.source
