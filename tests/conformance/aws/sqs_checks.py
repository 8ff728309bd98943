# SPDX-License-Identifier: Apache-2.0
"""The sandbox's SQS as boto3 sees it. Also a program of its own: an older botocore runs the same checks in the query protocol."""
import hashlib
import json
import os
import struct
import time

from checks import Checks, Failed, expect
from clients import Clients, pages, refused

NO_QUEUE = "AWS.SimpleQueueService.NonExistentQueue"
UNICODE = "h\u00e9llo \u2603 \U0001F680 <&>\"' \t\r\n end"


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def md5_of_attributes(attributes: dict) -> str:
    """By the rule in SQS's developer guide: name, type, transport (1: text, 2: bytes), value; each with its length."""
    def measured(part: bytes) -> bytes:
        return struct.pack(">I", len(part)) + part
    text = b""
    for name in sorted(attributes):
        value = attributes[name]
        binary = "BinaryValue" in value
        text += measured(name.encode()) + measured(value["DataType"].encode()) + (b"\2" if binary else b"\1")
        text += measured(value["BinaryValue"] if binary else value["StringValue"].encode())
    return hashlib.md5(text).hexdigest()


class SqsChecks:
    def __init__(self, clients: Clients) -> None:
        self.sqs = clients.sqs
        self.made = 0

    def fresh(self, **attributes: str) -> str:
        self.made += 1
        name = f"{'json' if self.is_json() else 'query'}-{self.made}"
        return self.sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]

    def is_json(self) -> bool:
        return self.sqs.meta.service_model.metadata["protocol"] == "json"

    def send(self, url: str, body: str = "hello", **more) -> dict:
        return self.sqs.send_message(QueueUrl=url, MessageBody=body, **more)

    def receive(self, url: str, **more) -> list[dict]:
        return self.sqs.receive_message(QueueUrl=url, **({"MaxNumberOfMessages": 10} | more)).get("Messages", [])

    def queue_is_found_by_name_and_in_lists(self) -> None:
        url = self.fresh()
        name = url.rpartition("/")[2]
        expect(self.sqs.get_queue_url(QueueName=name)["QueueUrl"] == url, "another URL")
        expect(self.sqs.list_queues(QueueNamePrefix=name)["QueueUrls"] == [url], "not listed alone")
        expect(self.sqs.create_queue(QueueName=name)["QueueUrl"] == url, "made anew")
        refused("QueueAlreadyExists", 400, self.sqs.create_queue, QueueName=name, Attributes={"VisibilityTimeout": "7"})
        refused("InvalidParameterValue", 400, self.sqs.create_queue, QueueName="no blanks")

    def queues_come_in_pages(self) -> None:
        urls = sorted(self.fresh() for _ in range(5))
        prefix = urls[0].rpartition("/")[2].partition("-")[0]
        found = pages(self.sqs, "list_queues", "QueueUrls", 2, QueueNamePrefix=prefix)
        expect(set(urls) <= set(found) and len(set(found)) == len(found), f"found {found}")

    def message_keeps_text_and_digest(self) -> None:
        url = self.fresh()
        sent = self.send(url, UNICODE)
        expect(sent["MD5OfMessageBody"] == md5(UNICODE), "another digest of what was sent")
        (got,) = self.receive(url)
        expect(got["Body"] == UNICODE, f"received {got['Body']!r}")
        expect(got["MD5OfBody"] == md5(UNICODE) and got["MessageId"] == sent["MessageId"], f"received {got}")

    def message_attributes_keep_type_and_digest(self) -> None:
        url = self.fresh()
        attributes = {"text": {"DataType": "String", "StringValue": "\u00fcber"}, "count": {"DataType": "Number.int", "StringValue": "12"},
                      "bytes": {"DataType": "Binary", "BinaryValue": b"\x00\xff\x80raw"}}
        sent = self.send(url, MessageAttributes=attributes)
        expect(sent["MD5OfMessageAttributes"] == md5_of_attributes(attributes), "another digest of what was sent")
        (got,) = self.receive(url, MessageAttributeNames=["All"], VisibilityTimeout=0)
        expect(got["MessageAttributes"] == attributes, f"received {got['MessageAttributes']}")
        expect(got["MD5OfMessageAttributes"] == md5_of_attributes(attributes), "another digest of what was received")
        (got,) = self.receive(url, MessageAttributeNames=["co.*", "text"])
        expect(set(got["MessageAttributes"]) == {"count", "text"}, f"received {set(got['MessageAttributes'])}")

    def system_attributes_are_counted_and_timed(self) -> None:
        url = self.fresh()
        begun = time.time() * 1000 - 1000
        self.send(url)
        self.receive(url, VisibilityTimeout=0)
        (got,) = self.receive(url, AttributeNames=["All"])
        own = got["Attributes"]
        expect(own["ApproximateReceiveCount"] == "2" and own["SenderId"], f"attributes {own}")
        times = [int(own[name]) for name in ("SentTimestamp", "ApproximateFirstReceiveTimestamp")]
        expect(begun < times[0] <= times[1] < time.time() * 1000 + 1000, f"times {times}")
        (got,) = self.receive(self.resent(url), AttributeNames=["SentTimestamp"])
        expect(set(got["Attributes"]) == {"SentTimestamp"}, f"attributes {got['Attributes']}")

    def resent(self, url: str) -> str:
        self.send(url)
        return url

    def visibility_hides_and_releases(self) -> None:
        url = self.fresh()
        self.send(url)
        (got,) = self.receive(url, VisibilityTimeout=60)
        expect(not self.receive(url), "received twice")
        self.sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=got["ReceiptHandle"], VisibilityTimeout=0)
        (again,) = self.receive(url, VisibilityTimeout=1)
        expect(again["ReceiptHandle"] != got["ReceiptHandle"], "the same handle")
        expect(len(self.receive(url, WaitTimeSeconds=5)) == 1, "a long poll does not see a timeout end")

    def receipt_handles_are_judged(self) -> None:
        url = self.fresh()
        self.send(url)
        (old,), (new,) = (self.receive(url, VisibilityTimeout=hidden) for hidden in (0, 30))
        self.sqs.delete_message(QueueUrl=url, ReceiptHandle=old["ReceiptHandle"])
        self.sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=new["ReceiptHandle"], VisibilityTimeout=9)
        for _ in range(2):
            self.sqs.delete_message(QueueUrl=url, ReceiptHandle=new["ReceiptHandle"])
        refused("InvalidParameterValue", 400, self.sqs.change_message_visibility, QueueUrl=url, ReceiptHandle=new["ReceiptHandle"],
                VisibilityTimeout=9)
        refused("ReceiptHandleIsInvalid", 400, self.sqs.delete_message, QueueUrl=url, ReceiptHandle="garbage")

    def batches_tell_each_entrys_fate(self) -> None:
        url = self.fresh()
        entries = [{"Id": f"m{i}", "MessageBody": str(i), "DelaySeconds": 1000 if i == 2 else 0} for i in range(4)]
        answer = self.sqs.send_message_batch(QueueUrl=url, Entries=entries)
        expect([entry["Id"] for entry in answer["Successful"]] == ["m0", "m1", "m3"], f"answered {answer}")
        expect(answer["Successful"][2]["MD5OfMessageBody"] == md5("3"), "another digest")
        (bad,) = answer["Failed"]
        expect((bad["Id"], bad["Code"], bad["SenderFault"]) == ("m2", "InvalidParameterValue", True), f"failed: {bad}")
        got = self.receive(url)
        change = [{"Id": m["Body"], "ReceiptHandle": m["ReceiptHandle"], "VisibilityTimeout": 0} for m in got]
        answer = self.sqs.change_message_visibility_batch(QueueUrl=url, Entries=change)
        expect(len(answer["Successful"]) == 3 and not answer.get("Failed"), f"answered {answer}")
        got = self.receive(url)
        delete = [{"Id": m["Body"], "ReceiptHandle": m["ReceiptHandle"]} for m in got] + [{"Id": "x", "ReceiptHandle": "garbage"}]
        answer = self.sqs.delete_message_batch(QueueUrl=url, Entries=delete)
        expect(len(answer["Successful"]) == 3 and answer["Failed"][0]["Code"] == "ReceiptHandleIsInvalid", f"answered {answer}")

    def batches_of_another_form_are_refused(self) -> None:
        url = self.fresh()
        entry = {"Id": "a", "ReceiptHandle": "r"}
        for code, entries in (("EmptyBatchRequest", []), ("BatchEntryIdsNotDistinct", [entry, entry]),
                              ("InvalidBatchEntryId", [entry | {"Id": "a b"}]),
                              ("TooManyEntriesInBatchRequest", [entry | {"Id": str(i)} for i in range(11)])):
            refused("AWS.SimpleQueueService." + code, 400, self.sqs.delete_message_batch, QueueUrl=url, Entries=entries)

    def attributes_are_kept_and_act(self) -> None:
        url = self.fresh(DelaySeconds="1", VisibilityTimeout="1", MessageRetentionPeriod="600")
        self.sqs.set_queue_attributes(QueueUrl=url, Attributes={"ReceiveMessageWaitTimeSeconds": "4"})
        own = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
        expect((own["DelaySeconds"], own["ReceiveMessageWaitTimeSeconds"]) == ("1", "4"), f"attributes {own}")
        expect(own["QueueArn"].endswith(":" + url.rpartition("/")[2]) and int(own["CreatedTimestamp"]) > 1e9, f"attributes {own}")
        self.send(url)
        expect(not self.receive(url, WaitTimeSeconds=0), "received before its delay")
        expect(len(self.receive(url)) == 1, "the queue's own long poll got nothing")
        expect(len(self.receive(url)) == 1, "the queue's own visibility timeout does not end")
        some = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessagesNotVisible"])
        expect(some["Attributes"] == {"ApproximateNumberOfMessagesNotVisible": "1"}, f"answered {some}")

    def dead_letters_are_moved(self) -> None:
        dead, url = self.fresh(), self.fresh()
        arn = self.sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": "2"})
        self.sqs.set_queue_attributes(QueueUrl=url, Attributes={"RedrivePolicy": policy})
        sent = self.send(url)
        for _ in range(2):
            expect(len(self.receive(url, VisibilityTimeout=0)) == 1, "not received")
        expect(not self.receive(url), "received once more")
        (got,) = self.receive(dead, AttributeNames=["All"])
        expect(got["MessageId"] == sent["MessageId"], "another message")
        expect(self.sqs.list_dead_letter_source_queues(QueueUrl=dead)["queueUrls"] == [url], "not listed as its source")
        refused("InvalidParameterValue", 400, self.sqs.set_queue_attributes, QueueUrl=url, Attributes={"RedrivePolicy": "{}"})

    def tags_are_kept(self) -> None:
        url = self.sqs.create_queue(QueueName=self.fresh().rpartition("/")[2] + "-tags", tags={"a": "1"})["QueueUrl"]
        self.sqs.tag_queue(QueueUrl=url, Tags={"b": "2", "c": "3"})
        self.sqs.untag_queue(QueueUrl=url, TagKeys=["b"])
        expect(self.sqs.list_queue_tags(QueueUrl=url)["Tags"] == {"a": "1", "c": "3"}, "other tags")

    def purge_and_delete_empty_a_queue(self) -> None:
        url = self.fresh()
        self.send(url)
        self.sqs.purge_queue(QueueUrl=url)
        expect(not self.receive(url), "received after the purge")
        refused("AWS.SimpleQueueService.PurgeQueueInProgress", 403, self.sqs.purge_queue, QueueUrl=url)
        self.sqs.delete_queue(QueueUrl=url)
        refused(NO_QUEUE, 400, self.receive, url=url)
        refused("AWS.SimpleQueueService.QueueDeletedRecently", 400, self.sqs.create_queue, QueueName=url.rpartition("/")[2])

    def errors_have_their_codes(self) -> None:
        url = self.fresh()
        text = refused(NO_QUEUE, 400, self.sqs.get_queue_url, QueueName="none")
        expect("specified queue does not exist" in text, text)
        for code, call, arguments in (
                ("InvalidParameterValue", self.sqs.receive_message, {"WaitTimeSeconds": 21}),
                ("InvalidParameterValue", self.sqs.receive_message, {"MaxNumberOfMessages": 11}),
                ("InvalidMessageContents", self.sqs.send_message, {"MessageBody": "a\x01"}),
                ("InvalidParameterValue", self.sqs.send_message, {"MessageBody": "x" * (2**20 + 1)}),
                ("InvalidAttributeName", self.sqs.get_queue_attributes, {"AttributeNames": ["Colour"]}),
                ("InvalidAttributeValue", self.sqs.set_queue_attributes, {"Attributes": {"VisibilityTimeout": "-1"}})):
            refused(code, 400, call, QueueUrl=url, **arguments)
        try:
            self.receive(url + "-none")
        except self.sqs.exceptions.QueueDoesNotExist:
            return
        raise Failed("the missing queue has no exception class")


def run(checks: Checks, clients: Clients) -> None:
    sqs = SqsChecks(clients)
    protocol = "JSON" if sqs.is_json() else "query"
    for name, body in vars(SqsChecks).items():
        if name not in ("__init__", "fresh", "is_json", "send", "receive", "resent") and callable(body):
            checks.run(f"SQS by {protocol} protocol: {name.replace('_', ' ')}", body, sqs)


if __name__ == "__main__":
    counted = Checks()
    run(counted, Clients(os.environ))
    counted.end()
