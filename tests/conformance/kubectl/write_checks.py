# SPDX-License-Identifier: Apache-2.0
"""What kubectl writes: label, annotate, taint, patch in three forms, apply, create, delete."""
import json
from pathlib import Path

from checks import Checks, eventually, expect
from client import Kubectl
from read_checks import node_names

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "labels": {"app": "a"}},
          "data": {"x": "1", "y": "2"}}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "single"},
       "spec": {"containers": [{"name": "app", "image": "registry.example/app:1"}], "terminationGracePeriodSeconds": 2}}
SERVER_DRY = ("apply", "--server-side", "--dry-run=server", "-f", "-")


def labels(kubectl: Kubectl) -> None:
    node = node_names(kubectl)[0]
    kubectl.says(f"node/{node} labeled", "label", "node", node, "team=blue")
    expect(kubectl.json("get", "node", node)["metadata"]["labels"]["team"] == "blue", "no label")
    kubectl.refuses("error: 'team' already has a value (blue), and --overwrite is false", "label", "node", node, "team=red")
    kubectl.says(f"node/{node} labeled", "label", "node", node, "team=red", "--overwrite")
    kubectl.says(f"node/{node} unlabeled", "label", "node", node, "team-")
    expect("team" not in kubectl.json("get", "node", node)["metadata"]["labels"], "the label is still there")


def annotates(kubectl: Kubectl) -> None:
    node = node_names(kubectl)[0]
    kubectl.says(f"node/{node} annotated", "annotate", "node", node, "example.com/note=hello")
    note = kubectl.ok("get", "node", node, "-o", r"jsonpath={.metadata.annotations.example\.com/note}")
    expect(note == "hello", lambda: note)
    kubectl.says(f"node/{node} annotated", "annotate", "node", node, "example.com/note-")


def taints(kubectl: Kubectl) -> None:
    node = node_names(kubectl)[0]
    kubectl.says(f"node/{node} tainted", "taint", "node", node, "spot=true:NoSchedule")
    expect("spot=true:NoSchedule" in kubectl.ok("describe", "node", node), "describe does not show the taint")
    kubectl.says(f"node/{node} untainted", "taint", "node", node, "spot:NoSchedule-")
    expect("taints" not in kubectl.json("get", "node", node)["spec"], "the taint is still there")


def patch(kubectl: Kubectl, kind: str, body) -> dict:
    node = node_names(kubectl)[0]
    kubectl.says(f"node/{node} patched", "patch", "node", node, f"--type={kind}", "-p", json.dumps(body))
    return kubectl.json("get", "node", node)


def patches_by_merge(kubectl: Kubectl) -> None:
    made = patch(kubectl, "merge", {"metadata": {"labels": {"m": "1"}}, "spec": {"unschedulable": True}})
    expect(made["metadata"]["labels"]["m"] == "1" and made["spec"]["unschedulable"], lambda: made)
    made = patch(kubectl, "merge", {"metadata": {"labels": {"m": None}}, "spec": {"unschedulable": None}})
    expect("m" not in made["metadata"]["labels"] and "unschedulable" not in made["spec"], lambda: made)


def patches_strategically(kubectl: Kubectl) -> None:
    kubectl.ok("create", "-f", "-", stdin=json.dumps(POD))
    body = {"spec": {"containers": [{"name": "app", "image": "registry.example/app:2"}]}}
    kubectl.says("pod/single patched", "patch", "pod", "single", "-p", json.dumps(body))
    containers = kubectl.json("get", "pod", "single")["spec"]["containers"]
    expect([(one["name"], one["image"]) for one in containers] == [("app", "registry.example/app:2")], lambda: containers)


def patches_by_operations(kubectl: Kubectl) -> None:
    made = patch(kubectl, "json", [{"op": "add", "path": "/metadata/labels/example.com~1j", "value": "1"}])
    expect(made["metadata"]["labels"]["example.com/j"] == "1", lambda: made["metadata"])
    made = patch(kubectl, "json", [{"op": "test", "path": "/metadata/labels/example.com~1j", "value": "1"},
                                   {"op": "remove", "path": "/metadata/labels/example.com~1j"}])
    expect("example.com/j" not in made["metadata"]["labels"], lambda: made["metadata"])
    kubectl.refuses("The request is invalid: the server rejected our request due to an error in our request", "patch", "node",
                    node_names(kubectl)[0], "--type=json", "-p", '[{"op":"remove","path":"/metadata/labels/none"}]')


