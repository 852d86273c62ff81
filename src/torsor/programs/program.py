"""`read` and `Program`: from a file to motion commands."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torsor.errors import TorsorError, did_you_mean
from torsor.model.files import note_read
from torsor.motion.commands import Command
from torsor.programs import syntax
from torsor.programs.diagnostics import Diagnostic, ProgramError, ProgramText
from torsor.programs.language import Language

if TYPE_CHECKING:
    from torsor.motion import Paul, Timing
    from torsor.programs.pace import Factor, ToolPace
    from torsor.programs.rewriting import Rewritten

STEP_LIMIT = 1_000_000
LARGEST = 64_000_000  # bytes of a file


# the modules of the languages; a new one is a word here
HOMES = ("torsor.programs.val2", "torsor.programs.irl")


def languages() -> tuple[Language, ...]:
    """The languages that are known."""
    return tuple(_language_in(home) for home in HOMES)


@cache
def _language_in(home: str) -> Language:
    here = [each for each in vars(import_module(home)).values() if getattr(each, "__module__", "") == home]
    (language,) = (each for each in here if isinstance(each, type) and issubclass(each, Language))
    return language()


class Program:
    """A robot program that was read and checked. ``commands()`` runs it.

    ``diagnostics`` holds what the checks found, by line: errors, warnings, notes. A program with errors can be looked
    at and printed, but not run.
    """

    def __init__(self, language: Language, parsed: syntax.SyntaxTree, source: ProgramText) -> None:
        self.tree = parsed
        self._language = language
        self._source = source
        order = {"error": 0, "warning": 1, "note": 2}
        found = dict.fromkeys(source.found)  # the same thing may be found on two ways
        by_place = sorted(found, key=lambda one: (one.place.line, one.place.column, order[one.severity]))
        self.diagnostics: tuple[Diagnostic, ...] = tuple(by_place)

    @property
    def language(self) -> str:
        return self._language.name

    @property
    def dialect(self) -> str:
        """Of VAL II "SIMASEA" for a program without ``.PROGRAM``; else the language."""
        return self._language.dialect(self.tree)

    @property
    def file(self) -> str:
        return self._source.file

    @property
    def source(self) -> str:
        """The text that was read."""
        return self._source.text

    @property
    def name(self) -> str:
        """Its own name; that of the file where it has none."""
        units = (node.name for node in self.tree.body if isinstance(node, syntax.Unit) and node.kind == "program")
        return next(units, Path(self.file).stem)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.diagnostics if one.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.diagnostics if one.severity == "warning")

    def commands(self, *, step_limit: int = STEP_LIMIT, cycles: int = 1, **options: Any) -> Iterator[Command]:
        """The motion commands, one after the other, as the program comes to them; nothing is kept.

        ``step_limit`` bounds the statements that are carried out. A loop that never ends, as production programs have,
        is left after so many ``cycles``, as an `Endless` at the end of the commands tells. ``options`` are what the
        language leaves open, such as ``wait_seconds``; for VAL II the fields of
        `torsor.programs.val2_lowering.Val2Dialect`, for L-IRL those of `torsor.programs.irl.Assumptions`. Raises
        `ProgramError` with the place where the program goes wrong.

        >>> list(parse("POINT P1 0 0 1 0 0 0\\nMOVE P1\\nSPEED P1", "VAL II").commands())
        Traceback (most recent call last):
        ...
        torsor.programs.diagnostics.ProgramError: <text>:3:7: a location where a number is needed
        """
        from torsor.programs.interpreter import Interpreter

        if self.errors:
            raise ProgramError(self.errors)
        if not (isinstance(cycles, int) and cycles >= 1):
            raise TorsorError(f"cycles is {cycles!r}", hint="how often to go round a loop that never ends: 1 or more")
        lowering = self._language.lowering(self.tree, options)
        limits = {"step_limit": step_limit, "cycles": cycles}
        return Interpreter(self._language, self.tree, self._source, lowering, **limits).run()

    @property
    def timing(self) -> Timing | Paul:
        """How its motions are timed where nothing else is asked for: as its language says."""
        return self._language.timing(self.tree)

    def repaced(
        self, factors: Mapping[int, Factor], paces: Mapping[int, ToolPace] = {}, *, cycles: int = 1
    ) -> Rewritten:
        """The program with factors on the pace of its lines, and nothing else changed.

        ``paces`` are what comes of the factors for the tool: a line or circle that leaves its pace to the limits of the
        joints gets these numbers.
        """
        from torsor.programs.rewriting import rewrite

        return rewrite(self._language, self._source, self.commands(cycles=cycles), factors, paces)

    def text(self) -> str:
        """The program in print: it reads back as the same tree, without comments."""
        from torsor.programs.printer import Printer

        return "\n".join(Printer(self._language).lines(self.tree.body)) + "\n"

    __str__ = text

    def __repr__(self) -> str:
        return f"<Program {self.name}: {self.language}, {len(self._source.lines)} lines, {len(self.errors)} errors>"


def parse(text: str, language: str, *, file: str = "<text>") -> Program:
    """A program from its text; ``language`` is "VAL II" or "L-IRL".

    >>> program = parse("POINT P1 0.3 0 0.5  0 90 0\\nSPEED 50\\nMOVE P1", "VAL II")
    >>> for command in program.commands():
    ...     print(command.kind, command.target.name, command.target.position, command.pace.share)
    joint P1 (0.3, 0.0, 0.5) 0.5
    """
    chosen = next((one for one in languages() if one.name.lower() == language.lower()), None)
    if chosen is None:
        raise TorsorError(f"no language {language!r}", hint=did_you_mean(language, [one.name for one in languages()]))
    return _checked(chosen, ProgramText(file, text))


def read(path: str | os.PathLike[str]) -> Program:
    """The program in a file. Its language is known by the suffix (.v2, .val: VAL II; .irl: L-IRL), else by its text."""
    name = os.fspath(path)
    text = _text_of(Path(name))
    suffix = Path(name).suffix.lower()
    by_name = (language for language in languages() if suffix in language.suffixes)
    for language in chain(by_name, (language for language in languages() if language.recognises(text))):
        return _checked(language, ProgramText(name, text))
    known = "; ".join(f"{one.name}: {', '.join(one.suffixes)}" for one in languages())
    raise TorsorError("this is a program of no known language", hint=known, file=name, line=1)


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
        note_read(path)
    except OSError as error:
        raise TorsorError(f"cannot read the program: {error.strerror or error}", file=path) from None
    if len(raw) > LARGEST:
        raise TorsorError("the program is too large", hint=f"at most {LARGEST:,} bytes are read", file=path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem, hint = f"byte {raw[error.start]:#04x} is no UTF-8", "save the program as plain text in UTF-8"
        line, column = raw.count(b"\n", 0, error.start) + 1, error.start - raw.rfind(b"\n", 0, error.start)
        raise TorsorError(problem, hint=hint, file=path, line=line, column=column) from None
    zero = text.find("\0")
    if zero >= 0:
        line = text.count("\n", 0, zero) + 1
        raise TorsorError("a NUL character: this is no text", hint="is it a program file?", file=path, line=line)
    return text


def _checked(language: Language, source: ProgramText) -> Program:
    from torsor.programs.blocks import read_tree
    from torsor.programs.checks import Checker

    parsed = read_tree(language, source)
    Checker(language, parsed, source).run()
    return Program(language, parsed, source)
