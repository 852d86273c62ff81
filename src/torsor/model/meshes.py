"""Where a mesh of a URDF lies, looked for only inside the folders the user named."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit


class MeshFinder:
    """Turns the filename of a <mesh> into a path.

    ``package://name/rest`` is looked for in ``package_paths`` (each the folder of the package, or one that holds it),
    and in the package that the URDF lies in, if its folder has that name;
    ``file://`` and plain paths in ``folder``, that of the URDF. Nothing else is ever opened: a path that leaves these
    folders, by .. or by a link, gives none.
    """

    def __init__(self, folder: Path | None, package_paths: Sequence[str | os.PathLike[str]] = ()) -> None:
        self.folder = folder
        self.package_paths = [Path(path) for path in package_paths]

    def find(self, uri: str) -> tuple[Path | None, str | None]:
        """The path, or None and what is to be said of it."""
        scheme, separator, rest = uri.partition("://")
        if not separator:
            candidates = [] if self.folder is None else [(self.folder, self.folder / uri)]
        elif scheme == "package":
            name, _, inner = unquote(rest).partition("/")
            candidates = [(root, root / name / inner) for root in self.package_paths]
            own = [] if self.folder is None else [self.folder, *self.folder.absolute().parents]
            candidates += [(root, root / inner) for root in (*self.package_paths, *own) if root.name == name != ""]
        elif scheme == "file" and urlsplit(uri).netloc in ("", "localhost"):
            candidates = [] if self.folder is None else [(self.folder, Path(unquote(urlsplit(uri).path)))]
        else:
            return None, "is not a file of this computer and is left out"
        inside = [path for root, path in candidates if _inside(path, root)]
        if candidates and not inside:
            return None, "lies outside the folders it may be in and is left out"
        found = next((path for path in inside if os.path.isfile(path)), None)
        where = "give its folder in package_paths" if scheme == "package" else "it is left out"
        return found, f"was not found; {where}" if found is None else None


def _inside(path: Path, folder: Path) -> bool:
    """Whether a path, all its links followed, stays in a folder."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    except ValueError:  # a zero byte, which no path has
        return False
