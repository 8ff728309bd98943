# SPDX-License-Identifier: Apache-2.0
"""boto3's clients of the sandbox (or of moto), each answer judged by strict.py, and how their errors are told."""
import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from checks import expect
from strict import watch


class Clients:
    """`clients.sqs` and so on: made when first used, kept. `answers` has (service, operation, status) of every call."""

    def __init__(self, env: dict, strict: bool = True, attempts: int = 9, **more) -> None:
        self.env, self.strict, self.attempts, self.more, self.answers = env, strict, attempts, more, []

    def __getattr__(self, service: str):
        client = self.make(service)
        setattr(self, service, client)
        return client

    def make(self, service: str, attempts: int = 0):
        keys = {"aws_access_key_id": self.env["AWS_ACCESS_KEY_ID"], "aws_secret_access_key": self.env["AWS_SECRET_ACCESS_KEY"]}
        client = boto3.client(service, endpoint_url=self.env["AWS_ENDPOINT_URL"], region_name=self.env["AWS_REGION"],
                              config=Config(retries={"mode": "standard", "total_max_attempts": attempts or self.attempts}), **(keys | self.more))
        if self.strict:
            watch(client, self.answers)
        return client


def nobodys(arn: str) -> str:
    """An ARN of the same form that nobody has."""
    return arn[:-1] + ("1" if arn.endswith("0") else "0")


def refused(code: str, status: int, call, **arguments) -> str:
    """The call must fail with that code and status; the error's text."""
    try:
        answer = call(**arguments)
    except ClientError as error:
        got = (error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"])
        expect(got == (code, status), f"refused with {got}, not {(code, status)}: {error}")
        expect(error.response["Error"].get("Message"), "the refusal has no text")
        return error.response["Error"]["Message"]
    expect(False, f"not refused with {code}, but answered {answer}")
    return ""


def pages(client, operation: str, result: str, size: int, **arguments) -> list:
    """Everything that a paginator finds, when it takes more than one page to do so."""
    found, count = [], 0
    for page in client.get_paginator(operation).paginate(PaginationConfig={"PageSize": size}, **arguments):
        found += page.get(result, [])
        expect(len(page.get(result, [])) <= size, f"a page of {len(page[result])}")
        count += 1
    expect(count > 1, f"{len(found)} in one page of {size}")
    return found
