// SPDX-License-Identifier: MIT

import Testing
import USB

@Test func `two devices with the same numbers are one kind`() {
    #expect(USBIdentity(vendor: 0x04B4, product: 0xF155) == USBIdentity(vendor: 0x04B4, product: 0xF155))
    #expect(USBIdentity(vendor: 0x04B4, product: 0xF155) != USBIdentity(vendor: 0x04B4, product: 0xF154))
}
