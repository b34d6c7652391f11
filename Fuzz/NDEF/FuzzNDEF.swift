// SPDX-License-Identifier: MIT

import FuzzInput
import Type4Tag

/// NDEF messages, capability containers, and whole Type 4 Tags that answer as the fuzzer likes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    read(message: input.bytes)
    if let container = attempt({ try CapabilityContainer(bytes: input.bytes) }) {
        precondition(container.files.first == container.ndefFile, "a container without its first file")
    }
    let reads = input.byte()
    let tag = Type4TagReader(FuzzedCard.connection(answering: input.pieces()))
    guard attempt({ try tag.detect(readsWholeContainer: reads & 1 != 0) }) != nil else { return 0 }
    if reads & 2 != 0 {
        attempt { try tag.writeMessage([UInt8](repeating: reads, count: Int(reads))) }
    }
    if let message = attempt({ try tag.readMessage() }) { read(message: message) }
    return 0
}

private func read(message bytes: [UInt8]) {
    guard let message = attempt({ try NDEFMessage(bytes: bytes) }) else { return }
    precondition(!message.description.isEmpty, "a message without a description")
    // A payload's length may have been written longer than needed, so the message comes back, not the bytes.
    let again = attempt { try NDEFMessage(bytes: message.bytes) }
    precondition(again == message, "a message does not come back")
    for record in message.records {
        if let text = record.text {
            let made = attempt { try NDEFRecord.text(text.text, language: text.language) }
            precondition(made?.text == text, "a text does not come back")
        }
        if let uri = record.uri {
            precondition(attempt { try NDEFRecord.uri(uri) }?.uri == uri, "an address does not come back")
        }
    }
}
