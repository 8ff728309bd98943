# SPDX-License-Identifier: Apache-2.0
"""make_partitions on small data: what it reads from botocore's form, and that it stops where the pattern breaks."""
import json
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

_loader = SourceFileLoader("make_partitions", str(Path(__file__).resolve().parent.parent / "make_partitions"))
_spec = spec_from_loader("make_partitions", _loader)
tool = module_from_spec(_spec)
_loader.exec_module(tool)


def partition(name, regex, regions):
    return {"id": name, "regionRegex": regex, "regions": {region: {} for region in regions},
            "outputs": {"dnsSuffix": name + ".test", "dualStackDnsSuffix": "dual." + name + ".test",
                        "supportsFIPS": True, "supportsDualStack": True}}


def endpoint(url, *names):
    return {"type": "endpoint", "endpoint": {"url": url},
            "conditions": [{"fn": "stringEquals", "argv": ["name", name]} for name in names]}


def rules(prefix):
    rows = [endpoint(f"https://{prefix}{fips}.{{Region}}.{{PartitionResult#{suffix}}}")
            for fips in ("", "-fips") for suffix in ("dnsSuffix", "dualStackDnsSuffix")]
    return {"rules": [{"type": "tree", "conditions": [],
                       "rules": [*rows, endpoint(f"https://{prefix}.{{Region}}.amazonaws.com", "gov")]}]}


class MakePartitions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name)
        self.write([partition("aws", r"^(us|eu)\-\w+\-\d+$", ["us-east-1", "eu-west-1"]),
                    partition("gov", r"^us\-gov\-\w+\-\d+$", ["us-gov-west-1", "gov-global"])])
        for service, prefix in tool.SERVICES.items():
            self.write_rules(service, rules(prefix))

    def write(self, partitions):
        (self.data / "partitions.json").write_text(json.dumps({"partitions": partitions}))

    def write_rules(self, service, text):
        place = self.data / service / "2020-01-01"
        place.mkdir(parents=True, exist_ok=True)
        (place / "endpoint-rule-set-1.json").write_text(json.dumps(text))

    def test_the_longest_prefix_comes_first_and_aws_last(self):
        self.assertEqual(list(tool.table_rows(self.data)),
                         [["gov", "us-gov-", "gov.test", "dual.gov.test", True],
                          ["aws", "", "aws.test", "dual.aws.test", False]])

    def test_a_partition_without_one_prefix_stops_it(self):
        self.write([partition("new", r"^(aa|bb)\-\w+\-\d+$", ["aa-north-1", "bb-north-1"])])
        with self.assertRaisesRegex(SystemExit, "partition new: .* do not share the prefix"):
            list(tool.table_rows(self.data))

    def test_a_service_that_leaves_the_pattern_stops_it(self):
        self.write_rules("ec2", {"rules": [endpoint("https://{Region}.ec2.test")]})
        with self.assertRaisesRegex(SystemExit, "ec2 has no endpoint of the form"):
            list(tool.table_rows(self.data))

    def test_services_that_differ_in_fips_stop_it(self):
        odd = rules("ec2")
        odd["rules"][0]["rules"].pop()
        self.write_rules("ec2", odd)
        with self.assertRaisesRegex(SystemExit, "the services differ"):
            list(tool.table_rows(self.data))


if __name__ == "__main__":
    unittest.main()