def replaces_with_a_precondition(kubectl: Kubectl) -> None:
    kubectl.ok("create", "configmap", "versioned", "--from-literal=a=1")
    old = kubectl.json("get", "configmap", "versioned")
    kubectl.ok("patch", "configmap", "versioned", "--type=merge", "-p", '{"data":{"a":"2"}}')
    kubectl.refuses("the object has been modified; please apply your changes to the latest version and try again",
                    "replace", "-f", "-", stdin=json.dumps(old))


def applies_the_deployment_dry(kubectl: Kubectl) -> None:
    kubectl.says("namespace/ferryman created", "create", "namespace", "ferryman")
    said = kubectl.ok("apply", "--server-side", "--dry-run=server", "-f", str(DEPLOY / "rbac.yaml"), "-f", str(DEPLOY / "ferryman.yaml"))
    for one in ("namespace/ferryman", "serviceaccount/ferryman", "clusterrole.rbac.authorization.k8s.io/ferryman",
                "clusterrolebinding.rbac.authorization.k8s.io/ferryman", "deployment.apps/ferryman"):
        expect(f"{one} serverside-applied (server dry run)" in said.splitlines(), lambda: f"no {one} in\n{said}")
    kubectl.refuses("NotFound", "get", "deployment", "ferryman", "-n", "ferryman")


def applies_other_objects_dry(kubectl: Kubectl) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node_names(kubectl)[0], "labels": {"dry": "yes"}}}
    for one, name in ((CONFIG, "configmap/settings"), (POD | {"metadata": {"name": "dry"}}, "pod/dry"),
                      (node, f"node/{node['metadata']['name']}")):
        kubectl.says(f"{name} serverside-applied (server dry run)", *SERVER_DRY, stdin=json.dumps(one))
    kubectl.refuses("NotFound", "get", "configmap", "settings")
    expect("dry" not in kubectl.json("get", "nodes")["items"][0]["metadata"]["labels"], "a dry run changed the node")


def refuses_unknown_fields(kubectl: Kubectl) -> None:
    wrong = POD | {"metadata": {"name": "wrong"}, "spec": POD["spec"] | {"restartPolice": "Never"}}
    kubectl.refuses(".spec.restartPolice: field not declared in schema", *SERVER_DRY, stdin=json.dumps(wrong))
    kubectl.refuses('strict decoding error: unknown field "spec.restartPolice"', "create", "--dry-run=server", "-f", "-",
                    stdin=json.dumps(wrong))
    done = kubectl.run("create", "--validate=warn", "--dry-run=server", "-f", "-", stdin=json.dumps(wrong))
    expect(done.returncode == 0 and 'Warning: unknown field "spec.restartPolice"' in done.stderr, lambda: done)
    typed = POD | {"metadata": {"name": "wrong"}, "spec": POD["spec"] | {"terminationGracePeriodSeconds": "long"}}
    kubectl.refuses("json: cannot unmarshal string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type "
                    "int64", "create", "--dry-run=server", "-f", "-", stdin=json.dumps(typed))


def applies_for_good(kubectl: Kubectl) -> None:
    apply = ("apply", "--server-side", "-f", "-")
    kubectl.says("configmap/settings serverside-applied", *apply, stdin=json.dumps(CONFIG))
    less = CONFIG | {"data": {"x": "1"}}
    kubectl.says("configmap/settings serverside-applied", *apply, stdin=json.dumps(less))
    expect(kubectl.json("get", "configmap", "settings")["data"] == {"x": "1"}, "what was left out is still there")
    other = CONFIG | {"data": {"x": "other"}}
    kubectl.refuses('conflict with "kubectl": .data.x', *apply, "--field-manager=another", stdin=json.dumps(other))
    kubectl.says("configmap/settings serverside-applied", *apply, "--field-manager=another", "--force-conflicts",
                 stdin=json.dumps(other))
    expect(kubectl.json("get", "configmap", "settings")["data"] == {"x": "other"}, "it was not forced")


