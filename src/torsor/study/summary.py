"""``Summary`` of a study: what came out, how likely, and what it depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from torsor.errors import StudyError
from torsor.model.transforms import Floats
from torsor.study.result import StudyResult
from torsor.study.sensitivity import SIZE, SobolIndex, rank_correlation, sobol_indices

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
YES_OR_NO = ("feasible", "good", "settled")
MOST_FAILURES = 5  # that are told in words


@dataclass(frozen=True)
class Spread:
    """Of one output over all runs that gave a number."""

    name: str
    unit: str
    count: int  # runs that gave a number
    mean: float
    deviation: float
    least: float
    quantiles: tuple[float, ...]  # at QUANTILES
    most: float


@dataclass(frozen=True)
class Probability:
    """How often the answer was yes, and where the true share lies with 95 % (Wilson), were the runs independent."""

    name: str
    yes: int
    count: int
    low: float
    high: float
    what: str = "runs"

    @property
    def share(self) -> float:
        return self.yes / self.count if self.count else float("nan")

    def __str__(self) -> str:
        share, low, high = (f"{100.0 * each:.4g} %" for each in (self.share, self.low, self.high))
        return f"{self.name} in {self.yes} of {self.count} {self.what}: {share} (95 %: {low} to {high})"


@dataclass(frozen=True, eq=False)
class Summary:
    """``indices`` by output where the design is "saltelli", ``correlations`` by output and input elsewhere."""

    result: StudyResult
    spreads: tuple[Spread, ...]
    probabilities: tuple[Probability, ...]
    indices: dict[str, tuple[SobolIndex, ...]]
    correlations: dict[str, dict[str, float]]
    unknown: dict[str, int]  # by output: in how many runs it is no number

    @property
    def headline(self) -> str:
        """The study in a sentence."""
        return f"{self.result.name}: {self.told}"

    @property
    def told(self) -> str:
        """The sentence, without the name of the study."""
        result = self.result
        failed = f"; {len(result.failures)} runs failed" if result.failures else ""
        if self.probabilities:
            return f"{'; '.join(map(str, self.probabilities))}{failed}"
        told = [f"{each.name} {each.least:.4g} to {each.most:.4g} {each.unit}".rstrip() for each in self.spreads[:3]]
        return f"{result.runs} runs, {', '.join(told)}{failed}"

    @property
    def without(self) -> list[str]:
        """Outputs that are no number in runs that did not fail: what does not settle has no settling time."""
        runs, failed = self.result.runs, len(self.result.failures)
        counts = [(name, count - failed) for name, count in self.unknown.items()]
        return [f"{name} is no number in {count} of {runs} runs" for name, count in counts if count > 0]

    @property
    def failures(self) -> list[str]:
        """What failed, alike together, the most frequent first."""
        counts: dict[str, list[int]] = {}
        for run, text in self.result.failures.items():
            counts.setdefault(text, []).append(run)
        worst = sorted(counts.items(), key=lambda each: -len(each[1]))
        told = [f"{len(runs)} of {self.result.runs} runs: {text} (run {runs[0]})" for text, runs in worst]
        more = len(told) - MOST_FAILURES
        return told[:MOST_FAILURES] + ([f"and {more} other reasons"] if more > 0 else [])

    def document(self) -> dict[str, Any]:
        """As plain dicts and lists."""
        spreads = {
            each.name: {
                "unit": each.unit, "count": each.count, "mean": each.mean, "deviation": each.deviation,
                "least": each.least, "most": each.most,
                "quantiles": {f"{q:g}": value for q, value in zip(QUANTILES, each.quantiles, strict=True)},
            }
            for each in self.spreads
        }  # fmt: skip
        likely = {p.name: {"share": p.share, "yes": p.yes, "count": p.count, "low": p.low, "high": p.high}
                  for p in self.probabilities}  # fmt: skip
        return {
            "study": self.result.name,
            "base": self.result.kind,
            "runs": self.result.runs,
            "failed": len(self.result.failures),
            "failures": self.failures,
            "notes": [*self.result.notes, *self.without],
            "verdict": self.headline,
            "probabilities": likely,
            "outputs": spreads,
            "sobol": {name: [vars(each) for each in own] for name, own in self.indices.items()},
            "rank_correlations": self.correlations,
        }


def summarised(result: StudyResult) -> Summary:
    spreads, likely = [], []
    indices: dict[str, tuple[SobolIndex, ...]] = {}
    correlations: dict[str, dict[str, float]] = {}
    inputs = [name for name, values in result.inputs.items() if values.dtype.kind == "f"]
    unknown = {}
    for name in result.scalars:
        values = np.asarray(result.values[name], dtype=np.float64)
        unknown[name] = int((~np.isfinite(values)).sum())
        if name in YES_OR_NO:
            likely.append(_likely(result, name, values))
        else:
            spreads.append(_spread(name, result.units.get(name, ""), values))
        if not _varies(values):
            continue
        if result.design == "saltelli" and set(result.shape) == {"sample"}:
            try:
                indices[name] = sobol_indices(result.drawn, values)
                continue
            except StudyError:
                pass  # too few numbers: what can be said is said by ranks
        found = {each: rank_correlation(result.inputs[each], values) for each in inputs}
        correlations[name] = {each: value for each, value in found.items() if np.isfinite(value)}
    return Summary(result, tuple(spreads), tuple(likely), indices, correlations, unknown)


def _likely(result: StudyResult, name: str, values: Floats) -> Probability:
    """From runs that were drawn apart: of the design "saltelli" A and B, whose mixtures would count twice."""
    rows = len(result.drawn) + 2
    if result.design != "saltelli" or len(values) % rows:
        return probability_of(name, values)
    return replace(probability_of(name, values.reshape(-1, rows)[:, :2].ravel()), what="independent runs")


def probability_of(name: str, values: Floats) -> Probability:
    """
    >>> print(probability_of("feasible", np.array([1.0] * 90 + [0.0] * 10)))
    feasible in 90 of 100 runs: 90 % (95 %: 82.56 % to 94.48 %)
    """
    known = values[np.isfinite(values)]
    n, yes = len(known), int((known > 0.5).sum())
    if not n:
        return Probability(name, 0, 0, float("nan"), float("nan"))
    p, z = yes / n, SIZE
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Probability(name, yes, n, max(middle - half, 0.0), min(middle + half, 1.0))


def _spread(name: str, unit: str, values: Floats) -> Spread:
    known = values[np.isfinite(values)]
    if not len(known):
        nothing = float("nan")
        return Spread(name, unit, 0, nothing, nothing, nothing, (nothing,) * len(QUANTILES), nothing)
    quantiles = tuple(np.quantile(known, QUANTILES).tolist())
    apart = known - known[0]  # of what does not vary the deviation is nothing, not the rounding of its mean
    mean, deviation = float(known[0] + apart.mean()), float(apart.std())
    return Spread(name, unit, len(known), mean, deviation, float(known.min()), quantiles, float(known.max()))


def _varies(values: Floats) -> bool:
    known = values[np.isfinite(values)]
    return bool(len(known) > 2 and known.min() < known.max())
