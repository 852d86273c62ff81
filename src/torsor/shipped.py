"""Files that come with Torsor: the programs and scenarios of ``examples/``, the published ones among them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from torsor.errors import TorsorError


def shipped(name: str) -> Path:
    """Where a file of ``examples/`` is: inside the installed package, or in the folder that Torsor is developed in.

    >>> shipped("programs/rl15_tour.irl").name
    'rl15_tour.irl'
    """
    package = Path(str(files("torsor")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / name).is_file():
            return folder / name
    raise TorsorError(f"there is no examples/{name}", hint="it comes with Torsor: install it again")
