# SPDX-License-Identifier: Apache-2.0
"""The same requests to a real API server and to the sandbox: status, content type and the body's shape have to be alike."""
import base64
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import compared_requests
from api import Answer, Api
from checks import Checks, eventually, expect
from compared_requests import GROUPS, Compared
from known_differences import KNOWN
from processes import WORK
from sandbox import Sandbox
from scene import Stage

# What belongs to this moment and this server, in texts.
VOLATILE = (
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID"), (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"\d+", "N"),
)
# Members whose presence says nothing: the real server's bookkeeping, and what its kubelet and controllers fill in.
IGNORED = {"managedFields", "status", "selfLink"}
# Whose keys are names.
STRINGS = {"labels", "annotations", "data", "matchLabels", "capacity", "allocatable"}


def steady(text: str) -> str:
    for pattern, word in VOLATILE:
        text = re.sub(pattern, word, text)
    return text


def status_shape(status: dict) -> dict:
    """Codes and reasons; a text only where people and programs read it: not how a parser words its complaint."""
    details = {key: value for key, value in status.get("details", {}).items() if key != "uid"}
    causes = sorted(f"{cause.get('reason')} {cause.get('field', '')}".strip() for cause in details.pop("causes", []))
    out = {"kind": "Status", "code": status.get("code"), "reason": status.get("reason"), "status": status.get("status"),
           "metadata": sorted(status.get("metadata", {"none": 0})), "details": details, "causes": causes}
    if status.get("code") not in (400, 406, 415, 422):
        out["message"] = steady(status.get("message", ""))
    return {key: json.dumps(value, sort_keys=True) for key, value in out.items()}


def table_shape(table: dict) -> dict:
    return {"kind": "Table", "columns": [(column["name"], column["type"], column["priority"])
                                         for column in table["columnDefinitions"]],
            "metadata": sorted(table["metadata"]),
            "rows": sorted({((row.get("object") or {}).get("kind"), *(type(cell).__name__ for cell in row["cells"]))
                            for row in table["rows"]}, key=str)}


def shape(value):
    """Keys and types, not values; of a list the shapes that occur in it."""
    if isinstance(value, dict):
        if value.get("kind") == "Status":
            return status_shape(value)
        if value.get("kind") == "Table" and "rows" in value:
            return table_shape(value)
        kept = {key: value[key] for key in ("kind", "apiVersion") if key in value}
        return {key: "strings" if key in STRINGS else shape(member) for key, member in value.items() if key not in IGNORED} | kept
    if isinstance(value, list):
        return sorted({json.dumps(shape(item), sort_keys=True) for item in value})
    return type(value).__name__


def stream_shape(text: str) -> list:
    events = [json.loads(line) for line in text.splitlines()]
    seen = [(event["type"], event["object"].get("kind"), shape(event["object"]) if event["type"] in ("ERROR", "BOOKMARK") else "")
            for event in events]
    # How often a controller touched an object is of no interest.
    return [event for number, event in enumerate(seen) if event not in seen[:number]]


def body_shape(answer: Answer) -> object:
    text = answer.body.decode(errors="replace")
    media = answer.type.split(";")[0]
    if not text:
        return "nothing"
    if media == "application/json":
        try:
            return shape(json.loads(text)) if '"object":' not in text[:40] else {"events": stream_shape(text)}
        except ValueError:
            return {"events": stream_shape(text)}
    return text[:60] if media.startswith("text/plain") else f"{media}, {text[:3]!r}"


def flat(value, path: str = "") -> dict:
    if isinstance(value, dict):
        out = {}
        for key, member in value.items():
            out |= flat(member, f"{path}.{key}" if path else key)
        return out or {path: "{}"}
    return {path or "body": str(value)}


class Side:
    def __init__(self, server: str, authority: Path, **access) -> None:
        self._server, self._authority = server, authority
        self._apis = {"valid": Api(server, authority, **access), "none": Api(server, authority),
                      "wrong": Api(server, authority, token="wrong")}
        self._saved: dict[str, str] = {}

    def ask(self, request: Compared) -> Answer:
        headers = {"Accept": request.accept} if request.accept else {}
        headers |= {"Content-Type": request.type} if request.type else {}
        body = request.body if isinstance(request.body, bytes | None) else self._filled(json.dumps(request.body)).encode()
        answer = self._apis[request.token].send(request.method, self._filled(request.path), body, headers)
        if request.save and answer.status < 300:
            name, *keys = request.save
            value = answer.json()
            for key in keys:
                value = value.get(key, "")
            self._saved[name] = value
            if keys[-1] == "token":
                self._apis[name] = Api(self._server, self._authority, token=value)
        return answer

    def _filled(self, text: str) -> str:
        for name, value in self._saved.items():
            text = text.replace(f"{{{name}}}", value)
        return text


