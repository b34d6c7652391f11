# SPDX-License-Identifier: MIT
"""pyocd_probe.py openocd|elaphure HOST:PORT, or usb SERIAL: reads and switches the LED of `taprig kit emulate` with pyOCD.

A stranger to the rig judges its emulated probe: pyOCD finds the probe, starts the debug port, finds the access ports
and accesses memory, in its deferred and its immediate mode.

`openocd` runs with a plain pyOCD: its list of interfaces is replaced by one for OpenOCD's TCP framing.
`elaphure` runs with the fork that brings elaphureLink, which always dials port 3240.
`usb` runs with a plain pyOCD and leaves its interfaces alone.
"""

import logging
import socket
import struct
import sys

from pyocd.coresight.ap import AccessPort, APv1Address
from pyocd.coresight.dap import DebugPort
from pyocd.core.exceptions import TransferFaultError
from pyocd.core.session import Session
from pyocd.probe.cmsis_dap_probe import CMSISDAPProbe
from pyocd.probe.debug_probe import DebugProbe
from pyocd.probe.pydapaccess import interface as interfaces
from pyocd.probe.pydapaccess.interface.interface import Interface

# GPIO block of the chip: port 13, pin 7 is the LED, lit when low.
OUT = 0x40310680
OUT_CLR, OUT_SET = OUT + 4, OUT + 8
PIN = 0x80


class Nothing:
    """Stands in for the interfaces on the USB."""

    @staticmethod
    def get_all_connected_interfaces():
        return []


def openocd_interface(address):
    """A class for pyOCD that speaks OpenOCD's cmsis-dap TCP framing to one address."""
    host, port = address.rsplit(":", 1)

    class OpenOCDFraming(Interface):
        def __init__(self):
            super().__init__()
            self.vid, self.pid = 0x04B4, 0xF155
            self.vendor_name, self.product_name = "Cypress Semiconductor", "KitProg3 CMSIS-DAP"
            self.serial_number = "behind-tcp"
            self.packets = 0
            self.link = None

        @staticmethod
        def get_all_connected_interfaces():
            return [OpenOCDFraming()]

        @property
        def is_bulk(self):
            return True

        def open(self):
            self.link = socket.create_connection((host, int(port)), timeout=10)
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def close(self):
            self.link.close()

        def write(self, data):
            self.packets += 1
            self.link.sendall(b"DAP\0" + struct.pack("<HBB", len(data), 1, 0) + bytes(data))

        def exactly(self, count):
            data = b""
            while len(data) < count:
                piece = self.link.recv(count - len(data))
                if not piece:
                    raise EOFError("the probe has closed the link")
                data += piece
            return data

        def read(self):
            signature, count, kind, _ = struct.unpack("<4sHBB", self.exactly(8))
            assert signature == b"DAP\0" and kind == 2, (signature, kind)
            return self.exactly(count)

    return OpenOCDFraming


def end_sender_on_close():
    """Makes the fork wait for its sending thread when it closes a connection.

    It opens each probe to look at it, closes it and opens it again. A thread that has not yet noticed the close goes on with
    the new connection then, two of them send what was queued, and packets reach the probe in another order.
    """
    from pyocd.probe.pydapaccess.interface.pyelaphurelink_backend import SocketWrapper

    close = SocketWrapper.close

    def close_and_wait(self):
        close(self)
        self._send_thread.join(10)
        if self._send_thread.is_alive():
            sys.exit("pyOCD's sending thread does not end")

    SocketWrapper.close = close_and_wait


def expect(what, value, wanted):
    if value != wanted:
        sys.exit(f"{what} is {value!r}, expected {wanted!r}")
    print(f"{what}: {value!r}")


def hexes(values):
    return [f"{value:08X}" for value in values]


def judge(options, serial):
    """The whole path once, with a connection of its own."""
    probes = CMSISDAPProbe.get_all_connected_probes()
    expect("probes", len(probes), 1)
    probe = probes[0]
    if serial:
        expect("serial", probe.unique_id, serial)
    probe.session = Session(probe, options=options)
    probe.open()
    try:
        port = DebugPort(probe, probe.session.target)
        port.connect(DebugProbe.Protocol.SWD)
        expect("power-up", port.power_up_debug(), True)
        expect("DPIDR", f"{port.dpidr.idr:08X}", "6BA02477")
        identities = [port.read_ap(number << 24 | 0xFC) for number in range(3)]
        expect("IDR", hexes(identities), ["84770001", "84770001", "24770011"])
        for number in (0, 2):
            access(AccessPort.create(port, APv1Address(number)), number)
        port.power_down_debug()
    finally:
        probe.close()


def access(port, number):
    name = f"access port {number}: "
    expect(name + "OUT at first", port.read32(OUT), PIN)
    port.write32(OUT_CLR, PIN)
    expect(name + "OUT after OUT_CLR", port.read32(OUT), 0)
    port.write32(OUT_SET, PIN)
    expect(name + "OUT after OUT_SET", port.read32(OUT), PIN)
    expect(name + "a block", hexes(port.read_memory_block32(OUT, 5)), ["00000080"] + ["00000000"] * 4)
    # SRAM across the end of a kilobyte, where the address wraps.
    words = [0x01234567 * factor & 0xFFFFFFFF for factor in range(1, 400)]
    port.write_memory_block32(0x08000300, words)
    expect(name + "399 words", port.read_memory_block32(0x08000300, 399) == words, True)
    expect(name + "a byte", port.read8(0x08000301), words[0] >> 8 & 0xFF)
    port.write16(0x08000302, 0xBEEF)
    expect(name + "a half", f"{port.read32(0x08000300):08X}", f"BEEF{words[0] & 0xFFFF:04X}")
    try:
        port.read32(0x60000000)
        sys.exit("a read where nothing is has worked")
    except TransferFaultError as error:
        expect(name + "fault", f"{error.fault_address:08X}", "60000000")
    expect(name + "OUT after the fault", port.read32(OUT), PIN)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("openocd", "elaphure", "usb"):
        sys.exit(__doc__.split("\n")[0])
    logging.basicConfig(level=logging.WARNING)
    framing, address = sys.argv[1:]
    if framing != "usb":
        interfaces.INTERFACE[interfaces.USB_BACKEND] = Nothing
        interfaces.INTERFACE[interfaces.USB_BACKEND_V2] = Nothing
    options = {"no_config": True, "target_override": "cortex_m"}
    if framing == "openocd":
        interfaces.INTERFACE[interfaces.USB_BACKEND_V2] = openocd_interface(address)
    elif framing == "elaphure":
        options["cmsis_dap.elaphurelink.addr"] = address.rsplit(":", 1)[0]
        end_sender_on_close()
    for deferred in (True, False):
        print(f"-- {'deferred' if deferred else 'immediate'} transfers")
        session_options = dict(options, **{"cmsis_dap.deferred_transfers": deferred})
        # The list of probes takes its options from whatever session there is.
        Session(None, options=session_options)
        judge(session_options, address if framing == "usb" else None)
    print("held")


main()
