"""Errors that a user of Torsor can meet: each says what is wrong and, where it is known, where and what would be right.

The text of an error that comes from a file is ``file:line:column: what is wrong; what would be right``.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any


class TorsorError(Exception):
    """Base of all errors raised on purpose. The command line prints its text and exits with 2.

    ``part`` names what is wrong with a model, e.g. ``("joint", "elbow")``, so that a reader can add the line it came
    from.

    >>> str(TorsorError("mass is negative", hint="masses are in kg, zero or more", file="a.toml", line=3))
    'a.toml:3: mass is negative; masses are in kg, zero or more'
    """

    def __init__(
        self,
        problem: str,
        *,
        hint: str | None = None,
        file: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        part: tuple[str, str] | None = None,
    ) -> None:
        self.problem, self.hint, self.part = problem, hint, part
        self.file, self.line, self.column = file, line, column
        super().__init__(problem)

    def __str__(self) -> str:
        place = "".join(f"{part}:" for part in (self.file, self.line, self.column) if part is not None)
        text = self.problem if self.hint is None else f"{self.problem}; {self.hint}"
        return f"{place} {text}" if place else text

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is, whatever its kind is made from: other processes raise it again."""
        return self._again, (self.args, self.__dict__)

    @classmethod
    def _again(cls, args: tuple[Any, ...], state: dict[str, Any]) -> TorsorError:
        error = cls.__new__(cls, *args)
        error.__dict__.update(state)
        return error


class ModelError(TorsorError):
    """The description of an arm is wrong: a file that cannot be read, a tree that is none, a mass that cannot be."""


class UnknownRobot(ModelError):
    """There is no arm of that name and no file of that path."""


class MissingInertia(ModelError):
    """Dynamics were asked of an arm with a moving link that has no mass properties."""


class LoopOpen(TorsorError):
    """The loops of an arm cannot be closed with its free joints where they are."""


class SingularLoop(TorsorError):
    """The free joints do not move a loop there: it is stretched out or folded, and may go either way."""


class ScenarioError(TorsorError):
    """A scenario file is wrong: a key it cannot have, a law or arm that does not exist, gains that prove nothing."""


class StudyError(TorsorError):
    """A study is wrong: something that cannot vary, values that make no sense, results that belong to another one."""


class ShapeError(TorsorError, ValueError):
    """An array has the wrong shape or type for this arm."""


class Unsupported(TorsorError):
    """What was asked for does not exist for this arm, this formulation or this format."""


class CompileError(TorsorError):
    """An expression graph or tape is malformed, or a backend could not turn it into code."""


class DescriptionWarning(UserWarning):
    """Something in the description of an arm is unknown, ignored, or cannot be held by the format it is written to."""


def printable(text: str, keep: str = "") -> str:
    """Text as it may go to a terminal or a file: a name in someone's file must not steer what shows it.

    >>> printable("red \\x1b[31m, a lone \\udcff")
    'red \\\\x1b[31m, a lone \\\\udcff'
    """
    return "".join(c if c.isprintable() or c in keep else repr(c)[1:-1] for c in text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest alternatives.

    >>> did_you_mean("puma56", ["irb140", "puma560"])
    "did you mean 'puma560'? known: irb140, puma560"
    """
    known = list(known)
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    listed = "known: " + ", ".join(known)
    return f"did you mean {close[0]!r}? {listed}" if close else listed
