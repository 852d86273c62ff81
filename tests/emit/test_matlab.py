"""MATLAB functions, run in Octave where it is installed: equal to the arm's methods, with drives, loops, parameters."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import numpy as np
import pytest
from emit_oracle import check, states, tapes
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import torsor
from c_running import closing_states
from outside_programs import require
from random_arms import random_state
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.code_function import CodeAbout, CodeFunction
from torsor.emit.matlab import remark, to_matlab
from torsor.errors import Unsupported
from torsor.mechanics.quantities import QUANTITIES

load = cache(torsor.load)
WANTED = ["inverse_dynamics", "gravity", "mass_matrix"]


def octave(folder, *lines: str) -> str:
    require("octave-cli")
    script = folder / "run_it.m"
    script.write_text("\n".join(lines) + "\n")
    command = ["octave-cli", "--no-init-file", "--quiet", str(script)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Calls:
    """Calls of generated functions, run together in one Octave."""

    def __init__(self, folder) -> None:
        self.folder, self.lines, self.shapes = folder, ["warning('off', 'all');"], []

    def add(self, text: str, inputs: dict[str, np.ndarray], output: str, shape: tuple[int, ...], rows: int) -> None:
        """``inputs`` are (rows, n); ``output`` is (rows, *shape) then."""
        number = len(self.shapes)
        for name, array in inputs.items():
            np.savetxt(self.folder / f"{name}_{number}.txt", np.atleast_2d(array.T), fmt="%.17g")
            self.lines.append(f"{name} = dlmread('{name}_{number}.txt');")
        self.lines += [text, f"fid = fopen('out_{number}.txt', 'w');"]
        self.lines += [f"fprintf(fid, '%.17g\\n', {output}); fclose(fid);"]
        self.shapes.append((shape, rows))

    def run(self) -> list[np.ndarray]:
        octave(self.folder, *self.lines)
        found = []
        for number, (shape, rows) in enumerate(self.shapes):
            flat = np.loadtxt(self.folder / f"out_{number}.txt")
            found.append(np.moveaxis(flat.reshape((*shape, rows), order="F"), -1, 0))
        return found


def relative(found, right):
    return np.abs(found - right).max() / max(1.0, np.abs(right).max())


@pytest.mark.slow
def test_equal_to_the_arm(tmp_path):
    """ur5 as numbers, scara with parameters, rl15 with drives, asea-irb and delta with loops: 1,000 states each."""
    calls, right = Calls(tmp_path), []
    arm = load("ur5")
    q, qd, qdd = random_state(6, 0, (1000,))
    torsor.derive(arm, WANTED, effort="normal").matlab_files("ur5").write(tmp_path)
    for quantity in WANTED:
        given_ = dict(zip(("q", "qd", "qdd"), (q, qd, qdd)[: len(QUANTITIES[quantity].states)], strict=False))
        want = getattr(arm, quantity)(*given_.values())
        calls.add(f"y = ur5_{quantity}({', '.join(given_)});", given_, "y", want.shape[1:], 1000)
        right.append(want)

    arm = load("scara")
    q4, qd4, qdd4 = random_state(4, 1, (1000,))
    symbolic = torsor.derive(arm, "inverse_dynamics", parameters="symbolic", payload=True, effort="normal")
    symbolic.to_matlab(tmp_path / "scara_id.m")
    setting = "p = scara_id_parameters(); p.mp = 1.5; p.rzp = 0.05; p = scara_id_parameters(p);"
    calls.add(f"{setting} y = scara_id(p, q, qd, qdd);", {"q": q4, "qd": qd4, "qdd": qdd4}, "y", (4,), 1000)
    right.append(arm.with_payload(1.5, [0, 0, 0.05]).inverse_dynamics(q4, qd4, qdd4))

    arm = load("rl15")
    torsor.derive(arm, "inverse_dynamics", drives=True, effort="normal").to_matlab(tmp_path / "lola.m")
    calls.add("y = lola(q, qd, qdd);", {"q": q, "qd": qd, "qdd": qdd}, "y", (6,), 1000)
    right.append(arm.drives.torques(q, qd, qdd))

    arm = load("asea-irb")
    at = closing_states(arm, 1000, 0.25)[0]
    torsor.derive(arm, "inverse_dynamics", effort="normal").to_matlab(tmp_path / "asea.m")
    calls.add("y = asea(q, qd, qdd);", {"q": at, "qd": qd, "qdd": qdd}, "y", (6,), 1000)
    right.append(arm.inverse_dynamics(at, qd, qdd))

    arm = load("delta")
    start = arm.closure.free_of(arm.closure.reference)
    near = start + np.random.default_rng(3).uniform(-0.1, 0.1, (1000, 3))
    guess = np.broadcast_to(arm.closure.guess(start), (1000, 3))
    torsor.derive(arm, "gravity", effort="normal").to_matlab(tmp_path / "delta.m")
    calls.add("[y, guess, gap] = delta(q, guess);", {"q": near, "guess": guess}, "[y; guess; gap]", (7,), 1000)
    right.append(np.hstack([arm.gravity(near), arm.closure.guess(near), np.zeros((1000, 1))]))

    for found, want in zip(calls.run(), right, strict=True):
        assert relative(found, want) < 1e-12
    files = sorted(
        path.name for path in tmp_path.glob("*.m") if path.name != "run_it.m" and "parameters" not in path.name
    )
    # what stands at the end of each file runs, and fails where the file is wrong
    said = octave(tmp_path, *(f"disp(test('{name}', 'quiet'));" for name in files))
    assert said.split() == ["1"] * len(files)
    wrong = (tmp_path / "asea.m").read_text()
    (tmp_path / "asea.m").write_text(wrong.replace("tau(1, :) = ", "tau(1, :) = 1e-3 + "))
    assert octave(tmp_path, "disp(test('asea.m', 'quiet', '/dev/null'));").split()[-1] == "0"


@pytest.mark.slow
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.lists(tapes(longest=25), min_size=6, max_size=10), st.integers(0, 99))
def test_random_tapes(tmp_path_factory, many, seed):
    """Every operation with its NaN, many tapes in one Octave."""
    require("octave-cli")
    folder = tmp_path_factory.mktemp("m")
    calls, arrays = Calls(folder), []
    for number, tape in enumerate(many):
        to_matlab(f"f{number}", [CodeFunction(tape)], CodeAbout()).write(folder)
        arrays.append(states(tape, 4, seed + number))
        named = {f"x{k}": each.reshape(4, -1) for k, each in enumerate(arrays[-1])}
        outs = [f"y{k}" for k in range(len(tape.outputs))]
        size = sum(a.size for a in tape.outputs)
        stacked = "; ".join(f"reshape({out}, {array.size}, 4)" for out, array in zip(outs, tape.outputs, strict=True))
        calls.add(f"[{', '.join(outs)}] = f{number}({', '.join(named)});", named, f"[{stacked}]", (size,), 4)
    for tape, given_, found in zip(many, arrays, calls.run(), strict=True):
        parts = np.split(found, np.cumsum([a.size for a in tape.outputs])[:-1], axis=1)
        # MATLAB counts columns first
        shaped = tuple(
            part.reshape((4, *a.shape), order="C") if len(a.shape) < 2 else
            np.moveaxis(part.T.reshape((*a.shape, 4), order="F"), -1, 0)
            for part, a in zip(parts, tape.outputs, strict=True)
        )  # fmt: skip
        check(tape, given_, shaped)


HOSTILE = ["'; system('true'); %", "new\nline", "%! exit(1)", "end", "t1", "", "été", "a" * 500, "p", "K"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text):
    code = (Instruction("input", (), 0.0), Instruction("input", (), 1.0), Instruction("add", (0, 1)))
    tape = Tape(text, (Array(text, (1,)), Array(text + "0", ())), (Array("y", ()),), code, (2,))
    about = CodeAbout(robot=text, version=text, facts=[(text, text)])
    files = to_matlab(text, [CodeFunction(tape, formulation=text, units={text: text})], about)
    for name, made in files.texts.items():
        assert re.fullmatch(r"[A-Za-z]\w*\.m", name)
        body = made.split("%!test")[0]
        code_lines = [line for line in body.splitlines() if not line.startswith("%")]
        assert all(re.fullmatch(r"[\w ,.;:=()\[\]*+~-]*", line) for line in code_lines), code_lines
        assert made.isascii()
    assert "\n" not in remark(text)


def test_names_of_files(tmp_path):
    arm = load("planar2")
    with pytest.raises(Unsupported, match=r"'2dof.m' is no name of a MATLAB function"):
        torsor.derive(arm, "gravity", effort="none").to_matlab(tmp_path / "2dof.m")
    with pytest.raises(Unsupported, match=r"2 functions in 'two.m'; name a folder"):
        torsor.derive(arm, ["gravity", "pose"], effort="none").to_matlab(tmp_path / "two.m")
    torsor.derive(arm, ["gravity", "pose"], effort="none").to_matlab(tmp_path / "two")
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["planar2_gravity.m", "planar2_pose.m"]
