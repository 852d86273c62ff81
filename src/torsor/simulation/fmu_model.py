"""A simulation as a model that FMUs step and show: its stepper, what is looked at, its variables, and all as C.

The loop of kernels that steps a `Run` is written out in C, call by call over the same workspace: an FMU takes the same
steps, with friction that sticks, loops and laws, and is equal to `simulate` but for the last digits of sums.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from torsor.algebra.tape import Tape
from torsor.drives.friction import stacked
from torsor.emit.c_function import CFunction
from torsor.emit.c_text import literal
from torsor.emit.native_loop import Call
from torsor.errors import Unsupported, did_you_mean
from torsor.mechanics.loops import GUESS
from torsor.mechanics.newton import CLOSED
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.fmu_variables import Causality, FmuNames, FmuVariable, joint_units
from torsor.simulation.parameter_values import ParameterValues
from torsor.simulation.recorded import recording_at
from torsor.simulation.stepper import Stepper
from torsor.simulation.torques import Torque
from torsor.simulation.workspace import Workspace

FOLLOWED = 64  # steps in which loops are followed from the reference posture to the start


@dataclass(frozen=True, eq=False)
class FmuModel:
    """``row`` is the workspace at the start, ``inputs`` names parameters that an environment may change on the way."""

    stepper: Stepper
    row: Floats
    q0: Floats
    qd0: Floats
    values: ParameterValues
    torque: Torque  # plants are shared by simulations that hold other numbers
    inputs: Collection[str] = ()

    @property
    def plant(self) -> Any:
        return self.stepper.plant

    @cached_property
    def look(self) -> Any:
        """The page of all that is shown."""
        plant = self.plant

        def shown(t: Reals, y: Reals, mode: Reals, u: Reals) -> dict[str, Any]:
            now = plant.rates(t[0], y, mode, u)
            q, qd, _ = plant.joints(y)
            of_joints = now.ydot[plant.n : 2 * plant.n]
            if plant.many:
                of_joints = (plant.coordinates.B * of_joints[None, :]).sum(axis=-1)
            with recording_at(plant.arm, q):
                tip = plant.arm.pose(q)[:3, 3]
            found = {"q": q, "qd": qd, "qdd": of_joints[: plant.arm.n], "given": now.given, "tip": tip}
            if now.moment is not None:
                found |= {"push": now.moment.push, "excess": now.moment.excess, "back": now.moment.back}
            return {f"new_look_{name}": value for name, value in found.items()} | {"new_look_ydot": now.ydot}

        return plant.kernel("fmu_look", shown, plant.sizes("t", "y", "mode", "u"))

    @cached_property
    def begin(self) -> Any:
        """The page of states at the start, of joints that are set; the law's own where it says them."""
        plant = self.plant
        n, begin = plant.arm.n, self.torque.begin

        def first(start_q: Reals, start_qd: Reals, t: Reals) -> dict[str, Any]:
            T = plant.coordinates.T if plant.many else np.eye(n)
            z, zd = (np.array([(row * each).sum() for row in T], dtype=object) for each in (start_q, start_qd))
            x = stacked([])
            if plant.k:
                x = begin(t[0], start_q, start_qd) if begin is not None else self.row_at("y")[2 * plant.n :]
            return {"new_y": np.concatenate([z, zd, np.asarray(x, dtype=object)])}

        return plant.page("fmu_begin", first, {"start_q": n, "start_qd": n, "t": 1}).kernel

    def row_at(self, name: str) -> Floats:
        return self.stepper.space.at(self.row, name)

    @cached_property
    def space(self) -> Workspace:
        """The workspace of the stepper, and behind it what is set and what is shown."""
        sizes = {a.name.removeprefix("new_"): a.size for a in self.look.tape.outputs}
        n = self.plant.arm.n
        return Workspace(dict(self.stepper.space.sizes) | {"start_q": n, "start_qd": n} | sizes)

    @cached_property
    def units(self) -> list[tuple[str, str, str, str]]:
        return joint_units(self.plant)

    @cached_property
    def variables(self) -> list[FmuVariable]:
        """In the order of their references, time first."""
        plant, name = self.plant, FmuNames()
        joints = plant.arm.joint_names
        found = [FmuVariable(name("", "time"), "independent", "time", "s")]
        for letter, k, start in (("q", 0, self.q0), ("qd", 1, self.qd0)):
            what = ("position", "speed")[k]
            found += [
                FmuVariable(
                    name(joint, letter), "output", f"{what} of {joint}", unit[k], f"look_{letter}", j, float(start[j])
                )
                for j, (joint, unit) in enumerate(zip(joints, self.units, strict=True))
            ]
        held = self.torque.held if self.torque.kind == "held" else None
        if held is not None:
            for j, (owner, unit, what) in enumerate(self._torques()):
                text = f"{what}, held over a step"
                found.append(FmuVariable(name(owner, "torque"), "input", text, unit, "", j, float(held[j])))
        for node, value in zip(self.values.names, np.atleast_1d(self.values.flat), strict=True):
            kind: Causality = "input" if node.split("[")[0] in self.inputs else "parameter"
            own = {"payload": "mass at the tool", "friction": "factor of all friction"}
            text = own.get(node, f"{node} of the law")
            unit_of = {"payload": "kg"}.get(node, "")
            found.append(FmuVariable(name("", node), kind, text, unit_of, start=float(value)))
        for j, (joint, units) in enumerate(zip(joints, self.units, strict=True)):
            found.append(FmuVariable(name(joint, "qdd"), "output", f"acceleration of {joint}", units[2], "look_qdd", j))
        for j, (owner, unit, what) in enumerate(self._torques()):
            found.append(FmuVariable(name(owner, "given"), "output", f"{what} that is given", unit, "look_given", j))
        for j, axis in enumerate("xyz"):
            found.append(
                FmuVariable(name("tool", axis), "output", f"{axis} of the tool, base axes", "m", "look_tip", j)
            )
        if plant.guessed:
            found.append(FmuVariable(name("loops", "gap"), "output", "squares of what loops leave open", "", "gap"))
        states = self._states(name, found)
        for j in range(plant.size):
            found.append(
                FmuVariable(name("", f"der({states[j]})"), "local", f"derivative of {states[j]}", "", "look_ydot", j,
                            derivative_of=states[j])
            )  # fmt: skip
        return found

    def _torques(self) -> list[tuple[str, str, str]]:
        """Owner, unit and what it is, of each torque."""
        plant = self.plant
        if plant.is_direct or plant.setting.torques == "joint":
            return [
                (joint, unit[3], f"torque at {joint}")
                for joint, unit in zip(plant.arm.joint_names, self.units, strict=True)
            ]
        return [(drive.name, "N.m", f"torque of {drive.name}") for drive in plant.model.drives]

    def _states(self, name: FmuNames, found: list[FmuVariable]) -> list[str]:
        """Names of the states, and variables for those that nothing shows yet."""
        plant = self.plant
        states = []
        if plant.many:
            for j in range(2 * plant.n):
                rate = j >= plant.n
                text = f"{'rate of ' if rate else ''}coordinate {j % plant.n + 1} in which friction sticks"
                states.append(name("sticking", f"{'zd' if rate else 'z'}{j % plant.n + 1}"))
                found.append(FmuVariable(states[-1], "local", text, "", "y", j))
        else:
            for letter in ("q", "qd"):
                states += [v.name for v in found if v.shown == f"look_{letter}"]
        for j in range(plant.k):
            states.append(name("law", f"x{j + 1}"))
            found.append(FmuVariable(states[-1], "local", f"state {j + 1} of the law", "", "y", 2 * plant.n + j))
        return states

    @cached_property
    def states(self) -> list[str]:
        return [v.derivative_of for v in self.variables if v.derivative_of]

    def reference(self, name: str) -> int:
        return [v.name for v in self.variables].index(name)

    # C

    def calls(self) -> dict[str, tuple[Call, ...]]:
        """What each function of the model calls."""
        stepper, space, plant = self.stepper, self.space, self.plant
        loop = stepper.loop
        before_look = stepper.known_at() if plant.guessed else ()
        closed = {GUESS: GUESS} if plant.guessed else {}
        return {
            "before": loop.before,
            "calls": loop.calls,
            "after": loop.after,
            "look": (*before_look, space.call(self.look, **closed)),
            "first": (space.call(self.begin, **({GUESS: stepper.known} if plant.guessed else {})),),
            "settle": stepper.closings() if plant.guessed else (),
            "follow": stepper.closings() if plant.guessed else (),
        }

    def sources(self, token: str) -> dict[str, str]:
        """The two files that are of this model."""
        return {"model_sizes.h": self._sizes(), "model.c": self._code(token)}

    def _sizes(self) -> str:
        plant, space = self.plant, self.space
        place = space.place
        variables = self.variables
        counts = {
            "W_SIZE": space.width,
            "V_COUNT": len(variables),
            "V_SIZE": len(variables),
            "Y_COUNT": plant.size,
            "Y_SIZE": max(1, plant.size),
            "N_COUNT": plant.n,
            "Q_COUNT": plant.arm.n,
            "MODE_COUNT": plant.many,
            "U_COUNT": plant.m if plant.torque.kind == "held" else 0,
            "U_SIZE": max(1, plant.m),
            "P_COUNT": len(plant.parameters),
            "P_SIZE": max(1, len(plant.parameters)),
            "GUESS_COUNT": plant.guessed,
            "V_Q": 1,
            "V_QD": 1 + plant.arm.n,
        }
        cells = {"T": "t", "Y": "y", "MODE": "mode", "U": "u", "DT": "dt", "P": "p", "HALT": "halt", "GAP": "gap"}
        cells |= {"Q0": "start_q", "QD0": "start_qd", "YDOT": "look_ydot"}
        friction = {"PUSH": "push", "EXCESS": "excess", "BACK": "back"}
        cells |= {word: f"look_{name}" if plant.many else "t" for word, name in friction.items()}
        lines = ["/* Generated by torsor. Do not edit. */", "#ifndef MODEL_SIZES_H", "#define MODEL_SIZES_H", ""]
        lines += [f"#define {name} {count}" for name, count in counts.items()]
        lines += [f"#define W_{word} {place[cell]}" for word, cell in cells.items()]
        lines += [f"#define STEP {literal(self.stepper.dt, 'double')}"]
        lines += [f"#define GAP_MOST {literal(CLOSED**2, 'double')}", "", "#endif", ""]
        return "\n".join(lines)

    def _code(self, token: str) -> str:
        groups = self.calls()
        tapes: dict[Tape, str] = {}
        for call in (call for group in groups.values() for call in group):
            tape = replace(call.kernel.tape, parameters=())
            tapes.setdefault(tape, f"kernel{len(tapes)}")
        kernels, helpers = _kernels(tapes)
        plant, variables = self.plant, self.variables
        loop = self.stepper.loop
        inputs = [
            k for k, v in enumerate(variables) if v.causality == "input" and not v.shown and v.name.endswith(".torque")
        ]
        settable = [{"input": 3, "parameter": 2}.get(v.causality, 1 if v.is_start else 0) for v in variables]
        shown = [self.space.place[v.shown] + v.at if v.shown else -1 for v in variables]
        named = [self.reference(_known(node, variables)) for node in self.values.names]
        wide = np.zeros(self.space.width)
        wide[: self.row.size] = self.row
        tables = [
            f'const char *const model_token = "{token}";',
            _table("double", "model_row", "W_SIZE", [literal(float(x), "double") for x in wide]),
            _table("double", "model_start", "V_SIZE", [literal(v.start or 0.0, "double") for v in variables]),
            _table("int", "model_settable", "V_SIZE", settable),
            _table("int", "model_input_of", "U_SIZE", inputs or [-1] * max(1, plant.m)),
            _table("int", "model_parameter_of", "P_SIZE", named or [-1]),
            _table("int", "model_state_of", "Y_SIZE", [self.reference(name) for name in self.states]),
            _table("int", "model_shown_at", "V_SIZE", shown),
        ]

        def made(group: str, indent: str = "    ") -> list[str]:
            lines = []
            for call in groups[group]:
                name = tapes[replace(call.kernel.tape, parameters=())]
                lines.append(f"{indent}{name}({', '.join(f'w + {place}' for place in call.places)});")
            return lines or [f"{indent}(void)w;"]

        inner = made("calls")
        if loop.again is not None:
            at, start = loop.again
            first = [f"    w[{at}] = w[{start}];"] if start >= 0 else []
            body = made("calls", "        ")
            test = f"    for (k = 0; (k < {loop.most}) && (w[{at}] > 0.0); ++k) {{"
            inner = ["    long k;", *made("before"), *first, test, *body, "    }", *made("after")]
        else:
            inner = [*made("before"), *inner, *made("after")]
        return "\n".join(
            [
                f"/* {plant.arm.name.encode('ascii', 'replace').decode().replace('*/', '')}: generated by torsor. */",
                '#include "fmu_core.h"',
                "#include <math.h>",
                "",
                *helpers,
                *kernels,
                *tables,
                "",
                "void model_step(double *w)",
                "{",
                *inner,
                "}",
                "",
                "void model_look(double *w)",
                "{",
                *made("look"),
                "}",
                "",
                "void model_sync(double *w)",
                "{",
                *self._sync(),
                "}",
                "",
                "void model_settle(double *w)",
                "{",
                *made("settle"),
                "}",
                "",
                *self._begin(made),
            ]
        )

    def _sync(self) -> list[str]:
        """Cells that hold the state once more, as ``Stepper.put`` leaves them."""
        place, sizes = self.space.place, self.space.sizes
        copies = {"t": ("ts", "t0"), "y": ("ys", "ysum", "y0"), "mode": ("mode0",)}
        lines = ["    int k;"]
        for name, others in copies.items():
            known = [other for other in others if other in place]
            lines.append(f"    for (k = 0; k < {sizes[name]}; ++k) {{")
            lines += [f"        w[{place[other]} + k] = w[{place[name]} + k];" for other in known]
            lines.append("    }")
        return lines

    def _begin(self, made: Any) -> list[str]:
        lines = ["void model_begin(double *w)", "{"]
        if not self.plant.guessed:
            return [*lines, *made("first"), "}", ""]
        n, place = self.plant.arm.n, self.space.place
        reference = self.plant.arm.closure.free_of(self.plant.arm.closure.reference)
        guess = self.plant.arm.closure.guess(reference)
        known = place[self.stepper.known]
        numbers = ", ".join(literal(float(x), "double") for x in reference)
        lines += [
            f"    static const double reference[{n}] = {{{numbers}}};",
            f"    double aim[{n}];",
            "    int j, k;",
            f"    for (j = 0; j < {n}; ++j) {{",
            f"        aim[j] = w[{place['start_q']} + j];",
            "    }",
            *(f"    w[{known + k}] = {literal(float(x), 'double')};" for k, x in enumerate(guess)),
            f"    for (k = 1; k <= {FOLLOWED}; ++k) {{",
            f"        for (j = 0; j < {n}; ++j) {{",
            f"            const double share = (double)k / {FOLLOWED}.0;",
            f"            w[{place['start_q']} + j] = reference[j] + (aim[j] - reference[j]) * share;",
            "        }",
            *made("first", "        "),
            *made("follow", "        "),
            "    }",
            f"    for (j = 0; j < {n}; ++j) {{",
            f"        w[{place['start_q']} + j] = aim[j];",
            "    }",
            *made("first"),
            *made("follow"),
            "}",
            "",
        ]
        return lines


