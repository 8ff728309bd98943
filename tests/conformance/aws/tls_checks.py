# SPDX-License-Identifier: Apache-2.0
"""AWS over HTTPS under the sandbox's own authority: boto3, the AWS CLI and our clients trust it when they are told to, and only then."""
import os
from pathlib import Path

from botocore.exceptions import SSLError

from checks import Checks, Failed, expect
from cli_checks import Cli
from clients import Clients
from moto_world import Ours
from processes import Processes
from sandbox import Sandbox

PROGRAM = Path(os.environ["CONFORMANCE_CPP"]) / "aws_calls"


def boto3_trusts_the_bundle_only(sandbox: Sandbox) -> None:
    sqs = Clients(sandbox.env, verify=sandbox.env["AWS_CA_BUNDLE"]).sqs
    url = sqs.create_queue(QueueName="by-tls")["QueueUrl"]
    expect(url.startswith("https://") and url == sqs.get_queue_url(QueueName="by-tls")["QueueUrl"], f"the queue is {url}")
    sqs.send_message(QueueUrl=url, MessageBody="m")
    expect(len(sqs.receive_message(QueueUrl=url)["Messages"]) == 1, "not received")
    try:
        Clients(sandbox.env, attempts=1).sqs.list_queues()
    except SSLError:
        return
    raise Failed("boto3 trusts an authority that nobody told it of")


def cli_trusts_the_bundle(sandbox: Sandbox, programs: Path) -> None:
    found = Cli(programs, sandbox).ask("autoscaling", "describe-auto-scaling-groups")
    expect(found["AutoScalingGroups"], f"found {found}")


def our_clients_trust_it_when_told(sandbox: Sandbox) -> None:
    plain = {name: sandbox.env[name] for name in sandbox.env if name not in ("AWS_CA_BUNDLE", "SSL_CERT_FILE")}
    for env, trusted in ((sandbox.env, True), (plain, False)):
        with Ours(PROGRAM, env) as ours:
            got = ours.ask("elb2.groups")
            expect(("answer" in got) == trusted, f"answered {got}")


def run(checks: Checks, processes: Processes, scenario: str, programs: Path) -> None:
    sandbox = Sandbox(processes, scenario, name="tls", flags=("--tls",))
    checks.run("HTTPS: boto3 trusts the sandbox's authority by its bundle only", boto3_trusts_the_bundle_only, sandbox)
    checks.run("HTTPS: the AWS CLI takes the bundle from the environment", cli_trusts_the_bundle, sandbox, programs)
    checks.run("HTTPS: our clients take the bundle from the environment, and refuse the authority without", our_clients_trust_it_when_told, sandbox)
