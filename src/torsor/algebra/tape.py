"""The tape: an expression graph laid out as a linear list of instructions, which every backend prints.

A tape is in single-assignment form: instruction k defines value k and refers only to earlier values. What each
operation means, NaN included, is said in ``operations.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.algebra.operations import OPERATIONS
from torsor.errors import CompileError, ShapeError

if TYPE_CHECKING:
    from torsor.algebra.counting import Count

Floats = NDArray[np.float64]


# Tuples, not dataclasses: tapes come out of the cache by the thousand instructions.
class Array(NamedTuple):
    """A named block of scalars, an input or an output of a tape, numbered row-major."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return prod(self.shape)

    def element(self, flat: int) -> str:
        """The name of a scalar in it, as q[2] or M[0,1]."""
        if not self.shape:
            return self.name
        return f"{self.name}[{','.join(str(int(i)) for i in np.unravel_index(flat, self.shape))}]"


class Instruction(NamedTuple):
    """One operation. ``value`` is the number of a "const" and the flat input index of an "input"."""

    op: str
    args: tuple[int, ...] = ()
    value: float = 0.0


class Liveness(NamedTuple):
    """How long values are needed. Numbers and inputs lie in memory, so only computed values are counted as alive."""

    last_use: tuple[int, ...]  # of each value: the last instruction that reads it, or its own number
    alive: tuple[int, ...]  # after each instruction: computed values that a later one reads
    peak: int


@dataclass(frozen=True)
class Tape:
    """A straight-line program. Inputs are numbered one after the other, each row-major."""

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    code: tuple[Instruction, ...]
    results: tuple[int, ...]  # value number of every output scalar, outputs one after the other, each row-major
    parameters: tuple[str, ...] = ()  # names of the inputs that stay while states change

    @cached_property
    def fixed(self) -> tuple[bool, ...]:
        """Of each value, whether it depends on numbers and parameters only."""
        stays: list[bool] = []
        for array in self.inputs:
            stays.extend([array.name in self.parameters] * array.size)
        known: list[bool] = []
        for step in self.code:
            known.append(stays[int(step.value)] if step.op == "input" else all(known[k] for k in step.args))
        return tuple(known)

    def counts(self) -> Count:
        """The operations, those on parameters only apart (``fixed``)."""
        from torsor.algebra.counting import tally

        return tally((step.op, fixed) for step, fixed in zip(self.code, self.fixed, strict=True) if step.args)

    def liveness(self) -> Liveness:
        """When each value is last read, and how many are alive at once."""
        last = list(range(len(self.code)))
        for k, step in enumerate(self.code):
            for arg in step.args:
                last[arg] = k
        alive, now, ends = [], 0, [0] * len(self.code)
        for k, step in enumerate(self.code):
            now -= ends[k]
            if step.args and last[k] > k:
                now += 1
                ends[last[k]] += 1
            alive.append(now)
        return Liveness(tuple(last), tuple(alive), max(alive, default=0))

    def split(self) -> tuple[Tape, Tape]:
        """A prologue of what depends on parameters only, and the body, which reads its results as the input "fixed".

        The prologue takes the parameters and gives "fixed"; the body takes the other inputs, then "fixed".
        """
        (prologue, _), (body, _) = self.split_numbered()
        return prologue, body

    def split_numbered(self) -> tuple[tuple[Tape, dict[int, int]], tuple[Tape, dict[int, int]]]:
        """The same, each with the numbers that values have there, by those that they have here."""
        stays = self.fixed
        needed: dict[int, int] = {}  # value number -> place in "fixed"
        for k, step in enumerate(self.code):
            if not stays[k]:
                for arg in step.args:
                    if stays[arg] and self.code[arg].op != "const":
                        needed.setdefault(arg, len(needed))
        for k in self.results:
            if stays[k] and self.code[k].op != "const":
                needed.setdefault(k, len(needed))
        bundle = Array("fixed", (len(needed),))
        first = tuple(array for array in self.inputs if array.name in self.parameters)
        second = (*(array for array in self.inputs if array.name not in self.parameters), bundle)
        prologue = _part(self, f"{self.name}_prologue", first, (bundle,), tuple(needed), {})
        return prologue, _part(self, self.name, second, self.outputs, self.results, needed)

    def verify(self) -> Tape:
        """Raise a CompileError that names the instruction if the tape is malformed; else give it back."""
        size = sum(array.size for array in self.inputs)
        for k, step in enumerate(self.code):
            row = OPERATIONS.get(step.op)
            problem = ""
            if row is None:
                problem = "is no operation"
            elif len(step.args) != row.arity:
                problem = f"takes {row.arity} arguments, not {len(step.args)}"
            elif step.args and not (min(step.args) >= 0 and max(step.args) < k):
                problem = "reads a value that is not yet there"
            elif step.op == "input" and not (0 <= step.value < size and step.value == int(step.value)):
                problem = f"reads input {step.value:g} of {size}"
            elif not isinstance(step.value, int | float):
                problem = f"has the value {step.value!r}, which is no number"
            if problem:
                named = f"{step.op}({', '.join(f'value {arg}' for arg in step.args)})"
                raise CompileError(f"tape {self.name!r}, instruction {k}: {named} {problem}")
        wanted = sum(array.size for array in self.outputs)
        if len(self.results) != wanted:
            raise CompileError(f"tape {self.name!r}: {len(self.results)} results for {wanted} output scalars")
        for place, k in enumerate(self.results):
            if not 0 <= k < len(self.code):
                raise CompileError(f"tape {self.name!r}, result {place}: there is no instruction {k}")
        for arrays in (self.inputs, self.outputs):
            names = [array.name for array in arrays]
            if len(set(names)) != len(names):
                raise CompileError(f"tape {self.name!r}: two arrays of one name among {', '.join(names)}")
        for name in self.parameters:
            if name not in {array.name for array in self.inputs}:
                raise CompileError(f"tape {self.name!r}: the parameter {name!r} is no input")
        return self

    def evaluate(self, *arrays: ArrayLike) -> tuple[Floats, ...]:
        """Run the tape in NumPy, over leading dimensions that broadcast: the reference for every backend.

        >>> from torsor.algebra import symbols, tape_from
        >>> x = symbols("x", 2)
        >>> tape_from("dot", {"x": x}, {"y": x @ x}).evaluate([[3.0, 4.0], [1.0, 2.0]])
        (array([25.,  5.]),)
        """
        scalars, batch = self.scalars([np.asarray(array, dtype=np.float64) for array in arrays])

        def compute(step: Instruction, args: list[Any]) -> Any:
            evaluate = OPERATIONS[step.op].evaluate
            if evaluate is not None:
                return evaluate(*args)
            return scalars[int(step.value)] if step.op == "input" else step.value

        return self.gathered(self.run(compute), batch)

    def scalars(self, arrays: list[Floats], called: str = "arrays") -> tuple[list[Floats], tuple[int, ...]]:
        """Every input scalar of arrays over leading dimensions, and these, broadcast."""
        if len(arrays) != len(self.inputs):
            raise ShapeError(f"tape {self.name!r} takes {len(self.inputs)} {called}, not {len(arrays)}")
        scalars: list[Floats] = []
        batches = []
        for array, want in zip(arrays, self.inputs, strict=True):
            ahead = array.ndim - len(want.shape)
            if ahead < 0 or array.shape[ahead:] != want.shape:
                raise ShapeError(f"{want.name} has shape {array.shape}", hint=f"it must end in {want.shape}")
            batches.append(array.shape[:ahead])
            flat = array.reshape((*array.shape[:ahead], want.size))
            scalars.extend(flat[..., k] for k in range(want.size))
        return scalars, np.broadcast_shapes(*batches)

    def run(self, compute: Callable[[Instruction, list[Any]], Any]) -> list[Any]:
        """The results, when ``compute`` gives what an instruction makes of its arguments."""
        values: list[Any] = [None] * len(self.code)
        last, results = self.liveness().last_use, set(self.results)
        with np.errstate(all="ignore"):
            for k, step in enumerate(self.code):
                values[k] = compute(step, [values[arg] for arg in step.args])
                for arg in step.args:
                    if last[arg] == k and arg not in results:
                        values[arg] = None  # memory: states and boxes come by the ten thousand
        return [values[k] for k in self.results]

    def gathered(self, results: list[Any], batch: tuple[int, ...]) -> tuple[Floats, ...]:
        """Results, one after the other, as the output arrays (*batch, *shape) they are of."""
        out, rest = [], iter(results)
        for want in self.outputs:
            block = np.empty((*batch, want.size))
            for k in range(want.size):
                block[..., k] = next(rest)
            out.append(block.reshape((*batch, *want.shape)))
        return tuple(out)

    def text(self) -> str:
        """The tape for eyes and for golden files; ``torsor.algebra.parse`` reads it back."""
        from torsor.algebra.text import text

        return text(self)


