# SPDX-License-Identifier: Apache-2.0
"""In mid-drain the API server goes away and comes back with an empty watch cache; tokens are replaced and revoked."""
import time

from api import Api
from checks import Checks, eventually, expect
from processes import WORK
from scene import Scene, Stage


def play(stage: Stage, name: str, body, **options) -> None:
    with Scene(stage, name, **options) as scene:
        scene.add_pod("free")
        scene.add_pod("guarded")
        scene.add_budget("guarded", 1)
        body(scene)


def heartbeats(scene: Scene) -> int:
    return scene.sandbox.state()["aws_calls"].get("autoscaling.RecordLifecycleActionHeartbeat", 0)


def api_server_restarts(scene: Scene) -> None:
    daemon = scene.start_daemon()
    scene.terminate()
    daemon.says(20, "eviction.blocked", pod="restart/guarded")
    scene.stage.plane.kill_api_server()
    daemon.says(20, "kube.failed", resource="nodes")
    before = heartbeats(scene)
    eventually(30, lambda: heartbeats(scene) > before, "the hook is kept alive meanwhile")
    scene.stage.plane.start_api_server()
    # Written while the daemon still waits to come back: what it remembers is too old for the new watch cache.
    scene.api.patch(f"/api/v1/nodes/{scene.nodes[1]}", {"metadata": {"labels": {"after": "restart"}}})
    scene.drop_budget("guarded")
    daemon.says(60, "kube.recovered", resource="nodes")
    eventually(60, lambda: daemon.metric("ferryman_kubernetes_watch_expirations_total") > 0, daemon.process.tail)
    scene.completes(60)
    expect(not scene.pods_on(), lambda: f"left: {list(scene.pods_on())}")
    eventually(20, lambda: "closed" in scene.claim(), "claim closed")


class Tokens:
    """Tokens of one account, each bound to a Secret of its own: without the Secret the token is void."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._path = scene, "/api/v1/namespaces/ferryman/secrets"

    def make(self, secret: str) -> str:
        self._scene.api.create(self._path, {"metadata": {"name": secret}})
        return self._scene.stage.token(self._scene.account, "--bound-object-kind=Secret", f"--bound-object-name={secret}")

    def revoke(self, secret: str, token: str) -> None:
        """Comes back when the API server refuses the token; it remembers a good one for 10 s."""
        self._scene.api.delete(f"{self._path}/{secret}")
        holder = Api(self._scene.stage.plane.server, WORK / "ca.crt", token=token)
        eventually(30, lambda: holder.send("GET", "/api/v1/nodes?limit=1").status == 401, "the token is void")


def token_is_replaced(scene: Scene) -> None:
    tokens = Tokens(scene)
    first = tokens.make("first")
    daemon = scene.start_daemon(first)
    scene.terminate()
    daemon.says(20, "eviction.blocked", pod="replaced/guarded")
    scene.write_token(tokens.make("second"))
    tokens.revoke("first", first)
    scene.drop_budget("guarded")
    scene.completes(60)
    expect(not daemon.lines("eviction.failed"), lambda: str(daemon.lines("eviction.failed")))
    expect(not scene.pods_on(), "not empty")


def token_is_replaced_too_late(scene: Scene) -> None:
    tokens = Tokens(scene)
    first = tokens.make("early")
    daemon = scene.start_daemon(first)
    scene.terminate()
    daemon.says(20, "eviction.blocked", pod="too-late/guarded")
    tokens.revoke("early", first)
    daemon.says(40, "eviction.failed", pod="too-late/guarded", error="401")
    scene.write_token(tokens.make("late"))
    written = time.monotonic()
    scene.drop_budget("guarded")
    scene.completes(40)
    expect(time.monotonic() - written < 30, "the new token was not read at once")
    expect(not scene.pods_on(), "not empty")


def list_in_pages(scene: Scene) -> None:
    for number in range(510):
        scene.api.create("/api/v1/nodes", {"metadata": {"name": f"many-more-{number}"}, "spec": {
            "providerID": f"aws:///us-west-2b/i-{number:017x}"}})
    scene.drop_budget("guarded")
    scene.terminate()
    daemon = scene.start_daemon()
    scene.completes(60)
    there = len(scene.api.get("/api/v1/nodes")["items"])
    expect(daemon.metric("ferryman_nodes") == there > 510, f"{daemon.metric('ferryman_nodes')} of {there} nodes")
    pages = [entry for entry in scene.requests("list", "nodes") if "continue=" in entry["requestURI"]]
    expect(pages, "no second page was asked for")
    scene.api.send("DELETE", "/api/v1/nodes?fieldSelector=metadata.name!=none")


def run(checks: Checks, stage: Stage) -> None:
    checks.run("token: replaced in its file while draining, the old one revoked", play, stage, "replaced", token_is_replaced)
    checks.run("token: revoked before it is replaced; named in the log, the new one is read at once",
               play, stage, "too-late", token_is_replaced_too_late)
    checks.run("API server killed and started while draining: hook kept alive, watch expired (410), drain goes on",
               lambda: play(stage, "restart", api_server_restarts, nodes=2, world="heartbeatTimeout: 30s\n"))
    checks.run("a list of more than 500 nodes comes in pages", play, stage, "many", list_in_pages)
