"""`read` and `Program`: from a file to motion commands."""

from __future__ import annotations

import os
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torsor.errors import TorsorError, did_you_mean
from torsor.model.file_mark import FileMark
from torsor.motion.commands import Command
from torsor.programs import syntax
from torsor.programs.diagnostics import Diagnostic, ProgramError, ProgramText
from torsor.programs.joint_trajectories import SUFFIXES as TRAJECTORIES
from torsor.programs.joint_trajectories import recording_in
from torsor.programs.language import Language
from torsor.programs.project import DEFINED, Project, Surroundings
from torsor.programs.projects import RawFile, files_of, is_project, raw_bytes
from torsor.programs.world import World

if TYPE_CHECKING:
    from torsor.motion import Paul, Timing
    from torsor.programs.pace import Factor, ToolPace
    from torsor.programs.rewriting import Rewritten

STEP_LIMIT = 1_000_000
PROJECT_STEPS = 200_000  # of languages in which steps do more

# the modules of the languages; a new one is a word here
HOMES = (
    "torsor.programs.kawasaki.kawasaki_language",
    "torsor.programs.val2",
    "torsor.programs.irl",
    "torsor.programs.rapid.rapid_language",
    "torsor.programs.urscript.urscript_language",
    "torsor.programs.krl.krl_language",
    "torsor.programs.fanuc.fanuc_language",
)
MOST_SHOWN = 5  # files that are named in a sentence
# files of programs that are known and not read
OTHERS = {".tp": "Fanuc TP in binary", ".urp": "PolyScope"}


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

    def __init__(
        self,
        language: Language,
        parsed: syntax.SyntaxTree,
        source: ProgramText,
        project: Project | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        self.tree = parsed
        self.project = project
        self._surroundings = Surroundings() if surroundings is None else surroundings
        self._told = {} if project is not None else self._surroundings.told_to(language)
        self._language = language
        self._source = source
        order = {"error": 0, "warning": 1, "note": 2}
        found = dict.fromkeys(source.found)  # the same thing may be found on two ways
        files = {part.file: number for number, part in enumerate(source.parts)}

        def by_place_of(one: Diagnostic) -> tuple[int, int, int, int]:
            return files.get(one.place.file, 0), one.place.line, one.place.column, order[one.severity]

        by_place = sorted(found, key=by_place_of)
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
    def mark(self) -> FileMark | None:
        """The file and its hash; None of a text that came from nowhere."""
        return FileMark.of(self.file, self.source)

    @property
    def facts(self) -> tuple[object, ...]:
        """All that what it does depends on: the language, the text, and what it was told from outside."""
        if self.project is None:
            return self.language, self.source
        return self.language, self.source, self.project.world, self.project.begins

    @property
    def name(self) -> str:
        """Its own name; that of the file where it has none."""
        if self.project is not None:
            return self.project.name(self._source)
        units = (node.name for node in self.tree.body if isinstance(node, syntax.Unit) and node.kind == "program")
        return next(units, Path(self.file).stem)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.diagnostics if one.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.diagnostics if one.severity == "warning")

    def commands(self, *, step_limit: int | None = None, cycles: int = 1, **options: Any) -> Iterator[Command]:
        """The motion commands, one after the other, as the program comes to them; nothing is kept.

        ``step_limit`` bounds the statements that are carried out. A loop that never ends, as production programs have,
        is left after so many ``cycles``, as an `Endless` at the end of the commands tells. ``options`` are what the
        language leaves open, such as ``wait_seconds``; for VAL II the fields of
        `torsor.programs.val2_dialect.Val2Dialect`, for L-IRL those of `torsor.programs.irl.Assumptions`. Raises
        `ProgramError` with the place where the program goes wrong.

        >>> list(parse("POINT P1 0 0 1 0 0 0\\nMOVE P1\\nSPEED P1", "VAL II").commands())
        Traceback (most recent call last):
        ...
        torsor.programs.diagnostics.ProgramError: <text>:3:7: a location where a number is needed
        """
        from torsor.programs.interpreter import Interpreter

        step_limit = (STEP_LIMIT if self.project is None else PROJECT_STEPS) if step_limit is None else step_limit
        if self.errors:
            raise ProgramError(self.errors)
        if not (isinstance(cycles, int) and cycles >= 1):
            raise TorsorError(f"cycles is {cycles!r}", hint="how often to go round a loop that never ends: 1 or more")
        if self.project is not None:
            return self.project.run(self.tree, self._source, options, step_limit=step_limit, cycles=cycles)
        known = {name: each for name, each in options.items() if name not in ("arm", "start")}
        if self._language.knows_arm:
            known["arm"] = options.get("arm")
        lowering = self._language.lowering(self.tree, {**self._told, **known})
        limits = {"step_limit": step_limit, "cycles": cycles}
        return Interpreter(self._language, self.tree, self._source, lowering, **limits).run()

    @property
    def timing(self) -> Timing | Paul:
        """How its motions are timed where nothing else is asked for: as its language says."""
        return self._language.timed(self.tree, self._told)

    def repaced(
        self,
        factors: Mapping[int, Factor],
        paces: Mapping[int, ToolPace] = {},
        *,
        cycles: int = 1,
        commands: Iterable[Command] | None = None,
    ) -> Rewritten:
        """The program with factors on the pace of its lines, and nothing else changed.

        ``paces`` are what comes of the factors for the tool: a line or circle that leaves its pace to the limits of the
        joints gets these numbers. ``commands`` are those that it gives, where that takes more than `commands()`.
        """
        from torsor.programs.rewriting import rewrite

        given = self.commands(cycles=cycles) if commands is None else commands
        return rewrite(self._language, self._source, given, factors, paces)

    @property
    def least_acceleration(self) -> float:
        """The smallest share of accelerations that its language can write."""
        return self._language.least_acceleration

    def again(self, rewritten: Rewritten) -> Program:
        """The program as it was rewritten: read again."""
        if self.project is None:
            return _checked(self._language, self.file, [(self.file, rewritten.text)], {}, self._surroundings)
        given = list(self.files(rewritten))
        encodings = {part.file: part.encoding for part in self._source.parts}
        around = Surroundings(self.project.world, self.project.asked)
        return _checked(self._language, self.file, given, encodings, around)

    def files(self, rewritten: Rewritten | None = None) -> tuple[tuple[str, str], ...]:
        """Name and text of each file that it was read from, as it is or as it was rewritten."""
        known = [(part.file, part.text) for part in self._source.parts] if rewritten is None else rewritten.files
        return tuple(each for each in known if each[0] != DEFINED)

    def on_disk(self, rewritten: Rewritten | None = None) -> tuple[tuple[str, bytes], ...]:
        """As ``files``, in the encoding and with the ends of lines that they were read with."""
        parts = {part.file: part for part in self._source.parts}
        return tuple((name, parts[name].encoded(text)) for name, text in self.files(rewritten))

    def text(self) -> str:
        """The program in print: it reads back as the same tree, without comments."""
        from torsor.programs.printer import Printer

        if self.project is not None:  # as it is: it reads back as itself
            return self.source
        return "\n".join(Printer(self._language).lines(self.tree.body)) + "\n"

    __str__ = text

    def __repr__(self) -> str:
        return f"<Program {self.name}: {self.language}, {len(self._source.lines)} lines, {len(self.errors)} errors>"


