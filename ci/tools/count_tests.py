#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up what Swift Testing wrote: count_tests.py FILE... prints `passed failed skipped` on one line.

Tests that failed or were skipped are named on standard error. A file that is missing or broken ends with status 1: the test
process died before it could write it.
"""

import sys
import xml.etree.ElementTree as ElementTree


def main(paths):
    passed = failed = skipped = 0
    for path in paths:
        try:
            root = ElementTree.parse(path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            print(f"{path}: no result of the tests ({error})", file=sys.stderr)
            return 1
        for case in root.iter("testcase"):
            name = f"{case.get('classname', '')}/{case.get('name', '')}"
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print(f"failed: {name}", file=sys.stderr)
            elif (skip := case.find("skipped")) is not None:
                skipped += 1
                reason = skip.get("message") or (skip.text or "").strip() or "no reason given"
                print(f"skipped: {name}: {reason}", file=sys.stderr)
            else:
                passed += 1
    print(passed, failed, skipped)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
