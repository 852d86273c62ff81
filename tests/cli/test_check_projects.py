"""``torsor check`` of programs that leave things open: what is assumed is listed, and goes away where it is given."""

import json

import pytest

PROGRAM = """MODULE m
PROC main()
  MoveAbsJ [[10,20,9E9,9E9,9E9,9E9],[9E9,9E9,9E9,9E9,9E9,9E9]],vGo,fine,tool0;
  IF diMore = 1 other;
ENDPROC
PROC other()
  MoveAbsJ [[30,-20,9E9,9E9,9E9,9E9],[9E9,9E9,9E9,9E9,9E9,9E9]],v100,fine,tool0;
ENDPROC
ENDMODULE
"""
DEFINE = "PERS speeddata vGo := [200,100,5000,1000];"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "cell.mod"
    path.write_text(PROGRAM)
    return path


def document(run, *given):
    ran = run("check", *given, "--robot", "planar2", "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_what_is_assumed_is_listed_with_its_line(run, program):
    said = document(run, program)
    assert [(each["line"], each["cure"]) for each in said["assumed"]] == [
        (3, "--define 'PERS speeddata vGo := [100,500,5000,1000];'"),
        (4, "--set diMore=..."),
    ]
    assert said["verdict"].endswith("; if 2 assumptions hold")
    ran = run("check", program, "--robot", "planar2")
    assert "Assumed, as the program does not say\nline 3  vGo is defined in no file" in ran.out


def test_what_is_given_is_not_assumed(run, program, tmp_path):
    said = document(run, program, "--set", "diMore=1", "--define", DEFINE)
    assert said["assumed"] == []
    assert len(said["moves"]) == 2
    world = tmp_path / "world.toml"
    world.write_text(f"define = ['{DEFINE}']\ndiMore = 1\n")
    assert document(run, program, "--world", world)["moves"] == said["moves"]


def test_another_entry_and_more_files(run, program, tmp_path):
    assert len(document(run, program, "--entry", "other")["moves"]) == 1
    more = tmp_path / "speeds.mod"
    more.write_text(f"MODULE speeds\n{DEFINE}\nENDMODULE\n")
    assert len(document(run, program, more)["assumed"]) == 1


def test_errors_name_the_file(run, program, tmp_path):
    more = tmp_path / "bad.mod"
    more.write_text("MODULE bad\nPROC x()\n  WaitTime;\nENDPROC\nENDMODULE\n")
    ran = run("check", program, more, "--syntax-only")
    assert ran.code == 2
    assert ran.err.startswith(f"{more}:3:3: WaitTime takes 1 value, not 0")


MAIN = """MODULE main_m
PROC main()
  MoveAbsJ [[10,20,9E9,9E9,9E9,9E9],[9E9,9E9,9E9,9E9,9E9,9E9]],v100,fine,tool0;
  other;
ENDPROC
ENDMODULE
"""
OTHER = """MODULE other_m
! a comment that stays
PROC other()
  MoveAbsJ [[30,-20,9E9,9E9,9E9,9E9],[9E9,9E9,9E9,9E9,9E9,9E9]],v50,fine,tool0;
ENDPROC
ENDMODULE
"""


def test_a_project_made_fastest_is_written_file_by_file(run, tmp_path):
    """Each under its own name in a folder, which reads back as what was said."""
    folder = tmp_path / "cell"
    (folder / "sub").mkdir(parents=True)
    (folder / "main.mod").write_text(MAIN)
    (folder / "sub" / "other.mod").write_text(OTHER)
    fast = tmp_path / "fast" / "deep"
    ran = run("check", folder, "--robot", "planar2", "--fastest", "-o", fast)
    assert ran.code == 0, ran.err
    assert "0 % of" not in ran.out  # nothing is known of its limits
    assert f"--- {folder / 'sub' / 'other.mod'}\n" in ran.out
    assert sorted(str(path.relative_to(fast)) for path in fast.rglob("*.mod")) == ["main.mod", "sub/other.mod"]
    assert "! a comment that stays" in (fast / "sub" / "other.mod").read_text()
    said = document(run, folder, "--fastest")
    again = document(run, fast)
    assert again["time"] == said["time"] < document(run, folder)["time"]
    assert [move["duration"] for move in again["moves"]] == [move["duration"] for move in said["moves"]]


def test_one_file_is_not_enough_for_several(run, tmp_path):
    (tmp_path / "main.mod").write_text(MAIN)
    (tmp_path / "other.mod").write_text(OTHER)
    output = tmp_path / "fast.mod"
    given = tmp_path / "main.mod", tmp_path / "other.mod"
    ran = run("check", *given, "--robot", "planar2", "--fastest", "-o", output)
    assert ran.code == 2
    assert f"-o {output} is one file, and the program is of 2; -o FOLDER" in ran.err.replace("\n", " ")
    assert not output.exists()
