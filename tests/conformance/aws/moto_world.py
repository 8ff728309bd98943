# SPDX-License-Identifier: Apache-2.0
"""moto's server: a queue, a group with a hook, target groups, a classic balancer, a user and a role; then every request must be signed."""
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from clients import Clients
from processes import Processes, free_port, ready

REGION = "us-west-2"
EVERYTHING = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*", "Federated": "*"}, "Action": "*"}]})


class Moto:
    """`env` has a user's keys; the admin's clients work until `check_signatures`."""

    def __init__(self, processes: Processes, name: str = "moto") -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
        server = processes.start(name, [Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", self.url.rpartition(":")[2]])
        ready(server, 60, self.answers)
        self.env = {"AWS_ENDPOINT_URL": self.url, "AWS_REGION": REGION, "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
        self.admin = Clients(dict(self.env), strict=False)
        self.make_group()
        self.make_balancers()
        self.queue = self.admin.sqs.create_queue(QueueName="events", Attributes={"VisibilityTimeout": "30"})["QueueUrl"]
        self.make_user()

    def post(self, path: str, body: bytes = b"") -> None:
        request = urllib.request.Request(self.url + path, data=body, method="POST", headers={"Content-Type": "text/plain"})
        urllib.request.urlopen(request, timeout=20).read()

    def answers(self) -> bool:
        try:
            self.post("/moto-api/reset")
        except OSError:
            return False
        return True

    def make_group(self) -> None:
        groups, ec2 = self.admin.autoscaling, self.admin.ec2
        image = ec2.describe_images(Filters=[{"Name": "architecture", "Values": ["x86_64"]}])["Images"][0]["ImageId"]
        self.subnets = [subnet["SubnetId"] for subnet in ec2.describe_subnets()["Subnets"]][:2]
        self.vpc = ec2.describe_vpcs()["Vpcs"][0]["VpcId"]
        groups.create_launch_configuration(LaunchConfigurationName="workers", ImageId=image, InstanceType="m5.large")
        tag = {"Key": "kubernetes.io/cluster/lab", "Value": "owned \u00fc & co", "PropagateAtLaunch": True, "ResourceId": "workers",
               "ResourceType": "auto-scaling-group"}
        groups.create_auto_scaling_group(AutoScalingGroupName="workers", LaunchConfigurationName="workers", MinSize=0, MaxSize=100,
                                         DesiredCapacity=3, VPCZoneIdentifier=",".join(self.subnets), Tags=[tag])
        groups.put_lifecycle_hook(AutoScalingGroupName="workers", LifecycleHookName="drain", HeartbeatTimeout=60,
                                  LifecycleTransition="autoscaling:EC2_INSTANCE_TERMINATING", DefaultResult="CONTINUE")
        (found,) = groups.describe_auto_scaling_groups(AutoScalingGroupNames=["workers"])["AutoScalingGroups"]
        self.instances = sorted(instance["InstanceId"] for instance in found["Instances"])

    def make_balancers(self) -> None:
        elbv2, elb = self.admin.elbv2, self.admin.elb
        made = elbv2.create_target_group(Name="web", Protocol="HTTP", Port=30000, VpcId=self.vpc, TargetType="instance")["TargetGroups"]
        self.group = made[0]["TargetGroupArn"]
        elbv2.modify_target_group_attributes(TargetGroupArn=self.group, Attributes=[
            {"Key": "deregistration_delay.timeout_seconds", "Value": "17"}])
        elbv2.register_targets(TargetGroupArn=self.group, Targets=[{"Id": id_, "Port": 30000} for id_ in self.instances])
        balancer = elbv2.create_load_balancer(Name="front", Subnets=self.subnets)["LoadBalancers"][0]["LoadBalancerArn"]
        elbv2.create_listener(LoadBalancerArn=balancer, Protocol="HTTP", Port=80,
                              DefaultActions=[{"Type": "forward", "TargetGroupArn": self.group}])
        listener = {"Protocol": "HTTP", "LoadBalancerPort": 80, "InstancePort": 30000}
        for i in range(3):
            elb.create_load_balancer(LoadBalancerName=f"old-{i}", Listeners=[listener], AvailabilityZones=[REGION + "a"])
        elb.register_instances_with_load_balancer(LoadBalancerName="old-1", Instances=[{"InstanceId": id_} for id_ in self.instances])

    def make_user(self) -> None:
        iam = self.admin.iam
        iam.create_user(UserName="ferryman")
        iam.put_user_policy(UserName="ferryman", PolicyName="all", PolicyDocument=EVERYTHING)
        key = iam.create_access_key(UserName="ferryman")["AccessKey"]
        self.env |= {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}
        self.user = Clients(self.env, strict=False)
        self.role = iam.create_role(RoleName="drainer", AssumeRolePolicyDocument=TRUST)["Role"]["Arn"]
        iam.put_role_policy(RoleName="drainer", PolicyName="all", PolicyDocument=EVERYTHING)

    def check_signatures(self, on: bool = True) -> None:
        self.post("/moto-api/reset-auth", b"0" if on else b"inf")


class Ours:
    """Our clients (aws_calls.cpp) with these variables; each call is a line to and from it."""

    def __init__(self, program: Path, env: dict) -> None:
        self.child = subprocess.Popen([program], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Ours":
        return self

    def __exit__(self, *_) -> None:
        self.child.stdin.close()
        self.child.wait(20)
        self.child.stdout.close()

    def ask(self, call: str, **arguments) -> dict:
        self.child.stdin.write(json.dumps({"call": call} | arguments) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())
