"""``torsor check``: exit codes, one JSON document, errors with their place, files that appear whole."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "programs"
TOUR = PROGRAMS / "rl15_tour.irl"
TORSOR = [sys.executable, "-c", "import sys; from torsor.cli import main; sys.exit(main())"]
FORCE = ("--force", "-100", "-100", "-150")
SLOW = """program slow;
seq
  move ptp joint(mainjoint(10, 20, 30)) speed_ptp=0.5;
  move ptp joint(mainjoint(0, 0, 0)) speed_ptp=0.5 acc_ptp=0.5;
endseq
endprogram
"""


@pytest.fixture
def slow(tmp_path):
    path = tmp_path / "slow.irl"
    path.write_text(SLOW)
    return path


def test_yes_is_exit_0_and_the_sentence_comes_first(run):
    ran = run("check", TOUR, "--robot", "rl15", *FORCE)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("yes  rl15 can do Lola15DD: 12 moves in ")
    assert "Problems" not in ran.out


def test_no_is_exit_1_and_says_what_to_change(run):
    ran = run("check", TOUR, "--robot", "rl15", *FORCE, "--times-acceleration", "3")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("no  rl15 cannot do Lola15DD at 3 times the acceleration: motor3 is asked for\n")
    assert "Where motors cannot follow" in ran.out
    assert "What to change" in ran.out


@pytest.mark.parametrize("width", [80, 100, 140])
def test_tables_line_up(run, width):
    ran = run("check", TOUR, "--robot", "rl15", *FORCE, "--times-acceleration", "3", width=width)
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= width
    for title in ("Moves", "Motors", "Where motors cannot follow"):
        at = next(k for k, line in enumerate(lines) if line.startswith(title))
        head, rule, *body = lines[at + 1 :]
        rows = body[: body.index("")]
        assert set(rule) == {"─"}
        assert len(rows) >= 1
        ends = {len(row) for row in rows} | {len(head)}
        assert len(ends) == 1  # the last column is of numbers, so all rows end where their title does


def test_json_is_one_document_and_nothing_else(run):
    ran = run("check", TOUR, "--robot", "rl15", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert set(found) == {
        "answer",
        "feasible",
        "verdict",
        "program",
        "robot",
        "checked_with",
        "dt",
        "time",
        "cycle_time",
        "motions",
        "joints",
        "motors",
        "limits_known",
        "limits_unknown",
        "clearance",
        "energy",
        "peak_power",
        "final_lag",
        "moves",
        "problems",
        "advice",
        "remedies",
        "assumed",
        "notes",
        "endless",
        "rewritten",
    }
    assert found["program"] == {"name": "Lola15DD", "file": str(TOUR), "language": "L-IRL"}
    move = found["moves"][0]
    assert {"line", "column", "kind", "target", "start", "duration", "feasible", "torque", "rms_share"} <= set(move)
    assert len(move["torque"]["share"]) == len(found["motors"]) == 6
    assert {"force", "moment"} == set(move["bearings"]["joint1"])
    assert found["time"] == pytest.approx(sum(each["duration"] for each in found["moves"]))


def test_an_infeasible_json_has_problems_and_advice(run):
    ran = run("check", TOUR, "--robot", "rl15", *FORCE, "--times-acceleration", "3", "--json")
    found = json.loads(ran.out)
    assert ran.code == 1
    said = {"kind", "who", "share", "time", "seconds", "move", "file", "line", "column", "text"}
    assert said == set(found["problems"][0])
    assert found["advice"]["changes"][0].keys() == {"line", "speed", "acceleration"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("program x;\nseq\nmove ptp nowhere;\nendseq\nendprogram\n", "bad.irl:3:10: "),
        ("program x;\nseq\nmove wobbly p;\nendseq\nendprogram\n", "bad.irl:3:"),
    ],
)
def test_bad_programs_are_exit_2_with_their_place(run, tmp_path, text, message):
    path = tmp_path / "bad.irl"
    path.write_text(text)
    for arguments in (("--robot", "rl15"), ("--syntax-only",)):
        ran = run("check", path, *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((TOUR,), "no robot is given; --robot rl15"),
        ((TOUR, "--robot", "rl16"), "no robot 'rl16'; did you mean 'rl15'?"),
        (("nothing.irl", "--robot", "rl15"), "nothing.irl: cannot read the program: No such file or directory"),
        ((TOUR, "--robot", "rl15", "--dt", "0"), 'Invalid value "0.0" for --dt. Give 1e-06 to 0.25 s; see'),
        ((TOUR, "--robot", "rl15", "--dt", "1e-300"), 'Invalid value "1e-300" for --dt. Give 1e-06 to 0.25 s; see'),
        ((TOUR, "--robot", "rl15", "--payload=-1"), "--payload -1: give 0 to 1e+06 kg"),
        ((TOUR, "--robot", "rl15", "--payload", "1e308"), "--payload 1e+308: give 0 to 1e+06 kg"),
        ((TOUR, "--robot", "rl15", "--force", "nan", "0", "0"), "for --force. Give -1e+09 to 1e+09 N; see"),
        ((TOUR, "--robot", "rl15", "--force", "0", "0", "-inf"), "for --force. Give -1e+09 to 1e+09 N; see"),
        ((TOUR, "--robot", "rl15", "--times-speed", "1e300"), "for --times-speed. Give 1e-06 to 1e+06; see"),
        ((TOUR, "--robot", "rl15", "--times-acceleration", "1e-300"), "for --times-acceleration. Give 1e-06 to 1e+06"),
        ((TOUR, "--robot", "rl15", "--timing", "fast"), 'Invalid value "fast" for --timing'),
        ((TOUR, "--robot", "rl15", "--overlap"), "overlap belongs to Paul's timing"),
        ((TOUR, "--robot", "rl15", "-o", "new.irl"), "-o is for the program that --fastest rewrites"),
        ((TOUR, "--robot", "rl15", "--report", "no/such/folder/r.html"), "cannot write here"),
        ((TOUR, "--robot", "rl15", "--csv", "no/such/folder/r.csv"), "cannot write here"),
        ((TOUR, "\0", "--robot", "rl15"), "cannot read the program: embedded null byte"),
        ((TOUR, "--robot", "rl15", "--world", "\0"), "cannot read the file: embedded null byte"),
        ((TOUR, "--robot", "rl15", "--world", "/dev/zero"), "/dev/zero: the file does not end; worlds are read up to"),
        ((TOUR, "--robot", "rl15", "--cell", "a\0.toml"), "cannot read the file: embedded null byte"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, arguments, message):
    ran = run("check", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_help_has_an_example(run):
    ran = run("check", "--help")
    assert (ran.code, ran.err) == (0, "")
    assert "Example: torsor check examples/programs/rl15_tour.irl --robot rl15" in ran.out


def test_syntax_only_needs_no_robot(run, slow):
    ran = run("check", slow, "--syntax-only")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "yes  slow is a program in L-IRL without errors\n"
    found = json.loads(run("check", slow, "--syntax-only", "--json").out)
    assert found == {"file": str(slow), "name": "slow", "language": "L-IRL", "diagnostics": []}


def test_files_are_written(run, slow, tmp_path):
    page, table = tmp_path / "r.html", tmp_path / "s.csv"
    ran = run("check", slow, "--robot", "rl15", "--report", page, "--csv", table, "--dt", "0.02")
    assert ran.code == 0
    printed = "".join(ran.out.split())  # a long path is wrapped
    assert str(page) in printed
    assert str(table) in printed
    assert page.read_text().startswith("<!doctype html>")
    with table.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert float(rows[1]["time"]) == pytest.approx(0.02)
    assert {row["line"] for row in rows} == {"3", "4"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.html", "s.csv", "slow.irl"]


def test_two_programs_are_compared_in_the_report(run, slow, tmp_path):
    other, page = tmp_path / "other.irl", tmp_path / "r.html"
    other.write_text(slow.read_text().replace("slow", "other"))
    ran = run("check", slow, "--robot", "rl15", "--report", page, "--compare", other)
    assert ran.code == 0
    drawn = json.loads(page.read_text().partition('id="torsor">')[2].partition("</script>")[0])
    assert drawn["compared"]["labels"] == ["slow", "other"]
    assert all(len(panel["series"]) == 2 for group in drawn["groups"] for panel in group["panels"])
    without = run("check", slow, "--robot", "rl15", "--compare", other)
    assert (without.code, without.out) == (2, "")
    assert "--report" in without.err


def test_fastest_prints_the_changed_lines_and_writes_what_it_says(run, slow, tmp_path):
    """Whatever factor was asked for: the file takes as long as was said."""
    new = tmp_path / "new.irl"
    options = ("--robot", "rl15", "--times-acceleration", "8", "--times-speed", "1.5")
    ran = run("check", slow, *options, "--fastest", "-o", new)
    assert ran.code == 0
    assert "\n-  move ptp joint(mainjoint(0, 0, 0)) speed_ptp=0.5 acc_ptp=0.5;\n" in ran.out
    assert "acc_ptp=1;\n" in ran.out.partition("\n+  move")[2]  # no more than all of the joints' limits
    said = re.search(r"in (\d+\.\d+) s", ran.out)[1]
    again = run("check", new, "--robot", "rl15")
    assert again.code == 0
    assert f"in {said} s" in again.out
    found = json.loads(run("check", slow, *options, "--fastest", "--json").out)
    assert found["feasible"]
    assert found["rewritten"].startswith("--- ")
    assert found["checked_with"]["times_acceleration"] == 1.0


def test_fastest_on_a_feasible_program(run, slow, tmp_path):
    before = run("check", slow, "--robot", "rl15")
    ran = run("check", slow, "--robot", "rl15", "--fastest", "-o", tmp_path / "new.irl")
    assert ran.code == 0
    assert "\n+  move ptp joint(mainjoint(0, 0, 0)) speed_ptp=" in ran.out
    times = [float(re.search(r"in (\d+\.\d+) s", each.out)[1]) for each in (before, ran)]
    assert times[1] < times[0]
    assert "What holds it back" in ran.out
    again = run("check", tmp_path / "new.irl", "--robot", "rl15", "--fastest")
    assert "nothing: it is as fast as limits allow" in again.out
    assert run("check", slow, "--robot", "rl15", "--keep-tool-speeds").code == 2


def test_several_answers_side_by_side(run, slow, tmp_path):
    page = tmp_path / "all.html"
    ran = run("check", slow, "--robot", "rl15", "--payload", "0", "5", "400", "--report", page)
    assert ran.code == 1
    assert ran.out.startswith("no  2 of 3 are feasible\n")
    assert [line.split()[:2] for line in ran.out.splitlines() if re.match(r" +\d+  (yes|no) ", line)] == [
        ["0", "yes"], ["5", "yes"], ["400", "no"],
    ]  # fmt: skip
    assert "What to change" in page.read_text()
    found = json.loads(run("check", "--robot", "rl15", "--payload", "0", "5", slow, "--json").out)  # in any order
    assert [(each["payload"], each["feasible"]) for each in found["answers"]] == [(0.0, True), (5.0, True)]
    other = tmp_path / "other.irl"
    other.write_text(slow.read_text().replace("slow", "other"))
    found = json.loads(run("check", "--robot", "rl15", "irb140", slow, other, "--json").out)
    assert [(each["program"], each["robot"]) for each in found["answers"]] == [
        ("slow", "rl15"), ("slow", "irb140"), ("other", "rl15"), ("other", "irb140"),
    ]  # fmt: skip
    for options, said in (
        (("--payload", "1", "2", "--fastest"), "--fastest is for one answer"),
        (("--payload", "1", "x"), "--payload 'x' is no number"),
        (("--payload=-1",), "--payload -1: give"),
    ):
        wrong = run("check", slow, "--robot", "rl15", *options)
        assert (wrong.code, said in wrong.err) == (2, True), wrong.err
    assert "no program is given" in run("check", "--robot", "rl15").err
    for arm in ("rl15", "cell/arm.urdf"):
        swapped = run("check", arm, slow)
        assert swapped.err == f"{arm} is an arm, not a program; torsor check PROGRAM --robot {arm}\n"


def test_a_program_cannot_steer_the_terminal(run, tmp_path):
    path = tmp_path / "escape.irl"
    path.write_text(SLOW.replace("speed_ptp=0.5;", "speed_ptp=0.5; { \x1b[31mred\x1b[0m }"))
    options = ("--robot", "rl15", "--times-acceleration", "8", "--times-speed", "3", "--fastest")
    ran = run("check", path, *options)
    assert "\x1b" not in ran.out + ran.err


def test_simasea(run):
    ran = run("check", PROGRAMS / "simasea.v2", "--robot", "asea-irb", "--json")
    assert json.loads(ran.out)["time"] == pytest.approx(53.0)
    ran = run("check", PROGRAMS / "simasea.v2", "--robot", "asea-irb", "--overlap", "--json")
    assert json.loads(ran.out)["time"] == pytest.approx(51.5)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk(slow):
    with open("/dev/full", "w") as full:
        command = [*TORSOR, "check", str(slow), "--robot", "rl15"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (2, "cannot write the output: No space left on device\n")


def test_ctrl_c_leaves_nothing_half_written(tmp_path):
    """A program that goes on for hours of robot time, interrupted while the table of signals is being written."""
    program = tmp_path / "long.irl"
    moves = "  move ptp joint(mainjoint(10, 20, 30));\n  move ptp joint(mainjoint(0, 0, 0));\n"
    program.write_text(f"program long;\nseq\n{moves * 20000}endseq\nendprogram\n")
    table = tmp_path / "signals.csv"
    command = [*TORSOR, "check", str(program), "--robot", "rl15", "--csv", str(table)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 100
    while not any(p.stat().st_size > 0 for p in tmp_path.glob(".torsor-*")):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert [p.name for p in tmp_path.iterdir()] == ["long.irl"]


def test_progress_on_a_terminal_only(slow):
    """In a pipe nothing of it is seen; on a terminal it is drawn on stderr and wiped away."""
    main, side = pty.openpty()
    command = [*TORSOR, "check", str(slow), "--robot", "rl15"]
    environment = os.environ | {"TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=side, env=environment)
    os.close(side)
    seen = b""
    while True:
        try:
            some = os.read(main, 4096)
        except OSError:
            break
        if not some:
            break
        seen += some
    out = process.communicate(timeout=120)[0]
    os.close(main)
    assert process.returncode == 0
    assert b"\x1b[" in seen
    assert b"\x1b[" not in out


def test_a_loop_that_never_ends_is_gone_round_as_often_as_asked(run, slow):
    slow.write_text(SLOW.replace("seq\n", "seq\n  while true do\n", 1).replace("endseq", "  endwhile;\nendseq"))
    once, twice = run("check", slow, "--robot", "rl15"), run("check", slow, "--robot", "rl15", "--cycles", "2")
    assert (once.code, twice.code) == (0, 0)
    assert "2 moves" in once.out
    assert "line 3  checked 1 cycle of the endless loop\n" in once.out
    assert "4 moves" in twice.out
    assert "checked 2 cycles of the endless loop at line 3" in " ".join(twice.out.split())
    never = run("check", slow, "--robot", "rl15", "--cycles", "0")
    assert never.code == 2
    assert never.err == "cycles is 0; how often to go round a loop that never ends: 1 or more\n"


@pytest.mark.parametrize("bad", ["if true then\n" * 3000, "wait 1e300;", "payload(1e308, 1e308, 0, 0);"])
def test_what_makes_no_sense_is_exit_2_with_its_line(run, slow, bad):
    slow.write_text(SLOW.replace("seq\n", f"seq\n{bad}\n", 1))
    ran = run("check", slow, "--robot", "rl15")
    assert ran.code == 2
    assert re.match(rf"{re.escape(str(slow))}:\d+:1: (blocks nested deeper|a wait of|a payload of)", ran.err)


def test_the_text_says_what_was_judged(run, slow):
    ran = run("check", slow, "--robot", "rl15", "--start", "-10 0 0 0 0 0 deg", "--payload", "2", width=200)
    said = ran.out.partition("\nChecked with\n")[2]
    assert f"command    torsor check {slow} --robot rl15 --start '-10 0 0 0 0 0 deg' --payload 2" in said
    assert "starts     at -10, 0, 0, 0, 0, 0 deg" in said
    assert "holds      a payload of 2 kg at the tool" in said
    assert "collision  not looked at; --cell FILE, or --cell empty, does" in said


def test_a_cycle_is_timed(run, slow):
    ran = run("check", slow, "--robot", "rl15", "--cycle", "--json")
    found = json.loads(ran.out)
    assert found["cycle_time"] == found["time"]
    assert found["checked_with"]["cycle"] is True


@pytest.mark.parametrize(
    "words", [("--dt", "10"), ("--start", "nowhere"), ("--start", "1 2 3"), ("--cycle", "--start", "0 0 0 0 0 0")]
)
def test_what_makes_no_sense_is_bad_input(run, slow, words):
    ran = run("check", slow, "--robot", "rl15", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
