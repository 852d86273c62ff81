"""Tapes to MATLAB: function files that run in MATLAB and in Octave, for one state or for many side by side.

States are columns: a vector of n is n x 1, many are n x N; results are n x N, a matrix r x c x N. Parameters are a
struct that ``..._parameters`` makes, with what depends on them alone computed once. Tests stand at the end of each file
as comments that Octave's ``test`` runs. Text from a model reaches the files only through `identifier` and `remark`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor.algebra.tape import Array, Tape
from torsor.emit.code_function import STEPS, CodeAbout, CodeFunction
from torsor.emit.code_names import FreeNames
from torsor.emit.expressions import Dialect, identifier, shared_out, used_inputs, written
from torsor.model.files import write_text
from torsor.model.transforms import Floats

WORDS = frozenset(
    re.findall(
        r"\w+",
        "break case catch classdef continue else elseif end for function global if otherwise parfor persistent return "
        "spmd switch try while do until unwind_protect endfunction endif endfor endwhile i j pi eps nan inf NaN Inf "
        "abs sqrt sin cos exp atan2 floor sign min max zeros ones size double isnan torsor_min torsor_max torsor_sqrt "
        "torsor_select p count step",
    )
)
HELPERS = {
    "torsor_sqrt": """function r = torsor_sqrt(x)
% not a number below zero, where sqrt is complex
    r = sqrt(abs(x));
    r(x < 0) = NaN;
end
""",
    "torsor_select": """function r = torsor_select(c, a, b)
% a where c is not zero, else b; of one size where one of them has many columns
    all_of = zeros(size(c + a + b));
    c = c + all_of;
    a = a + all_of;
    r = b + all_of;
    r(c ~= 0) = a(c ~= 0);
end
""",
    "torsor_min": """function r = torsor_min(a, b)
% hands on what is not a number, which min does not
    r = torsor_select(double(a < b | isnan(a)), a, b);
end
""",
    "torsor_max": """function r = torsor_max(a, b)
% hands on what is not a number, which max does not
    r = torsor_select(double(a > b | isnan(a)), a, b);
