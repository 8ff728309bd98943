# SPDX-License-Identifier: Apache-2.0
"""Checks of a partner: one line each, and the last line that `run` of the frame reads."""
import sys
import threading
import time
import traceback


class Failed(Exception):
    """What was expected and what came, for the reader of the line."""


def expect(condition, text) -> None:
    if not condition:
        raise Failed(text() if callable(text) else text)


def eventually(seconds: float, condition, text="") -> None:
    """Waits until condition() is true; its last falsy value or exception is in the failure."""
    end = time.monotonic() + seconds
    while True:
        try:
            got = condition()
            if got:
                return
        except (Failed, OSError, KeyError, IndexError) as error:
            got = error
        if time.monotonic() >= end:
            raise Failed(f"not within {seconds:g} s: {text() if callable(text) else text} (last: {got!r})")
        time.sleep(0.05)


class Checks:
    """Counts; a check that raises has failed, and the next one runs all the same. Threads may share one."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self._lock = threading.Lock()

    def run(self, text: str, body, *arguments) -> bool:
        begun = time.monotonic()
        try:
            body(*arguments)
        except Exception as error:  # whatever it is, it is this check's failure
            reason = str(error) if isinstance(error, Failed) else traceback.format_exc(limit=-3).strip()
            with self._lock:
                self.failed += 1
                print(f"FAIL  {text}\n        " + reason.replace("\n", "\n        "))
            return False
        with self._lock:
            self.passed += 1
            print(f"ok    {text} ({time.monotonic() - begun:.1f} s)")
        return True

    def end(self) -> None:
        """Prints the counts and ends the program."""
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
