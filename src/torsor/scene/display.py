"""``Display``: an arm on a page of its own, in a notebook, in a file or in the browser."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from torsor.model.files import write_text
from torsor.model.transforms import Floats
from torsor.report.frame import framed, page, plots, stage
from torsor.report.markup import element
from torsor.report.packing import FINE, packed
from torsor.report.two_documents import differences

Kind = Literal["arm", "run"]


@dataclass(frozen=True, eq=False)
class Display:
    """What is shown, as data. A notebook shows it; ``save`` writes a page of one file, ``open`` shows that at once."""

    data: Mapping[str, Any]

    @cached_property
    def html(self) -> str:
        """The page: one file that needs no other, no server and no network."""
        drawn = dict(self.data)
        beside = [differences(**both)] if (both := drawn["fields"].get("differences")) else []
        return page(drawn["title"], [element("h1", drawn["title"]), *beside, stage(), plots(drawn)], drawn)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page, as a whole or not at all."""
        write_text(Path(path), self.html)
        return Path(path)

    def open(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes the page, to a temporary file without a path, and opens it in the browser where there is a display."""
        saved = self.save(temporary_page() if path is None else path)
        if has_display():
            webbrowser.open(saved.absolute().as_uri())
        return saved

    def _repr_html_(self) -> str:
        return framed(self.html, self.data["title"])

    def __repr__(self) -> str:
        return f"<Display {self.data['title']}: {len(self.data['motions'])} motions>"


def temporary_page() -> Path:
    """A path for a page that nobody named, in a folder of its own."""
    return Path(tempfile.mkdtemp(prefix="torsor-")) / "arm.html"


def has_display() -> bool:
    """Whether a browser could show a window here."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def display(
    kind: Kind,
    title: str,
    scene: dict[str, Any],
    motions: Sequence[dict[str, Any]] = (),
    paths: Sequence[dict[str, Any]] = (),
    *,
    time: Floats | None = None,
    groups: Sequence[dict[str, Any]] = (),
    loads: Mapping[str, Any] | None = None,
    fields: Mapping[str, Any] | None = None,
) -> Display:
    """A page of a scene, with what moves in it and what is plotted against time (times,) in s."""
    at = np.zeros(0) if time is None else time
    return Display(
        {
            "kind": kind,
            "title": title,
            "scene": scene,
            "motions": [*motions],
            "paths": [*paths],
            "marks": [],
            "time": packed(at, steps=FINE),
            "end": float(at[-1]) if len(at) else 0.0,
            "moves": [],
            "groups": [*groups],
            "planes": [],
            "lines": [],
            "loads": loads,
            "fields": dict(fields or {}),
        }
    )


def motion_of(label: str, time: Floats, q: Floats) -> dict[str, Any]:
    """Joints q (times, n) of the tree over time (times,)."""
    return {"label": label, "time": packed(time, steps=FINE), "joints": [packed(each, steps=FINE) for each in q.T]}


def path_of(label: str, kind: str, time: Floats, points: Floats) -> dict[str, Any]:
    """Where the tool was or was to be: points (times, 3) in the world."""
    return {
        "label": label,
        "kind": kind,
        "time": packed(time, steps=FINE),
        "points": [packed(column, steps=FINE) for column in points.T],
        "load": None,
    }


def loads_of(links: Sequence[int], loads: Floats, loops: Floats, wrench: Floats | None = None) -> dict[str, Any]:
    """What joints exert, for arrows: ``loads`` (times, links, 6) on these links, force over moment in their axes.

    ``loops`` (times, loops, 6) are what closes loops, as `arm.closure.forces` has it; ``wrench`` (6,) acts on the tool
    all the time, in base axes.
    """
    both = np.concatenate([loads, loops], axis=1)
    return {
        "links": [*links],
        "loops": loops.shape[1],
        "curves": [[packed(column) for column in each] for each in np.moveaxis(both, 0, 2)],
        "wrench": None if wrench is None else [float(x) for x in wrench],
    }
