# SPDX-License-Identifier: Apache-2.0
"""A scene: some real nodes, a sandbox whose instances they are, and the daemon between the two. One after the other: two
daemons in one cluster would take over each other's claims."""
import copy
import json
import os
import subprocess
import urllib.request
import zlib
from pathlib import Path
from urllib.parse import quote

from checks import eventually, expect
from control_plane import ControlPlane
from processes import FERRYMAN, WORK, Processes, ready
from sandbox import Sandbox

RBAC = Path(__file__).resolve().parents[3] / "deploy" / "rbac.yaml"
CLAIM, TAINT = "ferryman.dev/claim", "ferryman.dev/terminating"


class Stage:
    """What all scenes share."""

    def __init__(self, plane: ControlPlane, processes: Processes, kubectl: Path) -> None:
        self.plane, self.processes, self._kubectl = plane, processes, kubectl
        self.kubectl("apply", "-f", str(RBAC))
        self.role = plane.admin.get("/apis/rbac.authorization.k8s.io/v1/clusterroles/ferryman")

    def kubectl(self, *words: str) -> str:
        done = subprocess.run([self._kubectl, f"--kubeconfig={self.plane.admin_kubeconfig}", *words], capture_output=True,
                              text=True, timeout=60, check=False)
        expect(done.returncode == 0, done.stderr)
        return done.stdout

    def rules_without(self, resource: str, verb: str) -> list[dict]:
        """The rules of deploy/rbac.yaml less one right."""
        rules = copy.deepcopy(self.role["rules"])
        for rule in rules:
            if rule["resources"] == [resource]:
                rule["verbs"].remove(verb)
                return [rule for rule in rules if rule["verbs"]]
        raise KeyError(f"{RBAC.name} does not grant {verb} of {resource}")

    def make_account(self, name: str, rules: list[dict]) -> None:
        """A service account of its own, in the place of the one of deploy/rbac.yaml."""
        api, kind = self.plane.admin, "rbac.authorization.k8s.io"
        api.create("/api/v1/namespaces/ferryman/serviceaccounts", {"metadata": {"name": name}})
        api.create(f"/apis/{kind}/v1/clusterroles", {"metadata": {"name": name}, "rules": rules})
        api.create(f"/apis/{kind}/v1/clusterrolebindings", {
            "metadata": {"name": name}, "roleRef": {"apiGroup": kind, "kind": "ClusterRole", "name": name},
            "subjects": [{"kind": "ServiceAccount", "namespace": "ferryman", "name": name}]})

    def token(self, account: str, *bound: str) -> str:
        return self.kubectl("create", "token", account, "-n", "ferryman", "--duration=1h", *bound).strip()


class Daemon:
    def __init__(self, processes: Processes, name: str, env: dict, flags: list[str]) -> None:
        self.process = processes.start(name, [FERRYMAN, "serve", "--listen=127.0.0.1:0", "--log-format=json", *flags], env)
        ready(self.process, 20, lambda: self.lines("http.listening"))
        self._url = f"http://127.0.0.1:{self.lines('http.listening')[0]['port']}"

    def lines(self, event: str, **fields) -> list[dict]:
        """Log lines of an event; `fields` must be contained in those of the line."""
        found = []
        for text in self.process.said().splitlines():
            if not text.startswith("{") or not text.endswith("}"):
                continue
            line = json.loads(text)
            if line.get("event") == event and all(str(value) in str(line.get(key, "")) for key, value in fields.items()):
                found.append(line)
        return found

    def says(self, seconds: float, event: str, **fields) -> None:
        eventually(seconds, lambda: self.lines(event, **fields), lambda: f"log line {event} {fields or ''}; "
                   + self.process.tail())

    def metric(self, series: str) -> float:
        with urllib.request.urlopen(f"{self._url}/metrics", timeout=10) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(f"{series} "):
                    return float(line.split()[-1])
        return 0.0

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._url}/readyz", timeout=10) as answer:
                return answer.status == 200
        except OSError:
            return False


