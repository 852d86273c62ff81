"""``torsor cache``: the compiled kernels on disk."""

from __future__ import annotations

import os
from typing import Annotated

from cyclopts import Parameter

from torsor.cli.printing import print_facts, print_json
from torsor.cli.shared_options import Json

Clear = Annotated[bool, Parameter(negative="", help="Remove all of them.")]

STATES = {
    "ready": "",
    "missing": "not there yet: the first kernel makes it",
    "refused": "not used: it belongs to somebody else or others may write to it (chmod go-w)",
}


def cache(*, clear: Clear = False, json: Json = False) -> None:
    """Shows where compiled kernels are kept, or removes them.

    Example: torsor cache --clear

    A kernel that is missing is compiled again when it is next asked for. The environment variable TORSOR_CACHE moves
    the folder.
    """
    from torsor.emit import disk

    removed = {"removed": disk.clear()} if clear else {}
    entries, size = disk.size()
    folder, state, most = str(disk.folder()), disk.state(), disk.MOST_BYTES
    if json:
        document = {"folder": folder, "state": state, "entries": entries, "bytes": size, "most_bytes": most}
        print_json(document | removed)
        return
    facts = {"folder": folder + " (TORSOR_CACHE)" * bool(os.environ.get("TORSOR_CACHE"))} | removed
    facts |= {"entries": entries, "size": f"{megabytes(size)} of {megabytes(most)}"}
    facts |= {"state": STATES[state]} if STATES[state] else {}
    print_facts((word, str(fact)) for word, fact in facts.items())


def megabytes(size: int) -> str:
    """In MB of 2^20 bytes.

    >>> megabytes(0), megabytes(300_000), megabytes(256 * 2**20)
    ('0 MB', '0.3 MB', '256 MB')
    """
    return f"{round(size / 2**20, 1):g} MB"
