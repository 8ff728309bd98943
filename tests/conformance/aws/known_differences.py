# SPDX-License-Identifier: Apache-2.0
"""Where the sandbox and moto 5.2.5 answer differently: case of compare_checks.py to (sandbox, moto, why the sandbox is right)."""

UNREADABLE = "an answer that is none"
MISSING_CHECK = "AWS documents the check; moto has none"
CRASH = "moto fails within itself: HTTP 500"

KNOWN: dict[str, tuple[str, str, str]] = {
    "an empty message": ("MissingParameter 400", "ok", "AWS documents a least length of 1"),
    "a message with a control character": ("InvalidMessageContents 400", "ok", MISSING_CHECK),
    "an attribute without a value": ("InvalidParameterValue 400", "ok", "AWS documents that value and type must not be empty"),
    "a deleted message is hidden": ("InvalidParameterValue 400", "ReceiptHandleIsInvalid 400",
                                    "AWS: 'Message does not exist or is not available for visibility timeout change'"),
    "a visible message is hidden": ("AWS.SimpleQueueService.MessageNotInflight 400", "ok", MISSING_CHECK),
    "an unknown attribute is set": ("InvalidAttributeName 400", "ok", MISSING_CHECK),
    "a visibility out of range": ("InvalidAttributeValue 400", "ok", MISSING_CHECK),
    "a retention out of range": ("InvalidAttributeValue 400", "ok", MISSING_CHECK),
    "a redrive policy that is no JSON": ("InvalidParameterValue 400", "500 500", CRASH),
    "a redrive policy to a missing queue": ("InvalidParameterValue 400", "AWS.SimpleQueueService.NonExistentQueue 400",
                                            "AWS: 'Dead letter target does not exist'"),
    "an instance id that is none": ("InvalidInstanceID.Malformed 400", "InvalidInstanceID.NotFound 400", MISSING_CHECK),
    "an unknown filter": ("InvalidParameterValue 400", UNREADABLE, CRASH),
    "a page of four instances": ("InvalidParameterValue 400", "ok", "AWS documents 5 to 1000; moto has no pages"),
    "hooks of a missing group": ("ValidationError 400", "ok", MISSING_CHECK),
    "a hook with a short timeout": ("ValidationError 400", "ok", "AWS documents 30 to 7200 s"),
    "a hook with an unknown result": ("ValidationError 400", "ok", MISSING_CHECK),
    "a hook of an unknown transition": ("ValidationError 400", "ok", MISSING_CHECK),
    "a hook of a missing group": ("ValidationError 400", "ok", MISSING_CHECK),
    "a stranger is terminated through a group": ("ValidationError 400", UNREADABLE, CRASH),
    "health by an ARN that is none": ("ValidationError 400", "TargetGroupNotFound 400", "AWS: 'is not a valid target group ARN'"),
    "tags of nothing": ("ValidationError 400", "ok", MISSING_CHECK),
    "a target is deregistered twice": ("ok", "InvalidTarget 400", "AWS: 'If the specified target does not exist, the action returns successfully'"),
    "a stranger is registered": ("InvalidTarget 400", "ok", MISSING_CHECK),
    "attributes of a missing classic balancer": ("LoadBalancerNotFound 400", UNREADABLE, CRASH),
    "health of a stranger in a classic balancer": ("InvalidInstance 400", "ok", "AWS documents InvalidInstance; moto says 'Unknown'"),
    "a stranger leaves a classic balancer": ("InvalidInstance 400", "ok", MISSING_CHECK),
    "a role that is no ARN": ("ValidationError 400", "ok", MISSING_CHECK),
    "a role for too long": ("ValidationError 400", "ok", "AWS documents 900 to 43200 s"),
}
