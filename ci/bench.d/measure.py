#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the release program and prints one table: measure.py --taprig PROGRAM --tools FOLDER [--json FILE].

Started by ci/bench, which builds what is measured. Ratios come from pairs that alternate in one run, so that load from
elsewhere falls on both sides; the median counts. What is called pinned runs with all its processes on one core.
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SELECT_TAG = "00A4040007D276000085010100"
SELECT_FILE = "00A4000C02E1A2"
READ_TWO = "00B0000002"

PAIRS = 12
STARTS = 40
READS_IN_PROCESS = 500_000
READS_IN_LOOP = 20_000
SCRIPT_LINES = 1000
LINT_BYTES = 1_000_000
JUNIT_CASES = 100_000
INSIDE_LIMIT = 900  # seconds for all measurements through the service
CARD_LIMIT = 10  # seconds until a card must be in the virtual reader


class Trouble(Exception):
    """A measurement that could not be made."""


def timed(command, expected=(0,)):
    """Seconds that a program took from start to end, without the cost of a shell or of pipes."""
    null = os.open(os.devnull, os.O_RDWR)
    try:
        files = [(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)]
        start = time.perf_counter()
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
        _, status = os.waitpid(process, 0)
        seconds = time.perf_counter() - start
    finally:
        os.close(null)
    code = os.waitstatus_to_exitcode(status)
    if code not in expected:
        raise Trouble(f"{' '.join(command)} ended with status {code}")
    return seconds


def peak_megabytes(command):
    """The most memory that a program had, with what it printed thrown away."""
    null = os.open(os.devnull, os.O_RDWR)
    try:
        files = [(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)]
        _, status, usage = os.wait4(os.posix_spawnp(command[0], command, os.environ, file_actions=files), 0)
    finally:
        os.close(null)
    if os.waitstatus_to_exitcode(status):
        raise Trouble(f"{' '.join(command)} failed")
    return usage.ru_maxrss / 1024


def paired(ours, theirs, pairs=PAIRS):
    """Values of two measurements in alternating order, without the first pair, which warms everything up."""
    left, right = [], []
    for number in range(pairs + 1):
        if number % 2:
            a, b = ours(), theirs()
        else:
            b, a = theirs(), ours()
        if number:
            left.append(a)
            right.append(b)
    return left, right


def row(number, work, target, measured, met, **values):
    return {
        "row": number,
        "work": work,
        "target": target,
        "measured": measured,
        "verdict": "met" if met else "missed",
        "values": values,
    }