def parse(
    text: str,
    language: str,
    *,
    file: str = "<text>",
    world: World | Mapping[str, Any] | None = None,
    define: Sequence[str] = (),
    entry: str | None = None,
) -> Program:
    """A program from its text; ``language`` is "VAL II", "L-IRL" or "RAPID". The rest is as `read` has it.

    >>> program = parse("POINT P1 0.3 0 0.5  0 90 0\\nSPEED 50\\nMOVE P1", "VAL II")
    >>> for command in program.commands():
    ...     print(command.kind, command.target.name, command.target.position, command.pace.share)
    joint P1 (0.3, 0.0, 0.5) 0.5
    """
    chosen = next((one for one in languages() if one.name.lower() == language.lower()), None)
    if chosen is None:
        raise TorsorError(f"no language {language!r}", hint=did_you_mean(language, [one.name for one in languages()]))
    return _checked(chosen, file, [(file, text)], {}, Surroundings(World.of(world, define), entry))


def read(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    world: World | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    define: Sequence[str] = (),
    entry: str | None = None,
) -> Program:
    """The program in a file, in several, in a folder or in a backup (.zip, .tar).

    Its language is known by the suffix (.mod: RAPID; .src: KRL; .script: URScript; .v2: VAL II ...), else by its text.

    ``world`` tells what comes from outside, signals and answers, by name: a mapping, or a TOML file of one. ``define``
    are lines of the program's language that stand in no file, such as a tool; ``entry`` is the routine to begin with.
    """
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    if not paths:
        raise TorsorError("a program of no file", hint="name one")
    around = World.read(world) if isinstance(world, str | os.PathLike) else World.of(world)
    surroundings = Surroundings(World.of(around, define), entry)
    suffixes = [suffix for one in languages() for suffix in (*one.suffixes, *one.shared_suffixes)]
    name = os.fspath(paths[0])
    if len(paths) == 1 and not is_project(Path(name)):
        return _one_file(name, surroundings)
    found = files_of(paths, suffixes)
    if not found:
        if Path(name).is_dir() and len(paths) == 1 and (recording := recording_in(Path(name))):
            return _one_file(str(recording), surroundings)
        problem, hint = "cannot read the program: there is none here", f"files with {', '.join(suffixes)}"
        raise TorsorError(problem, hint=hint, file=Path(name))
    language = _language_of(found)
    own = (*language.suffixes, *language.shared_suffixes)
    files = [each for each in found if each.suffix in own or len(found) == 1]
    encodings: dict[str, str] = {}
    texts = [(each.name, _decoded(language, each, encodings)) for each in files]
    kept, said = language.kept(texts) if len(paths) == 1 else (texts, "")  # files that are named are all meant
    names = {each for each, _ in kept}
    left_out = [each for each in texts if each[0] not in names]
    others = [each.name for each in found if each not in files]
    told = "; ".join(filter(None, (said, _passed_over(others))))
    return _checked(language, name, kept, encodings, replace(surroundings, left_out=left_out), told)


