"""The path of the tool in four views, as SVG: from above, the front, the side, and along the space diagonal."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from torsor.model.transforms import Floats
from torsor.report.markup import Html, element

WIDTH, HEIGHT, MARGIN = 440, 330, 34
TURN, TILT = radians(45.0), radians(35.264)  # of the isometric view

# name, axis to the right, axis up, their letters
VIEWS: tuple[tuple[str, tuple[float, float, float], tuple[float, float, float], str, str], ...] = (
    ("above", (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), "x", "y"),
    ("front (along x)", (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), "y", "z"),
    ("side (along y)", (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), "x", "z"),
    ("isometric", (-sin(TURN), cos(TURN), 0.0), (-sin(TILT) * cos(TURN), -sin(TILT) * sin(TURN), cos(TILT)), "", ""),
)


def views(points: Floats, flags: np.ndarray) -> Html:
    """All views to one scale: (N, 6) points of the planned path and, where it differs, of the reached one.

    ``flags`` marks the points beyond a limit.
    """
    if not len(points):
        return Html("")
    all_points = points.reshape(-1, 3)
    flat = [np.stack([all_points @ right, all_points @ up], axis=-1) for _, right, up, *_ in VIEWS]
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = float(np.min(room / np.maximum([np.ptp(each, axis=0) for each in flat], 1e-6)))
    drawn = [_view(name, x, y, each, flags, scale) for (name, _, _, x, y), each in zip(VIEWS, flat, strict=True)]
    return element("div", *drawn, class_="views")


def _view(name: str, x: str, y: str, points: Floats, flags: np.ndarray, scale: float) -> Html:
    """One view; the points are planned and reached in turn."""
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    placed = np.array([WIDTH / 2, HEIGHT / 2]) + scale * (points - middle) * [1, -1]
    path, late = placed[::2], placed[1::2]
    parts = [_scale_bar(scale), *_axes(x, y)]
    if np.abs(late - path).max() > 0.5e-3 * scale:
        parts.append(_line(late, "reached"))
    parts.append(_line(path, "planned"))
    parts += [_line(path[first : last + 1], "over") for first, last in _runs(flags)]
    (start_x, start_y), (end_x, end_y) = path[[0, -1]]
    parts.append(element("circle", cx=f"{start_x:.1f}", cy=f"{start_y:.1f}", r=4, class_="start"))
    parts.append(element("rect", x=f"{end_x - 3.5:.1f}", y=f"{end_y - 3.5:.1f}", width=7, height=7, class_="end"))
    label = f"tool path from {name}"
    svg = element("svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label)
    return element("figure", svg, element("figcaption", name))


def _line(points: Floats, kind: str) -> Html:
    rounded = np.round(points, 1)
    kept = np.concatenate([[True], (np.diff(rounded, axis=0) != 0.0).any(axis=1)])
    listed = " ".join(f"{a:g},{b:g}" for a, b in rounded[kept])
    return element("polyline", points=listed, class_=kind)


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of each run of marked points; a single point becomes a short piece."""
    changes = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return [(max(int(a) - 1, 0), int(b)) for a, b in changes.reshape(-1, 2)]


def _scale_bar(scale: float) -> Html:
    """A bar of a round length, about a quarter of the view."""
    wish = 0.25 * WIDTH / scale
    power = 10.0 ** np.floor(np.log10(wish))
    length = next(power * m for m in (5.0, 2.0, 1.0) if power * m <= wish)
    end, low = WIDTH - 12, HEIGHT - 12
    start = end - scale * length
    label = f"{length:g} m" if length >= 1.0 else f"{1e3 * length:g} mm"
    return Html(
        f'<path class="bar" d="M{start:.1f} {low - 5}v5h{end - start:.1f}v-5"/>'
        f'<text x="{0.5 * (start + end):.1f}" y="{low - 6}" text-anchor="middle">{label}</text>'
    )


def _axes(x: str, y: str) -> list[Html]:
    if x:
        tips, (corner_x, corner_y, size) = [(x, 1.0, 0.0), (y, 0.0, 1.0)], (16, HEIGHT - 16, 24)
    else:
        tips, (corner_x, corner_y, size) = list(zip("xyz", *VIEWS[3][1:3], strict=True)), (40, HEIGHT - 30, 22)
    return [
        Html(
            f'<path class="axis" d="M{corner_x} {corner_y}l{size * a:.1f} {-size * b:.1f}"/>'
            f'<text x="{corner_x + (size + 8) * a:.1f}" y="{corner_y - (size + 8) * b + 4:.1f}" '
            f'text-anchor="middle">{letter}</text>'
        )
        for letter, a, b in tips
    ]
