"""Xacro, the macro language in which most URDFs of ROS are written: expanded by xacrodoc, an extra."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from torsor.errors import ModelError, Unsupported
from torsor.model.files import note_read

NEEDED = "pip install 'torsor[xacro]', or expand it elsewhere: xacro robot.urdf.xacro > robot.urdf"


def expanded(path: Path, package_paths: Sequence[str | os.PathLike[str]] = ()) -> str:
    """The URDF that a xacro file stands for.

    Packages that it includes are looked for in ``package_paths``, each the folder of a package or one that holds it,
    and around the file. Xacro runs expressions of the file: expand only files that you trust.
    """
    try:
        from xacrodoc import XacroDoc, packages
    except ImportError:
        raise Unsupported("a xacro file is a program for a URDF", hint=NEEDED, file=path) from None
    if not path.is_file():
        raise ModelError("there is no such file", hint="a path that ends in .xacro", file=path)
    note_read(path)
    packages.reset()
    around = [str(folder) for given in package_paths for folder in (Path(given), Path(given).parent)]
    if around:
        packages.look_in(around)
    try:
        return str(XacroDoc.from_file(str(path), walk_up=True, resolve_packages=False).to_urdf_string())
    except Exception as error:  # xacro raises whatever an expression of the file does
        said = " ".join(str(error).split()) or type(error).__name__
        hint = "give folders of packages that it needs: package_paths (--package-path)"
        raise ModelError(f"xacro cannot expand it: {said}", hint=hint, file=path) from None
