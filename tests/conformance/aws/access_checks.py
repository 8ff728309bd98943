# SPDX-License-Identifier: Apache-2.0
"""What a caller lacks the right for is refused in each service's own form, and events reach the queues: the sandbox as boto3 sees it."""
import json
from pathlib import Path

from botocore.exceptions import ClientError

from checks import Checks, eventually, expect
from clients import Clients, refused
from processes import FERRYMAN, WORK, Processes
from sandbox import Sandbox

POLICY = Path(__file__).resolve().parents[3] / "deploy" / "iam-policy.json"


class AccessChecks:
    def __init__(self, clients: Clients, sandbox: Sandbox, processes: Processes) -> None:
        self.clients, self.sandbox, self.processes = clients, sandbox, processes
        self.denied_before: set[tuple[str, str]] = set()
        self.queue = sandbox.env["FERRYMAN_QUEUE_URL"]

    def allow(self, document: dict) -> None:
        self.sandbox.control("aws-rights", document)

    def every_state_of_an_instance_reaches_the_queue(self) -> None:
        self.clients.sqs.purge_queue(QueueUrl=self.queue)
        (instance, *_) = [r["Instances"][0]["InstanceId"] for r in self.clients.ec2.describe_instances(
            Filters=[{"Name": "instance-state-name", "Values": ["running"]}])["Reservations"]]
        self.clients.ec2.terminate_instances(InstanceIds=[instance])
        states: list[str] = []
        eventually(20, lambda: self.states(instance, states)[-1:] == ["terminated"], lambda: f"told {states}")
        expect(states == ["shutting-down", "terminated"], f"told {states}")

    def states(self, instance: str, so_far: list[str]) -> list[str]:
        got = self.clients.sqs.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10, WaitTimeSeconds=1).get("Messages", [])
        for message in got:
            event = json.loads(message["Body"])
            self.clients.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
            expect((event["source"], event["detail-type"]) == ("aws.ec2", "EC2 Instance State-change Notification"), f"event {event}")
            expect(event["resources"] == [f"arn:aws:ec2:us-west-2:123456789012:instance/{instance}"], f"event {event}")
            so_far.append(event["detail"]["state"])
        return so_far

    def missing_rights_are_refused_in_each_services_form(self) -> None:
        self.allow({"actions": ["sts:*"]})
        text = refused("AccessDenied", 403, self.clients.sqs.receive_message, QueueUrl=self.queue)
        arn = "arn:aws:sqs:us-west-2:123456789012:ferryman"
        expect(f"not authorized to perform: sqs:receivemessage on resource: {arn} because no identity-based policy" in text, text)
        text = refused("UnauthorizedOperation", 403, self.clients.ec2.describe_instances)
        expect(text.startswith("You are not authorized to perform this operation.") and "ec2:DescribeInstances" in text, text)
        for call, action in ((self.clients.autoscaling.describe_auto_scaling_groups, "autoscaling:DescribeAutoScalingGroups"),
                             (self.clients.elbv2.describe_target_groups, "elasticloadbalancing:DescribeTargetGroups"),
                             (self.clients.elb.describe_load_balancers, "elasticloadbalancing:DescribeLoadBalancers")):
            text = refused("AccessDenied", 403, call)
            expect(f"is not authorized to perform: {action} " in text, text)
        self.clients.sts.get_caller_identity()

    def deployed_policy_allows_what_it_lists_alone(self) -> None:
        self.allow(json.loads(POLICY.read_text()))
        self.clients.sqs.receive_message(QueueUrl=self.queue, VisibilityTimeout=0)
        self.clients.ec2.describe_instances()
        refused("AccessDenied", 403, self.clients.sqs.send_message, QueueUrl=self.queue, MessageBody="m")
        refused("AccessDenied", 403, self.clients.sqs.set_queue_attributes, QueueUrl=self.queue, Attributes={"DelaySeconds": "0"})
        entries = [{"Id": "1", "ReceiptHandle": "r", "VisibilityTimeout": 0}]
        failed = self.clients.sqs.change_message_visibility_batch(QueueUrl=self.queue, Entries=entries)["Failed"]
        expect(failed[0]["Code"] == "ReceiptHandleIsInvalid", f"a batch needs the right of the single call: {failed}")
        refused("UnauthorizedOperation", 403, self.clients.ec2.terminate_instances, InstanceIds=["i-0ffffffffffffffff"])
        self.denied_before = {(entry["service"], entry["operation"]) for entry in self.sandbox.journal()
                              if entry["outcome"] in ("AccessDenied", "UnauthorizedOperation")}

    def daemon_needs_no_more_than_the_deployed_policy(self) -> None:
        # By its name, so that the right to look it up is needed too.
        env = {"PATH": "/usr/bin:/bin", "HOME": str(WORK)} | self.sandbox.env | {"FERRYMAN_QUEUE_URL": self.queue.rsplit("/", 1)[1]}
        before = self.broken()  # by ourselves, who took messages away
        flags = ["--listen=127.0.0.1:0", "--continued-service=1s", "--continued-service-network=1s"]
        daemon = self.processes.start("daemon", [FERRYMAN, "serve", *flags], env)
        instance = next(one["id"] for one in self.sandbox.state()["instances"] if one.get("group", "").startswith("workers"))
        self.sandbox.control("terminate", {"instance": instance})
        eventually(90, lambda: self.completed(instance) and self.state(instance) == "terminated", daemon.tail)
        denied = {(entry["service"], entry["operation"]) for entry in self.sandbox.journal()
                  if entry["outcome"] in ("AccessDenied", "UnauthorizedOperation")}
        broken = self.broken() - before
        expect(daemon.stop() == 0 and not broken, lambda: f"broken: {broken}; {daemon.tail()}")
        expect(denied <= self.denied_before, f"the daemon lacks rights for {denied - self.denied_before}")

    def broken(self) -> set[str]:
        return set(self.sandbox.control("promises?finished=false")["broken"])

    def completed(self, instance: str) -> bool:
        return any(entry["operation"] == "hook.completed" and entry["subject"] == instance for entry in self.sandbox.journal())

    def state(self, instance: str) -> str:
        return next((one["state"] for one in self.sandbox.state()["instances"] if one["id"] == instance), "forgotten")

    def rights_come_back(self) -> None:
        self.sandbox.control("aws-rights", method="DELETE")
        self.clients.autoscaling.describe_auto_scaling_groups()

    def shared_queue_with_a_tight_redrive_policy_ends_the_start(self) -> None:
        grave = self.clients.sqs.create_queue(QueueName="graves")["QueueUrl"]
        target = "arn:aws:sqs:us-west-2:123456789012:graves"
        self.redrive(json.dumps({"deadLetterTargetArn": target, "maxReceiveCount": 99}))
        env = {"PATH": "/usr/bin:/bin", "HOME": str(WORK)} | self.sandbox.env
        refused_daemon = self.processes.start("refused", [FERRYMAN, "serve", "--listen=127.0.0.1:0"], env)
        eventually(20, lambda: not refused_daemon.alive(), refused_daemon.tail)
        expect(refused_daemon.stop() == 2 and "maxReceiveCount 99" in refused_daemon.said(), refused_daemon.tail)
        self.redrive(json.dumps({"deadLetterTargetArn": target, "maxReceiveCount": 100}))
        daemon = self.processes.start("accepted", [FERRYMAN, "serve", "--listen=127.0.0.1:0"], env)
        eventually(20, lambda: "queue.checked" in daemon.said(), daemon.tail)
        expect(daemon.stop() == 0, daemon.tail)
        self.redrive("")
        self.clients.sqs.delete_queue(QueueUrl=grave)

    def redrive(self, policy: str) -> None:
        self.clients.sqs.set_queue_attributes(QueueUrl=self.queue, Attributes={"RedrivePolicy": policy})

    def faults_on_order_have_each_services_form(self) -> None:
        hasty = {name: self.clients.make(name, attempts=1) for name in ("sqs", "ec2", "autoscaling", "elbv2")}
        calls = {"sqs": lambda: hasty["sqs"].list_queues(), "ec2": lambda: hasty["ec2"].describe_instances(),
                 "autoscaling": lambda: hasty["autoscaling"].describe_auto_scaling_groups(), "elbv2": lambda: hasty["elbv2"].describe_target_groups()}
        for service, call in calls.items():
            for kind, codes in (("throttle", {"Throttling", "RequestLimitExceeded"}), ("error", {"InternalFailure", "InternalError"})):
                self.sandbox.control("faults", {"service": service, "kind": kind, "count": 1})
                try:
                    call()
                except ClientError as error:
                    expect(error.response["Error"]["Code"] in codes, f"{service} {kind}: {error}")
                else:
                    expect(False, f"{service}: the fault did not strike")
        self.sandbox.control("faults", method="DELETE")


def run(checks: Checks, processes: Processes, scenario: str) -> None:
    sandbox = Sandbox(processes, scenario + "stateChanges: true\n", name="access")
    body = AccessChecks(Clients(sandbox.env), sandbox, processes)
    for name in [name for name in vars(AccessChecks) if "_" in name.strip("_")]:
        checks.run(f"rights and events: {name.replace('_', ' ')}", getattr(body, name))
