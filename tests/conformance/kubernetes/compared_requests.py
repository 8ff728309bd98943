# SPDX-License-Identifier: Apache-2.0
"""The requests that both servers get, in order. `{name}` in a path or body is filled in with what an earlier answer of the
same server held: `save` says where (a path of keys)."""
from dataclasses import dataclass

MERGE, STRATEGIC, JSON_PATCH = (f"application/{kind}+json" for kind in ("merge-patch", "strategic-merge-patch", "json-patch"))
APPLY = "application/apply-patch+yaml"
TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"
METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
PROTOBUF = "application/vnd.kubernetes.protobuf"
NS = "/api/v1/namespaces/compare"
MAPS, PODS, BUDGETS = f"{NS}/configmaps", f"{NS}/pods", "/apis/policy/v1/namespaces/compare/poddisruptionbudgets"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/compare/leases"


@dataclass
class Compared:
    method: str
    path: str
    body: object = None
    accept: str = ""
    type: str = ""
    save: tuple = ()  # (name, key, key, …)
    token: str = "valid"

    def __str__(self) -> str:
        words = [self.method, self.path]
        words += [f"Accept: {self.accept}"] if self.accept else []
        words += [f"Content-Type: {self.type}"] if self.type else []
        words += [f"token: {self.token}"] if self.token != "valid" else []
        words += [str(self.body)[:200]] if self.body is not None else []
        return "  ".join(words)


def get(path: str, accept: str = "", **more) -> Compared:
    return Compared("GET", path, accept=accept, **more)


def post(path: str, body, type: str = "", **more) -> Compared:
    return Compared("POST", path, body, type=type, **more)


def patch(path: str, type: str, body, **more) -> Compared:
    return Compared("PATCH", path, body, type=type, **more)


def put(path: str, body, **more) -> Compared:
    return Compared("PUT", path, body, **more)


def delete(path: str, body=None, **more) -> Compared:
    return Compared("DELETE", path, body, **more)


def config_map(name: str, **metadata) -> dict:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name} | metadata, "data": {"a": "1"}}


def pod(name: str, **labels) -> dict:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels},
            "spec": {"nodeName": "compare-1", "terminationGracePeriodSeconds": 5,
                     "containers": [{"name": "main", "image": "none:1"}]}}


def budget(name: str, **spec) -> dict:
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": {"app": name}}} | spec}


def eviction(name: str, **options) -> dict:
    return {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": "compare"}} | (
        {"deleteOptions": options} if options else {})


def node(name: str, instance: str) -> dict:
    """With an annotation and a taint, since controllers of the real cluster add some of their own."""
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {"compared": "yes"}, "annotations": {"compared": "yes"}},
            "spec": {"providerID": f"aws:///us-west-2a/{instance}", "taints": [{"key": "compared", "effect": "PreferNoSchedule"}]}}


OURS = "labelSelector=compared%3Dyes"

DISCOVERY = [
    get("/version"), get("/api"), get("/apis"), get("/api/v1"), get("/apis/policy/v1"), get("/apis/coordination.k8s.io/v1"),
    get("/apis/policy"), get("/healthz"), get("/readyz"), get("/livez"), get("/nosuch"), get("/api/v2"), get("/apis/nosuch/v1"),
    get("/api/v1/nosuch"), get("/apis/policy/v1/nosuch"), get("/openapi/v3"), Compared("POST", "/api/v1"),
    get("/api/v1/nodes", token="none"), get("/api/v1/nodes", token="wrong"), get("/version", token="none"),
    get("/healthz", token="none"),
]

