# SPDX-License-Identifier: Apache-2.0
"""plot.py RESULT.json FILE: requests, errors and terminating instances over a run's time, as FILE.svg and FILE.png."""
import json
import sys
from pathlib import Path


def draw(result: dict, file: Path) -> None:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    seconds = [point["second"] for point in result["timeline"]]
    figure, (requests, errors, ending) = pyplot.subplots(3, sharex=True, figsize=(9, 6.5), layout="constrained")
    told = result["continued_service_told"]
    also = "" if told is None else f", told a continued service of {told} s"
    figure.suptitle(f"{result['handler']}: {result['failed']} of {result['requests']:,} requests failed, "
                    f"{result['terminations']} nodes ended (delay {result['delay_seconds']} s, times divided by {result['time_compression']}{also})",
                    fontsize=10)
    requests.plot(seconds, [point["requests"] for point in result["timeline"]], color="tab:blue", linewidth=0.9)
    requests.set_ylabel("requests/s")
    requests.set_ylim(bottom=0)
    errors.plot(seconds, [point["failed"] for point in result["timeline"]], color="tab:red", linewidth=0.9)
    errors.set_ylabel("failed/s")
    errors.set_ylim(0, max(5, *(point["failed"] for point in result["timeline"])))
    ending.step([p["second"] for p in result["terminating"]], [p["instances"] for p in result["terminating"]], where="post",
                color="tab:gray", linewidth=0.9)
    ending.set_ylabel("terminating instances")
    ending.set_ylim(bottom=0)
    ending.set_xlabel("seconds")
    for suffix in (".svg", ".png"):
        figure.savefig(file.with_suffix(suffix), dpi=110)
    pyplot.close(figure)


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
