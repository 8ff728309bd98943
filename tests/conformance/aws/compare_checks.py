# SPDX-License-Identifier: Apache-2.0
"""The same calls by boto3 to the sandbox and to moto: outcomes must be alike, but for those that known_differences.py explains."""
from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError

from checks import Checks, expect
from clients import Clients, nobodys
from known_differences import KNOWN, UNREADABLE

NOBODY = "i-0ffffffffffffffff"


def outcome(call) -> str:
    """"ok", or the error's code and status."""
    try:
        call()
    except ClientError as error:
        return f"{error.response['Error']['Code']} {error.response['ResponseMetadata']['HTTPStatusCode']}"
    except ResponseParserError:
        return UNREADABLE
    return "ok"


class Side:
    """One of the two; a group of three, a target group and a classic balancer are there."""

    def __init__(self, clients: Clients, group: str, hook: str) -> None:
        self.sqs, self.ec2, self.groups, self.elbv2, self.elb, self.sts = (
            clients.sqs, clients.ec2, clients.autoscaling, clients.elbv2, clients.elb, clients.sts)
        self.group, self.hook = group, hook
        members = self.groups.describe_auto_scaling_instances()["AutoScalingInstances"]
        self.instance = next(one["InstanceId"] for one in members if one["AutoScalingGroupName"] == group and one["LifecycleState"] == "InService")
        (self.target_group,) = self.elbv2.describe_target_groups(PageSize=1)["TargetGroups"][:1]
        self.arn, self.port = self.target_group["TargetGroupArn"], self.target_group["Port"]
        self.balancer = next(one["LoadBalancerName"] for one in self.elb.describe_load_balancers()["LoadBalancerDescriptions"] if one["Instances"])
        self.queue = self.sqs.create_queue(QueueName="compared", Attributes={"VisibilityTimeout": "30"})["QueueUrl"]

    def receive(self, **more) -> list[dict]:
        return self.sqs.receive_message(QueueUrl=self.queue, **more).get("Messages", [])

    def receipt(self, visibility: int = 30) -> str:
        self.sqs.send_message(QueueUrl=self.queue, MessageBody="m")
        return self.receive(VisibilityTimeout=visibility)[0]["ReceiptHandle"]

    def used_receipt(self) -> str:
        receipt = self.receipt()
        self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=receipt)
        return receipt

    def attributes(self, **values: str) -> None:
        self.sqs.set_queue_attributes(QueueUrl=self.queue, Attributes=values)

    def redrive(self, policy: str) -> None:
        self.attributes(RedrivePolicy=policy)

    def batch(self, *ids: str) -> None:
        self.sqs.send_message_batch(QueueUrl=self.queue, Entries=[{"Id": id_, "MessageBody": "m"} for id_ in ids])

    def hide(self, receipt: str, seconds: int) -> None:
        self.sqs.change_message_visibility(QueueUrl=self.queue, ReceiptHandle=receipt, VisibilityTimeout=seconds)

    def delete(self, receipt: str) -> None:
        self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=receipt)

    def put_hook(self, **change) -> None:
        usual = {"AutoScalingGroupName": self.group, "LifecycleHookName": "compared", "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING"}
        self.groups.put_lifecycle_hook(**(usual | change))

    def deregister(self, **target) -> None:
        self.elbv2.deregister_targets(TargetGroupArn=self.arn, Targets=[target])

    def health(self, **target) -> str:
        (found,) = self.elbv2.describe_target_health(TargetGroupArn=self.arn, Targets=[target])["TargetHealthDescriptions"]
        return found["TargetHealth"]["State"]

    def classic(self, operation: str, instance: str) -> None:
        getattr(self.elb, operation)(LoadBalancerName=self.balancer, Instances=[{"InstanceId": instance}])