WRITES = [
    post("/api/v1/namespaces", {"metadata": {"name": "compare"}}), post("/api/v1/namespaces", {"metadata": {"name": "compare"}}),
    post("/api/v1/nodes", node("compare-1", "i-0c0000000000000c1")), post("/api/v1/nodes", node("compare-2", "i-0c0000000000000c2")),
    post("/api/v1/nodes", node("compare-3", "i-0c0000000000000c3")), post("/api/v1/nodes", node("compare-1", "i-0c0000000000000c1")),
    post(MAPS, config_map("one"), save=("map_rv", "metadata", "resourceVersion")), post(MAPS, config_map("one")),
    post(MAPS, b"{"), post(MAPS, b""), post(MAPS, b"[]"), post(MAPS, b"\xff\xfe"), post(MAPS, config_map("Bad_Name")),
    post(MAPS, {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}}), post(MAPS, {"metadata": {}}),
    post(MAPS, {"apiVersion": "v2", "kind": "ConfigMap", "metadata": {"name": "x"}}), post(MAPS, {"kind": "ConfigMap"}),
    post(MAPS, config_map("typed") | {"data": {"a": 1}}), post(MAPS, config_map("x", namespace="other")),
    post(MAPS, config_map("x"), "text/plain"), post(MAPS, b"k8s\x00nonsense", PROTOBUF),
    post(MAPS, b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-yaml}\n", "application/yaml"),
    post(f"{MAPS}?fieldValidation=Strict", config_map("x") | {"nosuch": 1}), post(f"{MAPS}?dryRun=All", config_map("dry")),
    post(f"{MAPS}?fieldValidation=Nonsense", config_map("x")), post(f"{MAPS}?dryRun=Some", config_map("x")),
    post("/api/v1/namespaces/nosuch/configmaps", config_map("x")), post(f"{MAPS}/one", config_map("x")),
    put(f"{MAPS}/one", config_map("one", resourceVersion="1")), put(f"{MAPS}/one", config_map("other")),
    put(f"{MAPS}/one", config_map("one", uid="00000000-0000-0000-0000-000000000000")), put(f"{MAPS}/one", config_map("one")),
    put(f"{MAPS}/nosuch", config_map("nosuch", resourceVersion="5")), put(f"{MAPS}/one", config_map("one", resourceVersion="abc")),
    delete(f"{MAPS}/nosuch"), delete(f"{MAPS}/from-yaml"),
    delete(f"{MAPS}/one", {"preconditions": {"uid": "00000000-0000-0000-0000-000000000000"}}),
    delete(f"{MAPS}/one", {"preconditions": {"resourceVersion": "1"}}), delete(f"{MAPS}/one", b"{"),
    delete(f"{MAPS}/one?dryRun=All"), delete(f"{MAPS}/one?gracePeriodSeconds=x"), Compared("DELETE", f"{MAPS}?labelSelector=a%3Db"),
    post(LEASES, {"metadata": {"name": "l"}, "spec": {"holderIdentity": "a", "leaseDurationSeconds": 15,
                                                      "renewTime": "2026-01-01T00:00:00.000000Z"}}),
    put(f"{LEASES}/l", {"metadata": {"name": "l"}, "spec": {"holderIdentity": "b"}}),
    put(f"{LEASES}/l", {"metadata": {"name": "l", "resourceVersion": "1"}, "spec": {"holderIdentity": "b"}}),
    patch(f"{LEASES}/l", MERGE, {"spec": {"leaseDurationSeconds": 0}}), patch(f"{LEASES}/l", MERGE, {"spec": {"renewTime": "noon"}}),
    post("/api/v1/namespaces/default/events", {"metadata": {"name": "e1"}, "involvedObject": {"kind": "Node", "name": "compare-1"},
                                               "reason": "Test", "message": "m", "type": "Normal"}),
    post(f"{NS}/events", {"metadata": {"name": "e2"}, "involvedObject": {"kind": "Node", "name": "compare-1"}}),
    post(f"{NS}/events", {"metadata": {"name": "e3"}, "involvedObject": {"kind": "Pod", "namespace": "other", "name": "p"}}),
]

