# SPDX-License-Identifier: Apache-2.0
"""200 generated requests, signed by us (sign_requests.cpp) and by botocore: the same Authorization."""
import json
import os
import random
import subprocess
from pathlib import Path
from urllib.parse import quote

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from checks import Checks, expect

SEED, COUNT = 20260301, 200
PROGRAM = Path(os.environ["CONFORMANCE_CPP"]) / "sign_requests"
LETTERS = "abcXYZ019-_.~"
AWKWARD = " /:=&+*%@!'(),;?\u00f6\u00df\u2603\U0001F680"
REGIONS = ["us-west-2", "us-east-1", "eu-central-1", "cn-north-1", "us-gov-west-1", "eu-isoe-west-1"]
SERVICES = ["sqs", "ec2", "autoscaling", "elasticloadbalancing", "sts"]


class Generator:
    def __init__(self) -> None:
        self.random = random.Random(SEED)

    def text(self, longest: int, alphabet: str = LETTERS + AWKWARD) -> str:
        return "".join(self.random.choices(alphabet, k=self.random.randint(0, longest)))

    def path(self) -> str:
        """Segments as careful clients send them, encoded once; some empty, some dots."""
        segments = [self.random.choice([quote(self.text(8), safe=""), "123456789012", "a.b", "queue-1"]) for _ in range(self.random.randint(0, 4))]
        if self.random.random() < 0.2:
            segments.insert(self.random.randint(0, len(segments)), self.random.choice(["", ".", ".."]))
        return "/" + "/".join(segments) + ("/" if self.random.random() < 0.2 else "")

    def query(self) -> str:
        names = [self.text(6, LETTERS) or "k" for _ in range(3)] + ["InstanceId.2", "InstanceId.10", "InstanceId.1", "Action"]
        pairs = []
        for _ in range(self.random.randint(0, 7)):
            name = quote(self.random.choice([*names, self.text(5) or "n"]), safe="-_.~")
            pairs.append(name if self.random.random() < 0.1 else f"{name}={quote(self.text(10), safe='-_.~')}")
        return "?" + "&".join(pairs) if pairs else ""

    def headers(self) -> list[tuple[str, str]]:
        found = []
        if self.random.random() < 0.7:
            found.append(("Content-Type", self.random.choice(["application/x-amz-json-1.0", "application/x-www-form-urlencoded; charset=utf-8"])))
        if self.random.random() < 0.5:
            found.append(("X-Amz-Target", "AmazonSQS." + self.random.choice(["ReceiveMessage", "DeleteMessage"])))
        for i in range(self.random.randint(0, 3)):
            value = "  ".join(self.text(5, "abcABC,;=/") for _ in range(self.random.randint(1, 4)))
            found.append((self.random.choice([f"X-Amz-Meta-{i}", f"x-AMZ-meta-{i}"]), f"{' ' * self.random.randint(0, 2)}{value} "))
        if self.random.random() < 0.3:
            found.append(("User-Agent", "ferryman/0 (x; y)"))
        self.random.shuffle(found)
        return found

    def request(self) -> dict:
        host = self.random.choice(["sqs.us-west-2.amazonaws.com", "127.0.0.1:4566", "ec2.eu-central-1.amazonaws.com:443", "localhost"])
        scheme = self.random.choice(["http", "https"])
        return {"method": self.random.choice(["GET", "POST", "PUT", "DELETE", "HEAD"]), "url": f"{scheme}://{host}{self.path()}{self.query()}",
                "headers": self.headers(), "body": self.text(60) if self.random.random() < 0.7 else "",
                "key": "AKID" + self.text(12, "ABCDEF234"), "secret": self.text(40, LETTERS + "+/") or "s",
                "token": self.text(200, LETTERS + "+/=") if self.random.random() < 0.5 else "",
                "region": self.random.choice(REGIONS), "service": self.random.choice(SERVICES),
                "time": f"20{self.random.randint(20, 60)}-{self.random.randint(1, 12):02}-{self.random.randint(1, 28):02}T"
                        f"{self.random.randint(0, 23):02}:{self.random.randint(0, 59):02}:{self.random.randint(0, 59):02}Z"}


def signed_by_botocore(request: dict) -> tuple[dict, str]:
    """The headers, and what was hashed, for the reader of a difference."""
    made = AWSRequest(method=request["method"], url=request["url"], data=request["body"].encode(), headers=dict(request["headers"]))
    made.context["timestamp"] = request["time"].replace("-", "").replace(":", "")
    auth = SigV4Auth(Credentials(request["key"], request["secret"], request["token"] or None), request["service"], request["region"])
    auth._modify_request_before_signing(made)
    canonical = auth.canonical_request(made)
    auth._inject_signature_to_request(made, auth.signature(auth.string_to_sign(made, canonical), made))
    return {name: made.headers.get(name, "") for name in ("Authorization", "X-Amz-Date", "X-Amz-Security-Token")}, canonical


def same_signatures() -> None:
    generator = Generator()
    requests = [generator.request() for _ in range(COUNT)]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([PROGRAM], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    ours = [json.loads(line) for line in done.stdout.splitlines()]
    expect(len(ours) == COUNT, f"{len(ours)} answers")
    wrong = []
    for request, own in zip(requests, ours):
        theirs, canonical = signed_by_botocore(request)
        if own != theirs:
            wrong.append(f"{request}\nours {own}\ntheirs {theirs}\nfor {canonical!r}")
    expect(not wrong, lambda: f"{len(wrong)} of {COUNT} differ; the first: {wrong[0]}")


def run(checks: Checks) -> None:
    checks.run(f"signatures: {COUNT} generated requests are signed as botocore signs them", same_signatures)
