# SPDX-License-Identifier: Apache-2.0
"""Which pods a drain chooses: kubectl's choice and ours, for every combination of the flags that both have, over a zoo.

kubectl refuses the whole node when one pod refuses, and names those that do. So it is run twice: the first run's error names the
refused, which must be those that `ferryman explain --node` refuses, each for the same reason; the second run leaves these out by a
further requirement of its --pod-selector, and must then ask exactly those to go that ours would.

There is one difference, meant so: kubectl may refuse a pod that terminates already, for its data or for want of a controller. It goes
whatever kubectl says. Ours says that it waits for it, and so it does. Those pods, and no others, may be in the one list and not in the other.
"""
import itertools
import json
import re
import subprocess
import time

import zoo
from checks import Checks, expect
from client import Kubectl
from processes import FERRYMAN, WORK, Processes
from read_checks import node_names
from sandbox import Sandbox

SEED = 6
SCENARIO = f"""\
nodes: 3
podsPerNode: 0
deployments: 1
minAvailable: 0
podEnd: 1h
podReady: 0s
notifications: false
seed: {SEED}
"""
SELECTORS = ("", "app=web", "tier in (front,back),!canary")
FLAGS = {"ignore-daemonsets": ("true", "false"), "delete-emptydir-data": ("true", "false"), "force": ("true", "false"),
         "pod-selector": SELECTORS, "grace-period": ("-1", "5"), "disable-eviction": ("false", "true"),
         "skip-wait-for-delete-timeout": ("0", "10")}
REASONS = {r"DaemonSet-managed Pods": "daemon set, not ignored", r"Pods with local storage": "data in an emptyDir",
           r"Pods that declare no controller": "no controller", r'daemonsets\.apps "\S+" not found': "its daemon set is gone"}
ASKED = ("evict", "remove", "sweep")


class Choice:
    def __init__(self, asked: dict, waiting: set, refused: dict) -> None:
        self.asked, self.waiting, self.refused = asked, waiting, refused


def combinations() -> list[dict]:
    return [dict(zip(FLAGS, values)) for values in itertools.product(*FLAGS.values())]


def words(flags: dict) -> list[str]:
    return [f"--{name}={value}" for name, value in flags.items()]


def ours(kubectl: Kubectl, node: str, flags: dict) -> Choice:
    done = subprocess.run([FERRYMAN, "explain", f"--node={node}", "--output=json", *words(flags)], env=kubectl.env, cwd=WORK,
                          capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode in (0, 3) and not done.stderr, lambda: f"explain: exit status {done.returncode}: {done.stderr}")
    pods = [json.loads(line) for line in done.stdout.splitlines()]
    by = {pod["namespace"] + "/" + pod["name"]: pod for pod in pods}
    return Choice({key: pod["treatment"] for key, pod in by.items() if pod["treatment"] in ASKED},
                  {key for key, pod in by.items() if pod["treatment"] == "wait"},
                  {key: pod["reason"] for key, pod in by.items() if pod["treatment"] == "refuse"})


def named_in(error: str) -> dict:
    """Refused pods and our word for kubectl's reason."""
    found = {}
    for line in re.findall(r"^cannot delete (.*)$", error, re.M):
        head, _, names = line.rpartition(": ")
        reason = [word for pattern, word in REASONS.items() if re.search(pattern, head)]
        expect(len(reason) == 1, lambda: f"a reason of kubectl's that is not known: {line}")
        found |= dict.fromkeys(names.split(", "), reason[0])
    return found


def without(flags: dict, refused: dict) -> dict:
    names = ",".join(sorted(key.partition("/")[2] for key in refused))
    parts = [part for part in (flags["pod-selector"], f"zoo notin ({names})" if names else "") if part]
    return flags | {"pod-selector": ",".join(parts)}


def theirs(kubectl: Kubectl, node: str, flags: dict) -> Choice:
    first = kubectl.run("drain", node, "--dry-run=client", *words(flags))
    refused = named_in(first.stderr)
    expect((first.returncode != 0) == bool(refused), lambda: f"exit status {first.returncode}: {first.stderr}")
    said = first.stdout
    if refused:
        said = kubectl.ok("drain", node, "--dry-run=client", *words(without(flags, refused)))
    # A dry run says "evicting" whichever it would be; what it really sends is looked at below.
    return Choice(dict.fromkeys(re.findall(r"^evicting pod (\S+) \(dry run\)$", said, re.M), "evict"), set(), refused)


def compare(kubectl: Kubectl, node: str, flags: dict, terminating: set) -> int:
    mine, other = ours(kubectl, node, flags), theirs(kubectl, node, flags)
    expect(mine.waiting <= terminating, lambda: f"waits for pods that do not terminate: {mine.waiting - terminating}")
    refused = {key: reason for key, reason in other.refused.items() if key not in mine.waiting}
    expect(refused == mine.refused, lambda: f"{words(flags)}: refused by kubectl alone: {sorted(refused.items() - mine.refused.items())}, by ours alone: "
                                           f"{sorted(mine.refused.items() - refused.items())}")
    asked = set(other.asked) - mine.waiting
    expect(asked == set(mine.asked), lambda: f"{words(flags)}: asked by kubectl alone: {sorted(asked - set(mine.asked))}, by ours alone: "
                                             f"{sorted(set(mine.asked) - asked)}")
    unmet = mine.waiting - set(other.asked) - set(other.refused)
    expect(not unmet, lambda: f"{words(flags)}: only ours waits for {sorted(unmet)}")
    return len(mine.asked) + len(mine.refused)


def chooses_the_same(kubectl: Kubectl, node: str) -> None:
    animals = zoo.animals(SEED, "p", 64)
    expect(len(animals) >= 200, f"only {len(animals)} pods")
    begin = zoo.populate(kubectl, node, animals)
    time.sleep(max(0.0, begin - time.monotonic()))
    terminating = {f"{one.space}/{one.name}" for one in animals if one.life != zoo.ALIVE}
    counts = [compare(kubectl, node, flags, terminating) for flags in combinations()]
    expect(min(counts) > 20 and len(set(counts)) > 10, f"the zoo says too little: {sorted(set(counts))}")
    print(f"        {len(animals)} pods, {len(counts)} combinations of flags")


def run(checks: Checks, processes: Processes, program) -> None:
    kubectl = Kubectl(program, Sandbox(processes, SCENARIO, "zoo"))
    zoo.set_up(kubectl)
    nodes = node_names(kubectl)
    checks.run("drain: kubectl and ours choose the same pods of a zoo", chooses_the_same, kubectl, nodes[0])
