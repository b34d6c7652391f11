#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds scenarios against the schema that the program prints, with an independent validator."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Resolved(yaml.SafeLoader):
    """Resolves numbers and truth values as YAML 1.2 does: only `true` and `false`, and no octal numbers."""


Resolved.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"^(?:true|false)$", "tf"),
    ("int", r"^[-+]?[0-9]+$|^0x[0-9a-fA-F]+$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
    ("null", r"^(?:~|null|)$", ["~", "n", ""]),
]:
    Resolved.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))
Resolved.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value, 16 if "x" in node.value else 10))
Resolved.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def keys_as_text(value):
    """JSON knows no other keys."""
    if isinstance(value, dict):
        return {str(key): keys_as_text(item) for key, item in value.items()}
    return [keys_as_text(item) for item in value] if isinstance(value, list) else value


def readings(text):
    yield "text", yaml.load(text, Loader=yaml.BaseLoader)
    yield "resolved", keys_as_text(yaml.load(text, Loader=Resolved))


def complaints(validator, value):
    return ["/".join(map(str, error.absolute_path)) + ": " + error.message[:200] for error in validator.iter_errors(value)]


def main(program):
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    wrong = []

    right = sorted((ROOT / "Scenarios").rglob("*.yaml")) + sorted((HERE / "right").glob("*.yaml"))
    for path in right:
        for reading, value in readings(path.read_text(encoding="utf-8")):
            for complaint in complaints(validator, value):
                wrong.append(f"{path.relative_to(ROOT)} ({reading}) is refused: {complaint}")
    lint = subprocess.run([program, "lint", *map(str, right)], capture_output=True, text=True)
    if lint.returncode != 0:
        wrong.append("lint refuses what the schema accepts: " + lint.stdout)

    cases = yaml.safe_load((HERE / "wrong.yaml").read_text(encoding="utf-8"))
    base = cases["base"].splitlines()
    for number, change in enumerate(cases["changes"]):
        lines = list(base)
        lines[change["line"] - 1] = change["text"]
        text = "\n".join(lines) + "\n"
        for reading, value in readings(text):
            # Some mistakes show only in one of the readings: a range needs a number, a form needs the letters.
            if (change.get("resolved") and reading == "text") or (change.get("text_only") and reading == "resolved"):
                continue
            if not complaints(validator, value):
                wrong.append(f"change {number} ({reading}) is accepted: {change['text']}")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.yaml")
            path.write_text(text, encoding="utf-8")
            lint = subprocess.run([program, "lint", str(path)], capture_output=True, text=True)
        if lint.returncode != 2 or change["says"] not in lint.stdout:
            wrong.append(f"change {number}: lint says {lint.stdout!r}, not {change['says']!r}")

    for line in wrong:
        print(line)
    print(f"schema: {len(right)} files accepted, {len(cases['changes'])} mistakes refused" if not wrong else f"schema: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("use it as: check_schema.py TAPRIG")
    sys.exit(main(sys.argv[1]))
