"""Torsor: a dynamics compiler and workbench for robot arms."""

from typing import Any

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.loading import load, robots

__all__ = ["Arm", "TorsorError", "__version__", "load", "robots"]


def __getattr__(name: str) -> Any:
    if name == "__version__":  # reading the package's metadata is slow and rarely wanted
        from importlib.metadata import version

        return version("torsor")
    raise AttributeError(f"module 'torsor' has no attribute {name!r}")
