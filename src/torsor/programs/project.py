"""A program as a project: its names linked, its world, where it begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torsor.errors import TorsorError, did_you_mean
from torsor.motion.commands import Command
from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramText
from torsor.programs.language import Language
from torsor.programs.linking import Linked, RoutineHome, link
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.world import World

DEFINED = "--define"  # the file of lines that stand in none


@dataclass(frozen=True)
class Surroundings:
    """What a program is given beside its files: the world, and the routine to begin with."""

    world: World = field(default_factory=World)
    entry: str | None = None

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

    @classmethod
    def of(
        cls, language: ProjectLanguage, tree: syntax.SyntaxTree, source: ProgramText, given: Surroundings
    ) -> Project:
        from torsor.programs.project_checks import ProjectChecker

        linked = link(tree, language.key, language.types_table)
        ProjectChecker(language, tree, source, linked, given.world).run()
        return cls(language, linked, given.world, _entry(language, linked, source, tree, given.entry))

    def name(self, source: ProgramText) -> str:
        """Of the file, of its folder where there are several, or of the routine that was asked for."""
        return Path(source.file).stem or "program"

    def run(
        self, tree: syntax.SyntaxTree, source: ProgramText, options: Mapping[str, Any], *, step_limit: int, cycles: int
    ) -> Iterator[Command]:
        from torsor.programs.project_run import ProjectRun

        lowering: Any = self.language.lowering(tree, options)
        run = ProjectRun(
            self.language, tree, source, lowering, self.linked, self.world, self.entry,
            step_limit=step_limit, cycles=cycles,
        )  # fmt: skip
        return run.run()


def _entry(
    language: ProjectLanguage, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree, asked: str | None
) -> RoutineHome | None:
    if asked is None:
        return language.entry(linked, source, tree)
    found = linked.routine(asked) or next(iter(linked.routines.get(linked.key(asked), ())), None)
    if found is None:
        names = [home.unit.name for homes in linked.routines.values() for home in homes]
        hint = did_you_mean(asked, names) if names else "it has none"
        raise TorsorError(f"the program has no routine {asked!r}", hint=hint, file=Path(source.file))
    return found
