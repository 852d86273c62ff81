"""From files to programs: languages, encodings, and large programs in little memory."""

from __future__ import annotations

import threading
import tracemalloc

import pytest

from torsor.errors import TorsorError
from torsor.programs import ProgramError, parse, read

VAL2 = "POINT p 0.4 0 0.2 0 180 0\nMOVES p\n"
IRL = "program a;\nseq\nmove lin position(1, 2, 3) speed=5;\nendseq\nendprogram\n"


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("a.v2", VAL2, "VAL II"), ("a.VAL", VAL2, "VAL II"), ("a.irl", IRL, "L-IRL"), ("a.txt", IRL, "L-IRL"),
        ("a", VAL2, "VAL II"), ("b.prg", "  10 start p", "VAL II"), ("c", ".PROGRAM x\n.END", "VAL II"),
        ("d.irl", "\ufeff" + IRL, "L-IRL"), ("e.v2", VAL2.replace("\n", "\r\n"), "VAL II"),
    ],
)  # fmt: skip
def test_the_language_is_known_by_suffix_or_text(tmp_path, name, text, language):
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert read(path).language == language


SUFFIXES = (
    "Kawasaki AS: .as, .pg; VAL II: .v2, .val, .val2; L-IRL: .irl; RAPID: .mod, .modx, .sys, .sysx, .prg; "
    "URScript: .script, .urscript; KRL: .src, .sub, .dat; Fanuc TP: .ls; "
    "trajectories: .csv, .json, .jsonl, .yaml, .yml, .mcap, .bag, .db3"
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello\n", f":1: this is a program of no known language; {SUFFIXES}"),
        (b"MOVE p\nMO\xffVE q\n", ":2:3: byte 0xff is no UTF-8; save the program as plain text in UTF-8"),
        (b"MOVE p\n\n\x00", ":3: a NUL character: this is no text; is it a program file?"),
    ],
)
def test_what_is_no_program(tmp_path, content, message):
    path = tmp_path / "program.txt"
    path.write_bytes(content)
    with pytest.raises(TorsorError) as caught:
        read(path)
    assert str(caught.value) == f"{path}{message}"


def test_no_file(tmp_path):
    with pytest.raises(TorsorError, match="cannot read the program: No such file"):
        read(tmp_path / "none.v2")
    with pytest.raises(TorsorError, match="cannot read the program"):
        read(tmp_path)


def test_names_and_options():
    assert parse(IRL, "l-irl").name == "a"
    assert parse(VAL2, "VAL II", file="/x/tour.v2").name == "tour"
    assert repr(parse(IRL, "L-IRL")) == "<Program a: L-IRL, 6 lines, 0 errors>"
    with pytest.raises(TorsorError, match="no language 'VAL'; did you mean 'VAL II'"):
        parse(VAL2, "VAL")
    with pytest.raises(TorsorError, match="VAL II has no option 'unit'; did you mean 'units'"):
        parse(VAL2, "VAL II").commands(unit="mm")
    with pytest.raises(TorsorError, match="units 'cm'"):
        parse(VAL2, "VAL II").commands(units="cm")
    with pytest.raises(TorsorError, match="L-IRL has no option 'wait'"):
        parse(IRL, "L-IRL").commands(wait=1)


def test_errors_are_told_together_but_not_endlessly():
    with pytest.raises(ProgramError) as caught:
        parse("MOVE q\n" * 50, "VAL II").commands()
    assert len(caught.value.diagnostics) == 50
    assert str(caught.value).splitlines()[19:] == [
        "<text>:20:6: there is no point 'q'; nothing in this program gives it a value",
        "and 30 more",
    ]


def test_a_long_program_is_streamed():
    text = "POINT p 0.4 0 0.2 0 180 0\nFOR i = 1 TO 3000\nMOVE SHIFT(p BY i / 10000)\nEND"
    commands = parse(text, "VAL II").commands()
    next(commands)
    tracemalloc.start()
    try:
        count = sum(1 for _ in commands)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 2999
    assert most < 400_000  # bytes, free lists of Python included: a list of these commands takes more than 3 MB


def test_threads_do_not_mix_up_their_lines():
    found = {}

    def work(number):
        text = "\n" * number + "MOVE there"
        found[number] = {parse(text, "VAL II").errors[0].place.line for _ in range(20)}

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: {number + 1} for number in range(4)}
