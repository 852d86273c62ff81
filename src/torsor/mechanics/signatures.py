"""What each quantity takes. Kept apart from the pages, which bring the whole compiler with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    states: tuple[str, ...]  # inputs of size n, in order
    knows: frozenset[str] = frozenset()  # the options that change it: gravity, wrench, frame, drives, by


_BY = frozenset({"by"})
_DRIVES = frozenset({"drives"})
_WEIGHT = frozenset({"gravity"})
_DRIVEN = _WEIGHT | _DRIVES
_LOADS = _DRIVEN | {"wrench"}
_FRAME = frozenset({"frame"})

QUANTITIES: Mapping[str, Signature] = {
    "inverse_dynamics": Signature(("q", "qd", "qdd"), _LOADS | _BY),
    "forward_dynamics": Signature(("q", "qd", "tau"), _LOADS | _BY),
    "mass_matrix": Signature(("q",), _BY | _DRIVES),
    "coriolis_matrix": Signature(("q", "qd"), _BY | _DRIVES),
    "gravity": Signature(("q",), _WEIGHT | _BY),
    "dynamics_terms": Signature(("q", "qd"), _DRIVEN),
    "pose": Signature(("q",), _FRAME),
    "jacobian": Signature(("q",), _FRAME),
    "jacobian_dot_qd": Signature(("q", "qd"), _FRAME),
    "energy": Signature(("q", "qd"), _DRIVEN),
    "regressor": Signature(("q", "qd", "qdd"), _WEIGHT),
    "bearing_loads": Signature(("q", "qd", "qdd"), _LOADS),
    "inverse_dynamics_derivatives": Signature(("q", "qd", "qdd"), _LOADS),
    "forward_dynamics_derivatives": Signature(("q", "qd", "tau"), _LOADS),
}
NEED_INERTIA = frozenset(QUANTITIES) - {"pose", "jacobian", "jacobian_dot_qd"}
