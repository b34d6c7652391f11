// SPDX-License-Identifier: MIT

import Testing
import Wording

@Suite struct DigitsTests {
    @Test func `Zeros fill a number up, and a longer one stays whole`() {
        #expect(Digits.decimal(0, width: 3) == "000")
        #expect(Digits.decimal(42, width: 3) == "042")
        #expect(Digits.decimal(12_345, width: 3) == "12345")
        #expect(Digits.hex(UInt8(0x0C), width: 4) == "000C")
        #expect(Digits.hex(UInt32.max, width: 8) == "FFFFFFFF")
        #expect(Digits.hex(0x1_0000, width: 4) == "10000")
    }
}
