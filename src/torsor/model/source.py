"""Where in a file something was read, for the errors of those who build a model from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torsor.errors import ModelError
from torsor.model.toml_lines import spelled
from torsor.model.transforms import Floats, size_of

LineOf = Callable[[tuple[str | int, ...]], int | None]


@dataclass(frozen=True)
class Source:
    """Where errors of the file are reported."""

    file: str
    line_of: LineOf

    def error(self, place: tuple[str | int, ...], problem: str, hint: str | None = None) -> ModelError:
        return ModelError(problem, hint=hint, file=self.file, line=self.line_of(place))


def unit(direction: Floats, place: tuple[str | int, ...], source: Source) -> Floats:
    size = size_of(direction)
    if not size > 0.0:
        raise source.error(place, f"{spelled(place)} is zero", "give a direction such as [0, 0, 1]")
    direction_of: Floats = direction / size
    return direction_of
