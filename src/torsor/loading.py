"""From a name or a path to an arm."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import torsor.emit.page  # noqa: F401  who loads an arm will ask it something: the first call need not import
from torsor.arm import Arm
from torsor.errors import TorsorError, UnknownRobot, did_you_mean
from torsor.model.model import Model

if TYPE_CHECKING:
    from torsor.model.urdf import UrdfOptions

SUFFIXES = (".toml", ".urdf", ".xacro")


def robots() -> tuple[str, ...]:
    """Names of the library's arms."""
    entries = (Path(entry.name) for entry in files("torsor.model.library").iterdir())
    return tuple(sorted(entry.stem for entry in entries if entry.suffix in SUFFIXES))


def load(
    robot: str | os.PathLike[str], *, values: Mapping[str, float] | None = None, **urdf: Unpack[UrdfOptions]
) -> Arm:
    """The arm of a library name, or of a path to an arm file (.toml), URDF (.urdf) or xacro file (.xacro).

    For a URDF, ``package_paths`` are the folders in which its package:// meshes may lie, ``tool`` names the link that
    is the tool frame, ``allow_nonphysical`` accepts inertias that no body can have without a word, and ``strict``
    refuses what is wrong where other readers let it pass.

    An arm file may leave masses, centres of mass, inertias and lengths as symbols (``mass = "m2"``): equations can be
    derived of it as it is, and it computes with the ``values`` that are given for them.

    >>> load("puma560").n
    6
    """
    path = _path_of(robot)
    _refuse_for_arm_files(path, urdf)
    if path.suffix == ".toml":
        from torsor.model.armfile import parse_with_symbols  # pydantic is only needed from here on
        from torsor.model.files import read_text

        packages = urdf.get("package_paths", ())
        model, missing = parse_with_symbols(read_text(path), str(path), values, package_paths=packages)
        if missing:
            from torsor.symbolic_arm import SymbolicArm

            return SymbolicArm(model, missing, str(path))
        return Arm(model)
    if values:
        raise TorsorError("values are for symbols of arm files", hint="a URDF has none", file=path)
    return Arm(load_model(robot, **urdf))


def load_model(robot: str | os.PathLike[str], **urdf: Unpack[UrdfOptions]) -> Model:
    path = _path_of(robot)
    if path.suffix != ".toml":
        from torsor.model.urdf import read_urdf

        return read_urdf(path, **urdf)
    _refuse_for_arm_files(path, urdf)
    from torsor.model.armfile import read_arm_file  # pydantic is only needed from here on

    return read_arm_file(path, package_paths=urdf.get("package_paths", ()))


def _refuse_for_arm_files(path: Path, options: UrdfOptions) -> None:
    """What only a URDF leaves open; an arm file is strict in itself, and may have meshes of packages, too."""
    given = [option for option, value in options.items() if value and option not in ("package_paths", "strict")]
    if path.suffix == ".toml" and given:
        raise TorsorError(f"{given[0]} is for URDFs", hint="an arm file says it itself", file=path)


def _path_of(robot: str | os.PathLike[str]) -> Path:
    name, library = os.fspath(robot), Path(str(files("torsor.model.library")))
    if name in robots():
        return next(path for suffix in SUFFIXES if (path := library / (name + suffix)).exists())
    path = Path(name)
    if path.suffix in SUFFIXES and path.exists():
        return path
    if path.suffix in SUFFIXES:
        raise UnknownRobot(f"there is no file {name!r}", hint=did_you_mean(path.stem, robots()))
    if path.is_file():
        raise UnknownRobot(
            f"cannot tell what {name!r} is", hint="arm files end in .toml, URDFs in .urdf, xacro in .xacro"
        )
    raise UnknownRobot(f"no robot {name!r}", hint=did_you_mean(name, robots()))
