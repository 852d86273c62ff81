"""The worker processes of the studio: who answers what, for how long, and what becomes of what nobody waits for."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torsor.studio.questions import QUESTIONS
from torsor.studio.worker import as_json, work

QUICK = 2  # workers for what is answered while a slider moves ...
LONG = 2  # ... and for what takes its time
MOST_WAITING = 64  # questions in all; more are refused

Heard = Callable[[str], None]


@dataclass(frozen=True)
class Answer:
    """``status`` is that of HTTP: 200, 400 for what the user did wrong, 503 busy, 504 too slow, 500 our own fault."""

    status: int
    body: bytes


class Workshop:
    """Questions go to processes, so that none blocks the others and each can be ended, at its limit or when asked to.

    Quick questions and long ones have workers of their own: a derivation of minutes never stands before a slider.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = dict(files)
        self._threads = ThreadPoolExecutor(QUICK + LONG + 2, thread_name_prefix="line")
        self._benches = {False: _Bench(QUICK), True: _Bench(LONG)}
        self._all: list[_Worker] = []
        self._waiting = 0

    def warm(self) -> None:
        """One worker is there before the first question."""
        self._benches[False].free.append(self._worker())

    async def answer(
        self, name: str, asked: Mapping[str, Any], uploads: Mapping[str, str] = {}, heard: Heard = lambda text: None
    ) -> Answer:
        """The answer to a question. Cancelled, it ends the worker that was at it."""
        question = QUESTIONS[name]
        if self._waiting >= MOST_WAITING:
            return refusal(503, "the studio is busy; ask again in a moment")
        self._waiting += 1
        try:
            async with asyncio.timeout(question.seconds):
                return await self._asked(self._benches[question.long], name, asked, uploads, heard)
        except TimeoutError:
            return refusal(504, f"no answer within {question.seconds:g} s; the command line has no such limit")
        finally:
            self._waiting -= 1

    async def _asked(
        self, bench: _Bench, name: str, asked: Mapping[str, Any], uploads: Mapping[str, str], heard: Heard
    ) -> Answer:
        async with bench.places:
            worker = bench.taken(str(asked.get("arm"))) or self._worker()
            worker.arms.add(str(asked.get("arm")))
            new = {label: text for label, text in uploads.items() if label not in worker.arms_sent}
            worker.arms_sent |= set(new)
            loop = asyncio.get_running_loop()
            try:
                await loop.run_in_executor(self._threads, worker.line.send, (name, dict(asked), new))
                while True:
                    kind, told = await loop.run_in_executor(self._threads, worker.line.recv)
                    if kind != "progress":
                        break
                    heard(told)
            except (EOFError, OSError):
                worker.end()
                return refusal(500, "the worker ended; the next question gets a new one")
            except BaseException:  # cancelled, or too slow
                worker.end()
                raise
            bench.free.append(worker)
            return Answer({"answer": 200, "error": 400, "fault": 500}[kind], told)

    def _worker(self) -> _Worker:
        spawn = multiprocessing.get_context("spawn")  # a fork would take the server's sockets and locks with it
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=work, args=(theirs, self._files), daemon=True, name="torsor-studio-worker")
        process.start()
        theirs.close()
        made = _Worker(process, ours)
        self._all = [made, *(worker for worker in self._all if worker.process.is_alive())]
        return made

    def end(self) -> None:
        """Ends all workers at once."""
        for worker in self._all:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


@dataclass(eq=False)
class _Worker:
    process: Any
    line: Any
    arms: set[str] = field(default_factory=set)  # that it has loaded
    arms_sent: set[str] = field(default_factory=set)  # uploaded texts that it knows

    def end(self) -> None:
        self.process.kill()  # which also ends the wait for its answer: nobody is at the other end of the line


class _Bench:
    """Places for so many workers; those that are free have been used before."""

    def __init__(self, places: int) -> None:
        self.places = asyncio.Semaphore(places)
        self.free: list[_Worker] = []

    def taken(self, arm: str) -> _Worker | None:
        """A free worker, one that knows the arm if there is one."""
        while self.free:
            knows = next((worker for worker in self.free if arm in worker.arms), self.free[-1])
            self.free.remove(knows)
            if knows.process.is_alive():
                return knows
        return None


def refusal(status: int, text: str) -> Answer:
    return Answer(status, as_json({"error": {"text": text}}))
