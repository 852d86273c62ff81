"""``torsor reproduce``."""

import re

from torsor.reproducing.works import WORKS


def test_a_work(run, tmp_path):
    ran = run("reproduce", "burdick", "--out", tmp_path / "deep" / "out")
    page = tmp_path / "deep" / "out" / "burdick.html"
    assert (ran.code, ran.err) == (0, "")
    assert "".join(ran.out.split()) == f"burdick{page},7exhibits"  # a long path is broken
    text = page.read_text()
    assert text.count("<h2>") == len(WORKS["burdick"].exhibits) + 1
    counts = re.findall(r"<td[^>]*>(\d+) M (\d+) A</td>", text)
    (ours_c, ours_i) = counts[1], counts[3]
    assert counts[0] == ("291", "131")
    assert counts[2] == ("401", "254")
    assert sum(map(int, ours_c)) < 291 + 131
    assert sum(map(int, ours_i)) < 401 + 254


def test_no_such_work(run):
    ran = run("reproduce", "fedorow")
    assert ran.code == 2
    assert ran.err.startswith("there is no work 'fedorow'; did you mean 'fedorov'? known: ")


def test_a_folder_that_cannot_be(run, tmp_path):
    (tmp_path / "file").write_text("")
    ran = run("reproduce", "burdick", "--out", tmp_path / "file" / "out")
    assert ran.code == 2
    assert "cannot make the folder" in ran.err
