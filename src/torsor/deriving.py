"""``torsor.derive``: equations to read and to take away (EMDEG's job)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra import Count, Tape, count, parameter, simplify, symbols, tape_from
from torsor.algebra.counting import nodes_of
from torsor.algebra.recognising import Called, called
from torsor.algebra.tape import Array
from torsor.algebra.telling import GivenVector, listening
from torsor.algebra.tidy import tidy
from torsor.algebra.walk import reachable
from torsor.arm import Arm
from torsor.errors import ModelError, Unsupported, did_you_mean
from torsor.mechanics import closed_form, composite, composite_coefficients, kinematics
from torsor.mechanics.asking import Question, Traced
from torsor.mechanics.canonical import Trees, at_feet
from torsor.mechanics.determinant import FACTORED, determinant, determinant_rows
from torsor.mechanics.formulations import FORMULATIONS
from torsor.mechanics.inverse_jacobian import inverse_jacobian, require_invertible
from torsor.mechanics.loops import GUESS
from torsor.mechanics.parameters import KINDS, Parameters, parametrised
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.tree import Reals, lower
from torsor.model.facts import described
from torsor.model.file_symbols import FileSymbol
from torsor.model.files import is_special, ready, write_text
from torsor.record_cache import keep_record, recalled_record
from torsor.record_search import AS_GIVEN, DeriveEffort, SearchProgress, fewest, is_same_in_all_gauges, leanest_gauge
from torsor.symbolic_arm import SymbolicArm
from torsor.version import version

if TYPE_CHECKING:
    from torsor.emit.equations import Sheet
    from torsor.emit.sympy_objects import SympyEquations

STYLES = {"closed-form": "emdeg", "kane": "kane"}
TURNING = ("w", "wd")
MORE = ("coefficients", "jacobian_inverse", "jacobian_determinant")


@dataclass(frozen=True, eq=False)
class Equations:
    """A derived quantity: a tape with its parameters, printable in every language of ``emit``.

    Called with the states it gives numbers, for the arm's own parameters.
    """

    robot: str
    quantity: str
    by: str
    tape: Tape
    values: dict[str, float]  # of the parameters, as the arm has them
    before: Count  # operations as traced, before simplification
    numbers: tuple[int, ...] = ()  # of the free joints among all, for an arm with loops
    around: Mapping[str, Any] = field(default_factory=dict)  # where its loops close, for states to test with
    names: Callable[[], Mapping[int, Called]] = dict  # which values of the tape the paper has names for
    given: Sequence[GivenVector] = ()  # what the paper tabulates before its equations
    all_parameters: tuple[str, ...] = ()  # in the order in which they are told, also those that do not occur
    missing: Mapping[str, FileSymbol] = field(default_factory=dict)  # parameters that have no value in the arm's file

    def count(self) -> Count:
        """Operations of one evaluation; what depends on parameters only is computed once and not counted."""
        return self.tape.counts()

    def __call__(self, *states: Any, **values: float) -> Any:
        """Numbers, with any leading dimensions; ``values`` of parameters, instead of the arm's."""
        for name in values:
            if name not in self.parameters:
                raise Unsupported(f"there is no parameter {name!r}", hint=did_you_mean(name, self.parameters))
        known = self.values | values
        for name in self.parameters:
            if name not in known:
                what = self.missing[name].what
                raise ModelError(f"{what} is the symbol {name!r}", hint=f"give it a value: equations(q, {name}=...)")
        outputs = self.tape.evaluate(*states, *(known[name] for name in self.parameters))
        return outputs[0] if len(outputs) == 1 else outputs

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters that occur, in the order in which code takes them."""
        return self.tape.parameters

    @cached_property
    def sheet(self) -> Sheet:
        """The equations as they are printed."""
        from torsor.emit.equations import readable
        from torsor.emit.sheet_given import given_rows

        listed = self.by if self.quantity != "coefficients" else closed_form.FORMULATION.name  # as Burdick's are
        style = "factors" if FACTORED in self.by else STYLES.get(listed, "plain")
        about = {"robot": self.robot, "formulation": self.by, "version": version()}
        given = given_rows(self.given, {name: parameter(name) for name in self.all_parameters})
        return readable(self.tape, style=style, numbers=self.numbers, called=self.names(), given=given, **about)

    def __str__(self) -> str:
        from torsor.emit.json_text import to_text

        return to_text(self.sheet)

    def __repr__(self) -> str:
        return f"<Equations {self.robot} {self.quantity} by {self.by}: {self.count()}>"

    def to_latex(self, path: str | Path | None = None) -> str:
        """A LaTeX document."""
        from torsor.emit.latex import to_latex

        return _kept(to_latex(self.sheet), path)

    def to_json(self, path: str | Path | None = None) -> str:
        from torsor.emit.json_text import to_json

        return _kept(to_json(self.sheet), path)

    def to_python(self, path: str | Path | None = None) -> str:
        """A Python module that needs NumPy alone."""
        from torsor.emit.python_source import to_python

        about = f"# {self.robot}: {self.quantity.replace('_', ' ')} by {self.by}, {self.count()}\n"
        return _kept(about + to_python(self.tape), path)

    def to_sympy(self) -> SympyEquations:
        """SymPy expressions with their common subexpressions, not expanded."""
        from torsor.emit.sympy_objects import to_sympy

        return to_sympy(self.tape)

    def to_c(self, path: str | Path | None = None, *, real: str = "double", trig: str = "math.h") -> str:
        """C99. With a path such as "puma560.c" the header is written beside it; returned is the source.

        To a device or a pipe goes the source alone, which then needs no header.
        """
        from torsor.emit.c99 import to_c

        if path is not None:
            ready(c_files(path))
        name = None if path is None else Path(path).stem
        about = {"robot": self.robot, "formulation": self.by, "version": version()}
        files = to_c(self.tape, name=name, real=real, trig=trig, states=self._test_states(), **about)
        if path is None:
            return files.source
        include = f'#include "{files.name}.h"'
        if is_special(path):
            return _kept(files.source.replace(include + "\n", ""), path)
        write_text(Path(path).with_suffix(".h"), files.header)
        return _kept(files.source.replace(include, f'#include "{name}.h"'), path)

    def _test_states(self) -> list[list[Any]]:
        """States for the self-test in generated C, with the arm's own parameters."""
        rng = np.random.default_rng(0)

        def state(array: Array) -> Any:
            near, width = (self.around[array.name], 0.03) if array.name in self.around else (0.0, 1.5)
            return near + rng.uniform(-width, width, array.shape)

        free = [array for array in self.tape.inputs if array.name not in self.parameters]
        known = {name: symbol.stand_in for name, symbol in self.missing.items()} | self.values
        return [[*map(state, free), *(known[name] for name in self.parameters)] for _ in range(4)]


