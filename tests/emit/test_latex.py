"""LaTeX: balanced, within the page by our own reckoning, and compiled where pdflatex is installed."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from emit_oracle import tapes
from equation_tapes import coefficients, inverse_dynamics, symbolic_inverse_dynamics
from hypothesis import given, settings

from torsor.algebra import parameter, symbols, tape_from
from torsor.algebra.operations import OPERATIONS
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.equations import STYLES, readable
from torsor.emit.formula import Symbol
from torsor.emit.latex import PAGE, escaped, number_latex, symbol_latex, to_latex, width_of

HOSTILE = ["a_b", "50%", r"\input{/etc/passwd}", "$x$", "{", "}}", "é#~^", "δ & 三", "x\n\\bye", '"<|>"', "", "m" * 90]


def balanced(text):
    """Braces and environments close in the order they open, and dollars come in pairs, comments and escapes apart."""
    text = re.sub(r"(?m)^%.*$", "", text)
    text = re.sub(r"\\[\\{}%$#&_]", "", text)
    assert text.count("$") % 2 == 0
    open_ = []
    for begin, end, brace in re.findall(r"\\begin\{([\w*]+)\}|\\end\{([\w*]+)\}|([{}])", text):
        if begin or brace == "{":
            open_.append(begin or "{")
        else:
            assert open_.pop() == (end or "{")
    assert not open_


def compiled(text, folder):
    """Whether TeX is content, no line leaving the page; where there is no TeX only ``balanced`` has looked."""
    balanced(text)
    if shutil.which("pdflatex") is None:
        return
    (folder / "sheet.tex").write_text(text, encoding="ascii")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "sheet.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    assert "Overfull" not in run.stdout, run.stdout[-2000:]


ARMS = {
    "planar2": lambda: inverse_dynamics("planar2"),
    "puma560-burdick": lambda: inverse_dynamics("puma560-burdick"),
    "puma560-burdick symbolic": lambda: symbolic_inverse_dynamics("puma560-burdick"),
    "puma560-burdick coefficients": lambda: coefficients("puma560-burdick", symbolic=True),
    "panda": lambda: inverse_dynamics("panda"),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ARMS)
def test_arms_compile(name, style, tmp_path):
    sheet = readable(ARMS[name](), style=style, robot=name, formulation="newton-euler", version="0.1")
    compiled(to_latex(sheet), tmp_path)
    balanced(to_latex(sheet, document=False))


@settings(max_examples=60, deadline=None)
@given(tapes())
def test_random_tapes_are_balanced(tape):
    for style in STYLES:
        balanced(to_latex(readable(tape, style=style)))


def test_every_operation_compiles(tmp_path):
    code = [Instruction("input", (), float(k)) for k in range(3)]
    code += [Instruction(op, tuple(range(row.arity))) for op, row in OPERATIONS.items() if row.arity]
    code.append(Instruction("const", (), float("nan")))
    code.append(Instruction("const", (), float("inf")))
    code.append(Instruction("select", (code.index(Instruction("lt", (0, 1))), 0, 1)))
    size = len(code) - 3
    tape = Tape("all", (Array("x", (3,)),), (Array("y", (size,)),), tuple(code), tuple(range(3, len(code))))
    text = to_latex(readable(tape))
    compiled(text, tmp_path)
    for word in (
        r"\frac{x_{1}}{x_{2}}",
        r"\sqrt{x_{1}}",
        r"\begin{cases}",
        r"\operatorname{atan2}(",
        r"\infty",
        "[x_{1} < x_{2}]",
    ):
        assert word in text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_compile(name, tmp_path):
    p, x = parameter("p"), symbols("x", 2)
    made = tape_from("f", {"p": p, "x": x}, {"y": p * np.sin(x), "z": x * p})
    inputs, outputs = (Array(name, ()), Array(f"{name}!", (2,))), (Array(name, (2,)), Array("z", (2,)))
    tape = Tape(name, inputs, outputs, made.code, made.results, (name,))
    sheet = readable(tape, title=name, robot=name, formulation=name, version=name)
    compiled(to_latex(sheet), tmp_path)


def test_long_sums_are_broken(tmp_path):
    x = symbols("x", 40)
    total = sum((k + 0.1234567890123) * each for k, each in enumerate(x))
    nested = (total * total + 1) / (total - 3)
    text = to_latex(readable(tape_from("long", {"x": x}, {"y": total, "z": nested})))
    compiled(text, tmp_path)
    rows = text.split(r"\begin{align*}")[1].split(r"\end{align*}")[0].split("\\\\\n")
    assert len(rows) > 3
    assert all(width_of(row.replace("&", "").replace("{}", "")) < PAGE + 15.0 for row in rows)
    assert all(re.match(r"\s*&\\quad \{\} [+-]", row) for row in rows[1:] if "&=" not in row)


def test_document_says_what_it_is():
    sheet = readable(inverse_dynamics("planar2"), robot="planar2", formulation="newton-euler", version="1.2.3")
    text = to_latex(sheet)
    head = text.splitlines()[:4]
    assert head == [
        "% planar2 inverse dynamics: generated by torsor 1.2.3. Do not edit.",
        "% robot: planar2",
        "% formulation: newton-euler",
        "% operations: 13 M, 10 A, 4 trig",
    ]
    assert r"\section*{planar2 inverse dynamics}" in text
    assert text.endswith("\\end{document}\n")
    part = to_latex(sheet, document=False)
    assert r"\documentclass" not in part
    assert part.splitlines()[:4] == head


def test_planar2_results():
    part = to_latex(readable(inverse_dynamics("planar2")), document=False)
    assert r"\tau_{2} &= \frac{1}{3}\,V_{1} - 0.5\,[s_{2}\,(9.81\,s_{1} - \dot q_{1}^{2})" in part
    assert r"c_{2} &= \cos q_{2}" in part
    assert r"V_{1} &= \ddot q_{1} + \ddot q_{2}" in part


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (2.0, "2"),
        (0.5, "0.5"),
        (0.001, "0.001"),
        (1.5e-3, "0.0015"),
        (1.5e-4, r"1.5\cdot10^{-4}"),
        (1.5e-5, r"1.5\cdot10^{-5}"),
        (1e-7, "10^{-7}"),
        (123456.0, "123456"),
        (1e22, "10^{22}"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_numbers(value, wanted):
    assert number_latex(value) == wanted


@pytest.mark.parametrize("value", [0.00052, 1.9999999999999998e-05, 3e-300, 1.7e300, 0.0009999, 1e-3, 12345678.9, 1e6])
def test_numbers_read_back(value):
    mantissa, _, power = number_latex(value).partition(r"\cdot10^{")
    assert float(f"{mantissa}e{power.rstrip('}') or 0}") == value


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("m2", "m_{2}"),
        ("rx2", "r_{x2}"),
        ("Ixy3", "I_{xy3}"),
        ("g", "g"),
        ("alpha2", r"\alpha_{2}"),
        ("lambda", r"\lambda"),
        ("mass2", r"\mathit{mass}_{2}"),
        ("a_b", r"\text{a\_b}"),
    ],
)
def test_parameters(name, wanted):
    assert symbol_latex(Symbol("x", name)) == wanted


def test_indices():
    assert symbol_latex(Symbol("M1_12", "M", (1, 12), "result")) == r"M_{1,\,12}"
    assert symbol_latex(Symbol("s1m2", "s", (1, -2), "trig")) == "s_{1-2}"
    assert symbol_latex(Symbol("c2pp", "c", (2,), "trig", "", 2)) == "c_{2}''"
    assert symbol_latex(Symbol("qdd1", "qdd", (1,), "input")) == r"\ddot q_{1}"


def test_nothing_of_text_is_a_command():
    assert escaped("\\bye{}") == r"\textbackslash{}bye\{\}"
