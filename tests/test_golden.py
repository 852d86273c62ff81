"""What the compiler makes of one small arm, as text: a change in a page, a rule or a printer is seen here first.

Regenerate with ``python tests/test_golden.py`` and read the difference before it is committed.
"""

from pathlib import Path

import pytest

import torsor
from torsor.emit.c99 import to_c
from torsor.emit.python_source import to_python
from torsor.mechanics.asking import trace

GOLDEN = Path(__file__).parent / "golden"


def texts() -> dict[str, str]:
    """Inverse dynamics of planar2, from its arm file to text in every language, by file name."""
    tape = trace(torsor.load("planar2")._trees, "inverse_dynamics")
    # round states: the expected values of the self-test then do not hang on the last bit of a sine
    states = [([0.0, 0.0], [0.0, 0.0], [0.0, 0.0]), ([0.0, 0.0], [1.0, 2.0], [3.0, 4.0])]
    files = to_c(tape, robot="planar2", formulation="newton-euler", version="(golden)", states=states)
    return {
        "planar2_inverse_dynamics.tape": tape.text() + "\n",
        "planar2_inverse_dynamics.h": files.header,
        "planar2_inverse_dynamics.c": files.source,
        "planar2_inverse_dynamics.py.txt": to_python(tape),
    }


@pytest.fixture(scope="module")
def made():
    return texts()


def test_golden_files(made):
    assert sorted(made) == sorted(path.name for path in GOLDEN.iterdir())
    for name, text in made.items():
        assert text == (GOLDEN / name).read_text(), name


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in texts().items():
        (GOLDEN / name).write_text(text)
