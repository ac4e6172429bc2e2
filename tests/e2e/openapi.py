"""Reads api/openapi.yaml, and holds answers against its schemas: as much of JSON Schema as is written there, and an error for
any keyword that is not known here, so that none is passed over."""

import functools
import pathlib
import re

import yaml

PATH = pathlib.Path(__file__).resolve().parents[2] / "api/openapi.yaml"
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None)}
NOTES = {"description", "default", "format"}


class Api:
    def __init__(self, document=None):
        self.document = document or yaml.safe_load(PATH.read_text())

    def resolve(self, node):
        """Follows a reference, such as "#/components/schemas/Queue"."""
        while "$ref" in node:
            path = node["$ref"].removeprefix("#/").split("/")
            node = functools.reduce(lambda part, name: part[name], path, self.document)
        return node

    def schema(self, name):
        return self.document["components"]["schemas"][name]

    def operations(self):
        """(method, path, operation) of each."""
        for path, item in self.document["paths"].items():
            for method in ("get", "post"):
                if method in item:
                    yield method.upper(), path, item[method]

    def query_parameters(self, operation):
        return [one["name"] for one in map(self.resolve, operation.get("parameters", [])) if one["in"] == "query"]

    def response_schema(self, operation, status):
        """Of a JSON answer; None for a page."""
        response = self.resolve(operation["responses"][str(status)])
        return response["content"].get("application/json", {}).get("schema")

    def problems(self, schema, value, where="answer"):
        """What is wrong with a value, in words."""
        schema = self.resolve(schema)
        for keyword, argument in schema.items():
            if keyword not in NOTES:
                yield from getattr(self, "check_" + keyword)(argument, schema, value, where)

    def check_type(self, names, _, value, where):
        names = [names] if isinstance(names, str) else names
        if not any(isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool)) for name in names):
            yield f"{where}: {value!r} is no {' or '.join(names)}"

    def check_enum(self, values, _, value, where):
        if value not in values:
            yield f"{where}: {value!r} is none of {values}"

    def check_const(self, wanted, _, value, where):
        if value != wanted:
            yield f"{where}: {value!r} is not {wanted!r}"

    def check_minimum(self, least, _, value, where):
        if value < least:
            yield f"{where}: {value} is below {least}"

    def check_maximum(self, most, _, value, where):
        if value > most:
            yield f"{where}: {value} is above {most}"

    def check_minLength(self, least, _, value, where):
        if len(value) < least:
            yield f"{where}: {value!r} is too short"

    def check_pattern(self, pattern, _, value, where):
        if not re.search(pattern, value):
            yield f"{where}: {value!r} does not match {pattern}"

    def check_required(self, names, _, value, where):
        if isinstance(value, dict):
            yield from (f"{where}: no {name}" for name in names if name not in value)

    def check_properties(self, properties, _, value, where):
        if isinstance(value, dict):
            for name in properties.keys() & value.keys():
                yield from self.problems(properties[name], value[name], f"{where}.{name}")

    def check_additionalProperties(self, others, schema, value, where):
        if not isinstance(value, dict):
            return
        for name in value.keys() - schema.get("properties", {}).keys():
            if others is False:
                yield f"{where}: {name} is not described"
            else:
                yield from self.problems(others, value[name], f"{where}.{name}")

    def check_items(self, item, _, value, where):
        if isinstance(value, list):
            for number, one in enumerate(value):
                yield from self.problems(item, one, f"{where}[{number}]")

    def check_allOf(self, parts, _, value, where):
        for part in parts:
            yield from self.problems(part, value, where)

    def check_oneOf(self, choices, _, value, where):
        found = [list(self.problems(choice, value, where)) for choice in choices]
        if sum(not problems for problems in found) != 1:
            yield f"{where}: is not one of {len(choices)} kinds: {found}"
