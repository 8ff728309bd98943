# SPDX-License-Identifier: Apache-2.0
"""deploy/ asks for the rights that the program uses, no more and no less, and runs it without privilege."""
import json
import re
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
SERVICES = {"sqs": "sqs", "auto_scaling": "autoscaling", "ec2": "ec2", "elb2": "elasticloadbalancing",
            "elb_classic": "elasticloadbalancing"}
CALL = re.compile(r'(?:\boperation = |\bcall_for\(|\bbatch_call\(|\bchange\()"([A-Z]\w+)"')


def calls_made():
    """The AWS calls in src/aws, a batch of SQS as the single call, whose right it needs. AssumeRoleWithWebIdentity is allowed by the role's trust policy, not by this one.
    A batch of SQS needs the right of the single call."""
    return {f"{prefix}:{call.removesuffix('Batch')}" for stem, prefix in SERVICES.items()
            for call in CALL.findall((ROOT / "src" / "aws" / f"{stem}.cpp").read_text())}


class IamPolicy(unittest.TestCase):
    policy = json.loads((ROOT / "deploy" / "iam-policy.json").read_text())

    def test_allows_exactly_the_calls_that_the_program_makes(self):
        allowed = [action for statement in self.policy["Statement"] for action in statement["Action"]]
        self.assertEqual(len(allowed), len(set(allowed)))
        self.assertEqual(set(allowed), calls_made())

    def test_what_changes_something_names_its_resource(self):
        for statement in self.policy["Statement"]:
            if statement["Resource"] == "*":
                for action in statement["Action"]:
                    self.assertRegex(action, r":Describe")


class Manifest(unittest.TestCase):
    objects = {item["kind"]: item for file in ("rbac.yaml", "ferryman.yaml")
               for item in yaml.safe_load_all((ROOT / "deploy" / file).read_text())}

    def test_the_cluster_role_is_the_least(self):
        rights = {resource: set(rule["verbs"]) for rule in self.objects["ClusterRole"]["rules"]
                  for resource in rule["resources"]}
        self.assertEqual(rights, {"nodes": {"get", "list", "watch", "patch"},
                                  "pods": {"list", "watch", "delete"}, "pods/eviction": {"create"},
                                  "services": {"list"}, "daemonsets": {"list"},
                                  "targetgroupbindings": {"list"},
                                  "poddisruptionbudgets": {"list", "watch"},
                                  "persistentvolumeclaims": {"get"}, "events": {"create", "patch"},
                                  "volumeattachments": {"list"}})

    def test_of_config_maps_only_the_pause_switch_can_be_read(self):
        (rule,) = self.objects["Role"]["rules"]
        (container,) = self.objects["Deployment"]["spec"]["template"]["spec"]["containers"]
        variables = {variable["name"]: variable.get("value") for variable in container["env"]}
        self.assertEqual(rule, {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"],
                                "resourceNames": [variables["FERRYMAN_PAUSE_CONFIG_MAP"]]})
        self.assertEqual(self.objects["Role"]["metadata"], self.objects["RoleBinding"]["metadata"])
        self.assertEqual(self.objects["RoleBinding"]["roleRef"]["name"], self.objects["Role"]["metadata"]["name"])

    def test_the_account_of_the_pod_is_the_one_that_has_the_role(self):
        account = self.objects["ServiceAccount"]["metadata"]
        (subject,) = self.objects["ClusterRoleBinding"]["subjects"]
        self.assertEqual(self.objects["RoleBinding"]["subjects"], [subject])
        pod = self.objects["Deployment"]["spec"]["template"]["spec"]
        self.assertEqual((subject["name"], subject["namespace"]), (account["name"], account["namespace"]))
        self.assertEqual(pod["serviceAccountName"], account["name"])

    def test_the_container_has_no_privilege(self):
        pod = self.objects["Deployment"]["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        self.assertEqual(container["securityContext"], {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                                        "capabilities": {"drop": ["ALL"]}})

    def test_its_variables_are_known_settings(self):
        settings = (ROOT / "docs" / "settings.md").read_text()
        (container,) = self.objects["Deployment"]["spec"]["template"]["spec"]["containers"]
        for variable in container["env"]:
            self.assertIn(f"`{variable['name']}`", settings)

    def test_the_probes_ask_the_port_that_is_served(self):
        (container,) = self.objects["Deployment"]["spec"]["template"]["spec"]["containers"]
        self.assertIn(":8080", (ROOT / "docs" / "settings.md").read_text())
        self.assertEqual([port["containerPort"] for port in container["ports"]], [8080])
        self.assertEqual([container[probe]["httpGet"]["path"] for probe in ("livenessProbe", "readinessProbe")],
                         ["/healthz", "/readyz"])


if __name__ == "__main__":
    unittest.main()