@contextlib.contextmanager
def one_core():
    """Keeps this process and what it starts on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


# In process


def start_and_size(taprig):
    program = str(taprig)
    values = [timed([program, "--version"]) * 1000 for _ in range(STARTS + 1)][1:]
    scale = [timed(["/bin/true"]) * 1000 for _ in range(STARTS)]
    median = statistics.median(values)
    size = taprig.stat().st_size / 1e6
    return [
        row(
            1, "start: taprig --version", "5 ms", f"{median:.1f} ms ({statistics.median(scale):.1f} for /bin/true)",
            median <= 5, median_ms=median, minimum_ms=min(values), true_ms=statistics.median(scale),
        ),
        row(1, "size of the program, stripped", "13 MB", f"{size:.1f} MB", size <= 13, megabytes=size),
    ]  # fmt: skip


def in_process(taprig, folder):
    scenario = folder / "read.yaml"
    scenario.write_text(
        "rig: 1\nsuite: bench.read\ntitle: Two bytes, many times\ntarget: nbt\ncases:\n"
        "  - name: read\n    steps:\n"
        "      - select: D2760000850101\n      - select: FILE_2\n"
        f"      - read: {{ length: 2 }}\n        repeat: {READS_IN_PROCESS}\n",
        encoding="utf-8",
    )
    rates = []
    size = 0
    for _ in range(4):
        out = folder / "read"
        shutil.rmtree(out, ignore_errors=True)
        seconds = timed([str(taprig), "run", str(scenario), "--seed", "1", "--ci", "--out", str(out)])
        trace = next(out.rglob("*.jsonl"))
        size = trace.stat().st_size
        with trace.open("rb") as file:
            file.seek(-200, os.SEEK_END)
            end = json.loads(file.read().splitlines()[-1])
        if end.get("exchanges", 0) < READS_IN_PROCESS:
            raise Trouble(f"the trace of the in-process run ends with {end}")
        rates.append(end["exchanges"] / seconds)
    rate = statistics.median(rates[1:])
    return row(
        2, "in process: 2-byte read, full trace on disk", "200 000 APDU/s", f"{rate:,.0f} APDU/s".replace(",", " "),
        rate >= 200_000, apdus_per_second=rate, trace_bytes=size,
    )  # fmt: skip


def shipped_scenarios(taprig, folder):
    out = folder / "all"

    def once():
        shutil.rmtree(out, ignore_errors=True)
        return timed([str(taprig), "run", "Scenarios", "--seed", "1", "--ci", "--out", str(out)], expected=(0, 1))

    seconds = statistics.median([once() for _ in range(6)][1:])
    return row(6, "all shipped scenarios on emulators", "2 s", f"{seconds:.2f} s", seconds <= 2, seconds=seconds)


def lint(taprig, folder):
    lines = ["rig: 1", "suite: bench.lint", "title: Much to check", "target: nbt", "cases:"]
    size = sum(len(line) + 1 for line in lines)
    number = 0
    while size < LINT_BYTES:
        number += 1
        case = [
            f"  - name: case {number} writes and reads back",
            "    tags: [smoke]",
            "    steps:",
            "      - select: D2760000850101",
            f"      - write: {{ file: FILE_1, data: {number:08X}A5 }}",
            '        expect: { sw: 9000, time: "<60ms" }',
            "      - read: { file: FILE_1, length: 5 }",
            f"        expect: {{ data: {number:08X}A5 }}",
        ]
        lines += case
        size += sum(len(line) + 1 for line in case)
    scenario = folder / "lint.yaml"
    scenario.write_text("\n".join(lines) + "\n", encoding="utf-8")
    milliseconds = statistics.median([timed([str(taprig), "lint", str(scenario)]) * 1000 for _ in range(PAIRS + 1)][1:])
    return row(
        9, f"lint of a scenario of 1 MB ({number} cases)", "100 ms", f"{milliseconds:.0f} ms", milliseconds <= 100,
        milliseconds=milliseconds, bytes=scenario.stat().st_size,
    )  # fmt: skip


def junit(taprig, folder):
    """JUnit of a run of very many cases. Flat: writing takes no more memory than reading the run did."""
    run = folder / "run.json"
    steps = [
        {"label": label, "title": f"{verb} {what}", "verb": verb, "line": line, "verdict": "passed", "tries": 1,
         "start_ns": line, "duration_ns": 3_000_000, "assertions": 1, "exchanges": 1,
         "shown": [{"c": "00A4000C02E1A2", "r": "0000000090009000", "ms": 3.0}]}
        for label, verb, what, line in (("setup.1", "select", "D2760000850101", 7), ("step.1", "read", "FILE_2", 9))
    ]  # fmt: skip
    with run.open("w", encoding="utf-8") as file:
        file.write('{"run":1,"name":"bench.junit","rig":"0","started":"2026-01-01T00:00:00.000Z","seed":1,"host":"h",')
        file.write('"suites":[{"name":"bench.junit","file":"bench.yaml","target":"nbt","via":"emulator","cases":[')
        for number in range(JUNIT_CASES):
            case = {
                "name": f"case {number}", "file": "bench.yaml", "line": 6, "verdict": "passed", "duration_ns": 9_000_000,
                "attempts": [{"number": 1, "verdict": "passed", "trace": f"traces/{number}.jsonl", "steps": steps}],
            }  # fmt: skip
            file.write(("," if number else "") + json.dumps(case, separators=(",", ":")))
        file.write("]}]}\n")
    reading = [str(taprig), "report", str(run), "--markdown", "/dev/null"]
    writing = [str(taprig), "report", str(run), "--junit", str(folder / "junit.xml")]
    seconds = statistics.median(timed(writing) - timed(reading) for _ in range(5))
    memory, alone = peak_megabytes(writing), peak_megabytes(reading)
    whole = statistics.median(timed(writing) for _ in range(3))
    return row(
        8, f"JUnit of {JUNIT_CASES:,} cases, beyond reading the run".replace(",", " ", 1), "2 s, memory flat",
        f"{seconds:.2f} s and {memory - alone:+.0f} MB (with reading {whole:.1f} s, {memory:.0f} MB)",
        seconds <= 2 and memory - alone <= 32, seconds=seconds, megabytes=memory, megabytes_reading=alone, whole=whole,
    )  # fmt: skip


# Through the service (inside with-pcscd)


@contextlib.contextmanager
def card(command, reader, loop):
    """A virtual card for the time of a measurement; ready when the C loop reaches it."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + CARD_LIMIT
        while subprocess.run(
            [loop, "-r", reader, "-n", "1", SELECT_TAG], capture_output=True, check=False
        ).returncode:
            if time.monotonic() > end or process.poll() is not None:
                raise Trouble(f"{command[0]} did not become a card in the reader {reader}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)


def rate_of_loop(loop, reader):
    command = [loop, "-r", reader, "-w", "200", "-n", str(READS_IN_LOOP), SELECT_TAG, SELECT_FILE, READ_TWO]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"transmit_loop: {done.stderr.strip()}")
    return float(done.stdout)


def ratio_text(ratio, ours, theirs):
    return f"{ratio:.3f} ({statistics.median(ours):.0f} against {statistics.median(theirs):.0f} APDU/s)"


