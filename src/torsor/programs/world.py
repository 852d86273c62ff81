"""The world around a program: signals, registers, answers of an operator, texts from a socket. Values, or lists of
values that are used up one after the other; what is not given is assumed, and said."""

from __future__ import annotations

import contextlib
import math
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torsor.errors import TorsorError
from torsor.model.files import read_text
from torsor.model.toml_lines import key_lines
from torsor.programs.printer import number_text
from torsor.programs.values import Value

WANTED = "a number, true or false, a text, or a list"
DEFINE = "define"  # the one key of a file that is no input: lines of the program's language


@dataclass(frozen=True)
class World:
    """What a program is told from outside. ``given``: by name, one value or a tuple of values that are used up;
    ``define``: lines that stand in no file of the program, such as a tool.

    >>> World.of({"di_part": 1, "answers": [2, 3]}).given
    {'di_part': 1.0, 'answers': (2.0, 3.0)}
    """

    given: Mapping[str, Value] = field(default_factory=dict)
    define: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any] | World | None, define: Iterable[str] = ()) -> World:
        if isinstance(values, World):
            return cls(values.given, (*values.define, *define))
        given: dict[str, Value] = {}
        for name, each in (values or {}).items():
            key = str(name).strip().lower()
            if key in given:
                raise TorsorError(f"{key} is given twice", hint="capital letters are of no matter")
            given[key] = _value(str(name), each)
        return cls(given, tuple(define))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> World:
        """From a TOML file: ``name = value`` or ``name = [first, second, ...]``, and ``define = ["..."]``."""
        file = Path(path)
        text = read_text(file, what="worlds", suffixes=".toml", kind=TorsorError)
        try:
            table = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also of a number of thousands of digits
            hint = 'lines such as di_part = 1 or "$IN[3]" = [false, true]'
            raise TorsorError(f"this is no TOML: {error}", hint=hint, file=file) from None
        define = table.pop(DEFINE, [])
        if not isinstance(define, list) or not all(isinstance(line, str) for line in define):
            raise TorsorError("define is a list of texts", hint="lines of the program's language", file=file)
        lines = key_lines(text)
        read = cls(define=tuple(define))
        for name, each in table.items():
            # tables only put in order what is in them
            inside = {(name, key): value for key, value in each.items()} if isinstance(each, dict) else {(name,): each}
            for path_of_key, value in inside.items():
                try:
                    one = cls.of({path_of_key[-1]: value}).given
                    if twice := one.keys() & read.given.keys():
                        raise TorsorError(f"{min(twice)} is given twice", hint="capital letters are of no matter")
                except TorsorError as error:
                    error.file, error.line = file, lines.get(path_of_key)
                    raise
                read = cls({**read.given, **one}, read.define)
        return read

    def and_set(self, settings: Iterable[str]) -> World:
        """With ``name=value`` for each of these texts, as the command line has them."""
        given = dict(self.given)
        for setting in settings:
            name, equals, text = setting.partition("=")
            if not equals or not name.strip():
                raise TorsorError(f"--set {setting}", hint="name=value, such as di_part=1")
            try:
                value = tomllib.loads(f"x = {_as_toml(text.strip())}")["x"]
            except ValueError:
                value = text
            given[name.strip().lower()] = _value(name, value)
        return World(given, self.define)


def as_told(value: Value, like: Value | None) -> Value:
    """A number where a text is asked for is that text: `--set msg=2`."""
    return number_text(value) if isinstance(like, str) and isinstance(value, float) else value


def _as_toml(text: str) -> str:
    return text.lower() if text.lower() in ("true", "false") else text


def _value(name: str, value: Any) -> Value:
    match value:
        case bool() | str():
            return value
        case int() | float():
            with contextlib.suppress(OverflowError):
                if math.isfinite(value):
                    return float(value)
            raise TorsorError(f"the value of {name} is no finite number", hint=WANTED)
        case list() | tuple() if value:
            return tuple(_value(name, each) for each in value)
    raise TorsorError(f"the value of {name} is {value!r:.60}", hint=WANTED)


@dataclass(slots=True)
class WorldSoFar:
    """The world while a program runs: how far lists are used up. The last value of a list stays."""

    world: World
    used: dict[str, int] = field(default_factory=dict)

    def knows(self, name: str) -> bool:
        return name.lower() in self.world.given

    def begins(self, name: str, *, whole: bool) -> Value:
        """The first value of data, of which nothing is used up: it may also be asked for. ``whole``: of an array."""
        value = self.world.given[name.lower()]
        return value[0] if isinstance(value, tuple) and not whole else value

    def take(self, name: str, like: Value | None = None) -> Value:
        """The next value that this is given; a list is one value where a list is asked for, ``like`` this one."""
        key = name.lower()
        value = self.world.given[key]
        if not isinstance(value, tuple):
            return value
        if isinstance(like, tuple) and not any(isinstance(each, tuple) for each in value):
            return value
        count = self.used.get(key, 0)
        self.used[key] = min(count + 1, len(value) - 1)
        return value[count]

    def answer(self, name: str, value: Value) -> None:
        """Tells this from now on."""
        self.world = World({**self.world.given, name.lower(): value}, self.world.define)

    def waited_for(self, name: str, wanted: Value) -> bool:
        """Whether a value comes, now or later; what comes before it is used up."""
        key = name.lower()
        value = self.world.given[key]
        if not isinstance(value, tuple):
            return value == wanted
        for count in range(self.used.get(key, 0), len(value)):
            if value[count] == wanted:
                self.used[key] = count
                return True
        return False