def _known(node: str, variables: list[FmuVariable]) -> str:
    return next(v.name for v in variables if v.name.rstrip("_") == node and not v.shown)


def _table(kind: str, name: str, size: str, entries: list[Any]) -> str:
    rows = [", ".join(map(str, entries[k : k + 8])) for k in range(0, len(entries), 8)]
    return f"const {kind} {name}[{size}] = {{\n    " + ",\n    ".join(rows) + "\n};"


def _kernels(tapes: Mapping[Tape, str]) -> tuple[list[str], list[str]]:
    """Each tape as a static function, and what they call."""
    from torsor.emit.c_math import HELPERS
    from torsor.emit.expressions import uses_of

    lines: list[str] = []
    used: set[str] = set()
    for tape, name in tapes.items():
        function = CFunction(tape)
        prototype = function.prototype(name, "double")
        lines += [f"static {prototype}", "{", *function.statements("double", "math.h"), "}", ""]
        used |= {i.op for i, n in zip(tape.code, uses_of(tape), strict=True) if n}
    return lines, [HELPERS[op].format(real="double", f="") for op in HELPERS if op in used]


def require_exportable(stepper: Stepper, inputs: Collection[str]) -> None:
    """Refuses what C cannot do without Python."""
    plant = stepper.plant
    if plant.setting.elastic:
        raise Unsupported("an FMU of links that bend", hint="elastic=False: FMUs are of rigid links")
    if plant.torque.kind not in ("held", "traced"):
        how = {"called": "has to be called in Python", "table": "is a table", "sampled": "is sampled"}
        hint = "torques that are held become inputs; a law that can be traced goes into the FMU"
        raise Unsupported(f"the law {how[plant.torque.kind]}", hint=hint)
    if type(stepper).advance is not Stepper.advance:
        hint = "rk4, euler, semi-implicit-euler, symplectic or rosenbrock"
        raise Unsupported(f"{type(stepper).__name__} steps outside its loop", hint=hint)
    known = {node.name.split("[")[0] for node in plant.parameters}
    for name in inputs:
        if name not in known:
            raise Unsupported(f"nothing here has a parameter {name!r}", hint=did_you_mean(name, sorted(known)))
