"""Machine code that looks: sample by sample, which of the pairs is nearest, and how near.

In each sample the balls around two solids are looked at first, then the capsules around them, of round solids the
solids themselves; where these leave it open it is GJK (`closest_points.py`), which begins with the way that was found
in the sample before. The same is done by NumPy where there is no machine code (`looking.py`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from torsor.cell.closest_points import CLOSE, INSIDE, MOST_PASSES, nearest_on_simplex
from torsor.cell.convex_solids import STRAIGHT
from torsor.cell.distances import between_segments
from torsor.emit.page import Page, Shape
from torsor.emit.writer import Lanes, Writer, vector
from torsor.model.transforms import Floats

LOOK = "torsor_look"
PARAMETERS = (
    "ptr %poses", "i64 %samples", "i64 %bodies",  # (samples, bodies, 3, 4): R, p
    "i64 %solids", "ptr %body", "ptr %around", "ptr %first", "ptr %corners", "ptr %round", "ptr %core",
    "i64 %overs", "ptr %over", "ptr %planes", "i64 %pairs", "i64 %rounds", "ptr %pair",
    "ptr %group", "ptr %bound", "ptr %ways", "ptr %placed",
    "ptr %least", "ptr %which", "ptr %inside", "ptr %segments", "ptr %simplex",
)  # fmt: skip
AROUND = 8  # numbers of the capsule around a solid: both ends, the radius, half its length with that
CORE = 8  # of its core: radius of the ball along it, of the disc, axis of the disc, middle
ABREAST = 4  # corners that are looked at together, on every machine
PLACED = 9  # of a capsule where it is: both ends, the middle
IrVector = tuple[str, str, str]
LookFunction = Callable[..., None]


@cache
def look_code() -> LookFunction | None:
    """The function, of arrays in the order of `PARAMETERS`; None where machine code cannot be had."""
    from torsor.emit import native

    segments = Page("between_segments", {"a": (2, 3), "b": (2, 3)}, _segments, simplified=False)
    simplex_inputs: dict[str, Shape] = {"last": 3, "others": (3, 3), "used": 3, "w": 3}
    simplex = Page("nearest_on_simplex", simplex_inputs, _simplex, simplified=False)
    try:
        pages = segments.kernel, simplex.kernel
        ir = _ir()
        (address,) = native.recalled(ir.encode(), lambda host: ir, (LOOK,))
    except native.NoCode:
        return None
    if any(page.scalar_address is None for page in pages):
        return None
    kinds = [ctypes.c_void_p if word.startswith("ptr") else ctypes.c_int64 for word in PARAMETERS]
    function = ctypes.CFUNCTYPE(None, *kinds)(address)

    def look(*given: Any) -> None:
        _ = address, pages  # which keep the code in memory
        plain = [each.ctypes.data if isinstance(each, np.ndarray) else each for each in given]
        function(*plain, *(page.scalar_address for page in pages))

    return look


def corner_rows(points: Floats) -> Floats:
    """Corners (k, 3) as they are looked at together, (rows, 3, ABREAST); the last row is filled with the first."""
    count = -(-len(points) // ABREAST) * ABREAST
    return np.swapaxes(points[np.arange(count) % len(points)].reshape(-1, ABREAST, 3), 1, 2)


def _segments(a: Any, b: Any) -> dict[str, Any]:
    return {"distance": between_segments(a[0], a[1], b[0], b[1])}


def _simplex(last: Any, others: Any, used: Any, w: Any) -> dict[str, Any]:
    v, points, spanning = nearest_on_simplex(last, others, used, w)
    return {"v": v, "points": points, "spanning": spanning}


def _ir() -> str:
    w = _Lines(1)
    # what changes from round to round stands in memory: it is few
    v, last, others, used, new, one = (w.let(f"alloca double, i64 {n}") for n in (3, 3, 9, 3, 3, 1))
    least, size, before, low = (w.let("alloca double") for _ in range(4))
    which, deep = w.let("alloca i64"), w.let("alloca i64")
    with w.loop("each.sample", "%samples") as sample:
        pose = w.at("%poses", w.let(f"mul i64 {w.let(f'mul i64 {sample}, %bodies')}, 12"))
        bound = w.at("%bound", w.load(w.at("%group", sample, "i64"), "i64"))
        w.store(w.const(np.inf), least)
        w.store("-1", which, "i64")
        w.store("0", deep, "i64")
        with w.loop("each.solid", "%solids") as solid:
            w.place(solid, pose)

        def found(value: str, who: str) -> None:
            """The least so far."""
            with w.when(w.let(f"fcmp olt double {value}, {w.load(least)}")):
                w.store(value, least)
                w.store(who, which, "i64")

        with w.loop("each.over", "%overs") as over:
            w.over(over, pose, (least, bound), one, found)
        with w.loop("each.pair", "%pairs") as pair:
            a, b = (
                w.load(w.at("%pair", w.let(f"add i64 {w.let(f'mul i64 {pair}, 2')}, {k}"), "i64"), "i64")
                for k in (0, 1)
            )
            near = w.balls_near(a, b, w.load(least))
            with w.when(near):
                apart = w.capsules(a, b, one)
                with w.when(w.let(f"fcmp olt double {apart}, {w.load(least)}")):
                    is_round = w.let(f"icmp slt i64 {pair}, %rounds")
                    who = w.let(f"add i64 {pair}, %overs")
                    with w.when(is_round):
                        w.lower(apart, bound)
                        found(apart, who)
                    with w.when(w.let(f"xor i1 {is_round}, true")):
                        idle = w.let(f"fcmp ogt double {apart}, {w.load(bound)}")
                        with w.when(idle):
                            found(apart, who)
                        with w.when(w.let(f"xor i1 {idle}, true")):
                            memory = v, last, others, used, new, size, before, low
                            closer, touching = w.closest(pair, (a, b), pose, bound, memory)
                            w.store(
                                w.let(f"or i64 {w.load(deep, 'i64')}, {w.let(f'zext i1 {touching} to i64')}"),
                                deep,
                                "i64",
                            )
                            outside = w.let(f"fcmp olt double {closer}, {apart}")
                            outside = w.let(f"and i1 {outside}, {w.let(f'fcmp oge double {closer}, 0.0')}")
                            found(w.let(f"select i1 {outside}, double {apart}, double {closer}"), who)
        w.store(w.load(least), w.at("%least", sample))
        w.store(w.load(which, "i64"), w.at("%which", sample, "i64"), "i64")
        w.store(w.load(deep, "i64"), w.at("%inside", sample, "i64"), "i64")
    w.do("ret void")
    look = w.function(f"void @{LOOK}({', '.join(PARAMETERS)})")
    return "\n".join(
        [look, _furthest_ir(), "declare double @llvm.sqrt.f64(double)", "declare double @llvm.fabs.f64(double)", ""]
    )


FURTHEST = "ptr %corners, i64 %first, i64 %end, ptr %core, double %x, double %y, double %z, ptr %to"


def _furthest_ir() -> str:
    """The point of a core that is furthest in a direction, in its own axes: `Solids.furthest`."""
    w = _Lines(1)
    d: IrVector = ("%x", "%y", "%z")
    many, wide = Lanes(w, ABREAST), vector(ABREAST, "double")
    along = [w.everywhere(each, "double") for each in d]
    starts = [(wide, many.const(-np.inf)), (vector(ABREAST, "i64"), w.everywhere("%first", "i64"))]
    with w.fold("row", w.let("sub i64 %end, %first"), starts) as (k, best):
        row = w.let(f"add i64 %first, {k}")
        own = w.row("%corners", row, 3 * ABREAST)
        parts = [many.mul(many.load(w.at(own, ABREAST * i), wide), along[i]) for i in range(3)]
        reach = many.add(many.add(parts[0], parts[1]), parts[2])
        more, bits = w.let(f"fcmp ogt {wide} {reach}, {best[0]}"), vector(ABREAST, "i1")
        top = w.let(f"select {bits} {more}, {wide} {reach}, {wide} {best[0]}")
        rows = vector(ABREAST, "i64")
        best[:] = top, w.let(f"select {bits} {more}, {rows} {w.everywhere(row, 'i64')}, {rows} {best[1]}")
    furthest, place = w.const(-np.inf), "0"
    for lane in range(ABREAST):
        reach = w.let(f"extractelement {wide} {best[0]}, i32 {lane}")
        row = w.let(f"extractelement {vector(ABREAST, 'i64')} {best[1]}, i32 {lane}")
        here = w.let(f"add i64 {w.let(f'mul i64 {row}, {3 * ABREAST}')}, {lane}")
        more = w.let(f"fcmp ogt double {reach}, {furthest}")
        furthest = w.let(f"select i1 {more}, double {reach}, double {furthest}")
        place = w.let(f"select i1 {more}, i64 {here}, i64 {place}")
    corner = w.at("%corners", place)
    for i in range(3):
        w.store(w.load(w.at(corner, ABREAST * i)), w.at("%to", i))
    disc = w.load(w.at("%core", 1))
    with w.when(w.let(f"fcmp ogt double {disc}, 0.0")):
        axis = w.vector(w.at("%core", 2))
        across = w.minus(d, w.scaled(w.dot(d, axis), axis))
        across = w.minus(across, w.scaled(w.dot(across, axis), axis))  # what rounding leaves along the axis
        size, whole = w.size(across), w.size(d)
        aside = w.let(f"fcmp ogt double {size}, {w.mul(w.const(STRAIGHT), whole)}")
        with w.when(aside):
            out = w.scaled(w.over_(disc, size), across)
            w.keep(w.plus(w.vector("%to"), out), "%to")
    w.do("ret void")
    return w.function(f"internal void @furthest({FURTHEST})")


class _Lines(Writer):
    """What the lines above are made of: vectors of three, and steps of looking."""

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """The lines within are done where a condition holds."""
        tag = self.name()[1:]
        self.do(f"br i1 {condition}, label %{tag}.yes, label %{tag}.on")
        self.label(f"{tag}.yes")
        yield
        self.do(f"br label %{tag}.on")
        self.label(f"{tag}.on")

    def everywhere(self, scalar: str, kind: str) -> str:
        """A number in all of the corners that are looked at together."""
        many = vector(ABREAST, kind)
        one = self.let(f"insertelement {many} poison, {kind} {scalar}, i32 0")
        return self.let(f"shufflevector {many} {one}, {many} poison, <{ABREAST} x i32> zeroinitializer")

    def vector(self, place: str) -> IrVector:
        x, y, z = (self.load(self.at(place, k)) for k in range(3))
        return x, y, z

    def keep(self, v: IrVector, place: str) -> None:
        for k, each in enumerate(v):
            self.store(each, self.at(place, k))

    def plus(self, a: IrVector, b: IrVector) -> IrVector:
        return self.add(a[0], b[0]), self.add(a[1], b[1]), self.add(a[2], b[2])

    def minus(self, a: IrVector, b: IrVector) -> IrVector:
        return self.sub(a[0], b[0]), self.sub(a[1], b[1]), self.sub(a[2], b[2])

    def scaled(self, by: str, v: IrVector) -> IrVector:
        return self.mul(by, v[0]), self.mul(by, v[1]), self.mul(by, v[2])

    def opposite(self, v: IrVector) -> IrVector:
        return self.neg(v[0]), self.neg(v[1]), self.neg(v[2])

    def dot(self, a: IrVector, b: IrVector) -> str:
        return self.add(self.add(self.mul(a[0], b[0]), self.mul(a[1], b[1])), self.mul(a[2], b[2]))

    def size(self, v: IrVector) -> str:
        return self.intrinsic("sqrt", self.dot(v, v))

    def over_(self, a: str, b: str) -> str:
        return self.let(f"fdiv double {a}, {b}")

    def less(self, a: str, b: str) -> str:
        return self.let(f"fcmp olt double {a}, {b}")

    def lower(self, value: str, place: str) -> None:
        """What stands there becomes no more than the value."""
        old = self.load(place)
        self.store(self.let(f"select i1 {self.less(value, old)}, double {value}, double {old}"), place)

    def row(self, base: str, index: str, width: int) -> str:
        return self.at(base, self.let(f"mul i64 {index}, {width}"))

    # poses: R and p in rows of four

    def frame(self, solid: str, pose: str) -> tuple[tuple[IrVector, IrVector, IrVector], IrVector]:
        """R, by rows, and p of the body of a solid; what stands in the cell is on the last one."""
        place = self.row(pose, self.load(self.at("%body", solid, "i64"), "i64"), 12)
        rows = [[self.load(self.at(place, 4 * i + k)) for k in range(4)] for i in range(3)]
        R = tuple((row[0], row[1], row[2]) for row in rows)
        return R, (rows[0][3], rows[1][3], rows[2][3])  # type: ignore[return-value]

    def rotated(self, R: tuple[IrVector, IrVector, IrVector], v: IrVector) -> IrVector:
        return self.dot(R[0], v), self.dot(R[1], v), self.dot(R[2], v)

    def unrotated(self, R: tuple[IrVector, IrVector, IrVector], v: IrVector) -> IrVector:
        columns = [(R[0][k], R[1][k], R[2][k]) for k in range(3)]
        return self.dot(columns[0], v), self.dot(columns[1], v), self.dot(columns[2], v)

    # steps of looking

    def place(self, solid: str, pose: str) -> None:
        """Where the capsule around a solid is."""
        (R, p), own, to = (
            self.frame(solid, pose),
            self.row("%around", solid, AROUND),
            self.row("%placed", solid, PLACED),
        )
        ends = [self.plus(self.rotated(R, self.vector(self.at(own, 3 * k))), p) for k in (0, 1)]
        for k, end in enumerate((*ends, self.scaled(self.const(0.5), self.plus(*ends)))):
            self.keep(end, self.at(to, 3 * k))

    def radius(self, solid: str, which: int) -> str:
        return self.load(self.at(self.row("%around", solid, AROUND), which))

    def balls_near(self, a: str, b: str, least: str) -> str:
        """Whether the balls around two are nearer than that."""
        middles = [self.vector(self.at(self.row("%placed", each, PLACED), 6)) for each in (a, b)]
        reach = self.add(self.add(self.radius(a, 7), self.radius(b, 7)), least)
        way = self.minus(*middles)
        inside = self.less(self.dot(way, way), self.mul(reach, reach))
        return self.let(f"and i1 {inside}, {self.less(self.const(0.0), reach)}")

    def capsules(self, a: str, b: str, one: str) -> str:
        places = [self.row("%placed", each, PLACED) for each in (a, b)]
        self.do(f"call void %segments(ptr {places[0]}, ptr {places[1]}, ptr {one})")
        return self.sub(self.sub(self.load(one), self.radius(a, 6)), self.radius(b, 6))

    def over(self, over: str, pose: str, known: tuple[str, str], one: str, found: Callable[[str, str], None]) -> None:
        """A solid over a plane: its capsule, and the solid itself where that may be the lowest."""
        least, bound = known
        solid = self.load(self.at("%over", over, "i64"), "i64")
        plane = self.row("%planes", over, 4)
        normal, offset = self.vector(plane), self.load(self.at(plane, 3))
        placed = self.row("%placed", solid, PLACED)
        heights = [self.dot(self.vector(self.at(placed, 3 * k)), normal) for k in (0, 1)]
        lower = self.let(f"select i1 {self.less(*heights)}, double {heights[0]}, double {heights[1]}")
        height = self.sub(self.sub(lower, offset), self.radius(solid, 6))
        with self.when(self.less(height, self.load(least))):
            is_round = self.let(f"icmp ne i64 {self.load(self.at('%round', solid, 'i64'), 'i64')}, 0")
            known_so = self.let(f"or i1 {is_round}, {self.let(f'fcmp ogt double {height}, {self.load(bound)}')}")
            self.store(height, one)
            with self.when(self.let(f"xor i1 {known_so}, true")):
                R, p = self.frame(solid, pose)
                to = self.at("%placed", self.let(f"mul i64 %solids, {PLACED}"))  # three numbers more are there
                self.furthest(solid, self.opposite(self.unrotated(R, normal)), to)
                point = self.plus(self.rotated(R, self.vector(to)), p)
                radius = self.load(self.row("%core", solid, CORE))
                self.store(self.sub(self.sub(self.dot(point, normal), offset), radius), one)
            exact = self.load(one)
            let_go = self.let(f"fcmp ogt double {height}, {self.load(bound)}")
            with self.when(self.let(f"xor i1 {let_go}, true")):
                self.lower(exact, bound)
            found(exact, over)

    def furthest(self, solid: str, d: IrVector, to: str) -> None:
        first = self.load(self.at("%first", solid, "i64"), "i64")
        end = self.load(self.at("%first", self.let(f"add i64 {solid}, 1"), "i64"), "i64")
        core = self.row("%core", solid, CORE)
        numbers = ", ".join(f"double {each}" for each in d)
        self.do(f"call void @furthest(ptr %corners, i64 {first}, i64 {end}, ptr {core}, {numbers}, ptr {to})")

    def closest(
        self, pair: str, solids: tuple[str, str], pose: str, bound: str, memory: tuple[str, ...]
    ) -> tuple[str, str]:
        """GJK in the axes of the first: `closest_points.distances` of one pair. How far, and whether they touch."""
        v, last, others, used, new, size, before, low = memory
        a, b = solids
        (Ra, pa), (Rb, pb) = self.frame(a, pose), self.frame(b, pose)
        columns = [self.unrotated(Ra, (Rb[0][k], Rb[1][k], Rb[2][k])) for k in range(3)]
        R = tuple((columns[0][i], columns[1][i], columns[2][i]) for i in range(3))
        p = self.unrotated(Ra, self.minus(pb, pa))
        cores = [self.row("%core", each, CORE) for each in solids]
        beyond = self.add(*(self.load(each) for each in cores))
        way = self.row("%ways", pair, 3)
        to = self.at("%placed", self.let(f"mul i64 %solids, {PLACED}"))

        def difference(d: IrVector) -> IrVector:
            """The point of A - B that is furthest against d."""
            self.furthest(a, self.opposite(d), to)
            first = self.vector(to)
            self.furthest(b, self.unrotated(R, d), to)  # type: ignore[arg-type]
            return self.minus(first, self.plus(self.rotated(R, self.vector(to)), p))  # type: ignore[arg-type]

        guess = self.vector(way)
        middles = [self.vector(self.at(each, 5)) for each in cores]
        plain = self.minus(middles[0], self.plus(self.rotated(R, middles[1]), p))  # type: ignore[arg-type]
        is_known = self.less(self.const(0.0), self.dot(guess, guess))
        d = tuple(self.let(f"select i1 {is_known}, double {x}, double {y}") for x, y in zip(guess, plain, strict=True))
        long = self.size(d)  # type: ignore[arg-type]
        has_way = self.less(self.const(0.0), long)
        x_axis = [self.const(1.0), self.const(0.0), self.const(0.0)]
        d = tuple(
            self.let(f"select i1 {has_way}, double {self.over_(each, long)}, double {x}")
            for each, x in zip(d, x_axis, strict=True)
        )
        w = difference(d)  # type: ignore[arg-type]
        self.store(self.dot(w, d), low)  # type: ignore[arg-type]
        for place in (v, last):
            self.keep(w, place)
        for k in range(3):
            self.store(self.const(0.0), self.at(used, k))
        self.store(self.size(w), size)
        self.store(self.const(np.inf), before)
        with self.loop("pass", str(MOST_PASSES)):
            far, under, earlier = self.load(size), self.load(low), self.load(before)
            self.lower(self.sub(far, beyond), bound)
            far_from = self.let(f"fcmp oge double {far}, {self.const(INSIDE)}")
            open_ = self.let(f"fcmp oge double {self.sub(far, under)}, {self.const(CLOSE)}")
            nearer = self.less(far, earlier)  # else rounding leaves no way nearer
            self.require(self.let(f"and i1 {far_from}, {self.let(f'and i1 {open_}, {nearer}')}"), "pass.end")
            matters = self.let(f"fcmp ole double {self.sub(under, beyond)}, {self.load(bound)}")
            self.require(matters, "pass.end")
            self.store(far, before)
            at = self.vector(v)
            w = difference(at)
            under = self.over_(self.dot(at, w), far)
            self.store(under, low)
            closer = self.let(f"fcmp oge double {self.sub(far, under)}, {self.const(CLOSE)}")
            with self.when(closer):
                self.keep(w, new)
                places = ", ".join(f"ptr {each}" for each in (last, others, used, new, v, others, used))
                self.do(f"call void %simplex({places})")
                self.keep(w, last)
                self.store(self.size(self.vector(v)), size)
        self.keep(self.vector(v), way)
        far, under = self.load(size), self.load(low)
        touching = self.less(far, self.const(INSIDE))
        # known to be so far, or let go by what it is away at least
        closed = self.less(self.sub(far, under), self.const(CLOSE))
        idle = self.let(f"fcmp ogt double {self.sub(under, beyond)}, {self.load(bound)}")
        by_low = self.let(f"or i1 {closed}, {idle}")
        apart = self.let(f"select i1 {by_low}, double {under}, double {far}")
        apart = self.let(f"select i1 {touching}, double {self.const(0.0)}, double {apart}")
        return self.sub(apart, beyond), touching
