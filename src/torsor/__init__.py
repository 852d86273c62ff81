"""Torsor: a dynamics compiler and workbench for robot arms."""

from typing import TYPE_CHECKING, Any

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.loading import load, robots

if TYPE_CHECKING:  # the compiler is imported when it is first asked for
    from torsor.checking import check
    from torsor.comparing import compare
    from torsor.deriving import derive

__all__ = ["Arm", "TorsorError", "__version__", "check", "compare", "derive", "load", "robots"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from torsor.version import version

        return version()
    if name == "derive":
        from torsor.deriving import derive

        return derive
    if name == "compare":
        from torsor.comparing import compare

        return compare
    if name == "check":
        from torsor.checking import check

        return check
    if name == "simulate":
        from torsor.simulation import simulate

        return simulate
    if name in ("control", "drives", "motion", "programs", "scenarios", "simulation"):
        from importlib import import_module

        return import_module(f"torsor.{name}")
    raise AttributeError(f"module 'torsor' has no attribute {name!r}")
