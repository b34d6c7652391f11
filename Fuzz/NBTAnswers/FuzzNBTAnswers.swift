// SPDX-License-Identifier: MIT

import FuzzInput
import NBT
import NBTConstants
import SmartCard
import Type4Tag

/// Answers of a chip: the host library reads them or says why not, one by one and in whole conversations.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    parse(input.bytes)
    if let message = attempt({ try NDEFMessage(bytes: input.bytes) }) {
        attempt { try BrandCertificate(in: message) }
    }
    var verifier = COTTVerifier { _ in [UInt8](repeating: 7, count: 16) }
    let verdict = verifier.judge(input.text)
    precondition(verdict != .used && !verdict.text.isEmpty, "a first token that was seen before")
    let choice = input.byte()
    let tag = NBTCommandSet(FuzzedCard.connection(answering: input.pieces()))
    if attempt({ try tag.selectApplication() }) != nil {
        attempt { try work[Int(choice) % work.count](tag) }
    }
    return 0
}

/// Reads the bytes as the answer to each command.
private func parse(_ bytes: [UInt8]) {
    if let version = attempt({ try NBTResponseParser.version(bytes) }) {
        precondition(!version.description.isEmpty, "a version without text")
    }
    attempt { try NBTResponseParser.availableMemory(bytes) }
    attempt { try NBTResponseParser.signature(bytes) }
    attempt { try NBTResponseParser.backendTests(bytes) }
    for tag in [ConfigurationTag.interfaces, .gpioFunction, .uidKind] {
        attempt { try NBTResponseParser.configuration(bytes, of: tag) }
    }
    if let request = attempt({ try NBTResponseParser.passThroughRequest(bytes) }) {
        precondition(!request.status.words.contains(where: \.isEmpty), "a status without a word")
    }
    for presented: [UInt8] in [[], [0x52], [0x52, 0x54]] {
        let outcomes = NBTResponseParser.passwordOutcomes(bytes, presented: presented)
        precondition(outcomes.count == presented.count, "more or fewer outcomes than passwords")
    }
    if let table = attempt({ try NBTResponseParser.accessTable(bytes) }) {
        precondition(table.bytes == bytes, "an access policy does not come back")
        _ = (UseCase(table), ContainerTail.bytes(for: table))
    }
    guard bytes.count >= 6, let command = attempt({ try CommandAPDU(bytes: Array(bytes.dropFirst(2))) })
    else { return }
    _ = NBTDictionary.name(of: command)
    _ = NBTStatusMeaning.text(StatusWord(sw1: bytes[0], sw2: bytes[1]), after: command)
}