def derive(
    arm: Arm,
    quantity: str = "inverse_dynamics",
    *,
    by: str | None = None,
    parameters: Parameters = "numeric",
    lengths: bool = False,
    frame: str = "tool",
    effort: DeriveEffort = "high",
    progress: SearchProgress = lambda what, share: None,
) -> Equations:
    """The equations of a quantity.

    ``quantity`` is any of the arm's, or "coefficients" (M, c_ijj, b_ijk and g, Burdick's closed form),
    "jacobian_inverse" or "jacobian_determinant" (in factors). ``parameters``: "numeric" folds the arm's numbers,
    "symbolic" keeps m2, rx2, Ixy3, g as symbols, "base" groups them first into the fewest that matter; ``lengths``
    makes symbols of DH lengths too. What the arm file itself calls by a symbol stays one. ``effort`` "high" searches
    for fewer operations, seconds for six joints; "record" also tries other gauges of the arm and starts again several
    times, minutes; ``progress`` hears what it is at, and the share that is done.

    >>> import torsor
    >>> torsor.derive(torsor.load("planar2"), parameters="base", effort="normal").count().M
    13
    """
    quantity = quantity.replace("-", "_")
    known = (*QUANTITIES, *MORE)
    if quantity not in known:
        raise Unsupported(f"there is no quantity {quantity!r}", hint=did_you_mean(quantity, known))
    if parameters not in KINDS:
        raise Unsupported(f"there are no {parameters!r} parameters", hint=did_you_mean(parameters, KINDS))
    if by is not None and by not in FORMULATIONS:
        raise Unsupported(f"there is no formulation {by!r}", hint=did_you_mean(by, FORMULATIONS))
    declared = QUANTITIES.get(quantity)
    own = arm.symbols if isinstance(arm, SymbolicArm) else ()
    model = arm.described if isinstance(arm, SymbolicArm) else arm.model
    if own and model.loops:
        raise Unsupported(f"{arm.name!r} has symbols and loops", hint="loops are closed with numbers: give values")
    given = Trees(lower(model)) if own else arm._trees
    if quantity == "coefficients" or (declared and declared.needs_inertia):
        model.require_inertia()
    if parameters == "base" and declared and not declared.of_base_parameters:
        raise Unsupported(f"{quantity} is no function of base parameters", hint='ask for parameters="symbolic"')
    trees, values = parametrised(model, given.plain, parameters, lengths=lengths, symbols=own)
    if given.loops is not None:
        if quantity in MORE:
            raise Unsupported(f"{quantity} is not derived of an arm with loops", hint="ask for arm.tree, or --tree")
        trees = replace(trees, loops=given.loops)
    if quantity == "jacobian_inverse":
        require_invertible(given.plain, frame)
    rows = determinant_rows(given.plain, frame) if quantity == "jacobian_determinant" else ()
    gauge, kept, facts = AS_GIVEN, None, b""
    if effort == "record":
        asked = quantity, by, parameters, lengths, frame
        loops = None if given.loops is None else given.loops.facts()
        facts = described(asked, given.plain.facts(frame), loops, own, [link.dh for link in model.links])
        if (kept := recalled_record(facts)) is not None:
            by, gauge = kept.by, kept.gauge
        elif is_same_in_all_gauges(declared, by) if declared else quantity == "coefficients":
            by = by if declared else _traced(trees, quantity, by, frame, rows).by  # the page stays, whatever the gauge
            gauge = leanest_gauge(trees, lambda each: _traced(each, quantity, by, frame, rows).outputs, progress)
    asked_by = by
    with listening() as heard:
        inputs, outputs, by = _traced(gauge.of(trees), quantity, by, frame, rows)
    if gauge != AS_GIVEN:  # with other origins, masses and lengths only what turns is what readers know
        heard[:] = [each for each in heard if each.letter in TURNING]
    before, stay = count(outputs), {name: parameter(name) for name in values}
    if kept is not None:
        outputs = kept.graphs(inputs | stay)
    elif FACTORED not in by:  # that form is the point
        outputs = fewest(outputs, effort, progress)
        if effort == "record":
            keep_record(facts, asked_by, gauge, inputs | stay, outputs)
    if effort != "none":
        outputs = tidy(outputs, stay)
    used = {node.name for node in reachable(nodes_of(outputs)) if node.op == "parameter"}
    inputs |= {name: np.array(parameter(name), dtype=object) for name in values if name in used}
    unknown = {symbol.name for symbol in own}
    everything = tuple(values)
    values = {name: value for name, value in values.items() if name in used and name not in unknown}
    name = f"{arm.name}_{quantity}"
    tape = tape_from(name, inputs, outputs)
    names = partial(called, tape, heard, inputs)
    more: dict[str, Any] = {"given": heard.given, "all_parameters": everything}
    if not model.loops:
        missing = {symbol.name: symbol for symbol in own}
        return Equations(arm.name, quantity, by, tape, values, before, names=names, missing=missing, **more)
    numbers = tuple(arm.model.joint_names.index(each) + 1 for each in arm.joint_names)
    reference = arm.closure.reference
    around = {"q": arm.closure.free_of(reference), GUESS: arm.closure.guess(arm.closure.free_of(reference))}
    return Equations(arm.name, quantity, by, tape, values, before, numbers, around, names, **more)


