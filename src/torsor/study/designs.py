"""Where the numbers u in (0, 1) of a study's samples come from. Each belongs to its sample, whoever computes it when.

- ``random``: independent, from a counter-based generator that is keyed by the seed and the name of what varies, so
  that another variation changes none of the others;
- ``sobol``: scrambled Sobol points, which fill the space evenly (samples a power of two keep their balance);
- ``latin``: a Latin hypercube, one sample in each of as many slices of every variation;
- ``saltelli``: Sobol points in pairs A, B and, for each variation, A with that one taken from B: of so many samples
  come samples (d + 2) runs, from which Sobol's indices are estimated.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from torsor.emit.recent import Recent
from torsor.errors import StudyError, did_you_mean
from torsor.model.transforms import Floats

DesignName = Literal["random", "sobol", "latin", "saltelli"]
BLOCK = 4096  # samples that one generator draws
MOST_LATIN = 10_000_000  # a Latin hypercube is made as a whole
BITS = 30  # of a number of Sobol's
MOST_SOBOL = 2**BITS
LEAST, MOST = 2.0**-54, 1.0 - 2.0**-53  # nearer to 0 or 1 no quantile is asked for


def rows_a_sample(design: DesignName, variations: int) -> int:
    """How many runs each sample asks for."""
    return variations + 2 if design == "saltelli" else 1


def require_design(design: str, samples: int, variations: int) -> None:
    known = get_args(DesignName)
    if design not in known:
        raise StudyError(f"there is no design {design!r}", hint=did_you_mean(design, known))
    if samples < 1:
        raise StudyError(f"samples is {samples}", hint="one or more")
    most = {"latin": MOST_LATIN, "sobol": MOST_SOBOL, "saltelli": MOST_SOBOL}.get(design)
    if most is not None and samples > most:
        raise StudyError(f"{samples} samples are too many for the design {design!r}", hint=f"at most {most}, or random")
    if design == "saltelli" and variations < 1:
        raise StudyError("the design 'saltelli' has nothing to compare", hint="let a distribution vary")


def unit_numbers(design: DesignName, names: Sequence[str], samples: int, seed: int, start: int, stop: int) -> Floats:
    """(stop - start, names) numbers of these rows, out of ``samples`` times `rows_a_sample`.

    >>> whole = unit_numbers("random", ["a", "b"], 9, 7, 0, 9)
    >>> bool((unit_numbers("random", ["a", "b"], 9, 7, 4, 6) == whole[4:6]).all())
    True
    """
    if design == "saltelli":
        return _saltelli(names, seed, start, stop)
    if design == "random":
        columns = [_random(name, seed, start, stop) for name in names]
        return np.stack(columns, axis=-1) if columns else np.zeros((stop - start, 0))
    if not names:
        return np.zeros((stop - start, 0))
    if design == "sobol":
        return _sobol(len(names), seed, start, stop)
    return _inside(_HYPERCUBES.get((len(names), samples, seed), lambda: _latin(len(names), samples, seed))[start:stop])


def _latin(dimensions: int, samples: int, seed: int) -> Floats:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(dimensions, rng=np.random.default_rng(seed)).random(samples))


def _random(name: str, seed: int, start: int, stop: int) -> Floats:
    digest = blake2b(f"{seed}/{name}".encode(), digest_size=16).digest()
    key = np.frombuffer(digest, dtype="<u8")
    first, last = start // BLOCK, max(start, stop - 1) // BLOCK
    parts = []
    for block in range(first, last + 1):
        # a generator may draw 2^64 numbers before it meets those of the next block
        generator = np.random.Generator(np.random.Philox(key=key, counter=[0, block, 0, 0]))
        parts.append(generator.random(BLOCK))
    return _inside(np.concatenate(parts)[start - first * BLOCK : stop - first * BLOCK])


class SobolPoints:
    """A scrambled sequence of SciPy's, any part of it at once.

    Sobol's points are linear over bits: point n is point 0 XOR what each bit of n stands for, and that is told by the
    points 1, 2, 4, 8, ...
    """

    def __init__(self, dimensions: int, seed: int) -> None:
        from scipy.stats import qmc

        self._lock = threading.Lock()
        with _unbalanced():
            self._points = qmc.Sobol(dimensions, scramble=True, bits=BITS, rng=np.random.default_rng(seed))
            self._first = self._drawn(0)
        self._bits: list[NDArray[np.uint32]] = []

    def _drawn(self, n: int) -> NDArray[np.uint32]:
        if n > self._points.num_generated:
            self._points.fast_forward(n - self._points.num_generated)
        return np.asarray(self._points.random(1)[0] * 2.0**BITS).astype(np.uint32)

    def _stand_for(self, stop: int) -> list[NDArray[np.uint32]]:
        """What each bit of numbers below ``stop`` changes."""
        with self._lock, _unbalanced():
            while len(self._bits) < (stop - 1).bit_length():
                self._bits.append(self._drawn(1 << len(self._bits)) ^ self._first)
            return self._bits[:]

    def between(self, start: int, stop: int) -> Floats:
        """(stop - start, dimensions)."""
        bits, low = self._stand_for(stop), BLOCK.bit_length() - 1
        block = np.zeros((1, len(self._first)), dtype=np.uint32)
        for each in bits[:low]:
            block = np.concatenate([block, block ^ each])
        found = np.empty((stop - start, len(self._first)), dtype=np.uint32)
        for k in range(start // BLOCK, (stop - 1) // BLOCK + 1):
            own = self._first.copy()
            for bit, each in enumerate(bits[low:]):
                if k >> bit & 1:
                    own ^= each
            begin, end = max(start, k * BLOCK), min(stop, (k + 1) * BLOCK)
            np.bitwise_xor(block[begin - k * BLOCK : end - k * BLOCK], own, out=found[begin - start : end - start])
        return np.asarray(found * np.float64(2.0**-BITS))


@contextmanager
def _unbalanced() -> Iterator[None]:
    """A part of the sequence need not be a power of two."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


_SEQUENCES: Recent[SobolPoints] = Recent(8)
_HYPERCUBES: Recent[Floats] = Recent(1)


def _sobol(dimensions: int, seed: int, start: int, stop: int) -> Floats:
    return _inside(_SEQUENCES.get((dimensions, seed), lambda: SobolPoints(dimensions, seed)).between(start, stop))


def _saltelli(names: Sequence[str], seed: int, start: int, stop: int) -> Floats:
    d = len(names)
    rows = np.arange(start, stop)
    sample, kind = rows // (d + 2), rows % (d + 2)
    first = int(sample[0])
    points = _sobol(2 * d, seed, first, int(sample[-1]) + 1)
    a, b = points[sample - first, :d], points[sample - first, d:]
    from_b = (kind == 1)[:, None] | (kind[:, None] - 2 == np.arange(d))
    return np.where(from_b, b, a)


def _inside(u: Floats) -> Floats:
    return np.clip(u, LEAST, MOST)
