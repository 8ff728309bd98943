# SPDX-License-Identifier: Apache-2.0
"""Every operation of the sandbox by the AWS CLI, and SQS's once more by one that speaks the query protocol."""
import json
import os
import subprocess
from pathlib import Path

from checks import Checks, Failed, eventually, expect
from processes import WORK
from sandbox import Sandbox

BODY = "h\u00e9llo \u2603 <&> 'quoted' \"twice\""


class Cli:
    def __init__(self, programs: Path, sandbox: Sandbox) -> None:
        self.program, self.sandbox, self.done = programs / "aws", sandbox, set()
        # No configuration of whoever runs this; UTF-8 whatever the locale is.
        self.env = {"PATH": os.environ["PATH"], "HOME": str(WORK), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"} | sandbox.env

    def ask(self, service: str, operation: str, *words: str):
        """The answer as JSON; None when there is none."""
        command = [self.program, service, *operation.split(), "--endpoint-url", self.sandbox.env["AWS_ENDPOINT_URL"], "--output", "json", *words]
        ran = subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        if ran.returncode:
            raise Failed(f"aws {service} {operation} {' '.join(words)}: exit status {ran.returncode}: {ran.stderr.strip()}")
        self.done.add((service, operation.replace("-", "")))
        return json.loads(ran.stdout) if ran.stdout.strip() else None

    def refused(self, code: str, *words: str) -> None:
        try:
            got = self.ask(*words)
        except Failed as error:
            expect(f"({code})" in str(error), str(error))
            return
        raise Failed(f"{words} is answered with {got}")


class SqsByCli:
    def __init__(self, cli: Cli, name: str) -> None:
        self.cli, self.name = cli, name
        self.url = ""

    def ask(self, operation: str, *words: str):
        return self.cli.ask("sqs", operation, *(["--queue-url", self.url] if self.url else []), *words)

    def queue_and_attributes(self) -> None:
        self.url = self.cli.ask("sqs", "create-queue", "--queue-name", self.name, "--attributes", "VisibilityTimeout=45")["QueueUrl"]
        expect(self.cli.ask("sqs", "get-queue-url", "--queue-name", self.name)["QueueUrl"] == self.url, "another URL")
        listed = self.cli.ask("sqs", "list-queues", "--queue-name-prefix", self.name)
        expect(listed["QueueUrls"] == [self.url], f"listed {listed}")
        self.ask("set-queue-attributes", "--attributes", "MessageRetentionPeriod=600")
        own = self.ask("get-queue-attributes", "--attribute-names", "All")["Attributes"]
        expect((own["VisibilityTimeout"], own["MessageRetentionPeriod"]) == ("45", "600"), f"attributes {own}")
        expect(not (self.ask("list-dead-letter-source-queues") or {}).get("queueUrls"), "it has sources")
        self.ask("tag-queue", "--tags", "team=payments,env=test")
        self.ask("untag-queue", "--tag-keys", "env")
        expect(self.ask("list-queue-tags")["Tags"] == {"team": "payments"}, "other tags")

    def messages(self) -> None:
        attributes = json.dumps({"team": {"DataType": "String", "StringValue": "payments"}})
        sent = self.ask("send-message", "--message-body", BODY, "--message-attributes", attributes)
        (got,) = self.ask("receive-message", "--attribute-names", "All", "--message-attribute-names", "All")["Messages"]
        expect((got["MessageId"], got["Body"]) == (sent["MessageId"], BODY), f"received {got}")
        expect(got["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"], "another digest")
        expect(got["Attributes"]["ApproximateReceiveCount"] == "1", f"attributes {got['Attributes']}")
        self.ask("change-message-visibility", "--receipt-handle", got["ReceiptHandle"], "--visibility-timeout", "0")
        (again,) = self.ask("receive-message", "--wait-time-seconds", "1")["Messages"]
        self.ask("delete-message", "--receipt-handle", again["ReceiptHandle"])
        expect(self.ask("receive-message") in (None, {}), "still there")

    def batches(self) -> None:
        entries = [{"Id": str(i), "MessageBody": f"m{i}"} for i in range(3)]
        sent = self.ask("send-message-batch", "--entries", json.dumps(entries))
        expect(len(sent["Successful"]) == 3, f"sent {sent}")
        got = self.ask("receive-message", "--max-number-of-messages", "10")["Messages"]
        entries = [{"Id": m["Body"], "ReceiptHandle": m["ReceiptHandle"]} for m in got]
        hidden = [entry | {"VisibilityTimeout": 60} for entry in entries]
        expect(len(self.ask("change-message-visibility-batch", "--entries", json.dumps(hidden))["Successful"]) == 3, "not changed")
        entries[1]["ReceiptHandle"] = "garbage"
        done = self.ask("delete-message-batch", "--entries", json.dumps(entries))
        expect((len(done["Successful"]), done["Failed"][0]["Id"]) == (2, entries[1]["Id"]), f"deleted {done}")

    def end_of_a_queue(self) -> None:
        self.ask("purge-queue")
        self.ask("delete-queue")
        self.cli.refused("AWS.SimpleQueueService.NonExistentQueue", "sqs", "receive-message", "--queue-url", self.url)


class OthersByCli:
    def __init__(self, cli: Cli) -> None:
        self.cli, self.ask = cli, cli.ask

    def who_am_i_and_roles(self) -> None:
        expect(self.ask("sts", "get-caller-identity")["Account"] == "123456789012", "somebody else")
        role = ("--role-arn", "arn:aws:iam::123456789012:role/drainer", "--role-session-name", "cli")
        expect(self.ask("sts", "assume-role", *role)["Credentials"]["SessionToken"], "no token")
        who = self.ask("sts", "assume-role-with-web-identity", *role, "--web-identity-token", "a.b.c")
        expect(who["AssumedRoleUser"]["Arn"].endswith("assumed-role/drainer/cli"), f"I am {who}")

    def group_ends_an_instance(self) -> None:
        groups = self.ask("autoscaling", "describe-auto-scaling-groups", "--page-size", "1")["AutoScalingGroups"]
        expect(len(groups) == 4, f"{len(groups)} groups")
        group = next(group for group in groups if group["AutoScalingGroupName"].startswith("workers") and group["Instances"])
        name, instance = group["AutoScalingGroupName"], group["Instances"][0]["InstanceId"]
        expect(self.ask("autoscaling", "describe-tags", "--filters", f"Name=auto-scaling-group,Values={name}")["Tags"], "no tags")
        self.ask("autoscaling", "put-lifecycle-hook", "--auto-scaling-group-name", name, "--lifecycle-hook-name", "cli",
                 "--lifecycle-transition", "autoscaling:EC2_INSTANCE_TERMINATING", "--heartbeat-timeout", "60")
        hooks = self.ask("autoscaling", "describe-lifecycle-hooks", "--auto-scaling-group-name", name)["LifecycleHooks"]
        expect("cli" in [hook["LifecycleHookName"] for hook in hooks], f"hooks {hooks}")
        self.ask("autoscaling", "terminate-instance-in-auto-scaling-group", "--instance-id", instance, "--should-decrement-desired-capacity")
        eventually(20, lambda: self.state(instance) == "Terminating:Wait", "the hooks wait")
        for hook in (hook["LifecycleHookName"] for hook in hooks):
            action = ("--auto-scaling-group-name", name, "--lifecycle-hook-name", hook, "--instance-id", instance)
            self.ask("autoscaling", "record-lifecycle-action-heartbeat", *action)
            self.ask("autoscaling", "complete-lifecycle-action", *action, "--lifecycle-action-result", "CONTINUE")
        self.cli.refused("ValidationError", "autoscaling", "record-lifecycle-action-heartbeat", *action)
        eventually(20, lambda: self.state(instance) == "none", "the group lets it go")

    def state(self, instance: str) -> str:
        found = self.ask("autoscaling", "describe-auto-scaling-instances", "--instance-ids", instance)["AutoScalingInstances"]
        return found[0]["LifecycleState"] if found else "none"

    def instances(self) -> None:
        found = self.ask("ec2", "describe-instances", "--page-size", "5", "--filters", "Name=instance-state-name,Values=running")
        ids = [reservation["Instances"][0]["InstanceId"] for reservation in found["Reservations"]]
        self.ask("ec2", "wait instance-running", "--instance-ids", ids[0])
        expect(self.ask("ec2", "describe-instance-status", "--instance-ids", ids[1])["InstanceStatuses"], "no status")
        self.ask("ec2", "reboot-instances", "--instance-ids", ids[1])
        changed = self.ask("ec2", "stop-instances", "--instance-ids", ids[1])["StoppingInstances"]
        expect(changed[0]["CurrentState"]["Name"] == "stopping", f"changed {changed}")
        state = "Reservations[0].Instances[0].State.Name"
        eventually(20, lambda: self.ask("ec2", "describe-instances", "--instance-ids", ids[1], "--query", state) == "stopped")
        changed = self.ask("ec2", "start-instances", "--instance-ids", ids[1])["StartingInstances"]
        expect(changed[0]["CurrentState"]["Name"] == "pending", f"changed {changed}")
        changed = self.ask("ec2", "terminate-instances", "--instance-ids", ids[0])["TerminatingInstances"]
        expect(changed[0]["CurrentState"]["Name"] == "shutting-down", f"changed {changed}")
        eventually(20, lambda: self.ask("ec2", "describe-instances", "--instance-ids", ids[0], "--query", state) == "terminated")
        self.ask("ec2", "wait instance-terminated", "--instance-ids", ids[0])
        self.cli.refused("InvalidInstanceID.NotFound", "ec2", "terminate-instances", "--instance-ids", "i-0ffffffffffffffff")

    def target_groups(self) -> None:
        groups = self.ask("elbv2", "describe-target-groups", "--page-size", "2")["TargetGroups"]
        group = groups[-1]
        named = ("--target-group-arn", group["TargetGroupArn"])
        expect(self.ask("elbv2", "describe-load-balancers", "--load-balancer-arns", *group["LoadBalancerArns"])["LoadBalancers"], "no balancer")
        expect(self.ask("elbv2", "describe-tags", "--resource-arns", group["TargetGroupArn"])["TagDescriptions"][0]["Tags"], "no tags")
        expect(self.ask("elbv2", "describe-target-group-attributes", *named)["Attributes"], "no attributes")
        health = self.ask("elbv2", "describe-target-health", *named)["TargetHealthDescriptions"]
        one = next(one["Target"] for one in health if one["TargetHealth"]["State"] == "healthy")
        target = (*named, "--targets", f"Id={one['Id']},Port={one['Port']}")
        self.ask("elbv2", "wait target-in-service", *target)
        self.ask("elbv2", "deregister-targets", *target)
        eventually(20, lambda: self.ask("elbv2", "describe-target-health", *target)["TargetHealthDescriptions"][0]["TargetHealth"]["State"] == "unused")
        self.ask("elbv2", "wait target-deregistered", *target)
        self.ask("elbv2", "register-targets", *target)

    def classic_balancers(self) -> None:
        found = self.ask("elb", "describe-load-balancers", "--page-size", "2")["LoadBalancerDescriptions"]
        named = ("--load-balancer-name", found[-1]["LoadBalancerName"])
        expect(self.ask("elb", "describe-load-balancer-attributes", *named)["LoadBalancerAttributes"]["ConnectionDraining"]["Enabled"], "not draining")
        expect(self.ask("elb", "describe-tags", "--load-balancer-names", named[1])["TagDescriptions"][0]["Tags"], "no tags")
        states = self.ask("elb", "describe-instance-health", *named)["InstanceStates"]
        instance = (*named, "--instances", next(state["InstanceId"] for state in states if state["State"] == "InService"))
        self.ask("elb", "wait instance-in-service", *instance)
        self.ask("elb", "deregister-instances-from-load-balancer", *instance)
        eventually(20, lambda: self.ask("elb", "describe-instance-health", *instance)["InstanceStates"][0]["State"] == "OutOfService")
        self.ask("elb", "wait instance-deregistered", *instance)
        self.ask("elb", "register-instances-with-load-balancer", *instance)


def run_all(checks: Checks, title: str, body) -> None:
    for name in [name for name in vars(type(body)) if name not in ("__init__", "ask", "state")]:
        if callable(getattr(body, name)) and not name.startswith("__"):
            checks.run(f"{title}: {name.replace('_', ' ')}", getattr(body, name))


def run(checks: Checks, sandbox: Sandbox, programs: Path, older: Path) -> set[tuple[str, str]]:
    """(service, operation in small letters) that the newer one called."""
    cli = Cli(programs, sandbox)
    run_all(checks, "AWS CLI, SQS by JSON protocol", SqsByCli(cli, "cli"))
    run_all(checks, "AWS CLI, SQS by query protocol", SqsByCli(Cli(older, sandbox), "cli-query"))
    run_all(checks, "AWS CLI", OthersByCli(cli))
    return cli.done
