"""Which values of a tape are sines and cosines of joint angles, so that they can be called s1, c23.

An angle is a sum of entries of q with numeric factors, plus an offset. Besides sin and cos of such sums, the addition
theorems are recognised: s2 c3 + c2 s3 is s23, however it was computed.
"""

from __future__ import annotations

from typing import NamedTuple

from torsor.algebra.tape import Array, Instruction, Tape

ANGLES = "q"


class SheetAngle(NamedTuple):
    """Factors by entry of q (from 0), a numeric offset, and offsets that are values of parameters only."""

    factors: tuple[tuple[int, float], ...]
    offset: float = 0.0
    others: tuple[tuple[int, float], ...] = ()

    @property
    def simple(self) -> bool:
        """A sum and difference of joint angles, no more."""
        return not self.offset and not self.others and all(abs(f) == 1.0 for _, f in self.factors)

    def plus(self, other: SheetAngle, times: float = 1.0) -> SheetAngle:
        return SheetAngle(
            _merged(self.factors, other.factors, times),
            self.offset + times * other.offset,
            _merged(self.others, other.others, times),
        )

    def joints(self) -> tuple[int, ...]:
        """Joints from 1; then those that are subtracted, negative."""
        added = tuple(k + 1 for k, factor in self.factors if factor > 0)
        return added + tuple(-(k + 1) for k, factor in self.factors if factor < 0)


class Trig(NamedTuple):
    """A value that is (minus) the sine or cosine of an angle."""

    function: str
    angle: SheetAngle
    minus: bool = False


def _merged(
    a: tuple[tuple[int, float], ...], b: tuple[tuple[int, float], ...], times: float
) -> tuple[tuple[int, float], ...]:
    found = dict(a)
    for key, factor in b:
        found[key] = found.get(key, 0.0) + times * factor
    return tuple(sorted((key, factor) for key, factor in found.items() if factor))


def angles(tape: Tape) -> list[SheetAngle | None]:
    """Of every value, the angle it is; None for what is no such sum."""
    places = [(array, k) for array in tape.inputs for k in range(array.size)]
    found: list[SheetAngle | None] = []
    for k, step in enumerate(tape.code):
        array, at = places[int(step.value)] if step.op == "input" else (Array("", ()), 0)
        if array.name == ANGLES and array.name not in tape.parameters and len(array.shape) < 2:
            found.append(SheetAngle(((at, 1.0),)))
        elif step.op == "const":
            found.append(SheetAngle((), step.value))
        elif tape.fixed[k]:
            found.append(SheetAngle((), 0.0, ((k, 1.0),)))
        else:
            found.append(_combined(step, [found[arg] for arg in step.args]))
    return found


def _combined(step: Instruction, args: list[SheetAngle | None]) -> SheetAngle | None:
    if any(arg is None for arg in args):
        return None
    known = [arg for arg in args if arg is not None]
    if step.op == "neg":
        return SheetAngle(()).plus(known[0], -1.0)
    if step.op in ("add", "sub"):
        return known[0].plus(known[1], 1.0 if step.op == "add" else -1.0)
    if step.op == "mul" and known[0] == SheetAngle((), known[0].offset):
        return SheetAngle(()).plus(known[1], known[0].offset)
    return None


def trigonometry(tape: Tape, uses: list[int]) -> dict[int, Trig]:
    """The values that are sines and cosines of joint angles."""
    known = angles(tape)
    found: dict[int, Trig] = {}
    for k, step in enumerate(tape.code):
        if not uses[k]:
            continue
        if step.op in ("sin", "cos"):
            angle = known[step.args[0]]
            if angle is not None and angle.factors:
                found[k] = Trig(step.op, angle)
        elif step.op in ("add", "sub"):
            a, b = step.args
            if all(tape.code[arg].op == "mul" and uses[arg] == 1 for arg in (a, b)):
                factors = [[found.get(arg) for arg in tape.code[side].args] for side in (a, b)]
                made = _theorem(step.op == "sub", factors)
                if made is not None:
                    found[k] = made
    return found


def _theorem(difference: bool, factors: list[list[Trig | None]]) -> Trig | None:
    """The sine or cosine that two products of them add up to."""
    known = [x for side in factors for x in side if x is not None and not x.minus and x.angle.simple]
    if len(known) < 4:
        return None
    p, q, r, s = known
    if {p.angle, q.angle} != {r.angle, s.angle} or set(dict(p.angle.factors)) & set(dict(q.angle.factors)):
        return None  # of a double angle the name would say less than the formula
    mixed = p.function != q.function, r.function != s.function
    if all(mixed):
        sin, cos = (p, q) if p.function == "sin" else (q, p)
        if (r if r.function == "sin" else s).angle == sin.angle:
            return None  # twice the same product
        return _canonical("sin", sin.angle.plus(cos.angle, -1.0 if difference else 1.0))
    if any(mixed) or p.function == r.function:
        return None
    angle = p.angle.plus(q.angle, 1.0 if difference else -1.0)
    return _canonical("cos", angle, minus=difference and p.function == "sin")


def _canonical(function: str, angle: SheetAngle, minus: bool = False) -> Trig:
    """The first joint of an angle counts positive: sin(q3 - q2) is -sin(q2 - q3)."""
    if angle.factors[0][1] < 0:
        return Trig(function, SheetAngle(()).plus(angle, -1.0), minus ^ (function == "sin"))
    return Trig(function, angle, minus)
