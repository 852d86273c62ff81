"""Torsor: a dynamics compiler and workbench for robot arms."""

from typing import TYPE_CHECKING, Any

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.loading import load, robots

if TYPE_CHECKING:  # these, and the rooms below, are imported when they are first asked for
    from torsor.checking import check
    from torsor.comparing import compare
    from torsor.deriving import derive
    from torsor.simulation import simulate

__all__ = ["Arm", "TorsorError", "__version__", "check", "compare", "derive", "load", "robots", "simulate"]

_HOMES = {"check": "checking", "compare": "comparing", "derive": "deriving", "simulate": "simulation"}
_ROOMS = ("checking", "control", "drives", "motion", "programs", "report", "scenarios", "simulation")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        from torsor.version import version

        return version()
    if name in _HOMES:
        return getattr(import_module(f"torsor.{_HOMES[name]}"), name)
    if name in _ROOMS:
        return import_module(f"torsor.{name}")
    raise AttributeError(f"module 'torsor' has no attribute {name!r}")