def _passed_over(names: Sequence[str]) -> str:
    """What is said of files in other languages than the one that is run."""
    if not names:
        return ""
    shown = [Path(name).name for name in names[:MOST_SHOWN]]
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return f"left out, as it is of another language: {', '.join(shown)}{more}"


def _one_file(name: str, surroundings: Surroundings) -> Program:
    path = Path(name)
    file = RawFile(name, raw_bytes(path))
    suffix = path.suffix.lower()
    if suffix in TRAJECTORIES:
        from torsor.programs.trajectory_program import TrajectoryProgram

        surroundings.refuse("trajectories")
        return TrajectoryProgram(name, file.raw)
    language = next((one for one in languages() if suffix in one.suffixes), None)
    if language is None and suffix in OTHERS:
        raise TorsorError(f"a program of {OTHERS[suffix]}, which is not read", hint=_known(), file=path, line=1)
    if language is None:
        sharing = [one for one in languages() if suffix in one.shared_suffixes]
        text = file.raw.decode("utf-8", errors="replace") if sharing else _decoded(None, file, {})
        language = next((one for one in (*sharing, *languages()) if one.recognises(text)), None)
    if language is None:
        raise TorsorError("this is a program of no known language", hint=_known(), file=name, line=1)
    encodings: dict[str, str] = {}
    files = [file, *(RawFile(str(each), raw_bytes(Path(each))) for each in language.belonging(path))]
    return _checked(
        language, name, [(each.name, _decoded(language, each, encodings)) for each in files], encodings, surroundings
    )


def _known() -> str:
    known = [(one.name, (*one.suffixes, *one.shared_suffixes)) for one in languages()]
    return "; ".join(f"{name}: {', '.join(suffixes)}" for name, suffixes in (*known, ("trajectories", TRAJECTORIES)))


def _language_of(files: Sequence[RawFile]) -> Language:
    """The one that most files are of."""
    counts = {
        one.name: sum(file.suffix in (*one.suffixes, *one.shared_suffixes) for file in files) for one in languages()
    }
    most = max(languages(), key=lambda one: counts[one.name])
    if counts[most.name]:
        return most
    raise TorsorError("these are programs of no known language", hint=_known(), file=Path(files[0].name), line=1)


def _decoded(language: Language | None, file: RawFile, found: dict[str, str]) -> str:
    """The text of a file; which encoding that is goes to ``found``."""
    raw, path = file.raw, Path(file.name)
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise TorsorError("this is UTF-16", hint="save the program as plain text in UTF-8", file=path, line=1)
    encodings = ("utf-8-sig",) if language is None else language.encodings
    text = None
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError as error:
            if encoding != encodings[-1]:
                continue
            problem, hint = f"byte {raw[error.start]:#04x} is no UTF-8", "save the program as plain text in UTF-8"
            line, column = raw.count(b"\n", 0, error.start) + 1, error.start - raw.rfind(b"\n", 0, error.start)
            raise TorsorError(problem, hint=hint, file=path, line=line, column=column) from None
        found[file.name] = encoding if encoding != "utf-8-sig" or raw.startswith(BOM_UTF8) else "utf-8"
        break
    assert text is not None
    zero = text.find("\0")
    if zero >= 0:
        line = text.count("\n", 0, zero) + 1
        raise TorsorError("a NUL character: this is no text", hint="is it a program file?", file=path, line=line)
    return text


def _checked(
    language: Language,
    name: str,
    files: list[tuple[str, str]],
    encodings: Mapping[str, str],
    surroundings: Surroundings,
    said: str = "",
) -> Program:
    from torsor.programs.blocks import read_tree
    from torsor.programs.checks import Checker
    from torsor.programs.project_language import ProjectLanguage

    if not isinstance(language, ProjectLanguage):
        if len(files) > 1:
            hint = "it is of one file"
            raise TorsorError(f"a program of {language.name} in {len(files)} files", hint=hint, file=Path(name))
        source = ProgramText(*files[0])
        parsed = read_tree(language, source)
        Checker(language, parsed, source).run()
        return Program(language, parsed, source, surroundings=surroundings)
    lines = surroundings.world.define
    texts = [*files, *([(DEFINED, "\n".join(lines))] if lines else [])]
    source = ProgramText(*texts[0]) if len(texts) == 1 else ProgramText.of(name, texts)
    source.parts = [replace(part, encoding=encodings.get(part.file, part.encoding)) for part in source.parts]
    for part in source.parts:
        if not part.encoding.startswith("utf-8"):
            source.note((part.first, 1), "this is not UTF-8: it is read as Windows-1252")
    if said:
        source.note((1, 1), said)
    parsed = read_tree(language, source)
    return Program(language, parsed, source, Project.of(language, parsed, source, surroundings))
