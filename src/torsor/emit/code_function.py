"""A function to be written in some language: a tape with what is known of its arrays, parameters and loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from torsor.algebra.tape import Array, Tape
from torsor.emit.code_names import NO_NAMES, CodeNames
from torsor.emit.expressions import used_inputs, uses_of
from torsor.errors import Unsupported
from torsor.model.transforms import Floats

LICENCE = "Generated code: yours to use, change and pass on without condition; it comes without warranty."
STEPS = 4  # of a call, and one more inside the function: from a guess that is off by 0.1 rad the last is rounding


@dataclass(frozen=True, eq=False)
class CodeLoops:
    """Loops without a closed form. ``step`` takes the first state and a guess and gives one nearer, and the residual at
    the guess it was given."""

    step: Tape
    around: Mapping[str, Any]  # an assembled posture: the free joints q, and the guess there

    @property
    def guess(self) -> Array:
        return self.step.inputs[1]

    @property
    def gap(self) -> Array:
        return self.step.outputs[1]

    def closed(self, first: Any, guess: Any) -> Any:
        """A guess after all steps, on numbers."""
        for _ in range(STEPS):
            guess = self.step.evaluate(first, guess)[0]
        return guess


@dataclass(frozen=True)
class CodeFunction:
    """``word`` stands behind the name of the files where these hold several functions."""

    tape: Tape
    word: str = ""
    formulation: str = ""
    units: Mapping[str, str] = field(default_factory=dict)  # of arrays, by name
    states: Sequence[Sequence[Any]] | None = None  # inputs for the self-test, parameters left out
    loops: CodeLoops | None = None  # that Newton's method closes before the tape is run
    code_names: CodeNames = NO_NAMES  # names of a sheet of the same equations

    def __post_init__(self) -> None:
        self.tape.verify()
        if not self.inputs or any(a.size == 0 for a in self.tape.inputs + self.tape.outputs):
            text = f"tape {self.tape.name!r} has no inputs or an array of no elements, which code does not know"
            raise Unsupported(text)

    @property
    def inputs(self) -> tuple[Array, ...]:
        """What a caller gives at every call."""
        return tuple(array for array in self.tape.inputs if array.name not in self.tape.parameters)

    @cached_property
    def parts(self) -> tuple[Tape, Tape]:
        """What is computed once of the parameters, and what at every call."""
        (prologue, _), (body, _) = self._numbered
        return prologue, body

    @cached_property
    def _numbered(self) -> tuple[tuple[Tape, dict[int, int]], tuple[Tape, dict[int, int]]]:
        return self.tape.split_numbered()

    @property
    def names_once(self) -> CodeNames:
        """Names in what is computed once."""
        return self.code_names.numbered(self._numbered[0][1])

    @property
    def names_in_body(self) -> CodeNames:
        return self.code_names.numbered(self._numbered[1][1]) if self.constants else self.code_names

    @property
    def constants(self) -> int:
        """How many numbers are computed once."""
        return self.parts[0].outputs[0].size if self.tape.parameters else 0

    @property
    def body(self) -> Tape:
        """What every call computes; the last input are the constants, where there are some."""
        return self.parts[1] if self.constants else self.tape

    @property
    def constant_names(self) -> list[str]:
        """What the constants are called on the sheet, in their order; some are parameters themselves."""
        if not self.constants:
            return []
        tape, named = self.parts[0], dict(self.names_once.values)
        entries = [word for array in tape.inputs for word in self.code_names.entries.get(array.name, ())]
        if entries:
            named |= {k: entries[int(step.value)] for k, step in enumerate(tape.code) if step.op == "input"}
        letter = "constant" if entries else self.field  # what is spelled out on the sheet has no name there
        return [named.get(k) or f"{letter}{at + 1}" for at, k in enumerate(tape.results)]

    @property
    def takes_parameters(self) -> bool:
        return self.constants > 0

    @property
    def field(self) -> str:
        """Where the constants are."""
        return f"K_{self.word}" if self.word else "K"

    def counts(self) -> str:
        """Live operations of a call, by kind."""
        tape = self.body
        live = [i.op for i, n in zip(tape.code, uses_of(tape), strict=True) if n and i.args]
        counted = Counter({"sub": "add", "sin": "trig", "cos": "trig"}.get(op, op) for op in live)
        order = ["mul", "add", "neg", "div", "trig", "sqrt"]
        kinds = [k for k in order if k in counted] + sorted(k for k in counted if k not in order)
        return ", ".join(f"{counted[k]} {k}" for k in kinds) or "none"

    def reads(self) -> str:
        """How many numbers of the inputs matter."""
        given = sum(a.size for a in self.inputs)
        return f"{sum(k < given for k in used_inputs(self.body))} of {given} input numbers"


@dataclass(frozen=True)
class CodeAbout:
    """What the files say of themselves."""

    robot: str = ""
    version: str = ""
    licence: str = LICENCE
    facts: Sequence[tuple[str, str]] = ()  # of the arm: joints, gravity, tool ..., for the header
    values: Mapping[str, float | Floats] = field(default_factory=dict)  # of parameters
    stand_ins: Mapping[str, float] = field(default_factory=dict)  # for those that have none, to test with
    units: Mapping[str, str] = field(default_factory=dict)  # of parameters
