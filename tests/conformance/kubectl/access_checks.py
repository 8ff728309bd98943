# SPDX-License-Identifier: Apache-2.0
"""Rights: auth can-i, what is forbidden to whom, tokens of service accounts."""
import re

from checks import Checks, expect
from client import Kubectl
from write_checks import DEPLOY

ACCOUNT = "system:serviceaccount:ferryman:ferryman"
AS = f"--as={ACCOUNT}"


def administrator_may(kubectl: Kubectl) -> None:
    kubectl.says("yes", "auth", "can-i", "delete", "pods")
    kubectl.says("yes", "auth", "can-i", "get", "/metrics")
    said = kubectl.ok("auth", "can-i", "--list")
    expect(re.search(r"^\*\.\*\s+\[\]\s+\[\]\s+\[\*\]", said, re.M), lambda: said)
    expect(re.search(r"^ATTRIBUTE +VALUE\nUsername +system:admin\n", kubectl.ok("auth", "whoami")), "whoami")


def stranger_may_not(kubectl: Kubectl) -> None:
    kubectl.refuses("no", "auth", "can-i", "list", "nodes", "--as=nobody")
    kubectl.refuses('Error from server (Forbidden): nodes is forbidden: User "nobody" cannot list resource "nodes" in API '
                    'group "" at the cluster scope', "get", "nodes", "--as=nobody")
    kubectl.refuses('Error from server (Forbidden): leases.coordination.k8s.io "x" is forbidden: User "nobody" cannot get '
                    'resource "leases" in API group "coordination.k8s.io" in the namespace "default"', "get", "lease", "x",
                    "--as=nobody")
    kubectl.refuses('Error from server (Forbidden): forbidden: User "nobody" cannot get path "/metrics"', "get",
                    "--raw=/metrics", "--as=nobody")


def rights_of_the_deployment(kubectl: Kubectl) -> None:
    kubectl.ok("apply", "--server-side", "-f", str(DEPLOY / "rbac.yaml"))
    for words in (("list", "nodes"), ("patch", "nodes"), ("watch", "pods", "-A"), ("create", "pods", "--subresource=eviction")):
        kubectl.says("yes", "auth", "can-i", *words, AS)
    for words in (("delete", "nodes"), ("get", "secrets", "-A"), ("create", "pods"), ("patch", "nodes", "--subresource=status")):
        kubectl.refuses("no", "auth", "can-i", *words, AS)
    said = kubectl.ok("auth", "can-i", "--list", AS)
    expect(re.search(r"^nodes\s+\[\]\s+\[\]\s+\[get list watch patch\]", said, re.M), lambda: said)
    kubectl.refuses(f'User "{ACCOUNT}" cannot delete resource "nodes" in API group "" at the cluster scope', "delete", "node",
                    "x", AS)


def token_of_the_account(kubectl: Kubectl) -> None:
    token = kubectl.ok("create", "token", "ferryman", "-n", "ferryman", "--duration=10m").strip()
    config = kubectl.json("config", "view", "--raw")
    server = config["clusters"][0]["cluster"]["server"]
    words = (f"--server={server}", f"--token={token}", "--kubeconfig=/dev/null", "--insecure-skip-tls-verify")
    said = kubectl.ok("get", "nodes", *words)
    expect("Ready" in said, lambda: said)
    kubectl.refuses(f'User "{ACCOUNT}" cannot list resource "secrets" in API group "" in the namespace "default"', "get",
                    "secrets", *words)
    kubectl.refuses("may not specify a duration less than 10 minutes", "create", "token", "ferryman", "-n", "ferryman",
                    "--duration=1s")
    wrong = (f"--server={server}", "--token=wrong", "--kubeconfig=/dev/null", "--insecure-skip-tls-verify")
    kubectl.refuses("You must be logged in to the server", "get", "nodes", *wrong)


def rights_by_the_control_api(kubectl: Kubectl) -> None:
    made = kubectl.sandbox.control("tokens", {"user": "reader", "rights": "nodes:get,list pods/eviction:create"})
    config = kubectl.json("config", "view", "--raw")
    words = (f"--server={config['clusters'][0]['cluster']['server']}", f"--token={made['token']}", "--kubeconfig=/dev/null",
             "--insecure-skip-tls-verify")
    expect("Ready" in kubectl.ok("get", "nodes", *words), "it cannot list")
    kubectl.refuses('User "reader" cannot list resource "pods" in API group "" in the namespace "default"', "get", "pods",
                    *words)


def run(checks: Checks, kubectl: Kubectl) -> None:
    checks.run("auth can-i, --list and whoami of an administrator", administrator_may, kubectl)
    checks.run("403 in Kubernetes' words", stranger_may_not, kubectl)
    checks.run("auth can-i with the rights of deploy/rbac.yaml", rights_of_the_deployment, kubectl)
    checks.run("create token", token_of_the_account, kubectl)
    checks.run("rights by the control API", rights_by_the_control_api, kubectl)
