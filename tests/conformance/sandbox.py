# SPDX-License-Identifier: Apache-2.0
"""`ferryman sandbox` as a partner's counterpart: its environment and its control API (docs/sandbox.md)."""
import json
import urllib.request

from processes import FERRYMAN, WORK, Processes, ready


class Sandbox:
    def __init__(self, processes: Processes, scenario: str, name: str = "sandbox", flags: tuple = (), patience: float = 20) -> None:
        scenario_file, env_file = WORK / f"{name}.yaml", WORK / f"{name}.env"
        scenario_file.write_text(scenario)
        self.process = processes.start(name, [FERRYMAN, "sandbox", f"--scenario={scenario_file}", f"--env-file={env_file}", *flags],
                                       {"TMPDIR": str(WORK)})
        ready(self.process, patience, lambda: "control API at" in self.process.said())
        exports = [line.removeprefix("export ").split("=", 1) for line in env_file.read_text().splitlines() if line.startswith("export ")]
        self.env = {key: value.strip("'") for key, value in exports}

    def control(self, path: str, body: dict | None = None, method: str | None = None) -> dict:
        """GET, or POST when there is a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.env['FERRYMAN_SANDBOX_CONTROL']}/sandbox/{path}", data, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "{}")

    def state(self) -> dict:
        return self.control("state")

    def journal(self, since: int = 0) -> list[dict]:
        return self.control(f"journal?since={since}")["entries"]
