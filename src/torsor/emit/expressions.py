"""A tape as lines of text in some language: short values that are used once are written inside their user."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from torsor.algebra.tape import Instruction, Tape

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
LONGEST = 60  # characters of an expression that is still put inside another
SIMPLE = re.compile(r"[\w.]+(?:\[[\w, .]+\])?|[0-9.]+e[+-]?\d+f?")
PRODUCT = re.compile(rf"(?:{SIMPLE.pattern}) [*] (?:{SIMPLE.pattern})")


@dataclass(frozen=True)
class Dialect:
    """What a language needs beyond + - * / and parentheses."""

    forms: dict[str, str]  # operation -> text with {0}, {1}, {2}
    number: Callable[[float], str]
    define: Callable[[str, str], str]  # name, expression -> statement


def written(
    tape: Tape,
    scalars: list[str],
    dialect: Dialect,
    special: Callable[[int, Instruction, list[str]], list[str] | None] | None = None,
) -> tuple[dict[int, str], list[str]]:
    """Text of every live value (a name, a number, or a short expression) and the statements that define the names.

    ``special`` may take over an instruction and give its statements; it must define the name t<k>.
    """
    uses = uses_of(tape)
    texts: dict[int, str] = {}
    lines: list[str] = []
    for k, instruction in enumerate(tape.code):
        if not uses[k]:
            continue
        if instruction.op == "input":
            texts[k] = scalars[int(instruction.value)]
            continue
        if instruction.op == "const":
            texts[k] = dialect.number(instruction.value)
            continue
        taken = special(k, instruction, [texts[a] for a in instruction.args]) if special else None
        if taken is not None:
            lines += taken
            texts[k] = f"t{k}"
            continue
        text = expression(instruction, texts, dialect)
        if uses[k] == 1 and len(text) <= LONGEST and instruction.op in ("add", "sub", "mul", "neg"):
            texts[k] = text
        else:
            texts[k] = f"t{k}"
            lines.append(dialect.define(texts[k], text))
    return texts, lines


def uses_of(tape: Tape) -> list[int]:
    """How often each value is read by live instructions and results."""
    uses = [0] * len(tape.code)
    for r in tape.results:
        uses[r] += 1
    for k in range(len(tape.code) - 1, -1, -1):
        if uses[k]:
            for a in tape.code[k].args:
                uses[a] += 1
    return uses


def expression(i: Instruction, texts: dict[int, str], dialect: Dialect) -> str:
    args = [texts[a] for a in i.args]
    if i.op in ("mul", "div"):
        return f"{wrapped(args[0])} {INFIX[i.op]} {wrapped(args[1])}"
    if i.op in ("add", "sub"):
        # the left side binds as it stands; on the right only a product does: no regrouping of sums
        right = args[1] if PRODUCT.fullmatch(args[1]) else wrapped(args[1])
        return f"{args[0]} {INFIX[i.op]} {right}"
    if i.op == "neg":
        return f"-{wrapped(args[0])}"
    return dialect.forms[i.op].format(*(wrapped(a) for a in args))


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
