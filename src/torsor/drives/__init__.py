"""Drives: motors, gears and friction in motor coordinates, and the motion that motors can achieve."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when first asked for
    from torsor.drives.achieving import Achieved, achievable
    from torsor.drives.drives import Drives, Power

__all__ = ["Achieved", "Drives", "Power", "achievable"]


def __getattr__(name: str) -> Any:
    homes = {"Achieved": "achieving", "achievable": "achieving", "Drives": "drives", "Power": "drives"}
    if name not in homes:
        raise AttributeError(f"module 'torsor.drives' has no attribute {name!r}")
    return getattr(import_module(f"torsor.drives.{homes[name]}"), name)
