"""Xacro, the macro language in which most URDFs of ROS are written: expanded by xacrodoc, an extra."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from torsor.errors import ModelError, Unsupported
from torsor.model.files import note_read

LOOK = "give folders of packages that it needs: package_paths (--package-path)"
PACKAGE = "package.xml"
NEEDED = "pip install 'torsor[xacro]', or expand it elsewhere: xacro robot.urdf.xacro > robot.urdf"


def expanded(path: Path, package_paths: Sequence[str | os.PathLike[str]] = ()) -> str:
    """The URDF that a xacro file stands for.

    Packages that it includes are looked for in ``package_paths``, each the folder of a package or one that holds it,
    and around the file: the package that it lies in, and those beside that. Xacro runs expressions of the file: expand
    only files that you trust.
    """
    try:
        import xacro
        from xacrodoc import XacroDoc, packages
    except ImportError:
        raise Unsupported("a xacro file is a program for a URDF", hint=NEEDED, file=path) from None
    if not path.is_file():
        raise ModelError("there is no such file", hint="a path that ends in .xacro", file=path)
    note_read(path)
    packages.reset()
    if beside := _packages_beside(path):
        packages.look_in(beside)
    around = [str(folder) for given in package_paths for folder in (Path(given), Path(given).parent)]
    if around:
        packages.look_in(around)
    xacro.init_stacks(str(path))  # what it includes lies beside it; xacrodoc hands on the text alone
    try:
        return str(XacroDoc.from_file(str(path), walk_up=True, resolve_packages=False).to_urdf_string())
    except RecursionError:
        endless = "xacro cannot expand it: nested without an end"
        raise ModelError(endless, hint="does it include itself?", file=path) from None
    except Exception as error:  # xacro raises whatever an expression of the file does
        said = _said(error)
        missing = "Package not found" in said
        hint = LOOK if missing else None
        raise ModelError(f"xacro cannot expand it: {said}", hint=hint, file=path) from None


def _packages_beside(path: Path) -> list[str]:
    """The packages in the folder of a file, and beside the package that it lies in: also one folder down in ``src``, as
    workspaces have repositories of several. Nothing deeper is searched: the file may lie in a home folder."""
    folder = path.resolve().parent
    own = next((each for each in (folder, *folder.parents) if (each / PACKAGE).is_file()), None)
    places = [folder] if own is None else [own.parent]
    wanted = [(place, f"*/{PACKAGE}") for place in places]
    wanted += [(place.parent, f"*/*/{PACKAGE}") for place in places if place.parent.name == "src"]
    return sorted({str(found.parent) for place, pattern in wanted for found in place.glob(pattern)})


def _said(error: Exception) -> str:
    """In one line; xacro says some things twice, behind the name of a class of Python."""
    said = re.sub(r"<class '[^']*'>: ", "", " ".join(str(error).split())) or type(error).__name__
    half = said[: len(said) // 2]
    return half if said == f"{half} {half}" else said
