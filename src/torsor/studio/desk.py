"""What a studio remembers: what it was started with, arms that were uploaded, jobs that run."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from torsor.errors import did_you_mean
from torsor.loading import SUFFIXES, robots
from torsor.programs.program import languages
from torsor.studio.questions import QUESTIONS
from torsor.studio.recipes import file_name
from torsor.studio.running import laws
from torsor.studio.typesetting import choices
from torsor.studio.workshop import Answer, Heard, Workshop, refusal
from torsor.version import version

MOST_UPLOADS = 16
MOST_JOBS = 8  # that are kept, running or done


@dataclass(frozen=True)
class Opened:
    """What the studio was started with: the only files that it reads."""

    arms: dict[str, Path] = field(default_factory=dict)
    arm: str | None = None
    program: dict[str, str] | None = None  # name and text
    scenario: str | None = None


@dataclass(eq=False)
class Job:
    question: str
    task: asyncio.Task[Answer] | None = None
    progress: str = "waiting"


class Desk:
    """Where questions come in: it knows uploads and jobs, and hands the rest to the workshop."""

    def __init__(self, opened: Opened, workshop: Workshop) -> None:
        self.opened, self.workshop = opened, workshop
        self.uploads: OrderedDict[str, str] = OrderedDict()
        self.jobs: OrderedDict[str, Job] = OrderedDict()

    def start(self) -> dict[str, Any]:
        """What the page shows first."""
        return {
            "version": version(),
            "arms": [
                *({"name": name, "from": "library"} for name in robots()),
                *({"name": name, "from": "file"} for name in self.opened.arms),
                *({"name": name, "from": "upload"} for name in self.uploads),
            ],
            "arm": self.opened.arm or "puma560",
            "program": self.opened.program,
            "scenario": self.opened.scenario,
            "languages": [{"name": one.name, "suffixes": list(one.suffixes)} for one in languages()],
            "laws": laws(),
            **choices(),
        }

    async def upload(self, name: str, text: str) -> Answer:
        """An arm as a text. It is called by its content, so that another of the same name is another."""
        suffix = Path(name).suffix.lower()
        if suffix not in SUFFIXES:
            return refusal(400, f"cannot tell what {name[:60]!r} is; names of arms end in {' or '.join(SUFFIXES)}")
        digest = blake2b(text.encode(), digest_size=3).hexdigest()
        label = file_name(f"{Path(name).stem}-{digest}", suffix)
        answer = await self.workshop.answer("about", {"arm": label}, {label: text})
        if answer.status == 200:
            self.uploads[label] = text
            while len(self.uploads) > MOST_UPLOADS:
                self.uploads.popitem(last=False)
        return answer

    async def ask(self, question: str, asked: Any, heard: Heard = lambda text: None) -> Answer:
        if question not in QUESTIONS:
            return refusal(404, f"there is no question {question[:60]!r}; {did_you_mean(question, QUESTIONS)}")
        if not isinstance(asked, dict):
            return refusal(400, "a question is an object with its arguments by name")
        return await self.workshop.answer(question, asked, self._sent_along(asked), heard)

    def _sent_along(self, asked: dict[str, Any]) -> dict[str, str]:
        """The uploaded arms that a question names, here or one level down."""
        named = {str(each.get("arm")) for each in (asked, *asked.values()) if isinstance(each, dict)}
        return {name: self.uploads[name] for name in named & set(self.uploads)}

    def begin(self, question: str, asked: Any) -> str:
        """A job that goes on by itself; asked for by its number, cancelled by it."""
        while len(self.jobs) >= MOST_JOBS:
            done = next((name for name, job in self.jobs.items() if job.task is None or job.task.done()), None)
            if done is None:
                return ""
            del self.jobs[done]
        name = secrets.token_hex(8)
        job = self.jobs[name] = Job(question)
        job.task = asyncio.create_task(self.ask(question, asked, lambda text: setattr(job, "progress", text)))
        return name
