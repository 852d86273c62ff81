"""Sine and cosine together, as inlined polynomials: at most 1 ulp for |x| <= LIMIT, the library's result beyond.

Those are doubles; floats have their own reduction and polynomials (`_single`), good to 1e-7 of 1.

x = n pi/2 + r + low with |r| <= pi/4, by Cody and Waite; the polynomials are fdlibm's (Sun Microsystems, 1993).
With fused multiply-add the first product needs no short constant: x - n*P1 is exact for |n| < 2**17, since both are
multiples of 2**-53 (or of ulp(x)) and their difference is below 1. n*P2 is exact because P2 has 33 bits. Without FMA
every constant but the last is short, so that its product with n is exact, contracted by a C compiler or not.
"""

from __future__ import annotations

from math import pi

from torsor.algebra.circle import LIMIT, SHORT_PARTS, TWO_OVER_PI, C, S
from torsor.emit.c_math import FLOAT_COS, FLOAT_SIN
from torsor.emit.precision import DOUBLE, SINGLE
from torsor.emit.writer import Lanes, Writer

MAGIC = 1.5 * 2.0**52  # adding it rounds to an integer, which then sits in the low bits
SINGLE_MAGIC = 1.5 * 2.0**23
SINGLE_PARTS = tuple(float.fromhex(p) for p in ("0x1.921fb6p+0", "-0x1.777a5cp-25", "-0x1.ee59dap-50"))  # of pi/2
SINGLE_SIN, SINGLE_COS = (tuple(float(k.rstrip("f")) for k in text) for text in (FLOAT_SIN, FLOAT_COS))
FMA_PARTS = tuple(float.fromhex(p) for p in ("0x1.921fb54442d18p+0", "0x1.1a62633100000p-54", "0x1.1701b839a2520p-88"))


def too_large(w: Writer, x: str) -> str:
    """An i1 (or vector of them): |x| > LIMIT. False for NaN, which the polynomials carry through by themselves."""
    return w.greater(w.intrinsic("fabs", x), w.const(LIMIT))


def sincos(w: Writer, x: str, *, fma: bool) -> tuple[str, str]:
    """Emit sin(x) and cos(x) for |x| <= LIMIT; NaN and infinities give NaN."""
    rate, magic = w.const(TWO_OVER_PI), w.const(SINGLE_MAGIC if w.real is SINGLE else MAGIC)
    shifted = w.fma(x, rate, magic) if fma else w.add(w.mul(x, rate), magic)
    n = w.sub(shifted, magic)
    if w.real is SINGLE:
        sine, cosine = _single(w, x, n, fma=fma)
    else:
        r, low = _reduce(w, x, n) if fma else _reduce_without_fma(w, x, n)
        sine, cosine = _polynomials(w, r, low) if fma else _polynomials_without_fma(w, r, low)
    # Quadrant: bit 0 swaps the two, bit 1 is the sign of the sine, the sum of both bits that of the cosine.
    sign = w.real.bits - 1
    quadrant = w.as_bits(shifted)
    top = w.left(quadrant, sign)
    swap = w.negative(top)
    s = w.choose(swap, cosine, sine)
    c = w.choose(swap, sine, cosine)
    minus = w.left(w.right(quadrant, 1), sign)
    return _flip(w, s, minus), _flip(w, c, w.xor(minus, top))


def _reduce(w: Writer, x: str, n: str) -> tuple[str, str]:
    p1, p2, p3 = (w.const(p) for p in FMA_PARTS)
    minus_n = w.neg(n)
    first = w.fma(minus_n, p1, x)  # exact
    product = w.mul(n, p2)  # exact, so that differences, which have ports of their own, do for the rest
    r = w.sub(first, product)
    error = w.sub(w.sub(first, r), product)  # exact: what rounding r lost
    return r, w.fma(minus_n, p3, error)


