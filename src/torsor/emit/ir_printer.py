"""Steps of a program printed as LLVM IR, over scalars or SIMD vectors alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torsor.emit.host import Host
from torsor.emit.machine_sums import MachineStep
from torsor.emit.machine_tape import Angles, MachineTape
from torsor.emit.precision import DOUBLE
from torsor.emit.sincos import sincos, too_large
from torsor.emit.table import ATAN2, EXP, FLOOR, table_slot
from torsor.emit.writer import Lanes, Writer, vector

Packs = list[tuple[Writer, str, list[int]]]  # angles in a register, and which of a step they are
COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}
BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
INTRINSIC = {"sqrt": "sqrt", "abs": "fabs", "min": "minimum", "max": "maximum"}


class IrValues(dict[int, str]):
    """IR names of values. One that is pending is printed where it is first asked for, close to its use: an early load
    or sine would only be put aside on the stack."""

    def __init__(self, known: dict[int, str]) -> None:
        super().__init__(known)
        self.pending: dict[int, Callable[[], None]] = {}

    def __missing__(self, value: int) -> str:
        self.pending[value]()
        return dict.__getitem__(self, value)


class IrPrinter:
    """Prints steps of a program into a writer; ``values`` maps value numbers to IR names."""

    def __init__(self, w: Writer, program: MachineTape, host: Host) -> None:
        self.w = w
        self.host = host
        self.values = IrValues({k: w.const(c) for k, c in program.consts.items()})
        self.flags: dict[int, str] = {}  # comparisons, as i1
        self.bail: str | None = None  # label to leave for when an angle is too large for the polynomials
        self.joins = 0

    def steps(self, steps: tuple[MachineStep | Angles, ...]) -> None:
        for step in steps:
            if isinstance(step, Angles):
                self.angles(step)
            else:
                self.values[step.out] = self.step(step)

    def step(self, step: MachineStep) -> str:
        w, op = self.w, step.op
        args = [self.values[a] for a in step.args]
        if op in BINARY:
            return w.let(f"{BINARY[op]} {w.type} {args[0]}, {args[1]}")
        if op in ("fma", "fms", "fnma"):
            a, b, c = args
            return w.fma(w.neg(a) if op == "fnma" else a, b, w.neg(c) if op == "fms" else c)
        if op == "neg":
            return w.neg(args[0])
        if op in INTRINSIC:
            return w.intrinsic(INTRINSIC[op], *args)
        if op in COMPARE:
            self.flags[step.out] = w.let(f"fcmp {COMPARE[op]} {w.type} {args[0]}, {args[1]}")
            return w.choose(self.flags[step.out], w.const(1.0), w.const(0.0))
        if op == "select":
            flag = self.flags.get(step.args[0]) or w.let(f"fcmp une {w.type} {args[0]}, {w.const(0.0)}")
            return w.choose(flag, args[1], args[2])
        if op == "sign":  # zero and NaN are their own sign
            negative = w.let(f"fcmp olt {w.type} {args[0]}, {w.const(0.0)}")
            positive = w.let(f"fcmp ogt {w.type} {args[0]}, {w.const(0.0)}")
            return w.choose(positive, w.const(1.0), w.choose(negative, w.const(-1.0), args[0]))
        if op == "floor" and self.host.fma:  # such a machine has a rounding instruction
            return w.intrinsic("floor", *args)
        return self.library_call({"exp": EXP, "atan2": ATAN2, "floor": FLOOR}[op], args)

    def library_call(self, slot: int, args: list[str]) -> str:
        """A function of the C library, lane by lane."""
        w = self.w
        function = w.load(table_slot(slot), "ptr")
        if w.lanes == 1:
            return library_call(w, function, args)
        value = "poison"
        for lane in range(w.lanes):
            each = [w.let(f"extractelement {w.type} {a}, i32 {lane}") for a in args]
            value = w.let(
                f"insertelement {w.type} {value}, {w.real.name} {library_call(w, function, each)}, i32 {lane}"
            )
        return value

    def angles(self, step: Angles) -> None:
        if self.w.lanes > 1 and self.bail is not None:
            self.leave_if_large([(self.w, self.values[x]) for x in step.args])
            for x, s, c in zip(step.args, step.sines, step.cosines, strict=True):
                self.values.pending[s] = self.values.pending[c] = partial(self.one_angle, x, s, c)
            return
        packs = self.packs(step)
        found = [sincos(v, x, fma=self.host.fma) for v, x, _ in packs]
        repaired = self.repair(packs, found)
        for (v, _, members), (sine, cosine) in zip(packs, repaired, strict=True):
            for lane, i in enumerate(members):
                self.values[step.sines[i]] = self.lane(v, sine, lane)
                self.values[step.cosines[i]] = self.lane(v, cosine, lane)

    def one_angle(self, x: int, s: int, c: int) -> None:
        self.values[s], self.values[c] = sincos(self.w, self.values[x], fma=self.host.fma)

    def packs(self, step: Angles) -> Packs:
        """The angles packed several to a register (scalar kernel), or one by one (batch kernel)."""
        w = self.w
        if w.lanes > 1:
            return [(w, self.values[x], [i]) for i, x in enumerate(step.args)]
        packs: Packs = []
        pack = w.real.lanes(self.host.pack)
        for start in range(0, len(step.args), pack):
            members = list(range(start, min(start + pack, len(step.args))))
            lanes = next(size for size in (2, 4, 8) if size >= len(members)) if pack > 1 else 1
            v = Lanes(w, lanes)
            x = self.values[step.args[start]]
            if lanes > 1:
                x = "poison"
                for lane in range(lanes):  # spare lanes repeat the last angle
                    member = members[min(lane, len(members) - 1)]
                    angle = self.values[step.args[member]]
                    x = w.let(f"insertelement {v.type} {x}, {w.real.name} {angle}, i32 {lane}")
            packs.append((v, x, members))
        return packs

    def lane(self, v: Writer, value: str, lane: int) -> str:
        if v.lanes == self.w.lanes:
            return value
        return self.w.let(f"extractelement {v.type} {value}, i32 {lane}")

    def any_large(self, angles: list[tuple[Writer, str]]) -> str:
        """An i1: some angle is beyond the polynomials."""
        w = self.w
        masks: dict[int, str] = {}
        for v, x in angles:
            large = too_large(v, x)
            if v.lanes in masks:
                large = w.let(f"or {vector(v.lanes, 'i1')} {masks[v.lanes]}, {large}")
            masks[v.lanes] = large
        found = ""
        for lanes, mask in masks.items():
            if lanes > 1:
                packed = w.let(f"bitcast {vector(lanes, 'i1')} {mask} to i{lanes}")
                mask = w.let(f"icmp ne i{lanes} {packed}, 0")
            found = w.let(f"or i1 {found}, {mask}") if found else mask
        return found

    def leave_if_large(self, angles: list[tuple[Writer, str]]) -> None:
        flag = self.any_large(angles)
        self.joins += 1
        small = f"small{self.joins}"
        self.w.do(f"br i1 {flag}, label %{self.bail}, label %{small}, !prof !0")
        self.w.label(small)

    def repair(self, packs: Packs, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Replace the sines and cosines of large angles by the library's, in a block that is hardly ever entered."""
        w = self.w
        flag = self.any_large([(v, x) for v, x, _ in packs])
        self.joins += 1
        here, cold, join = (f"{word}{self.joins}" for word in ("here", "cold", "join"))
        w.do(f"br label %{here}")
        w.label(here)
        w.do(f"br i1 {flag}, label %{cold}, label %{join}, !prof !0")
        w.label(cold)
        mended = []
        for (v, x, _), (s, c) in zip(packs, found, strict=True):
            pointers: list[str] = []
            for value in (x, s, c):
                pointers.append(w.at("%spare", 64 * len(pointers), "i8"))
                w.store(value, pointers[-1], v.type)
            listed = ", ".join(f"ptr {p}" for p in pointers)
            w.do(f"call void @torsor_library_sincos({listed}, i64 {v.lanes})")
            mended.append(tuple(w.load(p, v.type) for p in pointers[1:]))
        w.do(f"br label %{join}")
        w.label(join)

        def either(v: Writer, usual: str, mended: str) -> str:
            return w.let(f"phi {v.type} [ {usual}, %{here} ], [ {mended}, %{cold} ]")

        three = zip(packs, found, mended, strict=True)
        return [(either(v, s, new_s), either(v, c, new_c)) for (v, _, _), (s, c), (new_s, new_c) in three]


def library_call(w: Writer, function: str, args: list[str]) -> str:
    """A function of the C library, of scalars; of floats computed in double."""
    if w.real is DOUBLE:
        return w.let(f"call double {function}({', '.join(f'double {a}' for a in args)})")
    wide = [w.let(f"fpext {w.real.name} {a} to double") for a in args]
    found = w.let(f"call double {function}({', '.join(f'double {a}' for a in wide)})")
    return w.let(f"fptrunc double {found} to {w.real.name}")
