# SPDX-License-Identifier: Apache-2.0
"""A zoo: pods of all kinds on one node, the same ones for the same seed."""
import itertools
import json
import random
import time
import uuid

from checks import eventually, expect
from client import Kubectl

SPACES = ("zoo-a", "zoo-b", "zoo-c")
AGENT = "agent"  # the DaemonSet that there is in each namespace
# API version and kind of the owner, its name, and whether it is the controller; None: no owner at all.
OWNERS = (("apps/v1", "ReplicaSet", "web", True), ("apps/v1", "StatefulSet", "db", True), ("batch/v1", "Job", "once", True),
          ("argoproj.io/v1alpha1", "Rollout", "canary", True), ("apps/v1", "ReplicaSet", "web", False), None,
          ("apps/v1", "DaemonSet", AGENT, True), ("apps/v1", "DaemonSet", AGENT, False), ("apps/v1", "DaemonSet", "gone", True),
          ("apps.kruise.io/v1alpha1", "DaemonSet", "foreign", True), ("v1", "Node", "its-node", True))
PHASES = ("Running", "Pending", "Succeeded", "Failed")
VOLUMES = ({"emptyDir": {}}, {"emptyDir": {"medium": "Memory"}}, {"configMap": {"name": "x"}}, {"hostPath": {"path": "/tmp"}},
           {"persistentVolumeClaim": {"claimName": "data"}}, None, None)
ALIVE, TERMINATING, OVERDUE = "alive", "terminating", "overdue"
GRACE_OF = {TERMINATING: 3600, OVERDUE: 1}
OVERDUE_AFTER = 13.0  # the filter asks for more than 10 whole seconds beyond the grace


class Animal:
    def __init__(self, chance: random.Random, owner, phase: str, local: bool, life: str) -> None:
        self.owner, self.phase, self.life = owner, phase, life
        self.volume = chance.choice([one for one in VOLUMES if bool(one and "emptyDir" in one) == local])
        self.space = chance.choice(SPACES)
        self.labels = {key: value for key, value in (("app", chance.choice(("web", "db", ""))), ("tier", chance.choice(("front", "back", ""))),
                                                     ("canary", chance.choice(("yes", "")))) if value}
        # No DaemonSet owns a static pod.
        odd = chance.random() < 0.05
        self.mirror = owner[1] == "Node" or odd and owner[1] != "DaemonSet" if owner else odd
        self.host_network, self.grace = chance.random() < 0.2, chance.choice((1, 2, 30, 600))
        self.guarded = chance.random() < 0.1
        self.uid = str(uuid.UUID(int=chance.getrandbits(128)))
        self.name = ""

    def pod(self, node: str) -> dict:
        annotations = {"sandbox.ferryman.dev/stuck": "true"}
        if self.mirror:
            annotations["kubernetes.io/config.mirror"] = "x"
        if self.guarded:
            annotations |= {"karpenter.sh/do-not-disrupt": "true", "ferryman.dev/forced-ends-only": "true"}
        if self.phase == "Pending":
            annotations["sandbox.ferryman.dev/never-starts"] = "true"
        metadata = {"name": self.name, "namespace": self.space, "labels": self.labels | {"zoo": self.name}, "annotations": annotations}
        if self.owner:
            version, kind, name, controller = self.owner
            metadata["ownerReferences"] = [{"apiVersion": version, "kind": kind, "name": node if kind == "Node" else name,
                                            "uid": self.uid, "controller": controller}]
        spec = {"nodeName": node, "hostNetwork": self.host_network, "terminationGracePeriodSeconds": self.grace,
                "containers": [{"name": "app", "image": "registry.example/app:1"}]}
        if self.volume:
            spec["volumes"] = [{"name": "v"} | self.volume]
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def animals(seed: int, letter: str, extra: int, each: int = 1) -> list[Animal]:
    """One of each kind (or of every so many kinds), and some more. A finished pod that is deleted is gone at once: there is none."""
    chance = random.Random(seed)
    kinds = [kind for kind in itertools.product(OWNERS, PHASES, (False, True), (ALIVE, TERMINATING, OVERDUE))
             if kind[1] in ("Running", "Pending") or kind[3] == ALIVE]
    chosen = kinds[seed % each::each] + [chance.choice(kinds) for _ in range(extra)]
    found = [Animal(chance, *kind) for kind in chosen]
    for number, animal in enumerate(found):
        animal.name = f"{letter}{number}"
    return found


def set_up(kubectl: Kubectl) -> None:
    """Namespaces, DaemonSets and budgets, of which one allows nothing and two take the same pods."""
    items: list[dict] = []
    for space in SPACES:
        labels = {"matchLabels": {"app": "agent-of-" + space}}
        template = {"metadata": {"labels": labels["matchLabels"]}, "spec": {"containers": [{"name": "a", "image": "x"}]}}
        items += [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}},
                  {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": AGENT, "namespace": space},
                   "spec": {"selector": labels, "template": template}}]
    for space, name, spec in (("zoo-a", "none-may-go", {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "web"}}}),
                              ("zoo-b", "one", {"minAvailable": 1, "selector": {"matchLabels": {"app": "db"}}}),
                              ("zoo-b", "two", {"minAvailable": 1, "selector": {"matchLabels": {"tier": "front"}}})):
        items.append({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": name, "namespace": space}, "spec": spec})
    create(kubectl, items)


def create(kubectl: Kubectl, items: list[dict]) -> None:
    kubectl.ok("create", "--validate=false", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


def populate(kubectl: Kubectl, node: str, zoo: list[Animal]) -> float:
    """Makes the pods; the time from which on those that are overdue are so."""
    create(kubectl, [animal.pod(node) for animal in zoo])
    started = [animal for animal in zoo if animal.phase != "Pending"]
    eventually(30, lambda: len(running(kubectl, node, zoo)) == len(started), lambda: f"{len(running(kubectl, node, zoo))} of {len(started)} run")
    for space, phase in itertools.product(SPACES, ("Succeeded", "Failed")):
        if names := [animal.name for animal in zoo if animal.space == space and animal.phase == phase]:
            kubectl.ok("patch", "pod", *names, "-n", space, "--subresource=status", "--type=merge", "-p", json.dumps({"status": {"phase": phase}}))
    for space, life in itertools.product(SPACES, GRACE_OF):
        if names := [animal.name for animal in zoo if animal.space == space and animal.life == life]:
            kubectl.ok("delete", "pod", *names, "-n", space, f"--grace-period={GRACE_OF[life]}", "--wait=false")
    there = kubectl.json("get", "pods", "-A", f"--field-selector=spec.nodeName={node}", "-l", "zoo")["items"]
    expect(len(there) == len(zoo), lambda: f"{len(there)} of {len(zoo)} pods are there")
    expect(sum("deletionTimestamp" in pod["metadata"] for pod in there) == sum(animal.life != ALIVE for animal in zoo), "not all were deleted")
    return time.monotonic() + OVERDUE_AFTER


def running(kubectl: Kubectl, node: str, zoo: list[Animal]) -> list[str]:
    mine = {animal.name for animal in zoo}
    pods = kubectl.json("get", "pods", "-A", f"--field-selector=spec.nodeName={node}", "-l", "zoo")["items"]
    return [pod["metadata"]["name"] for pod in pods if pod["status"].get("phase") == "Running" and pod["metadata"]["name"] in mine]
