"""Plain interpretation of tapes with a running bound of the rounding error, and random tapes to try it on."""

from __future__ import annotations

import ctypes
import math
from dataclasses import replace
from decimal import Decimal, getcontext

import numpy as np
from hypothesis import strategies as st

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit import native
from torsor.emit.host import Host, this_host
from torsor.emit.precision import DOUBLE

EPS = 2.0**-52  # twice the unit roundoff: a margin of two on every step
UNKNOWN = math.inf
EXACT = ("add", "sub", "mul", "div", "neg", "sqrt", "abs", "sign", "min", "max", "lt", "le", "eq", "select", "floor")
LIBRARY = ("sin", "cos", "exp", "atan2")
ARITY = {"neg": 1, "sqrt": 1, "sin": 1, "cos": 1, "abs": 1, "sign": 1, "exp": 1, "floor": 1, "select": 3}


@st.composite
def tapes(draw, ops=EXACT + LIBRARY, longest=40, shapes=None):
    """A tape of random instructions over one to three inputs."""
    if shapes is None:
        shapes = draw(st.lists(st.sampled_from([(), (1,), (2,), (3,), (5,), (2, 3)]), min_size=1, max_size=3))
    inputs = tuple(Array(f"in{i}", s) for i, s in enumerate(shapes))
    scalars = sum(a.size for a in inputs)
    code = [Instruction("input", (), float(i)) for i in range(scalars)]
    number = st.sampled_from([0.0, 1.0, -1.0, 0.5, 3.25, -0.1, 1e-3, 2.0, math.pi])
    code += [Instruction("const", (), draw(number)) for _ in range(draw(st.integers(0, 3)))]
    for _ in range(draw(st.integers(1, longest))):
        op = draw(st.sampled_from(ops))
        args = tuple(draw(st.integers(0, len(code) - 1)) for _ in range(ARITY.get(op, 2)))
        code.append(Instruction(op, args))
    out_shapes = draw(st.lists(st.sampled_from([(), (1,), (2,), (3,), (2, 2)]), min_size=1, max_size=2))
    outputs = tuple(Array(f"out{i}", s) for i, s in enumerate(out_shapes))
    results = tuple(draw(st.integers(max(0, len(code) - 12), len(code) - 1)) for a in outputs for _ in range(a.size))
    return Tape("random", inputs, outputs, tuple(code), results)


def states(tape, rows, seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(0, 2, (rows, *a.shape)) for a in tape.inputs]


def bounded(tape, arrays, row):
    """Values and error bounds of the results, for one row. A bound of infinity: anything may come out."""
    scalars = [float(x) for a in arrays for x in np.ravel(a[row])]
    values, errors = [], []
    for i in tape.code:
        if i.op == "input":
            v, e = scalars[int(i.value)], 0.0
        elif i.op == "const":
            v, e = i.value, 0.0
        else:
            v, e = _step(i.op, [values[a] for a in i.args], [errors[a] for a in i.args])
        values.append(v)
        errors.append(e)
    return [values[r] for r in tape.results], [errors[r] for r in tape.results]


def _step(op, x, e):
    if any(k == UNKNOWN for k in e):
        if op != "select":
            return math.nan, UNKNOWN
    elif any(not math.isfinite(v) for v in x):
        with np.errstate(all="ignore"):
            from emit_tracing import FUNCTIONS

            exact = float(FUNCTIONS[op](*map(np.float64, x)))
        # a value that overflowed here might not have there, and NaN came from somewhere definite
        return exact, 0.0 if math.isnan(exact) and any(map(math.isnan, x)) and op not in JUMPING else UNKNOWN
    v, bound = _known(op, x, e)
    if math.isfinite(bound) and (abs(v) > 1e140 or (v != 0 and abs(v) < 1e-140)):
        return v, UNKNOWN
    return v, bound


JUMPING = ("lt", "le", "eq", "select", "sign", "floor", "min", "max")


def _known(op, x, e):
    a, ea = x[0], e[0]
    b, eb = (x[1], e[1]) if len(x) > 1 else (0.0, 0.0)
    if op == "select":
        if ea == UNKNOWN or math.isnan(a) or (ea > 0 and abs(a) <= ea):
            return math.nan, UNKNOWN
        return (x[1], e[1]) if a != 0 else (x[2], e[2])
    if op in ("add", "sub"):
        v = a + b if op == "add" else a - b
        return v, ea + eb + EPS * (abs(v) + ea + eb)
    if op == "mul":
        return a * b, abs(a) * eb + abs(b) * ea + ea * eb + EPS * abs(a * b)
    if op == "div":
        if abs(b) <= eb or b == 0:
            return math.nan, UNKNOWN
        return a / b, (ea + abs(a / b) * eb) / (abs(b) - eb) + EPS * abs(a / b)
    if op == "neg":
        return -a, ea
    if op == "abs":
        return abs(a), ea
    if op in ("min", "max"):
        return (min if op == "min" else max)(a, b), max(ea, eb)
    if op in ("lt", "le", "eq"):
        if ea + eb and abs(a - b) <= ea + eb:
            return math.nan, UNKNOWN
        return float({"lt": a < b, "le": a <= b, "eq": a == b}[op]), 0.0
    if op == "sign":
        return (math.nan, UNKNOWN) if ea and abs(a) <= ea else (float(np.sign(a)), 0.0)
    if op == "floor":
        return (math.nan, UNKNOWN) if math.floor(a - ea) != math.floor(a + ea) else (float(math.floor(a)), 0.0)
    if op == "sqrt":
        if a < 0 and a + ea < 0:
            return math.nan, 0.0
        if a - ea <= 0:
            return (0.0, 0.0) if a == 0 and ea == 0 else (math.nan, UNKNOWN)
        return math.sqrt(a), ea / (2 * math.sqrt(a - ea)) + EPS * math.sqrt(a)
    if op in ("sin", "cos"):
        if abs(a) > 1e15:
            return math.nan, UNKNOWN
        v = math.sin(a) if op == "sin" else math.cos(a)
        return v, ea + 2 * EPS * abs(v)
    if op == "exp":
        if a > 300 or ea > 0.1:
            return math.nan, UNKNOWN
        return math.exp(a), math.exp(a) * (2 * ea + 4 * EPS)
    r2 = a * a + b * b
    if math.sqrt(r2) <= 2 * (ea + eb) or (b < 0 and abs(a) <= ea) or (a == 0 and b <= 0) or r2 == 0:
        return math.nan, UNKNOWN
    return math.atan2(a, b), 2 * (ea * abs(b) + eb * abs(a)) / r2 + 4 * EPS * math.pi


