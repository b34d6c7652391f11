#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads a report with junitparser, a reader that knows nothing of the writer: read_junit.py FILE.

The sums that the report announces must be those of its cases.
"""

import sys

import junitparser


def main(path):
    report = junitparser.JUnitXml.fromfile(path)
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    kinds = {junitparser.Failure: "failures", junitparser.Error: "errors", junitparser.Skipped: "skipped"}
    for suite in report:
        for case in suite:
            counts["tests"] += 1
            for result in case.result:
                for kind, word in kinds.items():
                    if type(result) is kind:
                        counts[word] += 1
    announced = {word: getattr(report, word) for word in counts}
    print(f"{path}: {counts}")
    if announced != counts:
        print(f"the report announces {announced}")
        return 1
    if counts["tests"] == 0:
        print("the report has no case")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_junit.py FILE")
    sys.exit(main(sys.argv[1]))
