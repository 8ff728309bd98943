# SPDX-License-Identifier: Apache-2.0
"""drain: dry, refused by a budget until there is room, in time or not."""
import json
import re

from checks import Checks, eventually, expect
from client import Kubectl
from read_checks import node_names

DRAIN = ("drain", "--ignore-daemonsets", "--delete-emptydir-data")


def pods_on(kubectl: Kubectl, node: str) -> list[str]:
    pods = kubectl.json("get", "pods", f"--field-selector=spec.nodeName={node}")["items"]
    return sorted(pod["metadata"]["name"] for pod in pods)


def drains_dry(kubectl: Kubectl) -> None:
    node = node_names(kubectl)[0]
    before = pods_on(kubectl, node)
    said = kubectl.ok(*DRAIN, node, "--dry-run=server")
    expect(f"node/{node} cordoned (server dry run)" in said and f"node/{node} drained (server dry run)" in said, lambda: said)
    evicted = sorted(re.findall(r"^evicting pod default/(\S+) \(server dry run\)$", said, re.M))
    expect(evicted == before or said.count("evict") >= len(before), lambda: said)
    expect(pods_on(kubectl, node) == before, "a dry run moved pods")
    expect("unschedulable" not in kubectl.json("get", "node", node)["spec"], "a dry run cordoned")


def stops_at_daemon_sets(kubectl: Kubectl) -> None:
    node = node_names(kubectl)[0]
    kubectl.refuses("cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): kube-system/node-agent-", "drain",
                    node)
    kubectl.says(f"node/{node} uncordoned", "uncordon", node)


def gives_up_in_time(kubectl: Kubectl) -> None:
    """A budget that allows nothing."""
    node = node_names(kubectl)[0]
    set_budgets(kubectl, 4)
    kubectl.refuses("global timeout reached", *DRAIN, node, "--timeout=3s")
    done = kubectl.run(*DRAIN, node, "--timeout=2s")
    expect("Cannot evict pod as it would violate the pod's disruption budget." in done.stderr, lambda: done.stderr)
    expect(len(pods_on(kubectl, node)) > 0, "pods went all the same")


def waits_for_the_budget(kubectl: Kubectl) -> None:
    """429 first, then there is room, and the drain goes through."""
    node = node_names(kubectl)[0]
    with kubectl.start("drain", *DRAIN, node, "--timeout=60s") as draining:
        eventually(10, lambda: "will retry after 5s" in draining.said(), draining.said)
        set_budgets(kubectl, 2)
        expect(draining.child.wait(60) == 0, draining.said)
        expect(f"node/{node} drained" in draining.said(), draining.said)
    expect(pods_on(kubectl, node) == [], lambda: pods_on(kubectl, node))
    expect("SchedulingDisabled" in kubectl.ok("get", "node", node), "it is not cordoned")
    refused = [one for one in kubectl.sandbox.journal() if one["operation"] == "pods.evict" and one["outcome"] == "429"]
    expect(refused, "the journal knows of no 429")
    kubectl.says(f"node/{node} uncordoned", "uncordon", node)


def set_budgets(kubectl: Kubectl, least: int) -> None:
    for number in (1, 2, 3):
        kubectl.ok("patch", "pdb", f"shop-{number}", "--type=merge", "-p", json.dumps({"spec": {"minAvailable": least}}))
    eventually(10, lambda: {one["status"]["observedGeneration"] == one["metadata"]["generation"]
                            for one in kubectl.json("get", "pdb")["items"]} == {True})
    rows = [line.split() for line in kubectl.ok("get", "pdb").splitlines()]
    expect(rows[0][:3] == ["NAME", "MIN", "AVAILABLE"] and rows[1][1] == str(least), lambda: rows)


def run(checks: Checks, kubectl: Kubectl) -> None:
    checks.run("drain --dry-run=server", drains_dry, kubectl)
    checks.run("drain stops at DaemonSets", stops_at_daemon_sets, kubectl)
    checks.run("drain --timeout with a budget that allows nothing", gives_up_in_time, kubectl)
    checks.run("drain: 429, then success", waits_for_the_budget, kubectl)
