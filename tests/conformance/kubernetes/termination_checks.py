# SPDX-License-Identifier: Apache-2.0
"""From the hook to its completion, with the account and the rights of deploy/rbac.yaml."""
import threading
import time
from datetime import datetime
from urllib.parse import quote

from checks import Checks, eventually, expect
from scene import Scene, Stage

# Registered in load balancers which let go soon, and send on for 5 s.
BALANCED = "heartbeatTimeout: 60s\ntargetGroups: 2\nclassicElbs: 1\nderegistrationDelay: 2s\n"
QUIET_SOON = ("--continued-service=5s", "--continued-service-network=5s")
EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers"


class Scheduler:
    """Puts pods that wait for a node on one that the test chooses: the cluster has no scheduler of its own."""

    def __init__(self, scene: Scene, node: str) -> None:
        self._scene, self.node, self._stop = scene, node, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def place_all(self) -> None:
        waiting = self._scene.api.get(f"{self._scene.path('pods')}?fieldSelector={quote('spec.nodeName=')}")["items"]
        for pod in waiting:
            name = pod["metadata"]["name"]
            self._scene.api.send("POST", f"{self._scene.path('pods')}/{name}/binding", {
                "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name},
                "target": {"apiVersion": "v1", "kind": "Node", "name": self.node}})

    def _run(self) -> None:
        while not self._stop.wait(0.1):
            try:
                self.place_all()
            except OSError:
                pass

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()


def template(app: str, **spec) -> dict:
    return {"metadata": {"labels": {"app": app}},
            "spec": {"terminationGracePeriodSeconds": 5, "containers": [{"name": "main", "image": "none:1"}]} | spec}


def controller(app: str, **spec) -> dict:
    return {"metadata": {"name": app}, "spec": {"selector": {"matchLabels": {"app": app}}, "template": template(app)} | spec}


class WholePath:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.scheduler = Scheduler(scene, scene.nodes[0])
        scene.api.create(scene.path("deployments", "apis/apps/v1"), controller("web", replicas=4))
        scene.api.create(scene.path("daemonsets", "apis/apps/v1"), controller(
            "agent", template=template("agent", nodeSelector={"with": "agent"})))
        scene.api.patch(f"/api/v1/nodes/{scene.nodes[0]}", {"metadata": {"labels": {"with": "agent"}}})
        eventually(60, lambda: len(self.running()) == 5, lambda: f"4 web pods and 1 agent: {self.running()}")
        scene.add_pod("mirror", annotations={"kubernetes.io/config.mirror": "x"})
        scene.add_budget("web", 3)
        self.scheduler.node = scene.nodes[1]

    def running(self) -> list[str]:
        return [name for name, pod in self.scene.pods_on().items() if pod.get("status", {}).get("phase") == "Running"]

    def cordons(self) -> None:
        self.scene.start_daemon()
        self.scene.terminate()
        eventually(20, self.scene.is_cordoned, lambda: str(self.scene.node()))

    def empties(self) -> None:
        self.scene.completes(60)
        left = sorted(name.split("-")[0] for name in self.scene.pods_on())
        expect(left == ["agent", "mirror"], f"left on the node at completion: {left}")

    def obeys_the_budget(self) -> None:
        daemon = self.scene.daemon
        expect(daemon.metric("ferryman_pods_evicted_total") == 4, daemon.process.tail)
        expect(daemon.metric("ferryman_pods_deleted_total") == 0, "a pod was deleted, not evicted")
        expect(self.scene.requests("create", "pods", "eviction", 429), "no eviction was refused")
        expect(not daemon.lines("eviction.failed"), lambda: str(daemon.lines("eviction.failed")))

    def completes_once(self) -> None:
        expect(len(self.scene.completions()) == 1, lambda: str(self.scene.completions()))
        eventually(10, lambda: self.scene.daemon.lines("termination.finished"), "termination.finished")

    def closes_the_claim(self) -> None:
        eventually(10, lambda: "closed" in self.scene.claim(), "claim closed")
        others = self.scene.node(self.scene.nodes[1])
        expect("unschedulable" not in others["spec"], "the other node was cordoned too")


def balancers_before_pods(stage: Stage) -> None:
    """The pod behind the Service waits until no balancer sends to its node any more; the other one does not."""
    with Scene(stage, "traffic", flags=QUIET_SOON, world=BALANCED) as scene:
        scene.add_pod("front")
        scene.add_pod("back")
        scene.add_local_service("front")
        daemon = scene.start_daemon()
        scene.terminate()
        scene.completes(60)
        evicted = {line["pod"]: datetime.fromisoformat(line["time"]) for line in daemon.lines("pod.evicted")}
        waited = (evicted["traffic/front"] - evicted["traffic/back"]).total_seconds()
        expect(waited > 3, f"the pod that takes traffic was evicted {waited:g} s after the other")
        expect(EXCLUDED in scene.node()["metadata"]["labels"], "the label that takes a node out of load balancers")
        expect(not scene.pods_on(), "not empty")
        expect(not daemon.lines("settle.cut_short"), daemon.process.tail)


def volumes_before_the_end(stage: Stage) -> None:
    """The pod is gone; its instance is kept until its volume is detached. Another's volume is not waited for."""
    with Scene(stage, "volume") as scene:
        mine, others = scene.add_volume("data"), scene.add_volume("other")
        scene.add_pod("db", claim="data")
        daemon = scene.start_daemon()
        scene.terminate()
        daemon.says(30, "drain.finished")
        time.sleep(4)
        expect(not scene.completions(), "completed while the volume was attached")
        scene.detach(mine)
        scene.completes(20)
        expect(not daemon.lines("volumes.left"), daemon.process.tail)
        scene.detach(others)


def run(checks: Checks, stage: Stage) -> None:
    with Scene(stage, "path", nodes=2) as scene:
        path = WholePath(scene)
        checks.run("hook: the node is cordoned, tainted and claimed in the real cluster", path.cordons)
        checks.run("hook: completed when all pods but the DaemonSet's and the mirror pod are gone", path.empties)
        checks.run("budget: pods are evicted one by one, refusals are waited out", path.obeys_the_budget)
        checks.run("hook: completed once", path.completes_once)
        checks.run("claim: closed afterwards; the other node is untouched", path.closes_the_claim)
        path.scheduler.stop()
    checks.run("volumes: the hook waits until those of its pods are detached", volumes_before_the_end, stage)
    checks.run("load balancers: left first, and pods that take their traffic stay until they are quiet", balancers_before_pods, stage)
