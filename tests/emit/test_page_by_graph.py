"""Pages of which nobody can say what they depend on are found again by what they give."""

from threading import Barrier, Thread

import numpy as np

from torsor.emit.page import Page
from torsor.emit.recent import Recent


def test_what_a_page_gives_names_its_kernel():
    gain = [2.0]

    def page():
        return Page("scaled", {"x": 2}, lambda x: {"y": gain[0] * x}, facts=None)

    first = page()
    assert first.kernel is page().kernel
    gain[0] = 3.0
    np.testing.assert_array_equal(page()([1.0, 2.0]), [3.0, 6.0])
    np.testing.assert_array_equal(first([1.0, 2.0]), [2.0, 4.0])
    assert page().kernel is not first.kernel


def test_the_oldest_goes_first():
    made = []
    kept = Recent(2)

    def ask(key):
        return kept.get(key, lambda: made.append(key) or key)

    for key in ("a", "b", "a", "c", "a", "b"):
        assert ask(key) == key
    assert made == ["a", "b", "c", "b"]


def test_what_is_heavy_pushes_more_out():
    kept, made = Recent(10, len), []

    def ask(word):
        return kept.get(word, lambda: made.append(word) or word)

    for word in ("four", "five", "four", "sixes", "four", "five", "much too long a word", "five"):
        assert ask(word) == word
    assert made == ["four", "five", "sixes", "five", "much too long a word", "five"]


def test_two_that_make_the_same_at_once_get_the_same():
    kept, both, found = Recent(2), Barrier(2), []

    def make():
        both.wait(timeout=10.0)
        return object()

    threads = [Thread(target=lambda: found.append(kept.get("key", make))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is found[1]
