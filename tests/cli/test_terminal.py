"""Whatever stands in names, files and arguments, the terminal shows it and does not obey it."""

import json
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from torsor.model.armfile import parse_arm_file
from torsor.model.mjcf_writer import write_mjcf
from torsor.model.urdf import parse_urdf
from torsor.model.urdf_writer import write_urdf

EXAMPLES = Path(__file__).parents[2] / "examples"
ESCAPES = ("\x1b[31mred", "\x9b2J", "bell\x07", "back\x08", "\u202eturned", "\x7f")
ARM = 'name = "x"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\nmass = 1\ncom = [0.1, 0, 0]\n'


def harmless(*texts):
    return all(c.isprintable() or c == "\n" for text in texts for c in text)


@pytest.mark.parametrize("sly", ESCAPES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("{}",),
        ("show", "{}"),
        ("show", "{}.toml"),
        ("check", "{}.irl"),
        ("show", "rl15", "--{}"),
        ("derive", "planar2", "--what", "{}"),
        ("bench", "--robots", "{}"),
    ],
)
def test_arguments_do_not_steer_the_terminal(run, sly, arguments):
    ran = run(*(word.format(sly) for word in arguments))
    assert ran.code == 2
    assert harmless(ran.out, ran.err)


@pytest.mark.parametrize("sly", ESCAPES)
def test_texts_of_files_do_not_steer_the_terminal(run, tmp_path, sly):
    folder = tmp_path / sly
    folder.mkdir()
    code = "".join(f"\\u{ord(c):04x}" for c in sly)
    arm, program = folder / "a.toml", folder / f"{sly}.irl"
    arm.write_text(f'source = "{code}"\ncorrections = ["{code}"]\n{ARM}')
    program.write_text((EXAMPLES / "programs" / "rl15_tour.irl").read_text().replace("seq", f"seq ! {sly}", 1))
    wrong = folder / "wrong.toml"
    wrong.write_text(ARM + f'"{code}" = 1\n')
    for arguments in (
        ("show", arm),
        ("show", arm, "--json"),
        ("export", arm, "--to", "urdf"),
        ("export", arm, "--to", "mjcf"),
        ("show", wrong),
        ("check", program, "--syntax-only"),
        ("check", program, "--syntax-only", "--json"),
    ):
        ran = run(*arguments)
        assert ran.code in (0, 2), ran.err
        assert harmless(ran.out, ran.err), arguments
    assert json.loads(run("show", arm, "--json").out)["source"] == sly


def test_written_files_are_xml_whatever_the_texts_say():
    model = parse_arm_file('source = "a \\u001b[31m -- b"\n' + ARM)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert parse_urdf(write_urdf(model)).source == r"a \x1b[31m - - b"
        assert r"a \x1b[31m - - b" in write_mjcf(model)


def test_titles_of_tables_are_no_formulas(run, tmp_path):
    """A spreadsheet would run =cmd|..., +1, -1 and @sum."""
    arm, program = tmp_path / "a.toml", tmp_path / "p.v2"
    names = ["=1+cmd", "+2", "-3", '@a,"b']
    links = "".join(
        f"[[link]]\njoint = 'revolute'\njoint_name = '{name}'\na = 0.3\nmass = 1\ncom = [-0.1, 0, 0]\n"
        for name in names
    )
    arm.write_text(f"name = 'x'\nframes = 'standard-dh'\n{links}")
    program.write_text(".PROGRAM main\nMOVE #PPOINT(10, 20, 30, 40)\n.END\n")
    table = tmp_path / "p.csv"
    ran = run("check", program, "--robot", arm, "--csv", table)
    assert ran.code in (0, 1), ran.err
    scenario, run_table = tmp_path / "s.toml", tmp_path / "s.csv"
    scenario.write_text(
        "name = 's'\narm = 'a.toml'\nduration = 0.01\nstart = { q = [0, 0, 0, 0] }\n"
        "law = { kind = 'pd-gravity', Kp = 1, Kd = 1 }\nreference = { kind = 'point', q = [0, 0, 0, 0] }\n"
    )
    assert run("simulate", scenario, "--csv", run_table).code == 0
    for file, joint in ((table, '@a,"b.q'), (run_table, 'q_@a,"b')):
        head = _first_row(file)
        assert not [title for title in head if re.match(r"[=+\-@\t\r]", title)]
        assert any(joint in title for title in head)
        assert len(np.genfromtxt(file, delimiter=",", skip_header=1)[0]) == len(head)


def _first_row(file):
    import csv

    with file.open(newline="") as stream:
        return next(csv.reader(stream))


def test_names_that_are_no_utf8(run, tmp_path):
    """Linux lets a file have any bytes but / and 0 in its name."""
    place = tmp_path / os.fsdecode(b"caf\xe9")
    place.mkdir()
    arm, program, scenario = place / os.fsdecode(b"\xff.toml"), place / os.fsdecode(b"\xfe.irl"), place / "s.toml"
    arm.write_text(ARM + "inertia = [0.1, 0.1, 0.1]\n")
    program.write_text((EXAMPLES / "programs" / "rl15_tour.irl").read_text())
    scenario.write_text(
        "name = 's'\narm = 'planar2'\nduration = 0.01\nstart = { q = [0, 0] }\n"
        "law = { kind = 'pd-gravity', Kp = 1, Kd = 1 }\nreference = { kind = 'point', q = [0, 0] }\n"
    )
    new = lambda suffix: place / os.fsdecode(b"new\xfd" + suffix)  # noqa: E731
    for arguments in (
        ("show", arm, "--json"),
        ("export", arm, "--to", "urdf", "-o", new(b".urdf")),
        ("derive", arm, "--to", "c", "--what", "gravity", "-o", new(b".c")),
        ("check", program, "--robot", "rl15", "--report", new(b".html"), "--csv", new(b".csv"), "--json"),
        ("simulate", scenario, "--csv", new(b"s.csv"), "--json"),
    ):
        ran = run(*arguments)
        assert (ran.code, ran.err) == (0, ""), arguments
        if "--json" in arguments:
            json.loads(ran.out)
    assert len(os.listdir(place)) == 9
    missing = run("show", place / "missing.toml")
    assert missing.code == 2
    assert "caf\\udce9" in missing.err


def test_numbers_that_are_none_do_not_warn_in_the_middle_of_the_output(run, monkeypatch):
    def computing(*_, **__):
        np.log(np.zeros(2))
        np.array([1e308]) * 10
        return ()

    monkeypatch.setattr("torsor.loading.robots", computing)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        ran = run("robots")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(("kind", "said"), [
    (RecursionError, "what was given is nested too deep to be understood"),
    (MemoryError, "there is not enough memory for this"),
])  # fmt: skip
def test_what_is_too_much_is_no_bug(run, monkeypatch, kind, said):
    def too_much():
        raise kind

    monkeypatch.setattr("torsor.loading.robots", too_much)
    ran = run("robots")
    assert ran.code == 2
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1
