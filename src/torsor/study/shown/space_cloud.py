"""Points in space with a number each, as the page draws them: they can be turned and cut open, the arm among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.model.transforms import Floats
from torsor.report import frame
from torsor.report.markup import Html, element
from torsor.report.packing import packed
from torsor.scene.composing import bare_scene
from torsor.study.shown.study_figures import CLOUD, SHOWN, by_lot

HINT = "Drag to turn it; the slider moves where it is cut open."


@dataclass(frozen=True, eq=False)
class SpaceCloud:
    """``places`` (k, 3) in m, base axes, and by name values (k,) that colour them; points are so ``wide``, m.

    ``arm`` stands among them ``at`` a posture, where it is known.
    """

    places: Floats
    values: Mapping[str, Floats]
    units: Mapping[str, str]
    wide: float
    arm: Arm | None = None
    at: tuple[float, ...] | None = None

    def section(self) -> Html:
        low, high = (f"{100 * share:g} %" for share in SHOWN)
        said = f"{CLOUD} of {len(self.places)} points. " if len(self.places) > CLOUD else ""
        note = element("p", f"{said}{HINT} Colours run from {low} to {high} of the points.", class_="note")
        without = Html("<noscript><p class='note'>The cloud needs JavaScript; the tables do not.</p></noscript>")
        return Html("".join([frame.stage(), without, note]))

    def document(self) -> dict[str, Any]:
        """What the page's script is given."""
        drawn = by_lot(len(self.places), CLOUD)
        points = [packed(own) for own in self.places[drawn].T]
        clouds = [
            {
                "name": name,
                "unit": self.units.get(name, ""),
                "points": points,
                "values": packed(values[drawn]),
                "ends": np.quantile(values, SHOWN).tolist(),
                "size": self.wide,
            }
            for name, values in self.values.items()
        ]
        return {"scene": self._scene(), "clouds": clouds}

    def _scene(self) -> dict[str, Any]:
        if self.arm is None:
            size = float(np.linalg.norm(self.places, axis=1).max(initial=1e-3))
            return bare_scene("workspace", size, ground=min(0.0, float(self.places[:, 2].min(initial=0.0))))
        scene: dict[str, Any] = self.arm.show(None if self.at is None else list(self.at)).data["scene"]
        return scene
