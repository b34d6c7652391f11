// SPDX-License-Identifier: MIT

import SmartCard
import Testing

@Suite("Status word")
struct StatusWordTests {
    @Test(
        "words are put in plain language",
        arguments: [
            (0x9000, "done"), (0x6110, "16 more bytes are available"), (0x6101, "1 more byte is available"),
            (0x6100, "256 or more bytes are available"), (0x6C10, "wrong length: 16 bytes are available"),
            (0x6C00, "wrong length: 256 bytes are available"), (0x6C01, "wrong length: 1 byte is available"),
            (0x63C2, "2 tries left"), (0x63C1, "1 try left"), (0x63C0, "no tries left"),
            (0x63CF, "15 tries left"),
            (0x6982, "security status not satisfied"), (0x6A82, "file or application not found"),
            (0x6700, "wrong length"), (0x6D00, "instruction not supported or invalid"),
            (0x6E00, "class not supported"), (0x6F00, "error without a precise diagnosis"),
            (0x6210, "warning: the card wants to be asked for 16 bytes"),
            (0x62F1, "warning, memory unchanged"),
            (0x6342, "warning, memory changed"), (0x6499, "execution error, memory unchanged"),
            (0x65FE, "execution error, memory changed"), (0x6699, "security-related execution error"),
            (0x69F0, "command not allowed"), (0x6AFF, "wrong parameters P1-P2 or wrong data"),
            (0x9789, "meaning set by the maker of the card"),
            (0x9100, "meaning set by the maker of the card"),
            (0x6000, "no valid status word"), (0x0000, "no valid status word"),
            (0xFFFF, "no valid status word"),
        ] as [(UInt16, String)]
    )
    func meanings(_ value: UInt16, _ text: String) {
        #expect(StatusWord(rawValue: value).meaning == text)
    }

    @Test(
        "words fall into families",
        arguments: [
            (0x9000, StatusFamily.normal), (0x6100, .normal), (0x61FF, .normal), (0x6200, .warning),
            (0x63C0, .warning), (0x6400, .executionError), (0x66FF, .executionError),
            (0x6700, .checkingError),
            (0x6F12, .checkingError), (0x9001, .proprietary), (0x9789, .proprietary), (0x6000, .proprietary),
        ] as [(UInt16, StatusFamily)]
    )
    func families(_ value: UInt16, _ family: StatusFamily) {
        let word = StatusWord(rawValue: value)
        #expect(word.family == family)
        #expect(word.isWarning == (family == .warning))
        #expect(word.isError == (family == .executionError || family == .checkingError))
    }

    @Test("every word has a meaning without a full stop, and four digits")
    func allWords() {
        for value in UInt16.min...UInt16.max {
            let word = StatusWord(rawValue: value)
            #expect(!word.meaning.isEmpty && !word.meaning.hasSuffix("."))
            #expect(word.description.count == 4)
        }
    }

    @Test("numbers inside a word are read from it alone")
    func numbers() {
        #expect(StatusWord(sw1: 0x63, sw2: 0xC3).triesLeft == 3)
        #expect(StatusWord(sw1: 0x63, sw2: 0xD3).triesLeft == nil)
        #expect(StatusWord(rawValue: 0x6100).bytesAvailable == 256)
        #expect(StatusWord(rawValue: 0x6C00).rightLength == 256)
        #expect(StatusWord.success.bytesAvailable == nil)
        #expect(StatusWord.success.rightLength == nil)
    }
}
