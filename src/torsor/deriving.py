"""``torsor.derive``: equations to read and to take away (EMDEG's job)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypedDict, Unpack, get_args, overload

import numpy as np

from torsor.algebra import Tape, count, parameter, simplify, symbols, tape_from
from torsor.algebra.counting import nodes_of
from torsor.algebra.recognising import called
from torsor.algebra.telling import listening
from torsor.algebra.tidy import tidy
from torsor.algebra.walk import reachable
from torsor.arm import Arm
from torsor.derived import GAP, NEARER, Equations, EquationSet
from torsor.drives.drives import Drives
from torsor.drives.motor_quantities import (
    ACHIEVABLE,
    MOTOR_QUANTITIES,
    MOTOR_UNITS,
    PUSHED,
    DriveStates,
    MotorQuestion,
    traced_motors,
)
from torsor.emit.kernel_files import DECIMALS
from torsor.errors import Unsupported, did_you_mean
from torsor.mechanics import closed_form
from torsor.mechanics.array_units import array_unit
from torsor.mechanics.asking import OWN, Traced
from torsor.mechanics.canonical import Trees
from torsor.mechanics.determinant import FACTORED, determinant_rows
from torsor.mechanics.formulations import FORMULATIONS, formulations_of, refusal
from torsor.mechanics.inverse_jacobian import require_invertible
from torsor.mechanics.looped_tree import AnyTrees
from torsor.mechanics.loops import GUESS, loops_of
from torsor.mechanics.parameters import KINDS, Parameters, parametrised
from torsor.mechanics.payload_symbols import PayloadSymbols
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.quantity import Quantity
from torsor.mechanics.tree import Reals, lower
from torsor.mechanics.ways import all_ways_tried
from torsor.model.arm_facts import arm_facts
from torsor.model.facts import described
from torsor.model.file_symbols import FileSymbol
from torsor.model.model import Model
from torsor.record_cache import KeptRecord, keep_record, recalled_record, record_that_came
from torsor.record_search import (
    AS_GIVEN,
    DeriveEffort,
    SearchLevel,
    SearchProgress,
    fewest,
    is_same_in_all_gauges,
    leanest_gauge,
)
from torsor.symbolic_arm import SymbolicArm
from torsor.traced_quantity import traced_quantity

TURNING = ("w", "wd")
FEW_JOINTS = 4  # of more the closed form costs more than recursions, and takes long to write out
MORE = ("coefficients", "jacobian_inverse", "jacobian_determinant")


class DeriveOptions(TypedDict, total=False):
    """Keywords of `derive`; `Derivation` has their defaults."""

    by: str | None
    parameters: Parameters
    lengths: bool
    payload: bool
    drives: bool
    states: DriveStates
    friction: bool
    dt: float | None
    wrench: bool
    frame: str
    effort: DeriveEffort
    progress: SearchProgress


@overload
def derive(arm: Arm, quantity: str = ..., **options: Unpack[DeriveOptions]) -> Equations: ...


@overload
def derive(arm: Arm, quantity: list[str] | tuple[str, ...], **options: Unpack[DeriveOptions]) -> EquationSet: ...


def derive(
    arm: Arm, quantity: str | list[str] | tuple[str, ...] = "inverse_dynamics", **options: Unpack[DeriveOptions]
) -> Equations | EquationSet:
    """The equations of a quantity; of several, to be written into one piece of code.

    ``quantity`` is any of the arm's, or "coefficients" (M, c_ijj, b_ijk and g, Burdick's closed form),
    "jacobian_inverse" or "jacobian_determinant" (in factors). Options:

    - ``by``: the formulation;
    - ``parameters``: "numeric" folds the arm's numbers, "symbolic" keeps m2, rx2, Ixy3, g as symbols, "base" groups
      them first into the fewest that matter; ``lengths`` makes symbols of DH lengths too, ``payload`` of what the arm
      holds (mp, rxp, Ixxp ...). What the arm file itself calls by a symbol stays one;
    - ``drives``: motor torques u instead of joint torques, with rotors, gears and, unless ``friction=False``, friction;
      ``states="motors"`` takes the motion of the motors too. Then there are also "motor_motion", "joint_motion", and
      "achievable_motion", a cycle of ``dt`` of what the motors can do;
    - ``wrench``: force and moment at the tool are an input; ``frame``: of poses and Jacobians;
    - ``effort``: "high" searches for fewer operations, seconds for six joints, "normal" (or "quick") milliseconds;
      "record" also tries other gauges of the arm and starts again several times, minutes; ``progress`` hears what it
      is at, and the share that is done.

    >>> import torsor
    >>> torsor.derive(torsor.load("planar2"), parameters="base", effort="normal").count().M
    13
    """
    for option in options:
        if option not in DeriveOptions.__annotations__:
            known = sorted(DeriveOptions.__annotations__)
            raise TypeError(f"derive() has no option {option!r}; {did_you_mean(option, known)}")
    if isinstance(quantity, str):
        return Derivation(arm, quantity.replace("-", "_"), **options).equations()
    return EquationSet([Derivation(arm, each.replace("-", "_"), **options).equations() for each in quantity])


def has_record(arm: Arm, quantity: str, **options: Unpack[DeriveOptions]) -> bool:
    """Whether what ``effort="record"`` gives came with Torsor, so that it is there at once, on every machine.

    >>> import torsor
    >>> has_record(torsor.load("puma560-burdick"), "inverse_dynamics", parameters="base")
    True
    """
    options["effort"] = "record"
    return Derivation(arm, quantity.replace("-", "_"), **options)._came() is not None


@dataclass(frozen=True, eq=False)
class Derivation:
    """A quantity asked of an arm, with all options of `derive`."""

    arm: Arm
    quantity: str
    by: str | None = None
    parameters: Parameters = "numeric"
    lengths: bool = False
    payload: bool = False
    drives: bool = False
    states: DriveStates = "joints"
    friction: bool = True
    dt: float | None = None
    wrench: bool = False
    frame: str = "tool"
    effort: DeriveEffort = "high"
    progress: SearchProgress = lambda what, share: None

    def __post_init__(self) -> None:
        choices = [("parameters", self.parameters, KINDS), ("states", self.states, get_args(DriveStates))]
        if self.drives and self.quantity not in MOTOR_QUANTITIES:
            known = ", ".join(MOTOR_QUANTITIES)
            raise Unsupported(f"{self.quantity!r} is not derived with drives", hint=f"there are {known}")
        if not self.drives:
            if self.quantity in MOTOR_QUANTITIES and self.quantity not in QUANTITIES:
                raise Unsupported(f"{self.quantity!r} is of motors", hint="ask for drives=True, or --drives")
            known_here = (*QUANTITIES, *MORE)
            if self.quantity not in known_here:
                hint = did_you_mean(self.quantity, (*known_here, *MOTOR_QUANTITIES))
                raise Unsupported(f"there is no quantity {self.quantity!r}", hint=hint)
            if self.states != "joints" or not self.friction or self.dt is not None:
                raise Unsupported("states, friction and dt are of motors", hint="ask for drives=True, or --drives")
        for what, value, choice in choices:
            if value not in choice:
                raise Unsupported(f"there are no {value!r} {what}", hint=did_you_mean(value, choice))
        if self.effort not in (efforts := get_args(DeriveEffort)):
            raise Unsupported(f"there is no effort {self.effort!r}", hint=did_you_mean(self.effort, efforts))
        if self.by is not None and self.by not in FORMULATIONS:
            raise Unsupported(f"there is no formulation {self.by!r}", hint=did_you_mean(self.by, FORMULATIONS))
        if self.drives and self.by is not None:
            raise Unsupported("dynamics with drives have one formulation", hint="leave by out")
        if self.dt is not None and self.quantity != ACHIEVABLE:
            raise Unsupported(f"dt is the cycle of {ACHIEVABLE}", hint="leave it out")
        feels = self.quantity in PUSHED if self.drives else bool(self._declared and "wrench" in self._declared.knows)
        if self.wrench and not feels:
            raise Unsupported(f"{self.quantity} does not change with a wrench", hint="leave it out")
        if self._symbols and self.model.loops:
            raise Unsupported(
                f"{self.arm.name!r} has symbols and loops", hint="loops are closed with numbers: give values"
            )
        if self._symbols and (self.drives or self.payload):
            raise Unsupported(f"{self.arm.name!r} has symbols", hint="payloads and drives need numbers: give values")
        if self.quantity == "coefficients" or self.drives or (self._declared and self._declared.needs_inertia):
            self.model.require_inertia()
        if self.parameters == "base" and self._declared and not self._declared.of_base_parameters:
            text = f"{self.quantity} is no function of base parameters"
            raise Unsupported(text, hint='ask for parameters="symbolic"')

    @property
    def _level(self) -> SearchLevel:
        return "normal" if self.effort == "quick" else self.effort

    @property
    def _symbols(self) -> tuple[FileSymbol, ...]:
        return self.arm.symbols if isinstance(self.arm, SymbolicArm) else ()

    @cached_property
    def model(self) -> Model:
        """The arm; where its payload is symbols, without it."""
        whole = self.arm.described if isinstance(self.arm, SymbolicArm) else self.arm.model
        return replace(whole, payload=None) if self.payload else whole

    @property
    def _declared(self) -> Quantity | None:
        return QUANTITIES.get(self.quantity) if not self.drives else None

    @cached_property
    def _motors(self) -> Drives:
        return Drives(self.model)

    @cached_property
    def _given(self) -> Trees:
        """With numbers."""
        if self.drives:
            return self._motors.trees().both
        if not self._symbols and not self.payload:
            return self.arm._trees
        plain = lower(self.model)
        return Trees(plain, loops=loops_of(self.model, plain))

    @cached_property
    def _trees(self) -> tuple[Trees, dict[str, float]]:
        """With symbols, and their values."""
        whole = self.arm.described if isinstance(self.arm, SymbolicArm) else self.arm.model
        held = PayloadSymbols(whole.payload) if self.payload else None
        trees, values = parametrised(
            self.model, self._given.plain, self.parameters, lengths=self.lengths, symbols=self._symbols, payload=held
        )
        if self._given.loops is not None:
            if self.quantity in MORE:
                hint = "ask for arm.tree, or --tree"
                raise Unsupported(f"{self.quantity} is not derived of an arm with loops", hint=hint)
            trees = replace(trees, loops=self._given.loops)
        return trees, values

    def _traced(self, trees: Trees, by: str | None, *, simplified: bool = False) -> Traced:
        if self._level not in ("high", "record"):
            return self._traced_once(trees, by)
        with all_ways_tried(simplified=simplified):
            return self._traced_once(trees, by)

    def _traced_once(self, trees: Trees, by: str | None) -> Traced:
        if self.drives:
            pushed = symbols("wrench", OWN["wrench"]) if self.wrench else None
            ask = MotorQuestion(self._motors, AnyTrees(trees), self.states, self.friction, self.dt, pushed)
            return traced_motors(ask, self.quantity)
        if self.quantity == "jacobian_inverse":
            require_invertible(self._given.plain, self.frame)
        rows = determinant_rows(self._given.plain, self.frame) if self.quantity == "jacobian_determinant" else ()
        return traced_quantity(trees, self.quantity, by, self.frame, rows, self.wrench)

    @property
    def _is_same_in_all_gauges(self) -> bool:
        if self.wrench:  # it is at a point, in its own unit
            return False
        if self._declared is None:
            return self.quantity == "coefficients"
        return is_same_in_all_gauges(self._declared, self.by)

    def _record_facts(self, decimals: int | None = None) -> bytes:
        """All that a record depends on beside the code."""
        asked = self.quantity, self.by, self.parameters, self.lengths, self.frame, self.wrench
        motors = self.drives, self.states, self.friction, self.dt, self.arm.model.drives if self.drives else ()
        loops = None if self._given.loops is None else self._given.loops.facts()
        held = self.arm.model.payload if self.payload else None
        rows = [link.dh for link in self.model.links]
        plain = self._given.plain.facts(self.frame, decimals)
        return described(asked, motors, plain, loops, self._symbols, rows, held, decimals=decimals)

    def _recalled(self) -> KeptRecord | None:
        """What was found here before, by this code, or came with Torsor."""
        kept = recalled_record(self._record_facts())
        return self._came() if kept is None else kept

    def _came(self) -> KeptRecord | None:
        """What came with Torsor, and agrees with what is traced now."""
        came = record_that_came(self._record_facts(DECIMALS))
        if came is None:
            return None
        trees, values = self._trees
        inputs, outputs, _ = self._traced(came.gauge.of(trees), came.by)
        return came if came.computes(inputs | {name: parameter(name) for name in values}, outputs) else None

    def equations(self) -> Equations:
        """By the formulation that was named, or by the cheapest: of few joints that may be the closed form."""
        found = self._equations()
        if self._may_be_closed:
            closed = replace(self, by=closed_form.FORMULATION.name)._equations()
            return min(found, closed, key=lambda each: each.count().total)
        return found

    @property
    def _may_be_closed(self) -> bool:
        if self.by is not None or self.drives or self._level not in ("high", "record") or self._declared is None:
            return False
        few, known = self._given.n <= FEW_JOINTS and self._given.loops is None, formulations_of(self.quantity)
        name = closed_form.FORMULATION.name
        return few and name in known and refusal(known[name], self._given, self.quantity) is None

    def _equations(self) -> Equations:
        trees, values = self._trees
        gauge, by, kept = AS_GIVEN, self.by, None
        if self._level == "record":
            if (kept := self._recalled()) is not None:
                gauge, by = kept.gauge, kept.by
            elif self._is_same_in_all_gauges:
                if by is None and self.quantity == "coefficients":  # the page stays, whatever the gauge
                    by = self._traced(trees, by).by
                gauge = leanest_gauge(trees, lambda other: self._traced(other, by).outputs, self.progress)
        written = gauge.of(trees)
        with listening() as heard:
            inputs, outputs, named = self._traced(written, by)
        if gauge != AS_GIVEN:  # with other origins, masses and lengths only what turns is what readers know
            heard[:] = [each for each in heard if each.letter in TURNING]
        before, stay = count(outputs), {name: parameter(name) for name in values}
        if kept is not None:
            outputs = kept.graphs(inputs | stay)
        elif FACTORED not in named:  # that form is the point
            others = partial(self._traced, written, by, simplified=True)
            outputs = fewest(outputs, self._level, self.progress, lambda: others().outputs)
            if self._level == "record":
                record = KeptRecord(by, gauge, tape_from("record", inputs | stay, outputs))
                keep_record(self._record_facts(), record)
        outputs = tidy(outputs, stay, constants_only=self._level == "none")
        used = {node.name for node in reachable(nodes_of(outputs)) if node.op == "parameter"}
        inputs |= {name: np.array(parameter(name), dtype=object) for name in values if name in used}
        unknown = {symbol.name: symbol for symbol in self._symbols}
        closing = self._closing(trees, inputs) if GUESS in inputs else None
        tape = tape_from(f"{self.arm.name}_{self.quantity}{self._suffix}", inputs, outputs)
        near = (
            None if trees.loops is None or self.states == "motors" else trees.loops.about(next(iter(inputs.values())))
        )
        return Equations(
            self.arm.name,
            self.quantity + self._suffix,
            named,
            tape,
            {name: value for name, value in values.items() if name in used and name not in unknown},
            before,
            names=partial(called, tape, heard, inputs, near),
            given=heard.given,
            all_parameters=tuple(values),
            missing=unknown,
            facts=self._facts(),
            units=self._units(tape),
            closing=closing,
            **self._loops(),
        )

    def _closing(self, trees: Trees, inputs: dict[str, Reals]) -> Tape:
        """A step of Newton's method that closes the loops: a guess brought nearer, and what it left open."""
        tree = AnyTrees(trees).plain
        first, given = next(iter(inputs.items()))
        q = given
        if self.drives and self.states == "motors":
            (q,) = MotorQuestion(self._motors, AnyTrees(trees)).of_motors(given)
        nearer, left = tree.closing(q, inputs[GUESS])
        found = {NEARER: nearer, GAP: np.asarray(np.sqrt(np.asarray(left, dtype=object)))}
        found = simplify({name: np.asarray(each, dtype=object) for name, each in found.items()})
        return tape_from(f"{self.arm.name}_closing", {first: given, GUESS: inputs[GUESS]}, found)

    @property
    def _suffix(self) -> str:
        """Behind the name of a quantity that means another thing for motors."""
        if not self.drives or self.quantity not in QUANTITIES:
            return ""
        return "_of_motors" if self.states == "motors" else "_with_drives"

    def _loops(self) -> dict[str, Any]:
        if not self.model.loops:
            return {}
        numbers = tuple(self.model.joint_names.index(each) + 1 for each in self.arm.joint_names)
        reference = self.arm.closure.reference
        q = self.arm.closure.free_of(reference)
        return {"numbers": numbers, "around": {"q": q, GUESS: self.arm.closure.guess(q)}}

    def _facts(self) -> list[tuple[str, str]]:
        facts = arm_facts(self.model, self.arm.joint_names, drives=self.drives)
        if self.payload:
            return [*(fact for fact in facts if fact[0] != "payload"), ("payload", "a parameter, tool axes")]
        return [fact for fact in facts if not (self._symbols and fact[0] == "payload")]

    def _units(self, tape: Tape) -> dict[str, str]:
        letters = dict(zip(self.model.joint_names, self.model.kinds, strict=True))
        kinds = "".join(letters[name] for name in self.arm.joint_names)
        motors = MOTOR_UNITS if self.drives else {}
        if self.drives and self.states == "motors":
            motors = {**motors, "M": "kg m^2, motors"}
        known = {
            a.name: motors.get(a.name) or array_unit(self.quantity, a.name, kinds) for a in tape.inputs + tape.outputs
        }
        return {name: unit for name, unit in known.items() if unit}
