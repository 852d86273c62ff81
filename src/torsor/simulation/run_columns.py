"""A run as columns by name, and the files and objects that hold them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.elastic.held_arm import AXES
from torsor.errors import Unsupported
from torsor.model.files import csv_titles, whole
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run


def columns_of(run: Run) -> dict[str, Floats]:
    """time, q, qd, qdd of joints, tau, angle qa, speed qad and current i of motors, states of the law, what bends."""
    columns: dict[str, Floats] = {"time": run.time}
    for word in ("q", "qd", "qdd", "tau"):
        labels = run.motors if word == "tau" else run.arm.joint_names
        columns |= {f"{word}_{label}": column for label, column in zip(labels, getattr(run, word).T, strict=True)}
    if not run.is_direct:
        of_motors = {"qa": run.angles, "qad": run.rates, "i": run.currents}
        for word, values in of_motors.items():
            if values is not None:
                columns |= {f"{word}_{label}": column for label, column in zip(run.motors, values.T, strict=True)}
    columns |= {f"x{j + 1}": column for j, column in enumerate(run.x.T)}
    if run.eta_names:
        columns |= {f"eta_{name}": column for name, column in zip(run.eta_names, run.eta.T, strict=True)}
        columns |= {f"tip_{axis}": column for axis, column in zip(AXES, run.tip.T, strict=True)}
    return columns | {"energy": run.energy}


def write_csv(columns: Mapping[str, Floats], path: str | Path) -> None:
    with whole(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        out.writerow(csv_titles(columns))
        out.writerows(map(repr, row) for row in np.column_stack(list(columns.values())).tolist())


def write_parquet(columns: Mapping[str, Floats], path: str | Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Unsupported("to_parquet needs pyarrow", hint="pip install pyarrow, or use to_csv") from None
    with whole(path) as stream:
        parquet.write_table(pyarrow.table(dict(columns)), stream)


def dataset_of(run: Run) -> Any:
    """An xarray.Dataset over time, joint and motor, and over rollout where there are several."""
    try:
        import xarray
    except ImportError:
        raise Unsupported("to_xarray needs xarray", hint="pip install xarray") from None
    front = () if run.rollouts is None else ("rollout",)
    slides = any(link.joint.kind == "prismatic" for link in run.arm.model.links)
    angle, torque = ("rad or m", "N m or N") if slides else ("rad", "N m")
    units = {"q": angle, "qd": f"{angle} per s", "qdd": f"{angle} per s^2", "tau": torque, "energy": "J"}
    arrays: dict[str, Any] = {}
    for name, unit in units.items():
        last = {"tau": ("motor",), "energy": ()}.get(name, ("joint",))
        arrays[name] = (*front, "time", *last), getattr(run, name), {"units": unit}
    if run.x.shape[-1]:
        arrays["x"] = ((*front, "time", "state"), run.x)
    coords = {"time": run.time, "joint": list(run.arm.joint_names), "motor": list(run.motors)}
    if run.eta_names:
        arrays["eta"], arrays["tip"] = ((*front, "time", "mode"), run.eta), ((*front, "time", "axis"), run.tip)
        coords |= {"mode": list(run.eta_names), "axis": list(AXES)}
    return xarray.Dataset(arrays, coords=coords, attrs={"arm": run.arm.name, "integrator": run.integrator})
