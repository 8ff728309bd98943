# SPDX-License-Identifier: Apache-2.0
"""What a process and its children use, as the kernel counts it."""
import os
from pathlib import Path


class Usage:
    """Peak memory and CPU."""

    def __init__(self, pid: int) -> None:
        self.pid, self.peaks, self.cpu = pid, {}, {}

    def tree(self) -> list[int]:
        pids, at = [self.pid], 0
        while at < len(pids):
            for task in Path(f"/proc/{pids[at]}/task").glob("*/children"):
                try:
                    pids += [int(child) for child in task.read_text().split()]
                except OSError:
                    pass  # it has ended meanwhile
            at += 1
        return pids

    def look(self) -> None:
        tick = os.sysconf("SC_CLK_TCK")
        for pid in self.tree():
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            self.cpu[pid] = (int(stat[11]) + int(stat[12])) / tick
            for line in status.splitlines():
                if line.startswith("VmHWM:"):
                    self.peaks[pid] = int(line.split()[1]) * 1024

    def peak_bytes(self) -> int:
        return sum(self.peaks.values())

    def cpu_seconds(self) -> float:
        return sum(self.cpu.values())
