#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what was said, not when: compare_traces.py RUN-FOLDER RUN-FOLDER.

Both folders hold traces of the same scenarios over different ways to the card. Each trace of the first must be in the second
with the same commands, answers and faults in the same order. A case that one of the runs skipped (its JUnit says so) is
named and left out.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def exchanges(path):
    """What each line of a trace says about the wire."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        record = json.loads(line)
        if "c" in record:
            yield number, record["c"], record.get("r", f"fault {record.get('fault')}")


def skipped(folder):
    """Suite and case names that the run skipped."""
    root = ElementTree.parse(folder / "junit.xml").getroot()
    return {
        (suite.get("name"), case.get("name"))
        for suite in root.iter("testsuite")
        for case in suite.iter("testcase")
        if case.find("skipped") is not None
    }


def traces(folder):
    """The traces of a run by their path inside it, and the case of each."""
    found = {}
    for path in sorted((folder / "traces").rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            header = json.loads(lines.readline())
        found[str(path.relative_to(folder))] = (path, (header.get("suite"), header.get("case")))
    return found


def first_difference(one, other):
    """A sentence, or None when both traces say the same."""
    left, right = list(exchanges(one)), list(exchanges(other))
    for (line, command, answer), (other_line, other_command, other_answer) in zip(left, right):
        if command != other_command:
            return f"line {line} sends {command}, line {other_line} of the other sends {other_command}"
        if answer != other_answer:
            return f"{command} (line {line}) is answered {answer}, in the other {other_answer}"
    if len(left) != len(right):
        return f"{len(left)} exchanges, in the other {len(right)}"
    return None


def main(one, other):
    one, other = pathlib.Path(one), pathlib.Path(other)
    excused = skipped(one) | skipped(other)
    left, right = traces(one), traces(other)
    same = wrong = 0
    for name in sorted(left.keys() | right.keys()):
        _, case = left.get(name) or right.get(name)
        if case in excused:
            print(f"left out, skipped in a run: {name}")
        elif name not in left or name not in right:
            wrong += 1
            print(f"{name}: only in {one if name in left else other}")
        elif difference := first_difference(left[name][0], right[name][0]):
            wrong += 1
            print(f"{name}: {difference}")
        else:
            same += 1
    print(f"{same} traces say the same, {wrong} do not")
    if same == 0:
        print("nothing was compared")
    return 0 if same > 0 and wrong == 0 else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: compare_traces.py RUN-FOLDER RUN-FOLDER")
    sys.exit(main(*sys.argv[1:]))