NODES = "/api/v1/nodes"
ONE = f"{NODES}/compare-1"
TAINT = {"key": "compared", "effect": "NoSchedule"}
PATCHES = [
    get(ONE, save=("rv", "metadata", "resourceVersion")), get(ONE, save=("uid", "metadata", "uid")),
    get(f"{NODES}?{OURS}", save=("list_rv", "metadata", "resourceVersion")),
    patch(ONE, MERGE, {"metadata": {"labels": {"a": "1"}}}), patch(ONE, STRATEGIC, {"spec": {"taints": [TAINT]}}),
    patch(ONE, JSON_PATCH, [{"op": "add", "path": "/metadata/labels/b", "value": "2"}]),
    patch(f"{ONE}?fieldManager=compare&force=true", APPLY, b"apiVersion: v1\nkind: Node\nmetadata: {name: compare-1, labels: {c: x}}\n"),
    patch(f"{ONE}?force=true", APPLY, b"apiVersion: v1\nkind: Node\nmetadata: {name: compare-1}\n"),
    patch(f"{ONE}?fieldManager=other", APPLY, b"apiVersion: v1\nkind: Node\nmetadata: {name: compare-1, labels: {c: z}}\n"),
    patch(ONE, MERGE, {"metadata": {"resourceVersion": "{rv}", "labels": {"d": "1"}}}),
    patch(ONE, MERGE, {"metadata": {"uid": "00000000-0000-0000-0000-000000000000"}}),
    patch(ONE, MERGE, {"metadata": {"uid": "{uid}", "resourceVersion": "{rv}"}}), patch(ONE, MERGE, {"metadata": {"name": "other"}}),
    patch(ONE, MERGE, {"spec": {"providerID": "aws:///us-west-2a/i-other"}}), patch(ONE, MERGE, {"spec": {"unschedulable": "yes"}}),
    patch(ONE, MERGE, {"spec": {"taints": [{"key": "x", "effect": "Nonsense"}]}}),
    patch(ONE, MERGE, {"spec": {"taints": [TAINT, TAINT]}}), patch(ONE, MERGE, {"metadata": {"labels": {"bad key!": "x"}}}),
    patch(ONE, MERGE, {"metadata": {"annotations": {"big": "x" * 300_000}}}), patch(ONE, MERGE, b"{"), patch(ONE, MERGE, b"[]"),
    patch(ONE, JSON_PATCH, [{"op": "test", "path": "/metadata/labels/a", "value": "9"}]),
    patch(ONE, JSON_PATCH, [{"op": "remove", "path": "/metadata/labels/nosuch"}]), patch(ONE, JSON_PATCH, b"{}"),
    patch(ONE, JSON_PATCH, [{"op": "nonsense", "path": "/metadata"}]), patch(ONE, "application/json", {"a": 1}),
    patch(ONE, "text/plain", b"x"), patch(f"{NODES}/nosuch", MERGE, {"metadata": {}}), patch(f"{ONE}/nosuch", MERGE, {}),
    patch(f"{ONE}/status", STRATEGIC, {"status": {"conditions": [{"type": "Compared", "status": "True"}]}}),
    patch(f"{ONE}?dryRun=All", MERGE, {"spec": {"unschedulable": True}}), Compared("POST", ONE, {}), Compared("PATCH", NODES, {}),
]

READS = [
    get(f"{NODES}?{OURS}"), get(f"{NODES}?{OURS}&limit=1", save=("continue", "metadata", "continue")),
    get(f"{NODES}?{OURS}&limit=1&continue={{continue}}"), get(f"{NODES}?continue=nonsense"), get(f"{NODES}?limit=x"),
    get(f"{NODES}?limit=-1&{OURS}"), get(f"{NODES}?{OURS}&limit=1&continue={{continue}}&resourceVersion=1"),
    get(f"{NODES}?labelSelector=a%20%3D%3D%3D"), get(f"{NODES}?fieldSelector=spec.nosuch%3Dx"), get(f"{NODES}?fieldSelector=x"),
    get(f"{NODES}?fieldSelector=metadata.name%3Dcompare-2"), get(f"{NODES}?{OURS}&resourceVersion=0"),
    get(f"{NODES}?{OURS}&fieldSelector=spec.unschedulable%3Dtrue"), get(f"{NODES}?resourceVersion=abc"),
    get(f"{NODES}?resourceVersionMatch=Exact"), get(f"{NODES}?resourceVersionMatch=Exact&resourceVersion=1"),
    get(f"{NODES}?resourceVersion=99999999999"), get(f"{NODES}?{OURS}", TABLE), get(f"{NODES}/compare-1", TABLE),
    get(f"{NODES}?{OURS}&includeObject=Object", TABLE), get(f"{NODES}?{OURS}&includeObject=None", TABLE),
    get(f"{NODES}?{OURS}", METADATA_LIST), get(ONE, METADATA), get(ONE, METADATA + ",application/json"),
    get(ONE, METADATA_LIST), get(f"{NODES}?{OURS}", METADATA), get(ONE, "application/yaml"), get(ONE, "text/html"), get(ONE, "*/*"),
    get(ONE, f"{PROTOBUF},application/json"), get(ONE, PROTOBUF), get(f"{NODES}/nosuch"), get(f"{NODES}/nosuch", TABLE),
    get(f"{NODES}/nosuch", PROTOBUF), get(f"{MAPS}"), get(f"{MAPS}", TABLE), get("/api/v1/namespaces/nosuch/pods"),
    get("/api/v1/namespaces/nosuch/pods/p"), get(f"{PODS}", TABLE), get(f"{BUDGETS}", TABLE), get(f"{LEASES}", TABLE),
    get(f"{NODES}/compare-1/nosuch"), Compared("HEAD", ONE),
]

