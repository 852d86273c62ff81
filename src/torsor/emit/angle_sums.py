"""Sines and cosines of sums of angles from those of the angles, where these are no more: 4 products for a polynomial.

Parallel joints ask for them: of the joints themselves, and of their sum.
"""

from __future__ import annotations

from dataclasses import replace

from torsor.algebra.tape import Instruction, Tape


def with_angle_sums(tape: Tape) -> Tape:
    """A tape that computes the same up to a rounding of a sine.

    >>> from torsor.algebra import symbols, tape_from
    >>> import numpy as np
    >>> a, b = q = symbols("q", 2)
    >>> tape = tape_from("t", {"q": q}, {"y": np.sin(a) + np.cos(b) + np.cos(a + b)})
    >>> tape.counts().trig, with_angle_sums(tape).counts().trig
    (3, 4)
    >>> angles = {step.args[0] for step in with_angle_sums(tape).code if step.op in ("sin", "cos")}
    >>> len(angles)  # of a and b, where there were three
    2
    """
    wanted = _sums_to_take_apart(tape)
    if not wanted:
        return tape
    code: list[Instruction] = []
    at: list[int] = []  # where values of the tape are now
    known: dict[tuple[str, int], int] = {}  # sines and cosines, by the angles of the tape

    def add(op: str, *args: int) -> int:
        code.append(Instruction(op, args))
        return len(code) - 1

    def parts_of(x: int) -> list[int]:
        """The angles that a sum is made of, sums among them after their own parts."""
        found, left = set(), list(tape.code[x].args) if x in wanted else []
        while left:
            part = left.pop()
            if part not in found and not known.keys() >= {("sin", part), ("cos", part)}:
                found.add(part)
                left += tape.code[part].args if part in wanted else ()
        return sorted(found)

    def trig(op: str, x: int) -> int:
        """Of an angle, which is there."""
        if (op, x) not in known:
            for part in parts_of(x):
                make("sin", part)
                make("cos", part)
            make(op, x)
        return known[op, x]

    def make(op: str, x: int) -> None:
        """Of an angle whose parts are known."""
        if (op, x) in known:
            return
        if x not in wanted:
            known[op, x] = add(op, at[x])
            return
        (sa, ca), (sb, cb) = ((known["sin", part], known["cos", part]) for part in tape.code[x].args)
        minus = tape.code[x].op == "sub"
        if op == "sin":
            known[op, x] = add("sub" if minus else "add", add("mul", sa, cb), add("mul", ca, sb))
        else:
            known[op, x] = add("add" if minus else "sub", add("mul", ca, cb), add("mul", sa, sb))

    for step in tape.code:
        if step.op in ("sin", "cos"):
            at.append(trig(step.op, step.args[0]))
        else:
            code.append(step._replace(args=tuple(at[a] for a in step.args)))
            at.append(len(code) - 1)
    return replace(tape, code=tuple(code), results=tuple(at[k] for k in tape.results))


def _sums_to_take_apart(tape: Tape) -> set[int]:
    """Angles that are sums: all, and sums in sums, where their parts are no more angles than are asked for; else those
    of which all parts are asked for. Sums of large angles have lost digits that sines of their parts have."""
    asked = {step.args[0] for step in tape.code if step.op in ("sin", "cos")}

    def is_sum(x: int) -> bool:
        step = tape.code[x]
        return step.op in ("add", "sub") and not any(tape.code[part].op == "const" for part in step.args)

    sums: set[int] = set()
    angles: set[int] = set()
    waiting = list(asked)
    while waiting:
        x = waiting.pop()
        if is_sum(x) and x not in sums:
            sums.add(x)
            waiting += tape.code[x].args
        elif not is_sum(x):
            angles.add(x)
    if len(angles) <= len(asked):
        return sums
    return {x for x in asked & sums if all(part in asked for part in tape.code[x].args)}
