"""Programs of several files, backups, other encodings, and the world around them."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest

from torsor.errors import TorsorError
from torsor.motion.commands import Assumed, Move
from torsor.programs import parse, read
from torsor.programs.world import World

POINT = "[[1,2,3],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"
MAIN = "MODULE A\nPROC main()\n  MoveL pOther, v100, fine, tOther;\nENDPROC\nENDMODULE\n"
OTHER = (
    f"MODULE B\n  CONST robtarget pOther := {POINT};\n"
    "  PERS tooldata tOther := [TRUE,[[0,0,1],[1,0,0,0]],[0.5,[0,0,1],[1,0,0,0],0,0,0]];\nENDMODULE\n"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cell").mkdir()
    (tmp_path / "cell" / "a.mod").write_text(MAIN)
    (tmp_path / "cell" / "b.mod").write_text(OTHER)
    (tmp_path / "cell" / "notes.txt").write_text("no program")
    return tmp_path / "cell"


def zipped(folder):
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"backup/RAPID/{file.name}")
    return path


def tarred(folder, suffix=".tar.gz", packing="gz"):
    path = folder.with_suffix(suffix)
    with tarfile.open(path, f"w:{packing}") as archive:
        archive.add(folder, "backup")
    return path


def tarred_by_xz(folder):
    return tarred(folder, ".txz", "xz")


def with_what_macos_lays_beside(folder):
    (folder / "._a.mod").write_bytes(b"\0\5\x16\7" + bytes(80))
    return folder


@pytest.mark.parametrize(
    "given",
    [
        lambda f: f,
        zipped,
        tarred,
        tarred_by_xz,
        with_what_macos_lays_beside,
        lambda f: zipped(with_what_macos_lays_beside(f)),
        lambda f: [f / "a.mod", f / "b.mod"],
    ],
)
def test_the_same_program_however_it_lies_there(folder, given):
    program = read(given(folder))
    assert not program.diagnostics
    (move,) = [command for command in program.commands() if isinstance(command, Move)]
    assert move.target.position == (0.001, 0.002, 0.003)
    assert move.place.file.endswith("a.mod")
    assert move.place.line == 3


def test_of_a_backup_runs_what_its_tasks_have_and_load(tmp_path):
    backup = tmp_path / "2600_BACKUP"
    old, part = (
        OTHER.replace("[1,2,3]", "[9,9,9]"),
        "MODULE P\nPROC part()\nMoveL pOther,v10,fine,tool0;\nENDPROC\nENDMODULE\n",
    )
    files = {
        "HOME/a_old.mod": MAIN.replace("v100", "v5"), "HOME/B_old.mod": old, "HOME/p.mod": part,
        "HOME/Broken.mod": "MODULE X\nPROC",
        "RAPID/TASK1/PROGMOD/z.mod": MAIN.replace("ENDPROC", 'Load "HOME:/Part"\\File:="P.MOD";\n%"part"%;\nENDPROC'),
        "RAPID/TASK1/SYSMOD/user.sys": OTHER, "RAPID/TASK2/a.mod": MAIN, "RAPID/TASK2/user.sys": old,
    }  # fmt: skip
    for name, text in files.items():
        (backup / name).parent.mkdir(parents=True, exist_ok=True)
        (backup / name).write_text(text)
    program = read(backup)
    (note,) = program.diagnostics
    assert note.problem == (
        "TASK1 of the backup is what is run; TASK2 is a program of its own; "
        "left out, as it does not load them: B_old.mod, Broken.mod, a_old.mod"
    )
    made = [each for each in program.commands() if isinstance(each, Move)]
    assert [each.target.position for each in made] == [(0.001, 0.002, 0.003)] * 2
    assert [each.pace.speed for each in made] == [0.1, 0.01]
    second = read(backup / "RAPID" / "TASK2").commands()
    assert [each.target.position for each in second if isinstance(each, Move)] == [(0.009, 0.009, 0.009)]


def test_two_modules_of_one_name_are_told(folder):
    (folder / "z.mod").write_text(OTHER.replace("1,2,3", "9,9,9"))
    (told,) = read(folder).diagnostics
    assert (told.severity, told.problem[:30], f"{told.place.line}") == (
        "warning",
        "there are two modules called B",
        "1 of z.mod",
    )


def test_a_task_that_only_listens_is_not_the_arm_s(tmp_path):
    for number, text in (
        (1, "MODULE A\nPROC main()\nWaitTime 1;\nENDPROC\nENDMODULE\n"),
        (10, OTHER),
        (2, MAIN + OTHER),
    ):
        (tmp_path / f"RAPID/TASK{number}").mkdir(parents=True)
        (tmp_path / f"RAPID/TASK{number}/a.mod").write_text(text)
    program = read(tmp_path)
    assert [each.place.file.split("/")[-2] for each in program.commands() if isinstance(each, Move)] == ["TASK2"]
    said = [each.problem for each in program.diagnostics]
    named = read(sorted(tmp_path.rglob("*.mod"))[::-1])
    assert not any("backup" in each.problem for each in named.diagnostics)  # files that are named are all meant
    assert said == ["TASK2 of the backup is what is run; TASK1, TASK10 are programs of their own"]


def test_a_routine_of_another_task_is_said_to_be_there(tmp_path):
    for number, name in ((1, "main"), (3, "weld")):
        (tmp_path / f"RAPID/TASK{number}/PROGMOD").mkdir(parents=True)
        (tmp_path / f"RAPID/TASK{number}/PROGMOD/a.mod").write_text(MAIN.replace("main", name))
    with pytest.raises(TorsorError) as told:
        read(tmp_path, entry="Weld")
    assert told.value.hint == f"it stands in {tmp_path}/RAPID/TASK3, which is left out here: give that alone"
    assert read(tmp_path / "RAPID/TASK3", entry="Weld").project.begins == "weld"


def test_one_file_alone_says_once_what_is_missing(folder):
    program = read(folder / "a.mod")
    assert [each.problem for each in program.diagnostics] == ["defined in no file: pOther (line 3), tOther (line 3)"]
    assert [command.text.split(":")[0] for command in program.commands() if isinstance(command, Assumed)] == [
        "with what is assumed nothing moves; it would take pOther (line 3), tOther (line 3)",
        "tOther is defined in no file",
        "where pOther lies is not known",
    ]


def test_messages_name_the_file(folder):
    (folder / "b.mod").write_text(
        OTHER.replace("ENDMODULE", "PROC x()\n  MoveL pOther, v100, fine;\nENDPROC\nENDMODULE")
    )
    (error,) = read(folder).errors
    assert str(error).startswith(f"{folder / 'b.mod'}:5:3: MoveL takes 4 values, not 3")
    assert f"{error.place.line}" == "5 of b.mod"


def test_entry(folder):
    (folder / "a.mod").write_text(
        MAIN + "MODULE C\nPROC other()\nMoveL pOther, v50, fine, tool0;\nENDPROC\nENDMODULE\n"
    )
    (move,) = [command for command in read(folder, entry="other").commands() if isinstance(command, Move)]
    assert move.pace.speed == 0.05
    with pytest.raises(TorsorError, match=r"no routine 'othr'; did you mean 'other'\?"):
        read(folder, entry="othr")


def test_western_european_text_is_read_and_noted(tmp_path):
    path = tmp_path / "a.mod"
    path.write_bytes("MODULE A\n! Größe\nENDMODULE\n".encode("cp1252"))
    (note,) = read(path).diagnostics
    assert (note.severity, note.problem) == ("note", "this is not UTF-8: it is read as Windows-1252")


@pytest.mark.parametrize("suffix", [".urp", ".tp"])
def test_languages_that_are_known_and_not_read(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_text(".PROGRAM a()\n.END\n")
    with pytest.raises(TorsorError, match="which is not read"):
        read(path)


def test_a_world(tmp_path):
    path = tmp_path / "world.toml"
    path.write_text('define = ["CONST num k := 1;"]\nready = [0, 1]\n"$IN[3]" = true\n[more]\nname = "x"\n')
    world = World.read(path)
    assert world.given == {"ready": (0.0, 1.0), "$in[3]": True, "name": "x"}
    assert world.define == ("CONST num k := 1;",)
    assert world.and_set(["ready=2", "b=TRUE", "text=abc", "l=[1, 2]"]).given == {
        "ready": 2.0, "$in[3]": True, "name": "x", "b": True, "text": "abc", "l": (1.0, 2.0),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ready = ", "this is no TOML"),
        ("define = 3", "define is a list of texts"),
        ("a = 2020-01-01", "the value of a is"),
        ("[inputs]\nb = 1\na = [1, []]", r":3: the value of a is \[\]"),
        ("b = 1\na = nan", ":2: the value of a is no finite number"),
        ("a = " + "9" * 400, ":1: the value of a is no finite number"),
        ("a = " + "9" * 5000, "this is no TOML"),
        ("a = " + "[" * 2000 + "]" * 2000, "this is no TOML"),
        ("DI = 1\n\n[x]\ndi = 0", ":4: di is given twice"),
    ],
)
def test_a_world_that_is_none(tmp_path, text, problem):
    path = tmp_path / "world.toml"
    path.write_text(text)
    with pytest.raises(TorsorError, match=problem):
        World.read(path)


def test_languages_of_one_file_have_no_world():
    with pytest.raises(TorsorError, match="L-IRL have no use for a world"):
        parse("program p;\nseq\nendseq", "L-IRL", world={"a": 1})
    with pytest.raises(TorsorError, match="VAL II ask for nothing called 'a'"):
        parse("MOVE p", "VAL II", world={"a": 1})
    with pytest.raises(TorsorError, match="VAL II have no use for an entry"):
        parse("MOVE p", "VAL II", entry="a")


def damaged_zip() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mod", "MODULE m\nPROC main()\nENDPROC\nENDMODULE\n" * 200)
    raw = bytearray(held.getvalue())
    raw[45] ^= 0xFF  # inside the packed text
    return bytes(raw)


@pytest.mark.parametrize(
    ("name", "raw"),
    [("a.zip", b"PK\x03\x04 no"), ("b.zip", damaged_zip()), ("c.tar", b"\x1f\x8b" + 50 * b"x"), ("d.tar", b"")],
)
def test_what_is_no_backup(tmp_path, name, raw):
    path = tmp_path / name
    path.write_bytes(raw)
    with pytest.raises(TorsorError, match=r"no backup that can be unpacked: .+") as told:
        read(path)
    assert "\n" not in str(told.value)


def test_files_of_other_languages_beside_it_are_told(folder):
    (folder / "k.src").write_text("DEF k()\nEND\n")
    (told,) = read(folder).diagnostics
    assert (told.severity, told.problem) == ("note", "left out, as it is of another language: k.src")


def test_utf_16_is_named(folder):
    (folder / "b.mod").write_bytes(OTHER.encode("utf-16"))
    with pytest.raises(TorsorError, match=r"b\.mod:1: this is UTF-16; save"):
        read(folder)


def test_what_the_world_tells_and_nobody_asks_is_noted(folder):
    world = {"DiReayd": 1, "diReady": 1, "$IN[3]": True, "count": 2}
    (folder / "a.mod").write_text(MAIN.replace("  MoveL", "  WaitDI diReady, 1;\n  MoveL"))
    assert [(each.problem, each.hint) for each in read(folder, world=world).diagnostics] == [
        ("the world tells direayd, which stands nowhere in the program", "did you mean 'diReady'?"),
        ("the world tells count, which stands nowhere in the program", None),
    ]


@pytest.mark.parametrize("told", [3, [1, 2], "x"])
def test_a_tool_that_the_world_tells_as_a_number(folder, told):
    with pytest.raises(TorsorError, match=r"a\.mod:3:3: a tooldata is needed, not .*; --define 'PERS tooldata"):
        list(read([folder / "a.mod"], world={"tOther": told}, define=[OTHER.split("\n")[1]]).commands())
