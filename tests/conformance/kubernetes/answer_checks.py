# SPDX-License-Identifier: Apache-2.0
"""What the API server answers to evictions and patches, and what the daemon makes of it."""
import threading

from checks import Checks, Failed, eventually, expect
from scene import Scene, Stage

FORCE = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}


def evictions_of_changed_pods(stage: Stage) -> None:
    """Blind for the pods' changes (no right to watch), the daemon evicts what is gone, and what is another by now."""
    with Scene(stage, "changed", nodes=2, rules=stage.rules_without("pods", "watch")) as scene:
        changed_pods(scene)


def meet_one_that_is_gone(scene: Scene, names: list[str]) -> None:
    """The daemon lists every 10 s and may see that a pod is gone before it asks again: so one after the other."""
    for name in names:
        scene.api.ok("DELETE", f"{scene.path('pods')}/{name}", FORCE)
        try:
            eventually(5, lambda: scene.requests("create", "pods", "eviction", 404))
            break
        except Failed:
            continue
    for name in names:
        scene.drop_budget(name)


def changed_pods(scene: Scene) -> None:
    gone = [f"gone-{n}" for n in range(4)]
    for name in (*gone, "twin"):
        scene.add_pod(name)
        scene.add_budget(name, 1)
    daemon = scene.start_daemon()
    scene.terminate()
    for name in (*gone, "twin"):
        daemon.says(20, "eviction.blocked", pod=f"changed/{name}", budgets=f"changed/{name}")
    scene.api.ok("DELETE", f"{scene.path('pods')}/twin", FORCE)
    scene.add_pod("twin", node=scene.nodes[1])
    scene.drop_budget("twin")  # else its budget would answer before its UID is looked at
    eventually(20, lambda: scene.requests("create", "pods", "eviction", 409), "an eviction meets a UID conflict")
    meet_one_that_is_gone(scene, gone)
    scene.completes(60)
    for code, meaning in ((429, "budget"), (404, "gone"), (409, "UID conflict")):
        expect(scene.requests("create", "pods", "eviction", code), f"the API server never answered {code} ({meaning})")
    expect(not daemon.lines("eviction.failed"), lambda: str(daemon.lines("eviction.failed")))
    expect(scene.pod("twin")["metadata"].get("deletionTimestamp") is None, "the new bearer of the name was evicted")


class Meddler:
    """Somebody else who keeps changing a node, and remembers the taints that he put on it."""

    def __init__(self, scene: Scene, node: str) -> None:
        self.node, self.taints = node, []
        self._api, self._stop = scene.api, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        path, round_trip = f"/api/v1/nodes/{self.node}", 0
        while not self._stop.wait(0.01):
            round_trip += 1
            node = self._api.patch(path, {"metadata": {"labels": {"n": str(round_trip)}}})
            if round_trip % 10 or len(self.taints) == 30:
                continue
            key = f"others/{len(self.taints)}"
            node["spec"]["taints"] = node["spec"].get("taints", []) + [{"key": key, "effect": "PreferNoSchedule"}]
            if self._api.send("PUT", path, node).status == 200:
                self.taints.append(key)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()


def patches_of_changing_nodes(stage: Stage) -> None:
    with Scene(stage, "meddled", nodes=4) as scene:
        scene.start_daemon()
        meddlers = [Meddler(scene, node) for node in scene.nodes]
        try:
            eventually(10, lambda: all(len(meddler.taints) > 2 for meddler in meddlers), "others' taints")
            for number in range(4):
                scene.terminate(number)
            for number in range(4):
                scene.completes(60, number)
                eventually(20, lambda: "closed" in scene.claim(scene.nodes[number]), "claim closed")
        finally:
            for meddler in meddlers:
                meddler.stop()
        conflicts = [entry for entry in scene.requests("patch", "nodes", code=409) if entry["objectRef"]["name"] in scene.nodes]
        expect(conflicts, "no patch met a conflict")
        for meddler in meddlers:
            present = {taint["key"] for taint in scene.node(meddler.node)["spec"]["taints"]}
            expect(set(meddler.taints) <= present, f"lost: {set(meddler.taints) - present}")
            expect(scene.is_cordoned(meddler.node), f"{meddler.node} is not cordoned")


def budget_until_the_time_is_over(stage: Stage) -> None:
    with Scene(stage, "late", flags=("--max-termination-time=30s", "--delete-phase-at=10", "--deadline-margin=5s")) as scene:
        scene.add_pod("guarded")
        scene.add_budget("guarded", 1)
        daemon = scene.start_daemon()
        scene.terminate()
        scene.completes(40)
        expect(daemon.lines("pod.deleted", pod="late/guarded"), daemon.process.tail)
        expect(not scene.pods_on(), "not empty")


def run(checks: Checks, stage: Stage) -> None:
    checks.run("evictions: 201, 429 of a budget, 404 of a gone pod, 409 of a pod with another UID", evictions_of_changed_pods, stage)
    checks.run("patches: conflicts are met and nothing of others' is lost", patches_of_changing_nodes, stage)
    checks.run("budget: a pod that it always protects is deleted when the time is nearly over", budget_until_the_time_is_over, stage)
