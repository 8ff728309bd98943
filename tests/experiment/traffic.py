# SPDX-License-Identifier: Apache-2.0
"""The traffic side of the experiment: HAProxy as the load balancers, a forwarding process per node, application
processes, and the load. Whom HAProxy sends to is what the sandbox says its balancers send to."""
import json
import os
import socket
from pathlib import Path

from processes import WORK, free_port, ready

PROGRAM = Path(os.environ["FERRYMAN_TRAFFIC"])
SLOTS = 64  # servers that a balancer can have at once


class Balancers:
    """One HAProxy: a frontend for each of the sandbox's balancers, filled by `follow`."""

    def __init__(self, processes, pools: list[dict], address_of) -> None:
        self.address_of = address_of
        self.ports = {pool["name"]: free_port() for pool in pools}
        self.slots = {pool["name"]: {} for pool in pools}  # target -> slot
        self.socket = WORK / "haproxy.sock"
        config = WORK / "haproxy.cfg"
        config.write_text(self.config(pools))
        self.process = processes.start("haproxy", ["/usr/sbin/haproxy", "-db", "-f", config], os.environ)
        ready(self.process, 20, self.socket.exists)

    def config(self, pools: list[dict]) -> str:
        # No balancer of AWS sends a request again that a target has seen; these neither.
        text = (f"global\n  stats socket {self.socket} level admin\n  nbthread 1\n  maxconn 3000\n"
                "defaults\n  retries 0\n  timeout connect 2s\n  timeout client 60s\n  timeout server 10s\n"
                "  timeout http-keep-alive 60s\n  balance roundrobin\n")
        for pool in pools:
            name = pool["name"]
            mode = "tcp" if pool["type"] == "network" else "http"
            text += (f"frontend {name}\n  mode {mode}\n  bind 127.0.0.1:{self.ports[name]}\n  default_backend to-{name}\n"
                     f"backend to-{name}\n  mode {mode}\n  server-template s {SLOTS} 127.0.0.1:1 disabled\n")
        return text

    def command(self, lines: list[str]) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            connection.sendall((";".join(lines) + "\n").encode())
            while connection.recv(65536):
                pass

    def answers(self, target: tuple) -> bool:
        try:
            socket.create_connection((self.address_of(target[0]), target[1]), timeout=0.2).close()
            return True
        except OSError:
            return False

    def follow(self, pools: list[dict]) -> None:
        lines = []
        for pool in pools:
            name, slots = pool["name"], self.slots[pool["name"]]
            wanted = {(target["id"], target["port"]) for target in pool["targets"]}
            for target in set(slots) - wanted:
                lines.append(f"set server to-{name}/s{slots.pop(target)} state maint")
            for target in sorted(wanted - set(slots)):
                if not self.answers(target):
                    continue  # as a first health check finds it; the next round looks again
                slot = next(n for n in range(1, SLOTS + 1) if n not in slots.values())
                slots[target] = slot
                lines += [f"set server to-{name}/s{slot} addr {self.address_of(target[0])} port {target[1]}",
                          f"set server to-{name}/s{slot} state ready"]
        if lines:
            self.command(lines)


class Machines:
    """An address on loopback for everything that has one in the world, and a process where something listens."""

    def __init__(self, processes) -> None:
        self.processes, self.addresses, self.running = processes, {}, {}
        self.network = 2 + os.getpid() % 250  # runs side by side do not meet

    def address_of(self, name: str) -> str:
        number = self.addresses.setdefault(name, len(self.addresses))
        return f"127.{self.network}.{number // 250}.{number % 250 + 1}"

    def start(self, name: str, ports: list[int], mode: str, argument: str) -> None:
        at = ",".join(f"{self.address_of(name)}:{port}" for port in ports)
        self.running[name] = self.processes.start(f"{mode}-{name}", [PROGRAM, mode, at, argument])

    def vanish(self, name: str) -> None:
        """As a machine does: its connections are reset, and nobody listens."""
        process = self.running.pop(name, None)
        if process is not None:
            process.kill()


class Load:
    def __init__(self, processes, balancers: Balancers, rate: float, requests: int, oldest_ms: int) -> None:
        to = ",".join(f"127.0.0.1:{port}" for port in balancers.ports.values())
        self.process = processes.start("load", [PROGRAM, "load", to, rate, requests, 0.2, oldest_ms])
        self.requests, self.read = requests, 0

    def seconds(self) -> list[dict]:
        """What was told so far, a second each."""
        text = self.process.said()
        return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]

    def answered(self) -> int:
        return sum(n for second in self.seconds() for how, n in second.items() if how not in ("at", "sent"))

    def over(self) -> bool:
        return not self.process.alive()
