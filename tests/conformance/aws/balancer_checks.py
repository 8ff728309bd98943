# SPDX-License-Identifier: Apache-2.0
"""Both versions of Elastic Load Balancing in the sandbox as boto3 sees them: pages, draining with waiters, errors, throttling."""
from botocore.exceptions import ClientError

from checks import Checks, Failed, expect
from clients import Clients, nobodys, pages, refused

SOON = {"Delay": 1, "MaxAttempts": 20}
NOBODY = "i-0ffffffffffffffff"


class BalancerChecks:
    def __init__(self, clients: Clients) -> None:
        self.clients, self.elbv2, self.elb = clients, clients.elbv2, clients.elb

    def group(self, index: int) -> dict:
        return sorted(self.elbv2.describe_target_groups()["TargetGroups"], key=lambda group: group["TargetGroupName"])[index]

    def health(self, group: dict, *targets: dict) -> list[tuple]:
        arguments = {"Targets": list(targets)} if targets else {}
        found = self.elbv2.describe_target_health(TargetGroupArn=group["TargetGroupArn"], **arguments)["TargetHealthDescriptions"]
        return [(one["Target"]["Id"], one["Target"]["Port"], one["TargetHealth"]["State"], one["TargetHealth"].get("Reason")) for one in found]

    def serving(self) -> str:
        """An instance that is registered everywhere and healthy."""
        return next(target[0] for target in self.health(self.group(0)) if target[2] == "healthy")

    def groups_and_balancers_come_in_pages(self) -> None:
        found = pages(self.elbv2, "describe_target_groups", "TargetGroups", 2)
        expect(len({group["TargetGroupArn"] for group in found}) == 5, f"found {len(found)}")
        balancers = pages(self.elbv2, "describe_load_balancers", "LoadBalancers", 1)
        expect({balancer["Type"] for balancer in balancers} == {"application", "network"}, f"found {balancers}")
        self.elbv2.get_waiter("load_balancer_available").wait(LoadBalancerArns=[balancers[0]["LoadBalancerArn"]], WaiterConfig=SOON)
        self.elbv2.get_waiter("load_balancer_exists").wait(Names=[balancers[0]["LoadBalancerName"]], WaiterConfig=SOON)
        some = self.elbv2.describe_target_groups(LoadBalancerArn=balancers[0]["LoadBalancerArn"])["TargetGroups"]
        expect(0 < len(some) < 5, f"{len(some)} of one balancer")
        one = self.elbv2.describe_target_groups(Names=[found[3]["TargetGroupName"]])["TargetGroups"]
        expect([group["TargetGroupArn"] for group in one] == [found[3]["TargetGroupArn"]], f"by name: {one}")

    def attributes_and_tags_of_groups(self) -> None:
        group = self.group(0)
        arn = group["TargetGroupArn"]
        own = {one["Key"]: one["Value"] for one in self.elbv2.describe_target_group_attributes(TargetGroupArn=arn)["Attributes"]}
        expect(own["deregistration_delay.timeout_seconds"] == "2", f"attributes {own}")
        tags = self.elbv2.describe_tags(ResourceArns=[arn, group["LoadBalancerArns"][0]])["TagDescriptions"]
        expect([one["ResourceArn"] for one in tags] == [arn, group["LoadBalancerArns"][0]], f"found {tags}")
        expect({"Key": "kubernetes.io/cluster/sandbox", "Value": "owned"} in tags[0]["Tags"], f"tags {tags}")
        refused("ValidationError", 400, self.elbv2.describe_tags, ResourceArns=[arn] * 21)

    def targets_drain_and_are_let_go(self) -> None:
        group, instance = self.group(0), self.serving()
        target = {"Id": instance, "Port": group["Port"]}
        self.elbv2.deregister_targets(TargetGroupArn=group["TargetGroupArn"], Targets=[target])
        expect(self.health(group, target) == [(instance, group["Port"], "draining", "Target.DeregistrationInProgress")], "not draining")
        self.elbv2.get_waiter("target_deregistered").wait(TargetGroupArn=group["TargetGroupArn"], Targets=[target], WaiterConfig=SOON)
        expect(self.health(group, target) == [(instance, group["Port"], "unused", "Target.NotRegistered")], "not let go")
        expect(instance not in [found[0] for found in self.health(group)], "still listed")
        self.elbv2.deregister_targets(TargetGroupArn=group["TargetGroupArn"], Targets=[target])

    def targets_come_back(self) -> None:
        group, instance = self.group(1), self.serving()
        target = {"Id": instance, "Port": group["Port"]}
        arguments = {"TargetGroupArn": group["TargetGroupArn"], "Targets": [target]}
        self.elbv2.deregister_targets(**arguments)
        self.elbv2.register_targets(**arguments)
        expect(self.health(group, target)[0][2:] == ("initial", "Elb.RegistrationInProgress"), "not initial")
        self.elbv2.get_waiter("target_in_service").wait(WaiterConfig=SOON, **arguments)

    def two_ports_are_two_targets(self) -> None:
        group = next(group for group in (self.group(i) for i in range(5)) if len({port for _, port, *_ in self.health(group)}) == 2)
        instance, ports = self.serving(), sorted({port for _, port, *_ in self.health(group)})
        self.elbv2.deregister_targets(TargetGroupArn=group["TargetGroupArn"], Targets=[{"Id": instance, "Port": ports[1]}])
        mine = {port: state for id_, port, state, _ in self.health(group) if id_ == instance}
        expect(mine == {ports[0]: "healthy", ports[1]: "draining"}, f"it is {mine}")

    def wrong_targets_are_refused(self) -> None:
        arn = self.group(0)["TargetGroupArn"]
        refused("TargetGroupNotFound", 400, self.elbv2.describe_target_health, TargetGroupArn=nobodys(arn))
        refused("ValidationError", 400, self.elbv2.describe_target_health, TargetGroupArn="none")
        refused("InvalidTarget", 400, self.elbv2.deregister_targets, TargetGroupArn=arn, Targets=[{"Id": NOBODY}])
        refused("ValidationError", 400, self.elbv2.register_targets, TargetGroupArn=arn, Targets=[{"Id": "i-coffee"}])
        refused("LoadBalancerNotFound", 400, self.elbv2.describe_load_balancers, Names=["none"])
        refused("TargetGroupNotFound", 400, self.elbv2.describe_target_groups, Names=["none"])

    def classic_balancers_come_in_pages(self) -> None:
        found = pages(self.elb, "describe_load_balancers", "LoadBalancerDescriptions", 2)
        expect([one["LoadBalancerName"] for one in found] == ["classic-0001", "classic-0002", "classic-0003"], f"found {found}")
        expect(len(found[0]["Instances"]) >= 2, f"instances {found[0]['Instances']}")
        own = self.elb.describe_load_balancer_attributes(LoadBalancerName="classic-0001")["LoadBalancerAttributes"]
        expect(own["ConnectionDraining"] == {"Enabled": True, "Timeout": 2}, f"attributes {own}")
        tags = self.elb.describe_tags(LoadBalancerNames=["classic-0001", "classic-0003"])["TagDescriptions"]
        expect(tags[1]["Tags"] == [{"Key": "kubernetes.io/cluster/sandbox", "Value": "owned"}], f"tags {tags}")

    def classic_instances_drain_and_come_back(self) -> None:
        one = {"LoadBalancerName": "classic-0001", "Instances": [{"InstanceId": self.serving()}]}
        self.elb.get_waiter("any_instance_in_service").wait(LoadBalancerName="classic-0001", WaiterConfig=SOON)
        left = self.elb.deregister_instances_from_load_balancer(**one)["Instances"]
        expect(one["Instances"][0] not in left and left, f"left {left}")
        (state,) = self.elb.describe_instance_health(**one)["InstanceStates"]
        expect(state["State"] == "InService" and state["Description"] == "Instance deregistration currently in progress.", f"it is {state}")
        self.elb.get_waiter("instance_deregistered").wait(WaiterConfig=SOON, **one)
        (state,) = self.elb.describe_instance_health(**one)["InstanceStates"]
        expect((state["State"], state["ReasonCode"]) == ("OutOfService", "Instance"), f"it is {state}")
        refused("InvalidInstance", 400, self.elb.deregister_instances_from_load_balancer, **one)
        expect(one["Instances"][0] in self.elb.register_instances_with_load_balancer(**one)["Instances"], "not registered")
        self.elb.get_waiter("instance_in_service").wait(WaiterConfig=SOON, **one)

    def wrong_classic_calls_are_refused(self) -> None:
        refused("LoadBalancerNotFound", 400, self.elb.describe_load_balancers, LoadBalancerNames=["none"])
        refused("InvalidInstance", 400, self.elb.describe_instance_health, LoadBalancerName="classic-0002", Instances=[{"InstanceId": NOBODY}])
        refused("InvalidInstance", 400, self.elb.register_instances_with_load_balancer, LoadBalancerName="classic-0002",
                Instances=[{"InstanceId": NOBODY}])

    def calls_beyond_the_published_rate_are_throttled(self) -> None:
        hasty = self.clients.make("elb", attempts=1)
        for passed in range(60):
            try:
                hasty.describe_load_balancers()
            except ClientError as error:
                expect(error.response["Error"]["Code"] == "Throttling", f"refused with {error}")
                expect(passed >= 5, f"after {passed} calls")
                return
        raise Failed("60 calls at once are answered")


def run(checks: Checks, clients: Clients) -> None:
    body = BalancerChecks(clients)
    for name in [name for name in vars(BalancerChecks) if "_" in name.strip("_")]:
        checks.run(f"load balancing: {name.replace('_', ' ')}", getattr(body, name))
