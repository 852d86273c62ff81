"""Which file something was read from, so that whoever holds the result can tell whether he holds the same file."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

LIBRARY = Path(__file__).parent / "library"
SHORT = 8  # digits of a hash that a person compares


@dataclass(frozen=True)
class FileMark:
    """A file's path as it was given, and the SHA-256 of its text; ``sha256sum FILE`` prints the same.

    Where the library of arms lies is no matter: its files are named within it.
    """

    path: str
    digest: str
    stands_on: FileMark | None = None  # another file that it says what is different from

    @classmethod
    def of(cls, path: str, text: str) -> FileMark | None:
        """Of a text that was read from a file; None where it came from nowhere, as ``<text>`` says.

        >>> str(FileMark.of("a.toml", "")), FileMark.of("<text>", "")
        ('a.toml (sha256 e3b0c442)', None)
        """
        if path == "<text>":
            return None
        shown = f"library/{Path(path).name}" if Path(path).parent == LIBRARY else path
        return cls(shown, sha256(text.encode("utf-8", "surrogatepass")).hexdigest())

    @property
    def short(self) -> str:
        return self.digest[:SHORT]

    def __str__(self) -> str:
        below = "" if self.stands_on is None else f" on {self.stands_on}"
        return f"{self.path} (sha256 {self.short}){below}"
