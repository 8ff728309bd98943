# SPDX-License-Identifier: Apache-2.0
"""The sandbox has exactly the operations that docs/sandbox.md lists, and boto3 and the AWS CLI have called each of them."""
import re
import time
import urllib.error
import urllib.request
from pathlib import Path

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from checks import Checks, Failed, expect
from sandbox import Sandbox

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sandbox.md"
ROWS = {"SQS": "sqs", "EC2": "ec2", "Auto Scaling": "autoscaling", "Elastic Load Balancing 2": "elbv2",
        "Elastic Load Balancing, classic": "elb", "STS": "sts"}


def documented() -> dict[str, set[str]]:
    found = {}
    for title, operations in re.findall(r"^\| ([^|]+) \| ((?:`[A-Z]\w+`(?:, )?)+) \|$", PAGE.read_text(), re.MULTILINE):
        expect(title in ROWS, f"a row {title} in docs/sandbox.md")
        found[ROWS[title]] = set(re.findall(r"`(\w+)`", operations))
    expect(set(found) == set(ROWS.values()), f"docs/sandbox.md lists {set(found)}")
    return found


class Prober:
    """Calls by name alone, in the query protocols, without botocore's checks of parameters."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.env = sandbox.env

    def code(self, model, operation: str) -> str:
        body = f"Action={operation}&Version={model.metadata['apiVersion']}"
        request = AWSRequest("POST", self.env["AWS_ENDPOINT_URL"] + "/", {"Content-Type": "application/x-www-form-urlencoded"}, body.encode())
        keys = Credentials(self.env["AWS_ACCESS_KEY_ID"], self.env["AWS_SECRET_ACCESS_KEY"])
        SigV4Auth(keys, model.metadata.get("signingName", model.metadata["endpointPrefix"]), self.env["AWS_REGION"]).add_auth(request)
        sent = urllib.request.Request(request.url, request.data, dict(request.headers), method="POST")
        try:
            with urllib.request.urlopen(sent, timeout=20):
                return "ok"
        except urllib.error.HTTPError as error:
            return re.search(r"<Code>([^<]+)</Code>", error.read().decode())[1]

    def known(self, model, operation: str) -> bool:
        for _ in range(100):
            code = self.code(model, operation)
            if code not in ("Throttling", "RequestLimitExceeded"):
                return code != "InvalidAction"
            time.sleep(0.2)
        raise Failed(f"{operation} is always throttled")


def documented_and_no_others(sandbox: Sandbox) -> None:
    prober = Prober(sandbox)
    for service, listed in documented().items():
        model = boto3.client(service, region_name="us-west-2", aws_access_key_id="a", aws_secret_access_key="b").meta.service_model
        known = {operation for operation in model.operation_names if prober.known(model, operation)}
        expect(known == listed, f"{service}: listed but not there: {listed - known}; there but not listed: {known - listed}")


def all_called(called: set[tuple[str, str]]) -> None:
    missing = {(service, operation) for service, listed in documented().items() for operation in listed
               if (service, operation.lower()) not in called}
    expect(not missing, f"not called: {sorted(missing)}")


def run(checks: Checks, sandbox: Sandbox, by_boto3: list, by_cli: set) -> None:
    checks.run("coverage: the sandbox has the operations that its page lists, and no others", documented_and_no_others, sandbox)
    checks.run("coverage: boto3 called each of them with success", all_called,
               {(service, operation.lower()) for service, operation, status in by_boto3 if status == 200})
    checks.run("coverage: the AWS CLI called each of them with success", all_called, by_cli)
