"""The few functions that generated C carries along: each is written only where it is used."""

from __future__ import annotations

from torsor.algebra.circle import SHORT_PARTS, TWO_OVER_PI, C, S

# NaN goes through all of them.
HELPERS = {
    "sign": """static {real} torsor__sign({real} x)
{{
    return (x > 0.0{f}) ? 1.0{f} : ((x < 0.0{f}) ? -1.0{f} : x);
}}
""",
    **{
        op: f"""static {{real}} torsor__{op}({{real}} a, {{real}} b)
{{{{
    return (a {sign} b || a != a) ? a : b;
}}}}
"""
        for op, sign in {"min": "<", "max": ">"}.items()
    },
}

# pi/2 in parts of 11 bits: their products with n < 2**13 are exact in single precision.
FLOAT_PARTS = ("0x1.92p+0f", "0x1.fb4p-12f", "0x1.444p-24f", "0x1.68c234p-39f")
FLOAT_SIN = ("-1.6666654611e-1f", "8.3321608736e-3f", "-1.9515295891e-4f")  # Cephes, S. Moshier
FLOAT_COS = ("4.166664568298827e-2f", "-1.388731625493765e-3f", "2.443315711809948e-5f")


def sincos_source(real: str) -> str:
    """Sine and cosine together, by Cody and Waite and a polynomial; the same as `sincos.py` without FMA.

    Products of n with all parts but the last are exact, so a compiler that contracts them into FMA changes nothing.
    """
    if real == "float":
        return _FLOAT.format(
            parts=FLOAT_PARTS, sin=_horner("z", FLOAT_SIN[1:]), s0=FLOAT_SIN[0], cos=_horner("z", FLOAT_COS)
        )
    parts = [float.hex(p) for p in SHORT_PARTS]
    return _DOUBLE.format(
        parts=parts,
        two_over_pi=repr(TWO_OVER_PI),
        s0=repr(S[0]),
        sin=_horner("z", [repr(k) for k in S[1:]]),
        cos=_horner("z", [repr(k) for k in C]),
    )


def _horner(z: str, coefficients: tuple[str, ...] | list[str]) -> str:
    text = coefficients[-1]
    for k in reversed(coefficients[:-1]):
        text = f"{k} + {z} * ({text})"
    return text


_DOUBLE = """static void torsor__sincos(double x, double *s, double *c)
{{
    /* at most 1 ulp for |x| <= 1e5; beyond that, and for infinities, not a number */
    const double size = (x < 0.0) ? -x : x;
    const double y = (size <= 1e5) ? x : (x - x) / (x - x);
    const long n = (size <= 1e5) ? (long)(y * {two_over_pi} + ((y < 0.0) ? -0.5 : 0.5)) : 0L;
    const double k = (double)n;
    const double first = y - k * {parts[0]};
    const double second = first - k * {parts[1]};
    const double third = second - k * {parts[2]};
    const double lost = ((first - second) - k * {parts[1]}) + ((second - third) - k * {parts[2]});
    const double rest = lost - k * {parts[3]};
    const double r = third + rest;
    const double low = (third - r) + rest;
    const double z = r * r;
    const double v = z * r;
    const double p = {sin};
    const double sine = r - ((z * (0.5 * low - v * p) - low) - v * ({s0}));
    const double q = z * ({cos});
    const double half = 0.5 * z;
    const double head = 1.0 - half;
    const double cosine = head + (((1.0 - head) - half) + (z * q - r * low));
    const double a = (n & 1L) ? cosine : sine;
    const double b = (n & 1L) ? sine : cosine;
    *s = (n & 2L) ? -a : a;
    *c = ((n + 1L) & 2L) ? -b : b;
}}
"""

_FLOAT = """static void torsor__sincos(float x, float *s, float *c)
{{
    /* about 1 ulp for |x| <= 1e4; beyond that, and for infinities, not a number */
    const float size = (x < 0.0f) ? -x : x;
    const float y = (size <= 1e4f) ? x : (x - x) / (x - x);
    const long n = (size <= 1e4f) ? (long)(y * 0.636619772f + ((y < 0.0f) ? -0.5f : 0.5f)) : 0L;
    const float k = (float)n;
    const float r = ((y - k * {parts[0]}) - k * {parts[1]}) - k * {parts[2]} - k * {parts[3]};
    const float z = r * r;
    const float sine = r + z * r * ({s0} + z * ({sin}));
    const float cosine = (1.0f - 0.5f * z) + z * z * ({cos});
    const float a = (n & 1L) ? cosine : sine;
    const float b = (n & 1L) ? sine : cosine;
    *s = (n & 2L) ? -a : a;
    *c = ((n + 1L) & 2L) ? -b : b;
}}
"""
