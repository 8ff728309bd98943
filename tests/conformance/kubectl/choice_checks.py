# SPDX-License-Identifier: Apache-2.0
"""Which pods a drain chooses: kubectl's choice and ours, for every combination of the flags that both have, over a zoo.

kubectl refuses the whole node when one pod refuses, and names those that do. So it is run twice: the first run's error names the
refused, which must be those that `ferryman explain --node` refuses, each for the same reason; the second run leaves these out by a
further requirement of its --pod-selector, and must then ask exactly those to go that ours would. For some combinations both then
drain for good, kubectl one node and `ferryman serve` another with the same pods: the journal says whom they asked first, how, and
with which grace.

There is one difference, meant so: kubectl may refuse a pod that terminates already, for its data or for want of a controller. It goes
whatever kubectl says. Ours says that it waits for it, and so it does. Those pods, and no others, may be in the one list and not in the other.
"""
import itertools
import json
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import zoo
from checks import Checks, eventually, expect
from client import Kubectl
from processes import FERRYMAN, WORK, Processes
from read_checks import node_names
from sandbox import Sandbox

SEED = 6
SCENARIO = f"""\
nodes: 12
podsPerNode: 0
deployments: 1
minAvailable: 0
podEnd: 1h
podReady: 0s
daemonSet: false
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
    with ThreadPoolExecutor(3) as pool:
        counts = list(pool.map(lambda flags: compare(kubectl, node, flags, terminating), combinations()))
    expect(min(counts) > 20 and len(set(counts)) >= 5, f"the zoo says too little: {sorted(set(counts))}")
    print(f"        {len(animals)} pods, {len(counts)} combinations of flags")


def for_good() -> list[dict]:
    """Each value of each flag, with different ones of the others; kubectl's defaults and ours among them."""
    rows = (("true", "true", "true", SELECTORS[0], "-1", "false", "0"), ("false", "false", "false", SELECTORS[0], "5", "false", "10"),
            ("true", "true", "false", SELECTORS[2], "5", "true", "0"), ("false", "true", "true", SELECTORS[1], "-1", "true", "10"),
            ("true", "false", "true", SELECTORS[0], "5", "false", "10"))
    return [dict(zip(FLAGS, row)) for row in rows]


def first_asked(kubectl: Kubectl, node: str, since: int, besides: set) -> dict:
    """Pod to verb and grace of the first call about it, whatever it was answered; the pod without its zoo's letter."""
    found: dict = {}
    for entry in kubectl.sandbox.journal(since):
        details, subject = entry.get("details", {}), entry["subject"]
        if entry["operation"] in ("pods.evict", "pods.delete") and details.get("node") == node and subject not in besides:
            space, _, name = subject.partition("/")
            found.setdefault(f"{space}/{name[1:]}", (entry["operation"], details["grace"]))
    return found


def asked_by_kubectl(kubectl: Kubectl, node: str, flags: dict, besides: set) -> dict:
    since = kubectl.sandbox.control("journal")["next"]
    refused = named_in(kubectl.run("drain", node, "--dry-run=client", *words(flags)).stderr)
    kubectl.run("drain", node, "--timeout=4s", *words(without(flags, refused)))  # these pods do not end: it cannot succeed
    return first_asked(kubectl, node, since, besides)


def asked_by_ours(kubectl: Kubectl, processes: Processes, node: str, flags: dict, besides: set, wanted: int) -> dict:
    since = kubectl.sandbox.control("journal")["next"]
    instance = kubectl.json("get", "node", node)["spec"]["providerID"].rpartition("/")[2]
    daemon = processes.start(f"serve-{node}", [FERRYMAN, "serve", "--listen=127.0.0.1:0", *words(flags)], kubectl.env)
    try:
        kubectl.sandbox.control("terminate", {"instance": instance, "decrement": True})
        eventually(60, lambda: len(first_asked(kubectl, node, since, besides)) >= wanted, daemon.tail)
        time.sleep(1)  # one too many would come now
        return first_asked(kubectl, node, since, besides)
    finally:
        daemon.stop()


class Twins:
    """Two nodes with the same pods, but for the first letter of their names: one for kubectl, one for ours."""

    def __init__(self, kubectl: Kubectl, nodes: list[str], number: int) -> None:
        self.nodes = nodes
        self.pods = []
        for node, letter in zip(nodes, "kf"):
            pods = zoo.animals(SEED + number, letter, 0, 4)
            for pod in pods:
                pod.name += f"-{number}"
            self.ready = zoo.populate(kubectl, node, pods)
            self.pods += pods

    def terminating(self) -> set:
        return {f"{one.space}/{one.name}" for one in self.pods if one.life != zoo.ALIVE}

    def finished(self) -> set:
        return {f"{one.space}/{one.name[1:]}" for one in self.pods if one.phase in ("Succeeded", "Failed")}


def asks_the_same(kubectl: Kubectl, processes: Processes, twins: Twins, flags: dict) -> None:
    besides, finished = twins.terminating(), twins.finished()
    said = ours(kubectl, twins.nodes[0], flags).asked
    theirs_asked = asked_by_kubectl(kubectl, twins.nodes[0], flags, besides)
    ours_asked = asked_by_ours(kubectl, processes, twins.nodes[1], flags, besides, len(theirs_asked))
    expect(theirs_asked and len(said) == len(theirs_asked), lambda: f"{len(theirs_asked)} pods were asked, explain says {len(said)}")
    # A finished pod is gone at once, whichever way it is asked.
    mine, other = ({key: call for key, call in asked.items() if key not in finished} for asked in (ours_asked, theirs_asked))
    expect(ours_asked.keys() == theirs_asked.keys() and mine == other,
           lambda: f"kubectl alone: {sorted(theirs_asked.items() - ours_asked.items())}, ours alone: {sorted(ours_asked.items() - theirs_asked.items())}")


def run(checks: Checks, processes: Processes, program) -> None:
    kubectl = Kubectl(program, Sandbox(processes, SCENARIO, "zoo"))
    zoo.set_up(kubectl)
    nodes = node_names(kubectl)
    checks.run("drain: kubectl and ours choose the same pods of a zoo", chooses_the_same, kubectl, nodes[0])
    pairs = [(flags, Twins(kubectl, nodes[2 * number + 1:2 * number + 3], number)) for number, flags in enumerate(for_good())]
    time.sleep(max(0.0, max(twins.ready for _, twins in pairs) - time.monotonic()))
    for flags, twins in pairs:
        checks.run(f"drain: kubectl and ours ask the same pods to go, {' '.join(words(flags))}", asks_the_same, kubectl, processes, twins,
                   flags)
