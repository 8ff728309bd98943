# SPDX-License-Identifier: Apache-2.0
"""One right of deploy/rbac.yaml taken away at a time: it costs its own feature, is named in the log, and holds no hook."""
from checks import Checks, eventually, expect
from scene import Scene, Stage
from termination_checks import BALANCED, QUIET_SOON, Scheduler, controller

# A budget that never allows meets its end after 3 s, and a termination after 25 s.
SHORT = ("--max-termination-time=30s", "--delete-phase-at=10", "--deadline-margin=5s")


def play(stage: Stage, verb: str, resource: str, body) -> None:
    name = f"no-{verb}-{resource}".replace("/", "-")
    with Scene(stage, name, rules=stage.rules_without(resource, verb), flags=SHORT + QUIET_SOON, world=BALANCED) as scene:
        scene.add_pod("free")
        scene.add_pod("guarded")
        scene.add_budget("guarded", 1)
        body(scene)


def drained_all_the_same(scene: Scene) -> None:
    scene.completes(60)
    expect(not scene.pods_on(), lambda: f"pods left: {list(scene.pods_on())}")


def watch_of_nodes(scene: Scene) -> None:
    daemon = scene.start_daemon()
    daemon.says(20, "kube.watch_denied", resource="nodes", cure="grant the verb watch on nodes")
    scene.terminate()
    drained_all_the_same(scene)
    expect(daemon.metric("ferryman_pods_evicted_total") == 1, daemon.process.tail)
    eventually(20, lambda: len(scene.requests("list", "nodes")) >= 2, "nodes are listed again and again instead")


def watch_of_pods(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "kube.watch_denied", resource="pods", cure="grant the verb watch on pods")
    drained_all_the_same(scene)


def patch_of_nodes(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "claim.denied", error='cannot patch resource "nodes"', cure="grant the verbs get and patch on nodes")
    drained_all_the_same(scene)
    expect(not daemon.lines("drain.cut_short"), daemon.process.tail)
    expect("unschedulable" not in scene.node()["spec"], "cordoned without the right?")


def create_of_evictions(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "eviction.denied", error='cannot create resource "pods/eviction"', cure="pods/eviction")
    drained_all_the_same(scene)
    expect(daemon.metric("ferryman_pods_deleted_total") == 2, daemon.process.tail)


def delete_of_pods(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(30, "deletion.denied", error='cannot delete resource "pods"', cure='grant "delete" on pods')
    scene.completes(60)
    daemon.says(5, "drain.cut_short", left="guarded")
    expect(list(scene.pods_on()) == ["guarded"], lambda: f"on the node: {list(scene.pods_on())}")


def list_of_pods(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "pods.not_listed", error='cannot list resource "pods"')
    eventually(10, scene.is_cordoned, "cordoned all the same")
    scene.completes(60)
    daemon.says(5, "drain.cut_short")


def list_of_services(scene: Scene) -> None:
    scene.add_local_service("free")
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "services.unknown", error='cannot list resource "services"', cure="allow list on services")
    drained_all_the_same(scene)


def list_of_daemon_sets(scene: Scene) -> None:
    """They are looked at only when one of their pods is on the node; it stays there."""
    scheduler = Scheduler(scene, scene.nodes[0])
    scene.api.create(scene.path("daemonsets", "apis/apps/v1"), controller("agent"))
    eventually(60, lambda: len(scene.pods_on()) == 3, "the agent runs")
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "daemon_sets.unknown", error='cannot list resource "daemonsets"', cure="allow list on daemonsets")
    scene.completes(60)
    scheduler.stop()
    expect([name.split("-")[0] for name in scene.pods_on()] == ["agent"], lambda: f"on the node: {list(scene.pods_on())}")


def list_of_budgets(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "budgets.unknown", error='cannot list resource "poddisruptionbudgets"',
                cure="allow list and watch on poddisruptionbudgets")
    drained_all_the_same(scene)


def watch_of_budgets(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "kube.watch_denied", resource="poddisruptionbudgets")
    drained_all_the_same(scene)


