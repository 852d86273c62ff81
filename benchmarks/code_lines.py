"""Lines of code room by room, at a revision and now: without docstrings, comments and blank lines.

python benchmarks/code_lines.py 8e43e4b
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = "src/torsor"


def code_lines(text: str) -> int:
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines = enumerate(text.splitlines(), start=1)
    return sum(1 for k, line in lines if line.strip() and not line.strip().startswith("#") and k not in docstrings)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def at_revision(revision: str) -> Counter[str]:
    files = [name for name in _git("ls-tree", "-r", "--name-only", revision, SOURCES).split() if name.endswith(".py")]
    return _by_room({name: _git("show", f"{revision}:{name}") for name in files})


def now() -> Counter[str]:
    return _by_room({str(p.relative_to(ROOT)): p.read_text() for p in (ROOT / SOURCES).rglob("*.py")})


def _by_room(texts: dict[str, str]) -> Counter[str]:
    rooms: Counter[str] = Counter()
    for name, text in texts.items():
        rooms[Path(name).relative_to(SOURCES).parts[0]] += code_lines(text)
    return rooms


def main() -> None:
    before, after = at_revision(sys.argv[1]) if len(sys.argv) > 1 else Counter[str](), now()
    for room in sorted(before | after):
        print(f"{room:16} {before[room] or '':>7} {after[room]:7}")
    total = before.total(), after.total()
    change = f" ({(total[1] / total[0] - 1) * 100:+.1f} %)" if total[0] else ""
    print(f"{'total':16} {total[0] or '':>7} {total[1]:7}{change}")


if __name__ == "__main__":
    main()
