"""Symbols in arm files: ``mass = "m2"`` where a number is expected, of masses, centres of mass, inertias and lengths.

Equations are derived with the symbol, zeros stay zeros. While the arm is read a number stands in for each symbol, one
that no file has, so that it is known again wherever it comes to; it is never shown. Who asks for numbers is asked for
values.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from torsor.errors import ModelError, did_you_mean
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
FORMULA = re.compile(r"[A-Za-z][A-Za-z0-9_]*\s*[-+*/].*")
TAKEN = (
    "q",
    "qd",
    "qdd",
    "tau",
    "g",
    "gravity",
    "wrench",
    "out",
    "T",
    "J",
    "M",
    "C",
)  # inputs and results of equations
# what a stand-in is about, so that any body of them can be: moments alike, products of inertia small
SIZES = {"mass": 2.0, "length": 0.3, "moment of inertia": 1.0, "product of inertia": 0.01}
KNOWN_AGAIN = 1e-12  # of its size
MAY_BE_NEGATIVE = ("length", "product of inertia")  # "-b2"; masses and moments of inertia are above zero


@dataclass(frozen=True)
class FileSymbol:
    """A symbol and where it first stands."""

    name: str
    kind: str  # a key of SIZES
    what: str  # "mass of link2"
    line: int
    stand_in: float

    def is_in(self, value: float) -> int:
        """1 if a number is the stand-in, -1 if it is minus that, else 0."""
        near = KNOWN_AGAIN * self.stand_in
        return 1 if abs(value - self.stand_in) <= near else -1 if abs(value + self.stand_in) <= near else 0


def symbols_in(toml: TomlFile, values: Mapping[str, float]) -> tuple[dict[str, Any], tuple[FileSymbol, ...]]:
    """The document with numbers for its symbols, and those of them that have no value."""
    document = deepcopy(toml.document)
    found: dict[str, FileSymbol] = {}
    seen: set[str] = set()
    for place, kind, put, written in _places(document):
        text, sign = written.removeprefix("-"), -1.0 if written.startswith("-") else 1.0
        if FORMULA.fullmatch(text):
            problem = f"{spelled(place)} is {written!r}, a formula"
            raise toml.error(place, problem, "a symbol is one name: give the whole of it one, r1")
        if NAME.fullmatch(text) is None:
            continue  # a number with its unit, or what the schema says is wrong
        if sign < 0.0 and kind not in MAY_BE_NEGATIVE:
            raise toml.error(place, f"{spelled(place)} is {written!r}", f"a {kind} is above zero: write {text!r}")
        if text in TAKEN or keyword.iskeyword(text):
            raise toml.error(place, f"{spelled(place)} is the symbol {text!r}", f"{text} has a meaning: take another")
        seen.add(text)
        if text in values:
            put(sign * values[text])
            continue
        first = found.setdefault(text, _symbol(text, kind, place, document, toml, found))
        if first.kind != kind:
            problem = f"{spelled(place)} is the symbol {text!r}, which is a {first.kind} in line {first.line}"
            raise toml.error(place, problem, "one symbol is one kind of number")
        put(sign * first.stand_in)
    for name in values:
        if name not in seen:
            hint = did_you_mean(name, sorted(seen)) if seen else "all its numbers are given"
            raise ModelError(f"there is no symbol {name!r}", hint=hint, file=toml.file)
    return document, tuple(found.values())


def asked_for_numbers(symbols: Sequence[FileSymbol], file: str) -> ModelError:
    """What to say who computes with an arm that has symbols."""
    symbol = min(symbols, key=lambda each: each.line)
    hint = f'give it a value: torsor.load("{file}", values={{"{symbol.name}": ...}}), or a number in the file'
    return ModelError(f"{symbol.what} is the symbol {symbol.name!r}", hint=hint, file=file, line=symbol.line)


def _places(document: dict[str, Any]) -> Iterator[tuple[KeyPath, str, Callable[[float], None], str]]:
    """Every text where a number of a link may stand, and how to put a number in its place."""
    links = document.get("link")
    for i, link in enumerate(links if isinstance(links, list) else []):
        if not isinstance(link, dict):
            continue
        for key, kind in (("mass", "mass"), ("a", "length"), ("d", "length")):
            if isinstance(link.get(key), str):
                yield ("link", i, key), kind, partial(link.__setitem__, key), link[key]
        for key in ("com", "inertia"):
            entries = link[key] if isinstance(link.get(key), list) else []
            for k, text in enumerate(entries):
                kind = "length" if key == "com" else "moment of inertia" if k < 3 else "product of inertia"
                if isinstance(text, str):
                    yield ("link", i, key), kind, partial(entries.__setitem__, k), text


def _symbol(
    name: str, kind: str, place: KeyPath, document: dict[str, Any], toml: TomlFile, others: Mapping[str, FileSymbol]
) -> FileSymbol:
    index = int(place[1])
    link = document["link"][index]
    called = link.get("name") or f"link{index + 1}"
    if place[2] == "inertia" and link.get("about", "com") != "com":
        problem = f"{spelled(place)} is the symbol {name!r} about the origin"
        raise toml.error(place, problem, 'symbols of inertia are about the centre of mass: leave out about = "origin"')
    if "shape" in link and place[2] == "mass":
        problem = f"{spelled(place)} is the symbol {name!r}, and its inertia that of a shape"
        raise toml.error(place, problem, "symbols of a body are its mass, com and inertia: leave out shape")
    word = {"a": "length a", "d": "length d", "com": "centre of mass"}.get(str(place[2]), str(place[2]))
    share = crc32(name.encode()) / 2**32
    while any(abs(other.stand_in / SIZES[other.kind] - 1.0 - 0.2 * share) < 1e-9 for other in others.values()):
        share = (share + 0.381966) % 1.0
    return FileSymbol(name, kind, f"{word} of {called}", toml.line_of(place), SIZES[kind] * (1.0 + 0.2 * share))
