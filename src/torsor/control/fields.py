"""What laws are declared with: each field says what it takes, in which unit, and where a scenario file has it from.

    class Spring(Stateless):
        arm: Arm = moved_arm()
        Kp: Gain = definite("N m/rad")
        reference: Follows = followed()

From these lines come the call and its checks, the table of a scenario with its errors, and the rows of the docs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, overload

from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import matrix, vector
from torsor.control.reference import Reference, as_reference
from torsor.control.uncertainty import Uncertainty
from torsor.errors import ShapeError
from torsor.model.transforms import Floats

REQUIRED = Parameter.empty
Held = TypeVar("Held")
Given = TypeVar("Given")
Size = int | Callable[[Any], int]  # of a gain, or where a law has it from
ROWS = "a number, {}, or a matrix as a list of rows"


@dataclass(frozen=True, eq=False)
class Situation:
    """What a scenario makes a law for: the arm it knows, where it starts, what it shall follow, what pushes it."""

    arm: Arm
    q0: Floats
    reference: Reference | None
    rotation: Floats | None = None
    touch: Any = None  # force (t, position, velocity) that a sensor at the tool would see


@dataclass(frozen=True, eq=False)
class Field(Generic[Held, Given]):
    """One word of a law: ``Given`` is what users write, ``Held`` what the law keeps of it."""

    check: Callable[[str, Any, Any], Any]  # of name, value and the law: what is kept, or an error that names it
    default: Any = REQUIRED
    form: Literal["rows", "each", "pair", "number", "flag"] | None = None  # how a file writes it, if it does
    words: str = ""  # what a file is to write
    unit: str = ""
    unsaid: Any = REQUIRED  # what a file means that leaves it out
    follows: Literal["joints", "tool"] | None = None  # of a reference: what goes after it
    source: Callable[[Situation], Any] | None = None  # what a file says elsewhere, or the arm itself
    parts: Callable[[], Mapping[str, Field[Any, Any]]] | None = None  # words of a file that make it up ...
    build: Callable[..., Any] | None = None  # ... and how

    if TYPE_CHECKING:

        @overload
        def __get__(self, law: None, owner: Any) -> Self: ...
        @overload
        def __get__(self, law: object, owner: Any) -> Held: ...
        def __get__(self, law: Any, owner: Any) -> Any: ...
        def __set__(self, law: Any, given: Given) -> None: ...

    def kept(self, name: str, value: Any, law: Any) -> Any:
        return None if value is None and self.default is None else self.check(name, value, law)

    @property
    def expected(self) -> str:
        return f"{self.words}, in {self.unit}" if self.unit else self.words

    def said_by(self, name: str, given: Mapping[str, Any], now: Situation) -> Any:
        """Its value in a scenario."""
        if self.source is not None:
            return self.source(now)
        if self.parts is not None and self.build is not None:
            return self.build(**{part: field.said_by(part, given, now) for part, field in self.parts().items()})
        return self.default if self.form is None else given[name]

    @property
    def in_files(self) -> bool:
        return self.form is not None or self.source is not None or self.parts is not None


Gain = Field[Floats, ArrayLike]
MaybeGain = Field[Floats | None, ArrayLike | None]
Follows = Field[Reference, Reference | ArrayLike]


def keys_of(fields: Mapping[str, Field[Any, Any]]) -> dict[str, Field[Any, Any]]:
    """What a file says of these fields, word by word."""
    found: dict[str, Field[Any, Any]] = {}
    for name, field in fields.items():
        if field.form is not None:
            found[name] = field
        elif field.parts is not None:
            found |= keys_of(field.parts())
    return found


def definite(unit: str = "", size: Size | None = None, *, default: Any = REQUIRED, unsaid: Any = REQUIRED) -> Any:
    """A gain as a positive definite matrix; a number or one for each joint (``size`` of them) will do."""
    return _gain(matrix, "rows", ROWS, unit, size, default, unsaid)


def semidefinite(unit: str = "", size: Size | None = None, *, default: Any = REQUIRED, unsaid: Any = REQUIRED) -> Any:
    """A gain that may be zero in some directions."""
    return _gain(partial(matrix, definite=False), "rows", ROWS, unit, size, default, unsaid)


def above_zero(unit: str = "", size: Size | None = None, *, default: Any = REQUIRED) -> Any:
    """A number above zero, or one for each."""
    return _gain(partial(vector, positive=True), "each", "a number above zero, or {}", unit, size, default)


def zero_or_more(unit: str = "", size: Size | None = None, *, default: Any = REQUIRED) -> Any:
    """A number that is not negative, or one for each."""
    return _gain(partial(vector, zero=True), "each", "a number, zero or more, or {}", unit, size, default)


def pair(words: str, unit: str = "", *, default: Any = REQUIRED) -> Any:
    """Two numbers above zero."""
    return Field(lambda name, value, law: vector(name, value, 2, positive=True), default, "pair", words, unit)


def number(unit: str = "", *, default: Any = REQUIRED, in_files: bool = True) -> Any:
    """One number, zero or more."""

    def check(name: str, value: Any, law: Any) -> float:
        return float(vector(name, value, 1, zero=True)[0])

    return Field(check, default, "number" if in_files else None, "a number, zero or more", unit)


def flag(default: bool) -> Any:
    return Field(lambda name, value, law: bool(value), default, "flag", "true or false")


def moved_arm() -> Any:
    """The arm that the law moves, as it is known."""

    def check(name: str, value: Any, law: Any) -> Arm:
        if not isinstance(value, Arm):
            raise ShapeError(f"{value!r:.60} is no arm", hint='give one, such as torsor.load("irb140")')
        return value

    return Field(check, source=lambda now: now.arm)


def followed(size: int | None = None) -> Any:
    """What the law follows: joints, or (of ``size`` 3) the tool in space."""

    def check(name: str, value: Any, law: Any) -> Reference:
        return as_reference(value, law.n if size is None else size, name)

    return Field(check, follows="joints" if size is None else "tool", source=lambda now: now.reference)


def said_elsewhere(source: Callable[[Situation], Any], *, default: Any = REQUIRED) -> Any:
    """What a scenario does not say in the table of its law; the law checks it itself."""
    return Field(lambda name, value, law: value, default, source=source)


def option(*, default: Any) -> Any:
    """What only Python says."""
    return Field(lambda name, value, law: value, default)


def unknown() -> Any:
    """What is not known of the arm; a file writes its parts."""

    def check(name: str, value: Any, law: Any) -> Uncertainty:
        if not isinstance(value, Uncertainty):
            raise ShapeError(f"{value!r:.60} is no Uncertainty", hint="say control.Uncertainty(payload=(0, 6))")
        return value

    def parts() -> Mapping[str, Field[Any, Any]]:
        payload = pair("2 numbers, the least and the most it may hold", "kg", default=None)
        shares = {name: number(default=0.0) for name in ("link_mass", "link_inertia")}
        return {"payload": payload, **shares, "disturbance": zero_or_more("N m", default=0.0)}

    return Field(check, parts=parts, build=Uncertainty)


def _gain(
    made: Callable[..., Floats], form: Any, words: str, unit: str, size: Size | None, *unsaid: Any
) -> Field[Any, Any]:
    """``words`` with how many there may be; ``unsaid`` are the default, and what a file means without it."""

    def check(name: str, value: Any, law: Any) -> Floats:
        return made(name, value, size(law) if callable(size) else size or law.n)

    many = f"{size} of them" if isinstance(size, int) else "one for each joint" if size is None else "one for each"
    return Field(check, unsaid[0], form, words.format(many), unit, *unsaid[1:])
