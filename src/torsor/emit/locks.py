"""Locks that a forked process finds free."""

from __future__ import annotations

import os
import threading


def fork_safe_lock() -> threading.RLock:
    """A lock that nobody else holds while the process is forked: in the child nobody would ever let go of it.

    Who forks waits for it; so who holds one of them must not wait for another.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
