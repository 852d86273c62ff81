"""``torsor robots``: the arms of the library."""

from __future__ import annotations

from torsor import loading
from torsor.cli.printing import TextColumn, number, numbers, print_json, print_table
from torsor.cli.shared_options import Json
from torsor.model import Model
from torsor.reach import reach


def robots(*, json: Json = False) -> None:
    """Lists the arms of the library.

    Example: torsor robots

    Joints are R (turning), P (sliding) and H (screw). Reach is the largest distance of the tool from the base origin
    within the position limits.
    """
    arms = [(arm.model, reach(arm).distance) for arm in map(loading.load, loading.robots())]
    if json:
        print_json([_document(model, distance) for model, distance in arms])
        return
    head = [
        TextColumn("name"),
        TextColumn("joints"),
        *numbers("mass kg", "reach m", "drives", "loops"),
        TextColumn("source", cut=True),
    ]
    rows = [
        (
            model.name,
            model.kinds,
            number(model.total_mass),
            "any" if distance is None else f"{distance:.3f}",
            len(model.drives) or "-",
            len(model.loops) or "-",
            model.source,
        )
        for model, distance in arms
    ]
    print_table("", head, rows)


def _document(model: Model, distance: float | None) -> dict[str, object]:
    return {
        "name": model.name,
        "joints": model.kinds,
        "mass": model.total_mass,
        "reach": distance,
        "drives": len(model.drives),
        "loops": len(model.loops),
        "source": model.source,
    }
