# SPDX-License-Identifier: Apache-2.0
"""kubectl as its user meets it: exit status, what it prints, what it says on its error channel."""
import json
import subprocess
from pathlib import Path

from checks import expect
from processes import WORK
from sandbox import Sandbox


class Kubectl:
    def __init__(self, program: Path, sandbox: Sandbox) -> None:
        self.program, self.sandbox = program, sandbox
        home = WORK / "home"
        home.mkdir(exist_ok=True)
        self.env = sandbox.env | {"HOME": str(home), "PATH": "/usr/bin:/bin"}

    def run(self, *words: str, stdin: str | None = None) -> subprocess.CompletedProcess:
        return subprocess.run([self.program, *words], env=self.env, cwd=WORK, input=stdin or "", capture_output=True,
                              text=True, timeout=60, check=False)

    def ok(self, *words: str, stdin: str | None = None) -> str:
        done = self.run(*words, stdin=stdin)
        expect(done.returncode == 0, lambda: f"kubectl {' '.join(words)}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def says(self, wanted: str, *words: str, stdin: str | None = None) -> None:
        """It succeeds and prints exactly this."""
        said = self.ok(*words, stdin=stdin).strip()
        expect(said == wanted.strip(), lambda: f"kubectl {' '.join(words)} printed\n{said}\nnot\n{wanted.strip()}")

    def refuses(self, wanted: str, *words: str, status: int = 1, stdin: str | None = None) -> None:
        """It fails, and this stands in what it says."""
        done = self.run(*words, stdin=stdin)
        expect(done.returncode == status and wanted in done.stdout + done.stderr,
               lambda: f"kubectl {' '.join(words)}: exit status {done.returncode}, not {status} with\n{wanted}\n"
                       f"but\n{done.stdout}{done.stderr}")

    def json(self, *words: str) -> dict:
        return json.loads(self.ok(*words, "-o", "json"))

    def start(self, name: str, *words: str) -> "Background":
        return Background(self, name, words)


class Background:
    """A kubectl that goes on: `with` stops it."""

    def __init__(self, kubectl: Kubectl, name: str, words: tuple) -> None:
        self.log = WORK / f"{name}.log"
        self.output = open(self.log, "wb")
        self.child = subprocess.Popen([kubectl.program, *words], env=kubectl.env, cwd=WORK, stdin=subprocess.DEVNULL,
                                      stdout=self.output, stderr=subprocess.STDOUT)

    def said(self) -> str:
        return self.log.read_text()

    def __enter__(self) -> "Background":
        return self

    def __exit__(self, *_) -> None:
        self.child.terminate()
        self.child.wait(10)
        self.output.close()


def table(text: str) -> list[list[str]]:
    """kubectl's columns; values must hold no blanks."""
    return [line.split() for line in text.splitlines()]
