"""Values by type tables: records and arrays as data, whole or in parts.

Values are never changed in place: a value with another part is another value, so that no name changes with another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torsor.programs.values import NOUNS, Absent, Location, Value, Wrong, kind_of

RecordShape = tuple[
    tuple[str, str], ...
]  # of a record: its parts and their types, in the order in which they are written
MOST_ELEMENTS = 100_000  # of an array
EMPTY: Mapping[str, Value] = {"number": 0.0, "truth": False, "text": ""}


@dataclass(frozen=True)
class TypeTable:
    """The types of a language: ``kinds`` of single values, ``records`` of several, ``other_names`` of types.

    ``strict`` records are written with all of their parts; of others some may be left out. ``rounds``: types of whole
    numbers, to which others are rounded, halves away from zero, and of which a single character is one. ``wider``: of
    a record, parts that others of its family have beside its own, and that it leaves out.
    """

    kinds: Mapping[str, str]
    records: Mapping[str, RecordShape]
    other_names: Mapping[str, str] = field(default_factory=dict)
    strict: bool = True
    rounds: frozenset[str] = frozenset()
    wider: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def named(self, name: str) -> str:
        return self.other_names.get(name, name)

    def knows(self, name: str) -> bool:
        return self.named(name) in self.records or self.named(name) in self.kinds

    def part_type(self, type: str, part: str) -> str:
        """The type of a part; "" where that is not known."""
        return next((kind for name, kind in self.records.get(self.named(type), ()) if name == part), "")

    def empty(self, type: str, sizes: Sequence[int] = ()) -> Value | None:
        """What a name holds before a value is given to it; None where that is nothing."""
        if sizes:
            one = self.empty(type, sizes[1:])
            if one is None:
                one = Absent("")
            return (one,) * sizes[0]
        type = self.named(type)
        if type in self.records:
            if not self.strict:
                return {}
            parts = {name: self.empty(kind) for name, kind in self.records[type]}
            return {name: Absent("") if part is None else part for name, part in parts.items()}
        return EMPTY.get(self.kinds.get(type, ""))

    def fitted(self, value: Value, type: str, dimensions: int = 0) -> Value:
        """The value as one of its type: ``[[1, 2, 3], [1, 0, 0, 0]]`` becomes a pose with its parts."""
        if isinstance(value, Absent) or not type:
            return value
        if dimensions and isinstance(value, tuple):
            return tuple(self.fitted(each, type, dimensions - 1) for each in value)
        type = self.named(type)
        if type in self.records:
            return self._record(value, type)
        kind = self.kinds.get(type)
        if kind is None or kind == "any":
            return value
        if type in self.rounds and isinstance(value, str) and len(value) == 1:
            return float(ord(value))
        if kind == "number" and isinstance(value, bool | int | float):
            return math.copysign(math.floor(abs(value) + 0.5), value) if type in self.rounds else float(value)
        if kind == "truth" and isinstance(value, float | int) and value in (0, 1):
            return bool(value)
        if kind_of(value) != kind and not (kind == "text" and isinstance(value, tuple)):
            raise Wrong(f"{NOUNS[kind_of(value)]} where {NOUNS[kind]} ({type}) is needed")
        return value

    def _record(self, value: Value, type: str) -> Value:
        shape = self.records[type]
        if isinstance(value, dict):
            if len(value) == len(shape) and self.strict and self._has_whole_parts(value, shape):
                return value  # it was made of this type
            known, left_out = dict(shape), self.wider.get(type, frozenset())
            wrong = next((name for name in value if name not in known and name not in left_out), None)
            if wrong is not None:
                names = ", ".join(known)
                raise Wrong(f"a {type} has no part {wrong!r}", f"its parts are {names}")
            parts = {name: self.fitted(part, known[name]) for name, part in value.items() if name in known}
            # a name that no file defines has the parts that the program gives it: of the others nothing is known
            return {name: parts.get(name, Absent("")) for name in known} if self.strict else parts
        if isinstance(value, tuple):
            if len(value) != len(shape):
                hint = f"its parts are {', '.join(name for name, _ in shape)}"
                raise Wrong(f"a {type} has {len(shape)} parts, not {len(value)}", hint)
            return {name: self.fitted(part, kind) for part, (name, kind) in zip(value, shape, strict=True)}
        if isinstance(value, Location):
            return value
        raise Wrong(f"{NOUNS[kind_of(value)]} where a {type} is needed")

    def _has_whole_parts(self, value: Mapping[str, Value], shape: RecordShape) -> bool:
        parts = ((value.get(name), self.records.get(kind)) for name, kind in shape)
        return all(not isinstance(part, dict) or inner is None or len(part) == len(inner) for part, inner in parts)

    def part(self, value: Value, name: str) -> Value:
        """A part of a record."""
        if isinstance(value, Absent):
            return value
        if isinstance(value, tuple) and self.strict:
            return Absent("")  # written in brackets, of a type that no file defines: which part is which is not told
        if not isinstance(value, dict):
            raise Wrong(f"{NOUNS[kind_of(value)]} has no part {name!r}")
        if name not in value:
            if not self.strict:
                return Absent(name)
            raise Wrong(f"there is no part {name!r}", f"parts are {', '.join(value)}")
        return value[name]

    def with_part(
        self,
        value: Value | None,
        keys: Sequence[int | str],
        new: Value,
        type: str,
        first: int,
        counted: int | None = None,
    ) -> Value:
        """The value with an element or a part of it changed; ``keys`` lead to it, ``first`` is the lowest index.

        ``counted``: so many indices lead through arrays whose size is known, all of them if None; others grow.
        """
        if not keys:
            return self.fitted(new, type)
        if isinstance(value, Absent):
            return value
        key, *rest = keys
        if isinstance(key, str):
            if isinstance(value, tuple) and self.strict and not self.knows(type):
                return Absent("")  # as in `part`
            whole = dict(value) if isinstance(value, dict) else {} if value is None else None
            if whole is None:
                raise Wrong(f"{NOUNS[kind_of(value)]} has no part {key!r}")  # type: ignore[arg-type]
            kind = self.part_type(type, key)
            if self.named(type) in self.records and not kind:
                names = ", ".join(name for name, _ in self.records[self.named(type)])
                raise Wrong(f"a {type} has no part {key!r}", f"its parts are {names}")
            if value is None and self.strict:  # the other parts are not known
                whole = {name: Absent("") for name, _ in self.records.get(self.named(type), ())}
            old_part = whole.get(key)
            old_part = None if _unset(old_part) else old_part
            whole[key] = self.with_part(old_part, rest, new, kind, first, counted)
            return whole
        items = list(value) if isinstance(value, tuple | str) else []
        number = key - first
        if number < 0 or (number >= len(items) and isinstance(value, tuple) and value and counted != 0):
            raise Wrong(f"index {key} is outside of {first}..{len(items) - 1 + first}")
        if number >= MOST_ELEMENTS:
            raise Wrong(f"an array grows beyond {MOST_ELEMENTS:,} elements")
        items.extend([Absent("")] * (number + 1 - len(items)))
        old: Any = items[number]
        within = counted and counted - 1  # of None and 0 itself
        items[number] = self.with_part(None if _unset(old) else old, rest, new, type, first, within)
        return value.__class__(items) if isinstance(value, tuple) else tuple(items)


def _unset(value: Value | None) -> bool:
    return isinstance(value, Absent) and not value.name


def element(value: Value, indices: Sequence[int], first: int, *, grows: bool = False) -> Value:
    """An element of an array, of an array in it, or a character of a text; ``grows``: nobody says how many it has."""
    for index in indices:
        if isinstance(value, Absent):
            return value
        if not isinstance(value, tuple | str):
            raise Wrong(f"{NOUNS[kind_of(value)]} has no elements")
        if grows and index - first >= len(value):
            return Absent("")
        if not 0 <= index - first < len(value):
            raise Wrong(f"index {index} is outside of {first}..{len(value) - 1 + first}")
        value = value[index - first]
    return value
