# SPDX-License-Identifier: Apache-2.0
"""What a partner starts, on loopback, with a log file each in CONFORMANCE_WORK, and stops in the reverse order."""
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

WORK = Path(os.environ["CONFORMANCE_WORK"])
CACHE = Path(os.environ["CONFORMANCE_CACHE"])
FERRYMAN = os.environ["FERRYMAN"]


_given: set[int] = set()


def free_port() -> int:
    """One that nobody has, and that was not given before."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port not in _given:
            _given.add(port)
            return port


class Process:
    def __init__(self, name: str, command: list, env: dict | None) -> None:
        self.name, self.log = name, WORK / f"{name}.log"
        with open(self.log, "ab") as output:
            self.child = subprocess.Popen([str(word) for word in command], env=env, cwd=WORK, stdin=subprocess.DEVNULL,
                                          stdout=output, stderr=subprocess.STDOUT)

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def tail(self, lines: int = 15) -> str:
        return f"{self.name} said:\n" + "\n".join(self.said().splitlines()[-lines:])

    def alive(self) -> bool:
        return self.child.poll() is None

    def stop(self, seconds: float = 20) -> int:
        """SIGTERM, then SIGKILL; the exit status, negative for a signal."""
        if self.alive():
            self.child.terminate()
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return self.kill()

    def kill(self) -> int:
        self.child.kill()
        return self.child.wait()


class Processes:
    """Use as `with Processes() as processes:`; SIGTERM and Ctrl-C stop everything too."""

    def __init__(self) -> None:
        self.started: list[Process] = []

    def start(self, name: str, command: list, env: dict | None = None) -> Process:
        process = Process(name, command, env)
        self.started.append(process)
        return process

    def __enter__(self) -> "Processes":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self.started):
            process.stop()


def ready(process: Process, seconds: float, condition) -> None:
    """Waits until condition() holds; ends the partner when the process dies or takes too long."""
    end = time.monotonic() + seconds
    while not condition():
        if not process.alive() or time.monotonic() >= end:
            sys.exit(f"{process.name} is not ready (exit status {process.child.poll()}). {process.tail()}")
        time.sleep(0.05)
