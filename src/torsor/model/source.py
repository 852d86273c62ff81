"""Where in a file something was read, for the errors of those who build a model from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from torsor.errors import ModelError
from torsor.model.toml_lines import spelled
from torsor.model.transforms import Floats

LineOf = Callable[[tuple[str | int, ...]], int | None]


@dataclass(frozen=True)
class Source:
    """Where errors of the file are reported."""

    file: str
    line_of: LineOf

    def error(self, place: tuple[str | int, ...], problem: str, hint: str | None = None) -> ModelError:
        return ModelError(problem, hint=hint, file=self.file, line=self.line_of(place))


def unit(direction: Floats, place: tuple[str | int, ...], source: Source) -> Floats:
    size = np.linalg.norm(direction)
    if not size > 0.0:
        raise source.error(place, f"{spelled(place)} is zero", "give a direction such as [0, 0, 1]")
    direction_of: Floats = direction / size
    return direction_of
