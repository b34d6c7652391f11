// SPDX-License-Identifier: MIT

/// Puts the parts of one command and of one answer together, so that a place in them means the same however they
/// travelled.
struct AssembledData {
    /// Data of the command so far, the present part included.
    private(set) var command: [UInt8] = []
    /// Data of the answer so far.
    private(set) var answer: [UInt8] = []
    /// Where the data of the present command begins in the whole; nil when it is the whole.
    private(set) var commandPart: Int?
    /// Where the data of the present answer begins in the whole; nil when it is the whole.
    private(set) var answerPart: Int?
    /// True when the present command goes on with data of one that was sent by itself.
    private(set) var isCommandCut = false
    /// True when the present answer goes on with data of one that somebody else fetched.
    private(set) var isAnswerCut = false

    private var chain: ArraySlice<UInt8>?
    private var hasMore = false

    /// Begins to count anew, for a command that is sent by itself: its places are its own, also where it is the next
    /// link of a chain or fetches the rest of an answer.
    mutating func separate() {
        isCommandCut = isCommandCut || !command.isEmpty
        isAnswerCut = isAnswerCut || !answer.isEmpty
        command = []
        answer = []
    }

    /// Takes a command on its way.
    ///
    /// A part of a chain has bit 5 in its class byte and the header of the others; GET RESPONSE after `61xx` fetches
    /// the rest of an answer. Source: ISO/IEC 7816-4:2013 §5.3.3 and §11.8.1.
    mutating func begin(_ bytes: [UInt8]) {
        let isFetch = hasMore && bytes.count > 1 && bytes[1] == 0xC0
        if !isFetch { (answer, isAnswerCut) = ([], false) }
        hasMore = isFetch
        let header = bytes.dropFirst().prefix(3)
        if chain != header { (command, isCommandCut) = ([], false) }
        chain = bytes.first.map { $0 & 0x90 == 0x10 } == true ? header : nil
        commandPart = chain != nil || isCommandCut || !command.isEmpty ? command.count : nil
        command += bytes[CommandLayout(bytes).data]
    }

    /// Takes what came back.
    mutating func end(_ response: [UInt8]) {
        let start = answer.count
        answer += response.dropLast(2)
        // A chain ends with a link that is refused.
        if response.suffix(2) != [0x90, 0x00] { chain = nil }
        let sw1 = response.count < 2 ? 0 : response[response.count - 2]
        // 6Cxx without data asks for the same once more.
        hasMore = sw1 == 0x61 || sw1 == 0x9F || (hasMore && sw1 == 0x6C)
        answerPart = start > 0 || hasMore || isAnswerCut ? start : nil
    }
}
