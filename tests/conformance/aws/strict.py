# SPDX-License-Identifier: Apache-2.0
"""Answers held against botocore's service models: botocore itself skips what it does not know, so a misspelt element would pass unseen."""
import json
import re
import xml.etree.ElementTree as ElementTree

from checks import Failed, expect

NUMBERS = {"integer", "long", "float", "double"}


def local(tag: str) -> str:
    return tag.rpartition("}")[2]


def check_scalar(shape, text, where: str) -> None:
    if shape.type_name in NUMBERS:
        expect(re.fullmatch(r"-?\d+(\.\d+)?", str(text)), f"{where} is {text!r}, no number")
    elif shape.type_name == "boolean":
        expect(text in ("true", "false", True, False), f"{where} is {text!r}, not true or false")
    elif shape.type_name == "timestamp":
        expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z", text), f"{where} is {text!r}, no time")
    elif shape.type_name == "string" and getattr(shape, "enum", None):
        expect(text in shape.enum, f"{where} is {text!r}, not one of {shape.enum}")


class Xml:
    """The query protocols. Lists are named after their members, or stand in the parent when they are flattened."""

    def check(self, shape, element, where: str) -> None:
        kind = shape.type_name
        if kind == "structure":
            self.structure(shape, element, where)
        elif kind == "list":
            name = shape.member.serialization.get("name", "member")
            for child in element:
                expect(local(child.tag) == name, f"{where} holds <{local(child.tag)}>, not <{name}>")
                self.check(shape.member, child, f"{where}.{name}")
        else:
            check_scalar(shape, element.text or "", where)

    def structure(self, shape, element, where: str) -> None:
        known = {}
        for name, member in shape.members.items():
            flat = member.serialization.get("flattened")
            own = member.serialization.get("name", name)
            if flat and member.type_name == "list":
                own = member.member.serialization.get("name", own)
            known[own] = (member, flat)
        seen = set()
        for child in element:
            name = local(child.tag)
            expect(name in known, f"{where} holds <{name}>, which the model does not know")
            member, flat = known[name]
            expect(flat or name not in seen, f"{where} holds <{name}> twice")
            seen.add(name)
            self.member(member, flat, child, f"{where}.{name}")

    def member(self, member, flat, child, where: str) -> None:
        if flat and member.type_name == "list":
            self.check(member.member, child, where)
        elif flat and member.type_name == "map":
            parts = {local(part.tag): part for part in child}
            key, value = (part.serialization.get("name", usual) for part, usual in ((member.key, "key"), (member.value, "value")))
            expect(set(parts) == {key, value}, f"{where} holds {sorted(parts)}")
            self.check(member.key, parts[key], f"{where}.{key}")
            self.check(member.value, parts[value], f"{where}.{value}")
        else:
            self.check(member, child, where)


def check_json(shape, value, where: str) -> None:
    kind = shape.type_name
    if kind == "structure":
        expect(isinstance(value, dict), f"{where} is no object")
        for name, part in value.items():
            expect(name in shape.members, f"{where} has a member {name}, which the model does not know")
            check_json(shape.members[name], part, f"{where}.{name}")
    elif kind == "list":
        expect(isinstance(value, list), f"{where} is no list")
        for part in value:
            check_json(shape.member, part, f"{where}[]")
    elif kind == "map":
        expect(isinstance(value, dict), f"{where} is no object")
        for key, part in value.items():
            check_scalar(shape.key, key, f"{where} key")
            check_json(shape.value, part, f"{where}.{key}")
    else:
        expect(kind not in NUMBERS or isinstance(value, (int, float)), f"{where} is {value!r}, no number")
        expect(kind != "string" or isinstance(value, str), f"{where} is {value!r}, no text")
        check_scalar(shape, value, where)


def check_xml(operation, protocol: str, body: bytes) -> None:
    root = ElementTree.fromstring(body)
    expect(local(root.tag) == operation.name + "Response", f"the answer is a <{local(root.tag)}>")
    named = {local(child.tag): child for child in root}
    if protocol == "ec2":
        expect("requestId" in named, "there is no requestId")
        root.remove(named["requestId"])
        if operation.output_shape is None:  # EC2 says "true" where the model has no answer
            expect([(local(child.tag), child.text) for child in root] == [("return", "true")], f"the answer is {body!r}")
            return
        Xml().structure(operation.output_shape, root, operation.name)
        return
    expect(named.get("ResponseMetadata") is not None and named["ResponseMetadata"][0].text, "there is no RequestId")
    wrapper = operation.output_shape and operation.output_shape.serialization.get("resultWrapper")
    allowed = {"ResponseMetadata"} | ({wrapper} if wrapper else set())
    expect(set(named) <= allowed, f"the answer holds {sorted(named)}, not only {sorted(allowed)}")
    if wrapper and wrapper in named:
        Xml().structure(operation.output_shape, named[wrapper], operation.name)


def watch(client, answers: list) -> None:
    """From now on each answer of the client is judged; what is wrong with it fails the call."""
    model = client.meta.service_model

    def judge(response_dict, event_name, **_) -> None:
        if response_dict is None:  # no answer at all: the caller hears of it
            return
        operation = model.operation_model(event_name.rpartition(".")[2])
        status, body = response_dict["status_code"], response_dict["body"]
        answers.append((model.service_name, operation.name, status))
        expect("x-amzn-requestid" in {name.lower() for name in response_dict["headers"]}, "there is no x-amzn-RequestId header")
        if status >= 300:
            return
        try:
            if model.metadata["protocol"] == "json":
                expect(response_dict["headers"]["content-type"] == "application/x-amz-json-" + model.metadata["jsonVersion"],
                       f"its type is {response_dict['headers']['content-type']}")
                if operation.output_shape:
                    check_json(operation.output_shape, json.loads(body), operation.name)
                return
            check_xml(operation, model.metadata["protocol"], body)
        except Failed as why:
            raise Failed(f"{operation.name}: {why} in {body[:2000]!r}") from None

    client.meta.events.register("response-received", judge)
