"""Variations in a word, as the command line has them: ``friction=normal:1,0.1``."""

from __future__ import annotations

from torsor.errors import StudyError, did_you_mean
from torsor.study.varying import Grid1D, Listed, LogNormal, Normal, Triangular, Uniform, Variation

KINDS = {
    "grid": "grid:FROM,TO,COUNT",
    "uniform": "uniform:LOW,HIGH",
    "normal": "normal:MEAN,DEVIATION[,LEAST[,MOST]]",
    "triangular": "triangular:LOW,MODE,HIGH",
    "lognormal": "lognormal:MEDIAN,SPREAD",
}


def variation_of(text: str) -> tuple[str, Variation]:
    """Name and variation of a word.

    >>> variation_of("payload=0,5,10"), variation_of("friction=normal:1,0.1")
    (('payload', Listed(values=(0.0, 5.0, 10.0))), ('friction', Normal(mean=1.0, deviation=0.1, least=None, most=None)))
    """
    name, equals, said = text.partition("=")
    if not equals or not name or not said:
        hint = "NAME=V1,V2,... or NAME=KIND:..., such as friction=normal:1,0.1"
        raise StudyError(f"{text!r} says not what varies", hint=hint)
    kind, colon, rest = said.partition(":")
    if not colon:
        words = said.split(",")
        try:
            return name, Listed(tuple(float(word) for word in words))
        except ValueError:
            return name, Listed(tuple(words))
    if kind not in KINDS:
        raise StudyError(f"{name}: there is no {kind!r}", hint=did_you_mean(kind, KINDS))
    try:
        numbers = [float(word) for word in rest.split(",")]
        match kind, numbers:
            case "grid", [low, high, count] if count == int(count):
                return name, Grid1D(low, high, int(count))
            case "uniform", [low, high]:
                return name, Uniform(low, high)
            case "normal", [mean, deviation, *bounds] if len(bounds) <= 2:
                return name, Normal(mean, deviation, *bounds)
            case "triangular", [low, mode, high]:
                return name, Triangular(low, mode, high)
            case "lognormal", [median, spread]:
                return name, LogNormal(median, spread)
    except (ValueError, OverflowError):
        pass
    raise StudyError(f"{name} is {said!r}", hint=f"expected {KINDS[kind]}")