CASES = {
    "a queue is made again": lambda s: s.sqs.create_queue(QueueName="compared"),
    "a queue is made again with another attribute": lambda s: s.sqs.create_queue(QueueName="compared", Attributes={"VisibilityTimeout": "31"}),
    "a queue with a bad name": lambda s: s.sqs.create_queue(QueueName="a b"),
    "a missing queue's URL": lambda s: s.sqs.get_queue_url(QueueName="none"),
    "a receive from a missing queue": lambda s: s.sqs.receive_message(QueueUrl=s.queue + "-none"),
    "a receive of eleven": lambda s: s.receive(MaxNumberOfMessages=11),
    "a receive of none": lambda s: s.receive(MaxNumberOfMessages=0),
    "a poll of 21 s": lambda s: s.receive(WaitTimeSeconds=21),
    "a receive that hides too long": lambda s: s.receive(VisibilityTimeout=43_201),
    "an empty message": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody=""),
    "a message with a control character": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody="a\x01"),
    "a message of more than 1 MiB": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody="x" * (2**20 + 1)),
    "a message that is delayed too long": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody="m", DelaySeconds=901),
    "an attribute without a value": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody="m", MessageAttributes={"a": {"DataType": "String"}}),
    "an attribute of an unknown type": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody="m", MessageAttributes={
        "a": {"DataType": "Colour", "StringValue": "red"}}),
    "an attribute with a bad name": lambda s: s.sqs.send_message(QueueUrl=s.queue, MessageBody="m", MessageAttributes={
        "a b": {"DataType": "String", "StringValue": "v"}}),
    "a delete by a receipt": lambda s: s.delete(s.receipt()),
    "a second delete": lambda s: s.delete(s.used_receipt()),
    "a delete by garbage": lambda s: s.delete("garbage"),
    "a message is released": lambda s: s.hide(s.receipt(), 0),
    "a deleted message is hidden": lambda s: s.hide(s.used_receipt(), 5),
    "a visible message is hidden": lambda s: s.hide(s.receipt(0), 5),
    "a message is hidden for more than 12 h": lambda s: s.hide(s.receipt(), 43_201),
    "a message is hidden by garbage": lambda s: s.hide("garbage", 1),
    "an empty batch": lambda s: s.batch(),
    "a batch of eleven": lambda s: s.batch(*map(str, range(11))),
    "a batch with one id twice": lambda s: s.batch("a", "a"),
    "a batch with a bad id": lambda s: s.batch("a b"),
    "an unknown attribute is asked": lambda s: s.sqs.get_queue_attributes(QueueUrl=s.queue, AttributeNames=["Colour"]),
    "an unknown attribute is set": lambda s: s.attributes(Colour="red"),
    "a visibility out of range": lambda s: s.attributes(VisibilityTimeout="43201"),
    "a retention out of range": lambda s: s.attributes(MessageRetentionPeriod="1"),
    "a redrive policy that is no JSON": lambda s: s.redrive("no"),
    "a redrive policy without a count": lambda s: s.redrive('{"deadLetterTargetArn":"arn:aws:sqs:us-west-2:123456789012:compared"}'),
    "a redrive policy to a missing queue": lambda s: s.redrive('{"deadLetterTargetArn":"arn:aws:sqs:us-west-2:123456789012:none","maxReceiveCount":3}'),
    "an unknown instance": lambda s: s.ec2.describe_instances(InstanceIds=[s.instance, NOBODY]),
    "an instance id that is none": lambda s: s.ec2.describe_instances(InstanceIds=["i-coffee"]),
    "an unknown instance by filter": lambda s: s.ec2.describe_instances(Filters=[{"Name": "instance-id", "Values": [NOBODY]}]),
    "an unknown filter": lambda s: s.ec2.describe_instances(Filters=[{"Name": "colour", "Values": ["red"]}]),
    "a page of four instances": lambda s: s.ec2.describe_instances(MaxResults=4),
    "a page and ids": lambda s: s.ec2.describe_instances(MaxResults=5, InstanceIds=[s.instance]),
    "an unknown instance is terminated": lambda s: s.ec2.terminate_instances(InstanceIds=[NOBODY]),
    "members of unknown instances": lambda s: s.groups.describe_auto_scaling_instances(InstanceIds=[NOBODY]),
    "hooks of a group": lambda s: s.groups.describe_lifecycle_hooks(AutoScalingGroupName=s.group),
    "hooks of a missing group": lambda s: s.groups.describe_lifecycle_hooks(AutoScalingGroupName="none"),
    "a hook is put": lambda s: s.put_hook(),
    "a hook with a short timeout": lambda s: s.put_hook(HeartbeatTimeout=1),
    "a hook with an unknown result": lambda s: s.put_hook(DefaultResult="PERHAPS"),
    "a hook of an unknown transition": lambda s: s.put_hook(LifecycleTransition="autoscaling:TEA"),
    "a hook of a missing group": lambda s: s.put_hook(AutoScalingGroupName="none"),
    "a stranger is terminated through a group": lambda s: s.groups.terminate_instance_in_auto_scaling_group(
        InstanceId=NOBODY, ShouldDecrementDesiredCapacity=True),
    "a missing target group": lambda s: s.elbv2.describe_target_groups(Names=["none"]),
    "health of a missing target group": lambda s: s.elbv2.describe_target_health(TargetGroupArn=nobodys(s.arn)),
    "health by an ARN that is none": lambda s: s.elbv2.describe_target_health(TargetGroupArn="none"),
    "attributes of a missing target group": lambda s: s.elbv2.describe_target_group_attributes(TargetGroupArn=nobodys(s.arn)),
    "a missing balancer": lambda s: s.elbv2.describe_load_balancers(Names=["none"]),
    "tags of nothing": lambda s: s.elbv2.describe_tags(ResourceArns=[]),
    "a stranger is deregistered": lambda s: s.deregister(Id=NOBODY),
    "a target is deregistered twice": lambda s: [s.deregister(Id=s.instance, Port=s.port) for _ in range(2)],
    "a stranger is registered": lambda s: s.elbv2.register_targets(TargetGroupArn=s.arn, Targets=[{"Id": NOBODY}]),
    "a target comes back": lambda s: s.elbv2.register_targets(TargetGroupArn=s.arn, Targets=[{"Id": s.instance, "Port": s.port}]),
    "a missing classic balancer": lambda s: s.elb.describe_load_balancers(LoadBalancerNames=["none"]),
    "attributes of a missing classic balancer": lambda s: s.elb.describe_load_balancer_attributes(LoadBalancerName="none"),
    "health in a missing classic balancer": lambda s: s.elb.describe_instance_health(LoadBalancerName="none"),
    "health of a stranger in a classic balancer": lambda s: s.classic("describe_instance_health", NOBODY),
    "a stranger leaves a classic balancer": lambda s: s.classic("deregister_instances_from_load_balancer", NOBODY),
    "an instance leaves a classic balancer": lambda s: s.classic("deregister_instances_from_load_balancer", s.instance),
    "an instance joins a classic balancer": lambda s: s.classic("register_instances_with_load_balancer", s.instance),
    "a role that is no ARN": lambda s: s.sts.assume_role(RoleArn="x" * 20, RoleSessionName="s1"),
    "a role for too long": lambda s: s.sts.assume_role(RoleArn="arn:aws:iam::123456789012:role/r", RoleSessionName="s1", DurationSeconds=43_201),
}


def compare(name: str, sandbox: Side, moto: Side) -> None:
    ours, theirs = (outcome(lambda side=side: CASES[name](side)) for side in (sandbox, moto))
    known = KNOWN.get(name)
    if known is None:
        expect(ours == theirs, f"the sandbox: {ours}; moto: {theirs}")
        return
    expect((ours, theirs) == known[:2], f"the sandbox: {ours}; moto: {theirs}; known_differences.py says {known[:2]}")


def run(checks: Checks, sandbox: Clients, moto: Clients) -> None:
    sides = Side(sandbox, "workers-2", "ferryman"), Side(moto, "workers", "drain")
    for name in CASES:
        checks.run(f"sandbox and moto alike: {name}", compare, name, *sides)
    expect(set(KNOWN) <= set(CASES), f"differences of no case: {set(KNOWN) - set(CASES)}")
