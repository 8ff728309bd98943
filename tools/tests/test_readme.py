# SPDX-License-Identifier: Apache-2.0
"""The commands of the README's "Run it for real", run by a shell with stand-ins for aws, kubectl and docker: names are filled in everywhere."""
import json
import os
import re
import subprocess
import tempfile
import unittest
from fnmatch import fnmatch
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
PLACEHOLDER = re.compile(r"\b(REGION|ACCOUNT|QUEUE|ROLE|IMAGE|CLUSTER|GROUP|PARTITION)\b")
STAND_IN = """#!/usr/bin/env python3
import json, os, sys
words = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
if words[-2:] == ["-f", "-"]:
    words.append(sys.stdin.read())
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(words) + "\\n")
if words[1:3] == ["sqs", "create-queue"]:
    print("https://sqs.us-gov-west-1.amazonaws.com/999999999999/blue-ferryman")
if words[1:3] == ["eks", "describe-cluster"]:
    print("https://oidc.eks.us-gov-west-1.amazonaws.com/id/ABC")
"""


def blocks():
    text = (ROOT / "README.md").read_text().split("## Run it for real")[1].split("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", text, re.S)


def run(script: str, shell: str = "bash") -> list:
    """What the stand-ins were called with."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("aws", "kubectl", "docker"):
            (Path(folder) / name).write_text(STAND_IN)
            (Path(folder) / name).chmod(0o755)
        calls = Path(folder) / "calls"
        env = {"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(calls)}
        subprocess.run([shell, "-euc", script], cwd=ROOT, env=env, check=True, capture_output=True, text=True)
        return [json.loads(line) for line in calls.read_text().splitlines()]


def own_names(script: str) -> str:
    return (script.replace("CLUSTER=prod REGION=us-west-2 ACCOUNT=123456789012", "CLUSTER=blue REGION=us-gov-west-1 ACCOUNT=999999999999")
            .replace("PARTITION=aws ", "PARTITION=aws-us-gov "))


def option(call: list, name: str) -> str:
    return call[call.index(name) + 1]


class RunItForReal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        parts = blocks()
        roles_for_accounts = [part for part in parts if "pods.eks" not in part and "pod-identity" not in part]
        cls.calls = run(own_names("".join(roles_for_accounts)), "sh")
        cls.with_pod_identity = run(own_names("".join(parts)))

    def one(self, *words: str) -> list:
        (call,) = [call for call in self.calls if call[:len(words)] == list(words)]
        return call

    def test_no_placeholder_is_left_and_the_partition_is_the_users(self):
        for call in self.calls + self.with_pod_identity:
            for word in call:
                told = "\n".join(line for line in word.splitlines() if not line.lstrip().startswith("#"))
                self.assertIsNone(PLACEHOLDER.search(told), told)
                self.assertNotIn("arn:aws:", told)

    def test_events_may_be_sent_to_the_queue(self):
        attributes = json.loads(option(self.one("aws", "sqs", "create-queue"), "--attributes"))
        (statement,) = json.loads(attributes["Policy"])["Statement"]
        self.assertEqual(statement["Resource"], "arn:aws-us-gov:sqs:us-gov-west-1:999999999999:blue-ferryman")
        rules = {option(call, "--name") for call in self.calls if "put-rule" in call}
        self.assertEqual(rules, {"blue-ferryman", "blue-ferryman-health"})
        for rule in rules:
            self.assertTrue(fnmatch(f"arn:aws-us-gov:events:us-gov-west-1:999999999999:rule/{rule}",
                                    statement["Condition"]["ArnLike"]["aws:SourceArn"]), rule)
        targets = {option(call, "--rule"): option(call, "--targets") for call in self.calls if "put-targets" in call}
        self.assertEqual(targets, dict.fromkeys(rules, "Id=ferryman,Arn=" + statement["Resource"]))
        self.assertEqual(len([call for call in self.calls if "put-lifecycle-hook" in call]), 2)

    def test_the_role_is_for_our_service_account_and_has_the_deployed_policy(self):
        role = self.one("aws", "iam", "create-role")
        (trust,) = json.loads(option(role, "--assume-role-policy-document"))["Statement"]
        issuer = "oidc.eks.us-gov-west-1.amazonaws.com/id/ABC"
        self.assertEqual(trust["Principal"]["Federated"], f"arn:aws-us-gov:iam::999999999999:oidc-provider/{issuer}")
        self.assertEqual(trust["Condition"]["StringEquals"], {f"{issuer}:sub": "system:serviceaccount:ferryman:ferryman",
                                                             f"{issuer}:aud": "sts.amazonaws.com"})
        policy = json.loads(option(self.one("aws", "iam", "put-role-policy"), "--policy-document"))
        self.assertEqual(policy["Statement"][0]["Resource"], "arn:aws-us-gov:sqs:us-gov-west-1:999999999999:blue-ferryman")

    def test_pod_identity_trusts_the_service_that_hands_out_roles(self):
        (role,) = [call for call in self.with_pod_identity if "create-role" in call]
        (trust,) = json.loads(option(role, "--assume-role-policy-document"))["Statement"]
        self.assertEqual(trust["Principal"], {"Service": "pods.eks.amazonaws.com"})
        self.assertTrue(any("create-pod-identity-association" in call for call in self.with_pod_identity))

    def test_what_is_applied_has_the_queue_the_role_and_the_image(self):
        applied = [item for call in self.calls if call[:2] == ["kubectl", "apply"] for item in yaml.safe_load_all(call[-1])]
        kinds = {item["kind"]: item for item in applied}
        self.assertEqual(list(kinds)[0], "Namespace")
        self.assertEqual(kinds["ServiceAccount"]["metadata"]["annotations"]["eks.amazonaws.com/role-arn"],
                         "arn:aws-us-gov:iam::999999999999:role/blue-ferryman")
        (container,) = kinds["Deployment"]["spec"]["template"]["spec"]["containers"]
        self.assertEqual(container["image"], "999999999999.dkr.ecr.us-gov-west-1.amazonaws.com/ferryman:0.1.0")
        env = {variable["name"]: variable.get("value") for variable in container["env"]}
        self.assertEqual(env["FERRYMAN_QUEUE_URL"], "https://sqs.us-gov-west-1.amazonaws.com/999999999999/blue-ferryman")


if __name__ == "__main__":
    unittest.main()