def with_volume(scene: Scene, event: str, resource: str) -> None:
    attachment = scene.add_volume("data")
    scene.add_pod("db", claim="data")
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(30, event, error=f'"{resource}"')
    eventually(30, lambda: "db" not in scene.pods_on(), "the pod goes all the same")
    scene.detach(attachment)
    drained_all_the_same(scene)


def list_of_attachments(scene: Scene) -> None:
    with_volume(scene, "attachments.unknown", "volumeattachments")


def get_of_claims(scene: Scene) -> None:
    with_volume(scene, "volumes.unknown", "persistentvolumeclaims")


def create_of_events(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "events.not_allowed", error='cannot create resource "events"')
    drained_all_the_same(scene)


def get_of_nodes(scene: Scene) -> None:
    scene.start_daemon()
    scene.terminate()
    eventually(10, scene.is_cordoned, "cordoned all the same")
    drained_all_the_same(scene)


def list_of_nodes(scene: Scene) -> None:
    """Without it nobody knows whose the message is: it waits, and is served when the right is there."""
    daemon = scene.start_daemon(wait=False)
    daemon.says(20, "kube.failed", resource="nodes", error='cannot list resource "nodes"')
    scene.terminate()
    expect(not daemon.is_ready(), "ready without a list of nodes")
    scene.api.patch(f"/apis/rbac.authorization.k8s.io/v1/clusterroles/{scene.name}", {"rules": scene.stage.role["rules"]})
    daemon.says(30, "kube.recovered", resource="nodes")
    drained_all_the_same(scene)


LOSSES = (
    ("watch", "nodes", watch_of_nodes, "lists instead, drains"),
    ("watch", "pods", watch_of_pods, "lists instead, drains"),
    ("patch", "nodes", patch_of_nodes, "no cordon, drains"),
    ("get", "nodes", get_of_nodes, "drains"),
    ("list", "nodes", list_of_nodes, "waits for the right, then drains"),
    ("list", "services", list_of_services, "pods that take traffic do not wait, drains"),
    ("list", "daemonsets", list_of_daemon_sets, "orphans stay, drains"),
    ("list", "poddisruptionbudgets", list_of_budgets, "budgets show by refusals alone, drains"),
    ("watch", "poddisruptionbudgets", watch_of_budgets, "lists instead, drains"),
    ("list", "volumeattachments", list_of_attachments, "does not wait for volumes, drains"),
    ("get", "persistentvolumeclaims", get_of_claims, "waits for all volumes of the node, drains"),
    ("create", "events", create_of_events, "nobody is told, drains"),
    ("create", "pods/eviction", create_of_evictions, "deletes when the time is nearly over"),
    ("delete", "pods", delete_of_pods, "what a budget protects stays and is named"),
    ("list", "pods", list_of_pods, "cordons, completes at the deadline"),
)


def run(checks: Checks, stage: Stage) -> None:
    for verb, resource, body, text in LOSSES:
        checks.run(f"without {verb} {resource}: {text}", play, stage, verb, resource, body)


def only_what_is_granted(stage: Stage) -> None:
    """To be judged last, from all that the account of deploy/rbac.yaml asked in the other checks."""
    granted = {(resource, verb) for rule in stage.role["rules"] for resource in rule["resources"] for verb in rule["verbs"]}
    asked, answered, refused = set(), set(), []
    for entry in stage.plane.audit("ferryman"):
        reference = entry.get("objectRef", {})
        what = "/".join(filter(None, (reference.get("resource", entry["requestURI"]), reference.get("subresource"))))
        asked.add((what, entry["verb"]))
        if entry["responseStatus"]["code"] == 403:
            refused.append((what, entry["verb"]))
        else:
            answered.add((what, entry["verb"]))
    # For a moment after a binding is made the API server's authorizer does not know it yet.
    refused = [what for what in refused if what not in answered]
    expect(not refused, f"refused: {refused}")
    expect(asked <= granted, f"asked, but not granted: {asked - granted}")
    # An event is patched when the same is told again a minute later: longer than a scene.
    asked.add(("events", "patch"))
    expect(granted <= asked, f"granted, but never asked: {granted - asked}")


def judge_audit(checks: Checks, stage: Stage) -> None:
    checks.run("deploy/rbac.yaml grants what was asked, and nothing else", only_what_is_granted, stage)