def differences(real: Answer, ours: Answer) -> list[tuple[str, str, str]]:
    """(what, real, ours) for all that is not alike. After another status the bodies are not worth a comparison."""
    heads = [(what, str(r), str(o)) for what, r, o in (
        ("status", f"{real.status}", f"{ours.status}"), ("content type", real.type, ours.type),
        ("Retry-After", real.headers.get("Retry-After"), ours.headers.get("Retry-After"))) if r != o]
    if real.status != ours.status:
        return [("status", f"{real.status} {steady(real.body.decode(errors='replace'))}", f"{ours.status} {ours.body.decode(errors='replace')}")]
    a, b = flat(body_shape(real)), flat(body_shape(ours))
    return heads + [(key, a.get(key, "absent"), b.get(key, "absent")) for key in sorted(a | b) if a.get(key) != b.get(key)]


class Comparison:
    def __init__(self, stage: Stage) -> None:
        plane = self._plane = stage.plane
        sandbox = Sandbox(stage.processes, "nodes: 1\npodsPerNode: 0\ndaemonSet: false\npodEnd: 2s\n", "compared-sandbox")
        kubeconfig = Path(sandbox.env["KUBECONFIG"]).read_text()
        authority = WORK / "compared-ca.crt"
        authority.write_bytes(base64.b64decode(re.search(r"certificate-authority-data: *\"?([\w+/=]+)", kubeconfig)[1]))
        self._ours = Side(re.search(r"server: *\"?([^\s\"]+)", kubeconfig)[1], authority,
                          token=re.search(r"token: *\"?([^\s\"]+)", kubeconfig)[1])
        self._real = Side(plane.server, WORK / "ca.crt", certificate=(WORK / "admin.crt", WORK / "admin.key"))
        self._threads = ThreadPoolExecutor(2)
        self._report = open(WORK / "differences.md", "w")  # noqa: SIM115 (open as long as the comparison)

    def settle(self) -> None:
        """Both clusters come to rest: pods run, budgets are counted."""
        for side in (self._real, self._ours):
            eventually(20, lambda: all(
                pod["status"].get("phase") == "Running"
                for pod in side.ask(compared_requests.get(compared_requests.PODS)).json()["items"]), "pods run")
            eventually(20, lambda: side.ask(compared_requests.get(f"{compared_requests.BUDGETS}/kept")).json()["status"].get(
                "currentHealthy") == 1, "budget is counted")

    def forget(self) -> None:
        """Both forget what was; the sandbox keeps 5,000 changes of a resource."""
        self._plane.forget_history()
        for number in range(5_001):
            self._ours.ask(compared_requests.patch(f"{compared_requests.NODES}/compare-3", compared_requests.MERGE,
                                                   {"metadata": {"labels": {"n": str(number)}}}))

    def compare(self, requests: list[Compared]) -> None:
        unknown = []
        if requests is compared_requests.EXPIRED:
            self.forget()
        for number, request in enumerate(requests):
            if requests is compared_requests.EVICTIONS and number == compared_requests.SETTLE_BEFORE:
                self.settle()
            found = differences(*self._threads.map(lambda side, request=request: side.ask(request), (self._real, self._ours)))
            lines = [f"    {what}: real {real[:400]} | sandbox {ours[:400]}" for what, real, ours in found]
            if lines:
                self._report.write("\n".join([f"- {request}", *lines]) + "\n")
            known = [next((known for known in KNOWN if known.covers(request, what)), None) for what, _, _ in found]
            for one in filter(None, known):
                one.met = True
            left = [line for line, one in zip(lines, known) if one is None]
            unknown += [str(request), *left] if left else []
        self._report.flush()
        expect(not unknown, lambda: "\n".join(unknown))


def run(checks: Checks, stage: Stage) -> None:
    comparison = Comparison(stage)
    for name, requests in GROUPS.items():
        checks.run(f"sandbox answers {len(requests)} requests like the real API server: {name}", comparison.compare, requests)

    def none_is_mended() -> None:
        mended = [str(known) for known in KNOWN if not known.met]
        expect(not mended, lambda: "no difference any more, so take it out of known_differences.py: " + "; ".join(mended))
    checks.run("every known difference is still one", none_is_mended)