EXPIRED = [
    get(f"{NODES}?{OURS}&limit=1&continue={{continue}}"),
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1&resourceVersion={{list_rv}}"),
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1&resourceVersion={{list_rv}}", TABLE),
]

SETTLE_BEFORE = 9  # so many of the following make pods and budgets
EVICTIONS = [
    post(PODS, pod("free", app="free"), save=("pod_uid", "metadata", "uid")), post(PODS, pod("kept", app="kept")),
    post(PODS, pod("twice", app="twice")), post(PODS, pod("bad", app="x") | {"spec": {}}), post(BUDGETS, budget("kept", minAvailable=1)),
    post(BUDGETS, budget("bad", minAvailable=1, maxUnavailable=1)), post(BUDGETS, budget("bad", minAvailable="x")),
    post(BUDGETS, budget("twice", minAvailable=0)),
    post(BUDGETS, budget("again", minAvailable=0, selector={"matchLabels": {"app": "twice"}})),
    get(f"{PODS}?fieldSelector=spec.nodeName%3Dcompare-1"), get(f"{PODS}?fieldSelector=status.phase%3DRunning"), get(f"{PODS}/free"),
    get(f"{BUDGETS}/kept"), get(f"{PODS}", TABLE), get(f"{BUDGETS}", TABLE),
    post(f"{PODS}/kept/eviction", eviction("kept")), post(f"{PODS}/twice/eviction", eviction("twice")),
    post(f"{PODS}/kept/eviction?dryRun=All", eviction("kept")),
    post(f"{PODS}/kept/eviction", eviction("kept", preconditions={"uid": "00000000-0000-0000-0000-000000000000"})),
    post(f"{PODS}/free/eviction", eviction("free", preconditions={"uid": "00000000-0000-0000-0000-000000000000"})),
    post(f"{PODS}/free/eviction", eviction("free", preconditions={"resourceVersion": "1"})),
    post(f"{PODS}/free/eviction", eviction("kept")), post(f"{PODS}/nosuch/eviction", eviction("nosuch")),
    post(f"{PODS}/free/eviction", b"{"), post(f"{PODS}/free/eviction", {}), post(f"{PODS}/free/eviction", eviction("free"), "text/plain"),
    post(f"{PODS}/free/eviction", eviction("free") | {"apiVersion": "policy/v1beta1"}), get(f"{PODS}/free/eviction"),
    post(f"{PODS}/free/eviction", eviction("free") | {"metadata": {}}, save=()),
    post(f"{PODS}/free/eviction?dryRun=All", eviction("free")),
    post(f"{PODS}/free/eviction", eviction("free", gracePeriodSeconds=3, preconditions={"uid": "{pod_uid}"})),
    post(f"{PODS}/free/eviction", eviction("free")), get(f"{PODS}/free"),
    delete(f"{PODS}/twice", {"gracePeriodSeconds": 2}), delete(f"{PODS}/twice", {"gracePeriodSeconds": 0}), delete(f"{PODS}/nosuch"),
    delete(f"{PODS}/kept", {"gracePeriodSeconds": -1}), delete(f"{BUDGETS}/kept"),
]

