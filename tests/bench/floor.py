# SPDX-License-Identifier: Apache-2.0
"""The least that a handler can need for a burst at its share of AWS' rates, term by term."""

# What the sandbox enforces: (at once, per second) of each bucket.
CHANGES = (20, 3)
AUTO_SCALING = (30, 10)
TARGETS_A_CALL = 200


def floor_terms(chosen, leaving: dict, pods_seconds: int) -> list[tuple[str, float]]:
    """Text and seconds of each term. `leaving`: group (an ARN; a classic balancer's name) -> targets that leave it."""

    def spend(calls: int, bucket: tuple) -> float:
        return max(0.0, (calls - bucket[0] * chosen.share) / (bucket[1] * chosen.share))

    def calls(v2: bool) -> int:
        return sum(-(-count // TARGETS_A_CALL) for group, count in leaving.items() if group.startswith("arn:") == v2)

    waits = {"deregistration delay": chosen.delay, "the pods' own time": pods_seconds}
    kinds = {"network" if "/tcp-" in group else "application" for group in leaving}
    if kinds:
        waits["continued service"] = max(
            chosen.continued_service_network if kind == "network" else chosen.continued_service for kind in kinds)
    longest = max(waits, key=waits.get)
    v2, classic = spend(calls(True), CHANGES), spend(calls(False), CHANGES)
    share = f"at {chosen.share:.0%} of"
    return [
        (f"{calls(True)} DeregisterTargets ({v2:.1f} s) beside {calls(False)} of classic ones ({classic:.1f} s), {share} "
         f"{CHANGES[0]} at once and {CHANGES[1]}/s each", max(v2, classic)),
        (f"the greatest of {', '.join(f'{name} {value} s' for name, value in waits.items())}: {longest}", waits[longest]),
        (f"{chosen.instances} completions, {share} {AUTO_SCALING[0]} at once and {AUTO_SCALING[1]}/s",
         spend(chosen.instances, AUTO_SCALING)),
    ]
