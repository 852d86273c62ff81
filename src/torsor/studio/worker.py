"""A process that answers questions, one at a time. Ended, it takes its question with it and nothing else."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Mapping
from dataclasses import is_dataclass
from math import isfinite
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from torsor.errors import TorsorError

OUR_FAULT = "this is an error in Torsor itself; the terminal of the studio has its traceback"


def work(line: Connection, files: Mapping[str, Path], confined: bool = True) -> None:
    """Answers what comes along the line until it ends: ("progress", text) on the way, at last an answer or an error."""
    from torsor.emit import disk
    from torsor.studio.confinement import Confinement
    from torsor.studio.questions import QUESTIONS
    from torsor.studio.shelf import Shelf

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="torsor-studio-") as own:
        tempfile.tempdir = own
        cache = disk.folder()
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        confinement = Confinement(files.values(), [own, cache])
        if confined:
            confinement.begin()
        shelf = Shelf(files, confinement)
        while True:
            try:
                name, asked, uploads = line.recv()
            except (EOFError, OSError):
                return
            for label, text in uploads.items():
                shelf.upload(label, text)
            line.send(_answered(QUESTIONS[name].answer, shelf, asked, lambda text: line.send(("progress", text))))


def _answered(answer: Any, shelf: Any, asked: Mapping[str, Any], progress: Any) -> tuple[str, bytes]:
    from pydantic import ValidationError

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):  # what is not finite is said in words
            warnings.simplefilter("ignore")
            return "answer", as_json(answer(shelf, progress, asked))
    except TorsorError as error:
        return "error", as_json({"error": told(error)})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the question"
        return "error", as_json({"error": {"text": f"{where}: {first['msg']}"}})
    except RecursionError:
        return "error", as_json({"error": {"text": "what was given is nested too deep to be understood"}})
    except MemoryError:
        return "error", as_json({"error": {"text": "there is not enough memory for this"}})
    except PermissionError as error:
        return "error", as_json({"error": {"text": str(error.strerror or error)}})
    except Exception:  # nobody is above this line but the page, which must not see our files
        traceback.print_exc()
        return "fault", as_json({"error": {"text": OUR_FAULT}})


def told(error: TorsorError) -> dict[str, Any]:
    return {
        "text": str(error),
        "problem": error.problem,
        "hint": error.hint,
        "line": error.line,
        "column": error.column,
        "kind": type(error).__name__,
    }


def as_json(value: object) -> bytes:
    return json.dumps(_plain(value), allow_nan=False, separators=(",", ":")).encode()


def _plain(value: object) -> object:
    """Arrays as lists, parts as dicts, null for what is no number."""
    match value:
        case bool() | str() | int() | None:
            return value
        case float():
            return value if isfinite(value) else None
        case np.ndarray() | np.generic():
            return _plain(value.tolist())
        case dict():
            return {str(key): _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
    return _plain(vars(value)) if is_dataclass(value) else str(value)


def _end_with(parent: int) -> None:
    """A server that was killed leaves no workers behind."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
