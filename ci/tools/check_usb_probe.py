#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_usb_probe.py TAPRIG [PYTHON-WITH-PYOCD]: debug probes on a USB that umockdev pretends.

Builds Tests/USBMock/umock_probe.c and runs the program, through its real libusb path, against one or two pretended
probes: found, read, told apart, in use, not permitted, of old firmware, of the wrong kind, pulled out. The probes'
other end is `TAPRIG kit emulate`. pyOCD, where it is given, finds and uses the same pretended device.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 30  # seconds for one command
HELD, RIG = 0, 3

mock = None
taprig = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__.split("\n")[0])


def fail(text):
    sys.exit(f"FAILED: {text}")


def build(folder):
    """Compiles the pretended device."""
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "umockdev-1.0", "gio-2.0"], check=True, capture_output=True, text=True
    ).stdout.split()
    source = ROOT / "Tests" / "USBMock" / "umock_probe.c"
    program = Path(folder) / "umock_probe"
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, source, *flags], check=True)
    return program


class Kit:
    """An emulated kit on a free port."""

    def __init__(self, *options):
        arguments = [taprig, "kit", "emulate", "--tcp", "127.0.0.1:0"]
        for option in options:
            arguments += ["--option", option]
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True
        )
        line = self.process.stdout.readline().strip()
        if not line.startswith("tcp:127.0.0.1:"):
            fail(f"kit emulate printed '{line}'")
        self.port = line.rsplit(":", 1)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(LIMIT)

    def device(self, serial, words=""):
        return f"{serial}:{self.port}" + (f":{words}" if words else "")


def run(devices, *command):
    """Runs a command beside the pretended devices."""
    return subprocess.run(
        ["umockdev-wrapper", mock, *devices, "--", *command],
        capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
    )


def expect(title, devices, arguments, status, *texts):
    """Runs taprig; status and texts must be as said. Gives its standard output."""
    result = run(devices, taprig, *arguments)
    said = result.stdout + result.stderr
    if result.returncode != status:
        fail(f"{title}: status {result.returncode}, expected {status}; it said: {said}")
    for text in texts:
        if text not in said:
            fail(f"{title}: '{text}' is missing in: {said}")
    print(f"ok  {title}")
    return result.stdout


def probes(title, devices, *wanted):
    """The probes that are listed, as serial number and state."""
    listed = json.loads(expect(title, devices, ["kit", "list", "--json"], HELD))["probes"]
    seen = tuple((probe["serial"], probe["state"]) for probe in listed)
    if seen != wanted:
        fail(f"{title}: listed {seen}, expected {wanted}")


def one_probe(kit):
    one = [kit.device("102015B003137400")]
    probes("one probe is listed", one, ("102015B003137400", "ready"))
    expect("its LED is read", one, ["kit", "led"], HELD, "dark")
    expect("it is named by its serial number", one, ["kit", "led", "--probe", "usb:102015B003137400"], HELD, "dark")
    expect("another serial number is not there", one, ["kit", "led", "--probe", "usb:99"], RIG, "102015B003137400")
    expect("no probe is a sentence", [], ["kit", "led"], RIG, "none is plugged in")
    old = [kit.device("1", "old")]
    expect("old firmware with class 00 is taken", old, ["kit", "led"], HELD, "dark")
    stale = [kit.device("1", "stale")]
    expect("answers of an earlier user are thrown away", stale, ["kit", "led"], HELD, "dark")
    silent = [kit.device("1", "silent-sysfs")]
    probes("strings come from the device where the kernel has none", silent, ("1", "ready"))
    expect("and it is read", silent, ["kit", "led", "--probe", "usb:1"], HELD, "dark")


def refusals(kit):
    hid = [kit.device("1", "hid")]
    probes("a probe in HID mode is listed as such", hid, ("1", "unsupported"))
    expect("and refused", hid, ["kit", "led"], RIG, "HID", "CMSIS-DAP v1")
    busy = [kit.device("1", "busy")]
    expect("a probe in use is told", busy, ["kit", "led"], RIG, "in use by")
    forbidden = [kit.device("1", "forbidden")]
    probes("a probe that may not be opened is listed", forbidden, ("1", "not-permitted"))
    expect("with the rule to add", forbidden, ["kit", "led"], RIG, "rules.d", "04b4", "f155")


def two_probes(kit):
    with Kit("led=stuck-lit", "probe-packet=512") as other:
        two = [kit.device("AA01"), other.device("AA02", "large")]
        probes("two probes are listed", two, ("AA01", "ready"), ("AA02", "ready"))
        expect("one must be named", two, ["kit", "led"], RIG, "AA01", "AA02")
        expect("the first one is dark", two, ["kit", "led", "--probe", "usb:AA01"], HELD, "dark")
        expect("the second one is lit", two, ["kit", "led", "--probe", "usb:AA02"], HELD, "lit")


def unplugged():
    with Kit("probe-gone-after=40") as kit:
        expect(
            "a probe that is pulled out is a fault of the rig",
            [kit.device("1")], ["kit", "led", "--is", "dark", "--for", "20s"], RIG, "unplugged",
        )
    with Kit("probe-gone-after=3") as kit:
        expect(
            "also in the middle of the start-up",
            [kit.device("1")], ["kit", "led"], RIG, "unplugged",
        )


def stranger(kit, python):
    """pyOCD, with a libusb of its own, must find in the pretended device what it finds in a real one."""
    script = ROOT / "ci" / "tools" / "pyocd_probe.py"
    result = run([kit.device("102015B003137400")], python, script, "usb", "102015B003137400")
    if result.returncode != 0 or not result.stdout.endswith("held\n"):
        fail(f"pyOCD on the pretended USB: {result.stdout}{result.stderr}")
    print("ok  pyOCD uses the pretended device")


def main():
    global mock
    with tempfile.TemporaryDirectory() as folder:
        mock = build(folder)
        with Kit() as kit:
            one_probe(kit)
            refusals(kit)
            two_probes(kit)
            if len(sys.argv) > 2:
                stranger(kit, sys.argv[2])
        unplugged()


main()
