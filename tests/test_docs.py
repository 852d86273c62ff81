"""README and docs say what is true: their snippets run, in order, and print what stands below them.

Blocks of a page share one namespace and one folder, in which the examples are at hand:

- ```python runs; a ```text block right after it is what it prints;
- ```console has lines ``$ torsor ...``, run in this process, each followed by what it prints (80 columns wide), and
  lines ``$ export TORSOR_CACHE=...``, which hold to the end of the page;
- ```toml and ```xml that begin with a comment ``file: NAME`` are saved under that name.

A line ``...`` in an expected output stands for any lines. ``python tests/test_docs.py`` writes the real output into the
pages, where it has no such line.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from torsor.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# They derive or search for long what tests/test_deriving.py and others do, too.
LONG = ("drives.md", "elastic.md", "equations.md", "formulations.md", "puma560-appendix.md", "robust-design.md")
LONG += ("simulation.md", "studies.md", "time-optimal.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"\A(?:#|<!--) file: (\S+)")


@dataclass(frozen=True)
class Printed:
    """Output that a page shows, where it stands in the page, and what came out in truth."""

    start: int
    end: int
    shown: str
    real: str


def outputs(page: str) -> Iterator[Printed]:
    """Runs a page in the current folder."""
    names: dict[str, object] = {"__name__": "__page__"}
    real = None
    blocks = list(BLOCK.finditer(page))
    for block, after in zip(blocks, [*blocks, None][1:], strict=True):
        language, text = block.groups()
        if language == "python":
            real = _run_python(text, names, shown=after is not None and after[1] == "text")
        elif language == "text" and real is not None:
            yield Printed(block.start(2), block.end(2), text, real)
            real = None
        elif language == "console":
            yield Printed(block.start(2), block.end(2), text, _run_console(text))
        elif language in ("toml", "xml") and (file := SAVED.match(text)):
            Path(file[1]).write_text(text)


def run_page(path: Path) -> list[Printed]:
    with np.printoptions():  # a page may change them for itself
        return list(outputs(path.read_text()))


def _run_python(text: str, names: dict[str, object], *, shown: bool) -> str:
    with _printing() as stream:
        try:
            exec(compile(text, "<page>", "exec"), names)
        except Exception as error:
            if not shown:
                raise
            # a page may show an error as Python does, without the lines of this file
            stream.write("".join(traceback.format_exception_only(error)))
    return stream.getvalue()


def _run_console(text: str) -> str:
    lines = []
    for line in text.splitlines():
        if line.startswith("$ "):
            program, *arguments = shlex.split(line[2:])
            lines.append(line)
            if program == "export":
                name, _, value = arguments[0].partition("=")
                assert name == "TORSOR_CACHE", f"a page sets {name}"
                os.environ[name] = value
                continue
            assert program == "torsor", f"only torsor runs in a console block, not {program}"
            with _printing() as stream:
                main(arguments)
            lines += stream.getvalue().splitlines()
    return "".join(line + "\n" for line in lines)


@contextlib.contextmanager
def _printing() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield stream


def matches(shown: str, real: str) -> bool:
    """Whether the output is the one shown, a line ``...`` standing for any.

    >>> matches("a\\n...\\nd\\n", "a\\nb\\nc\\nd\\n"), matches("a\\n", "b\\n")
    (True, False)
    """
    pieces = [re.escape(piece) for piece in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(pieces), real) is not None


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.slow] * (path.name in LONG), id=path.name) for path in PAGES]
)
def test_page(path, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")  # what is made says when
    monkeypatch.setenv("TORSOR_CACHE", os.environ["TORSOR_CACHE"])  # a page may move it, for itself
    for printed in run_page(path):
        assert matches(printed.shown, printed.real), f"shown:\n{printed.shown}\nreal:\n{printed.real}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_files_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", BLOCK.sub("", path.read_text())):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def write_real_output(path: Path) -> None:
    page = path.read_text()
    for printed in reversed(run_page(path)):
        if not re.search(r"^\.\.\.$", printed.shown, re.MULTILINE):
            page = page[: printed.start] + printed.real + page[printed.end :]
    path.write_text(page)


if __name__ == "__main__":
    os.environ |= {"COLUMNS": "80", "SOURCE_DATE_EPOCH": "1800000000"}
    with tempfile.TemporaryDirectory() as kernels:
        for page_path in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
            os.environ["TORSOR_CACHE"] = kernels
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                Path("examples").symlink_to(ROOT / "examples")
                write_real_output(page_path)