class Scene:
    def __init__(self, stage: Stage, name: str, nodes: int = 1, rules: list[dict] | None = None,
                 flags: tuple[str, ...] = (), world: str = "heartbeatTimeout: 60s\n") -> None:
        self.stage, self.name, self.api, self._flags = stage, name, stage.plane.admin, list(flags)
        self.sandbox = Sandbox(stage.processes, f"nodes: {nodes}\npodsPerNode: 0\ndaemonSet: false\nseed: {zlib.crc32(name.encode())}\n"
                               + world, f"{name}-sandbox")
        self.api.create("/api/v1/namespaces", {"metadata": {"name": name}})
        eventually(20, lambda: self.api.answers(f"/api/v1/namespaces/{name}/serviceaccounts/default"), "default account")
        self.instances = [node["instance"] for node in self.sandbox.state()["nodes"]]
        self.nodes = [f"{name}-{number}" for number in range(nodes)]
        for node, instance in zip(self.nodes, self.instances):
            self.api.create("/api/v1/nodes", {"metadata": {"name": node},
                                              "spec": {"providerID": f"aws:///us-west-2a/{instance}"}})
        for node in self.nodes:
            eventually(30, lambda: self._is_ready(self.node(node)), f"node {node} is Ready")
        if rules is not None:
            stage.make_account(name, rules)
        self.account = "ferryman" if rules is None else name
        self.token_file = WORK / f"{name}.token"
        self.daemon: Daemon | None = None

    def __enter__(self) -> "Scene":
        return self

    def __exit__(self, *_) -> None:
        """Two daemons would both act, and an open claim would be taken over by the next."""
        if self.daemon:
            self.daemon.process.stop()
        self.sandbox.process.stop()
        for node in self.nodes:
            self.api.delete(f"/api/v1/nodes/{node}")
        self.api.delete(f"/api/v1/namespaces/{self.name}")

    @staticmethod
    def _is_ready(node: dict) -> bool:
        tainted = any(taint["key"] == "node.kubernetes.io/not-ready" for taint in node["spec"].get("taints", []))
        return not tainted and any(condition["type"] == "Ready" and condition["status"] == "True"
                                   for condition in node.get("status", {}).get("conditions", []))

    def write_token(self, token: str) -> None:
        draft = self.token_file.with_suffix(".new")
        draft.write_text(token)
        os.replace(draft, self.token_file)

    def start_daemon(self, token: str = "", wait: bool = True) -> Daemon:
        self.write_token(token or self.stage.token(self.account))
        kubeconfig = self.stage.plane.kubeconfig(self.name, f'{{tokenFile: "{self.token_file}"}}')
        env = {key: value for key, value in self.sandbox.env.items() if key != "KUBECONFIG"}
        self.daemon = Daemon(self.stage.processes, f"{self.name}-daemon", env,
                             [f"--kubeconfig={kubeconfig}", *self._flags])
        if wait:
            self.daemon.says(30, "daemon.ready")
        return self.daemon

    # The cluster

    def node(self, name: str = "") -> dict:
        return self.api.get(f"/api/v1/nodes/{name or self.nodes[0]}")

    def is_cordoned(self, name: str = "") -> bool:
        node = self.node(name)
        tainted = any(taint["key"] == TAINT and taint["effect"] == "NoSchedule" for taint in node["spec"].get("taints", []))
        return tainted and node["spec"].get("unschedulable") is True and CLAIM in node["metadata"].get("annotations", {})

    def claim(self, name: str = "") -> dict:
        return json.loads(self.node(name)["metadata"].get("annotations", {}).get(CLAIM, "{}"))

    def add_pod(self, name: str, node: str = "", ends_after: str = "", claim: str = "", **metadata) -> dict:
        spec = {"nodeName": node or self.nodes[0], "terminationGracePeriodSeconds": 5,
                "containers": [{"name": "main", "image": "none:1"}]}
        if claim:
            spec["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]
        annotations = metadata.pop("annotations", {}) | ({"conformance/ends-after": ends_after} if ends_after else {})
        pod = self.api.create(self.path("pods"), {"metadata": {"name": name, "labels": {"app": name},
                                                               "annotations": annotations} | metadata, "spec": spec})
        eventually(20, lambda: self.pod(name).get("status", {}).get("phase") == "Running", f"pod {name} runs")
        return pod

    def add_budget(self, app: str, minimum: int) -> None:
        """Comes back when the disruption controller has counted."""
        self.api.create(self.path("poddisruptionbudgets", "apis/policy/v1"), {
            "metadata": {"name": app}, "spec": {"minAvailable": minimum, "selector": {"matchLabels": {"app": app}}}})
        path = f"{self.path('poddisruptionbudgets', 'apis/policy/v1')}/{app}"
        eventually(30, lambda: self.api.get(path).get("status", {}).get("currentHealthy", 0) >= minimum, "budget is counted")

    def add_local_service(self, app: str) -> None:
        """Traffic that load balancers send to a node stays on it: its pods take it until the node is left alone."""
        self.api.create(self.path("services"), {"metadata": {"name": app}, "spec": {
            "type": "NodePort", "externalTrafficPolicy": "Local", "selector": {"app": app}, "ports": [{"port": 80}]}})

    def add_volume(self, claim: str, node: str = "") -> str:
        """A claim with a volume that is attached to the node; the name of the attachment. No driver ever detaches it."""
        name = f"{self.name}-{claim}"
        self.api.create(self.path("persistentvolumeclaims"), {"metadata": {"name": claim}, "spec": {
            "accessModes": ["ReadWriteOnce"], "storageClassName": "", "volumeName": name,
            "resources": {"requests": {"storage": "1Gi"}}}})
        self.api.create("/apis/storage.k8s.io/v1/volumeattachments", {"metadata": {"name": name}, "spec": {
            "attacher": "conformance", "nodeName": node or self.nodes[0], "source": {"persistentVolumeName": name}}})
        return name

    def detach(self, attachment: str) -> None:
        self.api.delete(f"/apis/storage.k8s.io/v1/volumeattachments/{attachment}")

    def drop_budget(self, app: str) -> None:
        self.api.delete(f"{self.path('poddisruptionbudgets', 'apis/policy/v1')}/{app}")

    def path(self, resource: str, group: str = "api/v1") -> str:
        return f"/{group}/namespaces/{self.name}/{resource}"

    def pod(self, name: str) -> dict:
        return self.api.get(f"{self.path('pods')}/{name}")

    def pods_on(self, node: str = "") -> dict[str, dict]:
        selector = quote(f"spec.nodeName={node or self.nodes[0]}")
        return {pod["metadata"]["name"]: pod for pod in self.api.get(f"/api/v1/pods?fieldSelector={selector}")["items"]}

    # The termination

    def terminate(self, number: int = 0) -> None:
        self.sandbox.control("terminate", {"instance": self.instances[number], "decrement": True})

    def completions(self, number: int = 0) -> list[dict]:
        return [entry for entry in self.sandbox.journal()
                if entry["operation"] == "hook.completed" and entry["subject"] == self.instances[number]]

    def completes(self, seconds: float, number: int = 0) -> None:
        eventually(seconds, lambda: self.completions(number), lambda: f"hook of {self.nodes[number]} completed; "
                   + self.daemon.process.tail())

    def requests(self, verb: str, resource: str, subresource: str = "", code: int = 0) -> list[dict]:
        """From the API server's audit log: what this scene's account asked."""
        return [entry for entry in self.stage.plane.audit(self.account)
                if entry["verb"] == verb and entry["objectRef"]["resource"] == resource
                and entry["objectRef"].get("subresource", "") == subresource
                and code in (0, entry["responseStatus"]["code"])]