end
""",
}
TOLERANCE = 1e-9
LONG = 100  # characters, beyond which rows of numbers are continued


def _number(x: float) -> str:
    return repr(float(x)).replace("inf", "Inf").replace("nan", "NaN")


MATLAB = Dialect(
    calls={
        **{op: op for op in ("sin", "cos", "exp", "atan2", "floor", "abs", "sign")},
        "sqrt": "torsor_sqrt",
        "min": "torsor_min",
        "max": "torsor_max",
    },
    truth="double({})",
    select="torsor_select({0}, {1}, {2})",
    number=_number,
    define="{} = {};".format,
    infix={"mul": ".*", "div": "./"},
)


@dataclass(frozen=True)
class MatlabFiles:
    """Texts by the name of their file."""

    texts: Mapping[str, str]

    def write(self, folder: str | Path) -> list[Path]:
        paths = [Path(folder) / name for name in self.texts]
        for path, text in zip(paths, self.texts.values(), strict=True):
            write_text(path, text)
        return paths

    @property
    def alone(self) -> str:
        """All in one text, to read; each file begins with its name."""
        if len(self.texts) == 1:
            return next(iter(self.texts.values()))
        return "\n".join(f"% file: {name}\n{text}" for name, text in self.texts.items())


def remark(text: str) -> str:
    """Text that stays in its line and says nothing to Octave's tests.

    >>> remark("arm\\n%! exit(1)")
    'arm    exit(1)'
    """
    return re.sub(r"[^0-9A-Za-z .,:;()\[\]+=_<>/'^-]", " ", text)[:200].rstrip()


def to_matlab(
    library: str,
    functions: Sequence[CodeFunction],
    about: CodeAbout,
) -> MatlabFiles:
    """A file for each function, and one for the parameters where there are some."""
    base = identifier(library, WORDS)
    parameters = _parameters(functions)
    texts = {}
    values = {name: float(np.asarray(value)) for name, value in about.values.items()}
    known = {**about.stand_ins, **values}
    for function in functions:
        name = f"{base}_{identifier(function.word)}" if function.word else base
        texts[f"{name}.m"] = _function_file(name, base, function, about, known)
    if parameters:
        made = f"{base}_parameters"
        texts[f"{made}.m"] = _parameter_file(made, functions, parameters, values, about)
    return MatlabFiles(texts)


def _parameters(functions: Sequence[CodeFunction]) -> list[str]:
    return list(dict.fromkeys(name for function in functions for name in function.tape.parameters))


def _function_file(name: str, base: str, function: CodeFunction, about: CodeAbout, known: Mapping[str, float]) -> str:
    names = _names(function)
    count = len(function.inputs)
    given = [*(["p"] if function.takes_parameters else []), *names[:count]]
    loops = function.loops
    results = [*names[count:], *([loops.guess.name, loops.gap.name] if loops else [])]
    lines = [
        f"function {_returned(results)} = {name}({', '.join(given)})",
        f"%{name.upper()}  {remark(function.tape.name)}, generated by torsor {remark(about.version)}. Do not edit.",
        "%",
        f"%   formulation  {remark(function.formulation) or 'not named'}",
        f"%   operations   {remark(function.counts())}",
        *(f"%   {remark(label):13}{_from_one(remark(text))}" for label, text in about.facts),
        "%",
    ]
    if function.takes_parameters:
        lines.append(f"%   in   p  from {base}_parameters")
    for k, (array, word) in enumerate(zip(function.inputs + function.tape.outputs, names, strict=True)):
        unit = f": {remark(function.units[array.name])}" if array.name in function.units else ""
        size = " x ".join(map(str, array.shape if len(array.shape) > 1 else (array.size, 1)))
        lines.append(f"%   {'in ' if k < count else 'out'}  {word}  {size}{unit}")
    if loops:
        lines += [
            f"%   out  {loops.guess.name}  the same, nearer: hand it to the next call",
            f"%   out  {loops.gap.name}  what loops leave open there, m or rad; not small: they do not close",
            f"%   Loops are closed by {STEPS} steps of Newton's method, on from the guess, and one more.",
        ]
    lines.append("%   Many states stand side by side, a column each; so do results.")
    first = names[0]
    if loops:
        guess = names[[array.name for array in function.inputs].index(loops.guess.name)]
        lines += [
            f"    for step = 1:{STEPS}",
            f"        {guess} = closing({first}, {guess});",
            "    end",
            f"    [~, {loops.gap.name}] = closing({first}, {guess});",
        ]
    lines += [f"    {line}" for line in _body(function.body, names, function, first)]
    lines += ["end", ""]
    text = "\n".join(lines)
    if loops:
        step = CodeFunction(loops.step)
        inner = _names(step)
        text += "\n" + "\n".join(
            [
                f"function {_returned(inner[2:])} = closing({', '.join(inner[:2])})",
                "% a step of Newton's method, and what its guess left open",
                *(f"    {line}" for line in _body(loops.step, inner, step, inner[0])),
                "end",
                "",
            ]
        )
    used = [helper for helper in HELPERS if re.search(rf"\b{helper}\(", text)]
    if {"torsor_min", "torsor_max"} & set(used) and "torsor_select" not in used:
        used.insert(0, "torsor_select")
    text += "".join(f"\n{HELPERS[helper]}" for helper in used)
    return text + "\n" + "\n".join(_tests(name, base, function, known)) + "\n"


def _from_one(text: str) -> str:
    """Indices as MATLAB counts them."""
    return re.sub(r"\[(\d+)\]", lambda found: f"({int(found[1]) + 1})", text)


def _returned(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _names(function: CodeFunction) -> list[str]:
    """Of inputs and outputs: no two alike, none that a scalar q1 or a value t12 could be."""
    found = [function.field]
    for array in function.inputs + function.tape.outputs:
        word = identifier(array.name, WORDS)
        while word in found or any(_scalar_of(word, other) or _scalar_of(other, word) for other in found):
            word += "_"
        found.append(word)
    return found[1:]


def _scalar_of(word: str, other: str) -> bool:
    return re.fullmatch(rf"{re.escape(other)}[0-9]+", word) is not None


def _body(tape: Tape, names: list[str], function: CodeFunction, first: str) -> list[str]:
    used = used_inputs(tape)
    free = FreeNames([*WORDS, *names, "p", "count"])
    scalars: list[str] = []
    lines = [f"count = size({first}, 2);"]
    for name, array in zip(names, function.inputs, strict=False):
        numbered = free.all(function.code_names.of_array(array, name, 1))
        reads = [k for k in range(array.size) if len(scalars) + k in used]
        lines += [f"{numbered[k]} = {name}({k + 1}, :);" for k in reads]
        scalars += numbered
    constants = free.all(function.constant_names)
    lines += [f"{word} = p.{function.field}({k + 1});" for k, word in enumerate(constants)]
    texts, more = written(tape, [*scalars, *constants], MATLAB, names=free.of_values(function.names_in_body))
    lines += more
    outputs = names[len(function.inputs) :]
    for name, array, values in zip(outputs, tape.outputs, shared_out(tape.results, tape.outputs), strict=True):
        if len(array.shape) < 2:
            lines.append(f"{name} = zeros({array.size}, count);")
            lines += [f"{name}({k + 1}, :) = {texts[value]};" for k, value in enumerate(values)]
        else:
            lines.append(f"{name} = zeros({', '.join(map(str, array.shape))}, count);")
            for place, value in zip(np.ndindex(array.shape), values, strict=True):
                index = ", ".join(str(k + 1) for k in place)
                lines.append(f"{name}({index}, :) = {texts[value]};")
    return lines


def _parameter_file(
    name: str,
    functions: Sequence[CodeFunction],
    parameters: Sequence[str],
    values: Mapping[str, float],
    about: CodeAbout,
) -> str:
    fields = _fields(functions)
    lines = [
        f"function p = {name}(p)",
        f"%{name.upper()}  parameters: generated by torsor {remark(about.version)}".rstrip() + ". Do not edit.",
        "%",
        f"%   p = {name}()   the arm's own",
        f"%   p.{fields[parameters[0]]} = ...; p = {name}(p)   with another: computes anew what depends on them",
        "%",
        *(f"%   p.{fields[each]}  {remark(about.units.get(each, each))}" for each in parameters),
        "    if nargin < 1",
        *(f"        p.{fields[each]} = {_number(values.get(each, float('nan')))};" for each in parameters),
        "    end",
    ]
    for function in functions:
        if function.constants:
            tape = function.parts[0]
            named = FreeNames([*WORDS, "p"]).of_values(function.names_once)
            texts, more = written(tape, [f"p.{fields[array.name]}" for array in tape.inputs], MATLAB, names=named)
            stores = [f"p.{function.field}({k + 1}) = {texts[value]};" for k, value in enumerate(tape.results)]
            lines += [f"    {line}" for line in (*more, *stores)]
    text = "\n".join([*lines, "end", ""])
    used = [helper for helper in HELPERS if re.search(rf"\b{helper}\(", text)]
    return text + "".join(f"\n{HELPERS[helper]}" for helper in used)


def _fields(functions: Sequence[CodeFunction]) -> dict[str, str]:
    taken = {function.field for function in functions}
    found: dict[str, str] = {}
    for name in _parameters(functions):
        word = identifier(name, WORDS)
        while word in taken:
            word += "_"
        taken.add(word)
        found[name] = word
    return found


def _tests(name: str, base: str, function: CodeFunction, known: Mapping[str, float]) -> list[str]:
    """Comments that Octave's ``test`` runs: some states with what they give."""
    states = function.states
    if states is None:
        rng = np.random.default_rng(1)
        states = [[rng.uniform(-1.5, 1.5, a.shape) for a in function.inputs] for _ in range(4)]
    given = {a.name: np.stack([np.reshape(s[k], a.shape) for s in states]) for k, a in enumerate(function.inputs)}
    reached = dict(given)
    if function.loops is not None:
        guess = function.loops.guess.name
        reached[guess] = function.loops.closed(given[function.inputs[0].name], given[guess])
    own = {array: np.float64(known[array]) for array in function.tape.parameters}
    everything: dict[str, Any] = {**reached, **own}
    results = function.tape.evaluate(*(everything[a.name] for a in function.tape.inputs))
    names = _names(function)
    count = len(function.inputs)
    lines = ["%!test"]
    if function.takes_parameters:
        lines.append(f"%! p = {base}_parameters();")
        fields = _fields([function])
        lines += [f"%! p.{fields[each]} = {_number(known[each])};" for each in function.tape.parameters]
        lines.append(f"%! p = {base}_parameters(p);")
    arguments = [*(["p"] if function.takes_parameters else []), *names[:count]]
    for word, array in zip(names[:count], function.inputs, strict=True):
        lines += _assigned(word, array, given[array.name])
    lines.append(f"%! {_returned(names[count:])} = {name}({', '.join(arguments)});")
    for word, array, right in zip(names[count:], function.tape.outputs, results, strict=True):
        lines += _assigned("right", array, right)
        scale = max(1.0, float(np.abs(right[np.isfinite(right)]).max(initial=0.0)))
        lines.append(f"%! assert({word}, right, {TOLERANCE * scale:.3g});")
    return lines


def _assigned(word: str, array: Array, rows: Floats) -> list[str]:
    """States, a row each, as the columns of MATLAB."""
    columns = np.moveaxis(np.asarray(rows), 0, -1)  # (*shape, states)
    flat = columns.reshape(-1) if columns.ndim == 1 else np.ravel(columns, order="F")
    shape = columns.shape if columns.ndim > 1 else (1, columns.shape[0])
    numbers = [_number(float(x)) for x in flat]
    text, out = "", []
    for each in numbers:
        if len(text) + len(each) > LONG:
            out.append(text)
            text = ""
        text += f"{each} "
    out.append(text)
    body = " ...\n%!   ".join(part.strip() for part in out)
    return [f"%! {word} = reshape([{body}], {', '.join(map(str, shape))});"]
