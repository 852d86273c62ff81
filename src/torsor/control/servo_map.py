"""Effective inertia of every motor as a map over the two joints that change it most."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.plotting import INK, require_drawable, save_figure

if TYPE_CHECKING:
    from torsor.control.servo_settings import ServoGains

FINE = 61  # postures along a side
WIDE = 3  # maps beside each other


def mapped(gains: ServoGains, path: str | Path | None) -> Any:
    require_drawable(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    arm = gains.arm
    lines = ceil(len(gains.names) / WIDE)
    with rc_context({"font.size": 8, "svg.fonttype": "none"}):
        figure = Figure(figsize=(3.4 * WIDE, 2.9 * lines + 0.3), dpi=150, layout="constrained")
        panels = np.asarray(figure.subplots(lines, WIDE, squeeze=False)).ravel()
        for k, axes in enumerate(panels):
            if k >= len(gains.names):
                axes.set_axis_off()
                continue
            first, second = most_telling(gains, k)
            sides, grid = _grid(gains, k, first, second)
            drawn = axes.pcolormesh(*sides, grid, cmap="viridis", shading="auto", rasterized=True)
            figure.colorbar(drawn, ax=axes, format="%.3g")
            axes.plot(*(_shown(arm, j, gains.worst[k, j]) for j in (first, second)), "o", color="white", mec=INK, ms=5)
            axes.set_title(gains.names[k], fontsize=9, color=INK)
            axes.set_xlabel(_label(arm, first), color=INK)
            axes.set_ylabel(_label(arm, second), color=INK)
        figure.suptitle(f"{arm.name}: effective inertia of motors [kg m²], worst posture dotted", x=0.01, ha="left")
        save_figure(figure, path)
    return figure


def most_telling(gains: ServoGains, k: int) -> tuple[int, int]:
    """The two joints that change the inertia of motor k most, from its worst posture on; the first ones of equals."""
    from torsor.control.servo_settings import BETTER, joint_ranges

    low, high = joint_ranges(gains.arm)
    spans = []
    for j in range(gains.arm.n):
        q = np.tile(gains.worst[k], (FINE, 1))
        q[:, j] = np.linspace(low[j], high[j], FINE)
        spans.append(float(np.ptp(gains.arm.drives.effective_inertia(q)[:, k])))
    seen = [0.0 if span <= BETTER * gains.inertia[k] else span for span in spans]
    order = sorted(range(gains.arm.n), key=lambda j: (-round(seen[j] / gains.inertia[k], 6), j))
    first, second = sorted(order[:2]) if gains.arm.n > 1 else (0, 0)
    return first, second


def _grid(gains: ServoGains, k: int, first: int, second: int) -> tuple[tuple[Floats, Floats], Floats]:
    from torsor.control.servo_settings import joint_ranges

    low, high = joint_ranges(gains.arm)
    x, y = (np.linspace(low[j], high[j], FINE) for j in (first, second))
    q = np.tile(gains.worst[k], (FINE, FINE, 1))
    q[..., first], q[..., second] = x[None, :], y[:, None]
    sizes = gains.arm.drives.effective_inertia(q)[..., k]
    return (_shown(gains.arm, first, x), _shown(gains.arm, second, y)), sizes


def _slides(arm: Any, j: int) -> bool:
    return bool(arm.model.links_on(arm.joint_names)[j].joint.kind == "prismatic")


def _shown(arm: Any, j: int, value: Any) -> Any:
    return 1e3 * value if _slides(arm, j) else np.degrees(value)


def _label(arm: Any, j: int) -> str:
    return f"{arm.joint_names[j]} [{'mm' if _slides(arm, j) else '°'}]"