def _traced(trees: Trees, quantity: str, by: str | None, frame: str, rows: tuple[int, ...]) -> Traced:
    if quantity == "coefficients":
        q = symbols("q", trees.plain.n)
        return Traced({"q": q}, *_coefficients(trees, q, by))
    if quantity in ("jacobian_inverse", "jacobian_determinant"):
        if by is not None:
            raise Unsupported(f"{by!r} does not compute {quantity}", hint="its form follows from the arm: leave by out")
        q = symbols("q", trees.plain.n)
        if rows:
            det, form = determinant(trees.plain, q, rows, frame)
            return Traced({"q": q}, {"det": np.asarray(det, dtype=object)}, form)
        Ji, form = inverse_jacobian(trees.plain, q, frame)
        return Traced({"q": q}, {"Ji": Ji}, form)
    return Question(trees, QUANTITIES[quantity], frame=frame, by=by).traced()


def _coefficients(trees: Trees, q: Reals, by: str | None) -> tuple[dict[str, Reals], str]:
    """M (n, n), c (n, n) for c_ijj, b (n, n, n) for b_ijk with j < k, and g (n,), by the cheaper page; and by which."""
    n = trees.plain.n
    if not trees.plain.is_direct:
        raise Unsupported(f"coefficients are not for {trees.plain.name!r}: a joint follows another")
    pages = {
        composite.FORMULATION.name: (composite_coefficients.coefficients, (trees.lean, at_feet(trees.lean))),
        closed_form.FORMULATION.name: (closed_form.coefficients, (trees.lean, trees.plain)),
    }
    if by is not None and by not in pages:
        raise Unsupported(f"{by!r} does not compute coefficients", hint=f"they are computed by {', '.join(pages)}")
    ways = [
        (page(tree, q, tree.gravity), name)
        for name, (page, frames) in pages.items()
        for tree in frames
        if by in (None, name)
    ]
    one_page = by is not None
    found, by = min(ways, key=lambda way: count(way[0].entries if one_page else simplify(way[0].entries)).total)
    M, c, b = (np.zeros(shape, dtype=object) for shape in ((n, n), (n, n), (n, n, n)))
    for (i, j), value in found.M.items():
        M[i, j] = M[j, i] = value
    for (i, j), value in found.c.items():
        c[i, j] = value
    for (i, j, k), value in found.b.items():
        b[i, j, k] = value
    return {"M": M, "c": c, "b": b, "g": kinematics.vector(*found.g)}, by


def c_files(path: str | Path) -> dict[str, str | Path]:
    """The files that C becomes: the source, and its header beside it, but not beside a device."""
    return {"the source": path} | ({} if is_special(path) else {"its header": Path(path).with_suffix(".h")})


def _kept(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(path, text)
    return text
