"""A program as a project: its names linked, its world, where it begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torsor.errors import TorsorError, did_you_mean
from torsor.motion.commands import NOTHING_MOVES, Assumed, Command
from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramError, ProgramText
from torsor.programs.forks import AS_IT_IS, MOST_WAYS, Ways, forks
from torsor.programs.language import Language
from torsor.programs.linking import Linked, RoutineHome, link
from torsor.programs.misspelt import slip_of
from torsor.programs.needed import BEHIND, TAKES, asked_by
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.world import World

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun

DEFINED = "--define"  # the file of lines that stand in none
FEW_STEPS = 20_000  # of a program that is led another way to its moves
MOST_TRIED = 6  # routines, where the program itself moves nothing


@dataclass(frozen=True)
class Surroundings:
    """What a program is given beside its files: the world, the routine to begin with, and what lies beside it.

    ``left_out``: files of a backup, each its name and text, that are no part of the program.
    """

    world: World = field(default_factory=World)
    entry: str | None = None
    left_out: Sequence[tuple[str, str]] = field(default=(), repr=False)

    def refuse(self, language: str) -> None:
        """For languages whose programs are one file and one routine."""
        if self.entry is not None or self.world.given or self.world.define:
            what = "an entry" if self.entry is not None else "a world"
            raise TorsorError(f"programs of {language} have no use for {what}", hint="leave it out")

    def told_to(self, language: Language) -> Mapping[str, Any]:
        """What the world tells a program of one file, as options of its runs."""
        told = language.told(self.world) if self.world.given else {}
        Surroundings(World(define=self.world.define), self.entry).refuse(language.name)
        return told


@dataclass(frozen=True)
class Project:
    language: ProjectLanguage
    linked: Linked
    world: World
    entry: RoutineHome | None
    asked: str | None = None  # the routine that was asked for

    @classmethod
    def of(
        cls, language: ProjectLanguage, tree: syntax.SyntaxTree, source: ProgramText, given: Surroundings
    ) -> Project:
        from torsor.programs.project_checks import ProjectChecker

        linked = link(tree, language.key, language.types_table, shared=language.shared_storage)
        language.keep_private(linked)
        ProjectChecker(language, tree, source, linked, given.world).run()
        _note_unasked(source, given.world)
        return cls(language, linked, given.world, _entry(language, linked, source, tree, given), given.entry)

    @property
    def begins(self) -> str | None:
        """The name of the routine it begins with."""
        return None if self.entry is None else self.entry.unit.name

    def name(self, source: ProgramText) -> str:
        """Of the file, of its folder where there are several, or of the routine that was asked for."""
        return Path(source.file).stem or "program"

    def run(
        self, tree: syntax.SyntaxTree, source: ProgramText, options: Mapping[str, Any], *, step_limit: int, cycles: int
    ) -> Iterator[Command]:
        """The commands. Where the program moves nothing with what is assumed, and no routine was asked for, the first
        of its routines that moves is run in its place, which is said."""
        from torsor.programs.project_run import ProjectRun

        def begun(
            entry: RoutineHome | None,
            world: World = self.world,
            afterwards: RoutineHome | None = None,
            ways: Ways = AS_IT_IS,
            steps: int = step_limit,
        ) -> ProjectRun:
            lowering: Any = self.language.lowering(tree, options)
            return ProjectRun(
                self.language, tree, source, lowering, self.linked, world, entry,
                step_limit=steps, cycles=cycles, afterwards=afterwards, ways=ways,
            )  # fmt: skip

        own_run = begun(self.entry)
        before, rest = _up_to_a_move(own_run)
        if not before or own_run.has_gone or self.asked is not None:
            yield from before
            yield from rest
            return
        tried: list[Command] = []
        for said, run in self._attempts(own_run, before, begun):
            try:
                instead, rest = _up_to_a_move(run)
            except ProgramError:
                continue
            if run.has_gone:
                yield from said
                yield from instead
                yield from rest
                return
            tried = tried or (instead if _tells_what_it_takes(instead) else [])
        yield from before if _tells_what_it_takes(before) else tried or before

    def _attempts(
        self, own: ProjectRun, before: Sequence[Command], begun: Callable[..., ProjectRun]
    ) -> Iterator[tuple[Sequence[Command], ProjectRun]]:
        """What may be run in place of a program that moves nothing, each with what is said of it."""
        name = self.entry.unit.name if self.entry is not None else "the program"
        cures = (each.cure for each in before if isinstance(each, Assumed))
        cure = next((each for each in cures if each and not each.startswith("--entry")), "")

        def in_place(home: RoutineHome) -> tuple[Sequence[Command], ProjectRun]:
            text = f"{name} moves nothing with what is assumed: {home.unit.name} is run in its place"
            # routines inside of the program need what it sets before them
            run = begun(self.entry, afterwards=home) if self.language.nests else begun(home)
            return [Assumed(text, own.source.place(home.unit.at), cure)], run

        others = [] if own.has_moved else self._others()
        yield from (in_place(home) for home in others if not _needs(home))
        if (asked := self._asked_for(own)) is not None:
            yield asked[1], begun(self.entry, asked[0])
        if (ways := self._ways(own, lambda ways: begun(self.entry, ways=ways, steps=FEW_STEPS))) is not None:
            yield [], begun(self.entry, ways=ways)
        yield from (in_place(home) for home in others if _needs(home))

    def _ways(self, own: ProjectRun, led: Callable[[Ways], ProjectRun]) -> Ways | None:
        """What conditions that hang on the world would have to be for a move; None if that is not found."""
        waiting: list[Ways] = [{id(one.by): one.holds} for one in reversed(forks(own))]
        for _ in range(MOST_WAYS):
            if not waiting:
                return None
            ways = waiting.pop()
            run = led(ways)
            try:
                if any(run.has_gone for _ in run.run()):
                    return ways
            except ProgramError:
                continue
            waiting += [{**ways, id(one.by): one.holds} for one in reversed(forks(run))]
        return None

    def _asked_for(self, run: ProjectRun) -> tuple[World, list[Command]] | None:
        """The world in which the condition holds that all moves stand behind, and what is said of it."""
        from torsor.programs.project_memory import shown

        if run.behind is None:
            return None
        at = run.source.place(run.behind.at)
        wanted = {name: value for name, value in asked_by(run.behind).items() if name.lower() not in self.world.given}
        if any(self.linked.is_constant(name) for name in wanted):
            return None  # the program says otherwise
        given = {name.lower(): value for name, value in wanted.items()}
        said: list[Command] = [
            Assumed(f"{name} is taken to be {shown(value)}: else nothing moves", at, f"--set {name}={shown(value)}")
            for name, value in wanted.items()
        ]
        return (replace(self.world, given={**self.world.given, **given}), said) if wanted else None

    def _others(self) -> list[RoutineHome]:
        """Routines that move by themselves, in the order of the files; those that need something to be given last."""
        homes = [home for each in self.linked.routines.values() for home in each if home is not self.entry]
        plain = [home for home in homes if home.unit.kind in ROUTINES]
        ordered = sorted(plain, key=lambda home: (_needs(home), ROUTINES.index(home.unit.kind) > 1))
        return [home for home in ordered if self.language.moves(home.unit, self.linked)][:MOST_TRIED]


def _note_unasked(source: ProgramText, world: World) -> None:
    """What the world tells and the program never names, and so never asks for: a slip, or of another program. Names
    with brackets, ``$IN[3]``, have more than one spelling, and are let be."""
    told = [name for name in world.given if name.isidentifier()]
    if not told:
        return
    there = {word.lower(): word for word in re.findall(r"[^\W\d]\w*", source.text)}
    for name in told:
        if name not in there:
            meant = slip_of(name, there, family=False)
            hint = f"did you mean {there[meant]!r}?" if meant else None
            source.note((1, 1), f"the world tells {name}, which stands nowhere in the program", hint)


def _tells_what_it_takes(commands: Iterable[Command]) -> bool:
    """Whether a program that moves nothing says what it would take to move."""
    texts = [each.text for each in commands if isinstance(each, Assumed) and each.text.startswith(NOTHING_MOVES)]
    return any(word in text for text in texts for word in (TAKES, BEHIND))


ROUTINES = ("proc", "def", "func", "deffct", "thread")


def _needs(home: RoutineHome) -> bool:
    return any(not each.optional and each.default is None for each in home.unit.parameters)


def _up_to_a_move(run: ProjectRun) -> tuple[list[Command], Iterator[Command]]:
    """The commands up to the first that leads away, and those behind it."""
    before: list[Command] = []
    commands = run.run()
    for command in commands:
        before.append(command)
        if run.has_gone:
            break
    return before, commands


def _entry(
    language: ProjectLanguage, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree, given: Surroundings
) -> RoutineHome | None:
    asked = given.entry
    if asked is None:
        return language.entry(linked, source, tree)
    found = linked.routine(asked) or next(iter(linked.routines.get(linked.key(asked), ())), None)
    if found is None:
        names = [home.unit.name for homes in linked.routines.values() for home in homes]
        hint = did_you_mean(asked, names) if names else "it has none"
        if elsewhere := language.home_of(asked, given.left_out):
            hint = f"it stands in {elsewhere}, which is left out here: give that alone"
        raise TorsorError(f"the program has no routine {asked!r}", hint=hint, file=Path(source.file))
    return found