WATCHES = [
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1"), get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1&resourceVersion=0"),
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1&resourceVersion={{list_rv}}&allowWatchBookmarks=true"),
    get(f"{NODES}?watch=true&timeoutSeconds=1&resourceVersion=abc"), get(f"{NODES}?watch=true&timeoutSeconds=x"),
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan"),
    get(f"{NODES}?watch=true&timeoutSeconds=1&sendInitialEvents=true"), get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1", TABLE),
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1", METADATA_LIST), get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1", METADATA),
    get(f"{ONE}?watch=true&timeoutSeconds=1"), get(f"/api/v1/watch/nodes?{OURS}&timeoutSeconds=1"),
    get(f"{NODES}?{OURS}&watch=true&timeoutSeconds=1", f"{PROTOBUF};stream=watch"),
    get(f"{NODES}?watch=true&timeoutSeconds=1&fieldSelector=spec.nosuch%3Dx"), get("/api/v1/nosuch?watch=true"),
]

REVIEWS = [
    post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
         {"spec": {"resourceAttributes": {"verb": "list", "resource": "nodes"}}}),
    post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {"spec": {}}),
    post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {"spec": {"namespace": "default"}}),
    post("/apis/authorization.k8s.io/v1/subjectaccessreviews",
         {"spec": {"user": "nobody", "resourceAttributes": {"verb": "list", "resource": "nodes"}}}),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}), get("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
    post(f"{NS}/serviceaccounts", {"metadata": {"name": "who"}}), post(f"{NS}/serviceaccounts/who/token", {"spec": {}}),
    post(f"{NS}/serviceaccounts/who/token", {"spec": {"expirationSeconds": 5}}),
    post(f"{NS}/serviceaccounts/nosuch/token", {"spec": {}}), delete("/api/v1/namespaces/compare"), delete("/api/v1/nodes/compare-2"),
]

RBAC = "/apis/rbac.authorization.k8s.io/v1"
RIGHTS = [
    post("/api/v1/namespaces", {"metadata": {"name": "rights"}}),
    post("/api/v1/namespaces/rights/serviceaccounts", {"metadata": {"name": "limited"}}),
    post(f"{RBAC}/clusterroles", {"metadata": {"name": "limited"}, "rules": [
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list"]},
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["*"], "resourceNames": ["one"]}]}),
    post(f"{RBAC}/clusterrolebindings", {
        "metadata": {"name": "limited"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "limited"},
        "subjects": [{"kind": "ServiceAccount", "namespace": "rights", "name": "limited"}]}),
    post(f"{RBAC}/clusterroles", {"metadata": {"name": "bad"}, "rules": [{"verbs": ["get"]}]}),
    post("/api/v1/namespaces/rights/serviceaccounts/limited/token", {"spec": {}}, save=("limited", "status", "token")),
    get(f"{NODES}?{OURS}", token="limited"), get(f"{NODES}?watch=true", token="limited"), get("/version", token="limited"),
    patch(ONE, MERGE, {"metadata": {"labels": {"x": "1"}}}, token="limited"), get("/api/v1/pods", token="limited"),
    get("/api/v1/namespaces/rights/pods", token="limited"), delete("/api/v1/namespaces/rights/pods/p", token="limited"),
    post("/api/v1/namespaces/rights/pods/p/eviction", {}, token="limited"), get(f"{LEASES}/l", token="limited"),
    patch(f"{ONE}/status", MERGE, {}, token="limited"), get("/api/v1/namespaces/rights/configmaps/one", token="limited"),
    get("/api/v1/namespaces/rights/configmaps/two", token="limited"), get("/api/v1/nosuch", token="limited"),
    post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
         {"spec": {"resourceAttributes": {"verb": "patch", "resource": "nodes"}}}, token="limited"),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, token="limited"),
    delete("/api/v1/namespaces/rights/serviceaccounts/limited"), delete(f"{RBAC}/clusterroles/limited"),
]

GROUPS = {"discovery and identity": DISCOVERY, "writes": WRITES, "patches": PATCHES, "reads": READS, "evictions": EVICTIONS,
          "watches": WATCHES, "states that are too old": EXPIRED, "rights": RIGHTS, "reviews and tokens": REVIEWS}
