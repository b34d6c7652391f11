#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The map of modules in Documentation/architecture.md: module_map.py --check | --write, from the package itself.

The page has it between two marks. Status: 0 the page is as the package is (or was written), 1 it is not, or an arrow
points up, 3 the package could not be read.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Documentation" / "architecture.md"
START = "<!-- map of modules: written by ci/tools/module_map.py -->"
END = "<!-- end of the map -->"

# From the ground up; a module uses what is on its own floor or below.
FLOORS = ["System", "Core", "Readers", "Devices", "Rig", "Output", "taprig"]


def modules():
    """Name, folder and uses of each module under Sources."""
    try:
        text = subprocess.run(
            ["swift", "package", "describe", "--type", "json"], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
        targets = json.loads(text)["targets"]
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        print(f"module_map: the package cannot be described: {error}", file=sys.stderr)
        sys.exit(3)
    out = []
    for target in targets:
        path = pathlib.PurePosixPath(target["path"])
        if path.parts[:1] == ("Sources",):
            uses = sorted(target.get("target_dependencies", []), key=str.lower)
            out.append({"name": target["name"], "folder": str(path), "floor": path.parts[1], "uses": uses})
    uses = {(module["name"], used) for module in out for used in module["uses"]}
    below = {module["name"]: len(reachable(module["name"], uses)) for module in out}
    # On each floor those that need least come first.
    return sorted(out, key=lambda module: (FLOORS.index(module["floor"]), below[module["name"]], module["name"]))


def wrong_arrows(known):
    """Sentences about arrows that point up or in a ring."""
    floors = {module["name"]: FLOORS.index(module["floor"]) for module in known}
    uses = {module["name"]: module["uses"] for module in known}
    out = []
    for module in known:
        for used in module["uses"]:
            if floors[used] > floors[module["name"]]:
                out.append(f"{module['name']} uses {used}, which stands above it")
        seen, open_ = set(), list(module["uses"])
        while open_:
            name = open_.pop()
            if name == module["name"]:
                out.append(f"{name} uses itself, by way of others")
                break
            if name not in seen:
                seen.add(name)
                open_ += uses[name]
    return out


def reachable(start, arrows):
    """All that arrows lead to from a start, without the start itself."""
    seen, open_ = set(), [start]
    while open_:
        here = open_.pop()
        for lower in (to for origin, to in arrows if origin == here and to != start and to not in seen):
            seen.add(lower)
            open_.append(lower)
    return seen


def page_text(known):
    """The lines between the marks."""
    floor_of = {module["name"]: module["floor"] for module in known}
    arrows = {(module["floor"], floor_of[used]) for module in known for used in module["uses"]}
    below = {floor: reachable(floor, arrows) for floor in FLOORS}
    lines = ["", "```mermaid", "graph TD"]
    for upper in reversed(FLOORS):
        for lower in reversed(FLOORS):
            # What follows from other arrows would only make the picture hard to read.
            by_way_of = any(lower in below[middle] for middle in below[upper] if middle != lower)
            if lower in below[upper] and not by_way_of:
                lines.append(f"    {upper} --> {lower}")
    lines += ["```", "", "| module | folder | uses |", "|---|---|---|"]
    for module in reversed(known):
        uses = ", ".join(f"`{name}`" for name in module["uses"]) or "-"
        lines.append(f"| `{module['name']}` | `{module['folder']}` | {uses} |")
    return "\n".join(lines) + "\n\n"


def main(arguments):
    if arguments not in (["--check"], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    known = modules()
    wrong = wrong_arrows(known)
    for sentence in wrong:
        print(f"module_map: {sentence}")
    text = PAGE.read_text(encoding="utf-8")
    before, start, rest = text.partition(START + "\n")
    _, end, after = rest.partition(END)
    if not start or not end:
        print(f"module_map: {PAGE.name} has no marks for the map", file=sys.stderr)
        return 3
    new = before + start + page_text(known) + end + after
    if new != text and arguments == ["--write"]:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        print(f"module_map: {PAGE.name} shows another package; write it anew with: ci/tools/module_map.py --write")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
