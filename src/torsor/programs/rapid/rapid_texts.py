"""Functions of RAPID on texts: their parts, and the numbers and bytes that they say."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.language import Function
from torsor.programs.printer import number_text
from torsor.programs.values import Absent, Value

if TYPE_CHECKING:
    from torsor.programs.rapid.rapid_lowering import RapidLowering

MOST_DIGITS = 20  # of a number in a text
BASES = dict.fromkeys(("hex", "okt", "bin", "char"), "any")  # in which a text says a byte; decimal without one


def _text(value: Value) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return number_text(float(f"{value:.6g}"))
        case str():
            return value
        case dict():
            return "[" + ",".join(map(_text, value.values())) + "]"
        case tuple():
            return "[" + ",".join(map(_text, value)) + "]"
    return ""


def _formatted(_: RapidLowering, text: Any, **options: Any) -> Value:
    """StrFormat: ``{1}`` stands for the first of what is given."""
    for k in range(1, 8):
        text = str(text).replace(f"{{{k}}}", _text(options.get(f"arg{k}", "")))
    return text if isinstance(text, str) else ""


def _num_to_str(_: RapidLowering, x: Any, digits: Any = 0.0, **options: Any) -> Value:
    x, digits = (0.0 if isinstance(each, Absent) else each for each in (x, digits))
    return f"{x:.{min(max(int(digits), 0), 15)}f}"


def _str_to_val(lowering: RapidLowering, text: Any, place: syntax.Expression) -> Value:
    """Puts the value that a text says into a place; whether it says one."""
    if not isinstance(text, str):
        return False
    found = _read_value(text.strip())
    if found is None:
        return False
    try:
        lowering.interpreter.assign(place, found)
    except Exception:  # of another type than the place
        return False
    return True


def _read_value(text: str) -> Value | None:
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    if text.startswith("[") and text.endswith("]"):
        parts, depth, begin = [], 0, 1
        for k, sign in enumerate(text[1:], start=1):
            depth += (sign == "[") - (sign == "]")
            if (sign == "," and depth == 0) or k == len(text) - 1:
                parts.append(_read_value(text[begin:k].strip()))
                begin = k + 1
        return None if None in parts else tuple(part for part in parts if part is not None)
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _part(_: RapidLowering, text: Any, begin: Any, length: Any) -> Value:
    if not isinstance(text, str):
        return ""
    k = int(begin) - 1
    return text[max(k, 0) : max(k, 0) + max(int(length), 0)]


def _match(_: RapidLowering, text: Any, begin: Any, pattern: Any) -> Value:
    if not isinstance(text, str) or not isinstance(pattern, str):
        return 1.0
    found = text.find(pattern, int(begin) - 1)
    return float(found + 1 if found >= 0 else len(text) + 1)


def _find(_: RapidLowering, text: Any, begin: Any, signs: Any, **options: Any) -> Value:
    if not isinstance(text, str) or not isinstance(signs, str):
        return 1.0
    wanted = "notinset" not in options
    hits = (k + 1 for k in range(int(begin) - 1, len(text)) if (text[k] in signs) is wanted)
    return float(next(hits, len(text) + 1))


def _digits(text: Any) -> int:
    return int(text) if isinstance(text, str) and text.isdecimal() and len(text) < MOST_DIGITS else 0


def _compared(_: RapidLowering, a: Any, relation: Any, b: Any) -> Value:
    """StrDigCmp: two texts of digits, by one of LT LTEQ EQ NOTEQ GTEQ GT."""
    x, y = _digits(a), _digits(b)
    return {1.0: x < y, 2.0: x <= y, 3.0: x == y, 4.0: x != y, 5.0: x >= y, 6.0: x > y}.get(relation, False)


def _of_hex(_: RapidLowering, text: Any) -> Value:
    hexadecimal = isinstance(text, str) and len(text) < MOST_DIGITS and re.fullmatch(r"[0-9A-Fa-f]+", text)
    return str(int(text, 16)) if hexadecimal else "0"


def _of_byte(_: RapidLowering, byte: Any, **base: Any) -> Value:
    """ByteToStr, as the manual has it: 122 is "122", "7A", "172", "01111010" or "z"."""
    if not isinstance(byte, float):
        return ""
    k = int(byte) & 0xFF
    told = {"hex": f"{k:02X}", "okt": f"{k:03o}", "bin": f"{k:08b}", "char": chr(k)}
    return next((text for name, text in told.items() if name in base), str(k))


def _byte_of(_: RapidLowering, text: Any, **base: Any) -> Value:
    """StrToByte; what is no byte is none, and 0."""
    if not isinstance(text, str) or not text:
        return 0.0
    if "char" in base:
        return float(ord(text[0]) & 0xFF)
    try:
        return float(int(text, next((of for name, of in (("hex", 16), ("okt", 8), ("bin", 2)) if name in base), 10)))
    except ValueError:
        return 0.0


TEXTS: dict[str, Function] = {
    "strdigcmp": Function(("any", "num", "any"), "truth", _compared),
    "dectohex": Function(("any",), "text", lambda _, text: f"{_digits(text):X}"),
    "hextodec": Function(("any",), "text", _of_hex),
    "strorder": Function(("any", "any", "any"), "truth", lambda _, a, b, _order: str(a) <= str(b)),
    "strformat": Function(("any",), "text", _formatted, options={f"arg{k}": "any" for k in range(1, 8)}),
    "strlen": Function(("any",), "number", lambda _, s: float(len(s)) if isinstance(s, str) else 0.0),
    "strpart": Function(("any", "num", "num"), "text", _part),
    "strmatch": Function(("any", "num", "any"), "number", _match),
    "strfind": Function(("any", "num", "any"), "number", _find, options={"notinset": "any"}),
    "strtoval": Function(("any", "place"), "truth", _str_to_val),
    "strmemb": Function(("any", "num", "any"), "truth",
                        lambda _, s, k, t: isinstance(s, str) and 0 < k <= len(s) and s[int(k) - 1] in t),
    "strmap": Function(("any", "any", "any"), "text",
                       lambda _, s, a, b: s.translate(str.maketrans(a, b)) if isinstance(s, str) and len(a) == len(b)
                       else s),
    "numtostr": Function(("num", "num"), "text", _num_to_str, options={"exp": "any"}),
    "dnumtostr": Function(("num", "num"), "text", _num_to_str, options={"exp": "any"}),
    "valtostr": Function(("any",), "text", lambda _, value: _text(value)),
    "bytetostr": Function(("num",), "text", _of_byte, options=BASES),
    "strtobyte": Function(("any",), "number", _byte_of, options=BASES),
}  # fmt: skip
