# SPDX-License-Identifier: Apache-2.0
"""What kubectl reads: get in its forms, describe, wait, watch, discovery."""
import re

from checks import Checks, eventually, expect
from client import Kubectl, table


def lists_nodes(kubectl: Kubectl) -> None:
    rows = table(kubectl.ok("get", "nodes"))
    expect(rows[0] == ["NAME", "STATUS", "ROLES", "AGE", "VERSION"], lambda: rows)
    expect(len(rows) == 5 and all(row[1:3] == ["Ready", "<none>"] for row in rows[1:]), lambda: rows)


def lists_nodes_wide(kubectl: Kubectl) -> None:
    text = kubectl.ok("get", "nodes", "-o", "wide")
    expect(re.split(r"  +", text.splitlines()[0].strip())[5:] ==
           ["INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"], lambda: text)
    expect("Amazon Linux 2023" in text and "containerd://" in text, lambda: text)


def lists_pods(kubectl: Kubectl) -> None:
    rows = table(kubectl.ok("get", "pods"))
    expect(rows[0] == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"], lambda: rows)
    expect(len(rows) == 13 and all(row[1:4] == ["1/1", "Running", "0"] for row in rows[1:]), lambda: rows)
    everywhere = table(kubectl.ok("get", "pods", "-A", "-o", "wide", "--no-headers"))
    expect(len(everywhere) == 16, lambda: everywhere)
    nodes = set(node_names(kubectl))
    expect(all(row[7] in nodes for row in everywhere), lambda: everywhere)


def node_names(kubectl: Kubectl) -> list[str]:
    return [line.removeprefix("node/") for line in kubectl.ok("get", "nodes", "-o", "name").split()]


def writes_names(kubectl: Kubectl) -> None:
    lines = kubectl.ok("get", "nodes", "-o", "name").split()
    expect(len(lines) == 4 and all(line.startswith("node/ip-") for line in lines), lambda: lines)
    lines = kubectl.ok("get", "deployments,pdb", "-o", "name").split()
    expect(lines == [f"deployment.apps/shop-{n}" for n in (1, 2, 3)] +
           [f"poddisruptionbudget.policy/shop-{n}" for n in (1, 2, 3)], lambda: lines)


def writes_json(kubectl: Kubectl) -> None:
    nodes = kubectl.json("get", "nodes")
    expect(nodes["kind"] == "List" and {one["kind"] for one in nodes["items"]} == {"Node"}, lambda: nodes)
    node = kubectl.json("get", "node", nodes["items"][0]["metadata"]["name"])
    expect(node["apiVersion"] == "v1" and node["spec"]["providerID"].startswith("aws:///"), lambda: node)
    zones = kubectl.ok("get", "nodes", "-o", "jsonpath={.items[*].metadata.labels.topology\\.kubernetes\\.io/zone}")
    expect(len(zones.split()) == 4, lambda: zones)


def selects(kubectl: Kubectl) -> None:
    expect(len(kubectl.ok("get", "pods", "-l", "app=shop-1", "-o", "name").split()) == 4, "-l app=shop-1")
    expect(len(kubectl.ok("get", "pods", "-l", "app in (shop-1, shop-2)", "-o", "name").split()) == 8, "-l in")
    expect(len(kubectl.ok("get", "pods", "-l", "app!=shop-1", "-o", "name").split()) == 8, "-l !=")
    node = node_names(kubectl)[0]
    pods = kubectl.json("get", "pods", "-A", f"--field-selector=spec.nodeName={node},status.phase!=Failed")["items"]
    expect(pods and {pod["spec"]["nodeName"] for pod in pods} == {node}, lambda: pods)
    kubectl.refuses('field label not supported: spec.image', "get", "pods", "--field-selector=spec.image=x")
    kubectl.refuses("No resources found in default namespace.", "get", "pods", "-l", "app=none", status=0)


def pages(kubectl: Kubectl) -> None:
    whole = kubectl.ok("get", "pods", "-A", "-o", "name")
    expect(kubectl.ok("get", "pods", "-A", "-o", "name", "--chunk-size=3") == whole, "three at a time are other pods")


def sorts_and_shows_labels(kubectl: Kubectl) -> None:
    rows = table(kubectl.ok("get", "nodes", "-L", "topology.kubernetes.io/zone", "--sort-by=.metadata.name"))
    expect(rows[0][-1] == "ZONE" and re.fullmatch(r"us-west-2[a-z]", rows[1][-1]), lambda: rows)
    expect("kubernetes.io/os=linux" in kubectl.ok("get", "nodes", "--show-labels"), "labels are not shown")


def misses(kubectl: Kubectl) -> None:
    kubectl.refuses('Error from server (NotFound): nodes "none" not found', "get", "node", "none")
    kubectl.refuses('error: the server doesn\'t have a resource type "widgets"', "get", "widgets")
    kubectl.says("", "get", "node", "none", "--ignore-not-found")


def describes_node(kubectl: Kubectl) -> None:
    name = node_names(kubectl)[0]
    text = kubectl.ok("describe", "node", name)
    for part in (f"Name:               {name}", "Unschedulable:      false", "ProviderID:", "Ready            True",
                 "Non-terminated Pods:", "shop-", "Allocated resources:"):
        expect(part in text, lambda: f"no {part!r} in\n{text}")


def describes_pod(kubectl: Kubectl) -> None:
    pod = kubectl.ok("get", "pods", "-o", "name").split()[0]
    text = kubectl.ok("describe", pod)
    for part in (rf"^Name: +{pod.removeprefix('pod/')}$", "^Status: +Running$", "^Controlled By: +ReplicaSet/",
                 "^ +Image: +registry.example/app:1$", "^QoS Class: +BestEffort$", "^Node: +ip-.*/10\\."):
        expect(re.search(part, text, re.M), lambda: f"no {part!r} in\n{text}")


def waits_for_a_condition(kubectl: Kubectl) -> None:
    name = node_names(kubectl)[0]
    kubectl.says(f"node/{name} condition met", "wait", f"node/{name}", "--for=condition=Ready", "--timeout=5s")
    kubectl.refuses("timed out waiting for the condition", "wait", f"node/{name}", "--for=condition=DiskPressure",
                    "--timeout=1s")


def waits_for_a_value(kubectl: Kubectl) -> None:
    pod = kubectl.ok("get", "pods", "-o", "name").split()[0]
    kubectl.says(f"{pod} condition met", "wait", pod, "--for=jsonpath={.status.phase}=Running", "--timeout=5s")


def workloads_are_ready(kubectl: Kubectl) -> None:
    rows = table(kubectl.ok("get", "deployments"))
    expect(rows[0] == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"], lambda: rows)
    expect([row[:4] for row in rows[1:]] == [[f"shop-{n}", "4/4", "4", "4"] for n in (1, 2, 3)], lambda: rows)
    kubectl.says('deployment "shop-1" successfully rolled out', "rollout", "status", "deployment/shop-1", "--timeout=5s")
    kubectl.says("deployment.apps/shop-1 condition met", "wait", "deployment/shop-1", "--for=condition=Available", "--timeout=5s")
    agents = table(kubectl.ok("get", "daemonsets", "-A", "--no-headers"))
    expect([row[2:5] for row in agents] == [["4", "4", "4"]], lambda: agents)


def waits_for_deletion(kubectl: Kubectl) -> None:
    pod = kubectl.ok("get", "pods", "-l", "app=shop-3", "-o", "name").split()[0]
    with kubectl.start("wait-delete", "wait", pod, "--for=delete", "--timeout=20s") as waiting:
        kubectl.says(f'pod "{pod.removeprefix("pod/")}" deleted from default namespace', "delete", pod, "--wait=false")
        expect(waiting.child.wait(20) == 0, waiting.said)
        expect(waiting.said().strip() == f"{pod} condition met", waiting.said)
    kubectl.refuses("NotFound", "get", pod)
    kubectl.ok("wait", "deployment/shop-3", "--for=jsonpath={.spec.replicas}=4", "--timeout=5s")
    eventually(20, lambda: kubectl.ok("get", "pods", "-l", "app=shop-3", "--no-headers").count("1/1") == 4)


def watches(kubectl: Kubectl) -> None:
    name = node_names(kubectl)[1]
    with kubectl.start("watch", "get", "nodes", "-w") as watching:
        eventually(10, lambda: watching.said().count("Ready") >= 4, watching.said)
        kubectl.says(f"node/{name} cordoned", "cordon", name)
        eventually(10, lambda: re.search(rf"^{name} +Ready,SchedulingDisabled", watching.said(), re.M), watching.said)
        kubectl.says(f"node/{name} uncordoned", "uncordon", name)
        eventually(10, lambda: re.search(rf"SchedulingDisabled.*\n(.*\n)*{name} +Ready  ", watching.said()), watching.said)
        expect(watching.child.poll() is None, "the watch ended")


def discovers(kubectl: Kubectl) -> None:
    rows = table(kubectl.ok("api-resources", "--no-headers"))
    for row in (["nodes", "no", "v1", "false", "Node"], ["pods", "po", "v1", "true", "Pod"],
                ["leases", "coordination.k8s.io/v1", "true", "Lease"],
                ["poddisruptionbudgets", "pdb", "policy/v1", "true", "PodDisruptionBudget"],
                ["selfsubjectaccessreviews", "authorization.k8s.io/v1", "false", "SelfSubjectAccessReview"]):
        expect(row in rows, lambda: f"no {row} in {rows}")
    versions = kubectl.ok("api-versions").split()
    expect({"v1", "apps/v1", "policy/v1", "events.k8s.io/v1"} <= set(versions), lambda: versions)


def tells_versions(kubectl: Kubectl) -> None:
    text = kubectl.ok("version")
    expect("Server Version: v1.34" in text and "Client Version: v1.37" in text, lambda: text)


def explains(kubectl: Kubectl) -> None:
    text = kubectl.ok("explain", "pod.spec.containers.image")
    expect("KIND:       Pod" in text and "FIELD: image <string>" in text, lambda: text)


def run(checks: Checks, kubectl: Kubectl) -> None:
    checks.run("get nodes", lists_nodes, kubectl)
    checks.run("get nodes -o wide", lists_nodes_wide, kubectl)
    checks.run("get pods, -A -o wide", lists_pods, kubectl)
    checks.run("get -o name", writes_names, kubectl)
    checks.run("get -o json, -o jsonpath", writes_json, kubectl)
    checks.run("get -l, --field-selector", selects, kubectl)
    checks.run("get --chunk-size", pages, kubectl)
    checks.run("get -L, --sort-by, --show-labels", sorts_and_shows_labels, kubectl)
    checks.run("get of what is not there", misses, kubectl)
    checks.run("describe node", describes_node, kubectl)
    checks.run("describe pod", describes_pod, kubectl)
    checks.run("wait --for=condition", waits_for_a_condition, kubectl)
    checks.run("wait --for=jsonpath", waits_for_a_value, kubectl)
    checks.run("get deployments, get daemonsets, rollout status", workloads_are_ready, kubectl)
    checks.run("wait --for=delete, delete pod --wait=false", waits_for_deletion, kubectl)
    checks.run("get -w, cordon, uncordon", watches, kubectl)
    checks.run("api-resources, api-versions", discovers, kubectl)
    checks.run("version", tells_versions, kubectl)
    checks.run("explain", explains, kubectl)
