"""The text form of a tape, one assignment a line: stable, so that golden files can hold it, and read back by ``parse``.

Inputs and numbers stand where they are used; only computed values have names, t0, t1 and so on.
"""

from __future__ import annotations

import re

from torsor.algebra.operations import OPERATIONS
from torsor.algebra.render import number
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.errors import CompileError

_infix = {row.infix: row.name for row in OPERATIONS.values() if row.infix}


def text(tape: Tape) -> str:
    """A tape as text; see ``parse``."""
    lines = [f"tape {tape.name}"]
    kinds = dict.fromkeys(tape.parameters, "parameter")
    lines += [f"{kinds.get(array.name, 'input')} {_declared(array)}" for array in tape.inputs]
    lines += [f"output {_declared(array)}" for array in tape.outputs]
    inputs = [array.element(k) for array in tape.inputs for k in range(array.size)]
    names: list[str] = []
    computed = 0
    for step in tape.code:
        if step.op == "input":
            names.append(inputs[int(step.value)])
        elif step.op == "const":
            names.append(number(step.value))
        else:
            names.append(f"t{computed}")
            lines.append(f"t{computed} = {_formula(step, [names[arg] for arg in step.args])}")
            computed += 1
    outputs = [array.element(k) for array in tape.outputs for k in range(array.size)]
    lines += [f"{place} = {names[k]}" for place, k in zip(outputs, tape.results, strict=True)]
    return "\n".join(lines)


def _declared(array: Array) -> str:
    return f"{array.name}[{','.join(map(str, array.shape))}]" if array.shape else array.name


def _formula(step: Instruction, args: list[str]) -> str:
    infix = OPERATIONS[step.op].infix
    if step.op == "neg":
        return f"-{args[0]}"
    return f"{args[0]} {infix} {args[1]}" if infix else f"{step.op}({', '.join(args)})"


def parse(source: str) -> Tape:
    """Read the text of a tape.

    >>> print(parse("tape f\\ninput x\\noutput y\\nt0 = 2 * x\\ny = t0").text())
    tape f
    input x
    output y
    t0 = 2 * x
    y = t0
    """
    name, arrays, parameters = "", {"input": [], "output": []}, []  # type: ignore[var-annotated]
    code: list[Instruction] = []
    values: dict[str, int] = {}  # value number by the word that stands for it
    flat: dict[str, int] = {}
    places: dict[str, int] = {}
    results: dict[int, int] = {}

    def value(word: str) -> int:
        if word not in values:
            if word in flat:
                step = Instruction("input", (), float(flat[word]))
            else:
                try:
                    step = Instruction("const", (), float(word))
                except ValueError:
                    raise CompileError(f"{word!r} is not defined", line=at) from None
            values[word] = len(code)
            code.append(step)
        return values[word]

    for at, line in enumerate(source.strip().splitlines(), 1):
        head, _, rest = line.strip().partition(" ")
        if head == "tape":
            name = rest
        elif head in ("input", "parameter", "output"):
            array = _array(rest, at)
            kind, known = ("output", places) if head == "output" else ("input", flat)
            for k in range(array.size):
                known[array.element(k)] = len(known)
            arrays[kind].append(array)
            if head == "parameter":
                parameters.append(array.name)
        elif rest.startswith("= "):
            op, words = _read(rest[2:].strip(), at)
            if head in places:
                results[places[head]] = value(words[0])
                continue
            args = tuple(value(word) for word in words)
            values[head] = len(code)
            code.append(Instruction(op, args))
        elif line.strip():
            raise CompileError(f"cannot read {line.strip()!r}", line=at)
    missing = [place for place, k in places.items() if k not in results]
    if missing:
        raise CompileError(f"no value for {missing[0]}")
    ordered = tuple(results[k] for k in range(len(places)))
    return Tape(name, tuple(arrays["input"]), tuple(arrays["output"]), tuple(code), ordered, tuple(parameters)).verify()


def _array(declared: str, at: int) -> Array:
    match = re.fullmatch(r"([^\[\]\s]+)(?:\[([\d,]*)\])?", declared)
    if match is None:
        raise CompileError(f"cannot read the array {declared!r}", line=at, hint="write it as q[6]")
    shape = match[2]
    return Array(match[1], tuple(int(size) for size in shape.split(",") if size) if shape else ())


def _read(formula: str, at: int) -> tuple[str, list[str]]:
    call = re.fullmatch(r"(\w+)\((.*)\)", formula)
    if call is not None and call[1] in OPERATIONS:
        return call[1], [word.strip() for word in re.split(r",\s", call[2])]
    words = formula.split(" ")
    if len(words) == 3 and words[1] in _infix:
        return _infix[words[1]], [words[0], words[2]]
    if len(words) == 1:
        negative = re.fullmatch(r"-([^\d.].*)", formula)
        return ("neg", [negative[1]]) if negative else ("", words)
    raise CompileError(f"cannot read the formula {formula!r}", line=at)