def check(tape, arrays, found, rows=None):
    """Compare what a backend found with the interpretation, as exactly as can be asked."""
    outs = found if isinstance(found, tuple) else (found,)
    for row in range(len(arrays[0])) if rows is None else rows:
        values, errors = bounded(tape, arrays, row)
        flat = [float(x) for o in outs for x in np.ravel(o[row])]
        assert len(flat) == len(values)
        for k, (got, want, error) in enumerate(zip(flat, values, errors, strict=True)):
            if error == UNKNOWN:
                continue
            if math.isnan(want):
                assert math.isnan(got), (row, k, got)
            else:
                assert abs(got - want) <= error, (row, k, got, want, error)


def run_native(tape, host, arrays, *, use="rows", real=DOUBLE, **options):
    """Compile for a given host and run the native functions directly."""
    code = native.load(native.compiled(native.ir_of(tape, host, real, **options), host))
    rows = len(arrays[0])
    arrays = [np.ascontiguousarray(a, dtype=real.dtype) for a in arrays]
    outs = [np.full((rows, *a.shape), 777.0, real.dtype) for a in tape.outputs]
    each = arrays + outs
    if use == "rows":
        kinds = [ctypes.c_int64, *[k for _ in each for k in (ctypes.c_void_p, ctypes.c_int64)]]
        function = ctypes.CFUNCTYPE(None, *kinds)(code.rows)
        function(rows, *[v for a in each for v in (a.ctypes.data, a.strides[0])])
    else:
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(each))(code.scalar)
        for r in range(rows):
            function(*(a.ctypes.data + r * a.strides[0] for a in each))
    return tuple(outs)


def every_value(tape):
    """The tape with all its values as outputs: sums of sums stay as they are written, since each is asked for."""
    return replace(tape, outputs=(Array("all", (len(tape.code),)),), results=tuple(range(len(tape.code))))


SINCOS = Tape(
    "sincos",
    (Array("x", ()),),
    (Array("s", ()), Array("c", ())),
    (Instruction("input"), Instruction("sin", (0,)), Instruction("cos", (0,))),
    (1, 2),
)


def pi(digits):
    """Machin's formula."""
    getcontext().prec = digits + 10

    def arctan_of_inverse(n):
        term = total = Decimal(1) / n
        k = 1
        while abs(term) > Decimal(10) ** -(digits + 8):
            term /= -n * n
            k += 2
            total += term / k
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


PI = pi(400)


def exact(x):
    """Sine and cosine of a double, to some forty digits."""
    getcontext().prec = 400
    r = Decimal(x) % (2 * PI)
    getcontext().prec = 60
    r = +r
    s, term, k = Decimal(0), r, 1
    while abs(term) > abs(s) * Decimal(10) ** -45:
        s += term
        term = -term * r * r / ((k + 1) * (k + 2))
        k += 2
    c, term, k = Decimal(0), Decimal(1), 0
    while abs(term) > Decimal(10) ** -50:
        c += term
        term = -term * r * r / ((k + 1) * (k + 2))
        k += 2
    return s, c


def ulps(found, want):
    return float(abs(Decimal(float(found)) - want) / Decimal(math.ulp(float(want))))


def angles():
    rng = np.random.default_rng(7)
    n = rng.integers(1, 63661, 150)
    near = n * (np.pi / 2)  # the doubles next to multiples of pi/2 lose the most digits
    borders = (n[:50] + 0.5) * (np.pi / 2)
    return np.concatenate(
        [
            rng.uniform(-np.pi, np.pi, 250),
            rng.uniform(-1e5, 1e5, 150),
            near,
            np.nextafter(near, np.inf),
            -np.nextafter(near, 0),
            borders,
            10.0 ** rng.uniform(-300, 0, 60),
            np.arange(1, 9) * (np.pi / 4),
            [1e5, -1e5, 0.0, 5e-324],
        ]
    )


def plain_host() -> Host:
    """This machine as if it had no vector instructions beyond its baseline."""
    import llvmlite.binding as llvm

    host = this_host()
    if not host.triple.startswith("x86_64"):
        return Host(host.triple, host.cpu, host.features, width=2, pack=2, fma=False)
    off = ",".join(f"-{f}" for f, _ in sorted(llvm.get_host_cpu_features().items()) if f.startswith(("avx", "fma")))
    return Host(host.triple, "x86-64", off, width=2, pack=2, fma=False)
