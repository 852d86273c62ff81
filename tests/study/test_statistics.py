"""What a study says of chance and of causes, against closed forms."""

from math import erf, pi, sqrt

import numpy as np
import pytest

from studied import check_base
from torsor.errors import StudyError
from torsor.study import Normal, Study, StudyOutput, Uniform
from torsor.study.base import ChunkOutcome
from torsor.study.payload_question import payload_limit
from torsor.study.sensitivity import rank_correlation, sobol_indices


class Formula:
    """A base of the tests: y is a function of what varies."""

    kind, in_python, chunk, usual = "formula", False, 1000, ("y",)
    outputs, contents = {"y": StudyOutput("", "")}, {}

    def __init__(self, function, *names):
        self.function, self.variable = function, dict.fromkeys(names, "")

    def settled(self, inputs):
        return self

    def evaluate(self, inputs, outputs):
        return ChunkOutcome({"y": self.function(**inputs)})


def indices(function, vary, samples=1024):
    result = Study(Formula(function, *vary), vary, samples, "saltelli").run(workers=1)
    return {each.name: each for each in result.summary().indices["y"]}


def test_indices_of_a_linear_model():
    """y = sum a_i x_i of independent x_i: S_i = T_i = a_i^2 Var(x_i) / Var(y)."""
    vary = {"a": Uniform(0.0, 1.0), "b": Normal(2.0, 0.5), "c": Uniform(-1.0, 1.0)}
    parts = {"a": 4.0 / 12.0, "b": 9.0 * 0.25, "c": 4.0 / 12.0}
    found = indices(lambda a, b, c: 2.0 * a + 3.0 * b - c, vary)
    for name, part in parts.items():
        want, own = part / sum(parts.values()), found[name]
        assert abs(own.first - want) < 2.0 * own.first_error + 0.01
        assert abs(own.total - want) < 2.0 * own.total_error + 0.01
        assert 0.0 < own.first_error < 0.15


def test_indices_of_ishigami():
    """Ishigami's function, whose indices are known in closed form: x3 acts through x1 alone."""
    a, b = 7.0, 0.1
    vary = {f"x{k}": Uniform(-pi, pi) for k in (1, 2, 3)}
    found = indices(lambda x1, x2, x3: np.sin(x1) + a * np.sin(x2) ** 2 + b * x3**4 * np.sin(x1), vary, 4096)
    variance = a**2 / 8 + b * pi**4 / 5 + b**2 * pi**8 / 18 + 0.5
    firsts = np.array([0.5 * (1 + b * pi**4 / 5) ** 2, a**2 / 8, 0.0]) / variance
    third = b**2 * pi**8 * (1 / 18 - 1 / 50) / variance
    totals = firsts + np.array([third, 0.0, third])
    for k, name in enumerate(vary):
        assert found[name].first == pytest.approx(firsts[k], abs=0.02)
        assert found[name].total == pytest.approx(totals[k], abs=0.02)


def test_error_bars_hold_what_they_say():
    """Over many seeds the truth lies within the interval about as often as it should."""
    inside, want = 0, 0.8
    for seed in range(40):
        study = Study(
            Formula(lambda a, b: 2.0 * a + b, "a", "b"), {"a": Uniform(0, 1), "b": Uniform(0, 1)}, 64, "saltelli", seed
        )
        own = study.run(workers=1).summary().indices["y"][0]
        inside += abs(own.total - want) <= own.total_error
    assert inside >= 30


def test_what_is_constant_or_missing_has_no_index():
    assert np.isnan(sobol_indices(("a",), np.ones(12))[0].first)
    with pytest.raises(StudyError, match="not enough samples"):
        sobol_indices(("a",), np.full(6, np.nan))
    assert np.isnan(rank_correlation(np.ones(5), np.arange(5.0)))


def test_a_gaussian_payload_against_the_normal_distribution():
    """A payload N(mu, s) is feasible up to the limit m: P = Phi((m - mu) / s), within the interval of the study."""
    base = check_base()
    limit = payload_limit(next(iter(base.programs.values())), next(iter(base.arms.values()))).found["limit"]
    mean, deviation = limit - 0.3, 0.5
    study = Study(base, {"payload": Normal(mean, deviation, least=0.0)}, samples=20_000, outputs=("feasible",))
    likely = study.run().summary().probabilities[0]
    cut = 0.5 * (1.0 + erf(-mean / deviation / sqrt(2.0)))
    want = (0.5 * (1.0 + erf(0.3 / deviation / sqrt(2.0))) - cut) / (1.0 - cut)
    assert likely.count == 20_000
    spread = sqrt(want * (1.0 - want) / likely.count)
    assert abs(likely.share - want) < 4.0 * spread
    assert likely.low < likely.share < likely.high
    assert likely.high - likely.low == pytest.approx(2.0 * 1.96 * spread, rel=0.05)


def test_the_payload_limit_of_a_planar_arm_in_closed_form():
    """At rest and without friction, motor torque is the weight times its lever over the gear: checked by hand."""
    base = check_base()
    program, arm = next(iter(base.programs.values())), next(iter(base.arms.values()))
    found = payload_limit(program, arm)
    limit = found.found["limit"]
    assert base.verdict({"payload": limit}).feasible
    assert not base.verdict({"payload": limit + 0.002}).feasible
    assert f"{limit:.3f} kg" in found.sentence
