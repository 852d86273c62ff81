"""``torsor.compare``: what each formulation costs on an arm, and that all give the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from math import ceil, log10
from typing import Any

from torsor.algebra import Count, count
from torsor.arm import Arm
from torsor.errors import ModelError, Unsupported, did_you_mean
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import kernel_work
from torsor.measuring.states import states
from torsor.measuring.stopwatch import TimeBudget, alone, nanoseconds
from torsor.mechanics.asking import Question, require_invertible
from torsor.mechanics.formulations import FORMULATIONS, formulations_of, refusal
from torsor.mechanics.quantities import QUANTITIES
from torsor.report.markup import element
from torsor.report.notebook_looks import captioned

COMPARED = tuple(name for name, each in QUANTITIES.items() if "by" in each.knows)  # there is a choice
DYNAMICS = tuple(name for name in COMPARED if QUANTITIES[name].needs_inertia)  # what is compared unasked
CHECKED = 64  # states at which results are compared with the reference
AGREE = 1e-8  # beyond this share of the largest element a formulation is wrong, and not timed
BAR = 8  # characters of the longest bar
ENOUGH = TimeBudget(sample=0.005, samples=5, states=1024)


@dataclass(frozen=True)
class ComparedRow:
    """One formulation of one quantity. Times are seconds of one evaluation, None where nothing was timed."""

    quantity: str
    by: str
    source: str
    traced: Count  # operations as the page runs on symbols
    simplified: Count
    difference: float  # to the reference, of its largest element
    scalar: float | None = None  # the native function, one state after another
    batch: float | None = None  # many states in one call, one thread

    @property
    def wrong(self) -> bool:
        return not self.difference <= AGREE

    def as_dict(self) -> dict[str, Any]:
        counts = {"traced": _count_of(self.traced), "simplified": _count_of(self.simplified)}
        return asdict(self) | counts | {"wrong": self.wrong}


@dataclass(frozen=True)
class Comparison:
    """What ``compare`` found. It prints as a table; ``rows`` has the numbers, ``left_out`` what is missing and why."""

    robot: str
    joints: int
    rows: tuple[ComparedRow, ...]
    left_out: dict[str, str] = field(default_factory=dict)

    def of(self, quantity: str) -> tuple[ComparedRow, ...]:
        """The rows of one quantity."""
        quantity = _known(quantity)
        return tuple(row for row in self.rows if row.quantity == quantity)

    def row(self, quantity: str, by: str) -> ComparedRow:
        rows = {row.by: row for row in self.of(quantity)}
        if by not in rows:
            raise Unsupported(f"{by!r} is not among the rows", hint=did_you_mean(by, rows))
        return rows[by]

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """Title, column titles and cells of each quantity's table. The bar is the time of a call, or the operations."""
        for quantity in dict.fromkeys(row.quantity for row in self.rows):
            rows = self.of(quantity)
            timed = any(row.scalar is not None for row in rows)
            titles = ["", "as traced", "simplified", "trig", *(["ns", "batch"] if timed else []), "error", ""]
            sizes = [(row.scalar or 0.0) if timed else float(row.simplified.total) for row in rows]
            cells = []
            for row, size in zip(rows, sizes, strict=True):
                times = [nanoseconds(row.scalar), nanoseconds(row.batch)] if timed else []
                counts = [row.traced.cost, row.simplified.cost, str(row.simplified.trig)]
                cells.append([row.by, *counts, *times, _decade(row.difference), bar(size, max(sizes))])
            yield f"{quantity.replace('_', ' ')} of {self.robot}", titles, cells

    def as_dict(self) -> dict[str, Any]:
        rows = [row.as_dict() for row in self.rows]
        return {"robot": self.robot, "joints": self.joints, "rows": rows, "left_out": self.left_out}

    def __str__(self) -> str:
        parts = []
        for title, titles, cells in self.tables():
            widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
            aligned = ["<", *(">" * (len(widths) - 2)), "<"]
            form = "  ".join(f"{{:{side}{width}}}" for side, width in zip(aligned, widths, strict=True))
            parts.append("\n".join([title, *(form.format(*line).rstrip() for line in (titles, *cells))]))
        parts += [f"{what}: {why}" for what, why in self.left_out.items()]
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<Comparison {self.robot}: {len(self.rows)} rows>"

    def _repr_html_(self) -> str:
        parts = []
        for title, titles, cells in self.tables():
            parts.append(captioned(title, titles, cells))
        parts += [element("p", f"{what}: {why}") for what, why in self.left_out.items()]
        return "".join(parts)


