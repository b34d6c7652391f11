#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets two PC/SC programs that know nothing of the rig read its emulated tag: read_card.py TAPRIG.

Starts `TAPRIG emulate nbt`, then selects the application and reads FILE_2 with pyscard and with opensc-tool. Must run beside
a PC/SC service (ci/with-pcscd).
"""

import re
import subprocess
import sys
import time

from smartcard.System import readers
from smartcard.util import toBytes, toHexString

COMMANDS = ["00A4040007D276000085010100", "00A4000C02E1A2", "00B0000001"]
CARD_LIMIT = 10  # seconds until the card must have been seen
TOOL_LIMIT = 20  # seconds for opensc-tool


def fail(text):
    print(text)
    sys.exit(1)


def connection():
    """A connection to the first reader with a card in it."""
    end = time.monotonic() + CARD_LIMIT
    trouble = "there is no reader"
    while time.monotonic() < end:
        for reader in readers():
            link = reader.createConnection()
            try:
                link.connect()
                return link
            except Exception as error:  # pyscard has a class for each cause; any of them means "not yet"
                trouble = f"{reader}: {error}"
        time.sleep(0.1)
    fail(f"no card after {CARD_LIMIT} s: {trouble}")


def by_pyscard():
    """The answer to the last command, as data and status word."""
    link = connection()
    answer = None
    for command in COMMANDS:
        data, sw1, sw2 = link.transmit(toBytes(command))
        print(f"pyscard: {command} < {toHexString(data)} {sw1:02X}{sw2:02X}")
        if (sw1, sw2) != (0x90, 0x00):
            fail(f"pyscard: {command} was answered {sw1:02X}{sw2:02X}")
        answer = data
    link.disconnect()
    return answer


def by_opensc():
    arguments = ["opensc-tool", "--card-driver", "default"]
    for command in COMMANDS:
        arguments += ["--send-apdu", command]
    done = subprocess.run(
        arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TOOL_LIMIT, check=False
    )
    print(done.stdout, done.stderr, sep="")
    words = re.findall(r"SW1=0x([0-9A-F]{2}), SW2=0x([0-9A-F]{2})", done.stdout)
    if done.returncode != 0 or words != [("90", "00")] * len(COMMANDS):
        fail(f"opensc-tool ended with {done.returncode} and the status words {words}")
    data = done.stdout[done.stdout.rindex("SW1=") :].splitlines()[1:2]
    return toBytes("".join(re.findall(r"^(?:[0-9A-F]{2} ?)+", data[0]))) if data else []


def main(taprig):
    emulator = subprocess.Popen([taprig, "emulate", "nbt"], stdin=subprocess.DEVNULL)
    try:
        ours = by_pyscard()
        theirs = by_opensc()
    finally:
        emulator.terminate()
        status = emulator.wait(timeout=10)
    if len(ours) != 1 or ours != theirs:
        fail(f"pyscard read {ours}, opensc-tool read {theirs}; one byte was asked for")
    if status not in (0, 143):
        fail(f"the emulator ended with status {status}")
    print("both read the same")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_card.py TAPRIG")
    main(sys.argv[1])
