# SPDX-License-Identifier: Apache-2.0
"""Our AWS clients against moto, which checks every signature. What moto lacks (completions, heartbeats) must end as an error of ours."""
import os
import time
from pathlib import Path

from checks import Checks, Failed, expect
from clients import nobodys
from moto_world import Moto, Ours
from processes import Processes

PROGRAM = Path(os.environ["CONFORMANCE_CPP"]) / "aws_calls"
NOBODY = "i-0ffffffffffffffff"
BODY = "\u00fc \u2603 <&>\" \\ \t\r\n end"
CALLS = {"sqs": "sqs.receive", "ec2": "ec2.instances", "autoscaling": "groups.hooks", "elbv2": "elb2.groups", "elb": "elb.balancers"}


class MotoChecks:
    def __init__(self, moto: Moto) -> None:
        self.moto = moto
        self.ours = Ours(PROGRAM, moto.env)

    def ask(self, call: str, **arguments):
        got = self.ours.ask(call, **arguments)
        if "error" in got:
            raise Failed(f"{call}: {got['error']}")
        return got["answer"]

    def refusal(self, call: str, **arguments) -> dict:
        got = self.ours.ask(call, **arguments)
        expect("error" in got, f"{call} is answered with {got}")
        return got["error"]

    def receive(self, visibility: int = 30) -> list[dict]:
        return self.ask("sqs.receive", url=self.moto.queue, wait=1, visibility=visibility)

    def messages_are_received_released_and_deleted(self) -> None:
        sent = self.moto.user.sqs.send_message(QueueUrl=self.moto.queue, MessageBody=BODY)["MessageId"]
        (got,) = self.receive()
        expect((got["id"], got["body"], got["count"]) == (sent, BODY, 1), f"received {got}")
        self.ask("sqs.visibility", url=self.moto.queue, receipt=got["receipt"], visibility=0)
        (again,) = self.receive()
        expect(again["count"] == 2, f"received {again}")
        self.ask("sqs.delete", url=self.moto.queue, receipt=again["receipt"])
        expect(self.receive() == [], "still there")
        left = self.moto.user.sqs.get_queue_attributes(QueueUrl=self.moto.queue, AttributeNames=["All"])["Attributes"]
        expect(left["ApproximateNumberOfMessages"] == left["ApproximateNumberOfMessagesNotVisible"] == "0", f"left {left}")

    def attributes_of_the_queue_are_read(self) -> None:
        got = self.ask("sqs.facts", url=self.moto.queue)
        expect(got["arn"].endswith(":events") and (got["delay"], got["retention"], got["most"]) == (0, 345600, 0), f"read {got}")

    def errors_of_the_queue_are_told_apart(self) -> None:
        error = self.refusal("sqs.receive", url=self.moto.queue + "-none", wait=0, visibility=1)
        expect((error["fault"], error["code"]) == ("not_found", "NonExistentQueue"), f"error {error}")
        error = self.refusal("sqs.delete", url=self.moto.queue, receipt="garbage")
        expect(error["fault"] == "invalid", f"error {error}")

    def instances_are_found_by_filter(self) -> None:
        got = self.ask("ec2.instances", ids=[*self.moto.instances, NOBODY])
        expect(sorted(one["id"] for one in got) == self.moto.instances, f"found {got}")
        expect(all(one["state"] == "running" and one["name"].startswith("ip-") for one in got), f"found {got}")
        expect(got[0]["tags"]["kubernetes.io/cluster/lab"] == "owned \u00fc & co", f"tags {got[0]['tags']}")
        expect(self.ask("ec2.instances", ids=[NOBODY]) == [], "an unknown one is found")

    def plans_are_asked_for_by_id(self) -> None:
        expect(self.ask("ec2.plans", ids=self.moto.instances) == [], "something is planned")
        error = self.refusal("ec2.plans", ids=[*self.moto.instances, NOBODY])
        expect((error["fault"], error["code"]) == ("not_found", "InvalidInstanceID.NotFound"), f"error {error}")

    def tags_of_groups_are_found_by_filter(self) -> None:
        (got,) = self.ask("groups.tags", groups=["workers", "none"])
        expect(got == {"group": "workers", "tags": {"kubernetes.io/cluster/lab": "owned \u00fc & co"}}, f"found {got}")
        expect(self.ask("groups.tags", groups=["none"]) == [], "an unknown group has tags")

    def hooks_and_members_are_described(self) -> None:
        (hook,) = self.ask("groups.hooks", group="workers")
        expect((hook["name"], hook["timeout"], hook["result"]) == ("drain", 60, "CONTINUE"), f"hook {hook}")
        got = self.ask("groups.members", ids=[*self.moto.instances[:2], NOBODY])
        expect(sorted(one["id"] for one in got) == self.moto.instances[:2], f"found {got}")
        expect({(one["group"], one["state"]) for one in got} == {("workers", "InService")}, f"found {got}")

    def what_moto_lacks_is_an_error_and_no_crash(self) -> None:
        action = {"group": "workers", "hook": "drain", "id": self.moto.instances[0]}
        for call in ("groups.heartbeat", "groups.complete"):
            error = self.refusal(call, **action)
            expect(error["fault"] == "unexpected" and "500" in error["text"], f"{call}: {error}")

    def targets_leave_and_come_back(self) -> None:
        arn, target = self.moto.group, [self.moto.instances[0], 30000]
        (group,) = self.ask("elb2.groups")
        expect((group["arn"], group["name"], group["type"], group["protocol"]) == (arn, "web", "instance", "HTTP"), f"group {group}")
        expect(self.ask("elb2.delay", arn=arn) == 17, "another delay")
        expect(len(self.ask("elb2.health", arn=arn)) == 3, "other targets")
        self.ask("elb2.deregister", arn=arn, targets=[target])
        (health,) = self.ask("elb2.health", arn=arn, targets=[target])
        expect((health["id"], health["state"], health["reason"]) == (target[0], "unused", "Target.NotRegistered"), f"health {health}")
        self.ask("elb2.register", arn=arn, targets=[target])
        (health,) = self.ask("elb2.health", arn=arn, targets=[target])
        expect((health["port"], health["state"]) == (30000, "healthy"), f"health {health}")
        error = self.refusal("elb2.health", arn=nobodys(arn))
        expect((error["fault"], error["code"]) == ("not_found", "TargetGroupNotFound"), f"error {error}")

    def instances_leave_classic_balancers(self) -> None:
        one = {"name": "old-1", "ids": [self.moto.instances[0]]}
        got = {balancer["name"]: balancer["ids"] for balancer in self.ask("elb.balancers")}
        expect(sorted(got) == ["old-0", "old-1", "old-2"] and sorted(got["old-1"]) == self.moto.instances, f"found {got}")
        expect(self.ask("elb.draining", name="old-1") == 0, "connections drain")
        self.moto.user.elb.modify_load_balancer_attributes(LoadBalancerName="old-1", LoadBalancerAttributes={
            "ConnectionDraining": {"Enabled": True, "Timeout": 42}})
        expect(self.ask("elb.draining", name="old-1") == 42, "another time to drain")
        (health,) = self.ask("elb.health", **one)
        expect(health["state"] == "InService", f"health {health}")
        self.ask("elb.deregister", **one)
        left = {balancer["name"]: balancer["ids"] for balancer in self.ask("elb.balancers")}["old-1"]
        expect(sorted(left) == self.moto.instances[1:], f"left {left}")
        self.ask("elb.register", **one)
        error = self.refusal("elb.health", name="none", ids=one["ids"])
        expect((error["fault"], error["code"]) == ("not_found", "LoadBalancerNotFound"), f"error {error}")

    def pages_of_balancers_are_joined(self) -> None:
        self.moto.check_signatures(False)
        listener = {"Protocol": "HTTP", "LoadBalancerPort": 80, "InstancePort": 30000}
        for i in range(60):
            self.moto.admin.elb.create_load_balancer(LoadBalancerName=f"more-{i}", Listeners=[listener], AvailabilityZones=["us-west-2a"])
        self.moto.check_signatures()
        expect(len(self.ask("elb.balancers")) == 63, "not all")

    def roles_keys_are_accepted(self) -> None:
        self.moto.check_signatures(False)  # moto fails on an unsigned call while it checks
        web = self.ask("sts.web", arn=self.moto.role, token="a.b.c")
        self.moto.check_signatures()
        for keys in (self.ask("sts.role", arn=self.moto.role), web):
            expect(keys["expires"], "they never end")
            env = self.moto.env | {"AWS_ACCESS_KEY_ID": keys["key"], "AWS_SECRET_ACCESS_KEY": keys["secret"]}
            for token, allowed in ((keys["token"], True), ("wrong", False)):
                with Ours(PROGRAM, env | {"AWS_SESSION_TOKEN": token}) as other:
                    self.answered(other, allowed)

    def wrong_keys_are_refused(self) -> None:
        for change in ({"AWS_SECRET_ACCESS_KEY": "wrong"}, {"AWS_ACCESS_KEY_ID": "AKIANOBODY"}):
            with Ours(PROGRAM, self.moto.env | change) as other:
                self.answered(other, False)

    def answered(self, other: Ours, allowed: bool) -> None:
        """All services, or none."""
        for call in CALLS.values():
            got = other.ask(call, url=self.moto.queue, group="workers", ids=self.moto.instances)
            fault = got.get("error", {}).get("fault")
            expect(("answer" in got) if allowed else fault == "denied", f"{call}: {got}")

    def long_poll_ends_with_a_message(self) -> None:
        begun = time.monotonic()
        expect(self.ask("sqs.receive", url=self.moto.queue, wait=2, visibility=1) == [], "received something")
        expect(1.5 < time.monotonic() - begun < 10, f"after {time.monotonic() - begun:.1f} s")


def run(checks: Checks, processes: Processes) -> None:
    moto = Moto(processes)
    moto.check_signatures()
    body = MotoChecks(moto)
    with body.ours:
        for name in [name for name in vars(MotoChecks) if "_" in name.strip("_")]:
            checks.run(f"our clients against moto: {name.replace('_', ' ')}", getattr(body, name))
