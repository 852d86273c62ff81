"""Several programs at once: which of the files that are named together are one program, and which are one each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torsor.programs.program import Program, languages, read
from torsor.programs.project_language import ProjectLanguage


def read_several(paths: Sequence[str | os.PathLike[str]], **around: Any) -> list[Program]:
    """Files of languages whose programs are of one file are a program each; all others are one together.

    ``around`` is what `read` takes besides.
    """
    if len(paths) == 1:
        return [read(paths[0], **around)]
    apart = [path for path in paths if _stands_alone(Path(path))]
    together = [path for path in paths if path not in apart]
    found = [read(path, **around) for path in apart]
    return [*found, read(together, **around)] if together else found


def _stands_alone(path: Path) -> bool:
    suffix = path.suffix.lower()
    language = next((one for one in languages() if suffix in one.suffixes), None)
    return language is not None and not isinstance(language, ProjectLanguage)
