import json

import numpy as np
import pytest

import torsor

QUICK = ("--effort", "normal")


def test_text_to_read(run):
    ran = run("derive", "planar2", "--what", "mass-matrix", "--parameters", "symbolic", *QUICK)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "planar2 mass matrix"
    count = torsor.derive(torsor.load("planar2"), "mass_matrix", parameters="symbolic", effort="normal").count()
    assert str(count) in lines
    assert any(line.strip().startswith("M11 ") for line in lines)
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")


@pytest.mark.parametrize("to", ["text", "latex", "c", "python", "json", "sympy"])
def test_every_language_has_its_counts(run, to, tmp_path):
    count = torsor.derive(torsor.load("scara"), effort="normal").count()
    ran = run("derive", "scara", "--to", to, *QUICK)
    assert (ran.code, ran.err) == (0, "")
    if to == "json":
        assert json.loads(ran.out)["counts"]["mul"] == count.mul
    elif to == "c":
        assert f"{count.mul} mul, {count.add} add" in ran.out
        assert '#include "' not in ran.out  # one text, without its header
    else:
        assert str(count) in ran.out
    file = tmp_path / "out.c"
    ran = run("derive", "scara", "--to", to, "-o", file, *QUICK)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert file.read_text()
    assert (tmp_path / "out.h").exists() == (to == "c")
    assert {path.name for path in tmp_path.iterdir()} <= {"out.c", "out.h"}  # nothing temporary is left


def test_sympy_text_is_a_program(run):
    ran = run("derive", "planar2", "--what", "mass-matrix", "--parameters", "base", "--to", "sympy", *QUICK)
    names: dict[str, object] = {}
    exec(ran.out, names)
    equations = torsor.derive(torsor.load("planar2"), "mass_matrix", parameters="base", effort="normal")
    q = np.array([0.3, -0.7])
    numbers = {names["q1"]: q[0], names["q2"]: q[1]} | {names[k]: v for k, v in equations.values.items()}
    M = np.array(names["M"].subs(numbers).evalf(), dtype=float)
    np.testing.assert_allclose(M, torsor.load("planar2").mass_matrix(q), rtol=0, atol=1e-14)


def test_formulation_and_frame_are_chosen(run):
    assert "formulation: kane" in run("derive", "planar2", "--by", "kane", *QUICK).out
    tool = run("derive", "planar3", "--what", "pose", *QUICK).out
    link = run("derive", "planar3", "--what", "pose", "--frame", "link1", *QUICK).out
    assert len(link) < len(tool)


def test_lengths_are_symbols(run):
    out = run("derive", "planar2", "--parameters", "symbolic", "--lengths", *QUICK).out
    assert "a1" in next(line for line in out.splitlines() if line.startswith("parameters:"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--what", "mas-matrix"), "there is no quantity 'mas_matrix'; did you mean 'mass_matrix'?"),
        (("--by", "kan"), "there is no formulation 'kan'; did you mean 'kane'?"),
        (("--parameters", "bas"), "there are no 'bas' parameters; did you mean 'base'?"),
        (("--by", "articulated"), "'articulated' does not compute inverse_dynamics; it is computed by newton-euler"),
        (("--what", "jacobian-inverse"), "'planar2' has 2 joints; only a Jacobian of six joints has an inverse"),
        (("--what", "energy", "--parameters", "base"), "energy is no function of base parameters; ask for"),
        (("--frame", "tol", "--what", "pose"), "arm 'planar2' has no frame 'tol'; did you mean 'tool'?"),
    ],
)
def test_mistakes_are_named(run, arguments, message):
    ran = run("derive", "planar2", *arguments, *QUICK)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(message)


def test_matlab_is_files_of_functions(run, tmp_path):
    ran = run("derive", "planar2", "--what", "gravity", "--to", "matlab", *QUICK)
    assert ran.out.startswith("function g = planar2_gravity(q)\n")
    ran = run("derive", "planar2", "--what", "gravity,pose", "--to", "matlab", "-o", tmp_path / "two", *QUICK)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert {path.name for path in (tmp_path / "two").iterdir()} == {"planar2_gravity.m", "planar2_pose.m"}
    ran = run("derive", "planar2", "--what", "gravity", "--to", "matlab", "-o", tmp_path / "x.c", *QUICK)
    assert (ran.code, ran.err.split(";")[0]) == (2, "'x.c' is no name of a MATLAB function")


def test_options_of_c_are_for_c(run):
    ran = run("derive", "planar2", "--real", "float")
    assert (ran.code, ran.err) == (2, "--real and --trig are of C, not of text; add --to c, or leave them out\n")
    ran = run("derive", "planar2", "--what", "gravity,pose", "--to", "latex")
    assert (ran.code, ran.err) == (2, "2 quantities for latex; several go together in c, matlab, python, text\n")


def test_a_language_there_is_not(run):
    ran = run("derive", "planar2", "--to", "fortran")
    assert ran.code == 2
    assert "Choose from" in ran.err


def test_a_file_that_cannot_be_written(run, tmp_path):
    for to in ("c", "latex"):
        missing = tmp_path / "nowhere" / "out.c"
        ran = run("derive", "planar2", "--to", to, "-o", missing, *QUICK)
        assert ran.code == 2
        assert "cannot write here: No such file or directory" in ran.err


def test_free_joints_or_the_opened_tree(run):
    arm = torsor.load("fourbar")
    for options, whose in (((), arm), (("--tree",), arm.tree)):
        ran = run("derive", "fourbar", "--what", "gravity", "--effort", "none", "--to", "json", *options)
        assert json.loads(ran.out)["inputs"][0]["shape"] == [whose.n]
    ran = run("derive", "fourbar", "--what", "coefficients")
    assert ran.code == 2
    assert "--tree" in ran.err