def _reduce_without_fma(w: Writer, x: str, n: str) -> tuple[str, str]:
    p1, p2, p3, p4 = (w.const(p) for p in SHORT_PARTS)
    first = w.sub(x, w.mul(n, p1))  # exact
    product = w.mul(n, p2)
    second = w.sub(first, product)
    error2 = w.sub(w.sub(first, second), product)
    product = w.mul(n, p3)
    third = w.sub(second, product)
    error3 = w.sub(w.sub(second, third), product)
    low = w.sub(w.add(error2, error3), w.mul(n, p4))
    r = w.add(third, low)  # renormalised: near a multiple of pi/2 the low part carries real digits
    return r, w.add(w.sub(third, r), low)


def _polynomials(w: Writer, r: str, low: str) -> tuple[str, str]:
    """r + (r**3 S + low) and 1 + r (r (r**2 C - 1/2) - low): r**2, which is rounded, stands only in what is small."""
    z = w.mul(r, r)
    z2 = w.mul(z, z)
    sine = w.add(r, w.fma(w.mul(z, r), _in_two(w, z, z2, S), low))
    half = w.fma(z, _in_two(w, z, z2, C), w.const(-0.5))
    cosine = w.fma(r, w.fma(r, half, w.neg(low)), w.const(1.0))
    return sine, cosine


def _single(w: Writer, x: str, n: str, *, fma: bool) -> tuple[str, str]:
    def sum_of(a: str, b: str, c: str) -> str:
        return w.fma(a, b, c) if fma else w.add(w.mul(a, b), c)

    if fma:
        r, minus_n = x, w.neg(n)
        for part in SINGLE_PARTS:  # the first step is exact, as with doubles
            r = w.fma(minus_n, w.const(part), r)
    else:
        wide = Lanes(w, w.lanes, DOUBLE)
        x, n = (w.let(f"fpext {w.type} {each} to {wide.type}") for each in (x, n))
        r = w.let(f"fptrunc {wide.type} {wide.sub(x, wide.mul(n, wide.const(pi / 2)))} to {w.type}")
    z = w.mul(r, r)
    sine, cosine = (w.const(k[-1]) for k in (SINGLE_SIN, SINGLE_COS))
    for s, c in zip(SINGLE_SIN[-2::-1], SINGLE_COS[-2::-1], strict=True):
        sine, cosine = sum_of(z, sine, w.const(s)), sum_of(z, cosine, w.const(c))
    head = sum_of(z, w.const(-0.5), w.const(1.0))
    return sum_of(w.mul(z, r), sine, r), sum_of(w.mul(z, z), cosine, head)


def _in_two(w: Writer, z: str, z2: str, k: tuple[float, ...]) -> str:
    """k0 + k1 z, and the rest by Horner. By Estrin a single call waits a product less, by Horner alone one more; but of
    two constants one is loaded first, and a batch is best off with this."""
    low = w.fma(z, w.const(k[1]), w.const(k[0]))
    high = w.const(k[-1])
    for coefficient in k[-2:1:-1]:
        high = w.fma(z, high, w.const(coefficient))
    return w.fma(z2, high, low)


def _polynomials_without_fma(w: Writer, r: str, low: str) -> tuple[str, str]:
    z = w.mul(r, r)
    s = _horner(w, z, S[1:])
    v = w.mul(z, r)
    # fdlibm: r - ((z (low/2 - v s) - low) - v S0)
    inner = w.sub(w.mul(w.const(0.5), low), w.mul(v, s))
    sine = w.sub(r, w.sub(w.sub(w.mul(z, inner), low), w.mul(v, w.const(S[0]))))
    c = w.mul(z, _horner(w, z, C))
    half = w.mul(w.const(0.5), z)
    head = w.sub(w.const(1.0), half)
    lost = w.sub(w.sub(w.const(1.0), head), half)
    cosine = w.add(head, w.add(lost, w.sub(w.mul(z, c), w.mul(r, low))))
    return sine, cosine


def _horner(w: Writer, z: str, k: tuple[float, ...]) -> str:
    value = w.const(k[-1])
    for coefficient in reversed(k[:-1]):
        value = w.add(w.const(coefficient), w.mul(z, value))
    return value


def _flip(w: Writer, value: str, sign: str) -> str:
    """Change the sign where the highest bit, the only one there is, is set."""
    return w.as_real(w.xor(w.as_bits(value), sign))
