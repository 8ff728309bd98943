# SPDX-License-Identifier: Apache-2.0
"""What `run` starts: parts, in order. Those of the sandbox share one."""
import os
import re
import subprocess
import sys
from pathlib import Path

import access_checks
import balancer_checks
import cli_checks
import compare_checks
import coverage_checks
import group_checks
import moto_checks
import signer_checks
import sqs_checks
import tls_checks
from checks import Checks
from clients import Clients
from moto_world import Moto
from processes import Processes
from sandbox import Sandbox

HERE = Path(__file__).resolve().parent
QUERY = Path(os.environ["CONFORMANCE_QUERY_PROGRAMS"])
PARTS = {"signer", "moto", "compare", "access", "tls", "sqs", "groups", "balancers", "cli"}
SCENARIO = """
nodes: 6
nodesPerGroup: 2
podsPerNode: 1
foreignInstances: 1
targetGroups: 5
classicElbs: 3
deregistrationDelay: 2s
boot: 1s
join: 1s
shutdown: 1s
heartbeatTimeout: 30s
"""


def run_older(checks: Checks, sandbox: Sandbox) -> None:
    """The same checks with a botocore that speaks SQS's query protocol."""
    done = subprocess.run([QUERY / "python", HERE / "sqs_checks.py"], env=os.environ | sandbox.env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    *lines, last = done.stdout.splitlines() or [""]
    print("\n".join(lines))
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    checks.passed += int(counts[1]) if counts else 0
    checks.failed += int(counts[2]) if counts else 1
    if not counts:
        print(f"FAIL  the older client ended with: {last}")


def judge_sandbox(checks: Checks, processes: Processes, parts: list[str]) -> None:
    sandbox = Sandbox(processes, SCENARIO)
    clients = Clients(sandbox.env)
    if "sqs" in parts:
        sqs_checks.run(checks, clients)
        run_older(checks, sandbox)
    if "groups" in parts:
        group_checks.run(checks, clients, sandbox)
    if "balancers" in parts:
        balancer_checks.run(checks, clients)
    if "cli" in parts:
        by_cli = cli_checks.run(checks, sandbox, Path(sys.executable).parent, QUERY)
        if PARTS <= set(parts):  # the others have called too
            coverage_checks.run(checks, sandbox, clients.answers, by_cli)


def main() -> None:
    checks = Checks()
    parts = os.environ.get("CONFORMANCE_PARTS", " ".join(PARTS)).split()
    with Processes() as processes:
        if "signer" in parts:
            signer_checks.run(checks)
        if "moto" in parts:
            moto_checks.run(checks, processes)
        if "compare" in parts:
            other = Sandbox(processes, SCENARIO, name="compared")
            moto = Moto(processes, "compared-moto")
            compare_checks.run(checks, Clients(other.env, attempts=1), Clients(moto.env, strict=False, attempts=1))
        if "access" in parts:
            access_checks.run(checks, processes, SCENARIO)
        if "tls" in parts:
            tls_checks.run(checks, processes, SCENARIO, Path(sys.executable).parent)
        if set(parts) - {"signer", "moto", "compare", "access", "tls"}:
            judge_sandbox(checks, processes, parts)
    checks.end()


if __name__ == "__main__":
    main()