def through_service(taprig, tools, folder):
    loop, plain = str(tools / "transmit_loop"), str(tools / "plain_card")
    first, second = "Virtual PCD 00 00", "Virtual PCD 00 01"
    via = f"pcsc:{first}"
    rows = []
    with card([plain, "35963"], first, loop):
        count = READS_IN_LOOP
        ours, theirs = paired(
            lambda: count / timed([str(taprig), "send", "--via", via, "--repeat", str(count), "--stats", READ_TWO]),
            lambda: count / timed([loop, "-r", first, "-n", str(count), READ_TWO]),
        )
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        rows.append(
            row(
                3, "send loop through pcscd and vpcd, pinned", "0.95 of the C loop", ratio_text(ratio, ours, theirs),
                ratio >= 0.95, ratio=ratio, ours=ours, theirs=theirs,
            )
        )  # fmt: skip

        script = folder / "script.txt"
        script.write_text(f"{READ_TWO}\n" * SCRIPT_LINES, encoding="utf-8")
        ours_ms, theirs_ms = paired(
            lambda: timed([str(taprig), "send", "--via", via, "-f", str(script)]) * 1000,
            lambda: timed([loop, "-r", first, "-n", str(SCRIPT_LINES), READ_TWO]) * 1000,
            2 * PAIRS,
        )
        whole = statistics.median(a / b for a, b in zip(ours_ms, theirs_ms))

        # The chip answers after the time of a real part unless it is told to take none.
        emulate = [str(taprig), "emulate", "nbt", "--option", "command-time=0ms", "--vpcd", "localhost:35964"]
        with card(emulate, second, loop):
            ours, theirs = paired(lambda: rate_of_loop(loop, second), lambda: rate_of_loop(loop, first))
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        rows.append(
            row(
                4, "our virtual card, driven by the C loop, pinned", "0.95 of the C card",
                ratio_text(ratio, ours, theirs), ratio >= 0.95, ratio=ratio, ours=ours, theirs=theirs,
            )
        )  # fmt: skip
        rows.append(
            row(
                5, f"script of {SCRIPT_LINES} APDUs, whole process, pinned", "1.15 of the C loop",
                f"{whole:.2f} ({statistics.median(ours_ms):.0f} against {statistics.median(theirs_ms):.0f} ms)",
                whole <= 1.15, ratio=whole, ours_ms=ours_ms, theirs_ms=theirs_ms,
            )
        )  # fmt: skip
    return rows


# The table


def machine():
    model = "unknown processor"
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    load = os.getloadavg()[0]
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {platform.system()} {platform.release()}, load {load:.1f}"


def print_table(rows):
    head = {"work": "work", "target": "to reach", "measured": "measured", "verdict": "verdict"}
    widths = {key: max(len(str(line[key])) for line in [head, *rows]) for key in head}
    for line in [head, *rows]:
        print("  ".join(str(line[key]).ljust(widths[key]) for key in head).rstrip())
        if line is head:
            print("  ".join("-" * widths[key] for key in head))


def measured_inside(arguments, folder):
    """Rows that need the service, from this script run again beside one; its service and cards share one core."""
    result = folder / "inside.json"
    with one_core():
        done = subprocess.run(
            [ROOT / "ci/with-pcscd", sys.executable, __file__, "--inside", "--taprig", arguments.taprig]
            + ["--tools", arguments.tools, "--json", result],
            stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False, timeout=INSIDE_LIMIT,
        )  # fmt: skip
    if done.returncode:
        raise Trouble("the measurements through the service failed; see the message above")
    return json.loads(result.read_text(encoding="utf-8"))


def note(text):
    print(text, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description="Measures taprig.")
    parser.add_argument("--taprig", required=True, type=pathlib.Path)
    parser.add_argument("--tools", required=True, type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--clean-build", type=float, help="seconds of a clean debug build that was measured before")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="taprig-bench-", dir=arguments.tools) as name:
        folder = pathlib.Path(name)
        if arguments.inside:
            rows = through_service(arguments.taprig, arguments.tools, folder)
            arguments.json.write_text(json.dumps(rows), encoding="utf-8")
            return 0
        line = machine()
        with one_core():
            note("measuring start and size")
            rows += start_and_size(arguments.taprig)
            note("measuring in process")
            rows.append(in_process(arguments.taprig, folder))
            note("measuring lint")
            rows.append(lint(arguments.taprig, folder))
            note("measuring JUnit")
            rows.append(junit(arguments.taprig, folder))
        note("measuring all shipped scenarios")
        rows.append(shipped_scenarios(arguments.taprig, folder))
        note("measuring through pcscd and vpcd")
        rows += measured_inside(arguments, folder)
    if arguments.clean_build is not None:
        seconds = arguments.clean_build
        rows.append(row(10, "clean debug build", "120 s", f"{seconds:.0f} s", seconds <= 120, seconds=seconds))
    rows.sort(key=lambda entry: entry["row"])
    print(line)
    print_table(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": line, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0 if all(entry["verdict"] == "met" for entry in rows) else 1


if __name__ == "__main__":
    # Cards are ended on the way out, also when this script is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except (Trouble, subprocess.TimeoutExpired) as trouble:
        print(f"measure.py: {trouble}", file=sys.stderr)
        sys.exit(3)
