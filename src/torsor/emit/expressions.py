"""A tape as lines of text in some language: short values that are used once are written inside their user."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from torsor.algebra.operations import OPERATIONS
from torsor.algebra.tape import Array, Instruction, Tape

T = TypeVar("T")
LONGEST = 60  # characters of an expression that is still put inside another
LONGEST_UNNAMED = 90  # the same where others have names: those of a sheet, which puts it there too
SIMPLE = re.compile(r"[\w.]+(?:->\w+)?(?:\[[\w, .]+\])?|[0-9.]+e[+-]?\d+f?")
PRODUCT = re.compile(rf"(?:{SIMPLE.pattern}) [.]?[*] (?:{SIMPLE.pattern})")


@dataclass(frozen=True)
class Dialect:
    """What a language needs beyond + - * / and parentheses."""

    calls: dict[str, str]  # operation -> function
    truth: str  # 1 or 0 of a comparison {}
    select: str  # with {0}, {1}, {2}
    number: Callable[[float], str]
    define: Callable[[str, str], str]  # name, expression -> statement
    infix: Mapping[str, str] = field(default_factory=dict)  # operators that are spelled otherwise


def written(
    tape: Tape,
    scalars: list[str],
    dialect: Dialect,
    special: Callable[[int, str, Instruction, list[str]], list[str] | None] | None = None,
    names: Mapping[int, str] | None = None,
) -> tuple[dict[int, str], list[str]]:
    """Text of every live value (a name, a number, or a short expression) and the statements that define the names.

    ``names`` are those of values that have one; all others are t<k>. ``special`` may take over an instruction and give
    its statements; it must define the name that it is told.
    """
    names = names or {}
    longest = LONGEST_UNNAMED if names else LONGEST
    uses = uses_of(tape)
    texts: dict[int, str] = {}
    lines: list[str] = []
    for k, instruction in enumerate(tape.code):
        if not uses[k]:
            continue
        args = [texts[a] for a in instruction.args]
        if instruction.op == "input":
            texts[k] = scalars[int(instruction.value)]
        elif instruction.op == "const":
            texts[k] = dialect.number(instruction.value)
        elif special and (taken := special(k, names.get(k, f"t{k}"), instruction, args)) is not None:
            texts[k] = names.get(k, f"t{k}")
            lines += taken
        else:
            texts[k] = expression(instruction.op, args, dialect)
            inside = uses[k] == 1 and len(texts[k]) <= longest and instruction.op in ("add", "sub", "mul", "neg")
            if k in names or not inside:
                lines.append(dialect.define(names.get(k, f"t{k}"), texts[k]))
                texts[k] = names.get(k, f"t{k}")
    return texts, lines


def uses_of(tape: Tape, *, squares_once: bool = False) -> list[int]:
    """How often each value is read by live instructions and results; the factors of a square may count as one."""
    uses = [0] * len(tape.code)
    for r in tape.results:
        uses[r] += 1
    for k in range(len(tape.code) - 1, -1, -1):
        if uses[k]:
            step = tape.code[k]
            for a in set(step.args) if squares_once and step.op == "mul" else step.args:
                uses[a] += 1
    return uses


def used_inputs(tape: Tape) -> set[int]:
    """The flat numbers of the inputs that are read."""
    return {int(i.value) for i, n in zip(tape.code, uses_of(tape), strict=True) if i.op == "input" and n}


def shared_out(flat: Sequence[T], arrays: Sequence[Array]) -> list[list[T]]:
    """What belongs to the scalars of arrays, one after the other, by array."""
    rest = iter(flat)
    return [list(islice(rest, array.size)) for array in arrays]


def expression(op: str, args: list[str], dialect: Dialect) -> str:
    whole = [wrapped(a) for a in args]
    sign = dialect.infix.get(op, OPERATIONS[op].infix)
    if op in ("add", "sub"):
        # the left side binds as it stands; on the right only a product does: no regrouping of sums
        right = args[1] if PRODUCT.fullmatch(args[1]) else whole[1]
        return f"{args[0]} {sign} {right}"
    if op == "neg":
        return f"-{whole[0]}"
    if op == "select":
        return dialect.select.format(*whole)
    if op in dialect.calls:
        return f"{dialect.calls[op]}({', '.join(whole)})"
    text = f"{whole[0]} {sign} {whole[1]}"
    return text if op in ("mul", "div") else dialect.truth.format(text)


def wrapped(text: str) -> str:
    """In parentheses, unless it is one name or number."""
    return text if SIMPLE.fullmatch(text) else f"({text})"


def identifier(name: str, reserved: frozenset[str] = frozenset()) -> str:
    """An identifier of Python and C that resembles a name.

    >>> identifier("2nd arm; import os")
    'x_2nd_arm_import_os'
    """
    word = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")[:60]
    if not word or word[0].isdigit():
        word = f"x_{word}" if word else "x"
    while word in reserved or re.fullmatch(r"t[0-9]*", word):
        word += "_"
    return word


def array_names(tape: Tape, reserved: frozenset[str]) -> list[str]:
    """Identifiers of inputs, then outputs: all different, also from scalars like q0_1 and values like t12."""
    names: list[str] = []
    for array in tape.inputs + tape.outputs:
        plain = word = identifier(array.name, reserved)
        while any(_clash(word, other) or _clash(other, word) for other in names):
            word = f"v{len(names)}_{plain}" if word == plain else f"v{word}"
        names.append(word)
    return names


def _clash(short: str, long: str) -> bool:
    """Whether one name with an index behind it could be the other."""
    return re.fullmatch(rf"{re.escape(short)}[0-9_]*", long) is not None
