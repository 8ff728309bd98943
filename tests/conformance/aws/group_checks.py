# SPDX-License-Identifier: Apache-2.0
"""EC2, Auto Scaling and STS of the sandbox as boto3 sees them: hooks, states, pages, waiters, errors."""
import json

from checks import Checks, eventually, expect
from clients import Clients, pages, refused
from sandbox import Sandbox

NOBODY = "i-0ffffffffffffffff"


class GroupChecks:
    def __init__(self, clients: Clients, sandbox: Sandbox) -> None:
        self.clients, self.sandbox = clients, sandbox
        self.ec2, self.groups, self.sqs = clients.ec2, clients.autoscaling, clients.sqs

    def members(self, group: str) -> list[str]:
        (found,) = self.groups.describe_auto_scaling_groups(AutoScalingGroupNames=[group])["AutoScalingGroups"]
        return [instance["InstanceId"] for instance in found["Instances"] if instance["LifecycleState"] == "InService"]

    def state(self, instance: str) -> str:
        found = self.groups.describe_auto_scaling_instances(InstanceIds=[instance])["AutoScalingInstances"]
        return found[0]["LifecycleState"] if found else "none"

    def terminate(self, group: str) -> str:
        instance = self.members(group)[0]
        activity = self.groups.terminate_instance_in_auto_scaling_group(InstanceId=instance, ShouldDecrementDesiredCapacity=True)
        expect(activity["Activity"]["AutoScalingGroupName"] == group, f"another activity: {activity}")
        eventually(10, lambda: self.state(instance) == "Terminating:Wait", "the hook waits")
        return instance

    def events(self, instance: str) -> list[dict]:
        """The lifecycle events about it in the scenario's queue, which keeps them."""
        got = self.sqs.receive_message(QueueUrl=self.sandbox.env["FERRYMAN_QUEUE_URL"], MaxNumberOfMessages=10, VisibilityTimeout=0)
        bodies = [json.loads(message["Body"]) for message in got.get("Messages", [])]
        return [body for body in bodies if body["detail"]["EC2InstanceId"] == instance]

    def groups_come_in_pages(self) -> None:
        found = pages(self.groups, "describe_auto_scaling_groups", "AutoScalingGroups", 1)
        names = [group["AutoScalingGroupName"] for group in found]
        expect(names == ["other-cluster", "workers-1", "workers-2", "workers-3"], f"found {names}")
        group = found[1]
        expect(group["AutoScalingGroupARN"].endswith("autoScalingGroupName/workers-1"), f"its ARN is {group['AutoScalingGroupARN']}")
        expect(len(group["Instances"]) == group["DesiredCapacity"] == 2, f"members {group['Instances']}")

    def members_come_in_pages(self) -> None:
        found = pages(self.groups, "describe_auto_scaling_instances", "AutoScalingInstances", 3)
        expect(len({instance["InstanceId"] for instance in found}) == 7, f"found {len(found)}")
        none = self.groups.describe_auto_scaling_instances(InstanceIds=[NOBODY])["AutoScalingInstances"]
        expect(none == [], "an unknown instance is found")
        refused("ValidationError", 400, self.groups.describe_auto_scaling_instances, InstanceIds=[NOBODY] * 51)

    def tags_come_in_pages_and_by_filter(self) -> None:
        found = pages(self.groups, "describe_tags", "Tags", 2)
        expect({tag["ResourceId"] for tag in found} == {"other-cluster", "workers-1", "workers-2", "workers-3"}, f"found {found}")
        ours = self.groups.describe_tags(Filters=[{"Name": "auto-scaling-group", "Values": ["workers-2", "none"]},
                                                  {"Name": "key", "Values": ["kubernetes.io/cluster/sandbox"]}])["Tags"]
        expect([(tag["ResourceId"], tag["Value"]) for tag in ours] == [("workers-2", "owned")], f"found {ours}")

    def hooks_are_put_and_described(self) -> None:
        self.groups.put_lifecycle_hook(AutoScalingGroupName="other-cluster", LifecycleHookName="later", HeartbeatTimeout=60,
                                       LifecycleTransition="autoscaling:EC2_INSTANCE_TERMINATING", NotificationMetadata="team=a & b")
        hooks = self.groups.describe_lifecycle_hooks(AutoScalingGroupName="other-cluster")["LifecycleHooks"]
        (later,) = [hook for hook in hooks if hook["LifecycleHookName"] == "later"]
        expect((later["HeartbeatTimeout"], later["GlobalTimeout"], later["DefaultResult"]) == (60, 6000, "ABANDON"), f"it is {later}")
        expect(later["NotificationMetadata"] == "team=a & b", f"it is {later}")
        some = self.groups.describe_lifecycle_hooks(AutoScalingGroupName="workers-1", LifecycleHookNames=["none"])["LifecycleHooks"]
        expect(some == [], f"found {some}")
        refused("ValidationError", 400, self.groups.put_lifecycle_hook, AutoScalingGroupName="workers-1", LifecycleHookName="x",
                HeartbeatTimeout=1, LifecycleTransition="autoscaling:EC2_INSTANCE_TERMINATING")

    def hooks_own_target_is_tested_and_told(self) -> None:
        url = self.sqs.create_queue(QueueName="hook-target")["QueueUrl"]
        arn = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        hook = {"AutoScalingGroupName": "workers-3", "LifecycleHookName": "told", "DefaultResult": "CONTINUE",
                "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING", "RoleARN": "arn:aws:iam::123456789012:role/hooks"}
        refused("ValidationError", 400, self.groups.put_lifecycle_hook, NotificationTargetARN=arn + "-none", **hook)
        self.groups.put_lifecycle_hook(NotificationTargetARN=arn, **hook)
        instance = self.terminate("workers-3")
        got = self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
        test, notice = (json.loads(message["Body"]) for message in got)
        expect(test["Event"] == "autoscaling:TEST_NOTIFICATION", f"the first is {test}")
        expect((notice["EC2InstanceId"], notice["LifecycleHookName"]) == (instance, "told"), f"the second is {notice}")
        for name in ("told", "ferryman"):
            self.groups.complete_lifecycle_action(AutoScalingGroupName="workers-3", LifecycleHookName=name, InstanceId=instance,
                                                  LifecycleActionResult="CONTINUE")

    def termination_waits_for_its_hook(self) -> None:
        instance = self.terminate("workers-1")
        (event,) = self.events(instance)
        token = event["detail"]["LifecycleActionToken"]
        self.groups.record_lifecycle_action_heartbeat(AutoScalingGroupName="workers-1", LifecycleHookName="ferryman",
                                                      LifecycleActionToken=token)
        self.groups.complete_lifecycle_action(AutoScalingGroupName="workers-1", LifecycleHookName="ferryman", InstanceId=instance,
                                              LifecycleActionToken=token, LifecycleActionResult="CONTINUE")
        text = refused("ValidationError", 400, self.groups.complete_lifecycle_action, AutoScalingGroupName="workers-1",
                       LifecycleHookName="ferryman", InstanceId=instance, LifecycleActionToken=token, LifecycleActionResult="CONTINUE")
        expect("No active Lifecycle Action found" in text, text)
        self.ec2.get_waiter("instance_terminated").wait(InstanceIds=[instance], WaiterConfig={"Delay": 1, "MaxAttempts": 20})
        expect(self.state(instance) == "none", "the group still has it")

    def wrong_actions_are_refused(self) -> None:
        instance = self.members("workers-2")[0]
        action = {"AutoScalingGroupName": "workers-2", "LifecycleHookName": "ferryman", "InstanceId": instance}
        for change in ({}, {"AutoScalingGroupName": "none"}, {"LifecycleHookName": "none"}):
            refused("ValidationError", 400, self.groups.record_lifecycle_action_heartbeat, **(action | change))
        refused("ValidationError", 400, self.groups.complete_lifecycle_action, LifecycleActionResult="PERHAPS", **action)
        refused("ValidationError", 400, self.groups.terminate_instance_in_auto_scaling_group, InstanceId=NOBODY,
                ShouldDecrementDesiredCapacity=True)
        refused("ValidationError", 400, self.groups.describe_lifecycle_hooks, AutoScalingGroupName="none")

    def instances_come_in_pages_and_by_filter(self) -> None:
        found = pages(self.ec2, "describe_instances", "Reservations", 5)
        instances = [instance for reservation in found for instance in reservation["Instances"]]
        expect(len({instance["InstanceId"] for instance in instances}) == len(instances) >= 7, f"found {len(instances)}")
        one = next(instance for instance in instances if instance["State"]["Name"] == "running")
        tag = {"Name": "tag:kubernetes.io/cluster/*", "Values": ["owned"]}
        for wanted in ({"Name": "private-dns-name", "Values": [one["PrivateDnsName"]]}, {"Name": "instance-id", "Values": [one["InstanceId"], NOBODY]}):
            got = self.ec2.describe_instances(Filters=[wanted])["Reservations"]
            expect([r["Instances"][0]["InstanceId"] for r in got] == [one["InstanceId"]], f"by {wanted['Name']}: {got}")
        expect(self.ec2.describe_instances(Filters=[{"Name": "tag-key", "Values": ["kubernetes.io/cluster/*"]}])["Reservations"], "no tag")
        expect(not self.ec2.describe_instances(Filters=[tag])["Reservations"], "a pattern in a tag's key is none")
        self.ec2.get_waiter("instance_running").wait(InstanceIds=[one["InstanceId"]], WaiterConfig={"Delay": 1, "MaxAttempts": 5})

    def wrong_instances_are_refused(self) -> None:
        one = self.members("workers-2")[0]
        refused("InvalidInstanceID.NotFound", 400, self.ec2.describe_instances, InstanceIds=[one, NOBODY])
        refused("InvalidInstanceID.Malformed", 400, self.ec2.describe_instances, InstanceIds=["i-coffee"])
        refused("InvalidParameterCombination", 400, self.ec2.describe_instances, InstanceIds=[one], MaxResults=5)
        refused("InvalidParameterValue", 400, self.ec2.describe_instances, MaxResults=4)
        refused("FilterLimitExceeded", 400, self.ec2.describe_instances, Filters=[{"Name": "instance-id", "Values": [NOBODY] * 201}])
        refused("InvalidParameterValue", 400, self.ec2.describe_instances, Filters=[{"Name": "colour", "Values": ["red"]}])
        refused("InvalidInstanceID.NotFound", 400, self.ec2.terminate_instances, InstanceIds=[NOBODY])

    def instance_stops_and_starts_again(self) -> None:
        one = {"InstanceIds": [self.members("workers-2")[0]]}
        soon = {"Delay": 1, "MaxAttempts": 30}
        self.ec2.reboot_instances(**one)
        (status,) = self.ec2.describe_instance_status(**one)["InstanceStatuses"]
        expect((status["InstanceState"]["Name"], status["SystemStatus"]["Status"]) == ("running", "ok"), f"it is {status}")
        (change,) = self.ec2.stop_instances(**one)["StoppingInstances"]
        expect((change["PreviousState"]["Name"], change["CurrentState"]["Code"]) == ("running", 64), f"it is {change}")
        refused("IncorrectInstanceState", 400, self.ec2.start_instances, **one)
        self.ec2.get_waiter("instance_stopped").wait(WaiterConfig=soon, **one)
        expect(not self.ec2.describe_instance_status(**one)["InstanceStatuses"], "only what runs is shown")
        expect(self.ec2.describe_instance_status(IncludeAllInstances=True, **one)["InstanceStatuses"], "all are asked for")
        (change,) = self.ec2.start_instances(**one)["StartingInstances"]
        expect((change["PreviousState"]["Code"], change["CurrentState"]["Name"]) == (80, "pending"), f"it is {change}")
        self.ec2.get_waiter("instance_running").wait(WaiterConfig=soon, **one)

    def instance_ends_without_its_group(self) -> None:
        instance = self.members("workers-2")[0]
        (change,) = self.ec2.terminate_instances(InstanceIds=[instance])["TerminatingInstances"]
        expect((change["PreviousState"]["Name"], change["CurrentState"]["Code"]) == ("running", 32), f"it is {change}")
        self.ec2.get_waiter("instance_terminated").wait(InstanceIds=[instance], WaiterConfig={"Delay": 1, "MaxAttempts": 20})
        (found,) = self.ec2.describe_instances(InstanceIds=[instance])["Reservations"]
        expect(found["Instances"][0].get("PrivateDnsName", "") == "", "a terminated instance keeps its name")

    def roles_are_assumed(self) -> None:
        sts = self.clients.sts
        role = {"RoleArn": "arn:aws:iam::123456789012:role/team/drainer", "RoleSessionName": "judge"}
        who = sts.get_caller_identity()
        expect(who["Account"] == "123456789012" and who["Arn"].startswith("arn:aws:iam::123456789012:user/"), f"I am {who}")
        for keys in (sts.assume_role(**role), sts.assume_role_with_web_identity(WebIdentityToken="a.b.c", **role)):
            got = keys["Credentials"]
            env = self.sandbox.env | {"AWS_ACCESS_KEY_ID": got["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": got["SecretAccessKey"]}
            me = Clients(env, aws_session_token=got["SessionToken"]).sts.get_caller_identity()
            expect(me["Arn"] == "arn:aws:sts::123456789012:assumed-role/drainer/judge", f"I am {me}")
            refused("InvalidClientTokenId", 403, Clients(env).sts.get_caller_identity)
        refused("ValidationError", 400, sts.assume_role, DurationSeconds=100_000, **role)

    def wrong_keys_are_refused(self) -> None:
        wrong = Clients(self.sandbox.env | {"AWS_SECRET_ACCESS_KEY": "wrong"})
        refused("SignatureDoesNotMatch", 403, wrong.sts.get_caller_identity)
        refused("SignatureDoesNotMatch", 403, wrong.autoscaling.describe_auto_scaling_groups)
        refused("SignatureDoesNotMatch", 403, wrong.sqs.list_queues)
        refused("SignatureDoesNotMatch", 403, wrong.elbv2.describe_target_groups)
        refused("AuthFailure", 401, wrong.ec2.describe_instances)


def run(checks: Checks, clients: Clients, sandbox: Sandbox) -> None:
    body = GroupChecks(clients, sandbox)
    for name in [name for name in vars(GroupChecks) if "_" in name.strip("_")]:
        checks.run(f"EC2, Auto Scaling, STS: {name.replace('_', ' ')}", getattr(body, name))
