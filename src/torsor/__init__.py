"""Torsor: a dynamics compiler and workbench for robot arms."""

from importlib.metadata import version as _version

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.loading import load, robots

__version__ = _version("torsor")
__all__ = ["Arm", "TorsorError", "__version__", "load", "robots"]
