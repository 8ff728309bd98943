# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 before the sandbox's Kubernetes, which speaks HTTP/1.1 alone: API servers speak HTTP/2, and what a client's
many connections cost in memory would otherwise be measured with it."""
import base64
import os
import re
import subprocess
from pathlib import Path

from processes import WORK, free_port, ready


def certify() -> Path:
    """A certificate for loopback that is its own authority; with its key in one file."""
    certificate, key, both = WORK / "front.crt", WORK / "front.key", WORK / "front.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=front", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    both.write_text(certificate.read_text() + key.read_text())
    return certificate


def put_front(processes, sandbox) -> None:
    """From now on the sandbox's environment leads to the front."""
    certificate, port = certify(), free_port()
    kubeconfig = Path(sandbox.env["KUBECONFIG"]).read_text()
    server = re.search(r"server: https://(\S+)", kubeconfig)[1]
    config = WORK / "front.cfg"
    config.write_text("global\n  maxconn 8000\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 10m\n  timeout server 10m\n"
                      "  timeout http-keep-alive 10m\n  http-reuse always\n"
                      f"frontend front\n  bind 127.0.0.1:{port} ssl crt {WORK}/front.pem alpn h2,http/1.1\n  default_backend back\n"
                      f"backend back\n  server sandbox {server} ssl verify none\n")
    front = processes.start("front", ["/usr/sbin/haproxy", "-db", "-f", config], dict(os.environ))
    ready(front, 20, lambda: str(port) in subprocess.run(["ss", "-Hltn"], capture_output=True, text=True, check=True).stdout)
    kubeconfig = kubeconfig.replace(server, f"127.0.0.1:{port}")
    authority = base64.b64encode(certificate.read_bytes()).decode()
    kubeconfig = re.sub(r"certificate-authority-data: \S+", f"certificate-authority-data: {authority}", kubeconfig)
    changed = WORK / "front.kubeconfig"
    changed.write_text(kubeconfig)
    changed.chmod(0o600)
    sandbox.env["KUBECONFIG"] = str(changed)
