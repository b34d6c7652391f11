#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_on_kit.py TAPRIG: runs nbt.led on a bench whose reader, field, probe and UART belong to `TAPRIG kit emulate`.

The chip's NFC side stands in the virtual reader of a real PC/SC service, the debug probe behind TCP, the debug UART is a
pseudo-terminal: the rig sees what it would see of a kit on a desk. Must run beside a PC/SC service (ci/with-pcscd).
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120  # seconds for one run
HELD, FAILED, RIG = 0, 1, 3

taprig = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else sys.exit(__doc__.split("\n")[0])

# The program of the bench that switches the field: it gives the order and waits until it was carried out. The service
# looks for cards every 0.4 s.
FIELD = """#!/bin/sh
folder=$(dirname "$0")
before=$(grep -c "done: field $1" "$folder/log")
echo "field $1" >"$folder/orders"
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    if [ "$(grep -c "done: field $1" "$folder/log")" -gt "$before" ]; then
        sleep 0.5
        exit 0
    fi
    sleep 0.1
done
echo "the emulated kit does not carry out: field $1"
exit 1
"""

BENCH = """bench: 1
ledger: counters.json
roles:
  nbt:
    reader: {{ pattern: Virtual PCD 00 00 }}
    probe: kit
probes:
  kit: {{ kind: cmsis-dap, address: "{address}", board: {board}{uart} }}
programs:
  field: {{ exec: [field.sh] }}
"""


# A suite that cares for nothing: what is off at its end must not stay off.
CARELESS = """rig: 1
suite: desk.careless
target: nbt
cases:
  # The kit's LED is dark without the field.
  - name: leaves the field off
    steps:
      - select: D2760000850101
      - field: off
      - kit.led: dark
  # The next case finds the card.
  - name: finds the card
    steps:
      - select: D2760000850101
"""


def fail(text):
    sys.exit(f"FAILED: {text}")


class Desk:
    """An emulated kit, and the bench file that describes it."""

    def __init__(self, *options, board="CY8CPROTO-062S2-43439", framing="tcp", uart=True):
        self.folder = Path(tempfile.mkdtemp())
        os.mkfifo(self.folder / "orders")
        # Open for both ways, so that it never ends.
        orders = os.open(self.folder / "orders", os.O_RDWR)
        arguments = [taprig, "kit", "emulate", "--tcp", "127.0.0.1:0", "--nfc", "--uart"]
        for option in (f"board={board}", *options):
            arguments += ["--option", option]
        self.log = self.folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(arguments, stdin=orders, stdout=log, stderr=subprocess.STDOUT)
        os.close(orders)
        self.wait_for("uart:")
        said = dict(line.split(":", 1) for line in self.log.read_text().splitlines() if line[:5] in ("tcp:1", "uart:"))
        self.wait_for("chip in the reader")
        (self.folder / "field.sh").write_text(FIELD)
        os.chmod(self.folder / "field.sh", 0o755)
        (self.folder / "bench.yaml").write_text(
            BENCH.format(
                address=f"{framing}:{said['tcp']}", board=board, uart=f", uart: {said['uart']}" if uart else ""
            )
        )

    def wait_for(self, text):
        for _ in range(200):
            if text in self.log.read_text():
                return
            if self.process.poll() is not None:
                break
            subprocess.run(["sleep", "0.05"], check=True)
        fail(f"the emulated kit never said '{text}': {self.log.read_text()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        # The service looks every 0.4 s, and may take the next kit's chip for this one's where it misses that this one is gone.
        subprocess.run(["sleep", "1.2"], check=True)
        if "a debugger has stopped or reset a core" in self.log.read_text():
            fail(f"the rig disturbs the device under test: {self.log.read_text()}")
        subprocess.run(["rm", "-rf", self.folder], check=True)

    def switch(self, state):
        """Switches the field as somebody by hand would."""
        subprocess.run([self.folder / "field.sh", state], check=True)

    def run(self, *cases, scenario=ROOT / "Scenarios" / "nbt" / "led.yaml"):
        """Runs a scenario; gives status and the record of the run."""
        out = self.folder / "out"
        arguments = [
            taprig, "run", scenario, "--bench", self.folder / "bench.yaml",
            "--wait", "10s", "--out", out, "--ci",
        ]
        for case in cases:
            arguments += ["--case", case]
        result = subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
        record = out / "run.json"
        if not record.exists():
            fail(f"no record of the run: {result.stdout}{result.stderr}")
        return result.returncode, json.loads(record.read_text()), result.stdout + result.stderr


def expect(title, desk, status, *cases, problem=None, says="", **words):
    got, record, said = desk.run(*cases, **words)
    outcomes = [case for suite in record["suites"] for case in suite["cases"]]
    if got != status:
        fail(f"{title}: status {got}, expected {status}; {said}\n{desk.log.read_text()}")
    if not outcomes or any(case["verdict"] == "skipped" for case in outcomes):
        fail(f"{title}: something was skipped: {said}")
    problems = [case["problem"]["type"] for case in outcomes if case.get("problem")]
    if problem and problems != [problem]:
        fail(f"{title}: problems {problems}, expected {problem}: {said}")
    if not any(says in case["problem"]["message"] for case in outcomes if case.get("problem")) and says:
        fail(f"{title}: '{says}' is missing: {said}")
    print(f"ok  {title}")


def main():
    one = "dark, lit, dark"
    with Desk() as desk:
        expect("nbt.led holds on a kit behind reader, probe and UART", desk, HELD)
        careless = desk.folder / "careless.yaml"
        careless.write_text(CARELESS)
        expect("a case that leaves the field off costs the next one nothing", desk, HELD, scenario=careless)
        desk.switch("off")
        expect("nor does a field that a killed run left off", desk, HELD, one)
    with Desk(framing="elaphure", board="CY8CKIT-062S2-43012", uart=False) as desk:
        expect("and on the other board, over elaphureLink", desk, HELD, one)
    with Desk("led=stuck-dark") as desk:
        expect("a LED that stays dark is a failure of the product", desk, FAILED, one, problem="ProbeMismatch")
    with Desk("led=stuck-dark", uart=False) as desk:
        expect(
            "and without a log FILE_2 is the one that disagrees", desk, FAILED, one, problem="ProbeMismatch",
            says="the probe says dark, while FILE_2 says that the LED is lit",
        )
    with Desk("probe-gone-after=30") as desk:
        expect("a probe that goes away is a fault of the rig", desk, RIG, one, problem="ProbeGone")
    with Desk("led-pin=given-away") as desk:
        expect("a pin that another block drives cannot be judged", desk, RIG, one, problem="ProbeGone")


if __name__ == "__main__":
    main()
