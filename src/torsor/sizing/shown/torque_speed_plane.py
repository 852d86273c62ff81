"""A motor in its torque-speed plane as a still picture: what it gives, what it is asked for, its peak and its RMS."""

from __future__ import annotations

from math import floor, isfinite, log10, pi

import numpy as np

from torsor.model.transforms import Floats
from torsor.report.markup import Html, element
from torsor.sizing.motor_demand import MotorDemand

WIDTH, HEIGHT, LEFT, RIGHT, ABOVE, BELOW = 360, 250, 46, 16, 20, 34  # px
MOST_POINTS = 1500
RPM = 30.0 / pi


def plane(motor: MotorDemand, *, turns: bool) -> Html:
    """Size of the torque over size of the speed; ``turns``: speeds in rpm."""
    factor = RPM if turns else 1.0
    speed, torque = factor * np.abs(motor.rate), np.abs(motor.torque)
    curve = _driving(motor)
    right = max(float(speed.max(initial=0.0)), factor * float(curve[0].max(initial=0.0)), 1e-9) * 1.05
    tops = [float(torque.max(initial=0.0)), float(curve[1].max(initial=0.0)), motor.continuous or 0.0]
    top = max(x for x in tops if isfinite(x)) * 1.1 or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - RIGHT) * x / right, ABOVE + (HEIGHT - ABOVE - BELOW) * (1.0 - y / top)

    def way(xs: Floats, ys: Floats) -> str:
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in (at(x, y) for x, y in zip(xs, ys, strict=True)))

    step = max(1, len(speed) // MOST_POINTS)
    parts = [
        _line(at(0, 0), at(right, 0)),
        _line(at(0, 0), at(0, top)),
        *(_tick(at(x, 0), f"{x:.10g}", below=True) for x in _ticks(right)),
        *(_tick(at(0, y), f"{y:.10g}", below=False) for y in _ticks(top)),
        element("polyline", points=way(speed[::step], torque[::step]), fill="none", stroke="#4a7ab5", stroke_width=0.8),
    ]
    if len(curve[0]):
        parts.append(
            element(
                "polyline", points=way(factor * curve[0], curve[1]), fill="none", stroke="#b5473c", stroke_width=1.6
            )
        )
    if motor.continuous is not None:
        parts.append(_line(at(0, motor.continuous), at(right, motor.continuous), dashed=True))
    for x, y, colour, name in (
        (motor.peak_speed, motor.peak, "#1f3b63", "peak"),
        (motor.rms_speed, motor.rms, "#2f7d4f", "RMS"),
    ):
        a, b = at(factor * x, y)
        parts.append(element("circle", cx=f"{a:.1f}", cy=f"{b:.1f}", r=3.5, fill=colour))
        parts.append(element("text", name, x=f"{a + 6:.1f}", y=f"{b - 4:.1f}", font_size=11, fill=colour))
    unit = "rpm" if turns else "m/s"
    words = f"{motor.name}: torque in {motor.unit} over speed in {unit}"
    parts.append(element("text", unit, x=WIDTH - 30, y=HEIGHT - 4, font_size=11, fill="#777"))
    parts.append(element("text", motor.unit, x=2, y=12, font_size=11, fill="#777"))
    picture = element(
        "svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", width=WIDTH, height=HEIGHT, role="img", aria_label=words
    )
    return element("figure", picture, element("figcaption", motor.name))


def _driving(motor: MotorDemand) -> tuple[Floats, Floats]:
    """Speeds and torques that are left there, up to the motor's speed, and down to zero at its end."""
    if motor.curve is None:
        return np.zeros(0), np.zeros(0)
    speeds, _, upper = motor.curve
    kept = (speeds >= 0.0) & np.isfinite(upper) & (speeds <= (motor.speed_limit or np.inf) * (1.0 + 1e-12))
    x, y = speeds[kept], np.maximum(upper[kept], 0.0)
    if not len(x):
        return x, y
    end = motor.speed_limit or float(x[-1])
    return np.append(x, [end, end]), np.append(y, [y[-1], 0.0])


def _ticks(most: float) -> list[float]:
    """Round numbers above zero up to some, three to six of them.

    >>> _ticks(3308.0), _ticks(0.95)
    ([1000.0, 2000.0, 3000.0], [0.2, 0.4, 0.6, 0.8])
    """
    tens = 10.0 ** floor(log10(most / 3.0))
    step = max(size * tens for size in (1.0, 2.0, 5.0) if size * tens <= most / 3.0)
    return [float(f"{step * k:.10g}") for k in range(1, int(most / step * (1.0 + 1e-9)) + 1)]


def _line(a: tuple[float, float], b: tuple[float, float], *, dashed: bool = False) -> Html:
    (x1, y1), (x2, y2) = a, b
    places = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return element("line", **places, stroke="#2f7d4f" if dashed else "#999", stroke_dasharray="4 3" if dashed else None)


def _tick(place: tuple[float, float], text: str, *, below: bool) -> Html:
    x, y = place
    where = {"x": f"{x:.1f}", "y": f"{y + 14:.1f}"} if below else {"x": f"{x - 5:.1f}", "y": f"{y + 4:.1f}"}
    return element("text", text, **where, font_size=10, fill="#777", text_anchor="middle" if below else "end")