def applies_on_the_client_side(kubectl: Kubectl) -> None:
    one = CONFIG | {"metadata": {"name": "client-side"}}
    kubectl.says("configmap/client-side created", "apply", "-f", "-", stdin=json.dumps(one))
    kubectl.says("configmap/client-side unchanged", "apply", "-f", "-", stdin=json.dumps(one))
    kubectl.says("configmap/client-side configured", "apply", "-f", "-", stdin=json.dumps(one | {"data": {"x": "3"}}))
    expect(kubectl.json("get", "configmap", "client-side")["data"] == {"x": "3"}, "it is not as applied")


def deletes_a_pod(kubectl: Kubectl) -> None:
    kubectl.says('pod "single" deleted from default namespace', "delete", "pod", "single")
    kubectl.refuses('Error from server (NotFound): pods "single" not found', "get", "pod", "single")
    kubectl.says('configmap "settings" deleted from default namespace', "delete", "configmap", "settings")


def keeps_leases(kubectl: Kubectl) -> None:
    lease = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "leader"},
             "spec": {"holderIdentity": "a", "leaseDurationSeconds": 15, "renewTime": "2026-11-30T12:00:00.000000Z"}}
    kubectl.says("lease.coordination.k8s.io/leader created", "create", "-f", "-", stdin=json.dumps(lease))
    rows = kubectl.ok("get", "leases").splitlines()
    expect(rows[0].split() == ["NAME", "HOLDER", "AGE"] and rows[1].split()[:2] == ["leader", "a"], lambda: rows)
    first = kubectl.json("get", "lease", "leader")
    kubectl.ok("patch", "lease", "leader", "--type=merge", "-p", '{"spec":{"holderIdentity":"b"}}')
    first["spec"]["holderIdentity"] = "c"
    kubectl.refuses("the object has been modified", "replace", "-f", "-", stdin=json.dumps(first))
    expect(kubectl.json("get", "lease", "leader")["spec"]["holderIdentity"] == "b", "the late one won")


def shows_events(kubectl: Kubectl) -> None:
    node = node_names(kubectl)[0]
    event = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "told", "namespace": "default"},
             "involvedObject": {"apiVersion": "v1", "kind": "Node", "name": node}, "reason": "Leaving", "message": "it goes", "type": "Normal",
             "firstTimestamp": "2026-11-30T12:00:00Z", "lastTimestamp": "2026-11-30T12:00:00Z", "count": 1}
    kubectl.ok("create", "-f", "-", stdin=json.dumps(event))
    rows = kubectl.ok("get", "events").splitlines()
    expect(rows[0].split() == ["LAST", "SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"], lambda: rows)
    expect(rows[1].split()[1:] == ["Normal", "Leaving", f"node/{node}", "it", "goes"], lambda: rows)
    note = kubectl.ok("get", "events.events.k8s.io", "told", "-o", "jsonpath={.note} {.regarding.name}")
    expect(note == f"it goes {node}", lambda: note)
    kubectl.ok("patch", "event", "told", "--type=merge", "-p", '{"count":2}')
    eventually(5, lambda: "Leaving" in kubectl.ok("events", "--for", f"node/{node}"))


def run(checks: Checks, kubectl: Kubectl) -> None:
    checks.run("label", labels, kubectl)
    checks.run("annotate", annotates, kubectl)
    checks.run("taint", taints, kubectl)
    checks.run("patch --type=merge", patches_by_merge, kubectl)
    checks.run("patch --type=strategic", patches_strategically, kubectl)
    checks.run("patch --type=json", patches_by_operations, kubectl)
    checks.run("replace with an old resourceVersion", replaces_with_a_precondition, kubectl)
    checks.run("apply --server-side --dry-run=server of deploy/", applies_the_deployment_dry, kubectl)
    checks.run("apply --server-side --dry-run=server of a ConfigMap, a Pod, a Node", applies_other_objects_dry, kubectl)
    checks.run("unknown fields and wrong types", refuses_unknown_fields, kubectl)
    checks.run("apply --server-side, its conflicts and --force-conflicts", applies_for_good, kubectl)
    checks.run("apply on the client's side", applies_on_the_client_side, kubectl)
    checks.run("delete pod, delete configmap", deletes_a_pod, kubectl)
    checks.run("leases with resourceVersion conflicts", keeps_leases, kubectl)
    checks.run("events in both forms", shows_events, kubectl)
