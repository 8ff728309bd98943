# SPDX-License-Identifier: Apache-2.0
"""A real Kubernetes control plane on loopback: etcd, kube-apiserver, kube-controller-manager, and kwok for the kubelets.
No scheduler: pods name their node. Every request of a service account is in the audit log."""
import base64
import json
import subprocess
import urllib.request
from pathlib import Path

from api import Api
from checks import expect
from processes import WORK, Process, Processes, free_port, ready

HERE = Path(__file__).resolve().parent
AUDIT_POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, Panic]
rules:
  - {level: None, userGroups: ["system:masters", "system:serviceaccounts:kube-system"]}
  - {level: Metadata}
"""
KUBECONFIG = """apiVersion: v1
kind: Config
clusters: [{{name: real, cluster: {{server: "{server}", certificate-authority-data: {ca}}}}}]
users: [{{name: user, user: {user}}}]
contexts: [{{name: real, context: {{cluster: real, user: user}}}}]
current-context: real
"""


def openssl(*words: str) -> None:
    done = subprocess.run(["openssl", *words], cwd=WORK, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)


def make_certificates() -> None:
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=conformance", "-keyout", "ca.key", "-out", "ca.crt")
    for name, subject, extensions in (
            ("server", "/CN=kube-apiserver", "extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost\n"),
            ("admin", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth\n")):
        (WORK / f"{name}.ext").write_text(extensions)
        openssl("req", *key, "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-out", f"{name}.crt", "-extfile", f"{name}.ext")
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "service-accounts.key")


def encoded(name: str) -> str:
    return base64.b64encode((WORK / name).read_bytes()).decode()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


class ControlPlane:
    def __init__(self, processes: Processes, program: str) -> None:
        self._processes, self._program = processes, program
        self._etcd_port, self._api_port = free_port(), free_port()
        self._parts: dict[str, Process] = {}
        self.server = f"https://127.0.0.1:{self._api_port}"
        make_certificates()
        self.admin_kubeconfig = self.kubeconfig("admin", "{client-certificate-data: %s, client-key-data: %s}"
                                                % (encoded("admin.crt"), encoded("admin.key")))
        self.admin = Api(self.server, WORK / "ca.crt", certificate=(WORK / "admin.crt", WORK / "admin.key"))
        (WORK / "audit-policy.yaml").write_text(AUDIT_POLICY)
        self.start_etcd()
        self.start_api_server()
        self.start_controllers()
        self.start_kwok()

    def kubeconfig(self, name: str, user: str) -> Path:
        """Writes a kubeconfig for `user`, the YAML of a user entry."""
        path = WORK / f"{name}.kubeconfig"
        path.write_text(KUBECONFIG.format(server=self.server, ca=encoded("ca.crt"), user=user))
        path.chmod(0o600)
        return path

    def _start(self, part: str, *flags: str) -> Process:
        process = self._processes.start(part, [self._program, part, *flags])
        self._parts[part] = process
        return process

    def start_etcd(self) -> None:
        client, peer = f"http://127.0.0.1:{self._etcd_port}", f"http://127.0.0.1:{free_port()}"
        process = self._start(
            "etcd", f"--data-dir={WORK}/etcd", f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=default={peer}",
            "--unsafe-no-fsync", "--log-level=warn")
        ready(process, 60, lambda: answers(f"{client}/health"))

    def start_api_server(self) -> None:
        process = self._start(
            "kube-apiserver", "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", f"--secure-port={self._api_port}",
            "--endpoint-reconciler-type=none", f"--etcd-servers=http://127.0.0.1:{self._etcd_port}",
            "--service-cluster-ip-range=10.0.0.0/16", "--authorization-mode=RBAC", f"--client-ca-file={WORK}/ca.crt",
            f"--tls-cert-file={WORK}/server.crt", f"--tls-private-key-file={WORK}/server.key",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-signing-key-file={WORK}/service-accounts.key",
            f"--service-account-key-file={WORK}/service-accounts.key",
            f"--audit-policy-file={WORK}/audit-policy.yaml", f"--audit-log-path={WORK}/audit.log", "--audit-log-mode=blocking")
        ready(process, 120, lambda: self.admin.answers("/readyz"))

    def start_controllers(self) -> None:
        process = self._start(
            "kube-controller-manager", f"--kubeconfig={self.admin_kubeconfig}", "--leader-elect=false", "--secure-port=0",
            f"--service-account-private-key-file={WORK}/service-accounts.key", f"--root-ca-file={WORK}/ca.crt",
            "--use-service-account-credentials=false", "--kube-api-qps=500", "--kube-api-burst=1000")
        ready(process, 60, lambda: self.admin.answers("/api/v1/namespaces/default/serviceaccounts/default"))

    def start_kwok(self) -> None:
        port = free_port()
        process = self._start("kwok", f"--kubeconfig={self.admin_kubeconfig}", f"--config={HERE / 'kwok.yaml'}",
                              "--manage-all-nodes=true", f"--server-address=127.0.0.1:{port}")
        ready(process, 60, lambda: answers(f"http://127.0.0.1:{port}/healthz"))

    def kill_api_server(self) -> None:
        self._parts["kube-apiserver"].kill()

    def forget_history(self) -> None:
        """etcd keeps the present state alone, and the API server's watch cache begins anew."""
        etcd = f"http://127.0.0.1:{self._etcd_port}/v3/kv"

        def call(path: str, body: dict) -> dict:
            with urllib.request.urlopen(f"{etcd}/{path}", json.dumps(body).encode(), timeout=20) as answer:
                return json.load(answer)
        revision = call("range", {"key": base64.b64encode(b"x").decode()})["header"]["revision"]
        call("compaction", {"revision": revision, "physical": True})
        self.kill_api_server()
        self.start_api_server()

    def audit(self, user: str) -> list[dict]:
        """What a service account of the namespace `ferryman` asked, in order, once per request."""
        wanted, entries = f"system:serviceaccount:ferryman:{user}", []
        for line in (WORK / "audit.log").read_text().splitlines():
            entry = json.loads(line)
            if entry["user"].get("username") == wanted and (entry["stage"] == "ResponseStarted") == (entry["verb"] == "watch"):
                entries.append(entry)
        return entries
