"""Searches for the records that come with Torsor, and writes them into src/torsor/records.

python benchmarks/write_records.py            all rows of `torsor compare --operations`; minutes each
python benchmarks/write_records.py RL15       those whose task has this in its name

After a change of the search: what comes with Torsor is what the search finds (tests/test_records.py).
"""

from __future__ import annotations

import sys
import time

from torsor import deriving, record_cache
from torsor.arm import Arm
from torsor.deriving import Derivation
from torsor.emit.kernel_files import DECIMALS
from torsor.loading import load
from torsor.measuring.chains import general_arm
from torsor.papers import RECORDS


def main(wanted: str = "") -> None:
    for task, robot, quantity, *_ in RECORDS:
        if wanted not in task:
            continue
        arm = load(robot) if robot else Arm(general_arm(6))
        begun, found = time.process_time(), []

        def told(what: str, share: float, task: str = task, begun: float = begun) -> None:
            print(f"{task}: {what}; {100 * share:.0f} %, {time.process_time() - begun:.0f} s", flush=True)

        # as if none were there, and of what is found the search's own words
        deriving.recalled_record = deriving.record_that_came = lambda facts: None
        deriving.keep_record = lambda facts, record, found=found: found.append(record)
        asked = Derivation(arm, quantity, parameters="base", effort="record", progress=told)
        counts = asked.equations().count()
        name = f"{arm.name}-{quantity.replace('_', '-')}"
        path = record_cache.write_record(name, asked._record_facts(DECIMALS), found[0])
        print(f"{task}: {counts.cost}, {path.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