def _part(
    whole: Tape,
    name: str,
    inputs: tuple[Array, ...],
    outputs: tuple[Array, ...],
    results: tuple[int, ...],
    given: dict[int, int],
) -> tuple[Tape, dict[int, int]]:
    """What of a tape the results need, when the values ``given`` come from the last input; and its new numbers."""
    old, new = _starts(whole.inputs), _starts(inputs)
    shared = [array for array in whole.inputs if array.name in new]
    place = {old[a.name] + k: new[a.name] + k for a in shared for k in range(a.size)}  # old flat input -> new one
    needed, stack = set(results), list(results)
    while stack:
        k = stack.pop()
        for arg in () if k in given else whole.code[k].args:
            if arg not in needed:
                needed.add(arg)
                stack.append(arg)
    code: list[Instruction] = []
    number: dict[int, int] = {}
    for k in sorted(needed):
        step = whole.code[k]
        number[k] = len(code)
        if k in given:
            code.append(Instruction("input", (), float(new["fixed"] + given[k])))
        elif step.op == "input":
            code.append(Instruction("input", (), float(place[int(step.value)])))
        else:
            code.append(Instruction(step.op, tuple(number[arg] for arg in step.args), step.value))
    kept = tuple(p for p in whole.parameters if p in new) + (("fixed",) if given else ())
    return Tape(name, inputs, outputs, tuple(code), tuple(number[k] for k in results), kept), number


def _starts(arrays: tuple[Array, ...]) -> dict[str, int]:
    """The flat index of the first scalar of each."""
    return dict(zip((a.name for a in arrays), accumulate((a.size for a in arrays), initial=0), strict=False))
