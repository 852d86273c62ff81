"""How far long work is: a bar on a terminal, nothing in a pipe."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Todo = TypeVar("Todo")
Done = TypeVar("Done")


@contextlib.contextmanager
def progress(first: str, total: float | None = None) -> Iterator[Callable[[str, float], None]]:
    """Gives ``show(text, done)``; ``first`` is what stands there before it is called."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text, done: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(first, total=total)
        yield lambda text, done: bar.update(task, description=text, completed=done)


def with_progress(todo: Sequence[Todo], name: Callable[[Todo], str], run: Callable[[Todo], Done]) -> list[Done]:
    """What ``run`` gives for each, with a bar that does not disturb what is measured."""
    from rich.console import Console
    from rich.progress import Progress

    console, found = Console(stderr=True), []
    if not console.is_terminal:
        return [run(each) for each in todo]
    # refreshed between steps only: a thread that draws would take time from what is measured
    with Progress(console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=len(todo))
        for each in todo:
            bar.update(task, description=name(each), refresh=True)
            found.append(run(each))
            bar.advance(task)
    return found