@dataclass(eq=False)
class Contest:
    """What is to be compared: ``todo`` lists quantity and formulation, ``run`` does one of them."""

    arm: Arm
    todo: list[tuple[str, str]]
    left_out: dict[str, str]
    timing: bool

    def run(self, quantity: str, by: str) -> ComparedRow:
        arm = self.arm
        asked = Question(arm._trees, QUANTITIES[quantity], by=by)
        inputs = states(ENOUGH.states, arm.n)[: len(QUANTITIES[quantity].states)]
        if arm.model.loops:  # around the assembled posture, where they close
            inputs[0] = arm.closure.free_of(arm.closure.reference) + 0.02 * inputs[0]
        few = [array[:CHECKED] for array in inputs]
        kernel = arm.kernel(quantity, by=by) if self.timing else None
        tape = asked.tape() if kernel is None else kernel.tape
        mine = tape.evaluate(*few)[0] if kernel is None else kernel.general(*few)
        error = difference(mine, getattr(arm.reference, quantity)(*few))
        row = ComparedRow(quantity, by, FORMULATIONS[by].source, count(asked.traced().outputs), tape.counts(), error)
        if row.wrong or kernel is None:
            return row
        _, single, batch = kernel_work(kernel, inputs)
        scalar = None if single is None else alone(single, ENOUGH)
        return replace(row, scalar=scalar, batch=alone(batch, ENOUGH))

    def found(self, rows: list[ComparedRow]) -> Comparison:
        return Comparison(self.arm.name, self.arm.n, tuple(rows), self.left_out)


def contest(arm: Arm, quantity: str | None = None, *, timing: bool = True) -> Contest:
    """What there is to compare on this arm; for callers that show progress."""
    trees = arm._trees
    if arm.model.loops and not arm.closure.is_closed_form:
        raise Unsupported(f"loops of {arm.name!r} are closed by Newton's method", hint="compare arm.tree")
    quantities = DYNAMICS if quantity is None else (_known(quantity),)
    if any(QUANTITIES[each].needs_inertia for each in quantities):
        arm.model.require_inertia()
    todo: list[tuple[str, str]] = []
    left_out: dict[str, str] = {}
    for each in quantities:
        if each == "forward_dynamics":
            try:
                require_invertible(trees.plain, trees.loops)
            except ModelError as error:
                left_out[each] = str(error)
                continue
        for name, formulation in formulations_of(each).items():
            reason = refusal(formulation, trees, each)
            if reason is None:
                todo.append((each, name))
            else:
                left_out[name] = reason
    return Contest(arm, todo, left_out, timing)


def compare(arm: Arm, quantity: str | None = None, *, timing: bool = True) -> Comparison:
    """Every formulation of every quantity, or of one: operations, native speed, difference to the reference.

    Operations are counted as the page runs on symbols, structural zeros taken out, and after simplification; what
    depends on the arm's numbers alone is free. Without ``timing`` nothing is measured and the result is the same every
    time.

    >>> import torsor
    >>> found = torsor.compare(torsor.load("planar2"), "mass_matrix", timing=False)
    >>> found.row("mass_matrix", "composite").simplified.total
    3
    """
    todo = contest(arm, quantity, timing=timing)
    return todo.found([todo.run(*each) for each in todo.todo])


def _known(quantity: str) -> str:
    name = quantity.replace("-", "_")
    if name not in COMPARED:
        known = [each.replace("_", "-") for each in COMPARED]
        problem = f"there are no formulations of {quantity!r} to compare"
        raise Unsupported(problem, hint=did_you_mean(name.replace("_", "-"), known))
    return name


def _count_of(counted: Count) -> dict[str, int]:
    return {"M": counted.M, "A": counted.A} | {k: v for k, v in asdict(counted).items() if v or k in ("mul", "trig")}


def _decade(error: float) -> str:
    """The power of ten that an error stays below; its digits are rounding and differ between machines.

    >>> _decade(3.2e-16), _decade(0.0), _decade(float("inf"))
    ('1e-15', '0', 'wrong')
    """
    if not error <= AGREE:
        return "wrong"
    return "0" if error == 0.0 else f"1e{max(-15, ceil(log10(error)))}"


def bar(size: float, largest: float, width: int = BAR) -> str:
    """A bar in eighths of a character.

    >>> bar(1.0, 2.0, 4), bar(0.3, 2.0, 4)
    ('██', '▋')
    """
    eighths = max(1, round(8 * width * size / largest)) if largest > 0.0 and size > 0.0 else 0
    return "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")
